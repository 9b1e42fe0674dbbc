"""The command ``coursekit``: open the dashboards, or a copy of the notebooks in JupyterLab."""

import argparse
import errno
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

from coursekit import __version__
from coursekit.core.errors import LocalizedError
from coursekit.words import texts
from coursekit.words.language import read_locale, system_locale

if TYPE_CHECKING:
    from coursekit.serve.login import Key
    from coursekit.serve.notebooks import NotebookShelf

PORT = 8866
ROOM_PORT = 8870
PORTS = range(65536)
KERNELS = 12
WARM = 1
MATCHES = 200
MINUTES = 20
NEWS = 5  # seconds between two lines on a league that is played
COPY = "coursekit-notebooks"
UNREAD = 141  # what shells say of a command that ended for want of a reader
YES = ("yes", "y", "是", "好")
"""Answers that let files be deleted."""
USAGE = "coursekit [-h] [--version] serve | class | lab | site | print | league | data | doctor …"


class CommandError(LocalizedError):
    """The command cannot be carried out; a text id and its values say why."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__("", text, **values)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with *argv*; return 0, 1 for an answer of no, or 2 after one sentence.

    Ctrl-C returns 130. Where nobody reads on (``| head``), it ends without a word and returns
    :data:`UNREAD`.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a Windows console may not have every character
            stream.reconfigure(errors="replace")
    language = read_locale(os.environ, system_locale())
    try:
        try:
            given = command_line(language).parse_args(argv)
            run: Callable[[argparse.Namespace, str], int] = given.run
            return run(given, language)
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except LocalizedError as error:
        print(error.sentence(error.language or language), file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == __package__:
            raise
        extra = install_line("serve")
        words = texts.text("cli.no_package", language, name=error.name, command=extra)
        print(words, file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # who has pressed Ctrl-C knows why it ends
        return 130


def install_line(extra: str) -> str:
    """Return the command that installs what *extra* of the kit needs."""
    return f'"{sys.executable}" -m pip install "coursekit-games[{extra}]"'


def command_line(language: str) -> argparse.ArgumentParser:
    """Return the parser of the command line, with texts in *language*."""

    class Formatter(argparse.HelpFormatter):
        def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
            usage_word = texts.text("cli.usage", language)
            super().add_usage(usage, actions, groups, usage_word if prefix is None else prefix)

    class Parser(argparse.ArgumentParser):
        def __init__(self, **how: Any) -> None:
            super().__init__(**how, add_help=False, formatter_class=Formatter)
            self._positionals.title = texts.text("cli.arguments", language)
            self._optionals.title = texts.text("cli.options", language)
            about = texts.text("cli.help.help", language)
            self.add_argument("-h", "--help", action="help", help=about)

        def error(self, message: str) -> NoReturn:
            raise CommandError("cli.misread", why=message)

    top = Parser(prog="coursekit", usage=USAGE, description=texts.text("cli.about", language))
    about = texts.text("cli.help.version", language)
    top.add_argument("--version", action="version", version=__version__, help=about)
    top.set_defaults(run=partial(help_command, top))
    title = texts.text("cli.commands", language)
    commands = top.add_subparsers(title=title, metavar="", parser_class=Parser, prog="coursekit")
    for name, (run, add_options) in COMMANDS.items():
        about = texts.text(f"cli.help.{name}", language)
        # A league has more to explain.
        description = texts.text("cli.help.league_more", language) if name == "league" else about
        parser = commands.add_parser(name, help=about, description=description)
        parser.set_defaults(run=run)
        add_options(Options(parser, language))
    return top


class Options:
    """The options of one command, each with its explanation ``cli.help.…`` in one language."""

    def __init__(self, parser: argparse.ArgumentParser, terminal: str) -> None:
        self._parser = parser
        self.terminal = terminal
        """The language of the terminal."""

    def add(self, name: str, about: str, default: Any = None, **how: Any) -> None:
        """Add the option or argument *name*, which the text *about* explains."""
        allowed = ", ".join(texts.LANGUAGES)
        explained = texts.text(f"cli.help.{about}", self.terminal, default=default, allowed=allowed)
        self._parser.add_argument(name, default=default, help=explained, **how)

    def flag(self, name: str, about: str) -> None:
        """Add an option without a value."""
        explained = texts.text(f"cli.help.{about}", self.terminal)
        self._parser.add_argument(name, action="store_true", help=explained)

    def number(
        self, name: str, about: str, default: int | None, allowed: range, mistake: str
    ) -> None:
        """Add a whole number in *allowed*; the text *mistake* refuses any other."""
        self.add(name, about, default, metavar="N", type=partial(whole_number, allowed, mistake))

    def port(self) -> None:
        """Add the port of the pages."""
        self.number("--port", "port", PORT, PORTS, "cli.port_wrong")

    def room_port(self) -> None:
        """Add the port of the room for phones."""
        self.number("--room-port", "room_port", ROOM_PORT, PORTS, "cli.port_wrong")

    def pages(self, about: str) -> None:
        """Add how many pages may be open at a time."""
        self.number("--max-kernels", about, KERNELS, range(1, 101), "cli.kernels_wrong")

    def language(self, about: str = "language", default: str = texts.LANGUAGES[0]) -> None:
        """Add the language of what the command opens or writes."""
        self.add("--language", about, default, metavar="L", type=known_language)

    def folder(self, about: str, default: str | None = None) -> None:
        """Add the folder to read or write."""
        self.add("--dir", about, default, metavar="DIR")

    def browser(self) -> None:
        """Add that no browser shall open."""
        self.flag("--no-browser", "browser")


def add_serve_options(options: Options) -> None:
    """Add the options of ``coursekit serve``."""
    options.add("game", "game", nargs="?")
    options.port()
    options.folder("serve_dir")
    options.language()
    options.pages("kernels")
    options.number("--warm", "warm", WARM, range(13), "cli.warm_wrong")
    options.browser()


def add_class_options(options: Options) -> None:
    """Add the options of ``coursekit class``."""
    options.add("game", "game", nargs="?")
    options.port()
    options.language()
    options.add("--room", "room", "", metavar="ADDRESS")
    options.room_port()
    options.add("--public-url", "public_url", "", metavar="URL")
    options.flag("--go-on", "go_on")
    options.browser()


def add_lab_options(options: Options) -> None:
    """Add the options of ``coursekit lab``."""
    options.folder("lab_dir", COPY)
    options.language()
    options.browser()


def add_site_options(options: Options) -> None:
    """Add the options of ``coursekit site``."""
    options.add("folder", "site_folder", nargs="?", metavar="FOLDER")
    options.add("--one-file", "site_file", metavar="FILE")


def add_print_options(options: Options) -> None:
    """Add the options of ``coursekit print``."""
    options.add("game", "print_game", metavar="GAME")
    options.language("print_language")
    options.add("--paper", "paper", "a4", choices=["a4", "letter"])
    options.add("--preset", "print_preset", "standard", metavar="NAME")
    options.add("--option", "print_option", [], action="append", metavar="NAME=VALUE")
    options.flag("--backs", "print_backs")
    options.add("--cards", "cards", [], action="append", metavar="FILE")
    options.folder("print_dir", "")
    options.browser()


def add_league_options(options: Options) -> None:
    """Add the options of ``coursekit league``."""
    options.add("game", "print_game", metavar="GAME")
    options.add("folder", "league_folder", metavar="FOLDER")
    options.number("--players", "league_players", None, range(1, 100), "cli.players_wrong")
    matches = range(1, 100_001)
    options.number("--matches", "league_matches", MATCHES, matches, "cli.league_matches_wrong")
    options.number("--minutes", "league_minutes", MINUTES, range(1, 1001), "cli.minutes_wrong")
    options.add("--seed", "league_seed", metavar="TEXT", type=texts.make_line)
    options.add("--secret", "league_secret", metavar="TEXT", type=texts.make_line)
    options.language("league_language", options.terminal)
    options.browser()


def add_data_options(options: Options) -> None:
    """Add the options of ``coursekit data``."""
    options.add("delete", "delete", nargs="?", choices=["delete"])
    options.flag("--yes", "yes")
    options.add("--dir", "data_dir", [], action="append", metavar="DIR")


def add_doctor_options(options: Options) -> None:
    """Add the options of ``coursekit doctor``."""
    language = read_locale(os.environ, system_locale(), texts.LANGUAGES[0])
    options.language("doctor_language", language)
    options.port()
    options.room_port()
    options.pages("doctor_pages")


def _name_left_out(language: str, game: str, why: str) -> None:
    print(texts.text("cli.left_out", language, game=game, why=why), file=sys.stderr)


@contextmanager
def _explain_disk_errors(path: object) -> Iterator[None]:
    """Turn an error of the system into one that says what cannot be written, by default *path*."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise CommandError("cli.cannot_write", path=problem.filename or path, why=why) from None


def help_command(top: argparse.ArgumentParser, given: argparse.Namespace, language: str) -> int:
    """Show the help when no command was given."""
    top.print_help()
    return 0


def serve_command(given: argparse.Namespace, language: str) -> int:
    """Open the dashboards, until Ctrl-C stops them; on a hub, say where they are."""
    from coursekit.serve import hub
    from coursekit.serve.home_folders import settled_folders
    from coursekit.serve.notebooks import NotebookShelf
    from coursekit.serve.outside_games import kits_notebooks

    if hub.on_hub():
        return _tell_hub(language)
    with settled_folders():
        if given.dir:
            return _serve(NotebookShelf(Path(given.dir).absolute()), given, language)
        with kits_notebooks(partial(_name_left_out, language)) as folder:
            return _serve(NotebookShelf(folder, ours=True), given, language)


def _tell_hub(language: str) -> int:
    """Say where the pages are on the hub whose terminal this is.

    :raises CommandError: if its server has none.
    """
    from coursekit.serve.hub import hub_address, is_missing

    if is_missing():
        raise CommandError("cli.hub.missing", python=sys.executable)
    print(texts.text("cli.hub.serve", language, url=hub_address()))
    return 0


def _serve(shelf: "NotebookShelf", given: argparse.Namespace, language: str) -> int:
    from coursekit.serve.personal_data import remember

    if not shelf.folder.is_dir():
        raise CommandError("cli.no_folder", path=shelf.folder)
    names = shelf.names()
    if not names:
        raise CommandError("cli.no_notebooks", path=shelf.folder)
    notebook = shelf.find(given.game, given.language) if given.game else None
    if given.game and notebook is None:
        raise CommandError("kit.unknown_game", got=given.game, allowed=", ".join(names))
    listener = listen(given.port)
    _make_data_folder()
    if given.dir:
        remember(shelf.folder)

    # Voilà takes seconds to import, so all mistakes are reported before.
    from coursekit.serve.app import serve
    from coursekit.serve.login import Key
    from coursekit.serve.pages import Site

    site = Site(shelf, language=given.language)
    key = Key(listener.getsockname()[1])
    path = site.address(notebook) if notebook else site.home(given.language)
    ready = _announcement(listener, path, key, given, language)
    serve(site, listener, given.max_kernels, given.warm, ready, key)
    return 0


def _make_data_folder() -> None:
    """Make the folder in which matches and lessons are kept.

    :raises CommandError: if that is not possible, with what to do.
    """
    from coursekit.files.disk import disk_error_reason
    from coursekit.table.storage.store import data_directory

    folder = data_directory()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        why = disk_error_reason(problem, folder)
        raise CommandError("doctor.writing.bad", path=folder, why=why) from None


def _announcement(
    listener: socket.socket, path: str, key: "Key", given: argparse.Namespace, language: str
) -> Callable[[], None]:
    """Return what says in the terminal, and to a browser, that the pages are open at *path*."""
    address = f"http://127.0.0.1:{listener.getsockname()[1]}{path}"

    def announce() -> None:
        print(texts.text("cli.serving", language, url=key.address(address)))
        print(texts.text("cli.stop", language), flush=True)
        if not given.no_browser:
            webbrowser.open(key.address(address, once=True))

    return announce


def class_command(given: argparse.Namespace, language: str) -> int:
    """Open a room for a class on its own phones, until Ctrl-C stops it."""
    from coursekit.serve import hub

    if hub.on_hub() and not given.public_url:
        raise CommandError("cli.hub.no_class", url=hub.hub_address())
    from coursekit.kit import GAMES
    from coursekit.serve.home_folders import settled_folders
    from coursekit.serve.login import Key
    from coursekit.serve.notebooks import NotebookShelf
    from coursekit.serve.outside_games import kits_notebooks
    from coursekit.serve.pages import Site
    from coursekit.serve.room.app import serve
    from coursekit.serve.room.host import StartRequest

    if given.game and given.game not in GAMES:
        raise CommandError("kit.unknown_game", got=given.game, allowed=", ".join(GAMES))
    listener = listen(given.port)
    _make_data_folder()
    with settled_folders(), kits_notebooks(partial(_name_left_out, language)) as folder:
        site = Site(NotebookShelf(folder, ours=True), language=given.language)
        key = Key(listener.getsockname()[1])
        ready = _announcement(listener, site.console(given.language), key, given, language)
        wanted = StartRequest(
            given.game or "", given.room, given.room_port, given.public_url, given.go_on
        )
        try:
            serve(site, listener, ready, key, wanted)
        except OSError:
            address, port = given.room, given.room_port
            raise CommandError("cli.room_refused", address=address, port=port) from None
    return 0


def lab_command(given: argparse.Namespace, language: str) -> int:
    """Open JupyterLab on a copy of the notebooks; on a hub, say where its own opens it."""
    from coursekit.files.folders import visible_files
    from coursekit.serve import hub, lab
    from coursekit.serve.home_folders import replaced_folders
    from coursekit.serve.notebooks import folder_for
    from coursekit.serve.outside_games import kits_notebooks
    from coursekit.serve.personal_data import remember
    from coursekit.table.storage.store import data_directory

    if not lab.installed():
        raise CommandError("cli.no_lab", command=install_line("lab"))
    folder = Path(given.dir).absolute()
    with (
        _explain_disk_errors(folder),
        kits_notebooks(partial(_name_left_out, language)) as notebooks,
    ):
        copied, kept = lab.copy(notebooks, folder)
    if copied:
        print(texts.text("cli.lab_copied", language, count=len(copied), path=folder))
    for path in kept:
        print(texts.text("cli.lab_kept", language, path=folder / path))
    _make_data_folder()
    remember(folder)
    if hub.on_hub():
        copies = visible_files(folder / folder_for(given.language), "*.ipynb")
        first = next(iter(copies), folder)
        print(texts.text("cli.hub.lab", language, url=hub.lab_address(first)))
        return 0
    os.environ.update(replaced_folders(data_directory() / "libraries"))
    print(texts.text("cli.lab_ready", language, path=folder), flush=True)
    return lab.open_lab(folder, folder_for(given.language), browser=not given.no_browser)


def site_command(given: argparse.Namespace, language: str) -> int:
    """Build the games as files for any web space, as one file, or both."""
    if not (given.folder or given.one_file):
        raise CommandError("cli.site_where")
    from coursekit.site import build

    with _explain_disk_errors(given.folder or given.one_file):
        files = build.files()
        if given.folder:
            build.write_folder(files, Path(given.folder))
            size = f"{sum(map(len, files.values())) / 1e6:.1f}"
            print(texts.text("cli.site_folder", language, path=given.folder, size=size))
        if given.one_file:
            size = f"{build.write_file(files, Path(given.one_file)) / 1e6:.1f}"
            print(texts.text("cli.site_file", language, path=given.one_file, size=size))
    return 0


def print_command(given: argparse.Namespace, language: str) -> int:
    """Write a game's box as a page for paper, and open it."""
    from coursekit.printing import read_options, render_sheets

    path = Path(given.dir, f"{given.game}-{given.language}.html").absolute()
    with _explain_disk_errors(path):
        cards = [*map(Path, given.cards)]
        rules = read_options(given.game, given.option)
        page = render_sheets(
            given.game, given.language, given.paper, cards, given.preset, rules, given.backs
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    print(texts.text("cli.print_done", language, path=path))
    if not given.no_browser:
        webbrowser.open(path.as_uri())
    return 0


def league_command(given: argparse.Namespace, language: str) -> int:
    """Let the strategies in a folder play each other, and show the standing while they do."""
    language = given.language
    folder = Path(given.folder).absolute()
    if not folder.is_dir():
        raise CommandError("cli.league_no_folder", path=folder)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # to end it tidily, as Ctrl-C does
    try:
        with _explain_disk_errors(folder):
            return _play_league(given, folder, language)
    except LocalizedError as error:
        error.language = language
        raise
    except ValueError as error:  # a game from outside refuses the players in its own words
        print(error, file=sys.stderr)
        return 2


def _play_league(given: argparse.Namespace, folder: Path, language: str) -> int:
    from coursekit.core.chance import new_seed
    from coursekit.kit import kit_of
    from coursekit.league.entry_files import RESULTS, find_entries
    from coursekit.league.sandbox import find_sandbox
    from coursekit.league.standing_page import MATCH, STANDING, write_standing
    from coursekit.league.tournament import League, check, play_league, share_of_time

    game = kit_of(given.game).standard(given.players)
    for says in find_sandbox(game).sentences():
        print(says.sentence(language))
    files, left_out = find_entries(folder)
    fine, wrong = check(game, files)
    for name, strategy in fine.items():
        print(f"{name}: {strategy} {texts.text('cli.league_fine', language)}")
    left_out = {**wrong, **left_out}
    for name, why in left_out.items():
        print(texts.text("league.wrong", language, name=name, reason=why))
    secret = given.secret or new_seed()
    # Of a hash of 128 random bits six digits tell nothing.
    results = folder / f"{RESULTS}{sha256(secret.encode()).hexdigest()[:6]}"
    opens = not given.no_browser
    told = 0.0

    def show(league: League) -> None:
        nonlocal opens, told
        write_standing(league, results, language, over=False)
        if opens:
            opens = not webbrowser.open((results / STANDING).as_uri())
        if monotonic() >= told + NEWS:
            told = monotonic()
            done = texts.text("league.round", language, done=league.done, rounds=league.rounds)
            print(f"{done} · {league.tell_time(language)}")

    share = share_of_time(game, len(fine), given.minutes)
    print(texts.text("league.share", language, minutes=given.minutes, seconds=int(share)))
    league = play_league(
        game,
        {name: files[name] for name in fine},
        given.matches,
        given.seed,
        minutes=given.minutes,
        secret=secret,
        news=show,
        left_out=left_out,
    )
    write_standing(league, results, language, over=True)
    print(texts.text("cli.league_done", language, folder=results))
    if (results / MATCH).exists():
        print(texts.text("cli.league_match", language))
    return 0


def data_command(given: argparse.Namespace, language: str) -> int:
    """Say what is kept where and for how long, or delete it after asking."""
    from coursekit.serve.personal_data import delete, list_files
    from coursekit.table.storage.store import KEEP

    def say(name: str, **values: object) -> None:
        print(texts.text(f"cli.data.{name}", language, **values))

    files = list_files(Path(COPY).absolute(), *(Path(folder).absolute() for folder in given.dir))
    for kind in dict.fromkeys(file.kind for file in files):
        say(f"kind.{kind}", days=KEEP)
        for file in files:
            if file.kind == kind:
                say("file", path=file.path, size=f"{-(-file.size // 1000):,}", changed=file.changed)
    if not files:
        say("nothing")
    say("elsewhere")
    if not given.delete:
        say("how")
        return 0
    if not files:
        return 0
    say("close")
    if not given.yes and not _agrees(texts.text("cli.data.sure", language, count=len(files))):
        say("kept")
        return 1
    failed = delete(files)
    say("deleted", count=len(files) - len(failed))
    for path, why in failed:
        print(texts.text("cli.data.failed", language, path=path, why=why), file=sys.stderr)
    return 2 if failed else 0


def doctor_command(given: argparse.Namespace, language: str) -> int:
    """Say whether this computer is ready for a lesson, and what to do; return 1 if it is not."""
    from coursekit.serve import hub, page_trial
    from coursekit.serve.doctor import Finding, examine_computer

    language = given.language

    def say(finding: Finding) -> None:
        state = texts.text(f"doctor.{finding.state}", language)
        print(f"[{state}] {finding.sentence(language)}", flush=True)

    findings = examine_computer((given.port, given.room_port), given.max_kernels)
    for finding in findings:
        say(finding)
    if all(finding.state != "wrong" for finding in findings) and not hub.on_hub():
        findings.append(page_trial.try_page())
        say(findings[-1])
    wrong = sum(finding.state == "wrong" for finding in findings)
    print(texts.text("doctor.not_ready" if wrong else "doctor.ready", language, count=wrong))
    return 1 if wrong else 0


COMMANDS: Mapping[str, tuple[Callable[..., int], Callable[[Options], None]]] = {
    "serve": (serve_command, add_serve_options),
    "class": (class_command, add_class_options),
    "lab": (lab_command, add_lab_options),
    "site": (site_command, add_site_options),
    "print": (print_command, add_print_options),
    "league": (league_command, add_league_options),
    "data": (data_command, add_data_options),
    "doctor": (doctor_command, add_doctor_options),
}
"""Name -> what it does, and what adds its options."""


def _agrees(question: str) -> bool:
    """Return whether the person at the terminal answers *question* with yes."""
    try:
        return input(question + " ").strip().lower() in YES
    except EOFError:
        print()
        return False


def known_language(given: str) -> str:
    """Return *given*.

    :raises CommandError: unless it is a language of the kit.
    """
    if given not in texts.LANGUAGES:
        raise CommandError("cli.unknown_language", got=given, allowed=", ".join(texts.LANGUAGES))
    return given


def whole_number(allowed: range, mistake: str, given: str) -> int:
    """Return *given* as a whole number in *allowed*.

    :raises CommandError: with the text *mistake*, for any other value.
    """
    if not given.isascii() or not given.isdigit() or int(given) not in allowed:
        raise CommandError(mistake, got=given)
    return int(given)


def listen(port: int) -> socket.socket:
    """Return a socket that listens on *port* of the loopback address; 0 means any free port.

    :raises CommandError: if another program uses the port, or the system refuses it.
    """
    try:
        listener = socket.create_server(("127.0.0.1", port), backlog=128)
    except OSError as problem:
        taken = problem.errno == errno.EADDRINUSE
        raise CommandError("cli.port_taken" if taken else "cli.port_refused", port=port) from None
    listener.setblocking(False)
    return listener
