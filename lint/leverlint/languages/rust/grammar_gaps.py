"""What rustc takes and the published grammar does not, put into words that it knows.

Only a text that has errors is looked at. What is put in its place is as long as what it was, so
that offsets stay as they are, and says the same as far as levers go: types, attributes and
modifiers may get lost, calls and names may not. Patterns begin with a word and look behind it for
what must stand before it: those that begin otherwise are tried at every byte.
"""

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from leverlint.facts import Span


class _Gap(NamedTuple):
    pattern: re.Pattern[bytes]
    instead: Callable[[bytes], bytes]
    """Gives text of the same length."""


def _blank(found: bytes) -> bytes:
    return re.sub(rb"[^\n]", b" ", found)


def _named(found: bytes) -> bytes:
    """Give a word that is no keyword."""
    return b"_" + found[1:]


def _bare(found: bytes) -> bytes:
    """Give a path without the types in its last segment."""
    name = found.partition(b"::<")[0]
    return name + b" " * (len(found) - len(name))


def _told(found: bytes) -> bytes:
    """Give a bound on functions with types in the place of `_`."""
    return re.sub(rb"(?<!\w)_(?!\w)", b"T", found)


def _after(count: int) -> Callable[[bytes], bytes]:
    """Give blanks behind so many bytes that stay."""
    return lambda found: found[:count] + _blank(found[count:])


# Arguments of generics, three deep.
_INNER = rb"<[^<>{};()]{0,200}>"
_MIDDLE = rb"<(?:[^<>{};()]|%s){0,200}>" % _INNER
_TURBOFISH = rb"::<(?:[^<>{};()]|%s){0,200}>" % _MIDDLE
_PARENTHESES = rb"\((?:[^(){};]|\([^(){};]{0,200}\)){0,300}\)"
_ATTRIBUTE = rb"#\[[^\]\n]*\]"
_KEYWORDS = (b"gen", b"raw", b"union", b"default", b"auto", b"safe")

_GAPS = (
    # `str![…]`: a macro named like a primitive type; `try!(…)`.
    _Gap(
        re.compile(rb"\b(?:str|bool|char|[iu](?:8|16|32|64|128|size)|f(?:32|64)|try)(?=!\s*[\[({])"), _named
    ),
    # Attributes in struct patterns; several before a receiver.
    _Gap(re.compile(_ATTRIBUTE + rb"(?=\s*(?:ref\s+|mut\s+)?\w+\s*(?::[^:]|[,}]))"), _blank),
    _Gap(re.compile(_ATTRIBUTE + rb"(?=\s*%s\s*(?:&|mut\b|self\b|\.\.\.))" % _ATTRIBUTE), _blank),
    # `Box<dyn Fn(&_) -> _>`
    _Gap(re.compile(rb"fn(?<=\b..)\s*" + _PARENTHESES), _told),
    _Gap(re.compile(rb"Fn(?:(?<=\b..)|(?<=\bAsync..))(?:Mut|Once)?\s*" + _PARENTHESES), _told),
    # `Pair::<u8> { a, b }`, `as Pair::<u8>`: what is called keeps its types.
    _Gap(re.compile(rb"[A-Z](?<=\b.)\w*" + _TURBOFISH + rb"(?!\s*\(|::|[<>])"), _bare),
    _Gap(
        re.compile(
            rb"[A-Z](?<=\b.)\w*%s(?=::\w+\s*\{|\s*%s\s*(?:if\b[^={}]*)?=>)" % (_TURBOFISH, _PARENTHESES)
        ),
        _bare,
    ),
    # Words that are keywords elsewhere: `gen::<u8>()`, `gen @ 1`, `const default: u8`.
    *(_Gap(re.compile(rb"%s(?<=\b%s)%s" % (word, word, _TURBOFISH)), _bare) for word in _KEYWORDS),
    *(_Gap(re.compile(rb"%s(?<=\b%s)(?=\s*@)" % (word, word)), _named) for word in _KEYWORDS),
    _Gap(re.compile(rb"default(?<=\bconst default)(?=\s*:)"), _named),
    # `Pair { 0: first, 1: second }`
    _Gap(re.compile(rb"[{,](?:\d+(?=: )|\s\d+(?=:(?!:)))"), lambda found: re.sub(rb"\d", b"_", found)),
    # `Pair { a, .. } = pair;`
    _Gap(re.compile(rb"\.\.(?=\s*\}\s*=(?![=>]))"), _blank),
    # `match x { A => { … } &&B => … }`
    _Gap(re.compile(rb"\}\s(?=\s*&&[^;{}=\n]*=>)"), lambda found: b"},"),
    # Bounds: `dyn 'static + Trait`, `Self: ,`, `~const Trait`, `[const] Trait`, `Array<-1>`.
    _Gap(re.compile(rb"dyn(?<=\b...)\s+'\w+\s*\+"), _after(3)),
    _Gap(re.compile(rb":(?<=\w.)\s(?=[,>])"), lambda found: b":T"),
    _Gap(re.compile(rb"~const\b"), _blank),
    _Gap(re.compile(rb"\[const\](?=\s+[\w:])"), _blank),
    _Gap(re.compile(rb"[<,]\s*-(?=\s*\d+\s*[,>])"), _after(1)),
    # Modifiers: `safe fn`, `auto trait`, `impl const Trait for Type`.
    _Gap(re.compile(rb"safe(?<=\b....)(?=\s+(?:fn|static)\b)"), _blank),
    _Gap(re.compile(rb"auto(?<=\b....)(?=\s+trait\b)"), _blank),
    _Gap(re.compile(rb"const(?<=\b.....)(?=\s+[A-Z][\w:]*(?:%s)?\s+for\b)" % _MIDDLE), _blank),
    # Tokens of macros.
    _Gap(re.compile(rb"~(?=\s*[\w$(])"), lambda found: b"!"),
    # The manifest of a script.
    _Gap(
        re.compile(
            rb"\A(?:\xef\xbb\xbf)?(?:#![^\[\n][^\n]*)?\s*(-{3,})(?!-).*?\n\1(?!-)[^\n]*", re.DOTALL
        ),
        _blank,
    ),
)  # fmt: skip


def without_gaps(text: bytes) -> bytes:
    """Give a text of the same length that the grammar understands better."""
    for pattern, instead in _GAPS:
        text = pattern.sub(lambda found, instead=instead: instead(found[0]), text)  # type: ignore[misc]
    return text


def differences(one: bytes, other: bytes) -> Iterator[Span]:
    """Give the lines in which two texts of the same length differ."""
    start = 0
    for left, right in zip_longest(one.split(b"\n"), other.split(b"\n"), fillvalue=b""):
        if left != right:
            yield Span(start, start + len(left))
        start += len(left) + 1
