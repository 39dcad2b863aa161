"""What a file says about levers, in words that no programming language owns.

A language turns bytes into one `FileFacts`; the index merges the facts of all files and
answers questions. Facts are named tuples: cheap to build, comparable, and storable as plain
JSON. They hold byte offsets into the file, never lines, text or syntax nodes.

What facts do not model: control flow, types beyond "this name holds an instance of that
class", values that are no text, and anything a lever cannot travel through. What a language
cannot tell is `Unknown`, never a guess.
"""

from typing import NamedTuple

Path = tuple[str, ...]
"""A dotted name, resolved as far as its own file allows.

The first segment says where to start:

- `"."`: the module scope of this file (`(".", "Reader", "flag")`, in Rust with inline modules
  in between: `(".", "tests", "flag")`);
- `"/some/dir"`: a directory of the tree, for imports relative to a file (`"/"` is its root);
- anything else: a module, package or crate as written (`("os", "environ", "get")`,
  `("std", "env", "var")`, `("crate", "levers", "flag")`, `("super", "flag")`).
"""


class Span(NamedTuple):
    """A half-open byte range of one file."""

    start: int
    end: int


# --- Expressions: how a name comes to be -------------------------------------------------


class Text(NamedTuple):
    """A string literal, with the place that it is written at."""

    value: str
    span: Span


class Parameter(NamedTuple):
    """A parameter of a function of this file, by its index in `FileFacts.functions`."""

    function: int
    index: int  # type: ignore[assignment]  # a tuple has a method of that name


class Reference(NamedTuple):
    """Whatever `path` leads to: a constant, an import, a function, a class."""

    path: Path


class Joined(NamedTuple):
    """Text put together from parts; what is unknown in it becomes `*` in a pattern."""

    parts: tuple["Expression", ...]


class AnyOf(NamedTuple):
    """One of several: both arms of a condition, every value a variable may hold."""

    options: tuple["Expression", ...]


class Items(NamedTuple):
    """An array, tuple, list or set display, in order. For a mapping: its keys."""

    items: tuple["Expression", ...]


class Element(NamedTuple):
    """Any one item of a sequence, as a `for` loop or a closure over an iterator sees it."""

    sequence: "Expression"


class Item(NamedTuple):
    """The item at a fixed position of a tuple or array: `name` in `for name, value in PAIRS`."""

    sequence: "Expression"
    index: int  # type: ignore[assignment]  # a tuple has a method of that name


class FunctionValue(NamedTuple):
    """A function of this file used as a value: a closure, lambda or nested function."""

    function: int


class Instance(NamedTuple):
    """An object made by calling the class that `path` leads to."""

    path: Path
    arguments: "tuple[Argument, ...] | None" = None
    """What it was made with; `None` where that is not told."""


class Attribute(NamedTuple):
    """A member of an object that is not a name's: of a parameter, of each item of a table."""

    owner: "Expression"
    name: str


class Changed(NamedTuple):
    """Text put through an operation that keeps it text: `upper`, `lower`, `strip`; or a name, `spelled`."""

    operation: str
    operand: "Expression"


class Returned(NamedTuple):
    """What the function of another file that `path` leads to returns for these arguments."""

    path: Path
    arguments: tuple["Expression", ...]


class Unknown(NamedTuple):
    """Something this model has no words for."""


Expression = (
    Text
    | Parameter
    | Reference
    | Joined
    | AnyOf
    | Items
    | Element
    | Item
    | FunctionValue
    | Instance
    | Attribute
    | Changed
    | Returned
    | Unknown
)

UNKNOWN = Unknown()


# --- Decodings: what is made of a value -----------------------------------------------------


class Answer(NamedTuple):
    """What the recorded call at `span` gives: the environment's answer, or what a wrapper made of it."""

    span: Span


class Constant(NamedTuple):
    """A value written in the code. Bytes are given as their text."""

    value: bool | int | float | str | None


class Named(NamedTuple):
    """A constant of this file or another: its `Definition.meaning`."""

    path: Path


class Passed(NamedTuple):
    """What the caller handed to a parameter of the function whose result is described."""

    parameter: Parameter


class Apply(NamedTuple):
    """An operation that `leverlint.operations` lists, on values."""

    operation: str
    arguments: tuple["Decoding", ...]


class If(NamedTuple):
    """One of two, by a condition that is `True` or `False`."""

    condition: "Decoding"
    then: "Decoding"
    otherwise: "Decoding"


class Attempt(NamedTuple):
    """`body`, or `otherwise` when working it out raises."""

    body: "Decoding"
    otherwise: "Decoding"


class Let(NamedTuple):
    """`value` is worked out once and is `Local(number)` in `body`; numbers are unique in a function."""

    number: int
    value: "Decoding"
    body: "Decoding"


class Local(NamedTuple):
    number: int


class Helper(NamedTuple):
    """The result of a function that is given these values and reads nothing itself.

    A path that starts with `"self"` is a method of the class that follows, or of the class made
    from it that the object is of.
    """

    function: Path | FunctionValue
    arguments: tuple["Decoding", ...]
    keywords: tuple[tuple[str, "Decoding"], ...] = ()


class Raise(NamedTuple):
    """Here an exception is raised, or the program panics or ends."""


class Untold(NamedTuple):
    """Code that this model has no words for."""


Decoding = Answer | Constant | Named | Passed | Apply | If | Attempt | Let | Local | Helper | Raise | Untold

UNTOLD = Untold()


class Exact(NamedTuple):
    """An expression around a call that is worth exactly what `decoding` says, and does nothing else.

    `Call.decoding` is what the code most likely makes of an answer; this is what can be proved.
    """

    span: Span
    decoding: Decoding
    type: str = ""
    """The type of its value, in a language that has them: `bool`, `usize`, `option:f32`."""


# --- What is declared ---------------------------------------------------------------------


class Function(NamedTuple):
    """A function, method, closure, lambda or macro that matters to some name."""

    path: Path
    """Its path in the file without the leading `"."`; `("",)` for a closure or lambda."""
    kind: str
    """`function`, `method`, `closure` or `macro`."""
    span: Span
    parameters: tuple[str, ...]
    """Names in order, without `self`, `cls` or a Rust receiver."""
    variadic: int = -1
    """Index of the parameter that takes all remaining positional arguments."""
    parent: int = -1
    """Index of the function around it."""
    test: bool = False
    memoised: Span | None = None
    """Where it is said that results are kept: the `lru_cache` decorator."""
    private: bool = False
    """Only the directory that it is defined in, and what lies below, can or should use it."""
    result: Decoding = UNTOLD
    """What it returns, for a function whose result depends on a read, or that decodes a value."""
    defaults: tuple[Decoding | None, ...] = ()
    """Of the parameters, in order; `None` where there is none."""
    repeated: bool = False
    """A macro whose arguments may come in rows, each with one for every parameter."""
    receiver: bool = False
    """Called by its path, it is given its object before its parameters."""
    exact: bool = False
    """Working `result` out, exactly as it is told, is all that the function does."""
    keywords: int = -1
    """Index of the parameter that takes all remaining keyword arguments, as a mapping."""


class Definition(NamedTuple):
    """A name of module, class or inline module scope and what it stands for."""

    path: Path
    """Without the leading `"."`: `("NAME",)`, `("EnvVars", "INSECURE")`."""
    value: Expression
    span: Span
    imported: bool = False
    """Made by an import, `use` or re-export."""
    meaning: Decoding = UNTOLD
    """The value as data: a default, a set of accepted words."""


class Class(NamedTuple):
    """A class, struct or trait whose members may be looked up through its bases."""

    path: Path
    bases: tuple[Path, ...]
    open: bool = False
    """A method called on one may be that of any class below it: a trait."""
    extends: Path = ()
    """The class, of another file, that its members are members of: what an `impl` is for."""
    members: tuple[str, ...] = ()
    """Methods that are its own and not those of a base, whether or not there are facts of them."""


class Glob(NamedTuple):
    """`from m import *`, `use m::*`: names not found in `scope` may come from `target`."""

    scope: Path
    target: Path


class Submodule(NamedTuple):
    """Another file that this one pulls in (`mod x;`, `#[path]`, `include!`)."""

    name: Path
    """Module path within this file; `()` for an `include!`, whose items land in the scope."""
    files: tuple[str, ...]
    """The files that it may be, best first, relative to the root of the tree."""
    test: bool


# --- What is done ---------------------------------------------------------------------------


class Kept(NamedTuple):
    """A place that holds on to the value for longer than one model lives."""

    how: str
    """One of `KEPT`."""
    name: str
    """Name of the static, global, attribute, parameter or function; may be empty."""
    span: Span
    by_caller: bool = False
    """A caller of the function around the call keeps what it returns; other callers may not."""


KEPT = frozenset(
    {
        "static",
        "thread-local",
        "module-global",
        "class-attribute",
        "parameter-default",
        "decorator-argument",
        "memoised-function",
        "compile-time",
    }
)


class Lossy(NamedTuple):
    """What happens to a value that is not UTF-8."""

    how: str
    """`absent` (set, yet treated as unset), `replaced`, `dropped` or `panics`."""
    span: Span


class Field(NamedTuple):
    """The field, attribute, accessor or mapping key that a value is stored under."""

    owner: str
    """Class, struct, or empty."""
    name: str
    kind: str
    """`field` (struct literal, constructor keyword), `attribute` (class body), `global`,
    `key` (of a mapping) or `function` (the value is what a function of that name returns)."""


class Argument(NamedTuple):
    keyword: str
    """Empty for a positional argument."""
    value: Expression


class Call(NamedTuple):
    """A call, subscript or macro use that may touch the environment.

    A language records what it cannot rule out; whether it is a read, a write or nothing is
    the index's finding, by what `callee` leads to. Subscripts and operators are spelt as
    the methods that they stand for (`__getitem__`, `__contains__`, `__setitem__`, `__delitem__`).
    """

    callee: Path | Parameter | FunctionValue
    arguments: tuple[Argument, ...]
    span: Span
    """From the first token of the callee to the end of the call, without later method calls."""
    function: int = -1
    """Index of the innermost function around it, `-1` at module level."""
    test: bool = False
    kept: Kept | None = None
    lossy: Lossy | None = None
    field: Field | None = None
    used: Span | None = None
    """The whole expression that the result flows into (chain, comparison, conversion);
    `None` when the result is thrown away."""
    decides: Span | None = None
    """The code that is run or not by what the result is, where it is asked as a condition: the whole
    `if` with all branches, and what stands behind it when a branch leaves; or the whole expression."""
    leads_to: tuple[Path, ...] = ()
    """Functions that are called in the branches of the `if` that the result is the condition of."""
    decoding: Decoding = UNTOLD
    """What the code around the call makes of its `Answer`, up to the point where that is a
    boolean, number, choice or text; `UNTOLD` when it goes where this model does not follow."""
    values: tuple[Decoding, ...] = ()
    """The arguments as data, parallel to `arguments`: defaults and flags of wrappers."""
    tested: bool = False
    """Whether the text is there at all is asked: it is a condition, or becomes one. May be too much."""
    exact: tuple[Exact, ...] = ()
    """The expressions around the call that say all about its value, innermost first. Each can be
    replaced by another one with the same value; comments in them are the only thing lost."""
    stored: Span | None = None
    """The whole expression that `field` is set to, where it always is; `None` when other code decides."""
    receiver: "Expression | None" = None
    """The object whose method is called, where the callee's path does not name it. The first segment
    of the callee is `""` when the class of that object is not known to this file."""
    unbound: bool = False
    """The callee is named by its path: a method gets its object as the first argument."""
    prefix_test: str = ""
    """For a walk over the environment: the text that names must start with, when it is
    tested where the walk is."""


class Comment(NamedTuple):
    """A comment that may suppress findings; `text` starts behind the comment sign."""

    span: Span
    text: str
    alone: bool
    """Nothing else stands on its line."""


class Mention(NamedTuple):
    """A literal with a lever prefix: every one, whether or not it turns out to be read."""

    value: str
    span: Span


class SyntaxFault(NamedTuple):
    """Where parsing lost its way."""

    span: Span
    message: str


class FileFacts(NamedTuple):
    path: str
    """Relative to the root of the tree, with `/`."""
    language: str
    calls: tuple[Call, ...] = ()
    functions: tuple[Function, ...] = ()
    definitions: tuple[Definition, ...] = ()
    classes: tuple[Class, ...] = ()
    globs: tuple[Glob, ...] = ()
    submodules: tuple[Submodule, ...] = ()
    mentions: tuple[Mention, ...] = ()
    comments: tuple[Comment, ...] = ()
    faults: tuple[SyntaxFault, ...] = ()
    test: bool = False
    """The whole file is test code, by its path or an inner attribute."""
    build_script: bool = False
    learnt: bool = False
    """By itself the file says nothing about levers: it was read for what others said of it."""


class Vocabulary(NamedTuple):
    """What a language must look for in a file beyond its own environment API.

    Facts are a pure function of path, bytes and vocabulary.
    """

    prefixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Further lever names without a prefix."""
    wrappers: tuple[str, ...] = ()
    """Last segments of functions known to read; calls to them are recorded whatever the
    arguments are."""
    decodings: bool = True
    """Fill in `Call.decoding`, `Call.values`, `Function.result` and `Definition.meaning`."""
    helpers: tuple[str, ...] = ()
    """Last segments of functions of this file whose `Function.result` another file asks for."""
    members: tuple[str, ...] = ()
    """Dotted paths of this file that others ask the `Definition` of: `Config.process`, for a function
    with `()` behind it for what it returns; more may follow that belongs to what that is."""


# --- What the environment API of a language does ----------------------------------------------


class Api(NamedTuple):
    """What calling one path does to the process's environment."""

    kind: str
    """`read`, `write`, `walk` (over all variables), or what a build script declares: `rerun` (an input),
    `supply` (what the package is compiled with)."""
    name: int = 0
    """Index of the positional argument that is the variable's name; `-1`: none."""
    keyword: str = ""
    """Keyword under which the name may be given as well (`key` of `os.getenv`)."""
    template: bool = False
    """The argument is text with `$NAME` or `${NAME}` in it."""
    lossy: str = ""
    """See `Lossy.how`: inherent in this API, whatever is done with the result."""
    compile_time: bool = False
    also_writes: bool = False
    """A read that changes the environment too (`pop`, `setdefault`)."""
    if_used: bool = False
    """A read only where something is done with the result (`setdefault` of a copy)."""
    variadic: bool = False
    """All positional arguments from `name` on are names."""
    answer: str = ""
    """What a read gives: `get` (text, or the default at `default`), `item` (text, or it raises),
    `contains`, `var` (Rust's `Result`), `var_os` (`Option`), `raw` (text or nothing, for
    declarations, whose decoding says the rest); empty: cannot be told."""
    default: int = 1
    """For `get`: index of the default among the positional arguments; its keyword is `default`."""
    deferred: bool = False
    """A declaration: the variable is read later, so nothing keeps its value here."""
    builds: bool = False
    """A method of a builder, which it gives back to be built on."""
