import pytest


@pytest.fixture
def root(tmp_path, monkeypatch):
    """An empty repository, entered, with no wish as to colour."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for variable in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path
