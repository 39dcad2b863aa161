"""What reads mean, on hand-made facts: through wrappers, helpers, constants and defaults."""

import types

from leverlint.decoding import PROBES, UNTOLD, name
from leverlint.facts import (
    UNKNOWN,
    Answer,
    Api,
    Apply,
    Argument,
    Call,
    Constant,
    Definition,
    FileFacts,
    Function,
    FunctionValue,
    Helper,
    If,
    Named,
    Parameter,
    Passed,
    Span,
    Text,
)
from leverlint.facts import (
    UNTOLD as NO_WORDS,
)
from leverlint.index import Index, Levers
from leverlint.languages import Tree

GET = ("sys", "get")
HERE = Span(0, 9)

LANGUAGE = types.SimpleNamespace(
    NAME="fake",
    API={GET: Api("read", answer="get"), ("sys", "has"): Api("read", answer="contains")},
    IMPORTS_BIND_VALUES=True,
    CLOSURES_RUN_LATER=True,
    locate=lambda path, file, tree: (f"{path[0]}.x", path[1:]) if f"{path[0]}.x" in tree.files else None,
)


def call(callee, *names, at=0, decoding=None, values=(), function=-1):
    span = Span(at, at + 9)
    return Call(
        callee,
        tuple(Argument("", value) for value in names),
        span,
        function,
        decoding=Answer(span) if decoding is None else decoding,
        values=values,
    )


def lever(value="ATLAS_X"):
    return Text(value, HERE)


def answer(at=0):
    return Answer(Span(at, at + 9))


def equals(decoding, text):
    return Apply("equals", (decoding, Constant(text)))


def vectors(*files):
    facts = {file.path: file for file in files}
    levers = Levers(("ATLAS_",), (), ())
    tree = Tree(frozenset(facts), {}, {})
    index = Index(facts, tree, {"fake": LANGUAGE}, lambda path: levers, {}, lambda path: False)
    return [index.vector(use) for use in index.reads]


def file(path, calls=(), functions=(), definitions=()):
    return FileFacts(path, "fake", tuple(calls), tuple(functions), tuple(definitions))


def test_a_direct_read_is_decoded_where_it_stands():
    (vector,) = vectors(file("a.x", [call(GET, lever(), decoding=equals(answer(), "1"))]))
    assert name(vector) == "opt_in"


def test_the_default_of_a_get_is_part_of_the_answer():
    values = (NO_WORDS, Constant("1"))
    (vector,) = vectors(
        file("a.x", [call(GET, lever(), UNKNOWN, decoding=equals(answer(), "1"), values=values)])
    )
    assert vector[PROBES.index(None)] is True


def test_what_a_wrapper_makes_of_it_is_what_its_callers_get():
    wrapper = Function(("flag",), "function", HERE, ("name",), result=equals(answer(), "1"))
    helpers = file("helpers.x", [call(GET, Parameter(0, 0), function=0)], [wrapper])
    user = file("user.x", [call(("helpers", "flag"), lever(), decoding=Apply("not", (answer(),)))])
    (vector,) = vectors(helpers, user)
    assert name(vector) == "kill_switch"


def test_arguments_and_their_defaults_reach_into_wrappers():
    result = If(Apply("py:is_none", (answer(),)), Passed(Parameter(0, 1)), Apply("py:int", (answer(),)))
    wrapper = Function(
        ("number",), "function", HERE, ("name", "default"), result=result, defaults=(None, Constant(3))
    )
    helpers = file("helpers.x", [call(GET, Parameter(0, 0), function=0)], [wrapper])
    plain = call(("helpers", "number"), lever())
    given = call(("helpers", "number"), lever(), UNKNOWN, at=20, values=(NO_WORDS, Constant(8)))
    unset = [vector[PROBES.index(None)] for vector in vectors(helpers, file("user.x", [plain, given]))]
    assert unset == [3, 8]


def test_a_test_for_the_same_name_counts_and_for_another_does_not():
    def guarded(tested):
        has = call(("sys", "has"), tested, at=0)
        get = call(GET, lever(), at=20, decoding=If(answer(0), equals(answer(20), "1"), Constant(False)))
        return vectors(file("a.x", [has, get]))[-1]

    assert name(guarded(lever())) == "opt_in"
    assert guarded(lever("HOME"))[PROBES.index("1")] is UNTOLD


def test_helpers_and_constants_of_other_files_are_followed():
    words = Definition(("ON",), UNKNOWN, HERE, meaning=Apply("tuple", (Constant("1"), Constant("on"))))
    parse = Function(
        ("parse",), "function", HERE, ("text",),
        result=Apply("in", (Passed(Parameter(0, 0)), Named((".", "ON")))),
    )  # fmt: skip
    helpers = file("helpers.x", (), [parse], [words])
    decoding = Helper(("helpers", "parse"), (answer(),))
    (vector,) = vectors(helpers, file("user.x", [call(GET, lever(), decoding=decoding)]))
    assert [vector[PROBES.index(text)] for text in ("1", "on", "true")] == [True, True, False]


def test_a_helper_that_calls_itself_cannot_be_told():
    result = Helper(FunctionValue(0), (Passed(Parameter(0, 0)),))
    helper = Function(("again",), "function", HERE, ("text",), result=result)
    decoding = Helper((".", "again"), (answer(),))
    (vector,) = vectors(file("a.x", [call(GET, lever(), decoding=decoding)], [helper]))
    assert set(vector) == {UNTOLD}


def test_an_argument_that_cannot_be_told_matters_only_where_it_is_used():
    def decoded(result):
        helper = Function(("pick",), "function", HERE, ("text", "other"), result=result)
        decoding = Helper((".", "pick"), (answer(), NO_WORDS))
        return vectors(file("a.x", [call(GET, lever(), decoding=decoding)], [helper]))[0]

    assert name(decoded(equals(Passed(Parameter(0, 0)), "1"))) == "opt_in"
    assert set(decoded(equals(Passed(Parameter(0, 1)), "1"))) == {UNTOLD}


def test_results_that_are_wanted_are_named_by_file():
    helper = Function(("parse",), "function", HERE, ("text",))
    facts = {
        "helpers.x": file("helpers.x", (), [helper]),
        "user.x": file("user.x", [call(GET, lever(), decoding=Helper(("helpers", "parse"), (answer(),)))]),
    }
    levers = Levers(("ATLAS_",), (), ())
    tree = Tree(frozenset(facts), {}, {})
    index = Index(facts, tree, {"fake": LANGUAGE}, lambda path: levers, {}, lambda path: False)
    assert index.wanted_results() == {"helpers.x": ("parse",)}
