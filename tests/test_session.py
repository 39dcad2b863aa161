"""A session must always say what a fresh run over the same content says."""

import random
import shutil
from pathlib import Path

import pytest

from leverlint import config, engine
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
    assert (tmp_path / "cache" / "leverlint.cache").exists()
    assert Session(config.load(str(project)), cache_dir=cache, jobs=1).report() == first.report()
