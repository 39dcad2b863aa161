"""What needs a package that a plain installation lacks says so."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("package", "arguments", "message"),
    [
        ("pygls", ["server"], "the language server needs pygls, which is not installed"),
        ("lsprotocol", ["server"], "the language server needs pygls, which is not installed"),
        ("watchfiles", ["check", "--watch"], "`--watch` needs watchfiles, which is not installed"),
    ],
)
def test_a_missing_package_is_named_with_how_to_get_it(package, arguments, message, root):
    program = f"import sys; sys.modules[{package!r}] = None; from leverlint.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=root, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    first, hint = done.stderr.splitlines()
    assert first == f"leverlint: error: {message}"
    assert "pip install 'leverlint[" in hint
