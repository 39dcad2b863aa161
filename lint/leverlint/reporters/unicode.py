"""Text that every consumer can take: JSON, XML and UTF-8 know no half of a surrogate pair."""


def well_formed(text: str) -> str:
    """Replace halves of surrogate pairs; they come from names of files that are no text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
