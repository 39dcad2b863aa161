"""Whether anybody wants what a resolver resolves: names looked up in the code of all files.

Facts are about reads, and say nothing about who uses a field. Bytes tell in which files a name
stands at all; a language tells, in as few of them as possible, whether it is consulted there.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from leverlint import languages
from leverlint.accesses import dotted
from leverlint.languages.consumers import KEY, MEMBER, NAME, Consumer, consumers, groups, plainly_read

_AFTER_DOT = re.compile(rb"\.\s*([A-Za-z_]\w*)")
_DEFINITION = rb"^[ \t]*(?:[\w()\"]+[ \t]+)*(?:def|fn)[ \t]+%s\b"
_HELD = 24 * 1024 * 1024
"""Bytes of files that are kept between two looks at all of them."""
_TELLING = 5
"""Length from which on a part of a class's name may be what its objects are called."""
_FEW = 3
"""Files in which a bare name is looked at before all others are searched for it."""


class Sought(NamedTuple):
    """A field, function, mapping key or constant of a resolver."""

    name: str
    kind: str
    """As in `facts.Field`, or `constant`."""
    owner: str
    path: str
    """The resolver."""

    def is_met(self, consumer: Consumer, path: str) -> bool:
        """Say whether a consumer in a file may be after this."""
        match self.kind:
            case "field":
                return consumer.how == MEMBER
            case "attribute":
                return consumer.how == MEMBER or (consumer.how == NAME and path == self.path)
            case "key" if path != self.path:
                return consumer.how in (MEMBER, KEY) or (consumer.how == NAME and self.name.isupper())
            case "key":
                return consumer.how == MEMBER
        return consumer.how in (MEMBER, NAME)


Says = Callable[[str, bytes], object]
"""What one file, by path and content, has to say to a question; answers depend on nothing else."""


class Consumption:
    """Answers questions about all files, and remembers the answers until a file says something else."""

    def __init__(self, files: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._files = [path for path in files if languages.name_for(path)]
        self._load = read
        self._kept: dict[str, bytes] = {}
        self._room = _HELD
        self._unconsulted: dict[tuple[Sought, ...], set[Sought]] = {}
        self._last: tuple[object, object] = (None, None)
        self._any: dict[str, tuple[Says, bool]] = {}

    def changed(self, path: str, before: bytes, after: bytes) -> bool:
        """Learn that the content of a file is another one; say whether an answer may be, too."""
        groups = []
        for sought in self._unconsulted:
            key, was = self._last
            if key != (sought, path, before):
                was = _consulted(sought, path, before)
            now = _consulted(sought, path, after)
            # An editor's next change starts from here.
            self._last = (sought, path, after), now
            if was != now:
                groups.append(sought)
        questions = [
            question
            for question, (says, _) in self._any.items()
            if bool(says(path, before)) != bool(says(path, after))
        ]
        for sought in groups:
            del self._unconsulted[sought]
        for question in questions:
            del self._any[question]
        return bool(groups or questions)

    def unconsulted(self, sought: Sequence[Sought]) -> set[Sought]:
        """Give what nothing consults, be it through a field that is computed from it."""
        key = tuple(sought)
        if key not in self._unconsulted:
            search = _Search(sought)
            self._likely(search)
            if search.open:
                self._everywhere(search)
            self._kept.clear()
            self._room = _HELD
            self._unconsulted = {key: search.unconsulted()}
        return self._unconsulted[key]

    def names(self, module: str, but: Callable[[str], bool]) -> bool:
        """Say whether a file, other than those that `but` leaves out, names the module that a file is."""
        word = re.compile(rb"\b%s\b" % re.escape(_stem(module).encode()))
        return self._some_file(
            f"names {module}", lambda path, data: path != module and not but(path) and word.search(data)
        )

    def defines(self, function: str) -> bool:
        """Say whether some file defines a function of that name: `step`, `Reader.step`, `reader::step`."""
        *owners, name = dotted(function)
        definition = re.compile(_DEFINITION % re.escape(name.encode()), re.MULTILINE)

        def says(path: str, data: bytes) -> bool:
            if name.encode() not in data:
                return False
            known = all(owner.encode() in data or owner in path for owner in owners)
            return known and definition.search(data) is not None

        return self._some_file(f"defines {function}", says)

    def _some_file(self, question: str, says: Says) -> bool:
        if question not in self._any:
            self._any[question] = says, any(says(path, self._load(path)) for path in self._files)
        return self._any[question][1]

    def _read(self, path: str) -> bytes:
        data = self._kept.get(path)
        if data is None:
            data = self._load(path)
            if len(data) <= self._room:
                self._room -= len(data)
                self._kept[path] = data
        return data

    def _likely(self, search: "_Search") -> None:
        """Settle most names in the smallest files that hold them where a member is named."""
        hits: dict[str, list[tuple[int, str]]] = {}
        names = {one.name.encode(): one.name for one in search.sought}
        bare = {one.name for one in search.sought if one.kind not in ("field", "attribute", "key")}
        gate = _gate(sorted(names.values()))
        for path in self._files:
            data = self._read(path)
            if gate and not any(word in data for word in gate):
                continue
            standing = {names[word] for word in names.keys() & set(_AFTER_DOT.findall(data))}
            standing |= {name for name in bare if len(hits.get(name, ())) < _FEW and name.encode() in data}
            for name in standing:
                hits.setdefault(name, []).append((len(data), path))
        held: dict[str, list[str]] = {}
        for name, found in hits.items():
            for _, path in found:
                held.setdefault(path, []).append(name)
        for path in held:
            if names_left := search.left(path, held[path]):
                search.take_plain(path, self._read(path), names_left)
        for name in sorted(hits, key=lambda name: (len(hits[name]), name)):
            for _, path in sorted(hits[name]):
                if name not in search.open:
                    break
                search.look(path, self._read(path), held[path])

    def _everywhere(self, search: "_Search") -> None:
        """Look wherever a name stands at all, in a pattern or in quotes, and for whole groups."""
        words: set[bytes] = set()
        left = 0
        for path in sorted(self._files, key=lambda path: path not in search.resolvers):
            if len(search.open) != left:
                words, left = search.words_of_groups(), len(search.open)
            if not left:
                return
            data = self._read(path)
            if names := [name for name in search.open if name.encode() in data]:
                search.look(path, data, names)
            if languages.name_for(path) == "python" and any(word in data for word in words):
                search.look_for_groups(path, data)


class _Search:
    """What is known so far."""

    def __init__(self, sought: Sequence[Sought]) -> None:
        self.sought = sought
        self._by_name: dict[str, list[Sought]] = {}
        for one in sought:
            self._by_name.setdefault(one.name, []).append(one)
        self.resolvers = {one.path for one in sought}
        self._owners = {_plain(owner) for owner in {one.owner for one in sought}}
        self._met: set[Sought] = set()
        self._through: dict[Sought, set[str]] = {}
        self._looked: set[tuple[str, str]] = set()
        self.open = set(self._by_name)
        """Names of which something has not been found to be consulted."""

    def left(self, path: str, names: Iterable[str]) -> list[str]:
        """Give the names that are open and can be settled in a file at a glance."""
        return [name for name in names if name in self.open] if path not in self.resolvers else []

    def take_plain(self, path: str, data: bytes, names: Collection[str]) -> None:
        for name in plainly_read(languages.name_for(path) or "", names, data):
            for one in self._by_name[name]:
                if one.is_met(Consumer(name, MEMBER), path):
                    self._settle(one)

    def look(self, path: str, data: bytes, names: Iterable[str]) -> None:
        """Look at those of the names in a file that are open and have not been looked at there."""
        names = sorted(name for name in names if name in self.open and (name, path) not in self._looked)
        self._looked.update((name, path) for name in names)
        language = languages.name_for(path)
        if not names or language is None:
            return
        for consumer in consumers(language, data, names, path in self.resolvers):
            for one in self._by_name.get(consumer.name, ()):
                if not one.is_met(consumer, path):
                    continue
                if consumer.into in self._by_name:
                    self._through.setdefault(one, set()).add(consumer.into)
                else:
                    self._settle(one)

    def look_for_groups(self, path: str, data: bytes) -> None:
        language = languages.name_for(path) or ""
        left = [one for one in self.sought if one.name in self.open]
        words = groups(language, data)
        for one in left:
            if any(_may_be(word, one, path, data, self._owners) for word in words):
                self._settle(one)

    def words_of_groups(self) -> set[bytes]:
        """Give words one of which stands in every file that takes a whole group of fields."""
        left = {(one.owner, _stem(one.path)) for one in self.sought if one.name in self.open}
        words = {word for owner, stem in left for word in (owner, owner.lower(), stem)}
        return {word.encode() for word in words if word}

    def _settle(self, one: Sought) -> None:
        self._met.add(one)
        if self._met.issuperset(self._by_name[one.name]):
            self.open.discard(one.name)

    def unconsulted(self) -> set[Sought]:
        changed = True
        while changed:
            settled = {one.name for one in self._met}
            reached = [one for one, into in self._through.items() if one not in self._met and into & settled]
            self._met.update(reached)
            changed = bool(reached)
        return set(self.sought) - self._met


def _consulted(sought: Sequence[Sought], path: str, data: bytes) -> object:
    """Give all that a search takes from one file."""
    language = languages.name_for(path)
    names = {one.name for one in sought}
    standing = sorted(name for name in names if name.encode() in data)
    owners = {one.owner for one in sought if one.owner.encode() in data}
    if language is None:
        return None
    resolver = any(one.path == path for one in sought)
    found = consumers(language, data, standing, resolver) if standing else set()
    return found, groups(language, data), owners


def _gate(names: Sequence[str]) -> list[bytes]:
    """Give a few words one of which stands wherever one of the names does; none when they differ too much."""
    beginnings = Counter(name.partition("_")[0] + "_" for name in names)
    common, _ = beginnings.most_common(1)[0]
    others = [name for name in names if not name.startswith(common)]
    return [word.encode() for word in (common, *others)] if len(others) <= _FEW else []


def _may_be(word: str, one: Sought, path: str, data: bytes, owners: Collection[str]) -> bool:
    """Say whether an expression that ends in `word` may hold the group that a field belongs to."""
    if one.kind not in ("field", "attribute", "key") or word == "cls":
        return False
    if word == "self":
        return path == one.path
    if one.owner and path != one.path and one.owner.encode() in data:
        return True
    spelt = _plain(word)
    if spelt in owners:
        return spelt == _plain(one.owner)
    names = [_plain(name) for name in (one.owner, _stem(one.path)) if name]
    return any(name in spelt or (spelt in name and len(spelt) >= _TELLING) for name in names)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


__all__ = ["Consumption", "Sought"]
