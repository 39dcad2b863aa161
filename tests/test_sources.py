import os
import pickle

import pytest

from leverlint import sources
from leverlint.sources import Sources, Unreadable, decode, read


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"x = 1\n", b"x = 1\n", id="ascii"),
        pytest.param("é = 1\n".encode(), "é = 1\n".encode(), id="utf-8"),
        pytest.param(b"# coding: latin-1\n# \xe9\n", "# coding: latin-1\n# é\n".encode(), id="latin-1"),
        pytest.param(
            b"#!/usr/bin/python\n# -*- coding: cp1252 -*-\n# \x80\n",
            "#!/usr/bin/python\n# -*- coding: cp1252 -*-\n# €\n".encode(),
            id="cookie-in-second-line",
        ),
        pytest.param(b"\r# coding=latin-1\r# \xe9", "\r# coding=latin-1\r# é".encode(), id="cr-only"),
        pytest.param(
            b"x = 1\n# coding: latin-1\n# \xc3\xa9\n",
            "x = 1\n# coding: latin-1\n# é\n".encode(),
            id="cookie-behind-code-does-not-count",
        ),
        pytest.param(
            b"\n\n# coding: latin-1\n\xc3\xa9", "\n\n# coding: latin-1\né".encode(), id="third-line"
        ),
        pytest.param(b"# coding: nonsense\n\xc3\xa9", "# coding: nonsense\né".encode(), id="unknown-codec"),
        pytest.param(b"# coding: rot13\nnop", b"# coding: rot13\nnop", id="codec-that-is-none"),
        pytest.param(b"a\xff\n", "a\ufffd\n".encode(), id="broken-utf-8"),
        pytest.param(b"\xef\xbb\xbfx", b"\xef\xbb\xbfx", id="bom-stays"),
        pytest.param("é\n".encode("utf-16"), "é\n".encode(), id="utf-16"),
    ],
)
def test_decode(data, expected):
    assert decode(data) == expected


def test_a_cookie_means_nothing_in_rust():
    data = "# coding: latin-1\n// é\n".encode()
    assert decode(data, python=False) == data


def test_read_refuses_what_is_no_source(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "LIMIT", 100_000)
    (tmp_path / "binary.py").write_bytes(b"MZ\0\0")
    (tmp_path / "huge.py").write_bytes(b"x" * 100_001)
    (tmp_path / "large.py").write_bytes(b"x" * 100_000)
    for name, why in (
        ("binary.py", "is binary"),
        ("huge.py", "is larger than 0 MB"),
        ("missing.py", "cannot be read: no such file or directory"),
        ("", "cannot be read: is a directory"),
    ):
        with pytest.raises(Unreadable) as caught:
            read(os.path.join(tmp_path, name))
        assert caught.value.why == why
    assert len(read(str(tmp_path / "large.py"))) == 100_000


def test_unreadable_travels_between_processes():
    again = pickle.loads(pickle.dumps(Unreadable("a.py", "is binary")))
    assert (again.path, again.why) == ("a.py", "is binary")


def at(content, offset):
    return Sources("/nowhere", {"f": content}).position("f", offset)


def test_lines_end_where_editors_end_them():
    content = b"a\nb\r\nc\rd\x0be\x0cf"
    assert [at(content, content.index(letter)) for letter in (b"a", b"b", b"c", b"d", b"f")] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (4, 1),
        (4, 5),
    ]


def test_columns_count_characters_and_no_byte_order_mark():
    content = "\ufeffé😀x\né".encode()
    assert at(content, content.index(b"x")) == (1, 3)
    assert at(content, 0) == (1, 1)
    assert at(content, 3) == (1, 1)
    assert at(content, len(content)) == (2, 2)


def test_offsets_outside_of_the_file_give_its_ends():
    assert at(b"ab\nc", 99) == (2, 2)
    assert at(b"", 5) == (1, 1)


def test_line_text():
    files = Sources("/nowhere", {"f": "\ufeffone\r\ntwo\rthree\n".encode()})
    assert [files.line_text("f", line) for line in range(6)] == ["", "one", "two", "three", "", ""]


def test_a_file_that_has_gone_has_a_position_all_the_same(tmp_path):
    files = Sources(str(tmp_path))
    assert files.position("gone.py", 10) == (1, 1)
    with pytest.raises(Unreadable) as caught:
        files.content("gone.py")
    assert caught.value.path == "gone.py"
