"""Putting expressions in the place of others in a Python file, with the imports that they need.

The tree of LibCST keeps every blank and comment, so that what is not replaced stays as it was.
"""

import re
from collections.abc import Sequence

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from leverlint.facts import Path
from leverlint.languages import Substitution
from leverlint.languages.python.bindings import Binding
from leverlint.languages.python.groups import File, look_at
from leverlint.languages.syntax import text

_BOM = "\ufeff"
_WORD = re.compile(rb"[^\W\d]\w*")
_ENVIRONMENT = frozenset({"os", "posix"})
_LOOSE = frozenset(
    {
        *("if_statement", "elif_clause", "while_statement", "return_statement", "assert_statement"),
        *("expression_statement", "assignment", "boolean_operator", "conditional_expression"),
        *("parenthesized_expression", "argument_list", "keyword_argument", "list", "tuple", "pair"),
    }
)
"""Where a negation needs no parentheses."""
_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def rewritten(path: str, source: bytes, substitutions: Sequence[Substitution]) -> bytes | None:
    """Give a file with expressions replaced; `None` when that would lose something."""
    decoded = source.decode()
    mark = _BOM if decoded.startswith(_BOM) else ""
    file = look_at(path, source)
    try:
        module = cst.parse_module(decoded.removeprefix(mark))
    except cst.ParserSyntaxError:
        return None
    if file.root.has_error or module.code != decoded.removeprefix(mark):
        return None
    named = {one: _name_for(one, file) for one in substitutions}
    shift = len(mark.encode())
    replacing = _Replacing(
        {
            (one.span.start - shift, one.span.end - shift): _expression(one, named[one], file)
            for one in substitutions
        },
        module.code.encode(),
    )
    module = MetadataWrapper(module, unsafe_skip_copy=True).visit(replacing)
    if replacing.left:
        return None
    body: list[_Statement] = list(module.body)
    for one, name in named.items():
        if one.module and not _binds(file, one, name):
            body = _with_import(body, one, name)
            file = look_at(path, module.with_changes(body=body).code.encode())
    if path.endswith("__init__.py"):
        # What a package imports may be there for others.
        return (mark + module.with_changes(body=body).code).encode()
    given_up = {word.decode() for one in substitutions for word in _heads(source, one)}
    body = _without_unused(body, given_up, module)
    return (mark + module.with_changes(body=body).code).encode()


# --- Expressions ----------------------------------------------------------------------------------


class _Replacing(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (ByteSpanPositionProvider,)

    def __init__(self, wanted: dict[tuple[int, int], cst.BaseExpression], source: bytes) -> None:
        super().__init__()
        self._source = source
        self.left = wanted
        """What was asked for and has not been met."""

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        updated_node = super().on_leave(original_node, updated_node)
        if not isinstance(original_node, cst.BaseExpression):
            return updated_node
        span = self.get_metadata(ByteSpanPositionProvider, original_node, None)
        if span is None:
            return updated_node
        new = self.left.pop((span.start, span.start + span.length), None)
        if new is None:
            return updated_node
        return (
            new
            if not isinstance(new, cst.UnaryOperation) and self._stands_alone(original_node, span.start)
            else new.with_changes(lpar=original_node.lpar, rpar=original_node.rpar)
        )

    def _stands_alone(self, node: cst.BaseExpression, start: int) -> bool:
        """Say whether parentheses are no longer needed, and hold nothing but blanks."""
        spaces = [each.whitespace_after for each in node.lpar] + [
            each.whitespace_before for each in node.rpar
        ]
        before = self._source[:start].rstrip(b"( ")[-1:]
        glued = before.isalnum() and self._source[:start].rstrip(b"(")[-1:] == before
        return not glued and all(
            isinstance(each, cst.SimpleWhitespace) and "\\" not in each.value for each in spaces
        )


def _expression(one: Substitution, name: str, file: File) -> cst.BaseExpression:
    written = name + one.expression.removeprefix(one.name)
    if not one.negated:
        return cst.parse_expression(written)
    chain = file.scopes.chain(one.span.start)
    around = next(
        node for node in reversed(chain) if node.start_byte < one.span.start or node.end_byte > one.span.end
    )
    return cst.parse_expression(f"not {written}" if around.type in _LOOSE else f"(not {written})")


def _heads(source: bytes, one: Substitution) -> list[bytes]:
    """Give the words of what is replaced: some may have been the last use of an import."""
    return _WORD.findall(source[one.span.start : one.span.end])


# --- Names ------------------------------------------------------------------------------------------


def _name_for(one: Substitution, file: File) -> str:
    """Give the name under which the file has, or is to have, what the expression starts with."""
    if not one.module:
        return one.name
    scopes = file.scopes
    for name, bindings in scopes.names(scopes.module).items():
        if _is_import(bindings, one, file) and _means(name, bindings, one, file):
            return name
    dotted = _through_module(one, file)
    if dotted:
        return dotted
    name = one.name
    while not _is_free(name, one, file):
        name += "_"
    return name


def _is_import(bindings: Sequence[Binding], one: Substitution, file: File) -> bool:
    """Say whether a name is bound once, at the top, by `from module import name`."""
    if len(bindings) != 1 or bindings[0].kind != "import" or bindings[0].path[-1:] != (one.name,):
        return False
    statement = bindings[0].name.parent
    while statement is not None and not statement.type.startswith("import"):
        statement = statement.parent
    above = statement.parent if statement is not None else None
    module = statement.child_by_field_name("module_name") if statement is not None else None
    return (
        above is not None
        and above.type == "module"
        and module is not None
        and "".join(text(module, file.source).split()) == one.module
    )


def _means(name: str, bindings: Sequence[Binding], one: Substitution, file: File) -> bool:
    """Say whether a name of the module is not hidden where the expression stands."""
    found = file.scopes.lookup(name, file.scopes.scope_at(file.scopes.chain(one.span.start)))
    return found is not None and found.bindings == list(bindings)


def _through_module(one: Substitution, file: File) -> str:
    """Give `levers.Name` where the module itself was imported, and nothing hides it."""
    head, _, last = one.module.rpartition(".")
    path: Path = (*filter(None, head.split(".")), last)
    for name, bindings in file.scopes.names(file.scopes.module).items():
        binding = bindings[0]
        if len(bindings) != 1 or binding.kind != "import" or one.module.startswith("."):
            continue
        statement = binding.name.parent
        while statement is not None and not statement.type.startswith("import"):
            statement = statement.parent
        at_top = statement is not None and statement.parent is not None and statement.parent.type == "module"
        if at_top and binding.path == path and _means(name, bindings, one, file):
            return f"{name}.{one.name}"
    return ""


def _is_free(name: str, one: Substitution, file: File) -> bool:
    return re.search(rb"\b%s\b" % re.escape(name.encode()), file.source) is None


def _binds(file: File, one: Substitution, name: str) -> bool:
    return "." in name or name in file.scopes.names(file.scopes.module)


# --- Imports ----------------------------------------------------------------------------------------


def _with_import(body: list[_Statement], one: Substitution, name: str) -> list[_Statement]:
    alias = f" as {name}" if name != one.name else ""
    for position, statement in enumerate(body[: _place(body)]):
        if (extended := _extended(statement, one, name)) is not None:
            return [*body[:position], extended, *body[position + 1 :]]
    added = cst.parse_statement(f"from {one.module} import {one.name}{alias}")
    assert isinstance(added, cst.SimpleStatementLine)
    place = _place(body)
    if place == 0 and body:
        # In front of everything: what was first keeps its distance.
        first = body[0]
        gap = [] if isinstance(first, cst.SimpleStatementLine) else [cst.EmptyLine(indent=False)] * 2
        return [added, first.with_changes(leading_lines=[*gap, *first.leading_lines]), *body[1:]]
    alone = place > 0 and not _is_import_line(body[place - 1])
    if alone:
        added = added.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    return [*body[:place], added, *body[place:]]


def _extended(statement: _Statement, one: Substitution, name: str) -> cst.SimpleStatementLine | None:
    """Give `from module import A` with one more name, when it is that and stands on one line."""
    line = _import_from(statement)
    if line is None or not isinstance(statement, cst.SimpleStatementLine):
        return None
    if _written(line) != one.module or isinstance(line.names, cst.ImportStar) or line.lpar is not None:
        return None
    if statement.trailing_whitespace.comment is not None:
        return None
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    names = [each.with_changes(comma=comma) for each in line.names]
    asname = cst.AsName(cst.Name(name)) if name != one.name else None
    names.append(cst.ImportAlias(cst.Name(one.name), asname=asname))
    return statement.with_changes(body=[line.with_changes(names=names)])


def _import_from(statement: _Statement) -> cst.ImportFrom | None:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return None
    line = statement.body[0]
    return line if isinstance(line, cst.ImportFrom) else None


def _written(line: cst.ImportFrom) -> str:
    module = cst.Module([]).code_for_node(line.module) if line.module is not None else ""
    return "." * len(line.relative) + module


def _is_import_line(statement: _Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(each, cst.Import | cst.ImportFrom) for each in statement.body
    )


def _is_docstring(statement: _Statement) -> bool:
    line = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(line, cst.Expr) and isinstance(line.value, cst.SimpleString | cst.ConcatenatedString)


def _place(body: list[_Statement]) -> int:
    """Give where an import goes: behind those at the top, else behind the docstring."""
    place = 1 if body and _is_docstring(body[0]) else 0
    for position, statement in enumerate(body):
        if isinstance(statement, cst.FunctionDef | cst.ClassDef):
            break
        if _is_import_line(statement):
            place = position + 1
    return place


def _without_unused(body: list[_Statement], names: set[str], module: cst.Module) -> list[_Statement]:
    """Remove what was imported for the replaced expressions alone."""
    for position, statement in enumerate(body):
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            continue
        line = statement.body[0]
        if not isinstance(line, cst.Import | cst.ImportFrom) or isinstance(line.names, cst.ImportStar):
            continue
        if statement.trailing_whitespace.comment is not None or not _is_of_environment(line):
            continue
        rest = module.with_changes(body=[*body[:position], *body[position + 1 :]]).code
        unused = [
            each
            for each in line.names
            if _is_given_up(line, each, names) and not _is_named(_bound(each), rest)
        ]
        if not unused or any(_is_named(_bound(each), _others(line, each)) for each in unused):
            continue
        kept = [each for each in line.names if each not in unused]
        if kept and (isinstance(line, cst.Import) or line.lpar is None):
            kept[-1] = kept[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            changed = statement.with_changes(body=[line.with_changes(names=kept)])
            return _without_unused(
                [*body[:position], changed, *body[position + 1 :]], names - _all(unused), module
            )
        if not kept and not any(each.comment for each in statement.leading_lines):
            after = _moved_up(statement, body[position + 1 :], first=position == 0)
            return _without_unused([*body[:position], *after], names - _all(unused), module)
    return body


def _moved_up(gone: cst.SimpleStatementLine, after: list[_Statement], first: bool) -> list[_Statement]:
    """Let what follows take the place of a statement that goes, if it is an import or the first of all."""
    if after and (_is_import_line(after[0]) or first):
        lines = [each for each in after[0].leading_lines if each.comment]
        return [after[0].with_changes(leading_lines=[*gone.leading_lines, *lines]), *after[1:]]
    return after


def _all(aliases: list[cst.ImportAlias]) -> set[str]:
    return {_bound(each) for each in aliases}


def _is_of_environment(line: cst.Import | cst.ImportFrom) -> bool:
    """Say whether an import is of `os`: importing a module of the project may do more than bind a name."""
    if isinstance(line, cst.ImportFrom):
        return _written(line) in _ENVIRONMENT
    return any(each.evaluated_name in _ENVIRONMENT for each in line.names)


def _is_given_up(line: cst.Import | cst.ImportFrom, alias: cst.ImportAlias, names: set[str]) -> bool:
    of_environment = isinstance(line, cst.ImportFrom) or alias.evaluated_name in _ENVIRONMENT
    return of_environment and _bound(alias) in names


def _bound(alias: cst.ImportAlias) -> str:
    """Give the name that an import binds; empty for `import a.b`, which binds more than a name."""
    if alias.asname is not None:
        return alias.asname.name.value if isinstance(alias.asname.name, cst.Name) else ""
    return alias.name.value if isinstance(alias.name, cst.Name) else ""


def _others(line: cst.Import | cst.ImportFrom, alias: cst.ImportAlias) -> str:
    assert not isinstance(line.names, cst.ImportStar)
    return " ".join(cst.Module([]).code_for_node(each.name) for each in line.names if each is not alias)


def _is_named(name: str, code: str) -> bool:
    """Say whether a name stands anywhere, in text and comments as well: it may be meant."""
    return re.search(rf"\b{re.escape(name)}\b", code) is not None
