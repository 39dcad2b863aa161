"""Finding identifiers in the bytes of a source."""

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
