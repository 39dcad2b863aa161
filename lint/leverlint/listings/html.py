"""For a browser: one page that needs nothing else, with a field to filter by."""

from collections.abc import Iterable, Sequence
from html import escape

from leverlint.catalogue import Row, alike
from leverlint.listings import View
from leverlint.listings.words import (
    SHOWN,
    counted,
    decoding,
    decoding_word,
    fields,
    outcome_word,
    passage_place,
    place,
)
from leverlint.reporters.cells import harmless

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Levers</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 14px/1.5 system-ui, sans-serif; margin: 2rem; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }}
th {{ position: sticky; top: 0; background: Canvas; }}
tbody tr {{ border-top: 1px solid #8884; }}
code, td.o {{ font-family: ui-monospace, monospace; font-size: 13px; }}
.on {{ color: #2a8c4a; }} .error {{ color: #d33; }} .unknown {{ color: #888; }}
input {{ font: inherit; padding: .3rem .5rem; width: 22rem; margin: .5rem 0 1rem; }}
ul {{ margin: .2rem 0; padding-left: 1.2rem; }} summary {{ cursor: pointer; }}
</style>
</head>
<body>
<h1>Levers</h1>
<p>{count}. Read from the source code; what each value does is worked out, not tried.</p>
<input id="filter" type="search" placeholder="Filter by name, field, file or text" aria-label="Filter">
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}</tbody>
</table>
<script>
const filter = document.getElementById("filter");
filter.addEventListener("input", () => {{
  const words = filter.value.toLowerCase().split(/\\s+/);
  for (const row of document.querySelectorAll("tbody tr")) {{
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }}
}});
</script>
</body>
</html>
"""

_HEAD = ("lever", "decoding", "default", *SHOWN, "field", "read at", "documentation")


def render(rows: Sequence[Row], view: View) -> str:
    return _PAGE.format(
        count=counted(len(rows), "lever"),
        head="".join(f"<th>{_text(name)}</th>" for name in _HEAD),
        rows="".join(_row(row, view) for row in rows),
    )


def _row(row: Row, view: View) -> str:
    main = row.main
    _, meaning = decoding(main)
    outcomes = [outcome_word(main.default), *(outcome_word(main.of(value), value) for value in SHOWN)]
    cells = [
        f"<td><code>{_text(row.lever)}</code></td>",
        f'<td title="{_text(meaning)}">{_text(decoding_word(row))}</td>',
        *map(_outcome, outcomes),
        f"<td><code>{_text(fields(row))}</code></td>",
        f"<td>{_details(_readers(row, view))}</td>",
        f"<td>{_details(_passages(row, view))}</td>",
    ]
    return f'<tr id="{_text(row.lever)}">{"".join(cells)}</tr>\n'


def _outcome(word: str) -> str:
    kind = {"on": "on", "error": "error", "?": "unknown"}.get(word, "")
    return f'<td class="o {kind}">{_text(word)}</td>' if kind else f'<td class="o">{_text(word)}</td>'


def _readers(row: Row, view: View) -> Iterable[str]:
    """Give the places, the one that the row shows first; those that do otherwise say what they do."""
    for group in sorted(alike(row.readers), key=lambda group: row.main not in group):
        same = row.main in group
        for reader in group:
            said = "" if same else f" ({decoding(reader)[0] or 'otherwise'})"
            yield f"<code>{_text(place(reader, view))}</code>{_text(said)}{' test' if reader.test else ''}"


def _passages(row: Row, view: View) -> Iterable[str]:
    for passage in row.documented:
        yield f"<code>{_text(passage_place(passage, view))}</code> {_text(passage.text)}"


def _details(entries: Iterable[str]) -> str:
    """Show the first entry, and the others behind it."""
    first, *others = [*entries] or [""]
    if not others:
        return first
    listed = "".join(f"<li>{entry}</li>" for entry in others)
    return f"<details><summary>{first} (+{len(others)})</summary><ul>{listed}</ul></details>"


def _text(text: str) -> str:
    return escape(harmless(text))
