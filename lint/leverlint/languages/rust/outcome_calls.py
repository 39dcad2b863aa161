"""What the methods of `Option`, `Result`, text and numbers make of a value."""

from collections.abc import Callable

from leverlint.facts import UNTOLD, Apply, Constant, Decoding
from leverlint.languages.rust.outcome_kinds import (
    INTEGERS,
    NUMBERS,
    Kind,
)
from leverlint.languages.rust.outcomes import (
    ERROR,
    FALSE,
    NONE,
    TRUE,
    apply,
    both,
    choose,
    either,
)

Applied = Callable[[tuple[Decoding, ...]], Decoding]
"""A closure or function given to a method: gives its result for arguments."""

SAME = frozenset(
    [
        "as_deref",
        "as_ref",
        "as_str",
        "clone",
        "cloned",
        "copied",
        "to_owned",
        "into",
        "as_os_str",
        "as_mut",
        "borrow",
        "as_deref_mut",
        "to_path_buf",
        "into_boxed_str",
        "into_owned",
        "as_path",
        "deref",
        "leak",
        "inspect",
        "inspect_err",
        "map_err",
        "as_bytes",
        "as_encoded_bytes",
        "to_os_string",
        "into_os_string",
        "into_string_lossy",
        "into_bytes",
        "as_mut_str",
        "by_ref",
        "into_inner",
        "get_mut",
        "into_boxed_path",
        "to_vec",
        "as_slice",
        "await",
    ]
)
"""Methods that give a value back in other clothes."""

_TO_RESULT = frozenset({"ok_or", "ok_or_else", "context", "with_context", "wrap_err", "wrap_err_with"})

_TEXT = {
    "trim": "strip",
    "trim_start": "lstrip",
    "trim_end": "rstrip",
    "to_lowercase": "lower",
    "to_uppercase": "upper",
    "to_ascii_lowercase": "rs:lower_ascii",
    "to_ascii_uppercase": "rs:upper_ascii",
    "is_empty": "is_empty",
    "len": "rs:len",
    "to_string_lossy": "rs:lossy",
    "trim_ascii": "strip",
}
_SIGNS = {
    "is_numeric": "py:isnumeric",
    "is_alphabetic": "py:isalpha",
    "is_alphanumeric": "py:isalnum",
    "is_whitespace": "py:isspace",
    "is_uppercase": "py:isupper",
    "is_lowercase": "py:islower",
}
"""Methods of a sign; with `ascii` in them they want it to be ASCII as well."""
_TEXT_PAIRS = {
    "starts_with": "starts_with",
    "ends_with": "ends_with",
    "eq_ignore_ascii_case": "rs:equals_ignore_case",
    "contains": "contains",
    "trim_matches": "py:strip_chars",
}
_NUMBER_METHODS = {
    "min": "min",
    "max": "max",
    "clamp": "clamp",
    "abs": "rs:abs",
    "is_finite": "rs:is_finite",
    "is_nan": "rs:is_nan",
    "is_power_of_two": "rs:is_power_of_two",
    "next_power_of_two": "rs:next_power_of_two",
    "div_ceil": "rs:div_ceil",
    "is_positive": "rs:is_positive",
}
_WITHIN_LIMITS = frozenset({"add", "sub", "mul"})
"""What `saturating_` and `wrapping_` operations calculate before they look at what the type holds."""
_TIMES = {
    **{"as_secs_f64": 1.0, "as_secs_f32": 1.0},
    **{"as_secs": 1.0, "as_millis": 1e-3, "as_micros": 1e-6, "as_nanos": 1e-9},
}
_DEFAULTS: dict[str, Decoding] = {"bool": FALSE, "text": Constant(""), "float": Constant(0.0)}


def default_of(kind: Kind) -> Decoding:
    """Give what `Default::default()` is for a kind."""
    if kind in _DEFAULTS:
        return _DEFAULTS[kind]
    if kind in NUMBERS:
        return Constant(0 if kind in INTEGERS or kind == "int" else 0.0)
    return NONE if kind.startswith("option:") else UNTOLD


def on_wrapped(
    name: str,
    value: Decoding,
    kind: Kind,
    given: tuple[Decoding, ...],
    functions: tuple[Applied, ...],
    default: Decoding,
) -> Decoding | None:
    """Give what a method of `Option` and `Result` makes of a value that may stand in several places.

    `given` are the arguments as values, `functions` the same as things to call, `default` is the
    default of what is inside; `None` when there is no such method.
    """
    holds, payload = apply("rs:holds", value), apply("rs:payload", value)
    none = ERROR if kind.startswith("result:") else NONE
    left = NONE if kind.startswith("option:") else value
    match name, len(given):
        case (("is_ok" | "is_some"), 0):
            return holds
        case (("is_err" | "is_none"), 0):
            return apply("not", holds)
        case "ok", 0:
            return apply("rs:to_option", value)
        case "err", 0:
            return choose(holds, NONE, UNTOLD)
        case (("unwrap" | "expect"), _):
            return apply("rs:unwrap", value)
        case "unwrap_or", 1:
            return _or_else(value, payload, given[0])
        case "unwrap_or_default", 0:
            return _or_else(value, payload, default)
        case "unwrap_or_else", 1:
            return choose(holds, payload, functions[0]((UNTOLD,)))
        case "map", 1:
            return choose(holds, apply("rs:rewrap", value, functions[0]((payload,))), left)
        case (("and_then" | "flat_map"), 1):
            return choose(holds, functions[0]((payload,)), left)
        case "filter", 1:
            return choose(holds, choose(functions[0]((payload,)), value, NONE), left)
        case (("is_some_and" | "is_ok_and"), 1):
            return choose(holds, functions[0]((payload,)), FALSE)
        case "is_none_or", 1:
            return choose(holds, functions[0]((payload,)), TRUE)
        case "map_or", 2:
            return choose(holds, functions[1]((payload,)), given[0])
        case "map_or_else", 2:
            return choose(holds, functions[1]((payload,)), functions[0]((UNTOLD,)))
        case "or", 1:
            return choose(holds, value, given[0])
        case "or_else", 1:
            return choose(holds, value, functions[0]((UNTOLD,)))
        case "and", 1:
            return choose(holds, given[0], left)
        case "flatten", 0:
            return choose(holds, payload, none)
        case "transpose", 0:
            return _transposed(value, kind)
    if name in _TO_RESULT:
        return apply("rs:to_result", value)
    return None


def _or_else(value: Decoding, payload: Decoding, default: Decoding) -> Decoding:
    if isinstance(default, Constant):
        return apply("rs:unwrap_or", value, default)
    return choose(apply("rs:holds", value), payload, default)


def _transposed(value: Decoding, kind: Kind) -> Decoding:
    """Turn `Option<Result<T>>` into `Result<Option<T>>`, or the other way round."""
    payload = apply("rs:payload", value)
    inside = apply("rs:payload", payload)
    holds_both = apply("rs:holds", payload)
    if kind.startswith("option:"):
        some = apply("rs:ok", apply("rs:some", inside))
        return choose(apply("rs:holds", value), choose(holds_both, some, ERROR), apply("rs:ok", NONE))
    if kind.startswith("result:"):
        some = apply("rs:some", apply("rs:ok", inside))
        return choose(apply("rs:holds", value), choose(holds_both, some, NONE), apply("rs:some", ERROR))
    return UNTOLD


def on_plain(name: str, value: Decoding, kind: Kind, given: tuple[Decoding, ...]) -> Decoding | None:
    """Give what a method of text, numbers and booleans makes of a value."""
    if name in _TEXT and not given and kind not in NUMBERS:
        return apply(_TEXT[name], value)
    if (name in _SIGNS or name == "is_digit" or name.replace("_ascii", "") in _SIGNS_OF_ASCII) and (
        kind not in NUMBERS
    ):
        return _of_sign(name, value, given)
    if name in _TEXT_PAIRS and len(given) == 1:
        if isinstance(value, Apply) and value.operation == "tuple":
            return apply("in", given[0], value) if name == "contains" else UNTOLD
        return apply(_TEXT_PAIRS[name], value, given[0])
    if name in _NUMBER_METHODS:
        return apply(_NUMBER_METHODS[name], value, *given)
    way, _, calculation = name.partition("_")
    if way in ("saturating", "wrapping") and calculation in _WITHIN_LIMITS and len(given) == 1:
        width = kind.removeprefix("nonzero_")
        return apply(f"rs:{way}:{width if width in INTEGERS else 'int'}", apply(calculation, value, given[0]))
    if name in _TIMES and not given:
        amount = apply("in_units", value, Constant(_TIMES[name]))
        return amount if name.startswith("as_secs_") else apply("rs:as:u128", amount)
    match name, len(given):
        case "eq", 1:
            return apply("equals", value, given[0])
        case "ne", 1:
            return apply("not", apply("equals", value, given[0]))
        case "strip_prefix", 1:
            cut = apply("remove_prefix", value, given[0])
            return choose(apply("starts_with", value, given[0]), apply("rs:some", cut), NONE)
        case "strip_suffix", 1:
            cut = apply("remove_suffix", value, given[0])
            return choose(apply("ends_with", value, given[0]), apply("rs:some", cut), NONE)
        case "join", 1 if kind == "text":
            return apply("path_join", value, given[0])
        case "replace", 2:
            return apply("replace", value, *given)
        case "to_str", 0:
            return apply("rs:to_str", value)
        case "into_string", 0:
            return apply("rs:to_result", apply("rs:to_str", value))
        case "to_string", 0:
            return value if kind in ("text", "") else UNTOLD
        case "then_some", 1:
            return choose(value, apply("rs:some", given[0]), NONE)
        case "not", 0:
            return apply("not", value)
        case "get", 0 if kind in NUMBERS:
            return value
        case "kind", 0 if kind == "refusal":
            return value
        case "is_zero", 0:
            return apply("equals", value, Constant(0))
        case (("unwrap" | "expect"), _):
            return UNTOLD
    return None


_SIGNS_OF_ASCII = {
    **{each: operation for each, operation in _SIGNS.items() if each != "is_numeric"},
    "is_digit": "py:isdecimal",
}


def _of_sign(name: str, value: Decoding, given: tuple[Decoding, ...]) -> Decoding:
    if name == "is_digit":
        decimal = len(given) == 1 and isinstance(given[0], Constant) and given[0].value == 10
        return both(apply("rs:is_ascii", value), apply("py:isdecimal", value)) if decimal else UNTOLD
    if given:
        return UNTOLD
    if name in _SIGNS:
        return apply(_SIGNS[name], value)
    operation = _SIGNS_OF_ASCII[name.replace("_ascii", "")]
    return both(apply("rs:is_ascii", value), apply(operation, value))


def then(value: Decoding, function: Applied) -> Decoding:
    """Give `value.then(function)` for a boolean."""
    return choose(value, apply("rs:some", function(())), NONE)


def any_of(results: list[Decoding]) -> Decoding:
    found: Decoding = FALSE
    for result in reversed(results):
        found = either(result, found)
    return found
