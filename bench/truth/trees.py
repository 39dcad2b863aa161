"""The trees of trees.toml, and leverlint's findings in them."""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from typing import Any, NamedTuple


class Tree(NamedTuple):
    name: str
    prefixes: list[str]
    resolvers: list[str]
    hot: list[str]
    wheel: str
    git: str
    revision: str
    tuned: bool


def listed(names: list[str]) -> list[Tree]:
    """The trees with these names, or all that nobody tuned leverlint on."""
    path = os.path.join(os.path.dirname(__file__), "trees.toml")
    with open(path, "rb") as file:
        entries = tomllib.load(file)["trees"]
    if unknown := sorted(set(names) - set(entries)):
        raise SystemExit(f"{path} lists no {', '.join(unknown)}")
    trees = [
        Tree(
            name,
            entry["prefixes"],
            entry.get("resolvers", []),
            entry.get("hot", []),
            entry.get("wheel", ""),
            entry.get("git", ""),
            entry.get("revision", ""),
            entry.get("tuned", False),
        )
        for name, entry in entries.items()
    ]
    return [tree for tree in trees if (tree.name in names if names else not tree.tuned)]


def obtain(tree: Tree, folder: str) -> None:
    """Put the tree in `folder/NAME`, unless something is there already."""
    target = os.path.join(folder, tree.name)
    if os.path.exists(target):
        return
    if tree.git:
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", tree.git, target], check=True)
        subprocess.run(["git", "-C", target, "checkout", "--quiet", tree.revision], check=True)
        return
    with tempfile.TemporaryDirectory() as downloads:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*command, "--dest", downloads, tree.wheel], check=True)
        (wheel,) = os.listdir(downloads)
        with zipfile.ZipFile(os.path.join(downloads, wheel)) as archive:
            archive.extractall(target)


def findings(tree: Tree, folder: str, *, tests: str) -> list[dict[str, Any]]:
    """All rules' findings as the JSON report tells them; `tests` as in the configuration."""
    root = os.path.join(folder, tree.name)
    if not os.path.isdir(root):
        raise SystemExit(f"{root} is not there: run `measure.py obtain {folder} {tree.name}`")
    options = {"prefixes": tree.prefixes, "resolvers": tree.resolvers, "hot": tree.hot, "tests": tests}
    settings = [f"{key} = {json.dumps(value)}\n" for key, value in options.items()]
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write('select = ["ALL"]\n' + "".join(settings))
        config.flush()
        command = ["leverlint", "check", "--no-cache", "--config", config.name, "--output-format", "json"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"leverlint could not check {root}:\n{done.stderr}")
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return found
