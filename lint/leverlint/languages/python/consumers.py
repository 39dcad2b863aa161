"""Who wants the value of a field, in the bytes of one Python file: a `Room` of `languages.consumers`."""

import re
from collections.abc import Collection, Iterable

from tree_sitter import Node

from leverlint.languages.consumers import KEY, MEMBER, NAME
from leverlint.languages.python.words import words
from leverlint.languages.syntax import text

_TAKING_ALL = re.compile(
    rb"(?:asdict|astuple|vars|fields)\s*\(\s*([\w.]+)|getattr\s*\(\s*([\w.]+)\s*,(?!\s*[\"'])"
)
_TAKEN_WHOLE = re.compile(rb"\.(?:__dict__|_asdict|model_dump\w*|dict)\b")
_HOLDER = re.compile(rb"(\w+)(?:\(\))?\Z")
_BY_NAME = frozenset({"getattr", "hasattr", "attrgetter"})
_BY_KEY = frozenset({"get", "pop", "__getitem__"})
_ENVIRONMENTS = frozenset({"environ", "environb", "env"})
_SHOWING = frozenset({"__repr__", "__str__", "__eq__", "__hash__", "default", "defaults"})
"""Functions that look at every field because it is there."""
_CODE = re.compile(rb"(?!\s*(?:import|from|del|for)\b)[^#\\]*(?<!\bas )\w+\.\Z")
_SHOWN = re.compile(rb"def (?:%s)\b" % "|".join(sorted(_SHOWING)).encode())
_STORED = re.compile(rb"\s*(?:,[^\n]*=|\\|(?:[-+*/%&|^@]|//|\*\*|>>|<<)?=(?!=))")
_DECLARED = re.compile(rb"\s*[\w.]+\s*:")
_BINDING = {
    "function_definition": "name",
    "class_definition": "name",
    "keyword_argument": "name",
    "default_parameter": "name",
    "typed_default_parameter": "name",
    "named_expression": "name",
    "assignment": "left",
    "augmented_assignment": "left",
    "for_statement": "left",
    "for_in_clause": "left",
}
_DECLARING = frozenset(
    {"parameters", "lambda_parameters", "typed_parameter", "global_statement", "nonlocal_statement",
     "import_statement", "import_from_statement", "delete_statement", "as_pattern_target"}
)  # fmt: skip
_TARGETS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern"})
_DECORATORS = re.compile(r"(?:staticmethod|classmethod|property|(?:functools\.)?(?:lru_cache|cache\w*))\b")


def places(source: bytes, name: str) -> Iterable[int]:
    return words(source, name.encode(), 0, len(source))


def plainly_read(names: Collection[str], source: bytes) -> set[str]:
    """See `leverlint.languages.consumers.plainly_read`."""
    return {name for name in names if _is_plainly_read(name.encode(), source)}


def _is_plainly_read(name: bytes, source: bytes) -> bool:
    for offset in words(source, name, 0, len(source)):
        line = source.rfind(b"\n", 0, offset) + 1
        if (
            source[offset - 1 : offset] == b"."
            and _CODE.match(source, line, offset)
            and not _STORED.match(source, offset + len(name))
            and not _DECLARED.match(source, line)
            and all(source.count(quote, line, offset) % 2 == 0 for quote in (b'"', b"'"))
            and all(source.count(quote, 0, line) % 2 == 0 for quote in (b'"""', b"'''"))
            and not _SHOWN.match(source, source.rfind(b"def ", 0, line))
        ):
            return True
    return False


def how(nodes: list[Node], source: bytes) -> str | None:
    node, above = nodes[-1], nodes[-2]
    if any(outer.type in ("import_statement", "import_from_statement") for outer in nodes):
        return None
    if node.type == "string_content":
        return _of_text(nodes, source)
    if node.type != "identifier":
        return None
    if above.type == "keyword_pattern":
        return MEMBER if above.children[0] == node else NAME
    if above.type == "attribute" and above.child_by_field_name("attribute") == node:
        return None if _is_bound(nodes[:-1]) else MEMBER
    return None if _is_bound(nodes) else NAME


def _is_bound(nodes: list[Node]) -> bool:
    """Say whether the last node is given a value, or declared, rather than looked at."""
    position = len(nodes) - 1
    while nodes[position - 1].type in _TARGETS:
        position -= 1
    above = nodes[position - 1]
    if above.type in _DECLARING or (
        above.type == "expression_list" and nodes[position - 2].type in _DECLARING
    ):
        return True
    field = _BINDING.get(above.type)
    return field is not None and above.child_by_field_name(field) == nodes[position]


def _of_text(nodes: list[Node], source: bytes) -> str | None:
    """Say how a literal that spells the whole name asks for the value, if it does."""
    literal = next((node for node in reversed(nodes) if node.type == "string"), None)
    if literal is None or [child.type for child in literal.children[1:-1]] != ["string_content"]:
        return None
    position = nodes.index(literal)
    node, above = nodes[-1], nodes[position - 1]
    if text(literal, source).strip("rbuRBU\"'") != text(node, source):
        return None
    if above.type == "subscript":
        return None if _is_bound(nodes[:position]) else _unless_environment(above, "value", source, KEY)
    if above.type != "argument_list":
        return None
    function = nodes[position - 2].child_by_field_name("function")
    if function is None:
        return None
    called = text(function, source).rpartition(".")[2]
    if called in _BY_NAME:
        return MEMBER
    return _unless_environment(function, "object", source, KEY) if called in _BY_KEY else None


def _unless_environment(node: Node, field: str, source: bytes, how: str) -> str | None:
    """A variable that is looked up is no field."""
    holder = node.child_by_field_name(field)
    return None if holder is None or _last_word(holder, source) in _ENVIRONMENTS else how


def only_shows(nodes: list[Node], source: bytes) -> bool:
    return any(_name(node, source) in _SHOWING for node in nodes[:-1] if node.type == "function_definition")


def is_registered(nodes: list[Node], source: bytes) -> bool:
    """Say whether a function is handed to somebody where it is defined: by a decorator."""
    above = nodes[-2]
    if above.type != "function_definition" or above.child_by_field_name("name") != nodes[-1]:
        return False
    decorators = [child for child in nodes[-3].children if child.type == "decorator"]
    return any(not _DECORATORS.match(text(each, source).lstrip("@ ")) for each in decorators)


def into(nodes: list[Node], source: bytes) -> str:
    """Give the field of the resolver that takes what is computed at the end of `nodes`."""
    for position in range(len(nodes) - 2, 0, -1):
        node, below = nodes[position], nodes[position + 1]
        match node.type:
            case "keyword_argument" if position > 1 and _constructs(nodes[position - 2], source):
                return _name(node, source)
            case "pair" if below == node.child_by_field_name("value"):
                key = node.child_by_field_name("key")
                return text(key, source).strip("\"'") if key is not None else ""
            case "assignment" if below == node.child_by_field_name("right"):
                return _field_of_target(node, nodes[:position], source)
            case "block" | "module" | "lambda" | "function_definition":
                return ""
    return ""


def _constructs(call: Node, source: bytes) -> bool:
    function = call.child_by_field_name("function") if call.type == "call" else None
    called = text(function, source).rpartition(".")[2] if function is not None else ""
    return called in ("cls", "replace") or called.lstrip("_")[:1].isupper()


def _field_of_target(assignment: Node, outer: list[Node], source: bytes) -> str:
    target = assignment.child_by_field_name("left")
    if target is None:
        return ""
    if target.type == "attribute":
        holder = target.child_by_field_name("object")
        attribute = target.child_by_field_name("attribute")
        inside = holder is not None and text(holder, source) == "self"
        return text(attribute, source) if inside and attribute is not None else ""
    local = any(node.type == "function_definition" for node in outer)
    return text(target, source) if target.type == "identifier" and not local else ""


def groups(source: bytes) -> set[str]:
    """See `leverlint.languages.consumers.groups`."""
    found = [(match.start(), match[1] or match[2]) for match in _TAKING_ALL.finditer(source)]
    for match in _TAKEN_WHOLE.finditer(source):
        holder = _HOLDER.search(source, max(0, match.start() - 80), match.start())
        found += [(match.start(), holder[1])] if holder else []
    return {
        word.rpartition(b".")[2].decode("utf-8", "replace")
        for at, word in found
        if b"#" not in source[source.rfind(b"\n", 0, at) + 1 : at]
    }


def _last_word(node: Node, source: bytes) -> str:
    return text(node, source).rstrip("()").rpartition(".")[2]


def _name(node: Node, source: bytes) -> str:
    name = node.child_by_field_name("name")
    return text(name, source) if name is not None else ""
