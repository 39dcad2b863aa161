"""`atlas_levers.rust_values` against Rust itself, and against its grammar where there is no Rust."""

import re
import struct
from fractions import Fraction
from math import copysign, inf, isinf, isnan
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_levers import USIZE_MAX, GemmDispatch, ModelLevers, f32, f64, i64, u32, usize

GOLDEN = Path(__file__).parents[2] / "fixtures" / "levers" / "golden"

integers = st.integers(-(2**65), 2**65).map(str) | st.from_regex(r"[+-]{0,2}0*[0-9]{1,21}", fullmatch=True)
decimals = (
    st.floats(width=32).map(repr)
    | st.floats(0, 1).map(repr)
    | st.from_regex(r"[+-]?[0-9]{0,9}\.?[0-9]{0,30}([eE][+-]?[0-9]{1,3})?", fullmatch=True)
)
words = st.sampled_from(["inf", "INFINITY", "nan", "true", "TRUE", "1", "0", "v1", "", "+", ".", "e5"])
near_misses = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", " ", "_", "+", "-"]),
    integers | decimals | words,
    st.text(max_size=2),
)
texts = integers | decimals | words | near_misses | st.text(max_size=8)
# The environment holds no NUL, and a corpus no line that means "absent".
values = texts.filter(lambda text: "\0" not in text and text != "absent")


def in_corpus(text):
    return "".join(
        chr(byte) if 0x20 < byte < 0x7F and byte != 0x5C else f"\\x{byte:02x}" for byte in text.encode()
    )


def parsed(parse, text):
    try:
        return parse(text)
    except ValueError:
        return None


def written(value, float_format="f", bits_format="I"):
    if isinstance(value, float):
        return str(struct.unpack(f"<{bits_format}", struct.pack(f"<{float_format}", value))[0])
    return "none" if value is None else str(value).lower()


def test_the_vectors_are_what_rust_prints_today(rust_decodings):
    corpus = (GOLDEN / "corpus.txt").read_text(encoding="utf-8")
    assert rust_decodings(corpus) == (GOLDEN / "vectors.tsv").read_text(encoding="utf-8")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(values, min_size=40, max_size=150))
def test_generated_values_decode_as_in_rust(rust_decodings, generated):
    header, *rows = rust_decodings("".join(in_corpus(text) + "\n" for text in generated)).split("\n")[:-1]
    for text, row in zip(generated, rows, strict=True):
        rust = dict(zip(header.split("\t"), row.split("\t"), strict=True))
        for parse in (usize, u32, i64, f32):
            assert written(parsed(parse, text)) == rust[parse.__name__], (parse, text)
        assert written(parsed(f64, text), "d", "Q") == rust["f64"], text
        for field, variable, outcomes in (
            ("kv_poison", "ATLAS_KV_POISON", "opt_in"),
            ("gdn_wyn", "ATLAS_GDN_WYN", "opt_out"),
            ("gemv_sw", "ATLAS_NO_GEMV_SW", "kill_switch"),
            ("lora_eager", "ATLAS_LORA_EAGER", "truthy"),
            ("ep_graphs", "ATLAS_EP_GRAPHS", "truthy_exact"),
            ("moe_prefill_exact_tiles", "ATLAS_MOE_PREFILL_EXACT_TILES", "tri_state"),
            ("shadow_topk", "ATLAS_MTP_SHADOW_TOPK", "usize|0<=8"),
            ("draft_conf_tau", "ATLAS_MTP_DRAFT_CONF", "f32|0<=0.99"),
        ):
            assert written(getattr(ModelLevers.from_env({variable: text}), field)) == rust[outcomes], text
        variant = GemmDispatch.from_env({"ATLAS_W4A16_VARIANT": text}).w4a16_variant
        assert str(variant) == rust["choice:v1=1,v2=2,v3=3"]


@given(texts)
def test_integers_follow_the_grammar(text):
    well_formed = re.fullmatch(r"\+?[0-9]+", text)
    number = int(text) if well_formed else -1
    assert parsed(usize, text) == (number if 0 <= number <= USIZE_MAX else None)
    assert parsed(u32, text) == (number if 0 <= number < 2**32 else None)
    signed = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else 2**63
    assert parsed(i64, text) == (signed if -(2**63) <= signed < 2**63 else None)


@given(texts)
def test_floats_follow_the_grammar(text):
    well_formed = re.fullmatch(
        r"[+-]?(inf|infinity|nan|([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)", text, re.IGNORECASE | re.ASCII
    )
    for parse in (f32, f64):
        assert (parsed(parse, text) is not None) == bool(well_formed)


@given(st.from_regex(r"[0-9]{1,9}\.[0-9]{1,30}(e-?[0-9]{1,2})?", fullmatch=True))
def test_an_f32_is_the_nearest_one(text):
    assert is_nearest(f32(text), Fraction(text))


@given(st.integers(1, 0x7F7F_FFFE), st.integers(-1, 1))
def test_an_f32_beside_the_middle_of_two_goes_to_its_own_side(bits, side):
    low, high = (Fraction(value_of(each)) for each in (bits, bits + 1))
    middle = (low + high) / 2
    # An f64 cannot tell the three apart, which is what makes rounding twice go wrong.
    written_out = decimal_text(middle) + {-1: "", 0: "", 1: "1"}[side]
    exact = Fraction(written_out) if side >= 0 else middle - Fraction(1, 10**200)
    if side < 0:
        written_out = decimal_text(exact)
    assert is_nearest(f32(written_out), exact)


def value_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def decimal_text(number):
    """A fraction whose denominator is a power of two or ten, in full."""
    whole, rest = divmod(number, 1)
    places = 400
    return f"{whole}.{int(rest * 10**places):0{places}d}"


def is_nearest(value, exact):
    if isinf(value):
        return exact >= 2**128 - 2**103
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    distance = abs(Fraction(value) - exact)
    beside = [Fraction(value_of(each)) for each in (bits - 1, bits + 1) if 0 <= each < 0x7F80_0000]
    return all(
        distance < abs(other - exact) or (distance == abs(other - exact) and bits % 2 == 0)
        for other in beside
    )


@pytest.mark.parametrize("text", ["-0", "-0.0", "-1e-60"])
def test_a_negative_zero_keeps_its_sign(text):
    assert f32(text) == 0
    assert copysign(1, f32(text)) == -1


def test_what_does_not_fit_an_f32_is_infinite():
    assert f32("1e39") == inf
    assert f32("-1e39") == -inf
    assert isnan(f32("-NaN"))


def test_thousands_of_digits_are_no_trouble():
    assert usize("0" * 5000 + "7") == 7
    with pytest.raises(ValueError, match="above"):
        usize("9" * 5000)
