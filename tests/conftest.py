import pytest


def pytest_addoption(parser):
    parser.addoption("--bless", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def bless(request):
    return request.config.getoption("--bless")
