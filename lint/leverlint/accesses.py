"""Finding out which calls touch the environment, through whatever wrappers they pass.

A *wrapper* is a function one of whose parameters becomes the name of a read or write. Its own
body is no access of a known lever; each call of it with a known name is. Wrappers of wrappers
are found by running to a fixpoint.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from leverlint.facts import (
    AnyOf,
    Api,
    Argument,
    Attribute,
    Call,
    Element,
    Expression,
    FileFacts,
    Function,
    FunctionValue,
    Instance,
    Items,
    Kept,
    Lossy,
    Parameter,
    Path,
    Reference,
    Text,
)
from leverlint.languages import Language
from leverlint.members import Members, Receivers
from leverlint.naming import UNKNOWN, Hole, Namer, Template, argument_at, names_in_text
from leverlint.objects import CONSTRUCTORS, FunctionKey, Objects, Site
from leverlint.resolution import ClassTarget, External, Resolver, Value


class Step(NamedTuple):
    """One call on the way from a named call to the environment."""

    file: str
    call: Call
    wrapper: Function
    """The function whose parameter is the name."""

    @property
    def name(self) -> str:
        """What a caller calls: a function, or a class for its constructor; empty for a closure."""
        path = self.wrapper.path
        return path[-2] if path[-1] in CONSTRUCTORS and len(path) > 1 else path[-1]


class Access(NamedTuple):
    """A call that reads or changes the environment under a name that is known, at least in part."""

    file: str
    call: Call
    api: Api
    template: Template
    via: tuple[Step, ...]
    """The calls inside wrappers that it passes, outermost first; empty for a direct use of the API."""
    kept: Kept | None
    lossy: Lossy | None


class Effect(NamedTuple):
    """What calling a wrapper does, as a function of its arguments."""

    api: Api
    template: Template
    via: tuple[Step, ...]
    kept: Kept | None
    lossy: Lossy | None
    deferred: bool
    """The call only prepares the access: it makes a descriptor, or a function to be called later."""
    of_any: bool = False
    """A part of the name is what some object of the class was made with, for methods of all of them."""


class Accesses:
    """All accesses of a project, and the wrappers that they were found through."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        resolver: Resolver,
        languages: Mapping[str, Language],
        declared: Mapping[str, int],
    ) -> None:
        self._facts = facts
        self._resolver = resolver
        self._languages = languages
        self._declared = declared
        self._objects = Objects(facts, resolver, self.callers)
        self._namer = Namer(resolver, self._objects)
        self._receivers = Receivers(
            resolver, self._objects, lambda file, parameter: self._handed_over(file, parameter, frozenset())
        )
        self._members = Members(facts, self._namer, self._receivers, self.callers)
        self._apis: dict[int, tuple[Api, ...]] = {}
        self._callers: dict[FunctionKey, list[Site]] = {}
        self._functions: dict[int, tuple[FunctionKey, ...]] = {}
        self._handed: dict[tuple[str, Parameter], tuple[Expression, ...]] = {}
        self.effects: dict[FunctionKey, list[Effect]] = {}
        self.found: dict[Access, None] = {}
        self.read_by_methods: dict[Access, None] = {}
        """Reads by methods of objects that stand for a variable. Making the object is in `found`."""
        self._sites = [Site(path, call) for path, file in facts.items() for call in file.calls]
        self._resolve_callees()
        self._run()

    def callers(self, key: FunctionKey) -> list[Site]:
        """Give the calls that lead to a function."""
        return self._callers.get(key, [])

    def wrappers(self) -> list[FunctionKey]:
        """Give the functions whose calls must be looked at in every file."""
        delegating = {
            (site.file, site.call.callee.function)
            for site in self._sites
            if isinstance(site.call.callee, Parameter)
        }
        delegating |= {
            (site.file, parameter.function)
            for site in self._sites
            if site.call.callee[0] == "" and (parameter := _asked(site.call.receiver)) is not None
        }
        return sorted({*self.effects, *delegating})

    def apis(self, call: Call) -> tuple[Api, ...]:
        """Give what a call of the project does to the environment by itself."""
        return self._apis.get(id(call), ())

    def functions(self, call: Call) -> tuple[FunctionKey, ...]:
        """Give the functions of the project that a call may call."""
        return self._functions.get(id(call), ())

    def named_by_first(self, key: FunctionKey) -> bool:
        """Say whether a wrapper's first parameter is, as it stands, the name that it reads."""
        effects = self.effects.get(key, ())
        if self._facts[key[0]].functions[key[1]].keywords == 0:
            return False
        whole = {(Hole(*key, 0),), (Hole(*key, 0, ("element",)),)}
        return bool(effects) and all(effect.template.parts in whole for effect in effects)

    def methods(self, kind: str) -> list[FunctionKey]:
        """Give the methods that read, or write, the variable which their object stands for."""
        doings = self._members.doings.items()
        return sorted(key for key, found in doings if any(each.api.kind == kind for each in found))

    def wrapper_classes(self) -> list[tuple[str, Path]]:
        """Give the classes whose construction is an access, themselves or through a base."""
        return [
            (path, declared.path)
            for path, file in self._facts.items()
            for declared in file.classes
            if any(key in self.effects for key in self._objects.of_class(ClassTarget(path, declared.path)))
        ]

    # --- Where calls lead ------------------------------------------------------------------

    def _resolve_callees(self) -> None:
        delegated = []
        for site in self._sites:
            if isinstance(site.call.callee, Parameter) or site.call.callee[0] == "":
                delegated.append(site)
            else:
                self._connect(site, self._targets(site.file, site.call.callee))
        for site in delegated:
            callee = site.call.callee
            if isinstance(callee, Parameter):
                for file, value in self._handed_over(site.file, callee, frozenset()):
                    self._connect(site, self._value_targets(file, value))
            elif site.call.receiver is not None and not isinstance(callee, FunctionValue):
                self._connect(site, dict.fromkeys(self._method_targets(site, callee[1:])))

    def _connect(self, site: Site, targets: Iterable[Api | FunctionKey]) -> None:
        for target in targets:
            if isinstance(target, Api):
                self._apis[id(site.call)] = (*self._apis.get(id(site.call), ()), target)
            else:
                self._functions[id(site.call)] = (*self._functions.get(id(site.call), ()), target)
                callers = self._callers.setdefault(target, [])
                if site not in callers[-1:]:
                    callers.append(site)

    def _targets(self, file: str, callee: Path | FunctionValue) -> Iterator[Api | FunctionKey]:
        if isinstance(callee, FunctionValue):
            yield file, callee.function
            return
        declared = self._declared_index(callee)
        if declared is not None:
            yield Api("read", declared)
            return
        for target in self._resolver.follow(file, callee):
            match target:
                case External(language, path):
                    if path in self._languages[language].API:
                        yield self._languages[language].API[path]
                case Value(origin, FunctionValue(function), _):
                    yield origin, function
                case Value(origin, Instance(path), _):
                    yield from self._targets(origin, (*path, "__call__"))
                case ClassTarget():
                    yield from self._objects.of_class(target)

    def _method_targets(self, site: Site, name: Path) -> Iterator[Api | FunctionKey]:
        """Give what a method may be of an object that only callers, or a table, can tell."""
        for file, owner in self._receivers.of(site):
            yield from self._targets(file, (*owner.path, *name))

    def _declared_index(self, callee: Path) -> int | None:
        for name, index in self._declared.items():
            tail = dotted(name)
            if callee[-len(tail) :] == tail:
                return index
        return None

    def _value_targets(self, file: str, value: Expression) -> Iterator[Api | FunctionKey]:
        match value:
            case FunctionValue():
                yield from self._targets(file, value)
            case Reference(path):
                yield from self._targets(file, path)
            case AnyOf(options):
                for option in options:
                    yield from self._value_targets(file, option)

    def _handed_over(
        self, file: str, parameter: Parameter, seen: frozenset[tuple[str, Parameter]]
    ) -> Iterator[tuple[str, Expression]]:
        """Give the functions that callers hand to a parameter which is itself called."""
        if (file, parameter) in seen:
            return
        function = self._facts[file].functions[parameter.function]
        for site in self._callers.get((file, parameter.function), ()):
            value = argument_at(site.call, function, parameter.index)
            if isinstance(value, Parameter):
                yield from self._handed_over(site.file, value, seen | {(file, parameter)})
            elif value is not None:
                yield site.file, value

    # --- What calls do -----------------------------------------------------------------------

    def _run(self) -> None:
        pending: list[tuple[FunctionKey, Effect]] = []
        for site in self._sites:
            for api in self._apis.get(id(site.call), ()):
                if api.if_used and site.call.used is None:
                    continue
                kept = None if api.deferred else site.call.kept or self._memoised(site)
                lossy = site.call.lossy or (Lossy(api.lossy, site.call.span) if api.lossy else None)
                for template in self._api_names(site, api):
                    effect = Effect(api, template, (), kept, lossy, api.deferred)
                    self._settle(site, effect, pending)
        done: set[FunctionKey] = set()
        while pending:
            while pending:
                key, effect = pending.pop()
                for site in self._callers.get(key, ()):
                    self._apply(site, key, effect, pending)
            self._uncalled(done, pending)
        self._called_methods()

    def _called_methods(self) -> None:
        """Record what the methods of objects do under the names that the objects were made with."""
        for site, doing in self._members.run():
            steps = (self._step(each) for each in doing.via)
            via = tuple(step for step in steps if step is not None)
            kept = site.call.kept or self._memoised(site) or doing.kept
            access = Access(site.file, site.call, doing.api, doing.template, via, kept, doing.lossy)
            (self.found if doing.api.kind == "write" else self.read_by_methods)[access] = None

    def _step(self, site: Site) -> Step | None:
        functions = self._facts[site.file].functions
        return Step(*site, functions[site.call.function]) if site.call.function >= 0 else None

    def _uncalled(self, done: set[FunctionKey], pending: list[tuple[FunctionKey, Effect]]) -> None:
        """A wrapper that nobody calls still reads whatever family of names it builds."""
        uncalled = [key for key in self.effects if key not in self._callers and key not in done]
        done.update(uncalled)
        for key in uncalled:
            for effect in self.effects[key]:
                step, *via = effect.via
                parts = tuple(
                    None if isinstance(part, Hole) and (part.file, part.function) == key else part
                    for part in effect.template.parts
                )
                open_effect = effect._replace(
                    template=Template(parts, effect.template.origin), via=tuple(via)
                )
                self._settle(Site(step.file, step.call), open_effect, pending)

    def _api_names(self, site: Site, api: Api) -> Iterable[Template]:
        if api.kind == "walk":
            return [Template((site.call.prefix_test, None))] if site.call.prefix_test else []
        names = [
            Element(argument.value) if isinstance(argument.value, Items) else argument.value
            for position, argument in enumerate(site.call.arguments)
            if _is_name(api, position, argument)
        ]
        templates = [template for name in names for template in self._names(site.file, name)]
        return [part for t in templates for part in variables(t)] if api.template else templates

    def _names(self, file: str, name: Expression) -> list[Template]:
        templates = self._namer.templates(file, name)
        if templates == [UNKNOWN] and isinstance(name, Reference):
            # A constant of another file may hold several names.
            return self._namer.templates(file, Element(name))
        return templates

    def _settle(self, site: Site, effect: Effect, pending: list[tuple[FunctionKey, Effect]]) -> None:
        """Record an access, or hand the effect on to the function whose parameter names it."""
        holes = effect.template.holes
        if not holes:
            self.found[Access(site.file, site.call, *_access_fields(effect))] = None
            return
        inside = (site, *(Site(step.file, step.call) for step in effect.via))
        stored = [hole for hole in holes if not any(self._runs_in(each, hole) for each in inside)]
        # What a constructor stored comes first: the access is where its method is called.
        keys = list(dict.fromkeys((hole.file, hole.function) for hole in (*stored, *holes)))
        making = [key for key in keys if self._makes(key)]
        for key in dict.fromkeys([keys[0], *(key for key in keys if making and key not in making)]):
            of_any = effect.of_any or (key in making and len(making) < len(keys))
            deferred = effect.deferred or any((hole.file, hole.function) == key for hole in stored)
            self._hand_on(site, key, effect._replace(of_any=of_any, deferred=deferred), pending)

    def _makes(self, key: FunctionKey) -> bool:
        return self._facts[key[0]].functions[key[1]].path[-1] in CONSTRUCTORS

    def _hand_on(
        self, site: Site, key: FunctionKey, effect: Effect, pending: list[tuple[FunctionKey, Effect]]
    ) -> None:
        function = self._facts[key[0]].functions[key[1]]
        if function.path[-1] in CONSTRUCTORS and site.call.function != key[1]:
            self._members.note(site, effect.api, effect.template, effect.kept, effect.lossy)
        step = Step(site.file, site.call, function)
        onward = effect._replace(via=(step, *effect.via))
        known = self.effects.setdefault(key, [])
        if len(effect.via) < 16 and not any(_same_effect(onward, old) for old in known):
            known.append(onward)
            pending.append((key, onward))

    def _apply(
        self, site: Site, key: FunctionKey, effect: Effect, pending: list[tuple[FunctionKey, Effect]]
    ) -> None:
        """Work out what one call of a wrapper does."""
        function = self._facts[key[0]].functions[key[1]]
        if any((hole.file, hole.function) != key for hole in effect.template.holes):
            # The name is not complete before another function is called: then it is used.
            effect = effect._replace(deferred=False)
        if effect.deferred and (effect.api.kind == "write" or effect.api.also_writes):
            # A descriptor that can be set is not set by being made.
            if effect.api.kind == "write":
                return
            effect = effect._replace(api=effect.api._replace(also_writes=False))
        if self._puts_back(key, effect):
            return
        making = self._makes(key)
        made = self._receivers.made(site) if not making else []
        if made and effect.of_any:
            return
        templates = [effect.template]
        for hole in effect.template.holes:
            if (hole.file, hole.function) != key:
                continue
            argument = _argument(site.call, function, hole.index)
            if argument is None:
                return
            templates = [
                filled
                for template in templates
                for filled in self._namer.fill(template, hole, site.file, argument)
            ]
        holes = [hole for template in templates for hole in template.holes]
        if not making and any(self._makes((hole.file, hole.function)) for hole in holes):
            # Of this object its name is known; for any other, what others were made with has to do.
            templates = [
                bound
                for each in made
                for template in templates
                for bound in self._namer.bound(template, each)
            ]
        kept = effect.kept
        if not effect.deferred:
            kept = site.call.kept or self._memoised(site) or kept
        lossy = site.call.lossy or effect.lossy
        for template in templates:
            settled = effect._replace(template=template, kept=kept, lossy=lossy)
            self._settle(site, settled, pending)

    def _puts_back(self, key: FunctionKey, effect: Effect) -> bool:
        """Say whether a wrapper reads whatever names it is given to write, to put the old values back."""
        if effect.api.kind != "read" or all("element" not in hole.route for hole in effect.template.holes):
            return False
        return any(
            other.api.kind == "write" and other.template.parts == effect.template.parts
            for other in self.effects[key]
        )

    def _runs_in(self, site: Site, hole: Hole) -> bool:
        """Say whether a call is carried out when the wrapper is called, rather than later.

        A name that a constructor stores is used by another method, at another time; so is one
        that a function hands out inside a closure, where closures are not mostly called at once.
        """
        if site.file != hole.file:
            return False
        facts = self._facts[site.file]
        index = site.call.function
        manager = (*facts.functions[hole.function].path[:-1], "__enter__")
        if index >= 0 and facts.functions[index].path == manager:
            # What manages a context is made to be entered.
            return True
        while index >= 0 and index != hole.function:
            if (
                facts.functions[index].kind == "closure"
                and self._languages[facts.language].CLOSURES_RUN_LATER
            ):
                return False
            index = facts.functions[index].parent
        return index == hole.function

    def _memoised(self, site: Site) -> Kept | None:
        """Say that a call's result is kept when a function around it remembers what it returned."""
        functions = self._facts[site.file].functions
        index = site.call.function
        while index >= 0:
            function = functions[index]
            if function.memoised:
                return Kept("memoised-function", function.path[-1], function.memoised)
            index = function.parent
        return None


def variables(template: Template) -> list[Template]:
    """Split a template with `$NAME` and `${NAME}` in it into the names.

    A template that is one open hole stays as it is: the text may come from a caller.
    """
    if template.parts and isinstance(template.parts[0], Hole):
        hole = template.parts[0]
        return [Template((hole._replace(route=(*hole.route, "variables")),), template.origin)]
    text = "".join(part if isinstance(part, str) else "\0" for part in template.parts)
    return [Template((name,), template.origin) for name in names_in_text(text)]


def dotted(name: str) -> Path:
    """Split a configured name, `pkg.flag` or `pkg::flag`."""
    return tuple(name.replace("::", ".").split("."))


def _is_name(api: Api, position: int, argument: Argument) -> bool:
    if argument.keyword:
        return argument.keyword == api.keyword
    return position == api.name or (api.variadic and position > api.name)


def _argument(call: Call, function: Function, index: int) -> Expression | None:
    if function.path[-1] == "__set_name__" and index == 1:
        if call.field is None or call.field.kind != "attribute":
            return None
        return Text(call.field.name, call.span)
    return argument_at(call, function, index)


def _asked(receiver: Expression | None) -> Parameter | None:
    """Give the parameter that a receiver is, or is a member of."""
    while isinstance(receiver, Attribute):
        receiver = receiver.owner
    if isinstance(receiver, AnyOf):
        return next((each for each in map(_asked, receiver.options) if each is not None), None)
    return receiver if isinstance(receiver, Parameter) else None


def _same_effect(left: Effect, right: Effect) -> bool:
    """Say whether two effects differ in nothing but what they answer."""
    return (
        left.api._replace(answer="") == right.api._replace(answer="")
        and left.template.parts == right.template.parts
    )


def _access_fields(effect: Effect) -> tuple[Api, Template, tuple[Step, ...], Kept | None, Lossy | None]:
    return effect.api, effect.template, effect.via, effect.kept, effect.lossy
