"""Reports where people work: notebooks, Python, and a terminal beside a running application."""

import html
import json
import re
import subprocess
from pathlib import Path

import pytest
import reprise
from apps import run_app
from browser import dom_of
from places import PROGRAM, ROOT

LOG = ROOT / "tests" / "eventlogs" / "spark-4.1.3.zstd"
# Clicks a link in the frame that a notebook would have, and says what the frame shows then.
PROBE = """<script>setTimeout(() => {
  const page = document.querySelector("iframe").contentDocument;
  [...page.querySelectorAll("nav a")].find(link => link.textContent.startsWith("Queries")).click();
  setTimeout(() => { document.title = "PROBE" + page.getElementById("main").textContent; }, 500);
}, 1000)</script>"""


@pytest.fixture(scope="module")
def notebook(with_plugin, tmp_path_factory) -> tuple[Path, dict]:
    """The folder that notebook_app.py has filled, and its facts."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    folder = tmp_path_factory.mktemp("notebook")
    run_app("notebook_app.py", folder, cwd=folder, IPYTHONDIR=str(folder / "ipython"))
    return folder, json.loads((folder / "facts.json").read_text())


def test_a_cell_runs_and_shows_its_own_queries(notebook):
    folder, facts = notebook
    assert facts["rows"] == 10
    assert "2 queries" in facts["cell"]
    page = folder / "page.html"
    page.write_text(f"<body>{(folder / 'cell.html').read_text()}{PROBE}</body>")
    shown = dom_of(page.as_uri(), "--virtual-time-budget=100000")
    (probe,) = re.findall(r"<title>PROBE(.*?)</title>", shown, re.DOTALL)
    assert html.unescape(probe).startswith("Queries")
    assert "collect at" in probe


def test_an_error_of_a_cell_stays_an_error(notebook):
    assert notebook[1]["failed"] == "ArithmeticException"


def test_a_session_and_its_page_are_reported(notebook):
    folder, facts = notebook
    assert facts["queries"] == facts["same"] == 4
    assert 'const packed = "H4s' in (folder / "session.html").read_text()
    assert "answers" not in facts  # the application has ended


def test_top_shows_a_running_application(notebook):
    text = (notebook[0] / "top.txt").read_text()
    assert "has run for" in text.splitlines()[0]
    assert "failed" in text  # the last query
    assert "No stage is running." in text


def test_top_reads_logs_too():
    done = subprocess.run([PROGRAM, "top", LOG], capture_output=True, text=True, check=True)
    assert "ran for" in done.stdout.splitlines()[0]


def test_top_says_what_it_expects():
    done = subprocess.run(
        [PROGRAM, "top", "http://127.0.0.1:9"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "expected Spark's page of a running application with the plug-in" in done.stderr


def test_a_log_is_reported(tmp_path):
    report = reprise.report(LOG)
    assert report.queries
    report.save(tmp_path / "report.html")
    assert len((tmp_path / "report.html").read_text()) > 10_000
    with pytest.raises(ValueError, match=r"ending in \.html"):
        report.save(tmp_path / "report.txt")
    with pytest.raises(reprise.Error, match="nothing"):
        reprise.report(tmp_path / "nothing")
