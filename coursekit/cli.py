"""The command ``coursekit``: open the dashboards, or a copy of the notebooks in JupyterLab."""

import argparse
import errno
import locale
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from coursekit import __version__
from coursekit.core.errors import LocalizedError
from coursekit.words import texts

if TYPE_CHECKING:
    from coursekit.serve.login import Key
    from coursekit.serve.notebooks import NotebookShelf

PORT = 8866
ROOM_PORT = 8870
KERNELS = 12
WARM = 1
COPY = "coursekit-notebooks"
UNREAD = 141  # what shells say of a command that ended for want of a reader
YES = ("yes", "y", "是", "好")
"""Answers that let files be deleted."""


class CommandError(Exception):
    """The command cannot be carried out; a text id and its values say why."""

    def __init__(self, text: str, **values: object) -> None:
        super().__init__(text, values)
        self.text, self.values = text, values


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with *argv*; return 0, 1 for an answer of no, or 2 after one sentence on what
    is wrong.

    Ctrl-C returns 130. Where nobody reads on (``| head``), it ends without a word and returns
    :data:`UNREAD`.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a Windows console may not have every character
            stream.reconfigure(errors="replace")
    language = command_language(os.environ, _system())
    try:
        try:
            given = command_line(language).parse_args(argv)
            run: Callable[[argparse.Namespace, str], int] = given.run
            return run(given, language)
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # or Python complains when it ends
        return UNREAD
    except CommandError as mistake:
        print(texts.text(mistake.text, language, **mistake.values), file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # who has pressed Ctrl-C knows why it ends
        return 130


def command_language(
    environment: Mapping[str, str], system: str = "", otherwise: str = "en"
) -> str:
    """Return the language for the terminal, one of :data:`coursekit.words.texts.LANGUAGES`.

    :param system: the operating system's locale, used if no variable is set (Windows).
    :param otherwise: the language of a computer that names none.

    >>> command_language({"LANG": "zh_TW.UTF-8"})
    'zh-Hant'
    >>> command_language({"LC_ALL": "C", "LANG": "zh_TW.UTF-8"})
    'en'
    """
    variables = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    said = next(filter(None, variables), system)
    name = said.split(".")[0].replace("-", "_").lower()
    if name in ("", "c", "posix"):
        return otherwise
    if not name.startswith(("zh", "chinese")):
        return "en"
    simplified = ("cn", "sg", "hans", "simplified", "china", "singapore")
    return "zh-Hans" if any(each in name for each in simplified) else "zh-Hant"


def _system() -> str:
    """Return the locale of Windows; on other systems the variables say it, and Python takes C for
    English.
    """
    return locale.getlocale()[0] or "" if os.name == "nt" else ""


def command_line(language: str) -> argparse.ArgumentParser:
    """Return the parser of the command line, with texts in *language*."""

    def say(id: str, **values: object) -> str:
        return texts.text(f"cli.{id}", language, **values)

    class Formatter(argparse.HelpFormatter):
        def add_usage(self, usage, actions, groups, prefix=None):  # type: ignore[no-untyped-def]
            super().add_usage(usage, actions, groups, say("usage") if prefix is None else prefix)

    class Parser(argparse.ArgumentParser):
        def __init__(self, **how: object) -> None:
            super().__init__(**how, add_help=False, formatter_class=Formatter)  # type: ignore[arg-type]
            self._positionals.title, self._optionals.title = say("arguments"), say("options")
            self.add_argument("-h", "--help", action="help", help=say("help.help"))

        def error(self, message: str) -> NoReturn:
            raise CommandError("cli.misread", why=message)

    usage = (
        "coursekit [-h] [--version] serve | class | lab | site | print | league | data | doctor …"
    )
    top = Parser(prog="coursekit", usage=usage, description=say("about"))
    top.add_argument("--version", action="version", version=__version__, help=say("help.version"))
    top.set_defaults(run=partial(help_command, top))
    commands = top.add_subparsers(
        title=say("commands"), metavar="", parser_class=Parser, prog="coursekit"
    )
    languages = ", ".join(texts.LANGUAGES)

    first = texts.LANGUAGES[0]
    opens_with = say("help.language", allowed=languages, default=first)
    serve = commands.add_parser("serve", help=say("help.serve"), description=say("help.serve"))
    serve.set_defaults(run=serve_command)
    serve.add_argument("game", nargs="?", help=say("help.game"))
    serve.add_argument(
        "--port", default=str(PORT), metavar="N", help=say("help.port", default=PORT)
    )
    serve.add_argument("--dir", metavar="DIR", help=say("help.serve_dir"))
    serve.add_argument("--language", default=first, metavar="L", help=opens_with)
    about = say("help.kernels", default=KERNELS)
    serve.add_argument("--max-kernels", default=str(KERNELS), metavar="N", help=about)
    serve.add_argument(
        "--warm", default=str(WARM), metavar="N", help=say("help.warm", default=WARM)
    )
    serve.add_argument("--no-browser", action="store_true", help=say("help.browser"))

    room = commands.add_parser("class", help=say("help.class"), description=say("help.class"))
    room.set_defaults(run=class_command)
    room.add_argument("game", nargs="?", help=say("help.game"))
    room.add_argument("--port", default=str(PORT), metavar="N", help=say("help.port", default=PORT))
    room.add_argument("--language", default=first, metavar="L", help=opens_with)
    room.add_argument("--room", default="", metavar="ADDRESS", help=say("help.room"))
    about = say("help.room_port", default=ROOM_PORT)
    room.add_argument("--room-port", default=str(ROOM_PORT), metavar="N", help=about)
    room.add_argument("--public-url", default="", metavar="URL", help=say("help.public_url"))
    room.add_argument("--go-on", action="store_true", help=say("help.go_on"))
    room.add_argument("--no-browser", action="store_true", help=say("help.browser"))

    lab = commands.add_parser("lab", help=say("help.lab"), description=say("help.lab"))
    lab.set_defaults(run=lab_command)
    lab.add_argument("--dir", default=COPY, metavar="DIR", help=say("help.lab_dir", default=COPY))
    lab.add_argument("--language", default=first, metavar="L", help=opens_with)
    lab.add_argument("--no-browser", action="store_true", help=say("help.browser"))

    site = commands.add_parser("site", help=say("help.site"), description=say("help.site"))
    site.set_defaults(run=site_command)
    site.add_argument("folder", nargs="?", metavar="FOLDER", help=say("help.site_folder"))
    site.add_argument("--one-file", metavar="FILE", help=say("help.site_file"))

    paper = commands.add_parser("print", help=say("help.print"), description=say("help.print"))
    paper.set_defaults(run=print_command)
    paper.add_argument("game", metavar="GAME", help=say("help.print_game"))
    paper.add_argument(
        "--language",
        default=first,
        metavar="L",
        help=say("help.print_language", allowed=languages, default=first),
    )
    paper.add_argument(
        "--paper", choices=["a4", "letter"], default="a4", help=say("help.paper", default="a4")
    )
    paper.add_argument(
        "--cards", action="append", default=[], metavar="FILE", help=say("help.cards")
    )
    paper.add_argument("--dir", default="", metavar="DIR", help=say("help.print_dir"))
    paper.add_argument("--no-browser", action="store_true", help=say("help.browser"))

    league = commands.add_parser(
        "league", help=say("help.league"), description=say("help.league_more")
    )
    league.set_defaults(run=league_command)
    league.add_argument("game", metavar="GAME", help=say("help.print_game"))
    league.add_argument("folder", metavar="FOLDER", help=say("help.league_folder"))
    league.add_argument("--players", metavar="N", help=say("help.league_players"))
    league.add_argument(
        "--matches", default="200", metavar="N", help=say("help.league_matches", default=200)
    )
    league.add_argument("--seed", metavar="TEXT", help=say("help.league_seed"))
    about = say("help.league_language", allowed=languages, default=language)
    league.add_argument("--language", default=language, metavar="L", help=about)
    league.add_argument("--no-browser", action="store_true", help=say("help.browser"))

    data = commands.add_parser("data", help=say("help.data"), description=say("help.data"))
    data.set_defaults(run=data_command)
    data.add_argument("delete", nargs="?", choices=["delete"], help=say("help.delete"))
    data.add_argument("--yes", action="store_true", help=say("help.yes"))
    data.add_argument(
        "--dir", action="append", default=[], metavar="DIR", help=say("help.data_dir")
    )

    doctor = commands.add_parser("doctor", help=say("help.doctor"), description=say("help.doctor"))
    doctor.set_defaults(run=doctor_command)
    spoken = command_language(os.environ, _system(), first)
    about = say("help.doctor_language", allowed=languages, default=spoken)
    doctor.add_argument("--language", default=spoken, metavar="L", help=about)
    doctor.add_argument(
        "--port", default=str(PORT), metavar="N", help=say("help.port", default=PORT)
    )
    about = say("help.room_port", default=ROOM_PORT)
    doctor.add_argument("--room-port", default=str(ROOM_PORT), metavar="N", help=about)
    about = say("help.doctor_pages", default=KERNELS)
    doctor.add_argument("--max-kernels", default=str(KERNELS), metavar="N", help=about)
    return top


def _left_out(language: str, game: str, why: str) -> None:
    print(texts.text("cli.left_out", language, game=game, why=why), file=sys.stderr)


def help_command(top: argparse.ArgumentParser, given: argparse.Namespace, language: str) -> int:
    """Show the help when no command was given."""
    top.print_help()
    return 0


def serve_command(given: argparse.Namespace, language: str) -> int:
    """Open the dashboards, until Ctrl-C stops them."""
    from coursekit.serve.game_page import kits_notebooks
    from coursekit.serve.notebooks import NotebookShelf

    port = whole_number(given.port, range(65536), "cli.port_wrong")
    kernels = whole_number(given.max_kernels, range(1, 101), "cli.kernels_wrong")
    given.warm = whole_number(given.warm, range(13), "cli.warm_wrong")
    check_language(given.language)
    if given.dir:
        return _serve(NotebookShelf(Path(given.dir).absolute()), given, port, kernels, language)
    with kits_notebooks(partial(_left_out, language)) as folder:
        return _serve(NotebookShelf(folder, ours=True), given, port, kernels, language)


def _serve(
    shelf: "NotebookShelf", given: argparse.Namespace, port: int, kernels: int, language: str
) -> int:
    from coursekit.serve.personal_data import remember

    if not shelf.folder.is_dir():
        raise CommandError("cli.no_folder", path=shelf.folder)
    names = shelf.names()
    if not names:
        raise CommandError("cli.no_notebooks", path=shelf.folder)
    notebook = shelf.find(given.game, given.language) if given.game else None
    if given.game and notebook is None:
        raise CommandError("kit.unknown_game", got=given.game, allowed=", ".join(names))
    listener = listen(port)
    if given.dir:
        remember(shelf.folder)

    # Voilà takes seconds to import, so all mistakes are reported before.
    from coursekit.serve.app import serve
    from coursekit.serve.login import Key
    from coursekit.serve.pages import Site

    site = Site(shelf, language=given.language)
    on = listener.getsockname()[1]
    key = Key(on)
    address = f"http://127.0.0.1:{on}"
    address += site.address(notebook) if notebook else site.home(given.language)
    serve(site, listener, kernels, given.warm, _announced(key, address, given, language), key)
    return 0


def _announced(
    key: "Key", address: str, given: argparse.Namespace, language: str
) -> Callable[[], None]:
    """Return what says in the terminal, and to a browser, that *address* is open."""

    def ready() -> None:
        print(texts.text("cli.serving", language, url=key.address(address)))
        print(texts.text("cli.stop", language), flush=True)
        if not given.no_browser:
            webbrowser.open(key.address(address, once=True))

    return ready


def class_command(given: argparse.Namespace, language: str) -> int:
    """Open a room for a class on its own phones, until Ctrl-C stops it."""
    from coursekit.kit import GAMES
    from coursekit.serve.game_page import kits_notebooks
    from coursekit.serve.login import Key
    from coursekit.serve.notebooks import NotebookShelf
    from coursekit.serve.pages import Site
    from coursekit.serve.room.app import serve
    from coursekit.serve.room.host import StartRequest

    port = whole_number(given.port, range(65536), "cli.port_wrong")
    room_port = whole_number(given.room_port, range(65536), "cli.port_wrong")
    check_language(given.language)
    if given.game and given.game not in GAMES:
        raise CommandError("kit.unknown_game", got=given.game, allowed=", ".join(GAMES))
    listener = listen(port)
    with kits_notebooks(partial(_left_out, language)) as folder:
        site = Site(NotebookShelf(folder, ours=True), language=given.language)
        on = listener.getsockname()[1]
        key = Key(on)
        ready = _announced(
            key, f"http://127.0.0.1:{on}{site.console(given.language)}", given, language
        )
        wanted = StartRequest(
            given.game or "", given.room, room_port, given.public_url, given.go_on
        )
        try:
            serve(site, listener, ready, key, wanted)
        except OSError:
            raise CommandError("cli.room_refused", address=given.room, port=room_port) from None
        except LocalizedError as error:  # the lesson's file
            print(error.sentence(language), file=sys.stderr)
            return 2
    return 0


def lab_command(given: argparse.Namespace, language: str) -> int:
    """Open JupyterLab on a copy of the notebooks."""
    from coursekit.serve import lab
    from coursekit.serve.game_page import kits_notebooks
    from coursekit.serve.notebooks import folder_for
    from coursekit.serve.personal_data import remember

    check_language(given.language)
    if not lab.installed():
        raise CommandError(
            "cli.no_lab", command=f'"{sys.executable}" -m pip install "jupyterlab>=4.4,<5"'
        )
    folder = Path(given.dir).absolute()
    try:
        with kits_notebooks(partial(_left_out, language)) as notebooks:
            copied, kept = lab.copy(notebooks, folder)
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise CommandError("cli.cannot_write", path=problem.filename or folder, why=why) from None
    if copied:
        print(texts.text("cli.lab_copied", language, count=len(copied), path=folder))
    for path in kept:
        print(texts.text("cli.lab_kept", language, path=folder / path))
    remember(folder)
    print(texts.text("cli.lab_ready", language, path=folder), flush=True)
    return lab.open_lab(folder, folder_for(given.language), browser=not given.no_browser)


def site_command(given: argparse.Namespace, language: str) -> int:
    """Build the games as files for any web space, as one file, or both."""
    if not (given.folder or given.one_file):
        raise CommandError("cli.site_where")
    from coursekit.site import build

    try:
        found = build.files()
        if given.folder:
            build.write_folder(found, Path(given.folder))
            size = sum(map(len, found.values())) / 1e6
            print(texts.text("cli.site_folder", language, path=given.folder, size=f"{size:.1f}"))
        if given.one_file:
            size = build.write_file(found, Path(given.one_file)) / 1e6
            print(texts.text("cli.site_file", language, path=given.one_file, size=f"{size:.1f}"))
    except build.BuildError as wrong:
        print(wrong.sentence(language), file=sys.stderr)
        return 2
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise CommandError(
            "cli.cannot_write", path=problem.filename or given.folder or given.one_file, why=why
        ) from None
    return 0


def print_command(given: argparse.Namespace, language: str) -> int:
    """Write a game's box as a page for paper, and open it."""
    from coursekit.printing import render_sheets

    check_language(given.language)
    path = Path(given.dir, f"{given.game}-{given.language}.html").absolute()
    try:
        page = render_sheets(
            given.game, given.language, given.paper, [Path(each) for each in given.cards]
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    except LocalizedError as wrong:
        print(wrong.sentence(language), file=sys.stderr)
        return 2
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise CommandError("cli.cannot_write", path=problem.filename or path, why=why) from None
    print(texts.text("cli.print_done", language, path=path))
    if not given.no_browser:
        webbrowser.open(path.as_uri())
    return 0


def league_command(given: argparse.Namespace, language: str) -> int:
    """Let the strategies in a folder play each other, and show the standing while they do."""
    from coursekit.core.chance import new_seed
    from coursekit.kit import kit_of
    from coursekit.league.standing_page import MATCH, write_standing
    from coursekit.league.tournament import League, check, play_league

    check_language(given.language)
    language = given.language
    matches = whole_number(given.matches, range(1, 100_001), "cli.league_matches_wrong")
    folder = Path(given.folder).absolute()
    if not folder.is_dir():
        raise CommandError("cli.league_no_folder", path=folder)
    paths = sorted(each for each in folder.glob("*.py") if not each.name.startswith("_"))
    try:
        players = (
            None
            if given.players is None
            else whole_number(given.players, range(1, 100), "cli.players_wrong")
        )
        game = kit_of(given.game).standard(players)
        fine, wrong = check(game, paths)
        for path in paths:
            why = (
                wrong[path].sentence(language)
                if path in wrong
                else texts.text("cli.league_fine", language)
            )
            print(f"{path.name}: {fine.get(path, '')} {why}")
        seed = new_seed() if given.seed is None else given.seed
        results = folder / f"league-{sha256(seed.encode()).hexdigest()[:6]}"
        opened: list[bool] = []

        def news(found: League) -> None:
            write_standing(found, results, language, over=False)
            if not opened and not given.no_browser:
                opened.append(webbrowser.open((results / "standing.html").as_uri()))

        found = play_league(game, list(fine), matches, seed, news=news)
        write_standing(found, results, language, over=True)
    except (LocalizedError, ValueError) as error:
        print(
            error.sentence(language) if isinstance(error, LocalizedError) else error,
            file=sys.stderr,
        )
        return 2
    except BrokenPipeError:
        raise
    except OSError as problem:
        why = problem.strerror or type(problem).__name__
        raise CommandError("cli.cannot_write", path=problem.filename or folder, why=why) from None
    print(texts.text("cli.league_done", language, folder=results))
    if (results / MATCH).exists():
        print(texts.text("cli.league_match", language))
    return 0


def data_command(given: argparse.Namespace, language: str) -> int:
    """Say what is kept where and for how long, or delete it after asking."""
    from coursekit.serve.personal_data import delete, list_files
    from coursekit.table.storage.store import KEEP

    def say(id: str, **values: object) -> None:
        print(texts.text(f"cli.data.{id}", language, **values))

    found = list_files(Path(COPY).absolute(), *(Path(each).absolute() for each in given.dir))
    for kind in dict.fromkeys(each.kind for each in found):
        say(f"kind.{kind}", days=KEEP)
        for each in found:
            if each.kind == kind:
                say("file", path=each.path, size=f"{-(-each.size // 1000):,}", changed=each.changed)
    if not found:
        say("nothing")
    say("elsewhere")
    if not given.delete:
        say("how")
        return 0
    if not found:
        return 0
    say("close")
    if not given.yes and not _agreed(texts.text("cli.data.sure", language, count=len(found))):
        say("kept")
        return 1
    failed = delete(found)
    say("deleted", count=len(found) - len(failed))
    for path, why in failed:
        print(texts.text("cli.data.failed", language, path=path, why=why), file=sys.stderr)
    return 2 if failed else 0


def doctor_command(given: argparse.Namespace, language: str) -> int:
    """Say whether this computer is ready for a lesson, and what to do about what is not; return 1
    if it is not.
    """
    port = whole_number(given.port, range(65536), "cli.port_wrong")
    room_port = whole_number(given.room_port, range(65536), "cli.port_wrong")
    pages = whole_number(given.max_kernels, range(1, 101), "cli.kernels_wrong")
    check_language(given.language)
    from coursekit.serve.doctor import examine_computer

    found = examine_computer((port, room_port), pages)
    for each in found:
        print(
            f"[{texts.text(f'doctor.{each.state}', given.language)}] {each.sentence(given.language)}"
        )
    wrong = sum(each.state == "wrong" for each in found)
    print(texts.text("doctor.not_ready" if wrong else "doctor.ready", given.language, count=wrong))
    return 1 if wrong else 0


def _agreed(question: str) -> bool:
    """Return whether the person at the terminal answers *question* with yes."""
    try:
        return input(question + " ").strip().lower() in YES
    except EOFError:
        print()
        return False


def check_language(given: str) -> None:
    """Raise :class:`CommandError` unless *given* is a language of the kit."""
    if given not in texts.LANGUAGES:
        raise CommandError("cli.unknown_language", got=given, allowed=", ".join(texts.LANGUAGES))


def whole_number(given: str, allowed: range, mistake: str) -> int:
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
