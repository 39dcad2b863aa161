from leverlint.diagnostics import Diagnostic
from leverlint.facts import Span
from leverlint.fingerprints import assign
from leverlint.sources import Sources


def prints(content, needle=b"READ", **changes):
    sources = Sources("/nowhere", {"a.py": content, "b.py": content})
    findings = []
    at = content.find(needle)
    while at >= 0:
        finding = Diagnostic("LVR101", "raw-read", "error", "a.py", Span(at, at + 1), "ATLAS_X", "m", "h")
        findings.append(finding._replace(**changes))
        at = content.find(needle, at + 1)
    return [finding.fingerprint for finding in assign(findings, sources)]


def test_edits_elsewhere_do_not_matter():
    assert prints(b"x = READ\n") == prints(b"import os\n\nif y:\n    x  =  READ\r\nz\n")
    assert prints(b"x = READ\n") == prints(b"x = READ\n", message="other", severity="hint", code="LVR999")


def test_rule_lever_path_and_line_matter():
    same = b"x = READ\n"
    variants = [
        prints(same),
        prints(b"y = READ\n"),
        prints(same, rule="env-write"),
        prints(same, lever=None),
        prints(same, path="b.py"),
    ]
    assert len({one for (one,) in variants}) == len(variants)


def test_equal_ones_are_counted():
    twice = prints(b"x = READ\nx = READ\n")
    assert len(set(twice)) == 2
    assert twice[0] == prints(b"x = READ\n")[0]
