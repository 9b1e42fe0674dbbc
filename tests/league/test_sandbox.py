"""What an entry can reach, take and leave behind, in bubblewrap and without it."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import which
from textwrap import dedent, indent

import psutil
import pytest
from lanes import LACKS, PATIENCE

from coursekit.cli import main
from coursekit.core.match import play_out
from coursekit.core.strategy import AtRandom, StrategyError
from coursekit.games.wikipedia import Options, Wikipedia
from coursekit.league import referee
from coursekit.league.entry_limits import can_forbid_calls
from coursekit.league.referee import Process, end, read_stop, remote_strategy, watch_entries
from coursekit.league.sandbox import Sandbox, find_sandbox
from coursekit.league.standing_page import render_standing
from coursekit.league.tournament import League, play_league
from coursekit.words.texts import LANGUAGES, PACKAGE

GAME = Wikipedia(2, Options(points_to_win=2))
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are those of Linux")


def need_bubblewrap() -> None:
    attempt = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if which("bwrap") is None or subprocess.run(attempt, capture_output=True).returncode:
        pytest.skip(f"{LACKS}bubblewrap: install it, and let it make namespaces")


@pytest.fixture(params=["bubblewrap", "alone"])
def command(request: pytest.FixtureRequest) -> Sequence[str]:
    """How an entry is started."""
    if request.param == "bubblewrap":
        need_bubblewrap()
        return find_sandbox(GAME).command
    if not can_forbid_calls():
        pytest.skip(f"{LACKS}filters of system calls: this machine's kernel has none")
    return ()


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(referee, "HARD", float(PATIENCE))  # to fill memory takes a while
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # entries have folders in it
    monkeypatch.setattr(tempfile, "tempdir", None)


def entry(body: str, before: str = "") -> str:
    """Return the source of an entry that runs *before* first, and whose moves do *body*."""
    head = "import ctypes, os, sys, time\nfrom coursekit.core.strategy import AtRandom\n"
    moves = indent(dedent(body), " " * 8)
    return f"{head}{dedent(before)}\nclass Entry(AtRandom):\n    time_limit = {PATIENCE}\n    def decide(self, obs):\n{moves}"


def said(source: str, command: Sequence[str]) -> str:
    """Return why the entry was stopped."""
    with watch_entries():
        process = Process(GAME, "entry.py", source, command)
        with pytest.raises(StrategyError) as raised:
            play_out(GAME, [remote_strategy(process), AtRandom], "1")
    return read_stop(raised.value)[1].sentence("en")


def wait_until(condition: Callable[[], bool]) -> None:
    last = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < last
        time.sleep(0.01)


TRIES = """
import mmap, signal, socket, threading
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
PLACES = ["", os.environ["TMPDIR"] + "/", "/tmp/", "/var/tmp/", "/dev/shm/", HOME + "/"]

def fork():
    child = libc.fork()
    if child == 0:
        libc.setsid()
        libc.sleep(99)
        os._exit(0)
    return child > 0

def thread():
    threading.Thread(target=time.sleep, args=(99,), daemon=True).start()
    return True

def program():
    return os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {}) > 0

def shared_memory():
    maps = []
    for _ in range(8):
        maps.append(mmap.mmap(-1, 100 << 20))
        maps[-1].write(bytes(100 << 20))
    return True

def memory_without_name():
    number = libc.memfd_create(b"x", 0)
    return number >= 0 and os.write(number, bytes(1 << 20)) > 0

def system_memory():
    return libc.shmget(0, 100 << 20, 0o1600) >= 0

def heap():
    kept = []
    while len(kept) < 30:
        kept.append(bytes(20 << 20))
    return True

def write():
    return [place for place in PLACES if libc.open((place + "hostile").encode(), 0o101, 0o600) >= 0]

def append():
    return libc.open(VICTIM.encode(), 0o2001) >= 0

def folder():
    return [place for place in PLACES if libc.mkdir((place + "hostile-folder").encode(), 0o700) == 0]

def delete():
    return libc.unlink(VICTIM.encode()) == 0

def rename():
    return libc.rename(VICTIM.encode(), (VICTIM + "2").encode()) == 0

def network():
    return socket.socket() is not None

def signals():
    return libc.kill(os.getppid(), 0) == 0 if os.getppid() else False

def limits():
    import resource
    return resource.prlimit(os.getppid() or 1, resource.RLIMIT_CPU) is not None

def signals_of_a_file():
    import fcntl
    ends = os.pipe()
    fcntl.fcntl(ends[0], fcntl.F_SETOWN, os.getppid())
    return True

def signals_of_a_device():
    import fcntl
    ends = os.pipe()
    fcntl.ioctl(ends[0], 0x8901, os.getppid().to_bytes(4, "little"))
    return True

def wakes_itself():
    return libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p())) == 0

def slows_others():
    return libc.setpriority(0, os.getppid(), 19) == 0

def shows_memory():
    return libc.prctl(4, 1, 0, 0, 0) == 0

def outlives():
    return libc.prctl(1, 0, 0, 0, 0) == 0

def pair():
    return socket.socketpair() is not None

def changes_modes():
    number = os.open(VICTIM, os.O_RDONLY)
    os.fchmod(number, 0)
    return True

def changes_times():
    os.utime(VICTIM, (0, 0))
    return True

def other_numbers():
    return libc.syscall(0x40000000 | 57) >= 0

def tries():
    done = []
    for attempt in (
        fork, thread, program, shared_memory, memory_without_name, system_memory, heap, write,
        append, folder, delete, rename, network, signals, limits, other_numbers,
        signals_of_a_file, signals_of_a_device, wakes_itself, slows_others, shows_memory,
        outlives, pair, changes_modes, changes_times,
    ):
        try:
            answer = attempt()
        except (OSError, MemoryError, RuntimeError):
            continue
        if answer:
            done.append((attempt.__name__, answer))
    return done
"""


def test_the_system_refuses_what_outlives_fills_or_changes_something(
    tmp_path: Path, command: Sequence[str]
) -> None:
    victim = tmp_path / "victim.py"
    victim.write_text("x = 1")
    names = f"HOME, VICTIM = {os.path.expanduser('~')!r}, {str(victim)!r}\n"
    source = entry("raise ValueError(tries())", names + TRIES)
    assert "ValueError: []" in said(source, command)
    assert victim.read_text() == "x = 1"
    assert {path.name for path in tmp_path.iterdir()} == {"victim.py"}


def test_an_entry_rests_while_others_are_asked(command: Sequence[str]) -> None:
    """Between two questions a handler of alarms would run for as long as it likes."""
    spin = """
        import signal
        signal.signal(signal.SIGALRM, lambda *_: sum(range(10**12)))
    """
    with watch_entries():
        process = Process(GAME, "entry.py", entry("return super().decide(obs)", spin), command)
        outer = psutil.Process(process.process.pid)
        inner = (outer.children() or [outer])[0]
        wait_until(lambda: inner.status() == psutil.STATUS_STOPPED)

        process = Process(GAME, "entry.py", entry("return super().decide(obs)"), command)
        outer = psutil.Process(process.process.pid)
        inner = (outer.children() or [outer])[0]
        wait_until(lambda: inner.status() == psutil.STATUS_STOPPED)
        assert play_out(GAME, [remote_strategy(process), AtRandom], "1").over
        wait_until(lambda: inner.status() == psutil.STATUS_STOPPED)


CHAIN = """
import os, time
if os.fork():
    os._exit(0)
os.setsid()
os.write(1, b"started\\n")
end = time.monotonic() + 60  # if nothing else ends it
while time.monotonic() < end:
    if os.fork():
        os._exit(0)
"""
TREE = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
os.write(1, b"started\\n")
time.sleep(60)
"""


@pytest.mark.parametrize("program", [CHAIN, TREE])
def test_none_of_what_a_process_has_started_is_left(program: str) -> None:
    """The pipe has its end only when nobody holds it any more."""
    with watch_entries():
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        end(process.pid)
        process.wait()
        os.set_blocking(process.stdout.fileno(), False)
        wait_until(lambda: process.stdout.read() == b"")
        process.stdout.close()


LOOK = """
seen = []
for top, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(top, name) not in HIDDEN]
    seen += [os.path.join(top, name) for name in files]
raise ValueError([name for name in seen if not name.startswith(tuple(ALLOWED))][:5], [
    name for name in os.environ if name not in NAMES
], [pid for pid in os.listdir("/proc") if pid.isdigit()])
"""


def test_in_bubblewrap_an_entry_sees_python_and_the_kit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither other entries, nor results, processes, or the environment of the league."""
    need_bubblewrap()
    (tmp_path / "other.py").write_text("secret")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SECRET", "secret")
    allowed = ["/dev/", "/etc/ld.so.cache", "/etc/alternatives"]
    for prefix in {sys.prefix, sys.base_prefix}:
        allowed += [os.path.join(prefix, part) for part in ("lib64/", "pyvenv.cfg", "bin/python")]
    hidden = ["/proc", "/usr", "/bin", "/lib", "/lib64", "/nix", "/gnu", str(PACKAGE)]
    hidden += [os.path.join(prefix, "lib") for prefix in (sys.prefix, sys.base_prefix)]
    names = (
        *("PATH", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "PWD", "LC_CTYPE"),
        *("PYTHONPATH", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE"),
        *("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"),
    )
    before = f"ALLOWED, HIDDEN, NAMES = {allowed!r}, {hidden!r}, {names!r}\n"
    why = said(entry(LOOK, before), find_sandbox(GAME).command)
    assert "ValueError: ([], [], ['1'])" in why


STARTS = """
import os, subprocess, sys
from coursekit.games.wikipedia import Wikipedia
from coursekit.league.sandbox import find_sandbox
sandbox = find_sandbox(Wikipedia(2))
assert sandbox.command, sandbox.fault
real = "import os, sys; print(os.path.realpath(sys.executable))"
for command in [*sandbox.command, sys.executable], [sys.executable]:
    subprocess.run([*command, "-c", real], check=True)
"""


@pytest.mark.parametrize("where", ["a venv", "a link to a link", "a folder that is a link"])
def test_bubblewrap_is_used_wherever_python_lies(where: str, tmp_path: Path) -> None:
    """The temporary folder is one such place."""
    need_bubblewrap()
    home = tmp_path / "home folder"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "v"], check=True)
    python = home / "v" / "bin" / "python"
    if where == "a link to a link":
        (home / "one").symlink_to(sys.executable)
        python = home / "two"
        python.symlink_to("one")
    elif where == "a folder that is a link":
        (tmp_path / "short").symlink_to(home)
        python = tmp_path / "short" / "v" / "bin" / "python"
    done = subprocess.run(
        [python, "-c", STARTS],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    inside, outside = done.stdout.splitlines()
    assert inside == outside


def test_why_bubblewrap_cannot_be_used_is_said_before_a_league_and_on_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    broken = programs / "bwrap"
    broken.write_text("#!/bin/sh\nprintf '\\033[2Jbwrap: No \\377permissions\\n\\n' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    sandbox = find_sandbox(GAME)
    assert sandbox.command == ()
    league = League(GAME, "s", "secret", ["a"], ["A"], sandbox, 1, 60.0, 10.0)
    (tmp_path / "entries").mkdir()
    for language in LANGUAGES:
        page = render_standing(league, language, over=False)
        assert "\\x1b[2Jbwrap: No \ufffdpermissions" in page
        assert main(["league", "wikipedia", str(tmp_path / "entries"), "--language", language]) != 0
        told = capsys.readouterr().out
        assert "\\x1b[2Jbwrap: No \ufffdpermissions" in told
        assert all(letter.isprintable() or letter == "\n" for letter in told)
        for sentence in sandbox.sentences():
            assert sentence.sentence(language) in told


def test_what_holds_entries_is_said_with_bubblewrap_and_without() -> None:
    with_it, without = Sandbox(("bwrap",)).sentences(), Sandbox().sentences()
    for language in LANGUAGES:
        assert with_it[0].sentence(language) != without[0].sentence(language)


HIDES = """
import ctypes, sys
sys.path.insert(0, {path!r})
from coursekit.league.entry_limits import hide_memory
hide_memory()
print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE
"""


def test_a_process_that_knows_the_hands_hides_its_memory() -> None:
    """Without bubblewrap an entry runs as the same user, who may read what is not hidden."""
    program = HIDES.format(path=str(PACKAGE.parent))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "0\n", done.stderr


READS = """
def others():
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat") as words:
                parent = int(words.read().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
        if parent == os.getppid() and number != str(os.getpid()):
            yield number

def read_memory():
    found = []
    for number in (os.getppid(), *others()):
        try:
            open(f"/proc/{number}/mem", "rb").close()
            found.append("read")
        except PermissionError:
            found.append("refused")
        except OSError:
            continue
    return found
"""
"""Looks into its referee and into another entry."""


def test_no_entry_reads_the_memory_of_its_referee_or_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coursekit.league.tournament.find_sandbox", lambda _game: Sandbox())
    look = "raise ValueError(read_memory())"
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.py").write_text(entry(look, READS))
    files = {f"{name}.py": tmp_path / f"{name}.py" for name in ("ann", "bob")}
    league = play_league(GAME, files, 2, referees=1)
    reasons = [outcome.reason.sentence("en") for outcome in league.outcomes if outcome.reason]
    assert "'refused', 'refused'" in reasons[0]
    assert "'read'" not in "".join(reasons)
