"""Functions and macros of the standard library whose meaning is known."""

from leverlint.facts import Constant, Decoding, Path
from leverlint.languages.machine import HOME
from leverlint.languages.rust.numbers import LIMITS
from leverlint.languages.rust.outcome_calls import default_of
from leverlint.languages.rust.outcome_kinds import INTEGERS, NUMBERS, RUST_TYPES, Kind
from leverlint.languages.rust.outcomes import ERROR, NONE, RAISE, apply, both, choose

FORMS: dict[tuple[str, str], str] = {
    **dict.fromkeys((("url", "Url"), ("reqwest", "Url")), "url"),
    **{("jiff", name): "date" for name in ("Timestamp", "Zoned")},
    **{("chrono", name): "date" for name in ("DateTime", "NaiveDate", "NaiveDateTime")},
    **{("std", name): "address" for name in ("IpAddr", "Ipv4Addr", "Ipv6Addr")},
    ("std", "SocketAddr"): "socket",
}
"""By the crate and the name of a type: the form of its texts."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


WRAPPING = {"Some": "rs:some", "Ok": "rs:ok"}
CLOTHES = _words(
    """String::from OsString::from OsStr::new Cow::Borrowed Cow::from Cow::Owned Box::new Box::from Arc::from
    Arc::new Rc::from Rc::new Into::into From::from ToString::to_string ToOwned::to_owned AsRef::as_ref
    str::to_string str::to_owned Path::new PathBuf::from Clone::clone identity convert::identity
    AtomicBool::new AtomicUsize::new AtomicU64::new AtomicU32::new AtomicU8::new Mutex::new RwLock::new
    Cell::new RefCell::new OnceLock::from OnceCell::from Wrapping Reverse black_box String::as_str
    String::to_owned Option::as_deref"""
)
"""Functions that give their argument back in other clothes."""
INITIALISING = frozenset({"get_or_init", "get_or_try_init", "get_mut_or_init", "get_or_insert_with"})
LAZY = frozenset({"LazyLock::new", "Lazy::new", "LazyCell::new", "Lazy::const_new"})
OWNERS = frozenset(
    {"str", "String", "Option", "Result", "OsStr", "OsString", "Path", "PathBuf", "bool", "char"}
)
"""Types whose methods may be written as functions."""
PANICKING = frozenset({"panic", "unreachable", "todo", "unimplemented"})

_TAKING = {
    **dict.fromkeys(("from_secs", "from_millis", "from_micros", "from_nanos"), "u64"),
    **dict.fromkeys(("from_mins", "from_hours"), "u64"),
    "from_secs_f64": "f64",
    "from_secs_f32": "f32",
}
_SECONDS = {
    **dict.fromkeys(("from_secs", "from_secs_f64", "from_secs_f32"), 1),
    **{"from_millis": 1e-3, "from_micros": 1e-6, "from_nanos": 1e-9, "from_mins": 60, "from_hours": 3600},
}
_BOUNDS = (("ge", "MIN"), ("le", "MAX"))


def kind_of_argument(segments: Path, expected: Kind) -> Kind:
    """Give the kind that a function takes to give `expected`."""
    if segments[-2:-1] == ("Duration",):
        return _TAKING.get(segments[-1], "")
    return expected if segments[-1] in WRAPPING or "::".join(segments[-2:]) in CLOTHES else ""


def of_function(segments: Path, values: tuple[Decoding, ...], expected: Kind) -> Decoding | None:
    """Give what calling a function gives; `None` when it is none that is known."""
    last, owner = segments[-1], segments[-2] if len(segments) > 1 else ""
    if last == "Err":
        return ERROR
    if last == "exit" and owner == "process":
        return RAISE
    if not values:
        return _made_of_nothing(last, owner, expected)
    if owner == "cmp" and last in ("min", "max") and len(values) == 2:
        return apply(last, *values)
    if (owner, last) == ("Duration", "new") and len(values) == 2:
        return apply("duration", values[0], Constant(1), values[1], Constant(1e-9))
    if len(values) > 1:
        return None
    value = values[0]
    if owner == "Duration" and last in _SECONDS:
        return apply("duration", value, Constant(_SECONDS[last]))
    if last in WRAPPING:
        return apply(WRAPPING[last], value)
    if "::".join(segments[-2:]) in CLOTHES or segments in (("ToString", "to_string"), ("Into", "into")):
        return value
    if (owner, last) == ("path", "absolute"):
        return apply("rs:ok", value)
    if last == "from_str" and owner in RUST_TYPES:
        return apply(f"rs:parse:{owner}", value)
    if last == "from" and owner in NUMBERS:
        return value
    if last == "try_from" and owner in INTEGERS:
        fits = both(*(apply(sign, value, Constant(LIMITS[owner, limit])) for sign, limit in _BOUNDS))
        return choose(fits, apply("rs:ok", value), ERROR)
    if owner.startswith("NonZero") and last == "new":
        return choose(apply("equals", value, Constant(0)), NONE, apply("rs:some", value))
    return None


def _made_of_nothing(last: str, owner: str, expected: Kind) -> Decoding | None:
    if last == "home_dir" and owner in ("dirs", "env", "home", "etcetera"):
        return apply("rs:some", Constant(HOME))
    if last == "default":
        return default_of({"String": "text"}.get(owner, owner if owner in RUST_TYPES else expected))
    return Constant("") if (owner, last) == ("String", "new") else None
