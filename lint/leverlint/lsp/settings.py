"""What the client wants, by whatever route it says so: start-up options, a notification, an answer."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leverlint import languages

LSP = "lsp"


class Settings(NamedTuple):
    """The section `leverlint` of a client's settings; what is of a wrong type is as if not said."""

    enable: bool = True
    configuration: str | None = None
    """Path of a configuration file to use in place of those that are found."""
    prefixes: tuple[str, ...] = ()
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    hints: bool = True
    """Show decodings beside reads."""
    elsewhere: frozenset[str] = frozenset()
    """Languages whose diagnostics the user sees in another way, or not at all."""
    baseline: str | None = None

    def overrides(self) -> dict[str, object]:
        """Give what takes the place of settings in files, as the command line would."""
        given = {"prefixes": self.prefixes or None, "select": self.select, "ignore": self.ignore or None}
        return {name: value for name, value in given.items() if value is not None}


def read(section: object) -> Settings:
    """Read a section, as a mapping or as an object with attributes, from whatever the client has sent."""
    return Settings(
        enable=_get(section, "enable") is not False,
        configuration=_text(_get(section, "configuration")),
        prefixes=_texts(_get(section, "prefixes")) or (),
        select=_texts(_get(section, "select")),
        ignore=_texts(_get(section, "ignore")) or (),
        hints=_get(_get(section, "inlayHints"), "enable") is not False,
        elsewhere=frozenset(
            name
            for name in languages.LANGUAGES
            if _get(_get(section, name), "diagnostics") not in (None, LSP)
        ),
        baseline=_text(_get(section, "baseline")),
    )


def section(value: object, name: str) -> object:
    """Give one section of settings; `None` when they have no such section."""
    return _get(value, name)


def _get(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    return tuple(one for one in value if isinstance(one, str))
