"""The page that `reprise replay --profile` writes, in a browser: opens alone, searches, zooms."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

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


# Of a graph that has more boxes than a browser shows soon: the rows in view are there, wherever.
DEEP_PROBE = """<script>
const rows = () => Array.from(graph.children, box => frames[Number(box.dataset.number)].depth);
const seen = {shown: shown.length, boxes: rows().length, first: Math.min(...rows())};
const at = graph.getBoundingClientRect().top + window.scrollY;
window.scrollTo(0, at + 1500 * ROW);
place();
seen.below = Math.min(...rows());
seen.above = Math.max(...rows());
seen.inner = Math.ceil(window.innerHeight / ROW);
seen.belowBoxes = rows().length;
seen.ends = frames.every(frame => frame.end > frame.number &&
  (frame.end === frames.length || frames[frame.end].depth <= frame.depth));
zoomed = frames[frames.length - 1];
draw();
seen.zoomed = rows().length;
document.title = "PROBE" + JSON.stringify(seen);
</script></body>"""


def seen_by(probe: str, page: Path) -> dict:
    """What the script leaves in the title of the page that it is added to."""
    page.write_text(page.read_text().replace("</body>", probe))
    browser = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    shown = subprocess.run(
        [*browser, page.as_uri()], check=True, capture_output=True, text=True, timeout=120
    )
    return json.loads(re.search(r"<title>PROBE(.*?)</title>", shown.stdout)[1])


def profile_page(page: Path, repeat: int) -> None:
    dump = ROOT / "tests/dumps/format-1/loreId-5"
    command = [PROGRAM, "replay", str(dump), "--repeat", str(repeat), "--profile", str(page)]
    subprocess.run(command, check=True, capture_output=True)


def test_deep_recursion_opens(tmp_path):
    """A function that calls itself 2,000 times, by two ways from various depths on."""
    page = tmp_path / "flame.html"
    profile_page(page, 1)
    random = Random(7)
    frames = [[0, 0, 300], [1, 1, 300]]
    for _ in range(300):
        deepest = random.randrange(1000, 2046)
        frames += [[depth, 2 + random.randrange(2), 1] for depth in range(2, deepest)]
    text = page.read_text()
    begin = text.index("const data = ") + 13
    _, end = json.JSONDecoder().raw_decode(text, begin)
    names = ["all", "main", "even", "odd"]
    data = {"names": names, "frames": frames, "title": "deep", "subtitle": "", "unit": "samples"}
    page.write_text(text[:begin] + json.dumps(data) + text[end:])
    seen = seen_by(DEEP_PROBE, page)
    assert seen["shown"] == len(frames) > 300_000  # it took 80 seconds to have as many boxes
    assert seen["first"] == 0
    assert seen["boxes"] < 300 * (seen["inner"] + 20)
    assert 1480 < seen["below"] <= 1500
    assert 1500 + seen["inner"] <= seen["above"] <= 1500 + seen["inner"] + 11
    assert 0 < seen["belowBoxes"] < 300 * (seen["inner"] + 20)
    assert seen["ends"]
    assert seen["zoomed"] > 1000


def test_page_searches_and_zooms(tmp_path):
    page = tmp_path / "flame.html"
    profile_page(page, 20000)
    seen = seen_by(PROBE, page)
    assert seen["whole"] > 3
    assert seen["found"] >= 1
    assert seen["matched"].startswith("matched: ")
    assert seen["bad"] and seen["zoomedTo"]
    assert seen["back"] == seen["whole"]
