"""Which expressions say everything about a value that was read: what can be proved, not what is likely.

Lowering leaves out what only says whether a value is consulted at all. Here every token counts:
an expression is exact when it holds nothing but one read, what is written in the code, and
operations whose meaning is told to the last; a function is when it does nothing else.
"""

import re

from tree_sitter import Node

from leverlint.facts import Exact, FunctionValue, Helper, Span
from leverlint.languages.python import api, conversions, terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.reads import Reads
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

_LITERALS = frozenset({"integer", "float", "true", "false", "none"})
_DISPLAYS = frozenset({"tuple", "list", "set"})
_THROUGH = frozenset({"attribute", "argument_list"})
"""What stands between an expression and the call that is made of it."""
_METHODS = frozenset(
    {
        *("lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "capitalize", "replace"),
        *("startswith", "endswith", "removeprefix", "removesuffix"),
        *("isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum"),
    }
)
_ASKING = frozenset({"startswith", "endswith", "isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum"})
_BUILTINS = frozenset({"int", "float", "bool", "str", "len"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not"})
_KIT_WORDS = frozenset({"default", "clamp", "unset"})
"""What the declarations of a kit may say beyond their variable; the rest takes other levers into account."""
_PLAIN_NAME = re.compile(rb"[A-Za-z_][\w.]*")
_PLAIN_TEXT = re.compile(rb"""[rRuU]?['"]""")
_FARTHEST = 24
_DEEPEST = 40
_LONGEST = 2000
"""Bytes of an expression or function that still decodes one value."""


class Exactness:
    def __init__(self, expressions: Expressions, reads: Reads) -> None:
        self._expressions = expressions
        self._reads = reads
        self._source = expressions.source
        self._scopes = expressions.values.scopes
        self._depth = 0
        self._recorded = {(each.span.start, each.span.end): each for each in reads.records}

    # --- Around a read ----------------------------------------------------------------------

    def around(self, record: Recorded) -> tuple[Exact, ...]:
        """Give the exact expressions around a recorded call, innermost first."""
        chain = record.chain
        end = next((depth for depth in range(len(chain) - 1, 0, -1) if self._is_at(chain[depth], record)), 0)
        if not end or record.declared or not self._is_value(chain, end):
            return ()
        found: list[Exact] = []
        for depth in range(end, max(end - _FARTHEST, 0), -1):
            node = chain[depth]
            if node.type in _THROUGH:
                continue
            if node.end_byte - node.start_byte > _LONGEST or not self._pure(node, record.scope, frozenset()):
                break
            if node.type == "parenthesized_expression" or _has_comment(node):
                continue
            exact = self._lowered(node, record.scope)
            found.extend([exact] if exact is not None else [])
        return tuple(found)

    def _is_at(self, node: Node, record: Recorded) -> bool:
        return (node.start_byte, node.end_byte) == record.span and node.type != "expression_statement"

    def _lowered(self, node: Node, scope: Scope) -> Exact | None:
        decoding = self._expressions.of(node, scope, {})
        if not terms.told(decoding) or not terms.asks(decoding):
            return None
        return Exact(Span(node.start_byte, node.end_byte), decoding)

    def _is_value(self, chain: list[Node], depth: int) -> bool:
        """Say whether something else may stand there: it is no target, and nothing shows its source."""
        for position in range(depth, 0, -1):
            node, above = chain[position], chain[position - 1]
            if above.type in ("assignment", "augmented_assignment", "for_statement", "for_in_clause"):
                if above.child_by_field_name("left") == node:
                    return False
            shown = above.type == "interpolation" and any(child.type == "=" for child in above.children)
            if shown or above.type in ("delete_statement", "as_pattern_target", "type"):
                return False
            if above.type in ("block", "module"):
                return True
        return True

    def stored(self, record: Recorded, exact: tuple[Exact, ...]) -> Span | None:
        """Give the exact expression that a field is set to where it is always set."""
        spans = {each.span for each in exact}
        chain = record.chain
        for depth in range(len(chain) - 1, 0, -1):
            node, above = chain[depth], chain[depth - 1]
            span = Span(node.start_byte, node.end_byte)
            if above.type == "keyword_argument" and above.child_by_field_name("value") == node:
                taken = chain[depth - 3] if depth > 3 else above
                return span if span in spans and self._is_always(chain, depth - 3, taken) else None
            if above.type == "assignment" and above.child_by_field_name("right") == node:
                return span if span in spans and self._is_declared(chain, depth - 1) else None
            if node.type in ("block", "lambda"):
                break
        return None

    def _is_always(self, chain: list[Node], depth: int, call: Node) -> bool:
        """Say whether an object that a function makes is the one that it always gives."""
        if call.type != "call" or depth < 1:
            return False
        outer = depth - 1
        held: Node | None = None
        if chain[outer].type == "assignment" and chain[outer].child_by_field_name("right") == call:
            held = chain[outer].child_by_field_name("left")
            outer -= 1
        if chain[outer].type not in ("return_statement", "expression_statement"):
            return False
        block, owner = chain[outer - 1], chain[outer - 2] if outer > 1 else None
        if block.type == "module":
            return True
        if block.type != "block" or owner is None or owner.type != "function_definition":
            return False
        return len(_leaving(owner)) <= 1 and (held is None or self._is_bound_once(held, owner))

    def _is_bound_once(self, name: Node, function: Node) -> bool:
        binding = rb"\b%s\s*(?::[^=\n]*)?=(?!=)" % re.escape(text(name, self._source).encode())
        body = self._source[function.start_byte : function.end_byte]
        return name.type == "identifier" and len(re.findall(binding, body)) == 1

    def _is_declared(self, chain: list[Node], depth: int) -> bool:
        """Say whether an assignment is an attribute of a class, or of every object of one."""
        if depth < 3 or chain[depth - 1].type != "expression_statement" or chain[depth - 2].type != "block":
            return False
        owner, target = chain[depth - 3], chain[depth].child_by_field_name("left")
        if target is None:
            return False
        if owner.type == "class_definition":
            return target.type == "identifier"
        name = owner.child_by_field_name("name")
        return (
            owner.type == "function_definition"
            and name is not None
            and text(name, self._source) == "__init__"
            and target.type == "attribute"
            and not _leaving(owner)
        )

    # --- Expressions ------------------------------------------------------------------------

    def _pure(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        """Say whether an expression is worth what it is lowered to; `names` are parameters and locals."""
        if self._depth > _DEEPEST:
            return False
        self._depth += 1
        try:
            return self._is_pure(node, scope, names)
        finally:
            self._depth -= 1

    def _is_pure(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        record = self._recorded.get((node.start_byte, node.end_byte))
        if record is not None and node.type in ("call", "subscript", "comparison_operator"):
            return self._is_plain_read(record, node, scope, names)
        inner = parts(node)
        match node.type:
            case "string":
                return self._is_plain_text(node)
            case "concatenated_string":
                return all(map(self._is_plain_text, inner))
            case "identifier":
                return text(node, self._source) in names or self._is_constant(node, scope)
            case "parenthesized_expression":
                return len(inner) == 1 and self._pure(inner[0], scope, names)
            case "not_operator":
                return self._pure(inner[0], scope, names)
            case "unary_operator":
                return inner[0].type in ("integer", "float")
            case "comparison_operator":
                return self._is_plain_comparison(node, scope, names)
            case "boolean_operator":
                return self._is_plain_choice(node, scope, names)
            case "conditional_expression":
                asks = self._asks(inner[1], names)
                return asks and all(self._pure(each, scope, names) for each in inner)
            case "call":
                return self._is_plain_call(node, scope, names)
            case kind if kind in _DISPLAYS:
                return all(self._pure(each, scope, names) for each in inner)
        return node.type in _LITERALS

    def _is_plain_text(self, node: Node) -> bool:
        """Say whether a literal is text: no bytes, which equal none, and nothing put in."""
        written = self._source[node.start_byte : node.start_byte + 3]
        return node.type == "string" and _PLAIN_TEXT.match(written) is not None

    def _is_constant(self, node: Node, scope: Scope) -> bool:
        """Say whether a name is a constant of the module, written out, that nothing else binds."""
        found = self._scopes.lookup(text(node, self._source), scope)
        if found is None or found.scope.kind != "module" or len(found.bindings) != 1:
            return False
        binding = found.bindings[0]
        if binding.kind != "value" or binding.node is None or binding.positions:
            return False
        value, inner = binding.node, parts(binding.node)
        if value.type == "call" and self._is_frozen(value):
            value = parts(value.child_by_field_name("arguments") or value)[0]
            inner = parts(value)
        if binding.node.type in ("list", "set") and self._is_touched(text(node, self._source)):
            return False
        literals = inner if value.type in _DISPLAYS else [value]
        return all(
            each.type in _LITERALS or (each.type == "string" and self._is_plain_text(each))
            for each in literals
        )

    def _is_touched(self, name: str) -> bool:
        """Say whether something in the file may change what a list or set holds."""
        self._scopes.tokens.add(name)
        touched = rb"\b%s\s*[.\[|+&-]|\*%s\b|[(,]\s*%s\s*[,)]" % ((re.escape(name.encode()),) * 3)
        return re.search(touched, self._source) is not None

    def _is_frozen(self, call: Node) -> bool:
        """Say whether a call is `frozenset({…})`."""
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        return (
            function is not None
            and arguments is not None
            and len(parts(arguments)) == 1
            and parts(arguments)[0].type in _DISPLAYS
            and text(function, self._source) in ("frozenset", "tuple")
            and self._scopes.lookup(text(function, self._source), self._scopes.module) is None
        )

    def _is_plain_comparison(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        operands = parts(node)
        signs = [" ".join(child.type.split()) for child in node.children if not child.is_named]
        if any(sign not in _COMPARISONS for sign in signs) or len(operands) != len(signs) + 1:
            return False
        if any(sign.startswith("is") for sign in signs) and operands[-1].type not in (
            "none",
            "true",
            "false",
        ):
            return False
        return all(self._pure(each, scope, names) for each in operands)

    def _is_plain_choice(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        """`and` and `or` give one of their sides: told where both say yes or no, and for `text or ""`."""
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if left is None or right is None or not all(self._pure(each, scope, names) for each in (left, right)):
            return False
        if self._is_switch(left) and self._is_switch(right):
            return True
        literal = right.type in ("string", "integer", "float", "none")
        return literal and (left.type in ("call", "subscript", "identifier") and not self._is_switch(left))

    def _is_switch(self, node: Node) -> bool:
        match node.type:
            case "comparison_operator" | "not_operator" | "true" | "false":
                return True
            case "parenthesized_expression":
                return self._is_switch(parts(node)[0])
            case "boolean_operator":
                return all(map(self._is_switch, parts(node)))
            case "call":
                function = node.child_by_field_name("function")
                attribute = function.child_by_field_name("attribute") if function is not None else None
                if attribute is not None:
                    return text(attribute, self._source) in _ASKING
                return function is not None and text(function, self._source) == "bool"
        return False

    def _asks(self, node: Node, names: frozenset[str]) -> bool:
        """Say whether a condition depends on something; one that does not is left out when it is lowered."""
        if (node.start_byte, node.end_byte) in self._recorded:
            return True
        if node.type == "identifier":
            return text(node, self._source) in names
        return any(self._asks(each, names) for each in node.named_children)

    # --- Calls ------------------------------------------------------------------------------

    def _is_plain_call(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.type != "argument_list":
            return False
        given = parts(arguments)
        if not all(self._pure(each, scope, names) for each in given):
            return False
        if function.type == "attribute":
            owner, attribute = (function.child_by_field_name(field) for field in ("object", "attribute"))
            name = text(attribute, self._source) if attribute is not None else ""
            if name in _METHODS and (name, len(given)) in conversions.METHODS:
                return owner is not None and self._pure(owner, scope, names)
            return False
        if function.type != "identifier":
            return False
        name = text(function, self._source)
        if self._scopes.lookup(name, scope) is None:
            return name in _BUILTINS and (name, len(given)) in conversions.BUILTINS
        # A function of the project: whether it is exact itself is told where its result is.
        is_known = self._is_bound(function, scope, "import", "function")
        return is_known and isinstance(self._expressions.of(node, scope, {}), Helper)

    def _is_plain_read(self, record: Recorded, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        path = path_of(record.callee)
        known = api.API.get(path) if path is not None else None
        if known is None and isinstance(record.callee, FunctionValue):
            return False
        if known is not None and path is not None:
            of_kit = path[0] == "atlas_levers"
            told = known.answer in ("get", "item", "contains") or of_kit
            if not told or known.kind != "read" or known.also_writes or known.variadic:
                return False
            if path[:-1] == api.COPY or any(name.endswith("b") for name in path[1:2]):
                return False
            return self._is_of_environment(node) and self._has_plain_arguments(
                node, scope, names, _KIT_WORDS if of_kit else frozenset({"default", "key"})
            )
        function = node.child_by_field_name("function")
        return (
            node.type == "call"
            and function is not None
            and _PLAIN_NAME.fullmatch(self._source, function.start_byte, function.end_byte) is not None
            and self._is_bound(function, scope, "import", "function")
            and self._has_plain_arguments(node, scope, names, None)
        )

    def _is_of_environment(self, node: Node) -> bool:
        """Say whether what is read from is named by what was imported, so that nobody hands in another."""
        match node.type:
            case "call":
                place = node.child_by_field_name("function")
            case "subscript":
                place = node.child_by_field_name("value")
            case _:
                place = parts(node)[-1]
        if place is None or not _PLAIN_NAME.fullmatch(self._source, place.start_byte, place.end_byte):
            return False
        head = place
        while head.type == "attribute":
            head = head.child_by_field_name("object") or head
        name = text(head, self._source)
        found = self._scopes.lookup(name, self._scopes.scope_at(self._scopes.chain(head.start_byte)))
        if found is None or len(found.bindings) != 1:
            return False
        return found.bindings[0].kind == "import" or (
            found.bindings[0].kind == "value" and found.scope.kind == "module"
        )

    def _has_plain_arguments(
        self, node: Node, scope: Scope, names: frozenset[str], keywords: frozenset[str] | None
    ) -> bool:
        """Say whether what a read is given besides the name of its variable is told; `None`: any keyword."""
        if node.type == "comparison_operator":
            return len(parts(node)) == 2 and self._is_name(parts(node)[0], scope, names)
        if node.type == "subscript":
            keys = node.children_by_field_name("subscript")
            return len(keys) == 1 and self._is_name(keys[0], scope, names)
        arguments = node.child_by_field_name("arguments")
        if arguments is None or arguments.type != "argument_list":
            return False
        for position, each in enumerate(parts(arguments)):
            value: Node | None = each
            if each.type == "keyword_argument":
                keyword = text(each.child_by_field_name("name") or each, self._source)
                if keywords is not None and keyword not in keywords:
                    return False
                value = each.child_by_field_name("value")
            elif each.type in ("list_splat", "dictionary_splat"):
                return False
            if value is None or not (
                (position == 0 and self._is_name(value, scope, names))
                or self._pure(value, scope, names)
                or self._is_parser(value)
            ):
                return False
        return True

    def _is_name(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        """Say whether the name of a variable is one and the same: text, a parameter, or a constant."""
        if node.type == "identifier" and text(node, self._source) in names:
            return True
        if node.type in ("identifier", "attribute"):
            return self._is_bound(node, scope, "import", "class") or (
                node.type == "identifier" and self._is_constant(node, scope)
            )
        return self._is_plain_text(node)

    def _is_bound(self, node: Node, scope: Scope, *kinds: str) -> bool:
        """Say whether a dotted name begins with one that is bound once, and by what."""
        while node.type == "attribute":
            node = node.child_by_field_name("object") or node
        if node.type != "identifier":
            return False
        found = self._scopes.lookup(text(node, self._source), scope)
        return found is not None and len(found.bindings) == 1 and found.bindings[0].kind in kinds

    def _is_parser(self, node: Node) -> bool:
        """Say whether an argument is a parser of the kit, such as `usize`: it is told by its path."""
        return node.type == "identifier" and bool(
            (found := self._scopes.lookup(text(node, self._source), self._scopes.module))
            and len(found.bindings) == 1
            and found.bindings[0].path[:1] == ("atlas_levers",)
        )

    # --- Functions --------------------------------------------------------------------------

    def of_function(self, function: Scope) -> bool:
        """Say whether a function gives what it is lowered to, and does nothing else."""
        node, body = function.node, function.node.child_by_field_name("body")
        if body is None or body.end_byte - body.start_byte > _LONGEST:
            return False
        if function.parent is None or function.parent.kind not in ("module", "function"):
            return False
        if any(child.type == "async" for child in node.children):
            return False
        if node.parent is not None and node.parent.type == "decorated_definition":
            return False
        names = self._parameters(function)
        if names is None:
            return False
        if node.type == "lambda":
            return self._pure(body, function, names)
        return self._runs(parts(body), function, names) is not None

    def _parameters(self, function: Scope) -> frozenset[str] | None:
        listed = function.node.child_by_field_name("parameters")
        names = set()
        for each in parts(listed) if listed is not None else ():
            default = each.child_by_field_name("value")
            if default is not None and not self._pure(default, self._scopes.module, frozenset()):
                return None
            name = each if each.type == "identifier" else each.child_by_field_name("name")
            name = name or (each.named_children[0] if each.named_children else None)
            if name is None or name.type != "identifier":
                return None
            names.add(text(name, self._source))
        return frozenset(names)

    def _runs(self, statements: list[Node], scope: Scope, names: frozenset[str]) -> frozenset[str] | None:
        """Give the names that are known after statements; `None` when something in them is not told."""
        for position, statement in enumerate(statements):
            inner = parts(statement)
            match statement.type:
                case "return_statement" if inner:
                    if not self._pure(inner[0], scope, names):
                        return None
                case "expression_statement" if len(inner) == 1 and inner[0].type == "assignment":
                    target, value = (inner[0].child_by_field_name(side) for side in ("left", "right"))
                    if target is None or target.type != "identifier" or value is None:
                        return None
                    if not self._pure(value, scope, names):
                        return None
                    names = names | {text(target, self._source)}
                case "expression_statement" if position == 0 and inner and inner[0].type == "string":
                    continue
                case "if_statement":
                    if not self._branches(statement, scope, names):
                        return None
                case "return_statement" | "pass_statement":
                    continue
                case _:
                    return None
        return names

    def _branches(self, statement: Node, scope: Scope, names: frozenset[str]) -> bool:
        for arm in (statement, *statement.children_by_field_name("alternative")):
            condition = arm.child_by_field_name("condition")
            if condition is not None and not (
                self._pure(condition, scope, names) and self._asks(condition, names)
            ):
                return False
            block = arm.child_by_field_name("consequence") or arm.child_by_field_name("body")
            if block is None or self._runs(parts(block), scope, names) is None:
                return False
        return True


def _has_comment(node: Node) -> bool:
    pending = [node]
    while pending:
        at = pending.pop()
        if at.type == "comment":
            return True
        pending.extend(at.named_children)
    return False


def _leaving(function: Node) -> list[Node]:
    """Give the statements that leave a function."""
    found, pending = [], [function.child_by_field_name("body")]
    while pending:
        node = pending.pop()
        if node is None or node.type in ("function_definition", "lambda", "class_definition"):
            continue
        if node.type == "return_statement":
            found.append(node)
        pending.extend(node.named_children)
    return found
