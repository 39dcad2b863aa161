"""Every field, at every value of the corpus, is what the engine's decodings make of it."""

import os
import struct
import sys
from itertools import product
from pathlib import Path

import pytest

import atlas_levers
from atlas_levers import DFlashLevers, DrafterContext, ModelLevers

LEVERS = Path(__file__).parents[2] / "fixtures" / "levers"


def read_table(path):
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    header, *rows = (line.split("\t") for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]


def raw(written):
    """The bytes that a corpus line stands for; `None`: the variable is not set."""
    if written == "absent":
        return None
    return written.encode("ascii").decode("unicode_escape").encode("latin-1")


VECTORS = [(raw(row.pop("value")), row) for row in read_table(LEVERS / "golden" / "vectors.tsv")]
TABLE = read_table(LEVERS / "table.tsv")
FROM_ONE_VARIABLE = [row for row in TABLE if row["outcomes"] not in ("constant", "nested")]


def outcome(value):
    """A value, written the way the Rust program writes it."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    if isinstance(value, float):
        return str(struct.unpack("<I", struct.pack("<f", value))[0])
    return str(value)


def ids(rows):
    return [f"{row['group']}.{row['field']}" for row in rows]


def group_of(row):
    return getattr(atlas_levers, row["group"])


def test_the_corpus_is_large_and_varied():
    values = {value for value, _ in VECTORS}
    assert len(values) == len(VECTORS) > 400
    assert {None, b"", b"1", b" 1", b"TRUE", b"1_000", "٣".encode(), b"1\xff", b"nan"} <= values


@pytest.mark.parametrize("row", FROM_ONE_VARIABLE, ids=ids(FROM_ONE_VARIABLE))
def test_a_field_is_what_rust_makes_of_its_variable(row):
    group, wrong = group_of(row), []
    for variable, (value, outcomes) in product(row["variables"].split(","), VECTORS):
        environ = {} if value is None else {variable: os.fsdecode(value)}
        resolved = outcome(getattr(group.from_env(environ), row["field"]))
        if resolved != outcomes[row["outcomes"]]:
            wrong.append((value, resolved, outcomes[row["outcomes"]]))
    assert not wrong


@pytest.mark.parametrize("row", FROM_ONE_VARIABLE, ids=ids(FROM_ONE_VARIABLE))
def test_a_field_is_the_same_from_bytes_and_from_functions(row):
    group, variable = group_of(row), row["variables"].split(",")[0]
    for value, outcomes in VECTORS[:120]:
        binary = {} if value is None else {variable.encode(): value}
        texts = {name.decode(): text for name, held in binary.items() if (text := decoded(held)) is not None}
        set_names = {name.decode() for name in binary}
        for levers in (group.from_env(binary), group.from_values(texts.get, set_names.__contains__)):
            assert outcome(getattr(levers, row["field"])) == outcomes[row["outcomes"]]


def decoded(value):
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("row", TABLE, ids=ids(TABLE))
def test_a_default_is_the_one_of_the_table(row):
    default = getattr(group_of(row).defaults(), row["field"])
    if row["outcomes"] == "nested":
        assert default == DrafterContext.BOTH
    elif row["type"] == "f32":
        assert default == float(row["default"])
    else:
        assert outcome(default) == row["default"]


@pytest.mark.parametrize("row", TABLE, ids=ids(TABLE))
def test_a_field_has_the_variables_and_the_type_of_the_table(row):
    lever = group_of(row).__levers__[row["field"]]
    assert set(row["variables"].split(",")) - {""} <= set(lever.variables)
    types = {
        "usize": int,
        "u32": int,
        "u8": int,
        "f32": float,
        "bool": bool,
        "DrafterContext": DrafterContext,
    }
    optional = row["type"].startswith("Option<")
    inner = types[row["type"].removeprefix("Option<").removesuffix(">")]
    assert group_of(row).__annotations__[row["field"]] == (inner | None if optional else inner)


@pytest.mark.parametrize("group", ["ModelLevers", "DFlashLevers", "GemmDispatch", "DrafterContext"])
def test_a_group_has_the_fields_of_the_table_and_no_others(group):
    fields = {row["field"] for row in TABLE if row["group"] == group}
    assert set(getattr(atlas_levers, group).__levers__) == fields


def test_no_foreign_letter_passes_for_true():
    """`truthy` may lower the text as Unicode only as long as this holds: Rust lowers ASCII."""
    lowered = {chr(code).lower() for code in range(128, sys.maxunicode + 1)}
    assert not lowered & set("true")


def test_the_full_dump_is_one_lever_in_two_groups():
    for value, _ in VECTORS:
        environ = {} if value is None else {"ATLAS_DFLASH_DEBUG_DUMP_FULL": os.fsdecode(value)}
        model, dflash = ModelLevers.from_env(environ), DFlashLevers.from_env(environ)
        assert model.dflash_debug_dump_full == dflash.debug_dump_full
