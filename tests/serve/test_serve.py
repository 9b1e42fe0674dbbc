"""What the pages are made of: the shelf of notebooks, the kernels, the texts and the links."""

import asyncio
import json
import logging
import re
import shutil
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import Mock

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import Application
from voila.configuration import VoilaConfiguration
from voila.utils import get_page_config

from coursekit.core import registry
from coursekit.games.wizard import Wizard
from coursekit.kit import GAMES
from coursekit.serve import app, jupyter_pages, outside_games, pages
from coursekit.serve.handlers import (
    BEAT,
    EXTENSIONS,
    HEARTBEAT,
    VOILA,
    Dashboard,
    PageHandler,
    configure_front_end,
)
from coursekit.serve.kernels import PageKernels, TooManyKernelsError
from coursekit.serve.login import Entrance, Key
from coursekit.serve.notebooks import NotebookShelf, packaged_folder
from coursekit.serve.page_queue import Line
from coursekit.words import texts

T = TypeVar("T")


def run(story: Coroutine[Any, Any, T]) -> T:
    """Run *story* to its end in a thread: while browser tests are about, this one has a running
    loop.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, story).result()


def asked(path: str) -> HTTPServerRequest:
    """Return a request for *path*, as a server hears it."""
    line = RequestStartLine("GET", path, "HTTP/1.1")
    return HTTPServerRequest(
        start_line=line, headers=HTTPHeaders({"Host": "127.0.0.1:9000"}), connection=Mock()
    )


def notebook(path: Path, heading: str = "", **about: object) -> None:
    """Write a notebook of one cell of text, which says *about* itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = {"cell_type": "markdown", "source": [f"# {heading}\n", "text"], "metadata": {}}
    path.write_text(
        json.dumps({"cells": [cell] if heading else [], "metadata": about}), encoding="utf-8"
    )


@pytest.fixture
def shelf(tmp_path: Path) -> NotebookShelf:
    """A welcome and Wizard in both languages, something only in Chinese, something in neither
    folder.
    """
    notebook(tmp_path / "zh/00-welcome.ipynb", "歡迎")
    notebook(tmp_path / "en/00-welcome.ipynb", "Welcome")
    notebook(tmp_path / "zh/wizard.ipynb", "Wizard 巫師")
    notebook(tmp_path / "en/wizard.ipynb", "Wizard")
    notebook(tmp_path / "zh/extra.ipynb", "另外 <b>")
    notebook(tmp_path / "loose.ipynb")
    return NotebookShelf(tmp_path)


def test_the_shelf_offers_the_language_asked_for_and_what_has_none(shelf: NotebookShelf) -> None:
    def paths_in(language: str) -> list[str]:
        return [each.path for each in shelf.notebooks(language)]

    assert paths_in("en") == ["en/00-welcome.ipynb", "en/wizard.ipynb", "loose.ipynb"]
    assert paths_in("zh-Hant") == [
        "zh/00-welcome.ipynb",
        "zh/extra.ipynb",
        "zh/wizard.ipynb",
        "loose.ipynb",
    ]
    assert paths_in("zh-Hans") == paths_in("zh-Hant")


def test_a_notebook_is_found_by_name_in_the_best_language(shelf: NotebookShelf) -> None:
    for name, path in (
        ("wizard", "en/wizard.ipynb"),
        ("welcome", "en/00-welcome.ipynb"),
        ("extra", "zh/extra.ipynb"),
        ("loose", "loose.ipynb"),
    ):
        found = shelf.find(name, "en")
        assert found is not None
        assert found.path == path
    assert shelf.find("nothing", "en") is None
    assert shelf.names() == ["welcome", "extra", "wizard", "loose"]


def test_a_translation_is_the_same_path_in_the_other_folder(shelf: NotebookShelf) -> None:
    assert shelf.translations("zh/wizard.ipynb") == [("en", "en/wizard.ipynb")]
    assert shelf.translations("en/wizard.ipynb") == [("zh-Hant", "zh/wizard.ipynb")]
    assert shelf.translations("zh/extra.ipynb") == []
    assert shelf.translations("loose.ipynb") == []
    kits = NotebookShelf(packaged_folder().parent).translations("notebooks/en/wizard.ipynb")
    assert kits == [
        ("zh-Hant", "notebooks/zh/wizard.ipynb"),
        ("zh-Hans", "notebooks/zh-Hans/wizard.ipynb"),
    ]


def test_a_lesson_of_the_kit_is_also_there_in_simplified_chinese(shelf: NotebookShelf) -> None:
    notebook(shelf.folder / "zh/wizard.ipynb", "Wizard 的程式", coursekit={"language": "zh-Hant"})
    offered = shelf.notebooks("zh-Hans")
    assert [(each.path, each.title) for each in offered[1:3]] == [
        ("zh/extra.ipynb", "另外 <b>"),  # a teacher's own stays as it is
        ("zh-Hans/wizard.ipynb", "Wizard 的程序"),
    ]
    assert shelf.source("zh-Hans/wizard.ipynb") == "zh/wizard.ipynb"
    assert shelf.source("above/zh-Hans/wizard.ipynb") == "above/zh-Hans/wizard.ipynb"
    assert shelf.source("zh-Hans/extra.ipynb") == "zh-Hans/extra.ipynb"
    links = [("en", "en/wizard.ipynb"), ("zh-Hans", "zh-Hans/wizard.ipynb")]
    assert shelf.translations("zh/wizard.ipynb") == links
    assert pages.frame(pages.Site(shelf), "zh-Hans/wizard.ipynb")["language"] == "zh-Hans"

    notebook(shelf.folder / "zh-Hans/wizard.ipynb", "自己改的")
    assert [each.title for each in shelf.notebooks("zh-Hans") if each.name == "wizard"] == [
        "自己改的"
    ]
    assert shelf.source("zh-Hans/wizard.ipynb") == "zh-Hans/wizard.ipynb"


def test_a_broken_notebook_is_listed_under_its_file_name(tmp_path: Path) -> None:
    for number, content in enumerate(["", "[]", '{"cells": [1]}', "\0"]):
        (tmp_path / f"odd{number}.ipynb").write_text(content)
    assert [each.title for each in NotebookShelf(tmp_path).notebooks("en")] == [
        "odd0",
        "odd1",
        "odd2",
        "odd3",
    ]


def test_the_kits_own_notebooks_are_found() -> None:
    assert (packaged_folder() / "zh").is_dir()
    assert (packaged_folder() / "en").is_dir()


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_the_start_page_lists_games_with_players_and_nothing_twice(
    shelf: NotebookShelf, language: str
) -> None:
    page = pages.start(pages.Site(shelf), language)
    folder = "en" if language == "en" else "zh"
    links = re.findall(r'href="(/voila/render/[^"#]*)(?:#play)?"', page)
    assert re.findall(r'lang="([\w-]+)"[^>]* aria-current="page"', page) == [language]
    assert sorted(links) == sorted(
        f"/voila/render/{each.path}" for each in shelf.notebooks(language)
    )
    assert texts.text("page.players", language, players="3–6") in page
    assert f"/voila/render/{folder}/wizard.ipynb" in page
    assert "<b>" not in page  # a heading is text, whoever wrote it
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page) == []


@pytest.mark.parametrize(
    "path", ["//example.org/", "///example.org/x", r"/\example.org/", r"\\example.org/"]
)
def test_the_key_leads_to_no_other_server(shelf: NotebookShelf, path: str) -> None:
    key = Key(9000)
    request = asked(key.address(path))
    entrance = Entrance(Application(), request, site=pages.Site(shelf), key=key)
    entrance.finish = Mock()  # type: ignore[method-assign]
    entrance.prepare()
    (page,) = entrance.finish.call_args.args
    (target,) = re.findall(r'url=([^"]*)"', page)
    assert re.match(r"/[^/\\]", target)


@pytest.mark.parametrize(
    ("path", "language"), [("en/x.ipynb", "en"), ("zh/x.ipynb", "zh-Hant"), ("x.ipynb", "en")]
)
def test_a_message_on_the_page_of_a_notebook_is_in_its_language(
    shelf: NotebookShelf, path: str, language: str
) -> None:
    site = replace(pages.Site(shelf), language="en")
    handler = PageHandler(Application(coursekit_site=site), asked("/"))
    handler.path_args = [path]
    assert handler.language == language


def test_a_game_that_cannot_be_loaded_is_left_out_and_the_others_are_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "installed", lambda: {"half_done": "no_such_package.kit:KIT"})
    left_out = []
    with outside_games.kits_notebooks(lambda game, why: left_out.append((game, why))) as folder:
        assert "Wizard" in pages.start(pages.Site(NotebookShelf(folder)), "en")
    assert left_out == [("half_done", "ModuleNotFoundError: No module named 'no_such_package'")]


def test_a_game_whose_lesson_or_words_fail_is_left_out_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class HalfDone(Wizard):
        name = "half_done"

    (tmp_path / "texts.toml").write_text(
        '[title]\nzh-Hant = "一"\nen = "Half"\nzh-Hans = "一"\n', encoding="utf-8"
    )
    replace(GAMES["wizard"], rules=HalfDone, texts=tmp_path / "texts.toml")
    left_out = []
    with outside_games.kits_notebooks(lambda *told: left_out.append(told)) as folder:
        assert folder == packaged_folder()
    registry.remove("half_done")
    assert [name for name, _ in left_out] == ["half_done"]
    assert "half_done has no text 'about' in zh-Hant" in left_out[0][1]


def test_a_game_without_notebook_is_not_shown(tmp_path: Path) -> None:
    notebook(tmp_path / "zh/00-welcome.ipynb", "歡迎")
    page = pages.start(pages.Site(NotebookShelf(tmp_path)), "zh-Hant")
    assert "site-game" not in page
    assert texts.text("page.nothing", "zh-Hant") in page


def test_a_game_for_one_number_of_players_names_it_once(tmp_path: Path) -> None:
    notebook(tmp_path / "zh/blockade.ipynb", "文壇")
    page = pages.start(pages.Site(NotebookShelf(tmp_path)), "zh-Hant")
    assert texts.text("page.players", "zh-Hant", players="4") in page


def test_every_game_has_its_words_and_its_emblem() -> None:
    for name in GAMES:
        assert GAMES[name].emblem.is_file()
        for language in texts.LANGUAGES:
            for part in ("title", "about", "topics"):
                assert texts.game_text(name, part, language)


def test_links_keep_the_prefix_of_the_server(shelf: NotebookShelf, tmp_path: Path) -> None:
    shutil.copytree(shelf.folder, tmp_path / "home/notebooks")
    notebook(tmp_path / "home/notebooks/en/kits.ipynb", coursekit={})
    home = jupyter_pages.HomeShelf(tmp_path / "home")
    site = pages.Site(home, "/user/abc/", "coursekit/")
    assert site.home("zh-Hant") == "/user/abc/coursekit/"
    assert site.home("en") == "/user/abc/coursekit/en"
    frame = pages.frame(site, "notebooks/zh/wizard.ipynb")
    assert frame["language"] == "zh-Hant"
    assert frame["others"][0]["address"] == "/user/abc/voila/render/notebooks/en/wizard.ipynb"
    page = pages.start(site, "zh-Hant")
    assert set(re.findall(r'(?:href|src)="(/[^"]{0,9})', page)) == {"/user/abc/"}


def test_the_journal_leaves_the_package_but_stays_beside_own_notebooks(
    shelf: NotebookShelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COURSEKIT_JOURNAL")
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path / "data"))
    ours = app.kernel_environment(pages.Site(NotebookShelf(packaged_folder())))
    assert ours["COURSEKIT_JOURNAL"] == str(tmp_path / "data/journal.json")
    assert (tmp_path / "data").is_dir()
    assert "COURSEKIT_JOURNAL" not in app.kernel_environment(pages.Site(shelf))
    monkeypatch.setenv("COURSEKIT_JOURNAL", "elsewhere")
    own = app.kernel_environment(pages.Site(NotebookShelf(packaged_folder()), language="en"))
    assert own == {"COURSEKIT_LANGUAGE": "en"}


class Manager:
    """A kernel manager without kernels."""

    def __init__(self) -> None:
        self.models: dict[str, dict[str, Any]] = {"lab": self.model()}
        self.environments: list[dict[str, str]] = []
        self.killed: dict[str, bool] = {}

    @staticmethod
    def model() -> dict[str, Any]:
        return {"connections": 0, "execution_state": "idle"}

    def list_kernel_ids(self) -> list[str]:
        return list(self.models)

    def kernel_model(self, kernel: str) -> dict[str, Any]:
        return self.models[kernel]

    async def start_kernel(self, env: dict[str, str]) -> str:
        await asyncio.sleep(0.01)
        self.environments.append(env)
        self.models[kernel := f"k{len(self.environments)}"] = self.model()
        return kernel

    def get_kernel(self, kernel: str) -> Any:
        return Mock()

    async def is_alive(self, kernel: str) -> bool:
        return "dead" not in self.models[kernel]

    async def shutdown_kernel(self, kernel: str, now: bool) -> None:
        self.killed[kernel] = now
        del self.models[kernel]


def test_pages_opened_at_the_same_moment_do_not_slip_past_the_limit() -> None:
    async def story() -> list[Any]:
        kernels = PageKernels(Manager(), 3, {})
        return await asyncio.gather(
            *(kernels.start_kernel(env={}) for _ in range(6)), return_exceptions=True
        )

    results = run(story())
    assert sum(isinstance(each, TooManyKernelsError) for each in results) == 3
    assert sum(isinstance(each, str) for each in results) == 3


def test_a_page_waits_a_moment_for_the_kernel_of_the_page_it_replaces() -> None:
    async def story() -> str:
        kernels = PageKernels(Manager(), 1, {})
        first = await kernels.start_kernel(env={})
        asyncio.get_running_loop().call_later(0.2, asyncio.ensure_future, kernels.stop(first))
        return await kernels.start_kernel(env={})

    assert run(story()) == "k2"


def test_a_kernel_that_failed_to_start_takes_no_place() -> None:
    class Broken(Manager):
        async def start_kernel(self, env: dict[str, str]) -> str:
            raise RuntimeError("no memory")

    async def story() -> bool:
        kernels = PageKernels(Broken(), 1, {})
        with pytest.raises(RuntimeError):
            await kernels.start_kernel(env={})
        return kernels.has_room()

    assert run(story())


def test_kernels_stop_that_are_dead_or_whose_page_gives_no_sign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr("coursekit.serve.kernels.time", Mock(monotonic=lambda: clock[0]))

    async def story() -> None:
        manager = Manager()
        kernels = PageKernels(manager, 9, {})

        async def left_at(moment: float) -> set[str]:
            clock[0] = moment
            await kernels.stop_abandoned()
            return set(manager.models)

        for _ in range(4):
            await kernels.start_kernel(env={})
        manager.models["k4"]["dead"] = True
        manager.models["k1"]["connections"] = manager.models["k2"]["connections"] = 1
        assert await left_at(1) == {"lab", "k1", "k2", "k3"}
        manager.models["k1"]["connections"] = 0  # its browser was killed
        assert await left_at(14) == {"lab", "k1", "k2", "k3"}
        assert await left_at(17) == {"lab", "k2", "k3"}
        assert not kernels.note_sign("k1")
        assert await left_at(50) == {"lab", "k2", "k3"}  # the third is still loading its scripts
        assert kernels.note_sign("k3")
        assert await left_at(100) == {"lab", "k2", "k3"}
        assert await left_at(111) == {"lab", "k2"}
        await kernels.stop("lab")
        assert set(manager.models) == {"lab", "k2"}

    run(story())


def test_pages_open_in_the_order_in_which_they_came_a_few_at_a_time() -> None:
    line = Line(2)
    with line.turn("a"):
        with line.turn("b"):
            assert [line.ahead(each) for each in "cde"] == [1, 2, 3]
            assert [line.before(each) for each in "cdx"] == [0, 1, 3]
        assert [line.ahead(each) for each in "ecd"] == [2, 0, 1]
        with line.turn("c"):
            assert [line.ahead(each) for each in "de"] == [1, 2]
    assert [line.ahead(each) for each in "de"] == [0, 0]


def test_a_page_that_was_closed_while_it_waited_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0]
    monkeypatch.setattr("coursekit.serve.page_queue.time.monotonic", lambda: clock[0])
    line = Line(1)
    assert [line.ahead(each) for each in "abc"] == [0, 1, 2]
    for clock[0] in range(1, 12):
        line.ahead("b")
    assert [line.ahead(each) for each in "bca"] == [0, 1, 2]


def test_pages_that_wait_count_where_places_are_limited() -> None:
    kernels = PageKernels(Manager(), 2, {})
    assert kernels.has_room(waiting=1)
    assert not kernels.has_room(waiting=2)


def test_the_kernel_of_a_page_that_is_closed_may_save_unless_it_is_busy() -> None:
    async def story() -> dict[str, bool]:
        manager = Manager()
        kernels = PageKernels(manager, 9, {})
        for state in ("idle", "busy"):
            kernel = await kernels.start_kernel(env={})
            manager.models[kernel]["execution_state"] = state
            await kernels.stop(kernel, now=False)
        return manager.killed

    assert run(story()) == {"k1": False, "k2": True}


@pytest.mark.parametrize("held", [True, False])
def test_a_page_may_be_silent_while_it_is_held_before_its_lab(
    held: bool, shelf: NotebookShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    sleep = asyncio.sleep

    async def turn(seconds: float) -> None:
        clock[0] += seconds
        await sleep(0)

    monkeypatch.setattr("coursekit.serve.kernels.time", Mock(monotonic=lambda: clock[0]))
    monkeypatch.setattr("coursekit.serve.kernels.asyncio", Mock(sleep=turn))

    async def story() -> tuple[list[str], float]:
        kernels = PageKernels(Manager(), 9, {})
        settings = {"coursekit_kernels": kernels, "coursekit_site": pages.Site(shelf)}
        page = Dashboard(Application(**settings), asked("/"), voila_configuration=Mock())
        written: list[str] = []

        async def cells(path: str) -> AsyncIterator[str]:
            await page.kernels.start_kernel(env={})
            yield "lesson"
            with kernels.line.turn("another page, which opens all the while"):
                waiting = asyncio.ensure_future(page.before_lab() if held else turn(75))
                beat = clock[0] + BEAT
                while not waiting.done() or clock[0] >= beat:
                    if clock[0] >= beat:
                        beat += BEAT
                        yield HEARTBEAT
                    await sleep(0)
            yield "lab"

        monkeypatch.setattr(page, "get_generator", cells)
        monkeypatch.setattr(page, "write", written.append)
        monkeypatch.setattr(page, "flush", Mock())
        await page._write_page("zh/wizard.ipynb")
        return [each for each in written if each != HEARTBEAT], clock[0]

    written, seconds = run(story())
    assert seconds >= 75
    assert ("lab" in written) is held


@pytest.mark.parametrize("setting", ["disabledExtensions", "deferredExtensions"])
def test_settings_of_somebodys_jupyterlab_take_no_extension_from_our_pages(
    setting: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def front_end(folder: Path) -> dict[str, Any]:
        monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(folder))
        configuration = VoilaConfiguration(**VOILA)
        page_config = get_page_config("/", {}, logging.getLogger(), configuration)
        return configure_front_end(page_config, base_url="/")

    theirs = tmp_path / "labconfig" / "page_config.json"
    theirs.parent.mkdir()
    names = [*EXTENSIONS, "@voila-dashboards/voila:widget-manager"]
    theirs.write_text(json.dumps({setting: dict.fromkeys(names, True)}))
    usual, page = front_end(tmp_path / "none"), front_end(tmp_path)
    extensions = {
        extension["name"]: extension["load"] for extension in page["federated_extensions"]
    }
    assert extensions == {one["name"]: one["load"] for one in usual["federated_extensions"]}
    assert {"anywidget", "@voila-dashboards/widgets-manager8"} <= extensions.keys()
    assert page["disabledExtensions"] == page["deferredExtensions"] == []


def test_kernels_get_the_environment_of_the_site() -> None:
    manager = Manager()
    run(PageKernels(manager, 1, {"COURSEKIT_JOURNAL": "j"}).start_kernel(env={"PATH": "p"}))
    assert manager.environments == [{"PATH": "p", "COURSEKIT_JOURNAL": "j"}]
