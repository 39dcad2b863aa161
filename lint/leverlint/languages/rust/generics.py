"""Type parameters: what their bounds say that they can do."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leverlint.languages.rust import methods
from leverlint.languages.rust.nodes import path_segments
from leverlint.languages.rust.source import Chain


def bound_of(name: str, chain: Chain, text: bytes) -> Node | None:
    """Give the trait that tells most about a type parameter of the items around the end of `chain`."""
    for item in reversed(chain):
        parameters = item.child_by_field_name("type_parameters")
        if parameters is not None and position_of(name, item, text) is not None:
            return telling(list(_bounds(name, item, parameters, text)), text)
    return None


def position_of(name: str, item: Node, text: bytes) -> int | None:
    """Give the place of a type parameter among those of an item, lifetimes aside."""
    parameters = item.child_by_field_name("type_parameters")
    kinds = ("type_parameter", "const_parameter")
    places = [node for node in parameters.named_children if node.type in kinds] if parameters else []
    return next((at for at, node in enumerate(places) if _is_named(node, name, text)), None)


def arguments_of_type(node: Node) -> list[Node]:
    """Give the types that a generic type is given, lifetimes aside."""
    arguments = node.child_by_field_name("type_arguments")
    skipped = ("lifetime", "line_comment", "block_comment")
    return [each for each in arguments.named_children if each.type not in skipped] if arguments else []


def telling(bounds: Sequence[Node], text: bytes) -> Node | None:
    """Give the first of several bounds that is a trait with methods of its own."""
    for bound in bounds:
        if bound.type == "bounded_type":
            inner = telling(bound.named_children, text)
            if inner is not None:
                return inner
            continue
        wrapped = bound.type in ("dynamic_type", "abstract_type")
        trait = bound.child_by_field_name("trait") if wrapped else bound
        if trait is not None and trait.type == "higher_ranked_trait_bound":
            trait = trait.child_by_field_name("type")
        segments = path_segments(trait, text) if trait is not None else None
        if segments is not None and segments[-1] not in methods.MARKERS:
            return trait
    return None


def _bounds(name: str, item: Node, parameters: Node, text: bytes) -> Iterator[Node]:
    for parameter in parameters.named_children:
        if parameter.type == "type_parameter" and _is_named(parameter, name, text):
            yield from _listed(parameter)
    for clause in item.named_children:
        for predicate in clause.named_children if clause.type == "where_clause" else ():
            left = predicate.child_by_field_name("left")
            if left is not None and text[left.start_byte : left.end_byte] == name.encode():
                yield from _listed(predicate)


def _listed(node: Node) -> list[Node]:
    bounds = node.child_by_field_name("bounds")
    return bounds.named_children if bounds is not None else []


def _is_named(parameter: Node, name: str, text: bytes) -> bool:
    node = parameter.child_by_field_name("name")
    return node is not None and text[node.start_byte : node.end_byte] == name.encode()
