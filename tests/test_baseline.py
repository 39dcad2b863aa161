from collections import Counter

import pytest

from leverlint.baseline import Entry, apply, entry, match, renew
from leverlint.diagnostics import Diagnostic, Related
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.sources import Sources


def finding(path="a.py", within="f", text="READ", rule="raw-read", lever="ATLAS_X", at=0, **more):
    """Give a finding, and put the code that it marks into `code`."""
    start = len(code.setdefault(path, b""))
    code[path] += f"{text}\n".encode()
    span = Span(start, start + len(text.encode()))
    return Diagnostic("LVR101", rule, "error", path, span, lever, "m", "h", within=within, **more)


code = {}


@pytest.fixture(autouse=True)
def _clean():
    code.clear()


def sources():
    return Sources("/nowhere", code)


def entries(*findings):
    return Counter(entry(each, sources()) for each in findings)


def test_an_entry_says_what_where_and_in_which_code():
    assert entry(finding(text="os.environ.get(\n    'ATLAS_X',\n    [ 1,],\n)"), sources()) == Entry(
        "a.py", "f", "raw-read", "ATLAS_X", "os.environ.get('ATLAS_X', [1])"
    )
    assert entry(finding(lever=None, text="x" * 500), sources()) == Entry(
        "a.py", "f", "raw-read", "", "x" * 160
    )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"text": "EDITED"},
        {"within": "renamed"},
        {"path": "b.py"},
        {"path": "b.py", "within": "Class.f"},
        {"path": "b.py", "text": "EDITED"},
    ],
    ids=["the same", "edited", "function renamed", "moved", "moved into a class", "moved and edited"],
)
def test_what_is_still_the_same(changes):
    known = entries(finding())
    found = match([finding(**changes)], known, sources())
    assert (found.new, found.stale) == ((), {})


@pytest.mark.parametrize(
    "changes",
    [
        {"lever": "ATLAS_Y"},
        {"rule": "cached-read"},
        {"within": "g", "text": "OTHER"},
        {"path": "b.py", "within": "g"},
        {"path": "b.py", "within": "g", "text": "OTHER"},
    ],
    ids=["lever", "rule", "function and code", "file and function", "everything"],
)
def test_what_is_something_else(changes):
    known = entries(finding())
    other = finding(**changes)
    found = match([other], known, sources())
    assert found.new == (other,)
    assert dict(found.stale) == known


def test_the_top_of_one_file_has_nothing_to_do_with_that_of_another():
    known = entries(finding(within=""))
    assert match([finding(path="b.py", within="", text="OTHER")], known, sources()).new
    assert not match([finding(path="a.py", within="", text="OTHER")], known, sources()).new
    assert not match([finding(path="b.py", within="")], known, sources()).new


@pytest.mark.parametrize(
    ("function", "left_behind", "is_new"),
    [
        ("f", "def f(): pass", True),
        ("f", "fn f() {}", True),
        ("f", "def g(): f()", False),
        ("A.f", "class A:\n    def f(self): pass", True),
        ("A.f", "class B:\n    def f(self): pass", False),
        ("A.f", "impl A {}\nimpl B { fn f() {} }\nimpl C { fn f() {} }", False),
    ],
    ids=[
        "still there",
        "still there in Rust",
        "gone",
        "method still there",
        "class renamed",
        "one of several",
    ],
)
def test_another_function_takes_an_entry_when_its_own_is_gone(function, left_behind, is_new):
    known = entries(finding(within=function))
    code["a.py"] = left_behind.encode()
    for path in ("a.py", "b.py"):
        other = finding(path=path, within="B.f")
        assert match([other], known, sources()).new == ((other,) if is_new else ())


def test_the_top_of_a_file_is_no_function():
    assert match([finding(within="g")], entries(finding(within="")), sources()).new
    assert match([finding(within="")], entries(finding(within="g")), sources()).new


def test_one_more_is_new_however_like_the_others():
    known = entries(finding(), finding())
    found = [finding(), finding(), finding()]
    assert match(found, known, sources()).new == (found[2],)
    edited = finding(text="EDITED")
    assert match([*found[:2], edited], known, sources()).new == (edited,)


def test_a_copy_is_new_and_a_move_is_not():
    original, copy = finding(), finding(path="b.py")
    assert match([original, copy], entries(original), sources()).new == (copy,)
    assert match([copy], entries(original), sources()).new == ()


def test_what_is_the_same_comes_before_what_is_alike():
    old, new = finding(path="b.py"), finding(path="a.py")
    assert match([new, old], entries(old), sources()).new == (new,)


def test_a_finding_about_two_places_may_be_reported_at_the_other_one():
    first = finding("a.py", "f", "FIRST", "decode-mismatch")
    second = finding("b.py", "g", "SECOND", "decode-mismatch")
    about_first = first._replace(related=(Related("b.py", second.span, "the other"),))
    about_second = second._replace(related=(Related("a.py", first.span, "the other"),))
    assert match([about_first], entries(about_second), sources()).new == ()
    assert match([first], entries(second), sources()).new == (first,)


def test_findings_about_the_check_itself_are_never_in_a_baseline():
    broken = finding(rule="syntax-error", lever=None)
    assert match([broken], entries(broken), sources()).new == (broken,)
    assert match([broken], entries(broken), sources()).stale == {}
    assert renew(Report((broken,)), {}, sources(), lambda entry: True).baseline == {}


def test_applying_counts_and_leaves_the_new_ones():
    old, new = finding(), finding(lever="ATLAS_Y")
    report, stale = apply(Report((old, new), files=3, suppressed=1), entries(old), sources())
    assert report == Report((new,), files=3, suppressed=1, baselined=1)
    assert stale == {}


def test_a_copy_of_what_is_still_elsewhere_is_new():
    original, copy = finding(), finding(path="b.py")
    report, _ = apply(Report((copy,), elsewhere=(original,)), entries(original), sources())
    assert report.findings == (copy,)
    report, _ = apply(Report((copy,)), entries(original), sources())
    assert report.findings == ()


def test_renewing_takes_what_is_new_and_drops_what_is_gone():
    old, gone, new = finding(), finding(lever="ATLAS_GONE"), finding(lever="ATLAS_NEW")
    renewal = renew(Report((old, new)), entries(old, gone), sources(), lambda entry: True)
    assert renewal == (entries(old, new), entries(new), entries(gone))


def test_renewing_keeps_what_was_not_looked_at():
    here, there, gone = finding(), finding(path="b.py"), finding(path="c.py", lever="ATLAS_Z")
    known = entries(here, there, gone)
    renewal = renew(Report((here,), elsewhere=(there,)), known, sources(), lambda entry: False)
    assert renewal == (known, {}, {})


def test_renewing_writes_down_where_things_are_now():
    old, moved = finding(), finding(path="b.py", text="EDITED")
    assert renew(Report((moved,)), entries(old), sources(), lambda entry: True) == (entries(moved), {}, {})
