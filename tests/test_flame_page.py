"""The page that `reprise replay --profile` writes, in a browser: opens alone, searches, zooms."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("REPRISE_PROGRAM", str(ROOT / "dist/bin/reprise"))
CHROMIUM = shutil.which("chromium") or "chromium"

# Uses the page as a reader would, and leaves what it saw in the title.
PROBE = """<script>
const boxes = () => graph.children.length;
const whole = boxes();
search("Filter::NextBatch");
const found = graph.querySelectorAll(".found").length;
const matched = document.getElementById("matched").textContent;
search("(");
const bad = document.getElementById("search").classList.contains("bad");
const inner = frames.find(frame => frame.depth === 3);
graph.querySelector('[data-number="' + inner.number + '"]').click();
const zoomedTo = zoomed.number === inner.number;
document.getElementById("reset").click();
document.title = "PROBE" + JSON.stringify({whole, found, matched, bad, zoomedTo, back: boxes()});
</script></body>"""


def test_page_searches_and_zooms(tmp_path):
    page = tmp_path / "flame.html"
    dump = ROOT / "tests/dumps/format-1/loreId-5"
    command = [PROGRAM, "replay", str(dump), "--repeat", "20000", "--profile", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    page.write_text(page.read_text().replace("</body>", PROBE))
    browser = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    shown = subprocess.run(
        [*browser, page.as_uri()], check=True, capture_output=True, text=True, timeout=120
    )
    seen = json.loads(re.search(r"<title>PROBE(.*?)</title>", shown.stdout)[1])
    assert seen["whole"] > 3
    assert seen["found"] >= 1
    assert seen["matched"].startswith("matched: ")
    assert seen["bad"] and seen["zoomedTo"]
    assert seen["back"] == seen["whole"]
