"""Who may import whom: the walls between the rooms, as a table."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "facts": set(),
    "facts_text": {"facts"},
    "languages": {"changes", "facts", "languages"},
    "kinship": {"facts", "languages"},
    "resolution": {"facts", "kinship", "languages"},
    "naming": {"facts", "objects", "resolution"},
    "objects": {"facts", "naming", "resolution"},
    "members": {"facts", "naming", "objects", "resolution"},
    "accesses": {"facts", "languages", "members", "naming", "objects", "resolution"},
    "operands": set(),
    "python_operations": {"operands"},
    "rust_forms": {"operands"},
    "rust_operations": {"operands", "rust_forms", "rust_numbers"},
    "operations": {"operands", "python_operations", "rust_operations"},
    "rust_numbers": set(),
    "decoding": {"facts", "operands", "operations"},
    "meaning": {
        "accesses",
        "decoding",
        "facts",
        "languages",
        "naming",
        "objects",
        "operands",
        "python_operations",
        "resolution",
    },
    "comparison": {"decoding", "guards", "index", "operands"},
    "guards": {"decoding", "facts", "index"},
    "results": {"facts", "resolution"},
    "search_terms": {"accesses", "facts", "objects"},
    "consumption": {"accesses", "languages"},
    "hot_paths": {"accesses", "facts", "index", "languages", "objects"},
    "supplies": {"accesses", "languages"},
    "asked_members": {"facts"},
    "index": {
        "accesses",
        "asked_members",
        "decoding",
        "facts",
        "hot_paths",
        "languages",
        "meaning",
        "naming",
        "operands",
        "resolution",
        "results",
        "search_terms",
        "supplies",
    },
    "search": {"languages"},
    "extraction": {"facts", "languages", "search", "sources"},
    "assembly": {"cache", "extraction", "facts", "index", "languages", "search", "workers"},
    "workers": set(),
    "replacements": {
        "config",
        "decoding",
        "diagnostics",
        "facts",
        "index",
        "languages",
        "operands",
        "project",
        "resolving",
    },
    "resolving": {"languages"},
    "fixes": {"diagnostics", "fingerprints", "facts", "languages", "report", "sources"},
    "documentation": {"sources"},
    "catalogue": {"config", "decoding", "documentation", "facts", "index", "project"},
    "listings": {
        "catalogue",
        "comparison",
        "decoding",
        "documentation",
        "operands",
        "reporters",
        "sources",
    },
    "changes": {"facts"},
    "baseline": {"diagnostics", "facts", "report", "sources"},
    "baseline_file": {"baseline", "errors", "writing"},
    "changed_lines": {"errors", "facts", "report", "sources"},
    "config_edits": {"config_files", "errors"},
    "hook_entry": {"errors"},
    "scouting": {"config", "discovery", "engine", "facts", "globs", "index", "report", "sources", "workers"},
    "writing": {"errors"},
    "rule": {"diagnostics", "facts", "project"},
    "diagnostics": {"facts"},
    "errors": set(),
    "globs": set(),
    "output_folders": {"git_index", "small_files"},
    "git_index": set(),
}


def imports(path):
    """Give the rooms of leverlint that a module imports, at whatever depth."""
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "leverlint":
            rooms |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("leverlint."):
            rooms.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {name.split(".")[1] for a in node.names if (name := a.name).startswith("leverlint.")}
    return rooms


def modules(room):
    package = ROOT / "lint" / "leverlint" / room
    return sorted(package.rglob("*.py")) if package.is_dir() else [package.with_suffix(".py")]


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_it_may(room):
    for path in modules(room):
        assert imports(path) - {room} <= ALLOWED[room], path


def test_rules_import_only_the_public_names():
    public = set(ast.literal_eval(_public_names()))
    for path in (ROOT / "rules" / "leverlint_rules").glob("*.py"):
        assert imports(path) <= public, path


def _public_names():
    tree = ast.parse((ROOT / "lint" / "leverlint" / "__init__.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return ast.unparse(node.value)
    raise AssertionError("leverlint has no __all__")


def test_only_reporters_and_front_doors_print():
    for path in sorted((ROOT / "lint" / "leverlint").rglob("*.py")):
        relative = path.relative_to(ROOT / "lint" / "leverlint")
        if relative.parts[0] in ("commands", "cli.py", "__main__.py", "flake8_plugin.py"):
            continue
        calls = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)]
        assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"], path
