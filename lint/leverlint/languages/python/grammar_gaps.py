"""What Python takes and the published grammar does not, put into words that it knows.

Only a text that has errors is looked at; what is put in its place is as long as what it was.
"""

import re

# Defaults of type parameters: `class Box[T = int]:`.
_DEFAULTS = re.compile(
    rb"^([ \t]*(?:class|(?:async[ \t]+)?def|type)[ \t]+\w+)"
    rb"(\[(?:[^\[\]\"'#]|\[[^\[\]]*\])*=(?:[^\[\]#]|\[[^\[\]]*\])*\])",
    re.MULTILINE,
)
_OLD_LINE_END = re.compile(rb"\r(?!\n)")


def without_gaps(text: bytes) -> bytes:
    """Give a text of the same length that the grammar understands better."""
    text = _OLD_LINE_END.sub(b"\n", text)
    return _DEFAULTS.sub(lambda found: found[1] + re.sub(rb"[^\n]", b" ", found[2]), text)
