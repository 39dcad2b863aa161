import pytest

from leverlint import config, engine
from leverlint.discovery import discover
from leverlint.scouting.hot import candidates

PYTHON = """\
import os


class Model:
    def {name}(self):
        return os.getenv("ZED_A")
"""

RUST = """\
pub struct Head;

impl Head {{
    pub fn {name}(&self) -> bool {{
        let told = || std::env::var_os("ZED_A").is_some();
        told()
    }}
}}
"""


@pytest.fixture
def heated(tmp_path):
    def look(path, text):
        (tmp_path / path).write_text(text)
        settings = config.load(str(tmp_path), isolated=True)
        found = discover(settings.root, (), settings)
        index, _ = engine.survey(settings, found, ["ZED_"])
        return [(each.entry, each.levers) for each in candidates(index.reads, index.facts)]

    return look


@pytest.mark.parametrize(
    "name", ["forward", "decode_step", "_step", "run_batch", "prefill_chunk", "__call__"]
)
def test_hot_names(heated, name):
    assert heated("model.py", PYTHON.format(name=name)) == [(f"Model.{name}", ("ZED_A",))]


@pytest.mark.parametrize(
    "name", ["__init__", "load", "init_forward", "make_step", "use_decode", "resolve_step"]
)
def test_names_of_what_runs_once(heated, name):
    assert heated("model.py", PYTHON.format(name=name)) == []
    assert heated("decode.py", PYTHON.format(name=name)) == []


def test_rust_and_closures(heated):
    assert heated("a.rs", RUST.format(name="forward_block")) == [("Head::forward_block", ("ZED_A",))]


def test_a_file_with_a_hot_name(heated):
    assert heated("decode_step.py", PYTHON.format(name="tell")) == [("decode_step.py", ("ZED_A",))]


def test_what_is_kept_is_read_once(heated):
    assert heated("a.py", "import os\n\n\ndef step(debug=os.getenv('ZED_A')):\n    return debug\n") == []
    assert heated("test_a.py", PYTHON.format(name="forward")) == []
