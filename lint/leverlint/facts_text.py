"""Facts as text that a person can read: for golden files and for looking at a language's work."""

from collections.abc import Iterable

from leverlint.facts import (
    AnyOf,
    Argument,
    Attribute,
    Call,
    Changed,
    Element,
    Expression,
    FileFacts,
    Function,
    FunctionValue,
    Instance,
    Item,
    Items,
    Joined,
    Parameter,
    Path,
    Reference,
    Returned,
    Span,
    Text,
)


def facts_text(facts: FileFacts, source: bytes) -> str:
    """Render `facts` with `line:column` places, one fact a line, in the order of the file."""
    return "".join(line + "\n" for line in _Renderer(facts, source).lines())


class _Renderer:
    def __init__(self, facts: FileFacts, source: bytes) -> None:
        self.facts = facts
        self.source = source

    def lines(self) -> list[str]:
        facts = self.facts
        flags = [name for name in ("test", "build_script") if getattr(facts, name)]
        found = [f"file {facts.language} {' '.join(flags)}".rstrip()]
        found += [
            f"{self.place(definition.span)} define {'.'.join(definition.path)} = "
            f"{self.expression(definition.value)}{' (imported)' * definition.imported}"
            for definition in facts.definitions
        ]
        found += [f"class {'.'.join(c.path)}({', '.join(map(_dotted, c.bases))})" for c in facts.classes]
        found += [f"glob {'.'.join(g.scope) or '.'} <- {_dotted(g.target)}" for g in facts.globs]
        found += [
            f"submodule {'.'.join(s.name) or '(included)'}: {' or '.join(s.files)}{' test' * s.test}"
            for s in facts.submodules
        ]
        found += [self.function(index, f) for index, f in enumerate(facts.functions)]
        found += [self.call(call) for call in facts.calls]
        found += [f"{self.place(m.span)} mention {m.value!r}" for m in facts.mentions]
        found += [f"{self.place(c.span)} comment {c.text!r}{' alone' * c.alone}" for c in facts.comments]
        found += [f"{self.place(f.span)} fault {f.message}" for f in facts.faults]
        return found

    def function(self, index: int, function: Function) -> str:
        parameters = [
            "*" * (position == function.variadic) + "**" * (position == function.keywords) + name
            for position, name in enumerate(function.parameters)
        ]
        extra = " test" * function.test + " memoised" * bool(function.memoised)
        inside = f" in #{function.parent}" if function.parent >= 0 else ""
        name = ".".join(function.path)
        return (
            f"{self.place(function.span)} #{index} {function.kind} "
            f"{name}({', '.join(parameters)}){inside}{extra}"
        )

    def call(self, call: Call) -> str:
        notes = []
        if call.receiver is not None:
            notes.append(f"of {self.expression(call.receiver)}")
        if call.function >= 0:
            notes.append(f"in #{call.function}")
        if call.test:
            notes.append("test")
        if call.kept:
            notes.append(f"kept: {call.kept.how} {call.kept.name}".rstrip())
        if call.lossy:
            notes.append(f"lossy: {call.lossy.how} at {self.place(call.lossy.span)}")
        if call.field:
            owner = call.field.owner + "." if call.field.owner else ""
            notes.append(f"{call.field.kind} {owner}{call.field.name}")
        if call.prefix_test:
            notes.append(f"names start with {call.prefix_test!r}")
        if call.used is None:
            notes.append("unused")
        elif call.used != call.span:
            notes.append(f"used in {self.place(call.used)}-{self.place(Span(call.used.end, 0))}")
        callee = call.callee
        name = _dotted(callee) if _is_path(callee) else self.expression(callee)  # type: ignore[arg-type]
        called = f"{self.place(call.span)} call {name}({self.arguments(call.arguments)})"
        return called + "".join(f"; {note}" for note in notes)

    def arguments(self, arguments: Iterable[Argument]) -> str:
        return ", ".join(
            (argument.keyword + "=" if argument.keyword else "") + self.expression(argument.value)
            for argument in arguments
        )

    def expression(self, value: Expression) -> str:
        match value:
            case Text(text, _):
                return repr(text)
            case Parameter(function, index):
                parameters = self.facts.functions[function].parameters
                return f"<{parameters[index]} of #{function}>"
            case Reference(path):
                return _dotted(path)
            case Joined(parts):
                return " + ".join(map(self.expression, parts))
            case AnyOf(options):
                return f"({' | '.join(map(self.expression, options))})"
            case Items(items):
                return f"[{', '.join(map(self.expression, items))}]"
            case Element(sequence):
                return f"each of {self.expression(sequence)}"
            case Item(sequence, index):
                return f"item {index} of {self.expression(sequence)}"
            case FunctionValue(function):
                return f"#{function}"
            case Instance(path, arguments):
                return f"{_dotted(path)}({self.arguments(arguments or ())})"
            case Attribute(owner, name):
                return f"{self.expression(owner)}.{name}"
            case Changed(operation, operand):
                return f"{operation}({self.expression(operand)})"
            case Returned(path, arguments):
                return f"{_dotted(path)}({', '.join(map(self.expression, arguments))})"
        return "?"

    def place(self, span: Span) -> str:
        before = self.source[: span.start].decode("utf-8", "replace")
        return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def _is_path(callee: object) -> bool:
    return type(callee) is tuple


def _dotted(path: Path) -> str:
    return ("." + ".".join(path[1:])) if path[0] == "." else ".".join(path)
