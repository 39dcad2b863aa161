"""The VS Code extension and the server agree on settings, commands and versions; nothing of node is run."""

import json
import re
from pathlib import Path

import pytest

from leverlint import __version__
from leverlint.languages import LANGUAGES
from leverlint.lsp import settings

EXTENSION = Path(__file__).parent.parent / "editors" / "vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text())
PROPERTIES = MANIFEST["contributes"]["configuration"]["properties"]

OF_THE_EXTENSION = {"path", "interpreter", "importStrategy", "trace.server"}
"""Settings that the server need not know."""

OTHER_VALUES = {
    "enable": False,
    "configuration": "leverlint.toml",
    "prefixes": ["ATLAS_"],
    "select": ["ALL"],
    "ignore": ["LVR101"],
    "inlayHints.enable": False,
    "rust.diagnostics": "flycheck",
    "baseline": "known.json",
}
"""For each setting of the server a value that is not the default."""


def section(values):
    """Give settings as a client sends them: nested at the dots."""
    nested = {}
    for name, value in values.items():
        *tables, key = name.split(".")
        table = nested
        for each in tables:
            table = table.setdefault(each, {})
        table[key] = value
    return nested


def of_the_server():
    names = {name.removeprefix("leverlint.") for name in PROPERTIES}
    return names - OF_THE_EXTENSION


def test_every_setting_is_the_servers_or_the_extensions():
    assert of_the_server() == set(OTHER_VALUES)


@pytest.mark.parametrize("name", OTHER_VALUES)
def test_the_server_takes_a_setting(name):
    assert settings.read(section({name: OTHER_VALUES[name]})) != settings.Settings()


def test_the_settings_reach_all_that_the_server_has():
    read = settings.read(section(OTHER_VALUES))
    defaults = settings.Settings()
    assert [name for name in read._fields if getattr(read, name) == getattr(defaults, name)] == []


def test_the_defaults_are_the_servers():
    defaults = {name: PROPERTIES[f"leverlint.{name}"]["default"] for name in of_the_server()}
    assert settings.read(section(defaults)) == settings.Settings()


@pytest.mark.parametrize("word", PROPERTIES["leverlint.rust.diagnostics"]["enum"])
def test_the_server_reports_on_rust_only_where_it_is_to(word):
    read = settings.read(section({"rust.diagnostics": word}))
    assert ("rust" in read.elsewhere) == (word != settings.LSP)


def test_the_extension_tells_the_server_these_settings():
    source = (EXTENSION / "src" / "settings.ts").read_text()
    listed = re.search(r"SERVER_SETTINGS = \[(.*?)\]", source, re.DOTALL)
    assert set(re.findall(r'"(\w+)"', listed[1])) == {name.split(".")[0] for name in of_the_server()}


def test_every_setting_has_a_description_and_a_line_in_the_readme():
    readme = (EXTENSION / "README.md").read_text()
    for name, schema in PROPERTIES.items():
        assert schema["markdownDescription"], name
        assert f"`{name}`" in readme, name


def test_restricted_settings_exist():
    assert set(MANIFEST["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]) <= set(PROPERTIES)


def test_every_command_is_registered():
    sources = "".join(file.read_text() for file in sorted((EXTENSION / "src").glob("*.ts")))
    declared = [command["command"] for command in MANIFEST["contributes"]["commands"]]
    assert sorted(declared) == sorted(re.findall(r'registerCommand\("([\w.]+)"', sources))


def test_the_extension_wakes_for_every_language():
    events = MANIFEST["activationEvents"]
    assert {name for name in LANGUAGES if f"onLanguage:{name}" in events} == set(LANGUAGES)


def test_versions_agree():
    lock = json.loads((EXTENSION / "package-lock.json").read_text())
    assert MANIFEST["version"] == lock["version"] == __version__


def test_the_lock_file_names_no_registry():
    resolved = re.findall(r'"resolved": "(.*)"', (EXTENSION / "package-lock.json").read_text())
    assert [url for url in resolved if not url.startswith("https://registry.npmjs.org/")] == []
