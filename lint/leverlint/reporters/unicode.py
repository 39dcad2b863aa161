"""Text that every consumer can take: JSON, XML and UTF-8 know no half of a surrogate pair.

A report is also looked at: no name in it may drive a terminal or reorder what is read.
"""

import json

from leverlint.reporters.cells import HARMFUL

_ESCAPED = {number: f"\\u{number:04x}" for number in HARMFUL}


def json_text(value: object) -> str:
    """Spell a value in JSON: readable, and with nothing in it that acts."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPED)


def well_formed(text: str) -> str:
    """Replace halves of surrogate pairs; they come from names of files that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
