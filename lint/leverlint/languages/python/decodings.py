"""What is made of the answers that the recorded calls of one file give."""

from collections.abc import Iterable

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Call, Decoding, Definition, Function, Path, Untold
from leverlint.languages.python import declared, emptiness, focus, terms
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.calls import Recorded
from leverlint.languages.python.exactness import Exactness
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.landings import Landing, Spans, follow
from leverlint.languages.python.reads import Reads
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.statements import Run
from leverlint.languages.python.values import Values
from leverlint.languages.python.words import words

_LONGEST = 8000
_VALUE_METHODS = ("__get__", "__call__", "get", "value")
"""Methods and properties of an object that stands for a variable which give what it is set to."""
"""Bytes of a function that is run."""


class Decodings:
    def __init__(self, values: Values, recorded: Iterable[Recorded]) -> None:
        self._values = values
        self._source = values.source
        self._reads = Reads(values, recorded, self.result)
        self._expressions = Expressions(values, self._reads)
        self._reads.expressions = self._expressions
        self._exactness = Exactness(self._expressions, self._reads)
        self._results: dict[int, Decoding] = {}
        self._done: set[int] = set()
        self._constants: set[Path] = set()

    # --- Calls ------------------------------------------------------------------------------

    def filled(self, call: Call, record: Recorded) -> Call:
        """Give a call with all that is told about its value."""
        asks = self._reads.asks(record) and not call.test
        exact = self._exactness.around(record) if asks else ()
        return call._replace(
            decoding=self.of(record),
            values=self.values(record),
            exact=exact,
            stored=self._exactness.stored(record, exact) if exact and call.field is not None else None,
        )

    def of(self, record: Recorded) -> Decoding:
        """Give what the code around a call makes of its answer."""
        if not self._reads.asks(record):
            return UNTOLD
        if record.declared:
            return declared.decoding(record, self._expressions)
        found = terms.without_joins(self._followed(record), {record.span})
        found = self._reads.without_others(found, record.span)
        spans = self._reads.alike(record.span)
        if not terms.asks(found, spans):
            return UNTOLD
        if emptiness.tests_emptiness(found, spans):
            around = _function_around(record.scope)
            if emptiness.is_used_as_text(record, around.node if around is not None else None, self._source):
                return Answer(record.span)
        return UNTOLD if _only_tests(found) and self._has_a_substitute(record) else found

    def _has_a_substitute(self, record: Recorded) -> bool:
        """Say whether another read takes the place of an empty answer: `get(A) or get(B)`."""
        above = record.chain[-2] if len(record.chain) > 1 else None
        if above is None or above.type != "boolean_operator":
            return False
        within = range(above.start_byte, above.end_byte)
        others = (other.span.start for other in self._reads.records if other.span != record.span)
        return (
            any(start in within for start in others)
            and b" or " in self._source[above.start_byte : above.end_byte]
        )

    def _followed(self, record: Recorded) -> Decoding:
        node = _node(record)
        if node is None:
            return UNTOLD
        value = self._reads.answer(record.span)
        if node.type == "comparison_operator":
            value = self._expressions.of(node, record.scope, {})
        scope = record.scope
        spans = self._reads.alike(record.span)
        landing = follow(node, value, spans, self._expressions, scope, {})
        landing = landing._replace(value=focus.on_answer(landing.value, spans))
        attempt = _attempt_around(node)
        if attempt is not None:
            return self._run(landing, attempt, spans, scope, True)
        if landing.kind in ("local", "condition", "matched") and landing.node is not None:
            return self._run(landing, landing.node, spans, scope, False)
        return _best([landing])

    def _run(self, landing: Landing, start: Node, spans: Spans, scope: Scope, whole: bool) -> Decoding:
        """Run what follows, and choose the most telling of what it returns and where the value lands."""
        function = _function_around(scope)
        if not whole and function is None:
            return _best([landing])
        if terms.decided(landing.value) == "switch" and landing.kind == "local" and not whole:
            return _best([landing])
        statements, complete = _following(start)
        run = Run(self._expressions, scope, spans)
        run.end = terms.NONE if complete and function is not None else UNTOLD
        result = focus.on_answer(run.result(statements, {}), spans)
        found = [each._replace(value=focus.on_answer(each.value, spans)) for each in run.landings]
        chosen = _best(found or [landing] if whole else [landing, *found])
        if not terms.speaks(result, spans) or not terms.told(result):
            return chosen
        says = terms.decided(result) == "switch" or any(
            terms.asks(leaf, spans) for leaf in terms.leaves(result)
        )
        if landing.kind == "condition" and not says:
            return chosen
        # Better what holds whatever callers hand in and other functions say.
        unsure = focus.uncertain(result, spans)
        return chosen if unsure and not focus.uncertain(chosen, spans) else result

    # --- Functions --------------------------------------------------------------------------

    def result(self, index: int) -> Decoding:
        """Give what a function returns."""
        if index not in self._results:
            self._results[index] = UNTOLD
            found = self._result(self._values.registry.functions[index])
            self._results[index] = focus.on_any(found)
        return self._results[index]

    def _result(self, function: Scope) -> Decoding:
        body = function.node.child_by_field_name("body")
        if body is None or body.end_byte - body.start_byte > _LONGEST:
            return UNTOLD
        if function.node.type == "lambda":
            return self._expressions.of(body, function, {})
        if function.path[-1] in ("__init__", "__set_name__", "__new__") and function.parent is not None:
            return self._result_of_class(function.parent)
        if b"yield" in self._source[body.start_byte : body.end_byte]:
            return UNTOLD
        return Run(self._expressions, function).result(parts(body), {})

    def _result_of_class(self, owner: Scope) -> Decoding:
        """Give what an object gives that reads a name which it was made with: what the method returns
        that is there for its value, or else the first that reads it. One that only tells whether the
        variable is set is neither."""
        names = self._values.scopes.names(owner)
        for name in _VALUE_METHODS:
            for binding in names.get(name, ()):
                if binding.kind == "function" and binding.node is not None:
                    method = self._values.scopes.scope_of(binding.node, owner)
                    found = self.result(self._values.registry.index(method))
                    if terms.asks(found) or isinstance(found, Untold):
                        return found
        for record in self._reads.records:
            if self._reads.asks_presence(record):
                continue
            function = _function_around(record.scope)
            if function is None or function.parent is None or function.parent.path != owner.path:
                continue
            if function.path[-1] not in ("__init__", "__set_name__", "__new__"):
                found = self.result(self._values.registry.index(function))
                if terms.asks(found):
                    return found
        return UNTOLD

    def ask(self, names: Iterable[str]) -> None:
        """Have the results of functions and the meanings of constants told that another file is after."""
        for name in names:
            for offset in words(self._source, name.encode(), 0, len(self._source)):
                path = self._reads.ask(offset)
                if path is not None and self._values.definition(path) is not None:
                    self._constants.add(path)

    def finish(self) -> None:
        """Work out the results of all functions that a decoding or another file asks for."""
        for index in list(self._values.registry.wrappers):
            # What a descriptor gives depends on what it was made with.
            function = self._values.registry.functions[index]
            if function.path[-1] == "__set_name__" and function.parent is not None:
                self._reads.construct(function.parent)
        while missing := (self._values.registry.wrappers | self._reads.needed) - self._done:
            for index in sorted(missing):
                self.result(index)
                self._done.add(index)

    def with_results(self, functions: list[Function]) -> tuple[Function, ...]:
        return tuple(
            function._replace(
                result=self._results[index],
                defaults=self._defaults(index),
                exact=self._exactness.of_function(self._values.registry.functions[index]),
            )
            if index in self._done
            else function
            for index, function in enumerate(functions)
        )

    def with_meanings(self, definitions: tuple[Definition, ...]) -> tuple[Definition, ...]:
        return tuple(
            each._replace(meaning=self._reads.constant(each.path)) if each.path in self._constants else each
            for each in definitions
        )

    def _defaults(self, index: int) -> tuple[Decoding | None, ...]:
        return tuple(self._default(binding) for binding in self._values.registry.parameters(index))

    def _default(self, binding: Binding) -> Decoding | None:
        default = binding.node.child_by_field_name("value") if binding.node is not None else None
        if default is None or binding.scope is None:
            return None
        return self._expressions.of(default, binding.scope, {})

    def values(self, record: Recorded) -> tuple[Decoding, ...]:
        """Give the arguments of a call as data."""
        return self._reads.values(record) if self._reads.asks(record) else ()


def _node(record: Recorded) -> Node | None:
    for node in reversed(record.chain):
        if node.start_byte == record.span.start and node.end_byte == record.span.end:
            return node
    return record.chain[-1] if record.chain[-1].type == "comparison_operator" else None


def _function_around(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind != "function":
        scope = scope.parent if scope.kind == "comprehension" else None
    return scope


def _attempt_around(node: Node) -> Node | None:
    """Give the outermost `try` of the same function whose body a node stands in."""
    found = None
    at, below = node.parent, node
    while at is not None and at.type not in ("function_definition", "lambda", "class_definition"):
        if at.type in ("for_statement", "while_statement"):
            found = None
        if at.type == "try_statement" and at.child_by_field_name("body") == below:
            found = at
        below = at
        at = at.parent
    return found


def _following(start: Node) -> tuple[list[Node], bool]:
    """Give a statement and those that run after it, and whether they reach the end of the function."""
    statement = start
    while statement.parent is not None and statement.parent.type not in ("block", "module"):
        statement = statement.parent
    found: list[Node] = []
    first = True
    while statement.parent is not None and statement.parent.type == "block":
        siblings = parts(statement.parent)
        position = siblings.index(statement)
        found.extend(siblings[position if first else position + 1 :])
        first = False
        above = statement.parent.parent
        if above is None or above.type in ("function_definition", "class_definition"):
            return found, above is not None
        if above.type in ("for_statement", "while_statement"):
            return found, False
        while above.parent is not None and above.parent.type not in ("block", "module"):
            above = above.parent
            if above.type == "function_definition":
                return found, True
        statement = above
    return found or [statement], False


def _best(landings: list[Landing]) -> Decoding:
    """Choose the landing that says most about the value."""
    if any(landing.kind == "restored" for landing in landings):
        return UNTOLD
    settled = [landing for landing in reversed(landings) if landing.kind not in ("condition", "operand")]
    asked = [landing.value for landing in landings if landing.kind in ("condition", "operand")]
    told = [landing.value for landing in settled if terms.told(landing.value)]
    for kind in ("number", "switch"):
        if found := [value for value in told if terms.decided(value) == kind]:
            return found[0]
    partly = [landing.value for landing in settled if not isinstance(landing.value, Untold)]
    if found := [value for value in partly if terms.decided(value) == "number" and _varies(value)]:
        return found[0]
    goes_on = any(each.kind in ("handed", "stored", "returned") and _varies(each.value) for each in settled)
    if (value := _question(asked, told, goes_on)) is not None:
        return value
    for landing in settled:
        lost = landing.kind == "lost" and isinstance(landing.value, Answer)
        if landing.kind != "shown" and not lost and terms.told(landing.value):
            return landing.value
    kept = [landing.value for landing in settled if landing.kind in ("stored", "returned", "local", "handed")]
    return next((value for value in kept if not isinstance(value, Untold)), UNTOLD)


def _question(asked: list[Decoding], told: list[Decoding], goes_on: bool) -> Decoding | None:
    """Choose among the conditions that a value is put in.

    What is compared with several words, or is used beyond the comparison, is text.
    """
    words: list[Decoding] = []
    for value in asked:
        leaf = next(terms.leaves(value))
        plain = leaf.arguments[0] if isinstance(leaf, Apply) and leaf.operation == "not" else leaf
        if isinstance(plain, Apply) and plain.operation in ("equals", "in"):
            words.extend([] if any(terms.same(plain, each) for each in words) else [plain])
    texts = [value for value in told if not terms.decided(value)]
    if texts and (len(words) > 1 or (words and goes_on)):
        return texts[-1]
    certain = [value for value in asked if terms.told(value)]
    telling = [
        value
        for value in certain
        if any(terms.same(each, word) for word in words for each in terms.inside(value))
    ]
    return next(iter(telling or certain), None)


def _varies(value: Decoding) -> bool:
    """Say whether what comes out is made of the answer, rather than chosen by it."""
    return any(terms.asks(leaf) for leaf in terms.leaves(value))


def _only_tests(decoding: Decoding) -> bool:
    """Say whether only the presence or the truth of an answer is asked."""
    while isinstance(decoding, Apply) and decoding.operation == "not":
        decoding = decoding.arguments[0]
    return (
        isinstance(decoding, Apply)
        and decoding.operation in ("py:truth", "py:is_none")
        and isinstance(decoding.arguments[0], Answer)
    )
