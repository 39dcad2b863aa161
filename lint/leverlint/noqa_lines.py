"""The lines that one `# noqa` comment covers, as flake8 counts them.

Usually that is its own line. Text in triple quotes and lines joined by a backslash are one
line to flake8, so that the comment behind them covers all of them.
"""

from functools import lru_cache


def noqa_lines(content: bytes, line: int) -> frozenset[int]:
    """Give the numbers of the lines that a comment on `line` covers."""
    # Only these can join lines; without them there is no need for Python's tokenizer.
    if b'"""' not in content and b"'''" not in content and b"\\\n" not in content and b"\\\r" not in content:
        return frozenset((line,))
    for start, end in _joined(content):
        if start <= line <= end:
            return frozenset(range(start, end + 1))
    return frozenset((line,))


@lru_cache(maxsize=4)
def _joined(content: bytes) -> tuple[tuple[int, int], ...]:
    """Give the first and last line of each run of lines that flake8 takes as one."""
    import io
    import tokenize

    runs = []
    first, last = 0, 0
    try:
        for token in tokenize.tokenize(io.BytesIO(content).readline):
            if token.type in (tokenize.ENCODING, tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first = min(first or token.start[0], token.start[0])
            last = max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                if last > first:
                    runs.append((first, last))
                first, last = 0, 0
    except (tokenize.TokenError, SyntaxError):
        # flake8 gives up on the whole file then.
        return ()
    return tuple(runs)
