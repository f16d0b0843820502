"""Imported by Python at its start: lets this program connect to nothing but the proxy it was given.

yt-dlp asks by HTTP through its proxy, and by other protocols (ftp, for one) past it, wherever a page or a redirect leads.
"""

import os
import sys

_port = int(os.environ["WEIR_PROXY_PORT"])
_proxy = "127.0.0.1"


def _look(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if not isinstance(address, tuple) or tuple(address[:2]) != (_proxy, _port):
            raise PermissionError("only the proxy may be asked")
    elif event in ("socket.getaddrinfo", "socket.gethostbyname") and args[0] not in (_proxy, _proxy.encode()):
        raise PermissionError("only the proxy may be asked")


sys.addaudithook(_look)
