"""Running the statements of a function on decodings: what it returns, and where values land."""

from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import UNTOLD, Apply, Constant, Decoding, If, Raise, Untold
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.catching import Handlers
from leverlint.languages.python.expressions import Environment, Expressions
from leverlint.languages.python.landings import Landing, Spans, follow
from leverlint.languages.python.patterns import matched
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

_MOST = 150
"""Statements that one function is worth."""
_LARGEST = 400
"""Terms of one value."""

_LEAVING = frozenset({"return_statement", "raise_statement", "break_statement", "continue_statement"})
_RETURNING = frozenset({"return_statement"})
_EXITS = frozenset({b"sys.exit", b"exit", b"quit", b"os._exit", b"os.abort"})
_CLOSED = frozenset({"function_definition", "class_definition", "lambda", "decorated_definition"})
_SKIPPED = _CLOSED | {
    *("pass_statement", "import_statement", "import_from_statement", "global_statement", "comment"),
    *("nonlocal_statement", "delete_statement", "future_import_statement", "type_alias_statement"),
}
_LOOPS = frozenset({"for_statement", "while_statement"})


class Branch(NamedTuple):
    condition: Decoding
    body: list[Node]
    env: Environment


class Run:
    """One run through statements; `watched` is the call whose value's way is noted."""

    def __init__(self, expressions: Expressions, scope: Scope, watched: Spans | None = None) -> None:
        self._expressions = expressions
        self._scope = scope
        self._source = expressions.source
        self._watched = watched
        self._steps = 0
        self._after_loop: list[list[Node]] = []
        self.end: Decoding = terms.NONE
        """What falling off the last statement gives."""
        self.landings: list[Landing] = []
        self._guards: list[Decoding] = []
        """The conditions under which the statement at hand is run."""

    # --- With what follows ------------------------------------------------------------------

    def result(self, statements: list[Node], env: Environment) -> Decoding:
        """Give what is returned when these statements are run to the end."""
        for position, statement in enumerate(statements):
            self._steps += 1
            if self._steps > _MOST:
                return UNTOLD
            rest = statements[position + 1 :]
            kind = statement.type
            if kind in _SKIPPED:
                continue
            if kind == "return_statement":
                return self._returned(statement, env)
            if kind == "raise_statement":
                return Raise()
            if kind in ("break_statement", "continue_statement"):
                return self.result(self._after_loop[-1], env) if self._after_loop else UNTOLD
            if kind == "assert_statement":
                condition = self._condition(parts(statement)[0], env)
                return terms.choice(condition, self.result(rest, env), Raise())
            if kind == "if_statement" and _leaves(statement):
                return self._branched(self._arms(statement, env), rest)
            if kind == "match_statement" and _leaves(statement):
                return self._branched(self._cases(statement, env), rest)
            if kind == "try_statement" and _leaves(statement):
                return self._tried(statement, rest, env)
            if kind == "with_statement":
                return self.result([*_block(statement.child_by_field_name("body")), *rest], env)
            if kind in _LOOPS and self._worth_a_round(statement):
                return self._looped(statement, rest, env)
            if kind in _LOOPS and _leaves(statement, _RETURNING):
                return UNTOLD
            if kind == "expression_statement" and self._ends(statement, env):
                return Raise()
            assigned = self._step(statement, env)
            if assigned is not None and terms.risky(assigned):
                return terms.before(self._expressions.number(), assigned, self.result(rest, env))
        return self.end

    def _returned(self, statement: Node, env: Environment) -> Decoding:
        given = parts(statement)
        if not given:
            return terms.NONE
        value = self._value(given[0], env)
        return value if not isinstance(value, Untold) else self._later(given[0])

    def _later(self, node: Node) -> Decoding:
        """Give what a function that is handed out gives when it is called, without arguments."""
        return self._expressions.reads.later(node, self._scope)

    def _branched(self, branches: list[Branch], rest: list[Node]) -> Decoding:
        results = []
        for branch in branches:
            self._guards.append(branch.condition)
            results.append(self.result([*branch.body, *rest], branch.env))
            self._guards[-1] = terms.negated(branch.condition)
        del self._guards[-len(branches) :]
        found = results[-1]
        for branch, result in zip(reversed(branches[:-1]), reversed(results[:-1]), strict=True):
            found = terms.choice(branch.condition, result, found)
        return found

    def _looped(self, statement: Node, rest: list[Node], env: Environment) -> Decoding:
        """Run a loop for its first item: the others are the same for other names."""
        self._after_loop.append(rest)
        found = self.result([*_block(statement.child_by_field_name("body")), *rest], env)
        self._after_loop.pop()
        return found

    def _tried(self, statement: Node, rest: list[Node], env: Environment) -> Decoding:
        body, handlers = self._attempt(statement)
        handler = handlers.first()
        handled = self.result([*handler, *rest], dict(env)) if handler is not None else Raise()
        if _leaves(statement.child_by_field_name("body")):
            return handlers.attempt(self.result([*body, *rest], dict(env)), handled)
        tried = dict(env)
        assigned = [value for one in body if (value := self._step(one, tried)) is not None]
        after = self.result(rest, tried)
        for value in reversed(assigned):
            fails = handlers.attempt(terms.let_go(self._expressions.number(), value), terms.TRUE)
            after = If(fails, handled, after) if handlers.may_raise(value) else after
        return after

    def _attempt(self, statement: Node) -> tuple[list[Node], Handlers]:
        body = _block(statement.child_by_field_name("body"))
        for clause in parts(statement):
            if clause.type == "else_clause":
                body = [*body, *_block(clause.child_by_field_name("body"))]
        return body, Handlers(
            statement, self._source, self._expressions.number, self._expressions.reads.demands
        )

    # --- Without leaving --------------------------------------------------------------------

    def _step(self, statement: Node, env: Environment) -> Decoding | None:
        """Run one statement that leads to the next; give what it assigned."""
        match statement.type:
            case "expression_statement":
                return self._effect(statement, env)
            case "if_statement":
                self._merge(self._arms(statement, env), env)
            case "match_statement":
                self._merge(self._cases(statement, env), env)
            case "try_statement":
                self._attempted(statement, env)
            case "with_statement":
                self._block(_block(statement.child_by_field_name("body")), env)
            case "for_statement" | "while_statement":
                self._lose(statement, env)
        return None

    def _block(self, statements: list[Node], env: Environment) -> None:
        for statement in statements:
            self._steps += 1
            if self._steps <= _MOST and statement.type not in _SKIPPED:
                self._step(statement, env)

    def _merge(self, branches: list[Branch], env: Environment) -> None:
        for branch in branches:
            self._guards.append(branch.condition)
            self._block(branch.body, branch.env)
            self._guards[-1] = terms.negated(branch.condition)
        del self._guards[-len(branches) :]
        merged = branches[-1].env
        for branch in reversed(branches[:-1]):
            merged = self._chosen(branch.condition, branch.env, merged, env)
        self._take(merged, env)

    def _chosen(
        self, condition: Decoding, then: Environment, otherwise: Environment, env: Environment
    ) -> Environment:
        return {
            name: terms.choice(condition, self._held(name, then), self._held(name, otherwise))
            for name in dict.fromkeys((*then, *otherwise))
        }

    def _held(self, name: str, env: Environment) -> Decoding:
        return env.get(name, UNTOLD)

    def _take(self, merged: Environment, env: Environment) -> None:
        for name, value in merged.items():
            if not terms.same(env.get(name, UNTOLD), value):
                self._hold(name, value, env)
                self._land("stored" if "." in name else "local", value)

    def _attempted(self, statement: Node, env: Environment) -> None:
        body, handlers = self._attempt(statement)
        tried, caught = dict(env), dict(env)
        self._block(body, tried)
        handler = handlers.first()
        if handler is not None:
            self._block(handler, caught)
            for name, value in tried.items():
                if not terms.same(value, self._held(name, env)):
                    tried[name] = handlers.attempt(value, self._held(name, caught))
        self._take(tried, env)

    def _lose(self, statement: Node, env: Environment) -> None:
        """What a loop assigns cannot be told."""
        for node in _nodes(statement):
            if node.type in ("assignment", "augmented_assignment", "for_statement", "named_expression"):
                target = node.child_by_field_name("left") or node.child_by_field_name("name")
                for each in _nodes(target) if target is not None else ():
                    if each.type in ("identifier", "attribute"):
                        env[text(each, self._source)] = UNTOLD
        self._watch(statement, env)

    # --- Single statements ------------------------------------------------------------------

    def _effect(self, statement: Node, env: Environment) -> Decoding | None:
        node = parts(statement)[0] if parts(statement) else statement
        if node.type == "assignment":
            return self._assignment(node, env)
        if node.type == "augmented_assignment":
            self._lose(statement, env)
        elif node.type == "named_expression":
            return self._value(node, env)
        else:
            self._watch(node, env)
        return None

    def _assignment(self, node: Node, env: Environment) -> Decoding | None:
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if target is None or value is None:
            return None
        lowered = self._assignment(value, env) if value.type == "assignment" else self._value(value, env)
        if lowered is None:
            return None
        if target.type in ("identifier", "attribute"):
            self._hold(text(target, self._source), lowered, env)
        elif target.type in ("pattern_list", "tuple_pattern"):
            for position, each in enumerate(parts(target)):
                if each.type == "identifier":
                    item = (
                        UNTOLD
                        if isinstance(lowered, Untold)
                        else Apply("py:item", (lowered, Constant(position)))
                    )
                    self._hold(text(each, self._source), item, env)
        if target.type != "identifier":
            self._land("stored", lowered)
        return lowered

    def _hold(self, name: str, value: Decoding, env: Environment) -> None:
        env[name] = value if terms.size(value, _LARGEST) < _LARGEST else UNTOLD

    def _ends(self, statement: Node, env: Environment) -> bool:
        node = parts(statement)[0] if parts(statement) else statement
        return node.type == "call" and isinstance(self._expressions.of(node, self._scope, env), Raise)

    # --- Expressions ------------------------------------------------------------------------

    def _value(self, node: Node, env: Environment) -> Decoding:
        self._watch(node, env)
        return self._expressions.of(node, self._scope, env)

    def _condition(self, node: Node | None, env: Environment) -> Decoding:
        if node is not None:
            self._watch(node, env)
        return self._expressions.condition(node, self._scope, env)

    def _watch(self, node: Node, env: Environment) -> None:
        """Note where the watched value goes from the variables that hold it."""
        if self._watched is None:
            return
        piece = self._source[node.start_byte : node.end_byte]
        holding = {
            name for name, value in env.items() if name.encode() in piece and terms.asks(value, self._watched)
        }
        if not holding:
            return
        for each in _nodes(node):
            if each.type == "identifier" and text(each, self._source) in holding and _is_used(each):
                value = env[text(each, self._source)]
                landing = follow(each, value, self._watched, self._expressions, self._scope, env)
                if landing.kind != "local":
                    self._land(landing.kind, landing.value)

    def _land(self, kind: str, value: Decoding) -> None:
        if self._watched is None or not terms.asks(value, self._watched):
            return
        for guard in reversed(self._guards):
            if terms.asks(guard, self._watched):
                value = If(guard, value, UNTOLD)
        self.landings.append(Landing(kind, value))

    def _worth_a_round(self, statement: Node) -> bool:
        return self._expressions.reads.within(statement.start_byte, statement.end_byte)

    # --- Branches ---------------------------------------------------------------------------

    def _arms(self, statement: Node, env: Environment) -> list[Branch]:
        """Give the branches of an `if`, the last one without a condition."""
        env = dict(env)
        condition = self._condition(statement.child_by_field_name("condition"), env)
        arms = [Branch(condition, _block(statement.child_by_field_name("consequence")), dict(env))]
        for clause in statement.children_by_field_name("alternative"):
            if clause.type == "elif_clause":
                condition = self._condition(clause.child_by_field_name("condition"), env)
                arms.append(Branch(condition, _block(clause.child_by_field_name("consequence")), dict(env)))
            else:
                return [*arms, Branch(terms.TRUE, _block(clause.child_by_field_name("body")), env)]
        return [*arms, Branch(terms.TRUE, [], env)]

    def _cases(self, statement: Node, env: Environment) -> list[Branch]:
        subjects = statement.children_by_field_name("subject")
        subject = self._value(subjects[0], env) if len(subjects) == 1 else UNTOLD
        arms = []
        body = statement.child_by_field_name("body")
        for clause in parts(body) if body is not None else ():
            patterns = [child for child in parts(clause) if child.type == "case_pattern"]
            inner = dict(env)
            condition = (
                UNTOLD
                if len(patterns) != 1
                else matched(patterns[0], subject, self._expressions, self._scope, inner)
            )
            guard = clause.child_by_field_name("guard")
            if guard is not None:
                condition = terms.both(condition, self._condition(parts(guard)[0], inner))
            arms.append(Branch(condition, _block(clause.child_by_field_name("consequence")), inner))
            if terms.is_constant(condition, True):
                return arms
        return [*arms, Branch(terms.TRUE, [], dict(env))]


def _block(node: Node | None) -> list[Node]:
    return parts(node) if node is not None else []


def _nodes(root: Node) -> list[Node]:
    """Give the nodes below one, without those of definitions inside, in order."""
    found, stack = [], [root]
    while stack:
        node = stack.pop()
        found.append(node)
        if node.type not in _CLOSED or node == root:
            stack.extend(reversed(node.named_children))
    return found


def _leaves(statement: Node | None, kinds: frozenset[str] = _LEAVING) -> bool:
    """Say whether a statement may end more than itself."""
    return statement is not None and any(
        node.type in kinds or (node.type == "call" and _exits(node)) for node in _nodes(statement)
    )


def _exits(call: Node) -> bool:
    function = call.child_by_field_name("function")
    return function is not None and function.text in _EXITS


def _is_used(identifier: Node) -> bool:
    above = identifier.parent
    if above is None:
        return False
    if above.type == "attribute":
        return above.child_by_field_name("object") == identifier
    if above.type == "keyword_argument":
        return above.child_by_field_name("value") == identifier
    return not (
        above.type in ("assignment", "augmented_assignment", "named_expression")
        and (above.child_by_field_name("left") or above.child_by_field_name("name")) == identifier
    )
