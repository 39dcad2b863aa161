#!/usr/bin/env python3
"""Packages the extension with leverlint in it, for one platform: package_bundled.py TARGET [PYTHON…].

leverlint is built from the repository around this folder; what it needs is installed as wheels of the
target platform, once for each version of Python, because tree-sitter's wheels are made for one.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent
REPOSITORY = EXTENSION.parent.parent
LIBRARIES = EXTENSION / "bundled" / "libs"

PLATFORMS = {
    "linux-x64": ["manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "linux-arm64": ["manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"],
    "alpine-x64": ["musllinux_1_2_x86_64"],
    "alpine-arm64": ["musllinux_1_2_aarch64"],
    "darwin-x64": ["macosx_11_0_x86_64", "macosx_10_13_x86_64", "macosx_10_9_x86_64"],
    "darwin-arm64": ["macosx_11_0_arm64"],
    "win32-x64": ["win_amd64"],
    "win32-arm64": ["win_arm64"],
}
"""The targets of vsce, and the tags of wheels that run there."""

PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Package the extension with leverlint in it.")
    parser.add_argument("target", choices=PLATFORMS)
    parser.add_argument("pythons", nargs="*", default=PYTHONS, metavar="PYTHON", help="such as 3.12")
    arguments = parser.parse_args()
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    try:
        with tempfile.TemporaryDirectory() as temporary:
            wheel = build(Path(temporary))
            for python in arguments.pythons:
                install(wheel, python, arguments.target)
            package(arguments.target, Path(temporary) / "vscodeignore")
    finally:
        shutil.rmtree(LIBRARIES, ignore_errors=True)


def build(directory: Path) -> Path:
    pip("wheel", "--quiet", "--no-deps", "--wheel-dir", str(directory), str(REPOSITORY))
    return next(directory.glob("leverlint-*.whl"))


def install(wheel: Path, python: str, target: str) -> None:
    libraries = LIBRARIES / f"cp{python.replace('.', '')}"
    options = [f"--platform={platform}" for platform in PLATFORMS[target]]
    options += [f"--python-version={python}", "--only-binary=:all:", "--no-compile", f"--target={libraries}"]
    pip("install", "--quiet", *options, f"{wheel}[lsp]")


def package(target: str, ignore_file: Path) -> None:
    ignored = (EXTENSION / ".vscodeignore").read_text()
    ignore_file.write_text(f"{ignored}!bundled/server.py\n!bundled/libs/**\nbundled/libs/*/bin\n")
    vsce = EXTENSION / "node_modules/.bin/vsce"
    options = ["--no-dependencies", "--target", target, "--ignoreFile", str(ignore_file)]
    run(str(vsce), "package", *options, "--out", f"leverlint-{target}.vsix")


def pip(*arguments: str) -> None:
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments)


def run(*command: str) -> None:
    subprocess.run(command, check=True, cwd=EXTENSION)


if __name__ == "__main__":
    main()
