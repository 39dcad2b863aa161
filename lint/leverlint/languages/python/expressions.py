"""Lowering expressions to decodings: what is made of a value where it stands."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Constant, Decoding, If, Local, Named, Text, Untold
from leverlint.languages.python import conversions, terms, texts
from leverlint.languages.python.applications import Applications
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.flow import reaching
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.reads import Reads
    from leverlint.languages.python.values import Values

Environment = dict[str, Decoding]
"""What the local variables of a function hold at one point of it."""

_DEEPEST = 60
_LONGEST = 200
"""Items of a display that are told apart."""
_MOST_ITEMS = 24
"""Items of a sequence for which an expression is lowered one by one."""


class Expressions:
    def __init__(self, values: "Values", reads: "Reads") -> None:
        self.values = values
        self.source = values.source
        self.reads = reads
        self.substituted: dict[int, Decoding] = {}
        """What certain nodes are, whatever they look like: where a value is followed from."""
        self._numbers = 0
        self._working: set[int] = set()
        self._applications = Applications(self)

    def number(self) -> int:
        """Give a number for a new local."""
        self._numbers += 1
        return self._numbers

    def of(self, node: Node | None, scope: Scope, env: Environment) -> Decoding:
        if node is None:
            return UNTOLD
        known = self.substituted.get(node.id)
        if known is not None:
            return known
        if node.id in self._working or len(self._working) > _DEEPEST:
            return UNTOLD
        self._working.add(node.id)
        try:
            return self._of(node, scope, env)
        finally:
            self._working.discard(node.id)

    def _of(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        lower = _LOWER.get(node.type)
        return lower(self, node, scope, env) if lower is not None else UNTOLD

    def condition(self, node: Node | None, scope: Scope, env: Environment) -> Decoding:
        """Lower an expression to whether it is true."""
        while (
            node is not None and node.type == "parenthesized_expression" and node.id not in self.substituted
        ):
            node = parts(node)[0] if parts(node) else None
        if node is not None and node.id not in self.substituted:
            if node.type == "not_operator":
                return terms.negated(self.condition(node.child_by_field_name("argument"), scope, env))
            if node.type == "boolean_operator":
                left = self.condition(node.child_by_field_name("left"), scope, env)
                right = self.condition(node.child_by_field_name("right"), scope, env)
                return (terms.both if self._is_and(node) else terms.either)(left, right)
        return terms.truth(self.of(node, scope, env))

    # --- Literals and names -----------------------------------------------------------------

    def _constant(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        return {"true": terms.TRUE, "false": terms.FALSE, "none": terms.NONE}[node.type]

    def _number(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        digits = text(node, self.source).replace("_", "")
        try:
            return Constant(int(digits, 0) if node.type == "integer" else float(digits))
        except ValueError:
            return UNTOLD

    def _string(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        value = self.values.of(node, scope)
        return Constant(value.value) if isinstance(value, Text) else UNTOLD

    def _display(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        items = parts(node)
        if len(items) > _LONGEST:
            return UNTOLD
        return terms.of_tuple([self.of(item, scope, env) for item in items])

    def _keys(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        """Lower a mapping as what `in` looks at."""
        keys = [pair.child_by_field_name("key") for pair in parts(node)]
        return terms.of_tuple([self.of(key, scope, env) for key in keys]) if len(keys) < _LONGEST else UNTOLD

    def _inner(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        inner = parts(node)
        return self.of(inner[0], scope, env) if len(inner) == 1 else UNTOLD

    def _identifier(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        return self.name(text(node, self.source), scope, env, node.start_byte)

    def name(self, name: str, scope: Scope, env: Environment, use: int = -1) -> Decoding:
        if name in env:
            return env[name]
        found = self.values.scopes.lookup(name, scope)
        if found is None:
            return self.conversion(name)
        bindings = [binding for binding in found.bindings if binding.kind != "declared"]
        if use >= 0 and len(bindings) > 1 and _function_around(scope) is found.scope:
            bindings = [each for each in reaching(bindings, use) if not _makes(each, use)]
        if len(bindings) != 1:
            return UNTOLD
        return self._bound(bindings[0], found.scope)

    def conversion(self, name: str) -> Decoding:
        """Give a conversion as a value that a wrapper can be handed."""
        if name not in conversions.CALLABLE:
            return UNTOLD
        operation = conversions.BUILTINS[name, 1]
        return Apply("tuple", (Constant("<callable>"), Constant(operation)))

    def _bound(self, binding: Binding, scope: Scope) -> Decoding:
        if binding.kind == "import":
            return Named(binding.path)
        if binding.path == ("**",):
            return UNTOLD
        if binding.kind == "parameter":
            return self.reads.parameter(scope, binding)
        if binding.kind != "value" or binding.scope is None:
            return UNTOLD
        value = self.of(binding.node, binding.scope, {})
        for position in binding.positions:
            value = UNTOLD if isinstance(value, Untold) else Apply("py:item", (value, Constant(position)))
        return value

    def _attribute(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        key = text(node, self.source)
        if key in env:
            return env[key]
        owner, attribute = node.child_by_field_name("object"), node.child_by_field_name("attribute")
        if owner is None or attribute is None:
            return UNTOLD
        return self.reads.attribute(owner, text(attribute, self.source), scope)

    def _walrus(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        name = node.child_by_field_name("name")
        value = self.of(node.child_by_field_name("value"), scope, env)
        if name is not None:
            env[text(name, self.source)] = value
        return value

    # --- Operators --------------------------------------------------------------------------

    def _not(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        return self.condition(node, scope, env)

    def _is_and(self, node: Node) -> bool:
        operator = node.child_by_field_name("operator")
        return operator is not None and operator.type == "and"

    def _boolean(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        left = self.of(node.child_by_field_name("left"), scope, env)
        right = self.of(node.child_by_field_name("right"), scope, env)
        condition = terms.truth(left)
        if terms.decided(left) == "switch":
            return (terms.both if self._is_and(node) else terms.either)(condition, right)
        if terms.cheap(left):
            first, second = (right, left) if self._is_and(node) else (left, right)
            return terms.choice(condition, first, second)
        number = self.number()
        again = Local(number)
        first, second = (right, again) if self._is_and(node) else (again, right)
        return terms.let(number, left, If(terms.truth(again), first, second)) if terms.told(left) else UNTOLD

    def _conditional(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        then, condition, otherwise = parts(node)[:3]
        asked = self.condition(condition, scope, env)
        return terms.choice(asked, self.of(then, scope, env), self.of(otherwise, scope, env))

    def _unary(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        operator = node.child_by_field_name("operator")
        value = self.of(node.child_by_field_name("argument"), scope, env)
        sign = operator.type if operator is not None else ""
        if isinstance(value, Untold) or sign not in ("-", "+"):
            return UNTOLD
        if isinstance(value, Constant) and isinstance(value.value, int | float):
            return Constant(-value.value if sign == "-" else value.value)
        return Apply("py:neg", (value,)) if sign == "-" else value

    def _binary(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        operator = node.child_by_field_name("operator")
        operation = conversions.ARITHMETIC.get(operator.type) if operator is not None else None
        sides = [self.of(node.child_by_field_name(side), scope, env) for side in ("left", "right")]
        if operation is None or any(isinstance(side, Untold) for side in sides):
            return UNTOLD
        if operation == "py:truediv" and isinstance(sides[1], Constant) and isinstance(sides[1].value, str):
            operation = "path_join"
        return Apply(operation, tuple(sides))

    def _comparison(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        operands, operators = _compared(node)
        if not operators:
            return UNTOLD
        found: list[Decoding] = []
        for position, operator in enumerate(operators):
            left, right = operands[position], operands[position + 1]
            asked = self.reads.between(left, right)
            if asked is not None:
                answer: Decoding = Answer(asked)
                found.append(terms.negated(answer) if operator == "not in" else answer)
            else:
                sides = self.of(left, scope, env), self.of(right, scope, env)
                found.append(self._compared(operator, *sides))
        whole = found[-1]
        for each in reversed(found[:-1]):
            whole = terms.both(each, whole)
        return whole

    def _compared(self, operator: str, left: Decoding, right: Decoding) -> Decoding:
        if isinstance(left, Untold) or isinstance(right, Untold):
            return UNTOLD
        if operator in ("not in", "!=", "is not"):
            return terms.negated(
                self._compared({"not in": "in", "!=": "==", "is not": "is"}[operator], left, right)
            )
        if operator in ("==", "is"):
            for one, other in ((left, right), (right, left)):
                if terms.is_constant(one, None):
                    return Apply("py:is_none", (other,))
            if operator == "is" and not isinstance(right, Constant):
                return UNTOLD
            return Apply("equals", (left, right))
        if operator == "in":
            return Apply("in", (left, right))
        operation = conversions.COMPARISONS.get(operator)
        return Apply(operation, (left, right)) if operation is not None else UNTOLD

    def _comprehension(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        """Lower `f(item) for item in sequence if g(item)`, where `f` and `g` are chains of conversions."""
        clauses = [child for child in parts(node) if child.type in ("for_in_clause", "if_clause")]
        target = clauses[0].child_by_field_name("left") if clauses else None
        body = node.child_by_field_name("body")
        if target is None or target.type != "identifier" or body is None:
            return UNTOLD
        sequence = self.of(clauses[0].child_by_field_name("right"), scope, env)
        name = text(target, self.source)
        for clause in clauses[1:]:
            kept = self._chain(parts(clause)[0], name, scope, env) if clause.type == "if_clause" else None
            if kept is None:
                return UNTOLD
            sequence = Apply("py:those", (sequence, *kept))
        made = self._chain(body, name, scope, env)
        if made is None or isinstance(sequence, Untold):
            return UNTOLD
        return Apply("py:each", (sequence, *made)) if made else Apply("py:sequence", (sequence,))

    def _chain(self, node: Node, name: str, scope: Scope, env: Environment) -> list[Decoding] | None:
        """Give the operations, one after the other, that an expression puts a name through.

        One that takes constants besides comes as a tuple with them.
        """
        item = Local(self.number())
        made = self.of(node, scope, {**env, name: item})
        found: list[Decoding] = []
        while isinstance(made, Apply) and made.arguments:
            operation, others = Constant(made.operation), made.arguments[1:]
            if not all(map(terms.is_data, others)):
                return None
            found.append(Apply("tuple", (operation, *others)) if others else operation)
            made = made.arguments[0]
        return found[::-1] if terms.same(made, item) else None

    def each(self, node: Node, scope: Scope, env: Environment) -> list[Decoding] | None:
        """Lower what `f(item) for item in (…)` gives for each item of a sequence that is written out."""
        clauses = [child for child in parts(node) if child.type in ("for_in_clause", "if_clause")]
        target = clauses[0].child_by_field_name("left") if len(clauses) == 1 else None
        body = node.child_by_field_name("body")
        if target is None or target.type != "identifier" or body is None:
            return None
        sequence = self.of(clauses[0].child_by_field_name("right"), scope, env)
        if not isinstance(sequence, Apply) or sequence.operation != "tuple" or not terms.is_data(sequence):
            return None
        if len(sequence.arguments) > _MOST_ITEMS:
            return None
        name = text(target, self.source)
        return [self.of(body, scope, {**env, name: item}) for item in sequence.arguments]

    # --- Calls and items --------------------------------------------------------------------

    def _call(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        return self._applications.call(node, scope, env)

    def _subscript(self, node: Node, scope: Scope, env: Environment) -> Decoding:
        asked = self.reads.at(texts.span(node))
        return Answer(asked) if asked is not None else self._applications.item(node, scope, env)


def _compared(node: Node) -> tuple[list[Node], list[str]]:
    """Take a comparison apart into operands and operators."""
    operands = [child for child in node.named_children if child.type != "comment"]
    operators = [child.type for child in node.children if not child.is_named]
    return operands, [" ".join(operator.split()) for operator in operators]


def _makes(binding: Binding, use: int) -> bool:
    """Say whether a use stands in the value that a binding is just being given."""
    return binding.node is not None and binding.node.start_byte <= use < binding.node.end_byte


def _function_around(scope: Scope) -> Scope:
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    return scope


_LOWER: dict[str, Callable[[Expressions, Node, Scope, Environment], Decoding]] = {
    "true": Expressions._constant,
    "false": Expressions._constant,
    "none": Expressions._constant,
    "integer": Expressions._number,
    "float": Expressions._number,
    "string": Expressions._string,
    "concatenated_string": Expressions._string,
    "tuple": Expressions._display,
    "list": Expressions._display,
    "set": Expressions._display,
    "expression_list": Expressions._display,
    "dictionary": Expressions._keys,
    "parenthesized_expression": Expressions._inner,
    "identifier": Expressions._identifier,
    "attribute": Expressions._attribute,
    "named_expression": Expressions._walrus,
    "not_operator": Expressions._not,
    "boolean_operator": Expressions._boolean,
    "conditional_expression": Expressions._conditional,
    "unary_operator": Expressions._unary,
    "binary_operator": Expressions._binary,
    "comparison_operator": Expressions._comparison,
    "call": Expressions._call,
    "subscript": Expressions._subscript,
    "list_comprehension": Expressions._comprehension,
    "set_comprehension": Expressions._comprehension,
    "generator_expression": Expressions._comprehension,
}
