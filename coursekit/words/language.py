"""The language in which everything speaks that is told no other."""

import locale
import os
from collections.abc import Mapping

from coursekit.words.texts import LANGUAGES, check_language

VARIABLE = "COURSEKIT_LANGUAGE"
"""An environment variable, by which a server tells kernels what its pages speak."""
_chosen: list[str] = []


def use_language(language: str) -> str:
    """Let all that follows in this program speak *language*, and return it.

    Without a call it is the language of the system. A table can be switched on its own.

    :raises ValueError: unless it is one of :data:`.LANGUAGES`.
    """
    check_language(language)
    _chosen[:] = [language]
    return language


def propose_language(language: str) -> None:
    """Let *language* be the one that is spoken until somebody chooses another."""
    if not _chosen and language in LANGUAGES:
        _chosen[:] = [language]


def current_language() -> str:
    """Return the language that :func:`use_language` chose, or else the server's or the system's."""
    if _chosen:
        return _chosen[0]
    named = os.environ.get(VARIABLE, "")
    return named if named in LANGUAGES else read_locale(os.environ, system_locale())


def system_locale() -> str:
    """Return the locale of Windows; the variables of other systems say it."""
    return locale.getlocale()[0] or "" if os.name == "nt" else ""


def read_locale(environment: Mapping[str, str], system: str = "", otherwise: str = "en") -> str:
    """Return the language of a computer, one of :data:`.LANGUAGES`.

    :param system: the operating system's locale, used if no variable is set (Windows).
    :param otherwise: the language of a computer that names none.

    >>> read_locale({"LANG": "zh_TW.UTF-8"})
    'zh-Hant'
    >>> read_locale({"LC_ALL": "C", "LANG": "zh_TW.UTF-8"})
    'en'
    """
    variables = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale_name = next(filter(None, variables), system)
    name = locale_name.split(".")[0].replace("-", "_").lower()
    if name in ("", "c", "posix"):
        return otherwise
    if not name.startswith(("zh", "chinese")):
        return "en"
    simplified = ("cn", "sg", "hans", "simplified", "china", "singapore")
    return "zh-Hans" if any(part in name for part in simplified) else "zh-Hant"
