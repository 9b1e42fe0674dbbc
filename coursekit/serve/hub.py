"""Where the kit's pages are on a hub: nobody reaches a server that its terminal starts."""

import http.client
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

PREFIX = "JUPYTERHUB_SERVICE_PREFIX"
"""Variable of a hub's servers, and of Binder's: their path, as ``/user/anna/``."""
PUBLIC = "JUPYTERHUB_PUBLIC_URL"
"""Variable with the whole address, which few hubs know."""
UNKNOWN_HOST = "https://<HUB>"
"""What stands for the name of a hub that does not know it."""
INSIDE = ("JUPYTERHUB_SERVICE_URL", "JUPYTER_SERVER_URL")
"""Variables with the address of the server for programs beside it."""
ROOT = ("JUPYTER_SERVER_ROOT", "JUPYTERHUB_ROOT_DIR", "HOME")
"""Variables with the server's folder."""
OPEN = "coursekit/static/emblems/logo.svg"
"""A file that the kit's extension gives to everybody."""


def on_hub() -> bool:
    """Return whether this is a terminal of a hub."""
    return bool(os.environ.get(PREFIX))


def hub_address(path: str = "coursekit/") -> str:
    """Return the address of *path* on this server of a hub, with what stands for its name."""
    public = os.environ.get(PUBLIC) or UNKNOWN_HOST + os.environ[PREFIX]
    return public.rstrip("/") + "/" + path


def lab_address(file: Path) -> str:
    """Return the address at which JupyterLab opens *file*, of its start for one it does not see."""
    root = next(os.environ[name] for name in ROOT if os.environ.get(name))
    with suppress(ValueError):
        inside = file.resolve().relative_to(Path(root).expanduser().resolve())
        return hub_address(f"lab/tree/{quote(inside.as_posix())}")
    return hub_address("lab")


def is_missing() -> bool:
    """Return whether the server of this terminal runs without the kit's pages."""
    server = next((os.environ[name] for name in INSIDE if os.environ.get(name)), "")
    where = urlsplit(server)
    if where.scheme != "http" or not where.port:
        return False  # it cannot be asked
    host = "127.0.0.1" if where.hostname in ("0.0.0.0", "::", None) else where.hostname
    connection = http.client.HTTPConnection(host, where.port, timeout=5)
    try:
        connection.request("GET", f"{os.environ[PREFIX].rstrip('/')}/{OPEN}")
        return connection.getresponse().status != http.HTTPStatus.OK
    except OSError:
        return False
    finally:
        connection.close()
