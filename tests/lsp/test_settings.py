"""Settings by every route, several folders, files that change outside of the editor, cancelled requests."""

import asyncio
import shutil

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled

from leverlint import cli

OTHER = 'import os\n\n\ndef step():\n    return os.environ["OTHER_FLAG"], os.environ["ATLAS_A"]\n'


async def test_settings_come_with_the_start(unstarted):
    await unstarted.start(options={"prefixes": ["OTHER_"]})
    await unstarted.open("engine.py", OTHER)
    await unstarted.shows_text("engine.py", "`OTHER_FLAG` is read")


async def test_settings_are_asked_for(unstarted):
    unstarted.settings = {"prefixes": ["OTHER_"], "ignore": ["LVR101"]}
    await unstarted.start()
    await unstarted.open("engine.py", OTHER)
    await unstarted.shows("engine.py")


async def test_settings_change_while_it_runs(unstarted):
    await unstarted.start()
    await unstarted.open("engine.py", OTHER)
    await unstarted.shows_text("engine.py", "`ATLAS_A` is read")
    unstarted.client.set_configuration({"leverlint": {"prefixes": ["OTHER_"]}})
    told = types.DidChangeConfigurationParams({})
    unstarted.client.workspace_did_change_configuration(told)
    await unstarted.shows_text("engine.py", "`OTHER_FLAG` is read")


async def test_a_configuration_file_that_is_written_holds_at_once(unstarted):
    await unstarted.start()
    await unstarted.open("engine.py", OTHER)
    await unstarted.shows_text("engine.py", "`ATLAS_A` is read")
    file = unstarted.root / "leverlint.toml"
    file.write_text('prefixes = ["OTHER_"]\n')
    unstarted.changed("leverlint.toml", types.FileChangeType.Created)
    await unstarted.shows_text("engine.py", "`OTHER_FLAG` is read")

    file.write_text("prefixes = 3\n")
    unstarted.changed("leverlint.toml", types.FileChangeType.Changed)
    await unstarted.says("`prefixes` must be an array of strings")
    # What could be read last holds on.
    await unstarted.shows_text("engine.py", "`OTHER_FLAG` is read")
    file.unlink()
    unstarted.changed("leverlint.toml", types.FileChangeType.Deleted)
    await unstarted.shows_text("engine.py", "`ATLAS_A` is read")


async def test_a_language_can_be_left_to_another_tool(unstarted):
    await unstarted.start(options={"rust": {"diagnostics": "flycheck"}})
    await unstarted.open("kernel.rs")
    await unstarted.shows("kernel.rs")
    await unstarted.open("engine.py")
    await unstarted.shows("engine.py", "LVR101")


async def test_it_can_be_switched_off(unstarted):
    await unstarted.start(options={"enable": False})
    await unstarted.open("engine.py")
    assert await unstarted.hover("engine.py", types.Position(5, 15)) is None


async def test_hints_can_be_switched_off(unstarted):
    await unstarted.start(options={"inlayHints": {"enable": False}})
    await unstarted.open("engine.py")
    whole = types.Range(types.Position(0, 0), types.Position(7, 0))
    params = types.InlayHintParams(unstarted.document("engine.py"), whole)
    assert not await unstarted.client.text_document_inlay_hint_async(params)


async def test_what_a_baseline_holds_is_not_shown(unstarted, monkeypatch):
    monkeypatch.chdir(unstarted.root)
    assert cli.main(["check", "--quiet", "--write-baseline", "--no-cache"]) == 0
    await unstarted.start(options={"baseline": "leverlint-baseline.json"})
    await unstarted.open("engine.py")
    await unstarted.shows("engine.py")
    end = types.Position(6, 0)
    await unstarted.type("engine.py", end, end, "    os.getenv('ATLAS_NEW')\n")
    await unstarted.shows_text("engine.py", "`ATLAS_NEW` is read")


async def test_files_that_change_outside_are_seen(unstarted):
    await unstarted.start()
    await unstarted.open("engine.py")
    await unstarted.shows_text("engine.py", "use `ModelLevers.get().kv_poison`")
    (unstarted.root / "levers.py").unlink()
    unstarted.changed("levers.py", types.FileChangeType.Deleted)
    await unstarted.shows_text("engine.py", "resolve it once in a resolver")

    (unstarted.root / "more.py").write_text(OTHER)
    unstarted.changed("more.py", types.FileChangeType.Created)
    ask = unstarted.client.workspace_diagnostic_async
    report = await ask(types.WorkspaceDiagnosticParams([]))
    assert unstarted.uri("more.py") in {item.uri for item in report.items}

    (unstarted.root / "more.py").write_text("x = 1\n")
    unstarted.changed("more.py", types.FileChangeType.Changed)
    report = await ask(types.WorkspaceDiagnosticParams([]))
    assert unstarted.uri("more.py") not in {item.uri for item in report.items}


async def test_the_editor_shows_how_far_the_reading_is(unstarted):
    await unstarted.start()
    await unstarted.open("engine.py")
    await unstarted.shows("engine.py", "LVR101")
    (reports,) = unstarted.client.progress_reports.values()
    assert (reports[0].kind, reports[0].title) == ("begin", "leverlint reads the project")
    assert [each.percentage for each in reports[1:-1]] == sorted(each.percentage for each in reports[1:-1])
    assert reports[-1].kind == "end"


async def test_it_watches_the_files_of_every_language(unstarted):
    await unstarted.start()
    await unstarted.open("engine.py")
    await unstarted.shows("engine.py", "LVR101")
    (registration,) = [
        each for each in unstarted.registered if each.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    ]
    patterns = " ".join(watcher["globPattern"] for watcher in registration.register_options["watchers"])
    for name in ("py", "pyi", "rs", "md", "leverlint.toml", "pyproject.toml", "Cargo.toml", ".gitignore"):
        assert name in patterns


async def test_each_folder_is_a_project_of_its_own(unstarted):
    second = unstarted.root.parent / "second"
    (second / ".git").mkdir(parents=True)
    (second / "leverlint.toml").write_text('prefixes = ["OTHER_"]\n')
    (second / "engine.py").write_text(OTHER)
    await unstarted.start(folders=[unstarted.root, second])
    await unstarted.open("engine.py")
    await unstarted.shows_text("engine.py", "`ATLAS_KV_POISON` is read")
    report = await unstarted.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    found = {item.uri: item.items[0].message for item in report.items}
    assert "`OTHER_FLAG` is read" in found[(second / "engine.py").as_uri()]


async def test_a_document_outside_of_every_folder_finds_its_project(unstarted):
    second = unstarted.root.parent / "second"
    (second / ".git").mkdir(parents=True)
    (second / "engine.py").write_text(OTHER)
    await unstarted.start()
    await unstarted.open(str(second / "engine.py"))
    await unstarted.shows_text(str(second / "engine.py"), "`ATLAS_A` is read")


async def test_a_document_that_belongs_to_nothing_is_left_alone(unstarted, tmp_path_factory):
    alone = tmp_path_factory.mktemp("alone") / "engine.py"
    alone.write_text(OTHER)
    await unstarted.start()
    await unstarted.open(str(alone))
    assert await unstarted.hover(str(alone), types.Position(4, 20)) is None


async def test_a_cancelled_request_is_answered_as_such(unstarted):
    await unstarted.start()
    params = types.HoverParams(unstarted.document("engine.py"), types.Position(5, 15))
    protocol = unstarted.client.protocol
    # The project is still being read when the request and its end come in.
    answer = protocol.send_request_async(types.TEXT_DOCUMENT_HOVER, params, msg_id="first")
    waiting = asyncio.ensure_future(answer)
    await asyncio.sleep(0)
    protocol.notify(types.CANCEL_REQUEST, types.CancelParams("first"))
    with pytest.raises(JsonRpcRequestCancelled):
        await waiting
    await unstarted.open("engine.py")
    assert await unstarted.hover("engine.py", types.Position(5, 15)) is not None


async def test_each_folder_has_its_own_settings(unasking):
    editor, quiet = unasking, unasking.root.parent / "quiet"
    editor.settings = {}
    shutil.copytree(editor.root, quiet)
    editor.client.set_configuration({"leverlint": {"enable": False}}, scope_uri=quiet.as_uri())
    await editor.start(folders=[editor.root, quiet])
    await editor.open(str(quiet / "engine.py"))
    await editor.open("engine.py")
    await editor.shows("engine.py", "LVR101")
    assert not editor.client.diagnostics.get((quiet / "engine.py").as_uri())


async def test_a_broken_configuration_is_told_once_and_ends_with_its_repair(unasking):
    editor = unasking
    (editor.root / "leverlint.toml").write_text("prefixes = 1\n")
    await editor.start()
    await editor.open("engine.py")
    await editor.shows("engine.py")
    await editor.type("engine.py", types.Position(0, 0), types.Position(0, 0), "\n")
    (editor.root / "leverlint.toml").write_text("")
    editor.changed("leverlint.toml", types.FileChangeType.Changed)
    await editor.shows("engine.py", "LVR101")
    (message,) = editor.client.messages
    assert "`prefixes` must be an array of strings" in message.message
