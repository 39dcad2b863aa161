"""Attributes of derives that read variables: clap's `env = "NAME"`, envconfig's `from = "NAME"`."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Argument, Call, Expression, Field, Path, Span, Text
from leverlint.languages.rust.api import ATTRIBUTES
from leverlint.languages.rust.expressions import joined
from leverlint.languages.rust.file import File
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.nodes import tokens_of
from leverlint.languages.rust.source import Chain, parse, span_of

_PATH = re.compile(r"\w+(?:\s*::\s*\w+)+")
_CLAP = frozenset({"arg", "clap", "command", "structopt", "argh", "group", "option"})
_NAMED_IN_FULL = {"config": ("confique", "env"), "bpaf": ("bpaf", "env")}
"""Attributes that take `env` only together with a name."""


class Derives:
    def __init__(self, file: File) -> None:
        self._file = file

    def found(self) -> Iterator[Call]:
        """Give a call for every attribute that reads a variable into a field."""
        done = set()
        for match in ATTRIBUTES.finditer(self._file.source.text):
            chain = self._file.source.chain(match.end() - 1)
            for depth, node in enumerate(chain):
                if node.type == "attribute_item" and node.start_byte not in done:
                    done.add(node.start_byte)
                    yield from self._of_attribute(chain[: depth + 1])

    def _of_attribute(self, chain: Chain) -> Iterator[Call]:
        attribute = chain[-1].named_children[0] if chain[-1].named_children else None
        arguments = attribute.child_by_field_name("arguments") if attribute is not None else None
        if attribute is None or arguments is None:
            return
        name = self._file.source.text_of(attribute.named_children[0]).rpartition("::")[2].strip()
        yield from self._of_tokens(name, arguments, chain)

    def _of_tokens(self, attribute: str, tokens: Node, chain: Chain) -> Iterator[Call]:
        children = tokens_of(tokens)
        for position, child in enumerate(children):
            after = children[position + 1] if position + 1 < len(children) else None
            word = self._file.source.text_of(child) if child.type == "identifier" else ""
            if after is not None and after.type == "token_tree" and attribute == "cfg_attr":
                yield from self._of_tokens(word, after, chain)
            first = position == 0 or children[position - 1].type in (",", "(")
            if not first:
                continue
            if word == "env" and attribute in _CLAP:
                yield from self._call(("clap", "env"), children[position:], chain)
            elif word == "env" and attribute in _NAMED_IN_FULL and after is not None:
                yield from self._call(_NAMED_IN_FULL[attribute], children[position:], chain)
            elif word == "from" and attribute == "envconfig":
                yield from self._call(("envconfig", "from"), children[position:], chain)

    def _call(self, callee: Path, tokens: list[Node], chain: Chain) -> Iterator[Call]:
        field = self._field(chain)
        end = next((p for p, token in enumerate(tokens) if token.type in (",", ")") and p), len(tokens))
        tokens = tokens[:end]
        if len(tokens) == 1:
            if field is None or callee != ("clap", "env"):
                return
            # clap names the variable after the field.
            value: Expression = Text(field.name.removeprefix("r#").upper(), span_of(tokens[0]))
        elif tokens[1].type == "token_tree":
            value = self._value(tokens[1].start_byte + 1, tokens[1].end_byte - 1)
        elif len(tokens) == 5 and self._file.source.text_of(tokens[2]) == "concat":
            literals = [token for token in tokens[4].children if token.type in LITERALS]
            value = joined(self._file.names.lower(token) for token in literals)
        else:
            value = (
                self._value(tokens[2].start_byte, tokens[-1].end_byte)
                if len(tokens) > 2
                else Text("", span_of(tokens[0]))
            )
        span = Span(tokens[0].start_byte, tokens[-1].end_byte)
        test = self._file.attributes.is_test(chain)
        yield Call(callee, (Argument("", value),), span, test=test, field=field, used=span)

    def _value(self, start: int, end: int) -> Expression:
        """Lower what stands between two places, parsed at the same offsets."""
        written = self._file.source.text[start:end].decode("utf-8", "replace")
        if _PATH.fullmatch(written):
            return self._file.names.of_path(
                tuple(written.replace(" ", "").split("::")), self._file.source.chain(start)
            )
        opening = b"fn f(){"
        text = opening + b" " * (start - len(opening) - 1) + b"(" + self._file.source.text[start:end] + b")}"
        node = parse(text).root_node.descendant_for_byte_range(start, end)
        if node is not None and node.type == "parenthesized_expression" and node.named_children:
            node = node.named_children[0]
        return self._file.names.lower(node)

    def _field(self, chain: Chain) -> Field | None:
        declared = chain[-1].next_named_sibling
        while declared is not None and declared.type in ("attribute_item", "line_comment", "block_comment"):
            declared = declared.next_named_sibling
        name = declared.child_by_field_name("name") if declared is not None else None
        if declared is None or name is None or declared.type != "field_declaration":
            return None
        struct = next((node for node in reversed(chain) if node.type == "struct_item"), None)
        owner = struct.child_by_field_name("name") if struct is not None else None
        return Field(
            self._file.source.text_of(owner) if owner is not None else "",
            self._file.source.text_of(name),
            "field",
        )
