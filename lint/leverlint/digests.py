"""Short, stable digests of text: for the cache and for fingerprints."""

# The module behind `hashlib`, which would load OpenSSL as well: 2 ms of a run of 45.
from _blake2 import blake2b
from collections.abc import Iterable


def digest(parts: Iterable[str]) -> str:
    """Give 32 hexadecimal digits; parts are kept apart."""
    hashed = blake2b(digest_size=16)
    for part in parts:
        # Halves of surrogate pairs can be spelt in names, and stand for odd bytes in paths.
        hashed.update(part.encode("utf-8", "surrogatepass"))
        hashed.update(b"\0")
    return hashed.hexdigest()


def checksum(content: bytes) -> str:
    """Give 32 hexadecimal digits that tell whether bytes are still what they were."""
    return blake2b(content, digest_size=16).hexdigest()
