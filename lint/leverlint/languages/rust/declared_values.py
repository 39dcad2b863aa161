"""What declared arguments make of their variable: clap's parsers and defaults, envconfig's.

The answer of such a read is text or nothing. What clap does not take it refuses, and the
program ends.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Constant, Decoding, Named, Path, Span
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.nodes import COMMENTS, arguments_of, method_of, parts_of
from leverlint.languages.rust.numbers import number
from leverlint.languages.rust.outcome_kinds import NUMBERS, Kind, content, kind_of_type
from leverlint.languages.rust.outcomes import FALSE, NONE, RAISE, TRUE, apply, choose, is_untold
from leverlint.languages.rust.source import Chain

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering

_PATH = re.compile(r"\w+(?:::\w+)*")
_MACRO = re.compile(r"(?:clap::)?value_parser!\s*\(\s*([\w:<>]+)\s*\)\s*(?:\.range\((.*)\))?", re.DOTALL)
_RANGE = re.compile(r"\s*(-?[\w.]*?)\s*(\.\.=?)\s*(-?[\w.]*?)(?:u\d+|i\d+)?\s*")
_YES = ("y", "yes", "t", "true", "on", "1")
_NO = ("n", "no", "f", "false", "off", "0")
_LISTS = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet"})


class Argument(NamedTuple):
    """One declared argument."""

    settings: dict[str, str]
    """What its attributes or builder say, as written: `default_value` to `"4"`."""
    kind: Kind
    """Of the field, without `Option`."""
    written: str
    """The type inside `Option`, as written; empty for a builder's argument."""
    optional: bool
    listed: bool


class DeclaredValues:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._source = lowering.file.source

    def of(self, span: Span, chain: Chain, callee: Path) -> Decoding:
        """Give the decoding of the declaration at `span`, whose surroundings are `chain`."""
        argument = self._declared(chain) or self._built(span, chain)
        if argument is None:
            return UNTOLD
        answer = Answer(span)
        unset = self._unset(argument, chain, callee)
        return choose(apply("py:is_none", answer), unset, self._parsed(answer, argument, chain))

    # --- What is declared -------------------------------------------------------------------------------

    def _declared(self, chain: Chain) -> Argument | None:
        """Read the attributes of a field."""
        item = next((node for node in chain if node.type == "attribute_item"), None)
        field = item
        while field is not None and field.type != "field_declaration":
            if field.type not in ("attribute_item", *COMMENTS):
                return None
            field = field.next_named_sibling
        if field is None:
            return None
        settings: dict[str, str] = {}
        for attribute in attributes_of(field):
            inner = attribute.named_children[0] if attribute.named_children else None
            tokens = inner.child_by_field_name("arguments") if inner is not None else None
            settings.update(self._settings(tokens) if tokens is not None else {})
        return self._argument(settings, field.child_by_field_name("type"))

    def _settings(self, tokens: Node) -> dict[str, str]:
        pieces: list[list[Node]] = [[]]
        for child in tokens.children[1:-1]:
            if child.type == ",":
                pieces.append([])
            elif child.type not in COMMENTS:
                pieces[-1].append(child)
        text = self._source.text
        found = {}
        for piece in filter(None, pieces):
            whole = text[piece[0].start_byte : piece[-1].end_byte].decode("utf-8", "replace")
            key = self._source.text_of(piece[0])
            value = whole[len(key) :].strip().removeprefix("=").strip()
            found[key] = value[1:-1] if len(piece) == 2 and value.startswith("(") else value
        return found

    def _argument(self, settings: dict[str, str], declared: Node | None) -> Argument:
        written = self._source.text_of(declared).replace(" ", "") if declared is not None else ""
        optional = written.startswith("Option<")
        inside = written.removeprefix("Option<").removesuffix(">") if optional else written
        listed = inside.partition("<")[0] in _LISTS or "value_delimiter" in settings
        kind = content(kind_of_type(declared, self._source)) if declared is not None else "text"
        return Argument(settings, kind, inside, optional, listed)

    def _built(self, span: Span, chain: Chain) -> Argument | None:
        """Read the methods that a builder is given: `Arg::new("x").env("X").default_value("4")`."""
        call = next(
            (node for node in chain if span.end == node.end_byte and method_of(node, self._source)), None
        )
        if call is None:
            return None
        settings: dict[str, str] = {}
        for node in reversed(chain):
            method = method_of(node, self._source)
            if method is None or node.start_byte != call.start_byte:
                continue
            current: Node | None = node
            while current is not None and (method := method_of(current, self._source)) is not None:
                given = arguments_of(current)
                settings.setdefault(method[1], self._source.text_of(given[0]) if given else "")
                current = method[0]
        return Argument(settings, "text", "", not settings.get("required"), False) if settings else None

    # --- Unset ------------------------------------------------------------------------------------------

    def _unset(self, argument: Argument, chain: Chain, callee: Path) -> Decoding:
        settings = argument.settings
        if "default_value_t" in settings:
            return self._expression(settings["default_value_t"], argument, chain)
        text = settings.get("default_value", settings.get("default") if callee[0] == "envconfig" else None)
        if text is not None:
            given = self._expression(text, argument, chain)
            return self._parsed(given, argument, chain) if not is_untold(given) else UNTOLD
        if argument.optional:
            return NONE
        if self._is_flag(argument):
            return TRUE if "SetFalse" in settings.get("action", "") else FALSE
        if argument.listed or "default_values" in settings or "default_values_t" in settings:
            return NONE if argument.listed else UNTOLD
        if "Count" in settings.get("action", ""):
            return Constant(0)
        return RAISE if argument.written else NONE

    def _is_flag(self, argument: Argument) -> bool:
        action = argument.settings.get("action", "")
        if action:
            return "SetTrue" in action or "SetFalse" in action
        return argument.kind == "bool" and not argument.optional

    def _expression(self, written: str, argument: Argument, chain: Chain) -> Decoding:
        """Lower a value as it stands in an attribute: a literal or a path."""
        if not written:
            return Constant("") if argument.kind == "text" else UNTOLD
        if written[0] == '"' and written[-1] == '"' and "\\" not in written:
            return Constant(written[1:-1])
        if written in ("true", "false"):
            return Constant(written == "true")
        value = number(written)
        if value is not None:
            return Constant(value)
        if _PATH.fullmatch(written):
            return self._lowering.global_name(tuple(written.split("::")), chain)
        return UNTOLD

    # --- Set --------------------------------------------------------------------------------------------

    def _parsed(self, value: Decoding, argument: Argument, chain: Chain) -> Decoding:
        """Give what is made of text, or that it is refused."""
        parser = argument.settings.get("value_parser", "")
        text = apply("rs:unwrap", apply("rs:to_str", value))
        if "BoolishValueParser" in parser:
            return self._boolish(text)
        if "FalseyValueParser" in parser:
            said = apply("in", apply("lower", text), Apply("tuple", tuple(map(Constant, ("", *_NO)))))
            return apply("not", said)
        found = _MACRO.fullmatch(parser)
        if found is not None:
            return self._limited(self._by_type(value, text, found[1], argument, chain), found[2])
        if parser and not parser.startswith("["):
            if not _PATH.fullmatch(parser) or argument.listed:
                return UNTOLD if not argument.listed else text
            callee = self._lowering.file.scopes.absolute(tuple(parser.split("::")), chain)
            return apply("rs:unwrap", self._lowering.invocations.helper(callee, (text,)))
        if argument.listed or not argument.written:
            return text
        return self._by_type(value, text, argument.written, argument, chain)

    def _boolish(self, text: Decoding) -> Decoding:
        word = apply("lower", text)
        said = [apply("in", word, Apply("tuple", tuple(map(Constant, words)))) for words in (_YES, _NO)]
        return choose(said[0], TRUE, choose(said[1], FALSE, RAISE))

    def _by_type(
        self, value: Decoding, text: Decoding, written: str, argument: Argument, chain: Chain
    ) -> Decoding:
        name = written.rpartition("::")[2]
        if name in ("PathBuf", "OsString"):
            return value if name == "OsString" else choose(apply("is_empty", value), RAISE, value)
        if name in ("String", "Box<str>", "Arc<str>"):
            return text
        if name.startswith("NonZero"):
            name = name.removeprefix("NonZero").lower()
            parsed = apply("rs:unwrap", apply(f"rs:parse:{name}", text))
            return choose(apply("equals", parsed, Constant(0)), RAISE, parsed)
        if name in NUMBERS or name in ("bool", "char"):
            return apply("rs:unwrap", apply(f"rs:parse:{name}", text))
        return self._own(text, written, argument, chain)

    def _own(self, text: Decoding, written: str, argument: Argument, chain: Chain) -> Decoding:
        """A type of the project: an enumeration with words for its variants, or one that parses."""
        if not _PATH.fullmatch(written):
            return UNTOLD
        path = self._lowering.file.scopes.absolute(tuple(written.split("::")), chain)
        item = self._lowering.file.types.item_at(path)
        if item is not None and item.node.type == "enum_item":
            words = self._words(item.node)
            found: Decoding = RAISE
            for word, variant in reversed(words):
                found = choose(apply("equals", text, Constant(word)), Constant(variant), found)
            return found if words else UNTOLD
        if path[0] in ("std", "core"):
            return UNTOLD
        if "value_enum" in argument.settings:
            self._lowering.file.names.touched[path] = None
            return apply("rs:variant", text, Named(path))
        return apply("rs:unwrap", self._lowering.invocations.helper((*path, "from_str"), (text,)))

    def words(self, enumeration: Node) -> Decoding:
        """Give the words of an enumeration as data, for the files that declare arguments of it."""
        pairs = self._words(enumeration)
        if not pairs:
            return UNTOLD
        return Apply("tuple", tuple(Apply("tuple", tuple(map(Constant, pair))) for pair in pairs))

    def _words(self, enumeration: Node) -> list[tuple[str, str]]:
        """Give the words of an enumeration that derives `ValueEnum`, with their variants."""
        derives = [self._source.text_of(attribute) for attribute in attributes_of(enumeration)]
        body = enumeration.child_by_field_name("body")
        if (
            body is None
            or not any("ValueEnum" in derive for derive in derives)
            or any("rename_all" in derive and "serde" not in derive for derive in derives)
        ):
            return []
        found = []
        for variant in parts_of(body):
            name = variant.child_by_field_name("name")
            if variant.type != "enum_variant" or name is None:
                continue
            spelled = self._source.text_of(name)
            words = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", spelled).lower()]
            attributes = list(attributes_of(variant))
            if any(re.search(r"\bskip\b", self._source.text_of(attribute)) for attribute in attributes):
                continue
            for attribute in attributes:
                written = self._source.text_of(attribute)
                if "serde" in written:
                    continue
                named = re.search(r'\bname\s*=\s*"([^"]*)"', written)
                words = [named[1]] if named is not None else words
                words += re.findall(r'\balias\s*=\s*"([^"]*)"', written)
                for listed in re.findall(r"\baliases\s*=\s*\[([^\]]*)\]", written):
                    words += re.findall(r'"([^"]*)"', listed)
            found += [(word, spelled) for word in words]
        return found

    def _limited(self, value: Decoding, limits: str | None) -> Decoding:
        found = _RANGE.fullmatch(limits) if limits else None
        if found is None:
            return value if not limits else UNTOLD
        low, sign, high = found[1], found[2], found[3]
        for written, operation in ((low, "ge"), (high, "le" if sign == "..=" else "lt")):
            limit = number(written) if written else None
            if written and limit is None:
                return UNTOLD
            if limit is not None:
                value = choose(apply(operation, value, Constant(limit)), value, RAISE)
        return value
