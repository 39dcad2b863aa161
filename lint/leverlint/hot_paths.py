"""Which reads a hot function comes to, found backwards: from each read to its callers, theirs, and on.

Only functions on such a way are ever looked at. A call that cannot be resolved is left out, and
so is whatever is kept on the way: it runs once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from leverlint.accesses import dotted
from leverlint.facts import Call, FileFacts, Function
from leverlint.languages import Language
from leverlint.objects import FunctionKey, Site

if TYPE_CHECKING:
    from leverlint.index import Use

DEEPEST = 12
"""Calls between a hot function and a read; beyond that nobody follows the explanation."""


class Hop(NamedTuple):
    """One call on the way from a hot function to a read."""

    path: str
    call: Call
    caller: str
    callee: str
    """Names as their language spells them."""
    enters: bool
    """It leads from other code into a resolver."""


class HotRead(NamedTuple):
    """A read and the shortest way to it."""

    use: "Use"
    function: str
    """The hot function."""
    hops: tuple[Hop, ...]
    """From the hot function on; empty for a read in itself."""

    @property
    def entry(self) -> Hop | None:
        """The call by which the way enters a resolver: what happens there is the resolver's business."""
        return next((hop for hop in self.hops if hop.enters), None)


class HotPaths:
    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        languages: Mapping[str, Language],
        callers: Callable[[FunctionKey], Sequence[Site]],
        is_hot: Callable[[str, Function], bool],
        is_resolver: Callable[[str], bool],
        reads: Iterable["Use"],
        methods: Sequence[FunctionKey] = (),
    ) -> None:
        """`methods` read the variable that their object stands for: which, only their calls can tell."""
        self._facts = facts
        self._languages = languages
        self._callers = callers
        self._is_hot = is_hot
        self._is_resolver = is_resolver
        self._methods = methods
        self._hot: dict[FunctionKey, FunctionKey | None] = {}
        self._reads = [use for use in reads if use.kept is None and use.call.function >= 0]

    def found(self) -> Iterator[HotRead]:
        ways: dict[FunctionKey, tuple[FunctionKey, tuple[Hop, ...]] | None] = {}
        for use in self._reads:
            start = (use.path, use.call.function)
            if start not in ways:
                ways[start] = self._way(start)
            if way := ways[start]:
                hot, hops = way
                yield HotRead(use, self._name(hot), hops)

    def passed(self) -> list[FunctionKey]:
        """Give the functions on the way whose callers matter: all that are known before a hot one."""
        running = (use for use in self._reads if not (use.test or use.build_script))
        known = dict.fromkeys([*((use.path, use.call.function) for use in running), *self._methods])
        level = list(known)
        for _ in range(DEEPEST):
            level = [key for key in level if self._hot_around(key) is None]
            reached = dict.fromkeys(outer for key in level for outer, _ in self._outward(key))
            level = [key for key in reached if key not in known]
            known.update(dict.fromkeys(level))
        return [key for key in known if self._hot_around(key) is None]

    def _way(self, start: FunctionKey) -> tuple[FunctionKey, tuple[Hop, ...]] | None:
        """Find the shortest way from a hot function to `start`, the first of several in order of place."""
        known = {start}
        level: list[tuple[FunctionKey, tuple[Hop, ...]]] = [(start, ())]
        while level:
            following = []
            for key, hops in level:
                if hot := self._hot_around(key):
                    return hot, hops
                for outer, site in self._outward(key):
                    if outer in known or len(hops) >= DEEPEST:
                        continue
                    known.add(outer)
                    following.append((outer, (self._hop(outer, site, key), *hops) if site else hops))
            level = following
        return None

    def _outward(self, key: FunctionKey) -> Iterator[tuple[FunctionKey, Site | None]]:
        """Give the functions that run a function, and the call; no call for the one around a closure."""
        path, index = key
        function = self._facts[path].functions[index]
        if function.memoised:
            return
        later = self._languages[self._facts[path].language].CLOSURES_RUN_LATER
        if function.kind == "closure" and not later and function.parent >= 0:
            yield (path, function.parent), None
        for site in self._callers(key):
            call = site.call
            if call.function >= 0 and call.kept is None and not (call.test or self._facts[site.file].test):
                yield (site.file, call.function), site

    def _hot_around(self, key: FunctionKey) -> FunctionKey | None:
        """Give the hot function that a function is or stands in."""
        if key not in self._hot:
            path, index = key
            while index >= 0 and not self._is_hot(path, self._facts[path].functions[index]):
                index = self._facts[path].functions[index].parent
            self._hot[key] = (path, index) if index >= 0 else None
        return self._hot[key]

    def _hop(self, outer: FunctionKey, site: Site, inner: FunctionKey) -> Hop:
        enters = self._is_resolver(inner[0]) and not self._is_resolver(site.file)
        return Hop(site.file, site.call, self._name(outer), self._name(inner), enters)

    def _name(self, key: FunctionKey) -> str:
        """Spell a function's name; a closure goes by that of the function around it."""
        path, index = key
        functions = self._facts[path].functions
        while functions[index].kind == "closure" and functions[index].parent >= 0:
            index = functions[index].parent
        sign = "::" if self._facts[path].language == "rust" else "."
        names = [name for name in functions[index].path if name not in ("", "<locals>")]
        return sign.join(names[-2:]) if names else "a closure"


def is_named(path: str, function: Function, entry: str) -> bool:
    """Say whether `entry` (`step`, `Reader.step`, `reader::step`) names a function of a file."""
    wanted = dotted(entry)
    full = (*path.rpartition(".")[0].split("/"), *function.path)
    return function.path[-1] == wanted[-1] and full[-len(wanted) :] == wanted
