"""Which field of a resolver can take the place of a raw read: proved on values, not guessed from names.

Both sides are worked out on the probes, and on whatever texts and numbers either of them knows of.
Only code that is exact counts (see `facts.Exact`), and only values of the same type are the same.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from leverlint import languages
from leverlint.config import Config
from leverlint.decoding import PROBES
from leverlint.diagnostics import UseField
from leverlint.facts import Exact
from leverlint.index import Index, Use
from leverlint.languages import Wanted, Way
from leverlint.operands import CannotTell, Raised
from leverlint.project import Replacement
from leverlint.resolving import Resolving

_MORE = (
    *("+1", "01", "1_0", "1.0", "1.", "1e3", "0x1", "inf", "nan", "-0", "tRuE", "Yes", "NO", "ON", "OFF"),
    *(
        "y",
        "t",
        "n",
        "f",
        "enable",
        "enabled",
        "disable",
        "1\n",
        "\t1",
        "1\u00a0",
        "\uff11",
        "\u0663",
        "\u017f",
    ),
    *("4294967296", "99999999999999999999", "-9223372036854775809", "None", "null", "1,2", "a/b", "é"),
)
"""Texts on which decodings that agree on everything usual may part."""
_FIELDS = frozenset({"field", "attribute"})
_AT_DEFINITION = frozenset({"class-attribute", "parameter-default", "decorator-argument", "compile-time"})
"""Ways of keeping a value that need it when the code is loaded, before anything can be resolved."""

_OF_TESTS = re.compile(r"(?:^|/)(?:tests?/|conftest\.py|test_|[^/]*_tests?\.)")

_ASSIGNED = (
    rb"(?<!self)\.NAME\s*(?::[^=\n]*)?(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=(?!=)|setattr\([^)]*['\"]NAME['\"]"
)

_SWITCH = {"True": "False", "False": "True"}
"""How on and off are written, and their opposites."""

Outcomes = tuple[str, ...]
"""How each value is written: two are the same when they are of the same type as well."""


class _Candidate(NamedTuple):
    use: Use
    """The read in a resolver."""
    exact: Exact
    """What its field is set to."""
    owner: str
    name: str


class _Measured(NamedTuple):
    """How well a field fits an expression."""

    exact: Exact
    type: str
    changes: tuple[str | None, ...]
    negated: bool
    """It is the opposite of the field that fits."""


class Replacements:
    def __init__(
        self, index: Index, config: Config, files: Sequence[str], read: Callable[[str], bytes]
    ) -> None:
        self._index = index
        self._config = config
        self._files = files
        self._read = read
        self._ways: dict[Wanted, Way | None] = {}
        self._stored: dict[tuple[str, str], bool] = {}
        self._resolving = Resolving(files, read)
        self._written = {use.lever for use in index.writes if not use.test}

    def of(self, use: Use) -> Replacement | None:
        """Give what can take the place of a read; `None` when nothing certain can."""
        if not self._may_be_replaced(use):
            return None
        least: Replacement | None = None
        for candidate in self._candidates(use):
            way = self._way(use, candidate)
            found = self._measured(use, candidate) if way is not None else None
            if way is None or found is None or way.type not in ("", found.type):
                continue
            if self._resolving.may_reach(candidate.use.path, self._function(use)):
                continue
            if least is None or len(found.changes) < len(least.changes):
                intent = UseField(found.exact.span, way.expression, way.name, way.module, found.negated)
                least = Replacement(intent, way.opposite if found.negated else way.expression, found.changes)
            if not found.changes:
                break
        return least

    # --- Which reads and which fields -----------------------------------------------------------

    def _may_be_replaced(self, use: Use) -> bool:
        if not use.call.exact or use.call.function < 0 or use.dynamic or use.kind != "read":
            return False
        if use.test or use.build_script or use.api.also_writes or self._index.facts[use.path].faults:
            return False
        if use.kept is not None and use.kept.how in _AT_DEFINITION:
            return False
        if self._index.names_at[use.path, use.span] > 1 or self._index.parents(use.path) > 1:
            return False
        return use.lever not in self._written and bool(self._function(use))

    def _function(self, use: Use) -> str:
        """Give the name of the function, or of the static, that a read is made in; empty without one."""
        functions = self._index.facts[use.path].functions
        index = use.call.function
        while index >= 0 and functions[index].kind == "closure":
            index = functions[index].parent
        if index >= 0:
            return functions[index].path[-1]
        # What is made at the top of a Python module may be called before the import that it takes.
        is_static = use.kept is not None and use.kept.how in ("static", "thread-local")
        return use.kept.name if use.kept is not None and is_static else ""

    def _candidates(self, use: Use) -> Iterator[_Candidate]:
        """Give the fields of resolvers that hold the lever and nothing but it."""
        language = self._index.facts[use.path].language
        for reader in self._index.readers[use.lever]:
            field, stored = reader.call.field, reader.call.stored
            if field is None or stored is None or field.kind not in _FIELDS or not field.owner:
                continue
            if reader.test or not self._config.for_path(reader.path).is_resolver(reader.path):
                continue
            if self._index.names_at[reader.path, reader.span] > 1:
                continue
            facts = self._index.facts[reader.path]
            exact = next((each for each in reader.call.exact if each.span == stored), None)
            if facts.language == language and not facts.faults and exact and self._is_alone(reader):
                yield _Candidate(reader, exact, field.owner, field.name)

    def _is_alone(self, reader: Use) -> bool:
        """Say whether no other read of the resolver goes into the field."""
        field = reader.call.field
        return field is not None and not any(
            use.path == reader.path
            and use is not reader
            and (other := use.call.field) is not None
            and other.name == field.name
            and other.owner in ("", field.owner)
            for use in self._index.reads
        )

    # --- Values -----------------------------------------------------------------------------------

    def _measured(self, use: Use, candidate: _Candidate) -> _Measured | None:
        """Give the expression that the field fits best, its type, and the values that it changes.

        The largest of those that it fits perfectly; else one that says yes or no, as the field does,
        or the opposite.
        """
        texts = self._texts(use, candidate.use)
        there = self._outcomes(candidate.use, candidate.exact, texts)
        if there is None:
            return None
        best: _Measured | None = None
        for exact in reversed(use.call.exact):
            here = self._outcomes(use, exact, texts)
            for negated in (False, True) if here is not None else ():
                measured = _compared(exact, texts, here or (), there, negated)
                if measured is not None and not (measured.changes or negated):
                    return measured
                if measured is not None and (best is None or len(measured.changes) < len(best.changes)):
                    best = measured
        return best

    def _outcomes(self, use: Use, exact: Exact, texts: Sequence[str | None]) -> Outcomes | None:
        """Give what an expression is worth for each text; `None` when it may raise, or is not told."""
        try:
            return tuple(repr(self._index.exactly(use, exact.decoding, text)) for text in texts)
        except (CannotTell, Raised, RecursionError):
            return None

    def _texts(self, *uses: Use) -> tuple[str | None, ...]:
        known = {constant for use in uses for constant in self._index.constants(use)}
        near = (text for one in sorted(map(str, known)) for text in _around(one))
        return tuple(dict.fromkeys((*PROBES, *_MORE, *near)))

    # --- Ways -------------------------------------------------------------------------------------

    def _way(self, use: Use, candidate: _Candidate) -> Way | None:
        resolver = candidate.use.path
        config = self._config.for_path(resolver)
        language = self._index.facts[resolver].language
        wanted = Wanted(
            candidate.owner,
            candidate.name,
            resolver,
            use.path,
            config.accessor[language],
            "accessor" in config.sources,
        )
        if wanted not in self._ways:
            way = languages.language(language).way(wanted, self._index.tree, self._read)
            is_set = way is not None and way.mutable and self._is_set_elsewhere(candidate.name, language)
            self._ways[wanted] = None if is_set else way
        return self._ways[wanted]

    def _is_set_elsewhere(self, field: str, language: str) -> bool:
        """Say whether some code assigns to an attribute of that name: it may be the field."""
        key = (field, language)
        if key not in self._stored:
            name = field.encode()
            assigned = re.compile(_ASSIGNED.replace(b"NAME", re.escape(name)))
            self._stored[key] = any(
                name in (data := self._read(path)) and assigned.search(data)
                for path in self._files
                if languages.name_for(path) == language and not _OF_TESTS.search(path)
            )
        return self._stored[key]


def _compared(
    exact: Exact, texts: Sequence[str | None], here: Outcomes, there: Outcomes, negated: bool
) -> _Measured | None:
    """Give the values that an expression takes otherwise than a field, or than the opposite of it.

    `None` when the two are about different things.
    """
    switches = set(here) == set(there) == _SWITCH.keys()
    if negated and not switches:
        return None
    measure = tuple(_SWITCH[one] for one in there) if negated else there
    changes = tuple(text for text, one, other in zip(texts, here, measure, strict=True) if one != other)
    usual = tuple(text for text in changes if text in PROBES)
    if changes and not (switches and len(usual) <= len(PROBES) // 3):
        return None
    kind = exact.type or ("bool" if set(here) <= _SWITCH.keys() else "")
    return _Measured(exact, kind, usual or changes, negated)


def _around(text: str) -> Iterator[str]:
    """Give a text that code knows of, and those that are easily taken for it."""
    yield from (text, text.lower(), text.upper(), text.title(), text.swapcase())
    yield from (f" {text}", f"{text} ", f"{text}x", f"x{text}", text[:-1], text[1:])
    if (number := re.fullmatch(r"-?\d{1,18}", text)) is not None:
        yield from (str(int(number[0]) + step) for step in (-1, 1))
