"""A name that must be searched for in all files, because of what it turned out to stand for."""

from typing import NamedTuple


class SearchTerm(NamedTuple):
    """A function whose calls matter, wherever it is imported."""

    name: str
    companions: tuple[str, ...]
    """At least one of these must stand in a file too; empty when the name says enough."""
    defined_in: str
    scope: str = ""
    """Only files in this directory or below it can mean it; empty: all."""
    by_first: bool = False
    """The name of the variable is its first argument and nothing else."""
    callers: bool = False
    """Nothing but calls matters, and those in the file that defines it do as well."""
