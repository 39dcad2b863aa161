"""What the source of a group says about its fields, which the running class no longer knows."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from textwrap import dedent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from atlas_levers.group import Levers


@dataclass(frozen=True, slots=True)
class FieldDocumentation:
    text: str = ""
    """The string under the declaration, as one line."""
    subsystem: str = ""
    """The heading that it stands below: a comment of the form `# --- MoE ---`."""


def documentation(group: type[Levers]) -> dict[str, FieldDocumentation]:
    """The documentation of each field that has some; nothing where there is no source to read."""
    documented: dict[str, FieldDocumentation] = {}
    for base in reversed(group.__mro__[:-1]):
        documented.update(_of_class_body(base))
    return documented


def _of_class_body(group: type) -> Iterator[tuple[str, FieldDocumentation]]:
    try:
        lines = dedent(inspect.getsource(group)).splitlines()
        (definition,) = ast.parse("\n".join(lines)).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    assert isinstance(definition, ast.ClassDef)
    for statement, following in zip(definition.body, [*definition.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            subsystem = _heading_above(lines, statement.lineno)
            yield statement.target.id, FieldDocumentation(_text(following), subsystem)


def _text(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(text.split())
        case _:
            return ""


def _heading_above(lines: list[str], line_number: int) -> str:
    for line in reversed(lines[: line_number - 1]):
        comment = line.strip()
        if comment.startswith("# --- "):
            return comment.strip("#- ")
    return ""
