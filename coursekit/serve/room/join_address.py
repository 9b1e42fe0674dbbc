"""Under which addresses phones reach this computer, and the picture that leads them there."""

import io
import ipaddress
import socket
from functools import lru_cache

PROBE = ("192.0.2.1", 9)
"""A documentation address (RFC 5737): a socket that would send there has the address that leads
outwards; it sends nothing.
"""


def find_addresses() -> list[str]:
    """Return the IPv4 addresses of this computer in its networks, the most likely one first.

    The loopback address comes last: no phone reaches it, but it is there without any network.
    """
    import psutil  # here, for it takes as long as all the rest

    names: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(PROBE)
            names.append(str(probe.getsockname()[0]))
        except OSError:
            pass  # no way leads outwards: a hotspot, or no network
    for cards in psutil.net_if_addrs().values():
        names += [card.address for card in cards if card.family == socket.AF_INET]
    known = map(ipaddress.ip_address, dict.fromkeys(names))
    usable = [address for address in known if not address.is_loopback]
    usable.sort(key=lambda address: not address.is_private)
    return [*map(str, usable), "127.0.0.1"]


def network_words(name: str, password: str) -> str:
    """Return what a QR code says that brings phones into a Wi-Fi.

    >>> network_words("Class 7;1", "")
    'WIFI:T:nopass;S:Class 7\\\\;1;;'
    """
    from segno.helpers import make_wifi_data

    return str(make_wifi_data(name, password or None, "WPA" if password else "nopass"))


@lru_cache(8)
def draw_qr(words: str) -> str:
    """Return a picture of *words*, such as an address, for phones' cameras, as SVG."""
    import segno

    out = io.BytesIO()
    segno.make(words, error="m", micro=False, encoding="utf-8").save(
        out, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True
    )
    return out.getvalue().decode()
