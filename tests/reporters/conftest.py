import pytest

from leverlint import fixes


@pytest.fixture
def edits(monkeypatch):
    """Edits by the title of the fix that they belong to: reporters are given them, whoever makes them."""
    by_title = {}
    monkeypatch.setattr(fixes, "edits", lambda finding, sources: by_title.get(finding.fix.title, ()))
    return by_title
