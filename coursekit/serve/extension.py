"""What a Jupyter server loads where the kit is installed, with or without the extra ``serve``."""

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    try:
        from coursekit.serve.jupyter_pages import add_pages
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "coursekit":
            raise
        server.log.info(
            "The kit's pages are not here: they need %s, which coursekit-games[serve] brings",
            error.name,
        )
    else:
        add_pages(server)
