"""A session must always say what a fresh run over the same content says."""

import random
import shutil
from pathlib import Path

import pytest

from leverlint import config, engine
from leverlint.languages.syntax import parser
from leverlint.session import Session

FIXTURES = Path(__file__).parent.parent / "fixtures" / "rules"
CASES = sorted(
    case
    for case in FIXTURES.glob("*/*")
    if any(file.stat().st_size for suffix in ("py", "rs") for file in case.rglob(f"*.{suffix}"))
)
PIECES = [
    b"\n",
    b" ",
    b"x",
    b'"',
    b"(",
    b"}",
    b"# leverlint: allow(raw-read) -- so\n",
    b"// leverlint: allow(raw-read) -- so\n",
    b'os.environ.get("ATLAS_NEW") == "1"',
    b'std::env::var("ATLAS_NEW").is_ok()',
    b"# noqa\n",
    b"flag(",
]


def session_of(folder):
    return Session(config.load(str(folder), overrides={"select": ("ALL",), "hot": ("step",)}), jobs=1)


def fresh(session, overlays):
    return engine.check(session.config, [], overlays=overlays, jobs=1)


def edited(text, number):
    """Give a text with one thing typed, deleted or repeated at a place that `number` chooses."""
    chance = random.Random(number)
    start = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:start] + text[start + chance.randrange(1, 30) :]
        case 1:
            end = text.find(b"\n", start) + 1
            return text[:end] + text[start:end] + text[end:]
        case _:
            return text[:start] + chance.choice(PIECES) + text[start:]


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize(
    "strokes", [range(12), pytest.param(range(12, 160), marks=pytest.mark.slow)], ids=len
)
def test_strokes_lead_to_what_a_fresh_run_says(case, strokes, tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(case, folder)
    session = session_of(folder)
    assert session.report() == fresh(session, {})
    paths = [path for path in session.found.files if session.sources.content(path)]
    overlays = {}
    for number in strokes if paths else ():
        path = paths[number // 3 % len(paths)]
        text = overlays.get(path) or session.sources.content(path)
        overlays[path] = edited(text, number)
        session.edit(path, overlays[path])
        assert session.report() == fresh(session, overlays), (number, path)


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.name}")
@pytest.mark.parametrize("rounds", [range(3), pytest.param(range(3, 40), marks=pytest.mark.slow)], ids=len)
def test_edits_of_several_files_at_once_lead_to_what_a_fresh_run_says(case, rounds, tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(case, folder)
    session = session_of(folder)
    overlays = {}
    for number in rounds:
        for path in session.found.files:
            text = overlays.get(path) or session.sources.content(path)
            overlays[path] = edited(text, f"{number} {path}")
            session.edit(path, overlays[path])
        assert session.report() == fresh(session, overlays), number


def typed(text, number):
    """Give a text at each of the strokes with which somebody types something and deletes it again."""
    chance = random.Random(number)
    at = chance.randrange(len(text))
    if chance.random() < 0.5:
        at = text.find(b"\n", at) + 1
    signs = chance.choice([b"abc", b"f((", b'"ab', b"   ", b"// ", b"# \n", b"'x'", b"}", b"{ }"])
    for count in range(1, len(signs) + 1):
        yield text[:at] + signs[:count] + text[at:]
    yield text


FILLERS = {
    "rs": "fn filler_%d(x: usize) -> usize {\n"
    + "    let total = x + filler(1);\n" * 15
    + "    total\n}\n\n",
    "py": "\n\ndef filler_%d(x):\n" + "    total = x + filler(1)\n" * 400 + "    return total\n\n\n",
}
NAMED_ELSEWHERE = b"""
pub fn is_open(kind: Kind) -> bool {
    std::env::var_os(format!("ATLAS_{}", name_of(kind))).is_some()
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Wide => "WIDE",
        Kind::Narrow => "NARROW",
    }
}
"""
"""A function that looks as if it said nothing of levers, and does."""
LANGUAGES = {"rs": "rust", "py": "python"}


def big_file(suffix):
    """Give what fixtures of facts hold, with functions in between that say nothing of levers."""
    files = sorted((FIXTURES.parent / "facts" / LANGUAGES[suffix]).glob(f"*.{suffix}"))
    sound = [file.read_bytes() for file in files if file.stem not in ("broken", "tests", "windows")][:3]
    parts = [text + (FILLERS[suffix] % number).encode() for number, text in enumerate(sound)]
    return b"".join([*parts, NAMED_ELSEWHERE if suffix == "rs" else b""])


@pytest.mark.parametrize("suffix", LANGUAGES)
@pytest.mark.parametrize("places", [range(10), pytest.param(range(10, 200), marks=pytest.mark.slow)], ids=len)
def test_typing_in_a_big_file_leads_to_what_a_fresh_run_says(suffix, places, tmp_path):
    """Big files are read in parts, and what those are changes from stroke to stroke."""
    path = f"big.{suffix}"
    (tmp_path / "pyproject.toml").write_text("[tool.leverlint]\nprefixes = ['ATLAS_']\n")
    (tmp_path / path).write_bytes(big_file(suffix))
    session = session_of(tmp_path)
    for number in places:
        for content in typed(big_file(suffix), number):
            session.edit(path, content)
            assert session.report() == fresh(session, {path: content}), (number, content)


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_the_big_file_is_sound(suffix):
    assert not parser(LANGUAGES[suffix]).parse(big_file(suffix)).root_node.has_error


@pytest.fixture
def project(tmp_path):
    (tmp_path / "wrappers.py").write_text(
        "import os\n\n\ndef flag(name):\n    return os.environ.get(name) == '1'\n"
    )
    (tmp_path / "engine.py").write_text("from wrappers import flag\n\nif flag('ATLAS_A'):\n    pass\n")
    return tmp_path


def levers(session):
    return [(finding.path, finding.rule, finding.lever) for finding in session.report().findings]


def test_what_is_typed_in_one_file_shows_in_another(project):
    session = Session(config.load(str(project)), jobs=1)
    assert ("engine.py", "raw-read", "ATLAS_A") in levers(session)
    session.edit("wrappers.py", b"def flag(name):\n    return False\n")
    assert levers(session) == []
    session.close("wrappers.py")
    assert ("engine.py", "raw-read", "ATLAS_A") in levers(session)


def test_files_that_come_and_go_are_seen_when_it_looks_around(project):
    session = Session(config.load(str(project)), jobs=1)
    (project / "more.py").write_text("import os\n\nos.getenv('ATLAS_B')\n")
    assert ("more.py", "raw-read", "ATLAS_B") not in levers(session)
    session.look_around()
    assert ("more.py", "raw-read", "ATLAS_B") in levers(session)
    (project / "wrappers.py").unlink()
    session.look_around()
    assert levers(session) == [("more.py", "raw-read", "ATLAS_B")]


def test_looking_around_costs_nothing_where_nothing_came_or_went(project):
    session = Session(config.load(str(project)), jobs=1)
    index, report = session.index(), session.report()
    session.look_around()
    assert session.index() is index
    assert session.report() is report


def test_a_file_changed_on_the_disk_is_read_again_when_touched(project):
    session = Session(config.load(str(project)), jobs=1)
    (project / "engine.py").write_text("from wrappers import flag\n\nif flag('ATLAS_C'):\n    pass\n")
    session.touch("engine.py")
    assert ("engine.py", "raw-read", "ATLAS_C") in levers(session)


def test_the_index_follows_what_only_moved(project):
    session = Session(config.load(str(project)), jobs=1)
    before = {use.lever: use.span.start for use in session.index().reads}
    session.edit("engine.py", b"# one more line\n" + session.sources.content("engine.py"))
    assert session.report() == fresh(session, {"engine.py": session.sources.content("engine.py")})
    after = {use.lever: use.span.start for use in session.index().reads}
    assert after == {lever: start + len("# one more line\n") for lever, start in before.items()}


def test_a_second_session_starts_from_the_cache_of_the_first(project, tmp_path):
    cache = str(tmp_path / "cache")
    first = Session(config.load(str(project)), cache_dir=cache, jobs=1)
    first.edit("engine.py", b"nothing of this is for the cache")
    first.remember()
    first.close("engine.py")
    assert (tmp_path / "cache" / "leverlint.cache").exists()
    assert Session(config.load(str(project)), cache_dir=cache, jobs=1).report() == first.report()


def test_a_wrapper_that_becomes_private_is_no_longer_looked_for_elsewhere(tmp_path):
    reader = "fn first(names: &[&str]) -> String {\n    std::env::var(names[0]).unwrap_or_default()\n}\n"
    reader += 'pub const NAME: &str = "ATLAS_A";\n'
    (tmp_path / "Cargo.toml").write_text("[package]\nname = 'demo'\n")
    (tmp_path / "src" / "inner").mkdir(parents=True)
    (tmp_path / "src" / "lib.rs").write_text("mod inner;\nmod other;\n")
    (tmp_path / "src" / "inner" / "mod.rs").write_text(f"pub {reader}")
    (tmp_path / "src" / "other.rs").write_text("fn f() { crate::inner::first(&[crate::inner::NAME]); }\n")
    session = session_of(tmp_path)
    assert ("src/other.rs", "raw-read", "ATLAS_A") in levers(session)
    session.edit("src/inner/mod.rs", reader.encode())
    assert session.report() == fresh(session, {"src/inner/mod.rs": reader.encode()})
    assert ("src/other.rs", "raw-read", "ATLAS_A") not in levers(session)
