"""Names looked up in the code of all files, and what an occurrence says."""

import pytest

from leverlint.consumption import Consumption, Sought
from leverlint.languages.consumers import KEY, MEMBER, NAME, consumers, groups, plainly_read


def hows(language, source, *names, resolver=False):
    return {(one.name, one.how, one.into) for one in consumers(language, source.encode(), names, resolver)}


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("use(levers.fused)", MEMBER),
        ("levers.fused.bit_count()", MEMBER),
        ("text = f'{levers.fused}'", MEMBER),
        ("match x:\n    case Levers(fused=on): pass", MEMBER),
        ("getattr(levers, 'fused')", MEMBER),
        ("operator.attrgetter('fused')", MEMBER),
        ("fused()", NAME),
        ("handlers = [fused]", NAME),
        ("readers['fused']()", KEY),
        ("readers.get('fused')", KEY),
        ("levers.fused = True", None),
        ("levers.fused, other = 1, 2", None),
        ("del levers.fused", None),
        ("Levers(fused=True)", None),
        ("fused: bool = False", None),
        ("def fused(): pass", None),
        ("def f(fused, *, other=1): pass", None),
        ("from levers import fused", None),
        ("import levers.fused", None),
        ("for fused in rows: pass", None),
        ("os.environ['fused']", None),
        ("os.environ.get('fused')", None),
        ("log('fused')", None),
        ("# levers.fused", None),
        ("class L:\n    def __repr__(self): return str(self.fused)", None),
        ("class L:\n    def defaults(self): return self.fused", None),
    ],
)
def test_an_occurrence_in_python(source, how):
    assert {one[1] for one in hows("python", source, "fused")} == ({how} if how else set())


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("fn f() { use_it(levers.fused) }", MEMBER),
        ("fn f() { println!(\"{}\", levers.fused) }", MEMBER),
        ("fn f() { let Levers { fused, .. } = levers; }", MEMBER),
        ("fn f() { let Levers { fused: on, .. } = levers; }", MEMBER),
        ("fn f() { levers.fused() }", MEMBER),
        ("fn f() { levers::fused() }", NAME),
        ("fn f() { vec![fused] }", NAME),
        ("#[arg(long, env = Names::fused)]\nstruct S;", NAME),
        ("#[derive(Debug)]\n#[serde(rename = \"fused\")]\nstruct S;", None),
        ("fn f() { readers[\"fused\"]() }", KEY),
        ("fn f() { readers.get(\"fused\") }", KEY),
        ("fn f() { levers.fused = true; }", None),
        ("fn f() { Levers { fused: true } }", None),
        ("fn f(fused: bool) -> Levers { Levers { fused } }", None),
        ("struct Levers { fused: bool }", None),
        ("fn fused() {}", None),
        ("use crate::levers::fused;", None),
        ("fn f() { log(\"fused\") }", None),
        ("// levers.fused\n/* levers.fused */", None),
        ("impl fmt::Debug for L { fn fmt(&self) { show(self.fused) } }", None),
        ("impl L { fn defaults(self) { show(self.fused) } }", None),
    ],
)  # fmt: skip
def test_an_occurrence_in_rust(source, how):
    found = {one[1] for one in hows("rust", source, "fused")} - ({NAME} if "f(fused" in source else set())
    assert found == ({how} if how else set())


def test_a_resolver_says_which_field_takes_a_value():
    python = "class L:\n    def f(self): self.wide = self.fused or x\nL(narrow=self.fused)"
    assert {into for *_, into in hows("python", python, "fused", resolver=True)} == {"wide", "narrow"}
    rust = "fn f(l: L) -> L { L { wide: l.fused && x() } }"
    assert {into for *_, into in hows("rust", rust, "fused", resolver=True)} == {"wide"}


def test_what_takes_every_member_of_a_group():
    source = b"asdict(levers); vars(self.pages); x.__dict__; getattr(y, name); getattr(z, 'a')  # asdict(no)"
    assert groups("python", source) == {"levers", "pages", "x", "y"}


PLAIN = {
    "python": [
        ("a = levers.fused", True),
        ("call('x', levers.fused)", True),
        ("call(levers.fused, b=1)", False),
        ("levers.fused = 1", False),
        ("levers.fused: bool", False),
        ("# levers.fused", False),
        ("'levers.fused'", False),
        ('"""\nlevers.fused\n"""', False),
        ("import levers.fused", False),
        ("def __repr__(self):\n    return levers.fused", False),
    ],
    "rust": [
        ("let a = levers.fused;", True),
        ("levers.fused = true;", False),
        ("// levers.fused", False),
        ('"levers.fused"', False),
        ('"\nlevers.fused\n"', False),
        ("/*\nlevers.fused\n*/", False),
        ("impl Debug for L { fn f() { levers.fused } }", False),
    ],
}


@pytest.mark.parametrize(
    ("language", "source", "plain"),
    [(language, *case) for language, cases in PLAIN.items() for case in cases],
)
def test_only_what_is_beyond_doubt_is_told_without_parsing(language, source, plain):
    assert plainly_read(language, ["fused"], source.encode()) == ({"fused"} if plain else set())


def sought(name, kind="field", owner="Levers"):
    return Sought(name, kind, owner, "levers.py")


def dead(files, *names):
    consumption = Consumption(files, lambda path: files[path].encode())
    return {one.name for one in consumption.unconsulted([*names])}


def test_a_name_on_its_own_is_no_member():
    files = {"use.py": "fused = 1\nprint(fused, other.spill)"}
    assert dead(files, sought("fused"), sought("spill")) == {"fused"}
    assert dead(files, sought("fused", "function")) == set()


def test_fields_that_only_feed_each_other_are_dead():
    files = {"levers.py": "l = Levers(a=self.b, b=self.a, c=self.d)", "use.py": "print(x.c)"}
    assert dead(files, *map(sought, "abcd")) == {"a", "b"}


def test_a_group_is_known_by_its_class_or_by_what_it_is_called():
    for word in ("levers", "engine_levers"):
        assert dead({"use.py": f"asdict({word})"}, sought("a", owner="EngineLevers")) == set()
    assert dead({"use.py": "levers = 1; asdict(request)"}, sought("a")) == {"a"}
    assert dead({"use.py": "x: Levers\nasdict(x)"}, sought("a")) == set()


def test_a_member_of_any_language_counts():
    assert dead({"use.rs": "fn f() { levers.fused }"}, sought("fused")) == set()


@pytest.mark.parametrize(
    ("name", "defined"),
    [("step", True), ("Reader.step", True), ("loop::step", True), ("Writer.step", False), ("walk", False)],
)
def test_functions_are_found_by_their_definition(name, defined):
    files = {
        "loop.rs": "impl Reader {\n    pub async fn step(&self) {}\n}",
        "use.py": "# def walk():\nwalk()",
    }
    assert Consumption(files, lambda path: files[path].encode()).defines(name) == defined


def test_code_that_is_broken_all_over_consults_nothing():
    source = (
        'lag(e s\nute::lev\n\n/* levers.spill is ild(.ge// leverlint: allow(raw-read) -- so\nt("ATLAS_NE\n'
    )
    assert hows("rust", source, "read") == set()
