"""Finding identifiers and other tokens in the bytes of a source."""

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(
    range(128, 256)
)


def words(source: bytes, token: bytes, start: int, end: int, most: int = 1 << 30) -> list[int]:
    """Give where a whole identifier stands."""
    found: list[int] = []
    length = len(token)
    at = source.find(token, start, end)
    while at >= 0 and len(found) < most:
        before = source[at - 1] if at else 0
        after = source[at + length] if at + length < len(source) else 0
        if before not in _WORD and after not in _WORD:
            found.append(at)
        at = source.find(token, at + length, end)
    return found


def places(source: bytes, token: bytes, start: int = 0, end: int | None = None) -> list[int]:
    """Give the offsets of a token within a range, in order."""
    found = []
    stop = len(source) if end is None else end
    at = source.find(token, start, stop)
    while at >= 0:
        found.append(at)
        at = source.find(token, at + len(token), stop)
    return found
