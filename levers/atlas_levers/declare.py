"""The declaration kit: one line says which variable a field comes from and how it decodes.

    kv_poison: bool = opt_in("ATLAS_KV_POISON")

Each call makes a dataclass field and is typed as what the field holds. It knows neither class
nor field, so it refuses nothing: the group checks its declarations when its class is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field

TYPE_CHECKING = False  # the name that type checkers know; importing typing would cost 2 ms
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from atlas_levers.group import Levers

    Value = Callable[[str], str | None]
    Present = Callable[[str], bool]
    Read = Callable[[Value, Present, Mapping[str, object]], object]
    Decoded = TypeVar("Decoded")
    Default = TypeVar("Default")
    Group = TypeVar("Group", bound=Levers)


@dataclass(slots=True, eq=False)  # not frozen: that would double what a hundred of them cost at import
class Lever:
    """How one field is resolved."""

    decoding: str
    variables: tuple[str, ...]
    """Spellings of one lever, of which the first that has a value counts. With `any_present`,
    `custom` and `nested`: different variables, all of which count."""
    default: object
    read: Read
    """The field's value, given those of the fields declared before it."""
    decode: Callable[[str], object] | None = None
    """What a text means, where one text decides. `ValueError`: nothing, it counts as unset."""
    outcomes: tuple[object, ...] = ()
    """What the field must be able to hold besides the default."""
    implied_by: str = ""
    requires: str = ""
    shared: bool = False
    group: type[Levers] | None = None

    def meaning(self, text: str) -> object:
        """What one text decodes to."""
        try:
            return self.default if self.decode is None else self.decode(text)
        except ValueError:
            return self.default


# --- Switches ---------------------------------------------------------------------------------


class Switch:
    """Declares levers that are on or off.

    Without `decode` being set decides, whatever the value: empty and non-UTF-8 count.
    """

    __slots__ = ("decode", "decoding", "default")

    def __init__(self, decoding: str, *, default: bool, decode: Callable[[str], bool] | None = None) -> None:
        self.decoding = decoding
        self.default = default
        self.decode = decode

    # Without its default a missing name would fail here, where nobody knows whose name it is.
    def __call__(
        self,
        name: str = "",
        *,
        aliases: tuple[str, ...] = (),
        implied_by: str = "",
        requires: str = "",
        shared: bool = False,
    ) -> bool:
        """
        - `aliases`: further spellings of the variable;
        - `implied_by`: an earlier field that switches this one on whatever its variable says;
        - `requires`: an earlier field without which this one is off;
        - `shared`: another field has the same variable, on purpose.
        """
        variables = (name, *aliases)
        read = (
            _set_flips(variables, self.default)
            if self.decode is None
            else _first_text_decides(variables, self.decode, self.default)
        )
        if requires:
            read = _only_with(requires, read)
        if implied_by:
            read = _also_with(implied_by, read)
        lever = Lever(
            self.decoding,
            variables,
            self.default,
            read,
            self.decode,
            outcomes=(not self.default,),
            implied_by=implied_by,
            requires=requires,
            shared=shared,
        )
        return _field(lever, self.default)


opt_in = Switch("opt_in", default=False, decode=lambda text: text == "1")
"""Off, and on at exactly `1`."""

opt_out = Switch("opt_out", default=True, decode=lambda text: text != "0")
"""On, and off at exactly `0`."""

kill_switch = Switch("kill_switch", default=True, decode=lambda text: text != "1")
"""On, and off at exactly `1`: the variable is negative (`ATLAS_NO_X`), the field positive."""

truthy = Switch("truthy", default=False, decode=lambda text: text == "1" or text.lower() == "true")
"""Off, and on at `1` or at `true` in any case."""

truthy_exact = Switch("truthy_exact", default=False, decode=lambda text: text in ("1", "true"))
"""Off, and on at `1` or `true`."""

present = Switch("present", default=False)
"""Off, and on when set, whatever the value."""

kill_present = Switch("kill_present", default=True)
"""On, and off when set, whatever the value."""


def any_present(*names: str) -> bool:
    """Off, and on when any of the variables is set. They may well belong to other fields."""
    read = _set_flips(names, False)
    return _field(Lever("any_present", names, False, read, outcomes=(True,), shared=True), False)


# --- More than on and off -----------------------------------------------------------------------


def tri_state(name: str = "", *, aliases: tuple[str, ...] = (), shared: bool = False) -> bool | None:
    """On at `1`, off at `0`, otherwise `None`: undecided."""
    words = {"0": False, "1": True}
    return _text("tri_state", (name, *aliases), _look_up(words), None, (False, True), shared)


def choice(
    name: str,
    words: Mapping[str, Decoded],
    *,
    default: Default,
    aliases: tuple[str, ...] = (),
    shared: bool = False,
) -> Decoded | Default:
    """What the words, in exactly their case, stand for; the default at any other."""
    return _text("choice", (name, *aliases), _look_up(words), default, tuple(words.values()), shared)


def parsed(
    name: str,
    parse: Callable[[str], Decoded],
    *,
    default: Default,
    clamp: tuple[Decoded, Decoded] | None = None,
    unset: Decoded | None = None,
    aliases: tuple[str, ...] = (),
    shared: bool = False,
) -> Decoded | Default:
    """What `parse` makes of the text; the default where that raises `ValueError`.

    - `clamp`: bounds within which the value is held; they are read like the value itself, so
      that 0.99 is the `f32` next to it;
    - `unset`: a value that means the same as none.
    """

    def decode(text: str) -> Decoded | Default:
        number = parse(text)
        if unset is not None and number == unset:
            return default
        return number if clamp is None else _clamped(number, *map(parse, map(str, clamp)))

    return _text("parsed", (name, *aliases), decode, default, (), shared)


def custom(
    *names: str, decode: Callable[..., Decoded], default: Default, shared: bool = False
) -> Decoded | Default:
    """What `decode` makes of the texts of several variables, each `None` where there is none.

    The default when none has any, and where `decode` raises `ValueError`.
    """

    def read(value: Value, present: Present, earlier: Mapping[str, object]) -> object:
        texts = [value(name) for name in names]
        if all(text is None for text in texts):
            return default
        try:
            return decode(*texts)
        except ValueError:
            return default

    return _field(Lever("custom", names, default, read, shared=shared), default)


def nested(group: type[Group]) -> Group:
    """Another group as one field, resolved along with this one."""
    variables = tuple(name for lever in group.__levers__.values() for name in lever.variables)

    def read(value: Value, present: Present, earlier: Mapping[str, object]) -> Group:
        return group.from_values(value, present)

    lever = Lever("nested", variables, group.defaults(), read, group=group)
    return field(default_factory=group.defaults, metadata={"lever": lever})


# --- What they are made of ----------------------------------------------------------------------


def _field(lever: Lever, default: Default) -> Default:
    return field(default=default, metadata={"lever": lever})


def _text(
    decoding: str,
    variables: tuple[str, ...],
    decode: Callable[[str], object],
    default: Default,
    outcomes: tuple[object, ...],
    shared: bool,
) -> Default:
    read = _first_text_decides(variables, decode, default)
    return _field(Lever(decoding, variables, default, read, decode, outcomes, shared=shared), default)


def _first_text_decides(variables: tuple[str, ...], decode: Callable[[str], object], default: object) -> Read:
    def read(value: Value, present: Present, earlier: Mapping[str, object]) -> object:
        for name in variables:
            text = value(name)
            if text is not None:
                try:
                    return decode(text)
                except ValueError:
                    return default
        return default

    return read


def _set_flips(variables: tuple[str, ...], default: bool) -> Read:
    def read(value: Value, present: Present, earlier: Mapping[str, object]) -> object:
        for name in variables:
            if present(name):
                return not default
        return default

    return read


def _also_with(field_name: str, read: Read) -> Read:
    return lambda value, present, earlier: bool(earlier[field_name]) or read(value, present, earlier)


def _only_with(field_name: str, read: Read) -> Read:
    return lambda value, present, earlier: bool(earlier[field_name]) and read(value, present, earlier)


def _look_up(words: Mapping[str, Decoded]) -> Callable[[str], Decoded]:
    def decode(text: str) -> Decoded:
        if text not in words:
            raise ValueError(text)
        return words[text]

    return decode


def _clamped(number: Any, low: Any, high: Any) -> Any:
    """Like Rust's `clamp`, which lets NaN pass."""
    return low if number < low else high if number > high else number
