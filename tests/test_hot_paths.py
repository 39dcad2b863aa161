"""Ways from hot functions to reads, on hand-made facts."""

import types

from leverlint.facts import Api, Argument, Call, FileFacts, Function, FunctionValue, Kept, Span, Text
from leverlint.hot_paths import DEEPEST, is_named
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
    API={READ: Api("read")},
    IMPORTS_BIND_VALUES=True,
    CLOSURES_RUN_LATER=True,
    locate=locate,
)


def text(value):
    return Text(value, HERE)


def call(callee, *arguments, at=0, **context):
    return Call(callee, tuple(Argument("", value) for value in arguments), Span(at, at + 9), **context)


def function(name):
    return Function((name,), "function", HERE, ())


def chain(*names, **extra):
    """A file in which each function calls the next, and the last one reads."""
    calls = [call((".", name), at=10 * at, function=at) for at, name in enumerate(names[1:])]
    calls.append(call(READ, text("ATLAS_X"), at=900, function=len(names) - 1))
    return FileFacts("a.x", "fake", tuple(calls), tuple(map(function, names)), **extra)


def index(*files, hot=("hot",)):
    facts = {one.path: one for one in files}
    levers = Levers(("ATLAS_",), (), ())
    return Index(
        facts,
        Tree(frozenset(facts), {}, {}),
        {"fake": LANGUAGE},
        lambda path: levers,
        {},
        lambda path: path == "levers.x",
        lambda path, function: any(is_named(path, function, entry) for entry in hot),
    )


def ways(*files, **options):
    return [
        (read.use.lever, read.function, [hop.callee for hop in read.hops])
        for read in index(*files, **options).hot_reads
    ]


def with_call(facts, position, **changes):
    calls = list(facts.calls)
    calls[position] = calls[position]._replace(**changes)
    return facts._replace(calls=tuple(calls))


def test_a_read_in_a_hot_function_needs_no_way():
    assert ways(chain("hot")) == [("ATLAS_X", "hot", [])]


def test_the_way_is_told_from_the_hot_function_on():
    assert ways(chain("hot", "middle", "deep")) == [("ATLAS_X", "hot", ["middle", "deep"])]


def test_what_only_other_code_comes_to_is_not_hot():
    assert ways(chain("cold", "deep")) == []


def test_the_way_stops_at_the_first_hot_function():
    assert ways(chain("hot", "hot_too", "deep"), hot=("hot", "hot_too")) == [("ATLAS_X", "hot_too", ["deep"])]


def test_of_two_ways_the_shorter_one_is_told():
    facts = chain("hot", "middle", "deep")
    direct = call((".", "deep"), at=500, function=0)
    assert ways(facts._replace(calls=(*facts.calls, direct))) == [("ATLAS_X", "hot", ["deep"])]


def test_functions_that_call_each_other_end():
    facts = chain("cold", "one", "two")
    back = call((".", "one"), at=500, function=2)
    assert ways(facts._replace(calls=(*facts.calls, back))) == []


def test_a_way_may_be_too_long():
    steps = [f"step{number}" for number in range(DEEPEST)]
    assert len(ways(chain("hot", *steps))) == 1
    assert ways(chain("hot", *steps, "last")) == []


def test_what_is_kept_runs_once():
    kept = Kept("static", "TILE", HERE)
    assert ways(with_call(chain("hot", "deep"), 1, kept=kept)) == []
    assert ways(with_call(chain("hot", "deep"), 0, kept=kept)) == []


def test_nothing_beyond_a_memoised_function_is_hot():
    facts = chain("hot", "middle", "deep")
    functions = (facts.functions[0], facts.functions[1]._replace(memoised=HERE), facts.functions[2])
    assert ways(facts._replace(functions=functions)) == []


def test_a_call_in_test_code_is_no_way():
    assert ways(with_call(chain("hot", "deep"), 0, test=True)) == []


def test_a_function_inside_a_hot_one_is_hot():
    inner = Function(("",), "closure", HERE, (), parent=0)
    read = call(READ, text("ATLAS_X"), function=1)
    assert ways(FileFacts("a.x", "fake", (read,), (function("hot"), inner))) == [("ATLAS_X", "hot", [])]


def test_a_closure_that_runs_later_is_not_on_the_way_of_its_function():
    inner = Function(("",), "closure", HERE, (), parent=1)
    calls = (call((".", "outer"), function=0), call(READ, text("ATLAS_X"), at=20, function=2))
    assert ways(FileFacts("a.x", "fake", calls, (function("hot"), function("outer"), inner))) == []


def test_a_closure_is_followed_where_it_is_called():
    inner = Function(("",), "closure", HERE, (), parent=1)
    calls = (
        Call(FunctionValue(2), (), Span(0, 9), function=0),
        call(READ, text("ATLAS_X"), at=20, function=2),
    )
    facts = FileFacts("a.x", "fake", calls, (function("hot"), function("outer"), inner))
    assert ways(facts) == [("ATLAS_X", "hot", ["outer"])]


def test_the_call_into_a_resolver_is_told_from_the_rest():
    resolver = FileFacts(
        "levers.x",
        "fake",
        (call((".", "one"), function=0), call(READ, text("ATLAS_X"), at=20, function=1)),
        (function("resolve"), function("one")),
    )
    user = FileFacts("a.x", "fake", (call(("levers", "resolve"), function=0),), (function("hot"),))
    (read,) = index(resolver, user).hot_reads
    assert [hop.callee for hop in read.hops] == ["resolve", "one"]
    assert (read.entry.callee, read.entry.path) == ("resolve", "a.x")


def test_only_functions_before_a_hot_one_are_searched_for():
    terms = index(chain("main", "hot", "middle", "deep")).search_terms()
    assert {(term.name, term.callers) for term in terms} == {("middle", True), ("deep", True)}


def test_nothing_is_searched_for_when_nothing_is_hot():
    facts = chain("hot", "deep")
    levers = Levers(("ATLAS_",), (), ())
    tree = Tree(frozenset({"a.x"}), {}, {})
    built = Index({"a.x": facts}, tree, {"fake": LANGUAGE}, lambda path: levers, {}, lambda path: False)
    assert (built.search_terms(), built.hot_reads) == ((), ())


def test_names_may_be_qualified():
    method = Function(("Reader", "step"), "method", HERE, ())
    plain = function("step")
    assert is_named("app/loop.x", method, "step")
    assert is_named("app/loop.x", plain, "step")
    assert is_named("app/loop.x", method, "Reader.step")
    assert not is_named("app/loop.x", plain, "Reader.step")
    assert is_named("app/loop.x", plain, "loop::step")
    assert not is_named("app/other.x", plain, "loop::step")
