"""Where an application's time went: of an event log, or of a Spark that is running."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

from reprise import _program
from reprise._core import Error

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SECONDS_TO_ANSWER = 60
SECONDS_TO_SETTLE = 5


class ApplicationReport:
    """What `reprise report --json` prints, as `data`; a notebook shows its page."""

    def __init__(self, data: dict, page: str):
        self.data = data
        self._page = page

    @property
    def findings(self) -> list[dict]:
        """What is wrong, the one that costs most first: kind, seconds, evidence, paste, …"""
        return self.data["findings"]

    @property
    def queries(self) -> list[dict]:
        """The SQL queries, with times in ms and their plans."""
        return self.data["queries"]

    def page(self) -> str:
        """The page, with all of its data: it opens alone from disk."""
        packed = base64.b64encode(gzip.compress(json.dumps(self.data).encode())).decode()
        return re.sub(r'const packed = "[^"]*"', f'const packed = "{packed}"', self._page, count=1)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file `.html`; it appears whole or not at all."""
        target = Path(path)
        if target.suffix != ".html":
            raise ValueError(f"{target}: expected a name ending in .html")
        aside = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            aside.write_text(self.page())
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)

    def since(self, earlier: ApplicationReport) -> ApplicationReport:
        """What has begun after an earlier report of the same application."""
        data = dict(self.data)
        for part in ("queries", "jobs", "stages"):
            known = {each["id"] for each in earlier.data[part]}
            data[part] = [each for each in self.data[part] if each["id"] not in known]
        new = {part: {each["id"] for each in data[part]} for part in ("queries", "stages")}
        data["findings"] = [
            each
            for each in self.findings
            if each["query"] in new["queries"] or each["stage"] in new["stages"]
        ]
        return ApplicationReport(data, self._page)

    def _repr_html_(self) -> str:
        page = html.escape(self.page(), quote=True)
        return f'<iframe srcdoc="{page}" style="border:0;width:100%;height:640px"></iframe>'

    def __repr__(self) -> str:
        name = self.data["application"]["name"]
        lines = [f"{name}: {len(self.queries)} queries, {len(self.data['stages'])} stages"]
        for finding in self.findings[:5]:
            cost = f"{finding['seconds']:.2f} s" if finding["seconds"] else ""
            lines.append(f"{cost:>10}  {finding['title']}")
        return "\n".join(lines)


def report(source: str | os.PathLike | SparkSession) -> ApplicationReport:
    """The report of an event log (its path), of the page of a running Spark (its address, as
    "http://localhost:4040"), or of the application of a session, of Spark Connect too.

    Raises `reprise.Error` where the log cannot be read, or nothing answers with a report.
    """
    if isinstance(source, str) and urlsplit(source).scheme in ("http", "https"):
        return _of_page(source)
    if isinstance(source, str | os.PathLike):
        return _of_log(os.fspath(source))
    address = page_of(source)
    if hasattr(source, "_jsparkSession"):
        # Events reach the report a moment after what they tell of.
        source.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
        return _of_page(address)
    return ApplicationReport(_settled(address), _page(address))


def page_of(session: SparkSession) -> str:
    """The address of the page of the session's application."""
    if not hasattr(session, "_jsparkSession"):  # a client of Spark Connect
        address = session.conf.get("spark.reprise.ui.address", "")
    else:
        address = session.sparkContext.uiWebUrl
    if not address:
        raise Error(
            "the application has no page with a report: it needs the plug-in, and spark.ui.enabled "
            "and spark.reprise.ui.enabled, which are set before it starts"
        )
    return address


def _settled(address: str) -> dict:
    """The data once no query runs, or after SECONDS_TO_SETTLE: a client of Spark Connect cannot
    know which events the report has heard of.
    """
    end = time.monotonic() + SECONDS_TO_SETTLE
    while True:
        data = _data(address)
        if all(query["ended"] for query in data["queries"]) or time.monotonic() > end:
            return data
        time.sleep(0.2)


def _of_page(address: str) -> ApplicationReport:
    return ApplicationReport(_data(address), _page(address))


def _data(address: str) -> dict:
    return _answer(address, "data", json.loads)


def _page(address: str) -> str:
    return _answer(address, "", str)


def _answer(address: str, path: str, read: Callable[[str], object]):
    asked = f"{address.rstrip('/')}/reprise/report/{path}"
    try:
        with urlopen(asked, timeout=SECONDS_TO_ANSWER) as answer:
            return read(answer.read().decode())
    except (URLError, OSError, ValueError) as failed:
        raise Error(
            f"{asked} gives no report ({failed}): expected the page of a running application "
            "with the plug-in, as http://localhost:4040"
        ) from failed


def _of_log(path: str) -> ApplicationReport:
    with tempfile.TemporaryDirectory(prefix="reprise-") as folder:
        file = Path(folder) / "report.html"
        data = _program.output_of("report", path, "-o", os.fspath(file))
        return ApplicationReport(data, file.read_text())
