import pytest

from leverlint import config, engine, globs
from leverlint.discovery import discover
from leverlint.scouting.resolvers import candidates, pattern
from leverlint.sources import Sources

FIELDS = """\
import os


class Levers:
    def __init__(self):
"""


def fields(*names):
    return FIELDS + "".join(f"        self.{name.lower()} = os.getenv('ZED_{name}')\n" for name in names)


def raw(*names):
    return "import os\n\n\ndef f():\n" + "".join(f"    print(os.getenv('ZED_{name}'))\n" for name in names)


@pytest.fixture
def likely(tmp_path):
    def look(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        settings = config.load(str(tmp_path), isolated=True)
        found = discover(settings.root, (), settings)
        index, _ = engine.survey(settings, found, ["ZED_"])
        listed = candidates(index.reads, found.files, Sources(settings.root))
        return {each.path: ", ".join(each.reasons) for each in listed}

    return look


def test_many_levers_kept_in_fields(likely):
    assert likely({"core.py": fields(*"ABCDEF"), "user.py": raw(*"GH") + "# Levers\n"}) == {
        "core.py": "reads 6 levers of 8, keeps them in fields, 1 other file names `Levers`"
    }


def test_many_raw_reads_are_no_resolver(likely):
    assert likely({"model.py": raw(*"ABCDEF"), "user.py": raw(*"GH")}) == {}


def test_a_telling_name_and_a_few_fields(likely):
    others = raw(*(f"X{number}" for number in range(80)))
    assert likely({"app_config.py": fields(*"ABC"), "user.py": others}) == {
        "app_config.py": "reads 3 levers of 83, keeps them in fields, is called `app_config`"
    }
    assert likely({"app_config.py": "", "core.py": fields(*"ABC"), "user.py": others}) == {}


def test_the_directory_of_a_file_without_a_name_of_its_own(likely):
    found = likely({"settings/__init__.py": fields(*"ABC"), "user.py": raw(*"DEFGHIJKLMNOPQRSTUVWXYZ")})
    assert found["settings/__init__.py"].endswith("is called `settings`")


def test_names_that_leverlint_knows(likely):
    found = likely({"pkg/levers.py": raw("A"), "pkg/envs.py": raw("B"), "user.py": raw(*"CDEFGHIJ")})
    assert list(found) == ["pkg/envs.py", "pkg/levers.py"]


def test_tests_do_not_count(likely):
    assert likely({"tests/config.py": fields(*"ABCDEF")}) == {}


def test_statics_are_no_fields(likely):
    struct = "struct Options { a: bool, b: bool, c: bool }\n"
    reads = ", ".join(f'{name}: std::env::var("ZED_{name.upper()}").is_ok()' for name in "abc")
    lock = "std::sync::LazyLock"
    static = f"static OPTIONS: {lock}<Options> = {lock}::new(|| Options {{ {reads} }});\n"
    function = f"pub fn from_env() -> Options {{ Options {{ {reads} }} }}\n"
    others = raw(*(f"X{number}" for number in range(80)))
    assert likely({"src/options.rs": struct + static, "user.py": others}) == {}
    assert list(likely({"src/options.rs": struct + function})) == ["src/options.rs"]


@pytest.mark.parametrize("path", ["a.py", "pkg/a.py", "pkg/[x]/*.py"])
def test_a_pattern_means_one_file(path):
    assert globs.matches((pattern(path),), path)
    assert not globs.matches((pattern(path),), f"other/{path}")
    assert not globs.matches((pattern(path),), "pkg/x/b.py")
