"""Kernels that are started before a page needs them."""

import ast
import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from voila.utils import ENV_VARIABLE

from coursekit.serve.kernels import PageKernels
from coursekit.serve.warm_kernels import WarmKernels


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run *story* to its end in a thread: while browser tests are about, this one has a running
    loop.
    """
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, story).result()


class Pool:
    """A kernel manager without kernels: they answer *status* to everything, and it is remembered."""

    default_kernel_name = "python3"

    def __init__(self, status: str = "ok") -> None:
        self.models: dict[str, dict[str, Any]] = {}
        self.environments: list[dict[str, str]] = []
        self.client = Mock(
            wait_for_ready=AsyncMock(),
            execute=AsyncMock(return_value={"content": {"status": status}}),
        )

    def ran(self) -> list[str]:
        return [call.args[0] for call in self.client.execute.await_args_list]

    def cwd_for_path(self, path: str) -> str:
        return f"/root/{path}"

    def get_kernel(self, kernel: str) -> Any:
        return Mock(client=lambda: self.client)

    def list_kernel_ids(self) -> list[str]:
        return list(self.models)

    def kernel_model(self, kernel: str) -> dict[str, Any]:
        return self.models[kernel]

    async def is_alive(self, kernel: str) -> bool:
        return "dead" not in self.models[kernel]

    async def shutdown_kernel(self, kernel: str, now: bool) -> None:
        del self.models[kernel]

    async def start_kernel(self, env: dict[str, str], **_: Any) -> str:
        self.environments.append(env)
        self.models[kernel := f"k{len(self.environments)}"] = {
            "connections": 0,
            "execution_state": "idle",
        }
        return kernel


PAGE: dict[str, Any] = {
    "kernel_name": "python3",
    "path": "zh",
    "env": {ENV_VARIABLE.SERVER_PORT: "1"},
}


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coursekit.serve.kernels.REST", 0)


def test_a_page_gets_a_warm_kernel_in_its_own_folder_and_environment() -> None:
    async def story() -> None:
        manager = Pool()
        kernels = PageKernels(manager, 1, {"COURSEKIT_JOURNAL": "j"}, warm=1)
        await kernels.warm.fill()
        assert manager.environments[0]["COURSEKIT_JOURNAL"] == "j"
        assert kernels.has_room()  # it takes nobody's place
        assert kernels.running() == set()
        assert all("__import__" in code for code in manager.ran())  # it has run nothing but imports
        assert await kernels.start_kernel(**PAGE) == "k1"
        assert "chdir('/root/zh')" in manager.ran()[-1]
        assert "'SERVER_PORT': '1'" in manager.ran()[-1]
        ast.parse(manager.ran()[-1])
        assert kernels.running() == {"k1"}
        assert kernels.warm.ready() == set()

    run(story())


def test_a_kernel_without_a_page_is_left_alone_by_the_watch() -> None:
    async def story() -> None:
        kernels = PageKernels(Pool(), 1, {}, alone=0, warm=1)
        await kernels.warm.fill()
        await kernels.stop_abandoned()
        assert kernels.warm.ready() == {"k1"}

    run(story())


def test_a_page_starts_its_own_kernel_if_the_warm_one_died_or_is_another_language() -> None:
    async def story() -> None:
        manager = Pool()
        kernels = PageKernels(manager, 3, {}, warm=1)
        await kernels.warm.fill()
        assert await kernels.start_kernel(**{**PAGE, "kernel_name": "ir"}) == "k2"
        manager.models["k1"]["dead"] = True
        assert await kernels.start_kernel(**PAGE) == "k3"
        assert "k1" not in manager.models

    run(story())


def test_no_kernel_is_warmed_if_none_is_wanted_or_its_imports_fail() -> None:
    async def story() -> None:
        for manager, size in ((Pool(), 0), (Pool("error"), 1)):
            kernels = PageKernels(manager, 1, {}, warm=size)
            await kernels.warm.fill()
            assert kernels.warm.ready() == set()
            assert manager.models == {}

    run(story())


def test_no_kernel_is_warmed_while_a_page_opens_or_runs_or_there_is_no_room() -> None:
    async def story() -> None:
        manager = Pool()
        kernels = PageKernels(manager, 2, {}, warm=1)
        with kernels.line.turn("a"):
            await kernels.warm.fill()
        kernel = await kernels.start_kernel(**PAGE)
        manager.models[kernel]["execution_state"] = "busy"
        await kernels.warm.fill()
        manager.models[kernel]["execution_state"] = "idle"
        await kernels.start_kernel(**PAGE)
        await kernels.warm.fill()
        assert len(manager.models) == 2
        await kernels.stop(kernel)
        await kernels.warm.fill()
        assert len(kernels.warm.ready()) == 1

    run(story())


def test_warming_pauses_while_a_page_opens() -> None:
    async def story() -> None:
        manager = Pool()
        ran: list[int] = []

        def asked() -> (
            bool
        ):  # a page opens after the third step, and is open when it is asked for the third time
            ran.append(len(manager.ran()))
            return not (len(manager.ran()) == 3 and ran.count(3) < 3)

        warm = WarmKernels(manager, 1, {}, asked)
        await warm.fill()
        assert ran.count(3) == 3
        assert warm.ready() == {"k1"}

    run(story())
