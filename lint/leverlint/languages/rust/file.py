"""Everything that answers questions about one file while it is read."""

from typing import NamedTuple

from leverlint.facts import Vocabulary
from leverlint.languages.rust.attributes import Attributes
from leverlint.languages.rust.functions import Functions
from leverlint.languages.rust.levers import Levers
from leverlint.languages.rust.macros import Opened
from leverlint.languages.rust.names import Names
from leverlint.languages.rust.objects import Objects
from leverlint.languages.rust.scopes import Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.rust.types import Types


class File(NamedTuple):
    source: Source
    opened: Opened
    attributes: Attributes
    scopes: Scopes
    functions: Functions
    types: Types
    names: Names
    objects: Objects
    levers: Levers


def look_at(source: Source, opened: Opened, vocabulary: Vocabulary) -> File:
    attributes = Attributes(source)
    scopes = Scopes(source, opened)
    functions = Functions(source, scopes, attributes, opened)
    types = Types(source, scopes, functions)
    names = Names(source, scopes, functions, types, opened)
    objects = Objects(source, scopes, functions, types, names)
    levers = Levers(names, types, vocabulary)
    return File(source, opened, attributes, scopes, functions, types, names, objects, levers)
