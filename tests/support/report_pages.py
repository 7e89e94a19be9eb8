"""What a report's page holds, and what a browser makes of it."""

import base64
import gzip
import json
import re
from pathlib import Path

from browser import dom_of
from places import SUPPORT

PROBE = (SUPPORT / "report_probe.js").read_text()


def settled_dom(address: str, *options: str) -> str:
    """The page's document when what its script waits for has come."""
    return dom_of(address, "--virtual-time-budget=100000", *options)


def page_data(page: Path) -> dict:
    packed = re.search(r'const packed = "([^"]*)"', page.read_text())[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def used_in_browser(page: Path, copy: Path, width: int, queries: int = 20, stages=20) -> dict:
    """Opens a copy of the page from disk and goes through all of its parts."""
    probe = PROBE.replace("QUERIES", str(queries)).replace("STAGES", str(stages))
    copy.write_text(page.read_text().replace("</body>", f"<script>{probe}</script></body>"))
    shown = settled_dom(copy.as_uri(), f"--window-size={width},900")
    title = re.search(r"<title>PROBE(.*?)</title>", shown, re.DOTALL)
    assert title, shown[-3000:]
    text = title[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return json.loads(text)
