"""Firefox and WebKit, the two engines that Playwright's Chromium is not, each driven by its own
protocol.

Debian has them in ``firefox-esr``, ``webkit2gtk-driver`` and ``xvfb``. No program stands between a
test and Firefox, which speaks WebDriver BiDi itself; WebKit's driver comes with it and speaks W3C
WebDriver.
"""

import base64
import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lanes import SLOWNESS
from websockets.sync.client import connect

SIZE = {"width": 1280, "height": 720}
START = round(60 * SLOWNESS)  # seconds until a browser must answer
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "zh-TW",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}
CODE = "JSON.stringify({}) ?? 'null'"
LISTEN = """(() => {
  if (globalThis.engine_errors) return;
  const errors = globalThis.engine_errors = [], log = console.error;
  addEventListener("error", (event) => errors.push(event.message ?? `not loaded: ${event.target.src ?? ""}`), true);
  addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
  addEventListener("securitypolicyviolation", (event) => errors.push(`${event.violatedDirective} ${event.blockedURI}`));
  console.error = (...words) => { errors.push(words.join(" ")); log(...words); };
})()"""


class NoEngineError(Exception):
    """The machine lacks a program; the message is its name."""


def program(*names: str) -> str:
    """Return the first of the programs *names* that is installed.

    :raises NoEngineError: if none is.
    """
    if found := next(filter(None, map(shutil.which, names)), None):
        return found
    raise NoEngineError(names[0])


class Engine:
    """A browser with one page, in a folder of its own that is deleted when it is closed.

    :raises NoEngineError: if the machine does not have it.
    """

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="coursekit-engine-", ignore_cleanup_errors=True)
        self._running: list[subprocess.Popen[bytes]] = []
        self._errors: list[str] = []
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def open(self, url: str) -> None:
        """Go to *url*; return when it is loaded, whatever its scripts still do."""
        raise NotImplementedError

    def reload(self) -> None:
        """Load the page again, as the button of the browser does."""
        raise NotImplementedError

    def evaluate(self, javascript: str) -> Any:
        """Return the value of the expression *javascript*; it must fit into JSON."""
        raise NotImplementedError

    def screenshot(self, path: Path) -> None:
        """Save what the window shows as a PNG file."""
        raise NotImplementedError

    def errors(self) -> list[str]:
        """Return what has gone wrong in pages since the last call: uncaught errors, and what the
        console calls one.
        """
        self.evaluate("0")  # what has been said meanwhile is read with the answer
        found, self._errors = self._errors, []
        return found

    def wait_for(self, javascript: str, seconds: float) -> Any:
        """Return the value of the expression *javascript* as soon as it is true.

        :raises AssertionError: if it is not after *seconds*.
        """
        end = time.monotonic() + seconds
        while not (value := self.evaluate(javascript)):
            assert time.monotonic() < end, (
                f"not true after {seconds} s: {javascript}; errors: {self.errors()}"
            )
            time.sleep(0.02)
        return value

    def close(self) -> None:
        """End the browser."""
        with contextlib.suppress(Exception):  # it may have ended by itself, or not have started
            self._end()
        for process in reversed(self._running):
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._folder.cleanup()

    def _begin(self) -> None:
        raise NotImplementedError

    def _end(self) -> None:
        raise NotImplementedError

    def _start(self, *command: str, **how: Any) -> None:
        with (Path(self._folder.name) / "log").open("ab") as log:
            self._running.append(
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **how)
            )

    def _log(self) -> str:
        return (Path(self._folder.name) / "log").read_text(errors="replace")


class Firefox(Engine):
    """Firefox, over WebDriver BiDi.

    :param preferences: as in ``about:config``, beside those that keep it quiet.
    """

    def __init__(self, **preferences: bool | int | str) -> None:
        self._line = contextlib.ExitStack()
        self._preferences = PREFERENCES | {
            name.replace("_", "."): value for name, value in preferences.items()
        }
        super().__init__()

    def _begin(self) -> None:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in self._preferences.items()
        ]
        (Path(self._folder.name) / "user.js").write_text("\n".join(lines))
        how = [
            "--headless",
            "--no-remote",
            "--profile",
            self._folder.name,
            "--remote-debugging-port=0",
        ]
        self._start(program("firefox-esr", "firefox"), *how, "about:blank")
        end = time.monotonic() + START
        while not (address := re.search(r"WebDriver BiDi listening on (ws://\S+)", self._log())):
            assert time.monotonic() < end, self._log()
            time.sleep(0.05)
        self._socket = self._line.enter_context(connect(f"{address[1]}/session", max_size=None))
        self._sent = 0
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._page = {"context": self._call("browsingContext.getTree")["contexts"][0]["context"]}
        self._call("browsingContext.setViewport", **self._page, viewport=SIZE)

    def _end(self) -> None:
        self._call("browser.close")
        self._line.close()

    def _call(self, method: str, **parameters: Any) -> Any:
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(START))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self._errors.append(answer["params"]["text"])
            elif answer.get("id") == self._sent:
                assert answer["type"] == "success", f"{method}: {answer}"
                return answer["result"]

    def open(self, url: str) -> None:
        self._call("browsingContext.navigate", **self._page, url=url, wait="complete")

    def reload(self) -> None:
        self._call("browsingContext.reload", **self._page, wait="complete")

    def evaluate(self, javascript: str) -> Any:
        code = CODE.format(javascript)
        answer = self._call(
            "script.evaluate", expression=code, target=self._page, awaitPromise=False
        )
        assert answer["type"] == "success", f"{javascript}: {answer['exceptionDetails']['text']}"
        return json.loads(answer["result"]["value"])

    def screenshot(self, path: Path) -> None:
        path.write_bytes(
            base64.b64decode(self._call("browsingContext.captureScreenshot", **self._page)["data"])
        )


class WebKit(Engine):
    """WebKitGTK, whose engine is that of Safari and of every browser on an iPhone, over W3C
    WebDriver.
    """

    def _begin(self) -> None:
        driver, screen = program("WebKitWebDriver"), program("Xvfb")
        told, tell = os.pipe()
        size = "{width}x{height}x24".format(**SIZE)
        self._start(
            screen,
            "-displayfd",
            str(tell),
            "-screen",
            "0",
            size,
            "-nolisten",
            "tcp",
            pass_fds=[tell],
        )
        os.close(tell)
        with open(told) as lines:
            display = f":{lines.readline().strip()}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        here = {
            "DISPLAY": display,
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }  # root gets no sandbox
        self._start(driver, f"--port={port}", env={**os.environ, **here})
        self._session = f"http://127.0.0.1:{port}/session"
        end = time.monotonic() + START
        while not _listens(port):
            assert time.monotonic() < end, self._log()
            time.sleep(0.05)
        self._session += "/" + self._call("POST", capabilities={})["sessionId"]
        self._call("POST", "/window/rect", x=0, y=0, **SIZE)

    def _end(self) -> None:
        self._call("DELETE")

    def _call(self, method: str, path: str = "", **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self._session + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=START) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path} {body}: {error.read().decode()}") from None

    def open(self, url: str) -> None:
        self._go("/url", url=url)

    def reload(self) -> None:
        self._go("/refresh")

    def _go(self, path: str, **body: Any) -> None:
        self._gather()
        self._call("POST", path, **body)
        self.evaluate(LISTEN)

    def evaluate(self, javascript: str) -> Any:
        return json.loads(
            self._call("POST", "/execute/sync", script=f"return {CODE.format(javascript)}", args=[])
        )

    def errors(self) -> list[str]:
        self._gather()
        return super().errors()

    def _gather(self) -> None:
        self._errors += self.evaluate("globalThis.engine_errors?.splice(0) ?? []")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


ENGINES: dict[str, type[Engine]] = {"firefox": Firefox, "webkit": WebKit}
