"""Where a value is put, and of what kind it has to be there."""

from tree_sitter import Node

from leverlint.languages.rust.file import File
from leverlint.languages.rust.outcome_kinds import Kind, content, kind_of_type
from leverlint.languages.rust.scopes import Local
from leverlint.languages.rust.source import Chain


class Destinations:
    def __init__(self, file: File) -> None:
        self._file = file

    def expected(self, chain: Chain) -> Kind:
        """Give the kind of the variable, field or function that the value at the end of `chain` goes to."""
        for depth in range(len(chain) - 2, max(len(chain) - 24, 0), -1):
            node = chain[depth]
            declared = None
            match node.type:
                case "let_declaration" | "static_item" | "const_item":
                    declared = node.child_by_field_name("type")
                case "function_item" | "closure_expression":
                    declared = node.child_by_field_name("return_type")
                case "assignment_expression":
                    declared = self._type_of_variable(node.child_by_field_name("left"))
                case "field_initializer":
                    declared = self._field_type(node, chain[:depth])
                case "block" if chain[depth + 1].type == "expression_statement":
                    return ""
                case _:
                    continue
            if node.type != "closure_expression" or declared is not None:
                return content(kind_of_type(declared, self._file.source)) if declared is not None else ""
        return ""

    def _type_of_variable(self, node: Node | None) -> Node | None:
        if node is None or node.type != "identifier":
            return None
        found = self._file.scopes.lookup(self._file.source.text_of(node), self._file.source.chain_to(node))
        binder = found.binder if isinstance(found, Local) else None
        return binder.child_by_field_name("type") if binder is not None else None

    def _field_type(self, initializer: Node, chain: Chain) -> Node | None:
        """Find the type that a struct of this file declares for a field."""
        name = initializer.child_by_field_name("field") or initializer
        struct = next((node for node in reversed(chain) if node.type == "struct_expression"), None)
        named = struct.child_by_field_name("name") if struct is not None else None
        path = self._file.scopes.type_path(named, chain) if named is not None else None
        if self._file.source.text_of(named) == "Self" if named is not None else False:
            path = self._file.scopes.self_type(chain)
        item = self._file.types.item_at(path)
        body = item.node.child_by_field_name("body") if item is not None else None
        for declaration in body.named_children if body is not None else ():
            field = declaration.child_by_field_name("name")
            if field is not None and self._file.source.text_of(field) == self._file.source.text_of(name):
                return declaration.child_by_field_name("type")
        return None
