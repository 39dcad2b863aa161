"""Expressions that are worth exactly what they are lowered to: nothing in them is open, or left out.

Lowering leaves out what only says whether a value is consulted at all. Here every token counts.
"""

import re

from tree_sitter import Node

from leverlint.facts import FunctionValue, Helper
from leverlint.languages.python import api, conversions
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.reads import Reads
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

_LITERALS = frozenset({"integer", "float", "true", "false", "none"})
_DISPLAYS = frozenset({"tuple", "list", "set"})
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
_DEEPEST = 40


class ExactExpressions:
    def __init__(self, expressions: Expressions, reads: Reads) -> None:
        self._expressions = expressions
        self._source = expressions.source
        self._scopes = expressions.values.scopes
        self._depth = 0
        self._known: dict[int, bool] = {}
        self._recorded = {(each.span.start, each.span.end): each for each in reads.records}

    def is_exact(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        """Say whether an expression is worth what it is lowered to; `names` are parameters and locals."""
        # perf: on its way outwards from a read, each expression is looked at as part of the next.
        known = self._known.get(node.id) if not names else None
        if known is not None:
            return known
        if self._depth > _DEEPEST:
            return False
        self._depth += 1
        try:
            found = self._is_made_of_exact(node, scope, names)
        finally:
            self._depth -= 1
        if not names:
            self._known[node.id] = found
        return found

    def _is_made_of_exact(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
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
                return len(inner) == 1 and self.is_exact(inner[0], scope, names)
            case "not_operator":
                return self.is_exact(inner[0], scope, names)
            case "unary_operator":
                return inner[0].type in ("integer", "float")
            case "comparison_operator":
                return self._is_plain_comparison(node, scope, names)
            case "boolean_operator":
                return self._is_plain_choice(node, scope, names)
            case "conditional_expression":
                asks = self.asks(inner[1], names)
                return asks and all(self.is_exact(each, scope, names) for each in inner)
            case "call":
                return self._is_plain_call(node, scope, names)
            case kind if kind in _DISPLAYS:
                return all(self.is_exact(each, scope, names) for each in inner)
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
        return all(self.is_exact(each, scope, names) for each in operands)

    def _is_plain_choice(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        """`and` and `or` give one of their sides: told where both say yes or no, and for `text or ""`."""
        left, right = (node.child_by_field_name(side) for side in ("left", "right"))
        if (
            left is None
            or right is None
            or not all(self.is_exact(each, scope, names) for each in (left, right))
        ):
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

    def asks(self, node: Node, names: frozenset[str]) -> bool:
        """Say whether a condition depends on something; one that does not is left out when it is lowered."""
        if (node.start_byte, node.end_byte) in self._recorded:
            return True
        if node.type == "identifier":
            return text(node, self._source) in names
        return any(self.asks(each, names) for each in node.named_children)

    # --- Calls ------------------------------------------------------------------------------

    def _is_plain_call(self, node: Node, scope: Scope, names: frozenset[str]) -> bool:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.type != "argument_list":
            return False
        given = parts(arguments)
        if not all(self.is_exact(each, scope, names) for each in given):
            return False
        if function.type == "attribute":
            owner, attribute = (function.child_by_field_name(field) for field in ("object", "attribute"))
            name = text(attribute, self._source) if attribute is not None else ""
            if name in _METHODS and (name, len(given)) in conversions.METHODS:
                return owner is not None and self.is_exact(owner, scope, names)
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
                or self.is_exact(value, scope, names)
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
