"""What a flame-graph page shows: the data of its script, and what a browser makes of it."""

import json
import re
import subprocess
from pathlib import Path

from browser import dom_of
from places import PROGRAM

# Uses the page as a reader would, and leaves what it saw in the title.
PROBE = """<script>
const whole = graph.children.length;
search(WORD);
const found = graph.querySelectorAll(".found").length;
const matched = document.getElementById("matched").textContent;
search("");
const inner = frames.find(frame => frame.depth === 2);
graph.querySelector('[data-number="' + inner.number + '"]').click();
const zoomedTo = zoomed.number === inner.number;
document.getElementById("reset").click();
document.title = "PROBE" + JSON.stringify(
  {whole, found, matched, zoomedTo, back: graph.children.length});
</script></body>"""


def page_data(page: Path) -> dict:
    text = page.read_text()
    return json.JSONDecoder().raw_decode(text, text.index("const data = ") + 13)[0]


def stacks(page: Path) -> list[tuple[list[str], int]]:
    """Each stack from the root (without "all"), with the weight that ends there."""
    data = page_data(page)
    path: list[str] = []
    found: list[list] = []
    open_frames: list[list] = []
    for depth, name, weight in data["frames"]:
        del path[depth:], open_frames[depth:]
        if open_frames:
            open_frames[-1][1] -= weight
        path.append(data["names"][name])
        entry = [path[1:], weight]
        found.append(entry)
        open_frames.append(entry)
    return [(frames, weight) for frames, weight in found if weight > 0 and frames]


def weight(page: Path, kind: str, pattern: str) -> int:
    """The samples of a kind ("CPU") in which a frame fits the pattern."""
    wanted = re.compile(pattern)
    return sum(
        samples
        for frames, samples in stacks(page)
        if frames[0].startswith(kind) and any(wanted.search(frame) for frame in frames)
    )


def used_in_browser(page: Path, copy: Path, word: str) -> dict:
    """Opens a copy of the page from disk; searches for the word, zooms in and out."""
    copy.write_text(page.read_text().replace("</body>", PROBE.replace("WORD", json.dumps(word))))
    return json.loads(re.search(r"<title>PROBE(.*?)</title>", dom_of(copy.as_uri()))[1])


def flame(*arguments) -> subprocess.CompletedProcess:
    """What `reprise flame` says."""
    command = [str(PROGRAM), "flame", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
