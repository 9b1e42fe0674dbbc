"""The scripts that every dashboard loads: a browser fetches them while it shows the start page.

Voilà's front end names its parts only as it loads them, so they are listed in a file, for the
versions that are tested. ``python -m tools.list_scripts`` renews it; what another version does not
have is left out.
"""

from functools import lru_cache
from pathlib import Path

from jupyter_core.paths import jupyter_path

LIST = Path(__file__).parent / "scripts.txt"
PLACES = {
    "voila/static/": jupyter_path("voila", "templates", "base", "static"),
    "voila/labextensions/": [
        *jupyter_path("labextensions"),
        *jupyter_path("voila", "labextensions"),
    ],
}
"""Where the server offers scripts, and the folders that hold them."""


@lru_cache
def scripts() -> tuple[str, ...]:
    """Return the addresses of those that are there, below the server's."""
    listed = LIST.read_text(encoding="utf-8").split() if LIST.exists() else []
    return tuple(filter(_is_there, listed))


def _is_there(address: str) -> bool:
    place = next(place for place in PLACES if address.startswith(place))
    file = address.removeprefix(place).partition("?")[0]
    return any(Path(folder, file).is_file() for folder in PLACES[place])
