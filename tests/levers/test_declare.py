"""The declaration kit: what each decoding makes of a value, and which declarations are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Optional

import pytest

from atlas_levers import (
    LeverError,
    Levers,
    any_present,
    choice,
    custom,
    f32,
    kill_present,
    kill_switch,
    opt_in,
    opt_out,
    parsed,
    present,
    tri_state,
    truthy,
    truthy_exact,
    usize,
)


@dataclass(frozen=True, slots=True)
class Kit(Levers):
    one: bool = opt_in("T_ONE", aliases=("T_UNO", "T_EIN"))
    implied: bool = opt_in("T_IMPLIED", implied_by="one")
    both: bool = opt_out("T_BOTH", requires="one")
    again: bool = truthy("T_ONE", shared=True)
    number: int | None = parsed("T_NUMBER", usize, default=None, unset=0, clamp=(2, 8), aliases=("T_NUM",))
    share: float = parsed("T_SHARE", f32, default=0.5, clamp=(0.1, 0.9))
    word: str = choice("T_WORD", {"slow": "slow", "fast": "fast"}, default="auto")
    area: int = custom("T_WIDTH", "T_HEIGHT", decode=lambda w, h: int(w or 1) * int(h or 1), default=-1)
    plain: str = "carried along"
    constant: ClassVar[int] = 3


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"T_ONE": "1"}, {"one": True, "implied": True, "both": True, "again": True}),
        ({"T_ONE": "0", "T_IMPLIED": "1"}, {"implied": True}),
        ({"T_ONE": "1", "T_BOTH": "0"}, {"one": True, "implied": True, "again": True}),
        ({"T_UNO": "1"}, {"one": True, "implied": True, "both": True}),
        ({"T_EIN": "1", "T_UNO": "0"}, {}),
        ({"T_ONE": "no", "T_UNO": "1"}, {}),
        ({"T_ONE": "\udcff", "T_UNO": "1"}, {"one": True, "implied": True, "both": True}),
        ({"T_ONE": "TRUE"}, {"again": True}),
        ({"T_NUMBER": "0"}, {}),
        ({"T_NUMBER": "1"}, {"number": 2}),
        ({"T_NUMBER": "99"}, {"number": 8}),
        ({"T_NUMBER": "x", "T_NUM": "5"}, {}),
        ({"T_NUM": "5"}, {"number": 5}),
        ({"T_SHARE": "7"}, {"share": f32("0.9")}),
        ({"T_SHARE": "x"}, {}),
        ({"T_WORD": "fast"}, {"word": "fast"}),
        ({"T_WORD": "Fast"}, {}),
        ({"T_WIDTH": "3", "T_HEIGHT": "5"}, {"area": 15}),
        ({"T_HEIGHT": "5"}, {"area": 5}),
        ({"T_HEIGHT": "x"}, {}),
    ],
    ids=str,
)
def test_a_declaration_decodes_as_it_says(environ, expected):
    assert Kit.from_env(environ) == Kit(**{"both": False, **expected})


def test_a_required_field_that_is_off_takes_the_default_along():
    assert Kit.from_env({}) == Kit(both=False)


def test_any_present_counts_whatever_the_value():
    @dataclass(frozen=True, slots=True)
    class Watching(Levers):
        first: bool = opt_in("T_FIRST")
        armed: bool = any_present("T_FIRST", "T_SECOND")

    assert Watching.from_env({"T_FIRST": "0"}) == Watching(armed=True)
    assert Watching.from_env({"T_SECOND": "\udcff"}) == Watching(armed=True)
    assert Watching.from_env({"T_THIRD": "1"}) == Watching()


def test_annotations_that_only_type_checkers_know_are_left_to_them():
    class Fine(Levers):
        unknown: Missing = opt_in("T_UNKNOWN")  # noqa: F821
        anything: Any = opt_in("T_ANYTHING")
        optional: Optional[bool] = tri_state("T_OPTIONAL")  # noqa: UP045
        words: tuple[str, ...] = custom("T_WORDS", decode=lambda text: tuple(text.split()), default=())

    assert list(Fine.__levers__) == ["unknown", "anything", "optional", "words"]


def body(**members):
    """A class body with one declaration, `field`, unless told otherwise."""
    annotations = members.pop("__annotations__", {"field": bool})
    return {"__annotations__": annotations, "__module__": __name__, "__qualname__": "Wrong", **members}


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (lambda: body(field=opt_in()), "Wrong.field names no variable"),
        (lambda: body(field=kill_present("")), "Wrong.field names no variable"),
        (lambda: body(field=any_present()), "Wrong.field names no variable"),
        (lambda: body(field=opt_in(None)), "Wrong.field names no variable"),
        (lambda: body(field=opt_in("A B")), "Wrong.field 'A B' is no name of a variable"),
        (lambda: body(field=opt_in("A=1")), "Wrong.field 'A=1' is no name of a variable"),
        (lambda: body(field=opt_in("A", aliases=("A",))), "Wrong.field names a variable twice"),
        (lambda: body(field=opt_in("A"), __annotations__={}), "Wrong.field needs a type"),
        (lambda: body(), "Wrong.field needs a lever or a plain default"),
        (
            lambda: body(field=opt_in("A"), __annotations__={"field": int}),
            "is a `int`, but `opt_in` defaults to False",
        ),
        (lambda: body(field=opt_in("A"), __annotations__={"field": "str"}), "is a `str`, but `opt_in`"),
        (lambda: body(field=tri_state("A")), "Wrong.field is a `bool`, but `tri_state` defaults to None"),
        (
            lambda: body(field=choice("A", {"a": "x"}, default=0), __annotations__={"field": int}),
            "Wrong.field is a `int`, but `choice` decodes to 'x'",
        ),
        (
            lambda: body(field=parsed("A", usize, default="2"), __annotations__={"field": int}),
            "Wrong.field is a `int`, but `parsed` defaults to '2'",
        ),
        (
            lambda: body(field=parsed("A", usize, default=None), __annotations__={"field": int}),
            "Wrong.field is a `int`, but `parsed` defaults to None",
        ),
        (
            lambda: body(field=parsed("A", f32, default=0), __annotations__={"field": float}),
            "Wrong.field is a `float`, but `parsed` defaults to 0",
        ),
        (lambda: body(field="off"), "Wrong.field is a `bool`, but `constant` defaults to 'off'"),
        (
            lambda: body(
                first=opt_in("A"), field=opt_out("A"), __annotations__={"first": bool, "field": bool}
            ),
            "Wrong.field has A from `first`; say shared=True if that is meant",
        ),
        (
            lambda: body(
                first=opt_in("A"),
                field=opt_in("B", aliases=("A",)),
                __annotations__={"first": bool, "field": bool},
            ),
            "Wrong.field has A from `first`",
        ),
        (lambda: body(field=opt_in("A", implied_by="missing")), "Wrong.field depends on `missing`"),
        (lambda: body(field=opt_in("A", requires="field")), "Wrong.field depends on `field`"),
        (
            lambda: body(get=opt_in("A"), __annotations__={"get": bool}),
            "Wrong.get would hide `get` of every group",
        ),
    ],
)
def test_a_wrong_declaration_is_refused_by_class_and_field(members, message):
    with pytest.raises(LeverError) as caught:
        type("Wrong", (Levers,), members())
    assert message in str(caught.value)
    assert str(caught.value).startswith("Wrong.")


@pytest.mark.parametrize(
    "decoding", [opt_in, opt_out, kill_switch, truthy, truthy_exact, present, kill_present]
)
def test_a_switch_says_what_it_is(decoding):
    class Group(Levers):
        field: bool = decoding("T_FIELD")

    lever = Group.__levers__["field"]
    assert (lever.decoding, lever.variables) == (decoding.decoding, ("T_FIELD",))
