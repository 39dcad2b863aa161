"""The index on hand-made facts: no parser takes part."""

import types

import pytest

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Api,
    Argument,
    Call,
    Changed,
    Class,
    Definition,
    Element,
    Field,
    FileFacts,
    Function,
    FunctionValue,
    Glob,
    Instance,
    Item,
    Items,
    Joined,
    Kept,
    Parameter,
    Reference,
    Span,
    Submodule,
    Text,
)
from leverlint.index import Index, Levers
from leverlint.languages import Tree

READ = ("sys", "get")
HERE = Span(0, 9)


def locate(path, file, tree):
    """Modules are files named `<module>.x`; a path starts with the module."""
    path = path[1:] if path[0] == "." else path
    module = f"{path[0]}.x"
    return (module, path[1:]) if module in tree.files else None


LANGUAGE = types.SimpleNamespace(
    NAME="fake",
    API={READ: Api("read"), ("sys", "put"): Api("write"), ("sys", "all"): Api("walk", -1)},
    IMPORTS_BIND_VALUES=True,
    CLOSURES_RUN_LATER=True,
    MEMBERS_ARE_ASKED_FOR=False,
    locate=locate,
)


def text(value):
    return Text(value, Span(2, 7))


def call(callee, *arguments, at=0, **context):
    return Call(callee, tuple(Argument("", value) for value in arguments), Span(at, at + 9), **context)


def function(name, *parameters, **extra):
    return Function((name,), "function", HERE, parameters, **extra)


def read_parameter():
    """A read whose name is the first parameter of the first function."""
    return call(READ, Parameter(0, 0), function=0)


def file(path, *, functions=(), calls=(), names=None, **extra):
    definitions = tuple(
        Definition((name,) if isinstance(name, str) else name, value, HERE)
        for name, value in (names or {}).items()
    )
    defined = tuple(
        Definition(f.path, FunctionValue(i), f.span) for i, f in enumerate(functions) if f.path != ("",)
    )
    return FileFacts(path, "fake", tuple(calls), tuple(functions), definitions + defined, **extra)


def index(*files, resolvers=(), declared=None, allowed=(), names=()):
    facts = {one.path: one for one in files}
    tree = Tree(frozenset(facts), {}, {})
    levers = Levers(("ATLAS_",), tuple(names), tuple(allowed))
    return Index(
        facts, tree, {"fake": LANGUAGE}, lambda path: levers, declared or {}, lambda path: path in resolvers
    )


def found(*files, **options):
    return [(use.path, use.span.start, use.kind, use.lever) for use in index(*files, **options).uses]


def test_a_literal_is_read_where_the_api_is_called():
    assert found(file("a.x", calls=[call(READ, text("ATLAS_X"))])) == [("a.x", 0, "read", "ATLAS_X")]


def test_names_without_the_prefix_are_levers_only_when_listed():
    facts = file("a.x", calls=[call(READ, text("HOME")), call(READ, text("TQ_MODE"), at=20)])
    assert found(facts, names=["TQ_MODE"]) == [("a.x", 20, "read", "TQ_MODE")]


def test_allowed_names_are_no_levers():
    facts = file("a.x", calls=[call(READ, text("ATLAS_PORT_80_TCP"))])
    assert found(facts, allowed=["ATLAS_PORT_*"]) == []


def test_a_constant_is_followed_through_a_re_export_and_a_glob():
    names = file("names.x", names={"X": text("ATLAS_X")})
    prelude = file("prelude.x", globs=(Glob((), ("names",)),))
    user = file(
        "user.x", names={"NAME": Reference(("prelude", "X"))}, calls=[call(READ, Reference((".", "NAME")))]
    )
    assert found(names, prelude, user) == [("user.x", 0, "read", "ATLAS_X")]


def test_names_that_import_each_other_in_a_circle_end():
    one = file("one.x", names={"X": Reference(("two", "X"))}, calls=[call(READ, Reference((".", "X")))])
    two = file("two.x", names={"X": Reference(("one", "X"))})
    assert found(one, two) == []


def test_a_wrapper_is_a_read_at_its_calls_and_not_in_its_body():
    helpers = file("helpers.x", functions=[function("flag", "name")], calls=[read_parameter()])
    user = file("user.x", calls=[call(("helpers", "flag"), text("ATLAS_X"))])
    assert found(helpers, user) == [("user.x", 0, "read", "ATLAS_X")]
    (use,) = index(helpers, user).uses
    assert [(step.file, step.wrapper.path) for step in use.via] == [("helpers.x", ("flag",))]


def test_wrappers_of_wrappers_join_their_parts():
    inner = function("inner", "name")
    outer = function("outer", "topic", "unit")
    built = Joined((text("ATLAS_"), Changed("upper", Parameter(1, 0)), text("_"), Parameter(1, 1)))
    helpers = file(
        "helpers.x",
        functions=[inner, outer],
        calls=[call(READ, Parameter(0, 0), function=0), call((".", "inner"), built, at=30, function=1)],
    )
    user = file("user.x", calls=[call(("helpers", "outer"), text("kv"), UNKNOWN, at=3)])
    assert found(helpers, user) == [("user.x", 3, "read", "ATLAS_KV_*")]


def test_a_wrapper_that_calls_itself_ends():
    recursive = file(
        "a.x",
        functions=[function("flag", "name")],
        calls=[
            call(READ, Parameter(0, 0), function=0),
            call((".", "flag"), Joined((Parameter(0, 0), text("_X"))), at=20, function=0),
            call((".", "flag"), text("ATLAS_A"), at=40),
        ],
    )
    assert ("a.x", 40, "read", "ATLAS_A") in found(recursive)


def test_a_wrapper_without_callers_reads_the_family_that_it_builds():
    facts = file(
        "a.x",
        functions=[function("tile", "layer")],
        calls=[call(READ, Joined((text("ATLAS_TILE_"), Parameter(0, 0))), function=0)],
    )
    assert found(facts) == [("a.x", 0, "read", "ATLAS_TILE_*")]


def test_every_element_of_an_array_argument_counts():
    helpers = file(
        "helpers.x",
        functions=[function("first", "names", variadic=0)],
        calls=[call(READ, Element(Parameter(0, 0)), function=0)],
    )
    user = file("user.x", calls=[call(("helpers", "first"), text("ATLAS_A"), text("HOME"), text("ATLAS_B"))])
    assert [lever for *_, lever in found(helpers, user)] == ["ATLAS_A", "ATLAS_B"]


def test_the_right_item_of_a_pair_is_taken():
    pairs = Items((Items((text("ATLAS_OLD"), text("ATLAS_NEW"))),))
    facts = file(
        "a.x", names={"PAIRS": pairs}, calls=[call(READ, Item(Element(Reference((".", "PAIRS"))), 1))]
    )
    assert found(facts) == [("a.x", 0, "read", "ATLAS_NEW")]


def test_both_arms_of_a_condition_are_read():
    facts = file("a.x", calls=[call(READ, AnyOf((text("ATLAS_A"), text("ATLAS_B"))))])
    assert [lever for *_, lever in found(facts)] == ["ATLAS_A", "ATLAS_B"]


def test_a_lookup_that_is_handed_over_is_a_read_where_it_is_called():
    resolver = file(
        "resolve.x",
        functions=[function("resolve", "value")],
        calls=[call(Parameter(0, 0), text("ATLAS_X"), at=5, function=0)],
    )
    with_environment = file("main.x", calls=[call(("resolve", "resolve"), Reference(READ))])
    with_a_map = file("other.x", calls=[call(("resolve", "resolve"), UNKNOWN)])
    assert found(resolver, with_environment) == [("resolve.x", 5, "read", "ATLAS_X")]
    assert found(resolver, with_a_map) == []


def test_a_method_is_found_through_an_instance_and_a_base():
    reader = file(
        "reader.x",
        functions=[Function(("Base", "flag"), "method", HERE, ("name",))],
        calls=[read_parameter()],
        names={"reader": Instance((".", "Reader"))},
        classes=(Class(("Base",), ()), Class(("Reader",), ((".", "Base"),))),
    )
    user = file("user.x", calls=[call(("reader", "reader", "flag"), text("ATLAS_X"))])
    assert found(reader, user) == [("user.x", 0, "read", "ATLAS_X")]


def test_a_descriptor_is_told_its_name_by_the_class_body():
    fields = file(
        "fields.x",
        functions=[
            Function(("Flag", "__set_name__"), "method", HERE, ("owner", "name")),
            Function(("Flag", "get"), "method", HERE, ()),
        ],
        names={("Flag", "name"): Parameter(0, 1)},
        calls=[call(READ, Reference((".", "Flag", "name")), function=1)],
        classes=(Class(("Flag",), ()),),
    )
    user = file(
        "user.x", calls=[call(("fields", "Flag"), UNKNOWN, field=Field("Levers", "ATLAS_X", "attribute"))]
    )
    assert found(fields, user) == [("user.x", 0, "read", "ATLAS_X")]


def test_a_walk_needs_a_test_for_the_prefix():
    facts = file("a.x", calls=[call(("sys", "all")), call(("sys", "all"), at=20, prefix_test="ATLAS_")])
    assert found(facts) == [("a.x", 20, "walk", "ATLAS_*")]


def test_declared_wrappers_read_without_being_seen():
    facts = file("a.x", calls=[call(("vendor", "env", "lookup"), UNKNOWN, text("ATLAS_X"))])
    assert found(facts, declared={"env.lookup": 1}) == [("a.x", 0, "read", "ATLAS_X")]


@pytest.mark.parametrize(("resolver", "sanctioned"), [("helpers.x", True), ("other.x", False)])
def test_a_read_through_a_function_of_a_resolver_is_the_resolvers(resolver, sanctioned):
    helpers = file("helpers.x", functions=[function("flag", "name")], calls=[read_parameter()])
    user = file("user.x", calls=[call(("helpers", "flag"), text("ATLAS_X"))])
    built = index(helpers, user, resolvers=[resolver])
    assert [built.in_resolver(use) for use in built.reads] == [sanctioned]


def test_what_a_test_file_pulls_in_is_test_code():
    lib = file("lib.x", submodules=(Submodule(("tests",), ("tests.x",), test=True),))
    tests = file("tests.x", submodules=(Submodule(("deep",), ("deep.x",), test=False),))
    deep = file("deep.x", calls=[call(READ, text("ATLAS_X"))])
    assert [use.test for use in index(lib, tests, deep).uses] == [True]


def test_the_result_of_a_memoised_wrapper_is_kept():
    cached = function("flag", "name", memoised=Span(1, 2))
    helpers = file("helpers.x", functions=[cached], calls=[read_parameter()])
    user = file("user.x", calls=[call(("helpers", "flag"), text("ATLAS_X"))])
    assert [use.kept for use in index(helpers, user).uses] == [Kept("memoised-function", "flag", Span(1, 2))]


def test_a_module_that_was_not_extracted_is_asked_for():
    user = file("user.x", calls=[call(READ, Reference(("names", "X")))])
    tree = Tree(frozenset({"user.x", "names.x"}), {}, {})
    levers = Levers(("ATLAS_",), (), ())
    built = Index({"user.x": user}, tree, {"fake": LANGUAGE}, lambda path: levers, {}, lambda path: False)
    assert built.opaque == {"names.x"}


def test_an_import_out_of_a_resolver_freezes_the_value():
    kept = Kept("module-global", "FUSED", HERE)
    resolver = file("levers.x", names={"FUSED": UNKNOWN}, calls=[call(READ, text("ATLAS_FUSED"), kept=kept)])
    user = FileFacts(
        "user.x",
        "fake",
        definitions=(Definition(("FUSED",), Reference(("levers", "FUSED")), HERE, imported=True),),
    )
    frozen = index(resolver, user, resolvers=["levers.x"]).frozen_imports
    assert [(one.path, one.lever, one.resolver) for one in frozen] == [("user.x", "ATLAS_FUSED", "levers.x")]


def test_globs_in_circles_are_walked_once():
    names = [f"m{number}.x" for number in range(40)]
    globs = tuple(Glob((), (name.removesuffix(".x"),)) for name in names)
    files = [file(name, globs=globs, calls=[call((".", "flag"), text("ATLAS_X"))]) for name in names]
    assert found(*files) == []
    reader = file("m7.x", globs=globs, functions=[function("flag", "name")], calls=[read_parameter()])
    files[7] = reader
    assert len(found(*files)) == 39


def test_a_module_may_be_imported_under_the_name_of_its_member():
    flags = file("flags.x", functions=[function("flags", "name")], calls=[read_parameter()])
    imported = Definition(("flags",), Reference((".", "flags", "flags")), HERE, imported=True)
    calls = (call((".", "flags"), text("ATLAS_X")),)
    user = FileFacts("user.x", "fake", definitions=(imported,), calls=calls)
    assert found(flags, user) == [("user.x", 0, "read", "ATLAS_X")]


def kept_in(name):
    return Kept("class-attribute", name, HERE)


def test_a_class_attribute_does_not_keep_what_its_descriptor_reads_later():
    fields = file(
        "fields.x",
        functions=[
            Function(("Flag", "__init__"), "method", HERE, ("name",)),
            Function(("Flag", "get"), "method", HERE, ()),
        ],
        names={("Flag", "name"): Parameter(0, 0)},
        calls=[call(READ, Reference((".", "Flag", "name")), function=1)],
        classes=(Class(("Flag",), ()),),
    )
    user = file("user.x", calls=[call(("fields", "Flag"), text("ATLAS_X"), kept=kept_in("x"))])
    assert [use.kept for use in index(fields, user).uses] == [None]


def test_a_constructor_that_reads_at_once_is_kept():
    fields = file(
        "fields.x",
        functions=[Function(("Flag", "__init__"), "method", HERE, ("name",))],
        calls=[call(READ, Parameter(0, 0), function=0)],
        classes=(Class(("Flag",), ()),),
    )
    user = file("user.x", calls=[call(("fields", "Flag"), text("ATLAS_X"), kept=kept_in("x"))])
    assert [use.kept for use in index(fields, user).uses] == [kept_in("x")]


def test_a_function_that_is_handed_out_reads_later():
    getter = file(
        "getter.x",
        functions=[function("getter", "name"), Function(("",), "closure", HERE, (), parent=0)],
        calls=[call(READ, Parameter(0, 0), function=1)],
    )
    user = file("user.x", calls=[call(("getter", "getter"), text("ATLAS_X"), kept=kept_in("x"))])
    assert [use.kept for use in index(getter, user).uses] == [None]


def test_a_descriptor_that_can_be_set_does_not_write_when_it_is_made():
    fields = file(
        "fields.x",
        functions=[
            Function(("Flag", "__init__"), "method", HERE, ("name",)),
            Function(("Flag", "set"), "method", HERE, ("value",)),
        ],
        names={("Flag", "name"): Parameter(0, 0)},
        calls=[call(("sys", "put"), Reference((".", "Flag", "name")), function=1)],
        classes=(Class(("Flag",), ()),),
    )
    user = file("user.x", calls=[call(("fields", "Flag"), text("ATLAS_X"))])
    assert found(fields, user) == []


def test_the_names_that_a_wrapper_is_imported_under_are_searched_for():
    helpers = file("helpers.x", functions=[function("number", "name")], calls=[read_parameter()])
    imported = Definition(("integer",), Reference(("helpers", "number")), HERE, imported=True)
    prelude = FileFacts("prelude.x", "fake", definitions=(imported,))
    terms = {(term.name, term.defined_in) for term in index(helpers, prelude).search_terms()}
    assert terms == {("number", "helpers.x"), ("integer", "prelude.x")}
