"""What text types of well-known crates are parsed from, as far as its form tells.

A text that lacks what every text of a type has is refused. Of one that may be right nobody can
tell but the crate, save for the plainest: those stand for what is parsed.
"""

import re
from typing import NamedTuple

from leverlint.operands import CannotTell, Operation, Value, Wrapped, text_of


class Form(NamedTuple):
    needed: re.Pattern[str]
    """What every text of the type has."""
    enough: re.Pattern[str] | None = None
    """What is such a text for certain."""


_URL = Form(
    re.compile(r"[\0- ]*[A-Za-z][A-Za-z0-9+.-]*:"),
    re.compile(r"https?://[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*(?:/[A-Za-z0-9_-]+)*/?"),
)
_DATE = Form(re.compile(r"\s*[-+]?\d{4,6}-?\d\d-?\d\d"))
_ADDRESS = Form(
    re.compile(r"(?:\d{1,3}\.){3}\d{1,3}$|[0-9A-Fa-f]*:"), re.compile(r"(?:127\.0\.0\.1|0\.0\.0\.0|::1|::)")
)
_SOCKET = Form(re.compile(r".*[.\]]:\d"), re.compile(r"(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):[1-9]\d{0,3}"))


def _parsed_as(form: Form) -> Operation:
    def parse(value: Value) -> Value:
        text = text_of(value)
        if form.needed.match(text) is None:
            return Wrapped("err")
        if form.enough is not None and form.enough.fullmatch(text):
            return Wrapped("ok", text)
        raise CannotTell

    return parse


PARSED_FORMS: dict[str, Operation] = {
    "rs:form:url": _parsed_as(_URL),
    "rs:form:date": _parsed_as(_DATE),
    "rs:form:address": _parsed_as(_ADDRESS),
    "rs:form:socket": _parsed_as(_SOCKET),
}
