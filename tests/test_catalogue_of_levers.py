"""The catalogue on hand-made facts: no parser takes part."""

import types

from leverlint.catalogue import LeverField, alike, catalogue
from leverlint.config import Config
from leverlint.decoding import RAISES, UNTOLD
from leverlint.documentation import Passage
from leverlint.facts import UNTOLD as UNTOLD_DECODING
from leverlint.facts import (
    Answer,
    Api,
    Apply,
    Argument,
    Call,
    Constant,
    Definition,
    Field,
    FileFacts,
    Function,
    FunctionValue,
    Joined,
    Parameter,
    Span,
    Text,
    Unknown,
)
from leverlint.index import Index, Levers
from leverlint.languages import Tree

READ = ("sys", "get")


def locate(path, file, tree):
    module = f"{path[0]}.x"
    return (module, path[1:]) if module in tree.files else None


LANGUAGE = types.SimpleNamespace(
    NAME="fake",
    API={READ: Api("read", answer="get")},
    IMPORTS_BIND_VALUES=True,
    CLOSURES_RUN_LATER=True,
    locate=locate,
)


def is_one(at):
    return Apply("equals", (Answer(Span(at, at + 9)), Constant("1")))


def read(name, *, at=0, decoding=UNTOLD_DECODING, callee=READ, **context):
    value = Text(name, Span(at + 2, at + 7)) if isinstance(name, str) else name
    call = Call(callee, (Argument("", value),), Span(at, at + 9), decoding=decoding, **context)
    return call._replace(values=(UNTOLD_DECODING,))


def rows(*files, documentation=None, **settings):
    facts = {file.path: file for file in files}
    config = Config(resolvers=("levers.x",), **settings)
    index = Index(
        facts,
        Tree(frozenset(facts), {}, {}),
        {"fake": LANGUAGE},
        lambda path: Levers(("ATLAS_",), (), ()),
        {},
        config.is_resolver,
    )
    return catalogue(index, config, documentation or {})


def file(path, *calls, **extra):
    return FileFacts(path, "fake", calls, **extra)


def test_readers_in_order_with_what_they_make_of_values():
    (row,) = rows(
        file("b.x", read("ATLAS_X", at=20, decoding=is_one(20)), read("ATLAS_X")),
        file("a.x", read("ATLAS_X", decoding=Apply("to_be_invented", (Answer(Span(0, 9)),)))),
    )
    assert [(one.path, one.span.start, one.decoding) for one in row.readers] == [
        ("a.x", 0, ""),
        ("b.x", 0, ""),
        ("b.x", 20, "opt_in"),
    ]
    last = row.readers[-1]
    assert (last.default, last.of("1"), last.of("true")) == (False, True, False)
    assert row.readers[0].is_open
    assert row.readers[0].default is UNTOLD
    assert row.main is last


def test_levers_are_sorted_and_patterns_flagged():
    pattern = Joined((Text("ATLAS_DEV_", Span(2, 7)), Unknown()))
    found = rows(file("a.x", read("ATLAS_Y"), read("ATLAS_X", at=20), read(pattern, at=40)))
    assert [(row.lever, row.is_pattern) for row in found] == [
        ("ATLAS_DEV_*", True),
        ("ATLAS_X", False),
        ("ATLAS_Y", False),
    ]


def test_the_resolver_stands_for_all_and_gives_the_fields():
    (row,) = rows(
        file("a.x", read("ATLAS_X", decoding=is_one(0), field=Field("Other", "x", "field"))),
        file(
            "levers.x",
            read("ATLAS_X", decoding=is_one(0), field=Field("Model", "x", "field")),
            read("ATLAS_X", at=20, decoding=is_one(20), field=Field("", "enabled", "function")),
        ),
    )
    assert row.fields == (LeverField("Model", "x", "levers.x"),)
    assert str(row.fields[0]) == "Model.x"
    assert [one.field for one in row.readers] == ["Other.x", "Model.x", "enabled()"]
    assert row.main is row.readers[1]
    assert [one.resolver for one in row.readers] == [False, True, True]


def test_a_resolvers_function_is_the_field_when_there_is_no_other():
    (row,) = rows(file("levers.x", read("ATLAS_X", field=Field("", "enabled", "function"))))
    assert list(map(str, row.fields)) == ["enabled()"]


def test_wrappers_are_named():
    flag = Function(("flag",), "function", Span(0, 9), ("name",))
    defined = Definition(("flag",), FunctionValue(0), Span(0, 9))
    helpers = file("helpers.x", read(Parameter(0, 0), function=0), functions=(flag,), definitions=(defined,))
    (row,) = rows(helpers, file("a.x", read("ATLAS_X", callee=("helpers", "flag"))))
    assert [(one.path, one.wrappers) for one in row.readers] == [("a.x", ("flag",))]


def test_readers_part_only_over_what_both_can_tell():
    is_set = Apply("not", (Apply("equals", (Answer(Span(20, 29)), Constant("0"))),))
    on, off = read("ATLAS_X", decoding=is_one(0)), read("ATLAS_X", at=20, decoding=is_set)
    assert rows(file("a.x", on, off))[0].parts
    assert not rows(file("a.x", on, read("ATLAS_X", at=20)))[0].parts
    assert not rows(file("a.x", on, read("ATLAS_X", at=20, decoding=is_one(20))))[0].parts
    text = read("ATLAS_X", at=20, decoding=Answer(Span(20, 29)))
    assert not rows(file("a.x", on, text))[0].parts


def test_test_code_does_not_stand_for_a_lever_nor_part_unless_it_is_checked():
    is_true = Apply("equals", (Answer(Span(0, 9)), Constant("true")))
    files = (
        file("a.x", read("ATLAS_X", decoding=is_true, test=True)),
        file("b.x", read("ATLAS_X", decoding=is_one(0))),
    )
    (row,) = rows(*files)
    assert row.main.path == "b.x"
    assert not row.parts
    (row,) = rows(*files, tests="check")
    assert row.readers[0].test
    assert row.parts


def test_documentation_comes_with_its_lever():
    passage = Passage("a.md", 3, "traces")
    found = rows(file("a.x", read("ATLAS_X"), read("ATLAS_Y", at=20)), documentation={"ATLAS_X": (passage,)})
    assert [row.documented for row in found] == [(passage,), ()]


def test_alike_readers_are_put_together():
    raising = Apply("text:none", ())
    (row,) = rows(
        file(
            "a.x",
            read("ATLAS_X", decoding=is_one(0)),
            read("ATLAS_X", at=20, decoding=raising),
            read("ATLAS_X", at=40, decoding=is_one(40)),
        )
    )
    groups = alike(row.readers)
    assert [[one.span.start for one in group] for group in groups] == [[0, 40], [20]]
    assert RAISES not in groups[0][0].outcomes
