"""The page that `reprise replay --profile` writes, in a browser: opens alone, searches, zooms."""

import html
import json
import os
import re
import subprocess
from pathlib import Path
from random import Random

from browser import dom_of

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("REPRISE_PROGRAM", str(ROOT / "dist/bin/reprise"))

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
    shown = dom_of(page.as_uri())
    return json.loads(html.unescape(re.search(r"<title>PROBE(.*?)</title>", shown)[1]))


def profile_page(page: Path, repeat: int) -> None:
    dump = ROOT / "tests/dumps/format-1/loreId-5"
    command = [PROGRAM, "replay", str(dump), "--repeat", str(repeat), "--profile", str(page)]
    subprocess.run(command, check=True, capture_output=True)


def put_data(page: Path, data: dict) -> None:
    """Has a page that the program has written show other data."""
    text = page.read_text()
    begin = text.index("const data = ") + 13
    _, end = json.JSONDecoder().raw_decode(text, begin)
    page.write_text(text[:begin] + json.dumps(data) + text[end:])


def test_deep_recursion_opens(tmp_path):
    """A function that calls itself 2,000 times, by two ways from various depths on."""
    page = tmp_path / "flame.html"
    profile_page(page, 1)
    random = Random(7)
    frames = [[0, 0, 300], [1, 1, 300]]
    for _ in range(300):
        deepest = random.randrange(1000, 2046)
        frames += [[depth, 2 + random.randrange(2), 1] for depth in range(2, deepest)]
    names = ["all", "main", "even", "odd"]
    text = {"title": "deep", "subtitle": "", "unit": "samples"}
    put_data(page, {"names": names, "frames": frames, **text})
    seen = seen_by(DEEP_PROBE, page)
    assert seen["shown"] == len(frames) > 300_000  # it took 80 seconds to have as many boxes
    assert seen["first"] == 0
    assert seen["boxes"] < 300 * (seen["inner"] + 20)
    assert 1480 < seen["below"] <= 1500
    assert 1500 + seen["inner"] <= seen["above"] <= 1500 + seen["inner"] + 11
    assert 0 < seen["belowBoxes"] < 300 * (seen["inner"] + 20)
    assert seen["ends"]
    assert seen["zoomed"] > 1000


# Of a stage: what is chosen by the switch of events, the boxes, the keys and the page's address.
EVENTS_PROBE = """<script>
const names = () => frames.map(frame => frame.name);
const key = name => window.dispatchEvent(new KeyboardEvent("keydown", {key: name}));
const switched = byId("event");
const seen = {first: names(), of: label(frames[2])};
seen.events = Array.from(switched.options, option => option.text);
seen.kinds = Array.from(graph.children, box => box.classList.contains("operator"));
seen.top = Array.from(byId("top").tBodies[0].rows, row =>
  Array.from(row.cells, cell => cell.textContent));
byId("entries").firstChild.click();
seen.entries = names();
byId("entries").firstChild.click();
byId("inverted").click();
seen.inverted = frames.map(frame => [frame.depth, frame.name, frame.weight]);
byId("inverted").click();
switched.value = "1";
switched.dispatchEvent(new Event("change"));
seen.waiting = names();
seen.hasIdle = !byId("idle").hidden;
byId("idle").firstChild.click();
seen.withIdle = frames.map(frame => [frame.name, frame.weight]);
byId("search").value = "poll";
byId("search").dispatchEvent(new Event("input"));
zoomed = frames[frames.length - 1];
draw();
seen.address = location.hash;
restore();
seen.restored = [event.name, byId("search").value, zoomed.name, byId("idle").firstChild.checked];
key("Escape");
seen.searched = byId("search").value;
seen.stillZoomed = zoomed !== root;
key("Escape");
seen.zoomedOut = zoomed === root;
seen.back = byId("back").getAttribute("href");
document.title = "PROBE" + JSON.stringify(seen);
</script></body>"""


def test_each_event_is_a_graph_by_itself(tmp_path):
    page = tmp_path / "app-7-exec-1-stage-3-attempt-0.html"
    profile_page(page, 1)
    stacks = {
        ("CPU", "java.lang.Thread.run", "org.apache.spark.scheduler.Task.run", "Job.map"): 60,
        ("CPU", "java.lang.Thread.run", "RepriseFilter [loreId=5]", "libreprise.so.Next"): 40,
        ("alloc", "java.lang.Thread.run"): 10,
        ("wall clock, waiting", "idle", "poll"): 900,
        ("wall clock, waiting", "java.lang.Thread.run", "Job.map", "poll"): 30,
    }
    names = ["all", *dict.fromkeys(name for stack in stacks for name in stack)]
    frames = [[0, 0, sum(stacks.values())]]
    seen_paths = set()
    for stack in stacks:
        for depth in range(1, len(stack) + 1):
            path = stack[:depth]
            if path in seen_paths:
                continue
            seen_paths.add(path)
            weight = sum(each for way, each in stacks.items() if way[:depth] == path)
            frames.append([depth, names.index(path[-1]), weight])
    text = {"title": "stage 3", "subtitle": "", "unit": "samples", "events": True}
    put_data(page, {"names": names, "frames": frames, **text})
    seen = seen_by(EVENTS_PROBE, page)
    # The processor is first, whatever else has more samples.
    assert seen["events"] == [
        "CPU (100 samples)",
        "wall clock, waiting (930 samples)",
        "alloc (10 samples)",
    ]
    folded = "entry frames of Spark (2)"
    operator = "RepriseFilter [loreId=5]"
    assert seen["first"] == ["CPU", folded, "Job.map", operator, "libreprise.so.Next"]
    assert seen["of"] == "Job.map  60 samples, 60.00 % of CPU"
    assert seen["kinds"] == [False, False, False, True, False]
    assert seen["top"][:2] == [
        ["60", "60.00 %", "60", "60.00 %", "Job.map"],
        ["40", "40.00 %", "40", "40.00 %", "libreprise.so.Next"],
    ]
    assert "org.apache.spark.scheduler.Task.run" in seen["entries"]
    assert seen["inverted"] == [
        [0, "CPU", 100],
        [1, "Job.map", 60],
        [2, folded, 60],
        [1, "libreprise.so.Next", 40],
        [2, operator, 40],
        [3, folded, 40],
    ]
    # Threads that wait for work are left out, unless asked for.
    assert seen["waiting"] == ["wall clock, waiting", "java.lang.Thread.run", "Job.map", "poll"]
    assert seen["hasIdle"]
    assert seen["withIdle"][:2] == [["wall clock, waiting", 930], ["idle", 900]]
    assert seen["address"].startswith("#event=wall+clock%2C+waiting&search=poll&idle=1&zoom=")
    assert seen["restored"] == ["wall clock, waiting", "poll", "poll", True]
    assert (seen["searched"], seen["stillZoomed"], seen["zoomedOut"]) == ("", True, True)
    assert seen["back"] == "app-7-index.html"


def test_page_searches_and_zooms(tmp_path):
    page = tmp_path / "flame.html"
    profile_page(page, 20000)
    seen = seen_by(PROBE, page)
    assert seen["whole"] > 3
    assert seen["found"] >= 1
    assert seen["matched"].startswith("matched: ")
    assert seen["bad"] and seen["zoomedTo"]
    assert seen["back"] == seen["whole"]
