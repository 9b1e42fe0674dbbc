"""A page is opened before a computer is called ready, also where no home folder can be written."""

import os
import sys
from pathlib import Path

import pytest

from coursekit import cli
from coursekit.serve.home_folders import can_write, settled_folders
from coursekit.serve.page_trial import SERVE, TABLE, try_page

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        code, body = (200, b"") if "key" in self.path else ({code}, {body!r})
        self.send_response(code)
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *how): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"open at http://127.0.0.1:{{server.server_port}}/?key=x", flush=True)
print({complaint!r}, file=sys.stderr, flush=True)
server.serve_forever()
"""


def serving(code: int = 200, body: bytes = TABLE, complaint: str = "") -> list[str]:
    """Return a command that prints an address, and answers there."""
    return [sys.executable, "-c", SERVER.format(code=code, body=body, complaint=complaint)]


def test_a_page_with_a_table_is_good() -> None:
    assert try_page(serving()).state == "good"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (serving(500, b""), "HTTP 500"),
        (serving(body=b"an empty page"), "wizard.ipynb"),
        (serving(500, b"", "Traceback\nPermissionError: /home"), "PermissionError: /home"),
        ([sys.executable, "-c", "raise OSError('no voila')"], "OSError: no voila"),
    ],
)
def test_a_page_that_does_not_come_is_wrong_with_the_reason(command: list[str], why: str) -> None:
    found = try_page(command)
    assert found.state == "wrong"
    assert why in found.sentence("en")


def test_a_server_that_never_answers_is_given_up() -> None:
    assert try_page([sys.executable, "-c", "import time; time.sleep(99)"], 0.3).state == "wrong"


HOME = "/proc/nohome"
"""A folder in which even root can make nothing."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a system with /proc")
def test_a_page_opens_without_a_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("IPYTHONDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME", "JUPYTER_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setenv("COURSEKIT_DATA", str(tmp_path))
    assert try_page(SERVE) == try_page(serving())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a system with /proc")
@pytest.mark.parametrize("command", ["serve", "class"])
def test_a_folder_for_matches_that_cannot_be_made_is_told(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COURSEKIT_DATA", f"{HOME}/data")
    assert cli.main([command, "--port", "0", "--no-browser", "--language", "en"]) == 2
    assert "COURSEKIT_DATA" in capsys.readouterr().err


def test_what_can_be_written_stays_where_it_is_but_settings_do_not_reach_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "mine"))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.setenv("PYTHONSTARTUP", str(tmp_path / "startup.py"))
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "plots"))
    monkeypatch.delenv("JUPYTER_DATA_DIR", raising=False)
    before = dict(os.environ)
    with settled_folders():
        changed = {name for name in os.environ if os.environ[name] != before.get(name)}
        assert changed == {"IPYTHONDIR", "JUPYTER_CONFIG_DIR", "MATPLOTLIBRC", "PYTHONSTARTUP"}
        assert os.environ["PYTHONSTARTUP"] == ""
        assert can_write(Path(os.environ["IPYTHONDIR"]))
    assert dict(os.environ) == before
