"""What kind of value a decoding gives, as far as the code around it tells."""

from collections.abc import Callable, Mapping

from tree_sitter import Node

from leverlint.facts import (
    Answer,
    Apply,
    Attempt,
    Constant,
    Decoding,
    Helper,
    If,
    Let,
    Local,
    Parameter,
    Passed,
    Span,
)
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.source import Source

Kind = str
"""`bool`, `text`, `unit`, `choice`, `refusal` (an error), `span` (of time), a number type of Rust, `int` or
`float` when its
width is not known, `own:` and the name of a type, `option:`, `result:`, `list:` or `iter:` (what is
to become a list) and the kind inside; empty: not known."""

INTEGERS = frozenset({"u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"})
FLOATS = frozenset({"f32", "f64"})
NOT_ZERO = frozenset(f"nonzero_{kind}" for kind in INTEGERS)
STORED: Kind = "stored"
"""Expected of code that is worth nothing: what it stores is wanted."""
RUST_TYPES = INTEGERS | NOT_ZERO | FLOATS | {"bool", "char", "String"}
"""The types whose `parse` is known."""
NUMBERS = INTEGERS | NOT_ZERO | FLOATS | {"int", "float"}

_TEXTS = frozenset({"str", "String", "OsStr", "OsString", "Path", "PathBuf", "&str", "CStr", "CString"})
_POINTERS = frozenset(
    {"Box", "Rc", "Arc", "Cow", "LazyLock", "Lazy", "OnceLock", "OnceCell", "LazyCell", "Mutex", "Cell",
     "RefCell", "RwLock"}
)  # fmt: skip
_LISTS = frozenset({"Vec", "VecDeque"})
_ATOMICS = {"AtomicBool": "bool", "AtomicUsize": "usize", "AtomicU64": "u64", "AtomicU32": "u32",
            "AtomicU8": "u8", "AtomicI32": "i32", "AtomicI64": "i64", "AtomicIsize": "isize"}  # fmt: skip
_BOOLEAN = frozenset(
    {"not", "equals", "in", "is_empty", "starts_with", "ends_with", "contains", "lt", "le", "gt", "ge",
     "rs:holds", "rs:equals_ignore_case", "rs:is_finite", "rs:is_nan", "rs:any", "rs:all",
     "py:isdigit", "py:isdecimal", "py:isalpha", "py:isalnum", "py:isspace", "py:isupper", "py:islower",
     "rs:is_ascii"}
)  # fmt: skip
_TEXTUAL = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "replace", "remove_prefix", "remove_suffix", "rs:lossy",
     "rs:lower_ascii", "rs:upper_ascii", "py:strip_chars", "rs:join", "path_join"}
)  # fmt: skip
_TAKING_APART = frozenset({"rs:chars", "rs:split", "py:split", "py:splitlines"})
_NUMERIC = frozenset({"add", "sub", "mul", "min", "max", "clamp", "rs:div", "rs:rem", "rs:neg", "rs:abs"})


def wrapped(kind: Kind) -> bool:
    return kind.startswith(("option:", "result:"))


def inner(kind: Kind) -> Kind:
    return kind.partition(":")[2] if wrapped(kind) else ""


def content(kind: Kind) -> Kind:
    """Give what is inside all wrapping."""
    while wrapped(kind):
        kind = inner(kind)
    return kind


def items_of(kind: Kind) -> Kind:
    """Give the kind of the items of a list."""
    return kind.removeprefix("list:").removeprefix("iter:")


def is_decided(kind: Kind) -> bool:
    """Say whether a value has become something else than the text that was read."""
    inside = content(kind)
    decided = ("bool", "number", "char", "span")
    return inside in NUMBERS or inside in decided or inside.startswith(("own:", "list:"))


def kind_of_type(node: Node | None, source: Source) -> Kind:
    """Give the kind that a type is written for."""
    if node is None:
        return ""
    match node.type:
        case "primitive_type" | "type_identifier" | "scoped_type_identifier":
            name = source.text_of(node).rpartition("::")[2]
            if name in _TEXTS:
                return "text"
            if name.startswith("NonZero"):
                return f"nonzero_{name.removeprefix('NonZero').lower()}"
            if name == "Duration":
                return "span"
            if name in RUST_TYPES or name in _ATOMICS:
                return _ATOMICS.get(name, name)
            return "own:" + source.text_of(node) if _is_own(name) else ""
        case "reference_type" | "pointer_type":
            return kind_of_type(node.child_by_field_name("type"), source)
        case "unit_type":
            return "unit"
        case "abstract_type":
            written = source.text_of(node)
            return "text" if "str>" in written or "Path>" in written or "OsStr>" in written else ""
        case "generic_type":
            outer, arguments = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
            if outer is None or arguments is None or not parts_of(arguments):
                return ""
            name = source.text_of(outer).rpartition("::")[2]
            last = parts_of(arguments)[-1 if name == "Cow" else 0]
            if name in ("Option", "Result"):
                return name.lower() + ":" + kind_of_type(last, source)
            if name == "NonZero":
                return f"nonzero_{kind_of_type(last, source)}"
            if name in _POINTERS:
                return kind_of_type(last, source)
            if name in _LISTS:
                return "list:" + kind_of_type(last, source)
    return ""


def _is_own(name: str) -> bool:
    """Say whether a name looks like that of a type of the project: short capitals are parameters."""
    return name[:1].isupper() and not name.isupper() and name != "Self"


class Kinds:
    def __init__(
        self,
        values: Mapping[int, Decoding],
        answer: Callable[[Span], Kind],
        passed: Callable[[Parameter], Kind],
        helper: Callable[[Helper], Kind],
    ) -> None:
        self._values = values
        self._answer = answer
        self._passed = passed
        self._helper = helper

    def of(self, decoding: Decoding, depth: int = 0) -> Kind:
        if depth > 60:
            return ""
        deeper = depth + 1
        match decoding:
            case Constant(value):
                return _of_constant(value)
            case Answer(span):
                return self._answer(span)
            case Passed(parameter):
                return self._passed(parameter)
            case Local(number):
                return self.of(self._values[number], deeper) if number in self._values else ""
            case Helper():
                return self._helper(decoding)
            case If(Apply("rs:holds", (value,)), then, otherwise) if value == otherwise:
                # What is left is none or an error: it says nothing about what is inside.
                return self.of(then, deeper) or self.of(otherwise, deeper)
            case If(_, then, otherwise) | Attempt(then, otherwise):
                return _merged(self.of(then, deeper), self.of(otherwise, deeper))
            case Let(_, _, body):
                return self.of(body, deeper)
            case Apply(operation, arguments):
                return self._of_operation(operation, arguments, deeper)
        return ""

    def _of_operation(self, operation: str, arguments: tuple[Decoding, ...], depth: int) -> Kind:
        if operation in _BOOLEAN:
            return "bool"
        if operation in _TEXTUAL:
            return "text"
        if operation == "duration":
            return "span"
        if operation in _TAKING_APART:
            return "iter:text"
        if operation in ("rs:len", "py:len"):
            return "usize"
        if operation.startswith("rs:parse:"):
            kind = operation.removeprefix("rs:parse:")
            return "result:" + {"String": "text", "?": ""}.get(kind, kind)
        if operation.startswith("rs:form:"):
            return "result:own:" + operation.removeprefix("rs:form:")
        if operation.startswith(("rs:as:", "rs:saturating:", "rs:wrapping:")):
            return operation.rpartition(":")[2]
        if operation in ("rs:none", "rs:err"):
            return "option:" if operation == "rs:none" else "result:"
        if operation in ("rs:to_str",):
            return "option:text"
        if not arguments:
            return ""
        first = self.of(arguments[0], depth)
        match operation:
            case "rs:first" | "rs:last" | "rs:nth":
                return "option:" + items_of(first)
            case "rs:those":
                return first
            case "rs:collected":
                return "list:" + items_of(first)
            case "rs:held":
                return "iter:" + inner(items_of(first))
            case "rs:each":
                return "iter:" + self.of(arguments[1], depth)
            case "rs:some" | "rs:ok":
                return ("option:" if operation == "rs:some" else "result:") + first
            case "rs:error":
                return "refusal"
            case "rs:payload" | "rs:unwrap":
                return inner(first)
            case "rs:unwrap_or":
                return _merged(inner(first), self.of(arguments[1], depth))
            case "rs:rewrap":
                head = first.partition(":")[0] if wrapped(first) else "option"
                return head + ":" + self.of(arguments[1], depth)
            case "rs:to_option" | "rs:to_result":
                return ("option:" if operation == "rs:to_option" else "result:") + inner(first)
            case "rs:or":
                return _merged(first, self.of(arguments[1], depth))
        if operation in _NUMERIC:
            kinds = [self.of(argument, depth) for argument in arguments]
            return next((kind for kind in kinds if kind in INTEGERS | FLOATS), first)
        return ""


def _of_constant(value: object) -> Kind:
    if value is None:
        return "unit"
    if isinstance(value, bool):
        return "bool"
    return "text" if isinstance(value, str) else "int" if isinstance(value, int) else "float"


def _merged(left: Kind, right: Kind) -> Kind:
    """Join what two branches give; a branch that says more wins."""
    if not left or not right:
        return left or right
    if wrapped(left) and wrapped(right):
        return left.partition(":")[0] + ":" + _merged(inner(left), inner(right))
    if left == "unit" or (left in ("int", "float") and right in NUMBERS):
        return right
    return left
