"""The language server, talked to by editors as they announce themselves."""

import asyncio

import pytest
from lsprotocol import types

ENGINE_LINE = '    sign = "😀"; on = os.environ.get("ATLAS_KV_POISON") == "1"'
READ = 'os.environ.get("ATLAS_KV_POISON")'


def place_of_read(editor):
    start = editor.column(ENGINE_LINE, READ)
    return types.Range(types.Position(4, start), types.Position(4, start + len(READ)))


async def test_diagnostics_follow_what_is_typed(editor):
    await editor.open("engine.py")
    (found,) = await editor.shows("engine.py", "LVR101")
    assert (found.code, found.source, found.severity) == (
        "LVR101",
        "leverlint",
        types.DiagnosticSeverity.Error,
    )
    assert found.range == place_of_read(editor)
    assert "use `ModelLevers.get().kv_poison`" in found.message
    assert found.code_description.href.startswith("file://")

    # Behind a sign that two units or four bytes make up.
    at = found.range.start
    await editor.type("engine.py", at, at, "é or ")
    shift = editor.column("é or x", "x")
    start = types.Position(at.line, at.character + shift)
    await editor.shows_at("engine.py", start)

    end = types.Position(at.line, found.range.end.character + shift)
    await editor.type("engine.py", start, end, "None")
    await editor.shows("engine.py")


async def test_the_last_of_many_strokes_counts(editor):
    await editor.open("engine.py")
    start, end = types.Position(4, 0), types.Position(4, 1)
    for pause in range(8):
        await editor.shows("engine.py", "LVR101")
        for text, until in ("#", start), ("", end), ("#", start):
            await asyncio.sleep(pause / 1000)
            await editor.type("engine.py", start, until, text)
        await editor.shows("engine.py")
        await editor.type("engine.py", start, end, "")


async def test_half_typed_code_keeps_its_diagnostics(editor):
    await editor.open("engine.py")
    end = types.Position(6, 0)
    await editor.type("engine.py", end, end, "    if batch.(\n")
    await editor.shows("engine.py", "LVR101", "LVR902")


async def test_what_is_typed_in_one_file_shows_in_another(editor):
    await editor.open("levers.py")
    await editor.open("engine.py")
    await editor.shows_text("engine.py", "use `ModelLevers.get().kv_poison`")
    await editor.type("levers.py", types.Position(5, 8), types.Position(5, 200), "pass")
    await editor.shows_text("engine.py", "resolve it once in a resolver")


async def test_rust_is_read_as_well(editor):
    await editor.open("kernel.rs")
    (found,) = await editor.shows("kernel.rs", "LVR101")
    line = '    let sign = "😀"; std::env::var("ATLAS_KV_POISON")'
    assert found.range.start == types.Position(1, editor.column(line, "std::"))


async def test_hover_tells_what_each_value_does(editor):
    await editor.open("engine.py")
    hover = await editor.hover("engine.py", types.Position(4, place_of_read(editor).start.character + 20))
    text = hover.contents.value
    assert text.startswith("**ATLAS_KV_POISON**: opt_in, on only at exactly `1`")
    assert "  1          on\n  true       off" in text
    assert "Resolved into `ModelLevers.kv_poison`" in text
    assert "fills freed blocks with nonsense" in text
    assert f"({editor.uri('levers.py')}#L6)" in text


async def test_hover_knows_a_lever_anywhere(editor):
    await editor.open("notes.md")
    assert (await editor.hover("notes.md", types.Position(2, 5))).contents.value.startswith("**ATLAS_KV_P")
    await editor.open("engine.py")
    assert (await editor.hover("engine.py", types.Position(5, 15))) is not None
    assert (await editor.hover("engine.py", types.Position(3, 6))) is None


async def test_definition_leads_to_the_field_of_the_resolver(editor):
    for name, position in (("engine.py", types.Position(5, 15)), ("notes.md", types.Position(2, 5))):
        await editor.open(name)
        params = types.DefinitionParams(editor.document(name), position)
        (found,) = await editor.client.text_document_definition_async(params)
        assert found.uri == editor.uri("levers.py")
        assert found.range == types.Range(types.Position(5, 13), types.Position(5, 22))


async def test_references_are_readers_and_documentation(editor):
    await editor.open("engine.py")
    params = types.ReferenceParams(
        types.ReferenceContext(True), editor.document("engine.py"), types.Position(5, 15)
    )
    found = await editor.client.text_document_references_async(params)
    places = sorted((each.uri.rpartition("/")[2], each.range.start.line) for each in found)
    assert places == [("engine.py", 4), ("kernel.rs", 1), ("levers.py", 5), ("notes.md", 2)]


async def test_levers_are_symbols(editor):
    await editor.open("engine.py")
    params = types.DocumentSymbolParams(editor.document("engine.py"))
    (symbol,) = await editor.client.text_document_document_symbol_async(params)
    assert (symbol.name, symbol.detail) == ("ATLAS_KV_POISON", "opt_in")
    found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("kvpois"))
    assert [(each.name, each.location.uri) for each in found] == [
        ("ATLAS_KV_POISON", editor.uri("levers.py"))
    ]
    assert not await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("zzz"))


async def test_levers_complete_in_strings_and_comments(editor):
    await editor.open("engine.py")

    async def offered(typed):
        await editor.type("engine.py", types.Position(6, 0), types.Position(6, 0), f"{typed}\n")
        params = types.CompletionParams(editor.document("engine.py"), types.Position(6, len(typed)))
        found = await editor.client.text_document_completion_async(params)
        return found.items if found else []

    for typed in ("    # ATLAS_K", '    x = f(b, "ATLAS_', "    'ATLAS_KV_POISON"):
        (item,) = await offered(typed)
        assert item.label == "ATLAS_KV_POISON"
        resolved = await editor.client.completion_item_resolve_async(item)
        documentation = resolved.documentation
        assert "opt_in" in getattr(documentation, "value", documentation)
    for typed in ("    x = ATLAS_", "    # KV", "    # ATLAS_Z"):
        assert not await offered(typed)


async def test_hints_tell_the_decoding_beside_each_read(editor):
    await editor.open("engine.py")
    whole = types.Range(types.Position(0, 0), types.Position(7, 0))
    params = types.InlayHintParams(editor.document("engine.py"), whole)
    (hint,) = await editor.client.text_document_inlay_hint_async(params)
    assert (hint.label, hint.position) == ("opt_in", place_of_read(editor).end)
    above = types.Range(types.Position(0, 0), types.Position(3, 0))
    params = types.InlayHintParams(editor.document("engine.py"), above)
    assert not await editor.client.text_document_inlay_hint_async(params)


async def test_a_suppression_silences_what_it_was_offered_for(editor):
    for name, line in (("engine.py", 4), ("kernel.rs", 1)):
        await editor.open(name)
        place = types.Range(types.Position(line, 30), types.Position(line, 30))
        offered = await editor.actions(name, place, [types.CodeActionKind.QuickFix])
        (action,) = [each for each in offered if "suppress raw-read" in each.title]
        edit = action.edit
        (change,) = (
            edit.document_changes[0].edits if edit.document_changes else edit.changes[editor.uri(name)]
        )
        assert change.new_text.strip().endswith("leverlint: allow(raw-read) -- say why")
        await editor.type(name, change.range.start, change.range.end, change.new_text)
        await editor.shows(name)


async def test_a_read_is_replaced_by_the_field_that_holds_the_same(editor):
    await editor.open("engine.py")
    offered = await editor.actions("engine.py", place_of_read(editor), [types.CodeActionKind.QuickFix])
    (action,) = [each for each in offered if each.is_preferred]
    assert action.title == "leverlint: replace with `ModelLevers.get().kv_poison`"
    await editor.apply("engine.py", action.edit)
    text = editor.texts["engine.py"]
    assert "from levers import ModelLevers\n" in text
    assert "; on = ModelLevers.get().kv_poison\n" in text
    assert "import os" not in text
    await editor.shows("engine.py")


async def test_everything_is_fixed_at_once(editor):
    twice = ENGINE_LINE + "\n    off = not (os.environ.get('ATLAS_KV_POISON') == '1')"
    await editor.open("engine.py", (editor.root / "engine.py").read_text("utf-8").replace(ENGINE_LINE, twice))
    await editor.shows("engine.py", "LVR101", "LVR101")
    everything = types.Range(types.Position(0, 0), types.Position(0, 0))
    (action,) = await editor.actions("engine.py", everything, ["source.fixAll.leverlint"])
    action = await editor.client.code_action_resolve_async(action)
    await editor.apply("engine.py", action.edit)
    assert editor.texts["engine.py"].count("ModelLevers.get().kv_poison") == 2
    await editor.shows("engine.py")


async def test_a_slip_of_the_pen_is_put_right(editor):
    await editor.open("engine.py")
    start = types.Position(4, place_of_read(editor).start.character)
    await editor.type("engine.py", start, place_of_read(editor).end, "os.environ.get('ATLAS_KV_POISN')")
    await editor.shows_text("engine.py", "`ATLAS_KV_POISN` is read")
    offered = await editor.actions("engine.py", types.Range(start, start))
    (action,) = [each for each in offered if "did you mean" in each.title]
    await editor.apply("engine.py", action.edit)
    await editor.shows_text("engine.py", "`ATLAS_KV_POISON` is read")


async def test_the_workspace_is_told_once(editor):
    if not editor.pulls:
        pytest.skip("is sent diagnostics unasked")
    ask = editor.client.workspace_diagnostic_async
    first = await ask(types.WorkspaceDiagnosticParams([]))
    assert {item.uri: len(item.items) for item in first.items} == {
        editor.uri("engine.py"): 1,
        editor.uri("kernel.rs"): 1,
    }
    known = [types.PreviousResultId(item.uri, item.result_id) for item in first.items]
    second = await ask(types.WorkspaceDiagnosticParams(known))
    assert {item.kind for item in second.items} == {"unchanged"}

    await editor.open("engine.py", "x = 1\n")
    third = await ask(types.WorkspaceDiagnosticParams(known))
    assert {item.uri: item.kind for item in third.items} == {
        editor.uri("engine.py"): "full",
        editor.uri("kernel.rs"): "unchanged",
    }


async def test_an_editor_asks_only_if_it_can_be_told_to_ask_again(editor):
    announced = editor.capabilities
    asks = announced.text_document.diagnostic is not None
    again = getattr(announced.workspace.diagnostics, "refresh_support", None)
    assert editor.pulls is bool(asks and again)


async def test_pushed_or_pulled_but_never_both(editor):
    await editor.open("engine.py")
    await editor.shows("engine.py", "LVR101")
    pushed = editor.client.diagnostics.get(editor.uri("engine.py"))
    assert bool(pushed) is not editor.pulls
