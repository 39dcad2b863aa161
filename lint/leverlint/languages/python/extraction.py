"""From the bytes of one Python file to its facts."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    Call,
    Definition,
    Expression,
    FileFacts,
    Function,
    Glob,
    Instance,
    Items,
    Mention,
    Reference,
    Span,
    SyntaxFault,
    Vocabulary,
)
from leverlint.languages.memory import Memory
from leverlint.languages.python import excerpt, relevance, texts
from leverlint.languages.python.bindings import Binding
from leverlint.languages.python.calls import Calls, Recorded
from leverlint.languages.python.comments import suppressing
from leverlint.languages.python.compaction import compacted
from leverlint.languages.python.context import Context
from leverlint.languages.python.grammar_gaps import without_gaps
from leverlint.languages.python.keeping import Keeping
from leverlint.languages.python.places import Place, Places
from leverlint.languages.python.scopes import Scopes
from leverlint.languages.python.seeds import MARKERS, seeds
from leverlint.languages.python.values import Values
from leverlint.languages.python.walks import prefix_test
from leverlint.languages.python.words import words
from leverlint.languages.python.worklist import Worklist
from leverlint.languages.syntax import occurrences, parser

if TYPE_CHECKING:
    from leverlint.languages.python.decodings import Decodings

_TEST_NAME = re.compile(r"(?:^|/)(?:tests?/|conftest\.py$|test_[^/]*\.pyi?$|[^/]*_test\.pyi?$)")
_PLAIN = frozenset({"string", "concatenated_string", "identifier", "attribute", "call"})
_LONGEST = 200
_FAULTS = 5
_EXCERPT = "excerpt"
_ROUNDS = 5
_BASES = 8


def is_test(path: str) -> bool:
    return _TEST_NAME.search(path) is not None


class Reading(NamedTuple):
    """What was found out about a source, before it is put into facts."""

    path: str
    values: Values
    calls: Calls
    worklist: Worklist


def extract(path: str, source: bytes, vocabulary: Vocabulary, memory: Memory | None = None) -> FileFacts:
    """Give the facts of one file."""
    memory = memory or Memory()
    try:
        starts = seeds(source, vocabulary)
        return _from_excerpt(path, source, starts, vocabulary, memory) or _from_whole(
            path, source, starts, vocabulary, memory
        )
    except RecursionError:
        where = SyntaxFault(Span(0, len(source)), "nested too deeply to be understood")
        return FileFacts(path, "python", faults=(where,), test=is_test(path))


def extract_whole(path: str, source: bytes, vocabulary: Vocabulary) -> FileFacts:
    """Give the facts of one file by parsing all of it; `extract` must give the same."""
    return _from_whole(path, source, seeds(source, vocabulary), vocabulary, Memory())


def _from_whole(
    path: str, source: bytes, starts: list[int], vocabulary: Vocabulary, memory: Memory
) -> FileFacts:
    root = memory.tree("python", source).root_node
    if root.has_error and (repaired := without_gaps(source)) != source:
        source, root = repaired, parser("python").parse(repaired).root_node
    return _facts(_read(path, source, root, starts, vocabulary))


def _from_excerpt(
    path: str, source: bytes, starts: list[int], vocabulary: Vocabulary, memory: Memory
) -> FileFacts | None:
    tokens = [*starts, *(at for marker in MARKERS for at in occurrences(source, marker))]
    for name in (*vocabulary.wrappers, *vocabulary.helpers):
        tokens.extend(words(source, name.encode(), 0, len(source)))
    part = excerpt.begin(source, tokens)
    for _ in range(_ROUNDS if part is not None else 0):
        if part is None or not part.worthwhile():
            return None
        text = part.text()
        root = memory.tree("python", text, _EXCERPT).root_node
        if root.has_error:
            return None
        reading = _read(path, text, root, part.within(starts), vocabulary)
        if _widened(part, reading):
            continue
        facts = _facts(reading)
        # Putting things into facts asks for further names.
        if not _widened(part, reading):
            return part.restored(facts)
    return None


def _widened(part: excerpt.Excerpt, reading: Reading) -> bool:
    scopes = reading.values.scopes
    return part.widen(scopes.wanted, scopes.members, reading.worklist.everywhere | scopes.tokens)


def _read(path: str, source: bytes, root: Node, starts: list[int], vocabulary: Vocabulary) -> Reading:
    values = Values(Scopes(source, root, path), vocabulary)
    calls = Calls(values)
    worklist = Worklist(values, calls)
    worklist.run(starts, vocabulary)
    return Reading(path, values, calls, worklist)


def _facts(reading: Reading) -> FileFacts:
    path, values, calls, worklist = reading
    test = is_test(path)
    places = Places(values)
    context, keeping = Context(values, places), Keeping(values, places)
    recorded = [
        _call(each, places.place(each.chain), context, keeping, values, test)
        for each in list(calls.recorded.values())
    ]
    decodings = _decodings(reading) if values.vocabulary.decodings else None
    definitions = _definitions(values)
    functions: Sequence[Function]
    if decodings is not None:
        recorded = [
            decodings.filled(call, record)
            for call, record in zip(recorded, list(calls.recorded.values()), strict=True)
        ]
        decodings.finish()
        definitions = decodings.with_meanings(definitions)
        functions = decodings.with_results(values.registry.facts(test))
    else:
        functions = values.registry.facts(test)
    mentions = _mentions(worklist.mentioned, values)
    spans = [*(call.span for call in recorded), *(mention.span for mention in mentions)]
    facts = FileFacts(
        path=path,
        language="python",
        calls=tuple(sorted(recorded, key=lambda call: (call.span, str(call.callee)))),
        functions=tuple(functions),
        definitions=definitions,
        classes=tuple(sorted(values.registry.classes(values))),
        globs=tuple(Glob((), target) for target in values.registry.stars()),
        mentions=mentions,
        comments=suppressing(values.scopes, spans),
        faults=_faults(values.scopes.root),
        test=test,
    )
    return compacted(facts)


def _decodings(reading: Reading) -> "Decodings":
    # Small projects seldom ask for any, and the import would add to their start.
    from leverlint.languages.python.decodings import Decodings

    decodings = Decodings(reading.values, reading.calls.recorded.values())
    # A constant that is no text becomes a definition only when somebody asks.
    decodings.ask(reading.values.vocabulary.helpers)
    return decodings


def _call(
    record: Recorded, place: Place, context: Context, keeping: Keeping, values: Values, test: bool
) -> Call:
    return Call(
        callee=record.callee,
        arguments=record.arguments,
        span=record.span,
        function=values.registry.around(record.scope),
        test=test,
        kept=None if record.declared else keeping.of(place),
        lossy=context.lossy(place),
        field=context.declared_field(place) if record.declared else context.field(place),
        used=context.used(place),
        decides=context.decides(place),
        leads_to=context.leads_to(place),
        tested=context.tested(place),
        receiver=record.receiver,
        prefix_test=prefix_test(record, values),
    )


def _definitions(values: Values) -> tuple[Definition, ...]:
    asked_for = set(values.definitions)
    imports: list[Definition] = []
    names = values.scopes.names(values.scopes.module)
    values.scopes.wanted.update(names)
    for name, bindings in names.items():
        first = bindings[0]
        if len(bindings) == 1 and first.kind == "import":
            imports.append(Definition((name,), Reference(first.path), texts.span(first.name), True))
        elif all(binding.kind == "import" or _is_plain(binding) for binding in bindings):
            values.definition((name,))
    for function in list(values.registry.functions):
        _definition_of_function(function.path, values)
    for definition in list(values.definitions.values()):
        _definitions_of_objects(definition.value, values)
    if "__getattr__" in names:
        values.definition(("__getattr__",))
    known = {each.path for each in imports}
    kept = [
        each
        for path, each in values.definitions.items()
        if path not in known
        and each.value != Reference((".", *path))
        and (each.value != UNKNOWN or path in asked_for)
    ]
    return tuple(sorted([*imports, *kept], key=lambda each: (each.span, each.path)))


def _definitions_of_objects(value: Expression, values: Values) -> None:
    """Have it told what objects hold that were made with a lever: other files may ask them for it."""
    for option in value.items if isinstance(value, Items) else values.options(value):
        if not isinstance(option, Instance) or not relevance.has_lever(option, values):
            continue
        path = option.path
        for _ in range(_BASES):
            scope = values.registry.class_at(path[1:]) if path[0] == "." else None
            if scope is None:
                break
            for name in values.registry.stored(scope):
                values.definition((*scope.path, name))
            path = next(iter(values.registry.bases(scope, values)), ("",))


def _is_plain(binding: Binding) -> bool:
    """Say whether other files may be after a constant: a name, an alias, an object."""
    node = binding.node
    if binding.kind != "value" or binding.positions or node is None:
        return False
    on_one_line = node.start_point.row == node.end_point.row
    return node.type in _PLAIN and on_one_line and node.end_byte - node.start_byte < _LONGEST


def _definition_of_function(path: tuple[str, ...], values: Values) -> None:
    if len(path) == 1 or values.registry.class_at(path[:-1]) is not None:
        values.definition(path)


def _mentions(nodes: list[Node], values: Values) -> tuple[Mention, ...]:
    found = set()
    pattern = relevance.exact_name(values.vocabulary)
    for node in nodes:
        value = values.of(node, values.scopes.module)
        content = getattr(value, "value", None)
        if isinstance(content, str) and pattern.fullmatch(content):
            found.add(Mention(content, texts.span(node)))
    return tuple(sorted(found, key=lambda mention: mention.span))


def _faults(root: Node) -> tuple[SyntaxFault, ...]:
    if not root.has_error:
        return ()
    found: list[SyntaxFault] = []
    stack = [root]
    while stack and len(found) < _FAULTS:
        node = stack.pop()
        inner = [child for child in node.children if child.has_error or child.is_missing]
        if node.is_missing:
            found.append(SyntaxFault(Span(node.start_byte, node.end_byte), f"expected `{node.type}`"))
        elif node.type == "ERROR" and not any(child.has_error for child in inner):
            found.append(SyntaxFault(Span(node.start_byte, node.end_byte), "cannot be parsed"))
        stack.extend(reversed(inner))
    return tuple(found)
