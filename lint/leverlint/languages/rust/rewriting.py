"""Putting expressions in the place of others in a Rust file, with the `use` that they need.

What is not replaced stays byte for byte.
"""

import re
from collections.abc import Sequence

from tree_sitter import Node

from leverlint.facts import Span
from leverlint.languages import Substitution
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.imports import used_names
from leverlint.languages.rust.source import parse
from leverlint.languages.syntax import nodes_around

_ENVIRONMENT = frozenset({b"std::env", b"std::env::var", b"std::env::var_os"})
_DEEPEST = 600
_LEADING = frozenset({"inner_attribute_item", "line_comment", "block_comment"})

_BINDING = frozenset({"field_expression", "try_expression", "await_expression", "index_expression"})
"""What binds tighter than a negation."""
_FIRST = (b"self", b"super", b"crate")
"""Where paths begin that rustfmt puts before all others."""

_Change = tuple[Span, bytes]


def rewritten(path: str, source: bytes, substitutions: Sequence[Substitution]) -> bytes | None:
    """Give a file with expressions replaced; `None` when that would lose something."""
    root = parse(source).root_node
    if root.has_error:
        return None
    file = _File(root, source)
    changes: list[_Change] = []
    added: dict[str, None] = {}
    for one in substitutions:
        expression, used = file.expression(one)
        changes.append(
            (one.span, (file.negated(expression, one.span) if one.negated else expression).encode())
        )
        added.update(dict.fromkeys(used))
    changes += [file.with_uses(item) for item in sorted(added)]
    changes += file.unused(substitutions)
    new = _changed(source, changes)
    return None if parse(new).root_node.has_error else new


def _changed(source: bytes, changes: Sequence[_Change]) -> bytes:
    parts, at = [], 0
    for (start, end), text in sorted(changes):
        parts += [source[at:start], text]
        at = end
    return b"".join([*parts, source[at:]])


def _order(path: bytes) -> tuple[int, bytes]:
    head = path.partition(b"::")[0]
    return _FIRST.index(head) if head in _FIRST else len(_FIRST), path


class _File:
    def __init__(self, root: Node, source: bytes) -> None:
        self._root = root
        self._source = source
        self._uses = [item for item in root.named_children if item.type == "use_declaration"]
        self._newline = b"\r\n" if re.search(rb"\r?\n", source + b"\n")[0] == b"\r\n" else b"\n"  # type: ignore[index]

    # --- Names ---------------------------------------------------------------------------------------

    def expression(self, one: Substitution) -> tuple[str, list[str]]:
        """Give what to write, and the items that a `use` is needed for."""
        rest = one.expression.removeprefix(one.name)
        wanted = (*one.module.split("::"), one.name)
        inside = self._is_in_inline_module(one.span.start)
        for name, path in self._used():
            if path == wanted and not inside and self._only_used(name):
                return name + rest, []
        full = "::".join(wanted)
        if inside or re.search(rb"\b%s\b" % re.escape(one.name.encode()), self._source):
            return full + rest, []
        return one.name + rest, [full]

    def negated(self, expression: str, span: Span) -> str:
        above = nodes_around(self._root, span.start, _DEEPEST)
        around = next(
            node for node in reversed(above) if node.start_byte < span.start or node.end_byte > span.end
        )
        return f"(!{expression})" if around.type in _BINDING else f"!{expression}"

    def _used(self) -> list[tuple[str, tuple[str, ...]]]:
        return [found for item in self._uses for found in used_names(item, self._source)]

    def _only_used(self, name: str) -> bool:
        """Say whether nothing in the file declares or brings in something else of that name."""
        word = re.escape(name.encode())
        items = rb"\b(?:as|struct|enum|type|trait|mod|fn|const|static|union)\s+%s\b" % word
        return len(re.findall(rb"%s|\buse\b[^;]*\b%s\b" % (items, word), self._source)) == 1

    def _is_in_inline_module(self, offset: int) -> bool:
        return any(node.type == "mod_item" for node in nodes_around(self._root, offset, _DEEPEST))

    # --- use -------------------------------------------------------------------------------------------

    def with_uses(self, item: str) -> _Change:
        """Give the change that adds a `use` declaration, where those of its crate are in order."""
        line, first = f"use {item};".encode(), item.partition("::")[0].encode()
        alike = [use for use in self._uses if self._argument(use).startswith(first + b"::")]
        for use in self._block((alike or self._uses)[-1]) if self._uses else ():
            if _order(self._argument(use)) > _order(item.encode()) and use.start_point.column == 0:
                return Span(use.start_byte, use.start_byte), line + self._newline
        if beside := alike or self._uses:
            end = self._end_of_line(beside[-1].end_byte)
            return Span(end, end), self._newline + line
        start = self._first_item()
        return Span(start, start), line + self._newline * 2

    def _block(self, last: Node) -> list[Node]:
        """Give the declarations that follow each other line by line, up to one."""
        block = [last]
        while (above := block[0].prev_sibling) is not None and above.type == "use_declaration":
            if self._source[above.end_byte : block[0].start_byte].count(b"\n") != 1:
                break
            block.insert(0, above)
        return block

    def _argument(self, use: Node) -> bytes:
        argument = use.child_by_field_name("argument")
        return self._source[argument.start_byte : argument.end_byte] if argument is not None else b""

    def _end_of_line(self, offset: int) -> int:
        end = self._source.find(b"\n", offset)
        if end < 0:
            return len(self._source)
        return end - 1 if self._source[end - 1 : end] == b"\r" else end

    def _first_item(self) -> int:
        """Give where the first item begins, with its attributes and what is said about it."""
        start = len(self._source)
        for child in reversed(self._root.named_children):
            if child.type in _LEADING and self._is_heading(child, start):
                break
            start = child.start_byte
        return start

    def _is_heading(self, child: Node, start: int) -> bool:
        """Say whether an attribute or comment is about the file rather than about what follows."""
        written = self._source[child.start_byte : child.start_byte + 3]
        apart = self._source[child.end_byte : start].count(b"\n") > (0 if child.type == "line_comment" else 1)
        return child.type == "inner_attribute_item" or written in (b"//!", b"/*!") or apart

    # --- What is no longer needed ---------------------------------------------------------------------

    def unused(self, substitutions: Sequence[Substitution]) -> list[_Change]:
        """Give the changes that remove `use std::env;` when nothing names it any more."""
        gone = b" ".join(self._source[one.span.start : one.span.end] for one in substitutions)
        found = []
        for use in self._uses:
            argument = self._argument(use)
            word = re.compile(rb"\b%s\b" % re.escape(argument.rpartition(b"::")[2]))
            if argument not in _ENVIRONMENT or next(attributes_of(use), None) is not None:
                continue
            replaced = sum(
                len(word.findall(self._source[one.span.start : one.span.end])) for one in substitutions
            )
            stands = len(word.findall(self._source)) - len(word.findall(argument))
            if replaced and stands == replaced and word.search(gone) and (line := self._whole_line(use)):
                found.append((line, b""))
        return found

    def _whole_line(self, use: Node) -> Span | None:
        """Give the line of a declaration that stands there alone, without a visibility."""
        start = self._source.rfind(b"\n", 0, use.start_byte) + 1
        end = self._source.find(b"\n", use.end_byte)
        end = len(self._source) if end < 0 else end + 1
        alone = self._source[start:end].strip()
        return Span(start, end) if re.fullmatch(rb"use\s+[\w:]+;", alone) else None
