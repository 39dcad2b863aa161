import os

import pytest

GIT_SETTINGS = """\
[user]
    name = n
    email = e
[protocol "file"]
    allow = always
"""


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def bless(request):
    return request.config.getoption("--bless")


@pytest.fixture(scope="session", autouse=True)
def git_as_it_comes(tmp_path_factory):
    """The same git for all, whoever runs the tests: with an identity, and without anybody's settings."""
    settings = tmp_path_factory.mktemp("git") / "config"
    settings.write_text(GIT_SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("GIT_")]:
            patch.delenv(name)
        patch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        yield
