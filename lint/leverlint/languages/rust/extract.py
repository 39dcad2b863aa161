"""From the bytes of one Rust file to its facts."""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leverlint.facts import (
    Call,
    Class,
    Comment,
    Definition,
    FileFacts,
    Mention,
    Path,
    Span,
    SyntaxFault,
    Vocabulary,
)
from leverlint.languages.memory import Memory
from leverlint.languages.rust import api
from leverlint.languages.rust.calls import Calls
from leverlint.languages.rust.declarations import Declarations
from leverlint.languages.rust.derives import Derives
from leverlint.languages.rust.file import look_at
from leverlint.languages.rust.literals import LITERALS, literal_value
from leverlint.languages.rust.losses import REPLACING
from leverlint.languages.rust.macros import Opened, nothing_opened, open_all
from leverlint.languages.rust.omissions import Omissions, omissions
from leverlint.languages.rust.source import Chain, Source, parse, span_of
from leverlint.languages.rust.worklist import Worklist, inside_macros
from leverlint.languages.syntax import occurrences

_ROUNDS = 5
"""How often macros may be opened: each time shows calls that may need others opened."""
_MOST_FAULTS = 5
_PARTS = "parts"
"""What memory has of a file without the bodies that are left out."""
_SUPPRESSIONS = (b"noqa", b"leverlint:")


def extract(path: str, source: bytes, vocabulary: Vocabulary, memory: Memory | None = None) -> FileFacts:
    """Give the facts of one file; broken syntax yields what could be had, plus faults."""
    seeds = _seeds(source, vocabulary)
    omitted = omissions(source, sorted({*seeds, *_noted(source)}))
    original = _remembered(source, omitted, memory) if memory else Source(source, omitted)
    if original.text != source:
        seeds = _seeds(original.text, vocabulary)
    facts, still_omitted = _read(path, original, seeds, vocabulary)
    if memory and original.omitted and original.text == source:
        memory.keep(_PARTS, source, original.tree)
        if still_omitted:
            memory.mark(source, {body.start for body in omitted} - {body.start for body in still_omitted})
    return facts


def _remembered(text: bytes, omitted: Omissions, memory: Memory) -> Source:
    """Parse what differs from the text before; bodies that had to be read then are read at once."""
    earlier = memory.earlier(_PARTS, text)
    if earlier is None:
        return Source(text, omitted, None, memory)
    marked = memory.marked(text)
    likely = tuple(body for body in omitted if body.start not in marked)
    # Without those bodies a file may have no errors: then they are none that anybody would see.
    if likely != omitted and parse(text, likely, earlier).root_node.has_error:
        likely = omitted
    return Source(text, likely, earlier, memory)


def extract_whole(path: str, source: bytes, vocabulary: Vocabulary) -> FileFacts:
    """Give the facts of one file by parsing all of it; `extract` must give the same."""
    original = Source(source)
    return _read(path, original, _seeds(original.text, vocabulary), vocabulary)[0]


def _read(
    path: str, original: Source, seeds: list[int], vocabulary: Vocabulary
) -> tuple[FileFacts, Omissions]:
    """Give the facts, and what they could be had without."""
    opened = nothing_opened()
    # perf: a reading with these closed would only find out that they have to be open.
    unread = inside_macros(original, seeds)
    begun = (open_all(original, unread, opened) if unread else None) or original
    reading = _run(path, begun, opened, seeds, vocabulary)
    for _ in range(_ROUNDS):
        unread = reading.closed()
        current = open_all(reading.source, unread, opened) if unread else None
        if current is None:
            break
        reading = _run(path, current, opened, seeds, vocabulary)
    facts = reading.facts(original.text)
    while reading.source.missed:
        reading = _run(path, reading.source.complete(), opened, seeds, vocabulary)
        facts = reading.facts(original.text)
    facts = facts._replace(
        mentions=_mentions(original, vocabulary),
        comments=_comments(original),
        faults=_faults(original),
        test=reading.file_is_test() or _is_test_path(path),
        build_script=path.rpartition("/")[2] == "build.rs",
    )
    return facts, reading.source.omitted


def _run(path: str, source: Source, opened: Opened, seeds: list[int], vocabulary: Vocabulary) -> "_Reading":
    reading = _Reading(path, source, opened, vocabulary)
    reading.run(seeds)
    while reading.source.missed:
        reading = _Reading(path, reading.source.complete(), opened, vocabulary)
        reading.run(seeds)
    return reading


def _seeds(text: bytes, vocabulary: Vocabulary) -> list[int]:
    """Give the places to begin at; macros lose their `!` when they are opened, so look before."""
    offsets = {*api.seeds(text), *api.lever_texts(text, vocabulary)}
    if vocabulary.wrappers:
        offsets.update(found.start() for found in api.wrapper_calls(vocabulary).finditer(text))
    return sorted(offsets)


def _noted(text: bytes) -> Iterator[int]:
    """Give the places that are looked at in any case, next to the seeds."""
    for marker in (*_SUPPRESSIONS, *REPLACING, b"include!"):
        yield from occurrences(text, marker)
    for match in api.ATTRIBUTES.finditer(text):
        yield match.end() - 1


class _Reading:
    """One pass over a file whose macros are open as far as is known to be needed."""

    def __init__(self, path: str, source: Source, opened: Opened, vocabulary: Vocabulary) -> None:
        self._path = path
        self._vocabulary = vocabulary
        self.source = source
        self._file = look_at(source, opened, vocabulary)
        self._calls = Calls(self._file, vocabulary)
        self._worklist = Worklist(self._file, self._calls)

    def run(self, offsets: list[int]) -> None:
        self._worklist.run(offsets)
        for call in Derives(self._file).found():
            self._calls.add(call)

    def file_is_test(self) -> bool:
        return self._file.attributes.file_is_test()

    def closed(self) -> set[int]:
        return self._worklist.closed | self._file.names.closed

    def facts(self, original: bytes) -> FileFacts:
        calls = [self._with_test(call) for call in self._calls.found()]
        declarations = Declarations(self._path, self._file)
        named = list(declarations.named(self._constants(), self._vocabulary.members))
        constants: Sequence[Definition] = ()
        if self._vocabulary.decodings:
            from leverlint.languages.rust.decodings import Decodings

            decodings = Decodings(self._file, original, calls, self._calls.reading, self._vocabulary)
            calls = decodings.calls()
            decodings.fill_functions(calls)
            named = [decodings.with_meaning(definition) for definition in named]
            constants = list(decodings.constants())
        definitions = [*declarations.imports(), *named, *constants]
        classes: tuple[Class, ...] = ()
        if calls or self._vocabulary.members:
            classes = tuple(dict.fromkeys(declarations.classes()))
        return FileFacts(
            self._path,
            api.NAME,
            tuple(calls),
            tuple(self._file.functions.facts),
            tuple(dict.fromkeys(definitions)),
            classes,
            tuple(declarations.globs()),
            tuple(declarations.submodules()),
        )

    def _with_test(self, call: Call) -> Call:
        """Mark calls whose text is asked whether it is empty."""
        tested = call.used is not None and b"is_empty" in self.source.text[call.used.start : call.used.end]
        return call._replace(tested=True) if tested else call

    def _constants(self) -> list[Path]:
        """Give the constants that hold the text of a lever."""
        found = []
        for offset in api.lever_texts(self._file.source.text, self._vocabulary):
            chain = self._file.source.chain(offset)
            for depth in range(len(chain) - 1, 0, -1):
                node = chain[depth]
                if node.type in ("const_item", "static_item"):
                    path = self._constant_path(node, chain[: depth + 1])
                    if path is not None:
                        found.append(path)
                        found += [(*path, field) for field in self._fields(chain, depth)]
                        found += self._members(chain, depth)
                if node.type in ("function_item", "closure_expression"):
                    break
        return found

    def _fields(self, chain: Chain, depth: int) -> list[str]:
        """Give the field that a literal at the end of `chain` is in, directly in a constant at `depth`."""
        if len(chain) > depth + 3 and chain[depth + 1].type == "struct_expression":
            field = chain[depth + 3].child_by_field_name("field")
            return [self._file.source.text_of(field)] if field is not None else []
        if len(chain) > depth + 2 and chain[depth + 1].type == "call_expression":
            return self._file.objects.fields(chain[depth + 1])
        return []

    def _members(self, chain: Chain, depth: int) -> list[Path]:
        """Give the field of a struct that a literal is put into."""
        for position in range(len(chain) - 1, depth, -1):
            if chain[position].type == "field_initializer":
                field = chain[position].child_by_field_name("field")
                struct = chain[position - 2].child_by_field_name("name")
                owner = self._file.scopes.type_path(struct, chain[:position]) if struct is not None else None
                return (
                    [(*owner, self._file.source.text_of(field))]
                    if owner is not None and field is not None
                    else []
                )
        return []

    def _constant_path(self, node: Node, chain: tuple[Node, ...]) -> Path | None:
        name = node.child_by_field_name("name")
        if name is None or any(outer.type in ("function_item", "block") for outer in chain[:-1]):
            return None
        spelled = self._file.source.text_of(name)
        if any(outer.type in ("impl_item", "trait_item") for outer in chain):
            owner = self._file.scopes.self_type(chain)
            return (*owner, spelled) if owner is not None else None
        return (".", *self._file.scopes.module_path(chain), spelled)


def _is_test_path(path: str) -> bool:
    return path.startswith("tests/") or "/tests/" in path


def _mentions(source: Source, vocabulary: Vocabulary) -> tuple[Mention, ...]:
    names = [re.escape(prefix) + "[A-Z0-9_]+" for prefix in vocabulary.prefixes]
    names += [re.escape(name) for name in vocabulary.names]
    whole = re.compile("|".join(names)) if names else re.compile("(?!)")
    found = []
    for offset in api.lever_texts(source.text, vocabulary):
        node = next((n for n in reversed(source.chain(offset)) if n.type in LITERALS), None)
        if node is None or node.end_byte - node.start_byte > 200:
            continue
        value = literal_value(node, source.text)
        if whole.fullmatch(value):
            found.append(Mention(value, span_of(node)))
    return tuple(dict.fromkeys(found))


def _comments(source: Source) -> tuple[Comment, ...]:
    found: dict[Comment, None] = {}
    for offset in sorted(at for marker in _SUPPRESSIONS for at in occurrences(source.text, marker)):
        chain = source.chain(offset)
        node = next((n for n in chain if n.type in ("line_comment", "block_comment")), None)
        if node is None:
            continue
        end = node.end_byte
        while source.text[end - 1 : end] in (b"\n", b"\r"):
            end -= 1
        span = Span(node.start_byte, end)
        text = source.text[span.start + 2 : span.end].decode("utf-8", "replace")
        if node.type == "block_comment":
            text = text.removesuffix("*/")
        line_start = source.text.rfind(b"\n", 0, span.start) + 1
        line_end = source.text.find(b"\n", span.end)
        rest = (
            source.text[line_start : span.start] + source.text[span.end : line_end if line_end >= 0 else None]
        )
        found[Comment(span, text, not rest.strip())] = None
    return tuple(found)


def _faults(source: Source) -> tuple[SyntaxFault, ...]:
    """Find the smallest places where parsing went wrong."""
    if not source.root.has_error:
        return ()
    found: list[SyntaxFault] = []
    pending = [source.root]
    while pending and len(found) < _MOST_FAULTS:
        node = pending.pop()
        inner = [child for child in node.children if child.has_error or child.is_missing]
        if node.is_missing:
            found.append(SyntaxFault(span_of(node), f"missing `{node.type}`"))
        elif node.is_error and not inner:
            found.append(SyntaxFault(span_of(node), "unexpected token"))
        pending.extend(reversed(inner))
    return tuple(found)
