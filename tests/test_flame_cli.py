"""reprise flame: pages of recordings, without a JVM."""

import json
import re

from flame_pages import flame, page_data, weight
from places import ROOT

EXAMPLE = ROOT / "tests" / "recordings" / "two-threads.jfr"


def test_the_program_makes_pages_of_recordings(tmp_path):
    """The example: see core/profile/profile_test.cc."""
    (tmp_path / "a.jfr").write_bytes(EXAMPLE.read_bytes())
    (tmp_path / "b.jfr").write_bytes(EXAMPLE.read_bytes()[:-100])
    done = flame(tmp_path)
    assert done.returncode == 0
    assert f"{tmp_path}/a.html: 49 CPU samples, 1906 wall-clock samples\n" in done.stdout
    assert re.search(r"b\.jfr: the last \d+ bytes were not ended and are left out", done.stderr)
    assert weight(tmp_path / "a.html", "CPU", r"^R\.hotTwo$") == 23
    assert 0 < weight(tmp_path / "b.html", "CPU", r"^R\.hotTwo$") < 23

    lines = flame(EXAMPLE, "--collapsed").stdout.splitlines()
    cpu = [line for line in lines if line.startswith("CPU;") and "R.hotOne" in line]
    assert sum(int(line.rsplit(" ", 1)[1]) for line in cpu) == 22

    page = tmp_path / "page.html"
    assert flame(EXAMPLE, "--task", 2, "-o", page).returncode == 0
    assert "only task 2" in page_data(page)["subtitle"]
    assert weight(page, "CPU", r"^R\.hotOne$") == 0
    assert weight(page, "CPU", r"^R\.hotTwo$") > 0
    flame(EXAMPLE, "--thread", "worker-0", "-o", page)
    assert 0 < weight(page, "CPU", r"^R\.hot") < 45

    difference = flame("--diff", EXAMPLE, tmp_path / "b.jfr", "-o", page)
    assert difference.returncode == 0, difference.stderr
    data = page_data(page)
    assert data["compared"] == ["two-threads", "b"]
    assert data["before"][0] == 49 + 1906


def test_a_page_made_again_says_what_the_one_before_said(tmp_path):
    name = "app-7-x-exec-2-stage-3-attempt-1"
    recording, page = tmp_path / f"{name}.jfr", tmp_path / f"{name}.html"
    recording.write_bytes(EXAMPLE.read_bytes())
    counts = "49 CPU samples, 1906 wall-clock samples"
    assert flame(tmp_path).returncode == 0
    data = page_data(page)
    assert data["title"] == "stage 3, attempt 1, executor 2"
    assert data["subtitle"] == f"application 7-x\n{counts}, 8 tasks"

    # What only the driver knew stands in the page that is replaced, hostile names too.
    about = 'application 7-x, "};</script>,"title":"no" \\ é'
    text = page.read_text().replace('"about":"application 7-x"', f'"about":{json.dumps(about)}')
    page.write_text(text.replace(f'"title":"{data["title"]}"', '"title":"my stage"'))
    for _ in range(2):
        assert flame(tmp_path).returncode == 0
        data = page_data(page)
        assert data["title"] == "my stage"
        assert data["subtitle"] == f"{about}\n{counts}, 8 tasks"
        assert "</script>," not in page.read_text()

    some = tmp_path / "some.html"
    assert flame(recording, "--task", 2, "-o", some).returncode == 0
    data = page_data(some)
    assert data["title"] == "my stage"
    assert data["subtitle"].startswith(f"{about}\nonly task 2\n")
    page.write_text("no page of ours")
    (tmp_path / "app-7-x-exec-2-other.jfr").write_bytes(EXAMPLE.read_bytes())
    assert flame(tmp_path).returncode == 0
    assert page_data(page)["title"] == "stage 3, attempt 1, executor 2"
    other = page_data(tmp_path / "app-7-x-exec-2-other.html")
    assert other["title"] == "threads of no task, executor 2"


def test_a_difference_is_scaled_and_has_a_legend(tmp_path):
    runs = [tmp_path / day / "app-1-exec-2-stage-3-attempt-0.jfr" for day in ("a", "b")]
    for run in runs:
        run.parent.mkdir()
        run.write_bytes(EXAMPLE.read_bytes())
    runs[1].write_bytes(EXAMPLE.read_bytes() * 2)
    page = tmp_path / "page.html"

    def totals() -> tuple[int, int]:
        data = page_data(page)
        return data["before"][0], data["frames"][0][2] - data["before"][0]

    assert flame("--diff", *runs, "-o", page).returncode == 0
    data = page_data(page)
    assert data["compared"] == [str(run) for run in runs]
    assert (
        f"each event scaled to as many samples; red: more in {runs[1]}, blue: less"
        in (data["subtitle"])
    )
    assert totals() == (2 * (49 + 1906), 2 * (49 + 1906))
    assert data["before"] == [frame[2] / 2 for frame in data["frames"]]

    assert flame("--diff", *runs, "--unscaled", "-o", page).returncode == 0
    assert totals() == (49 + 1906, 2 * (49 + 1906))
    assert "scaled to as many" not in page_data(page)["subtitle"]

    other = tmp_path / "app-9-exec-2-stage-3-attempt-0.jfr"
    other.write_bytes(EXAMPLE.read_bytes())
    assert flame("--diff", runs[0], other, "-o", page).returncode == 0
    named = "stage 3, attempt 0, executor 2, application "
    assert page_data(page)["compared"] == [f"{named}1", f"{named}9"]


def test_the_program_says_what_it_cannot_do(tmp_path):
    torn = tmp_path / "torn.jfr"
    torn.write_text("no recording")
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "a.jfr").write_bytes(torn.read_bytes())
    (tmp_path / "some" / "b.jfr").write_bytes(EXAMPLE.read_bytes())
    empty = tmp_path / "empty.jfr"
    empty.touch()
    unended = tmp_path / "unended.jfr"
    unended.write_bytes(EXAMPLE.read_bytes()[:20000])
    no_chunk = f"{unended}: the recording ends within its first chunk (20000 bytes), whose"
    nothing = f"{empty}: the recording is empty: 0 bytes, expected a chunk at least"
    no_sample = "no sample is of task 99; there are samples of tasks "
    cases = {
        (empty,): nothing,
        (empty, "--collapsed"): nothing,
        ("--diff", EXAMPLE, empty, "-o", tmp_path / "x.html"): nothing,
        (unended,): no_chunk,
        (unended, "-o", tmp_path / "x.html"): no_chunk,
        ("--diff", unended, EXAMPLE, "-o", tmp_path / "x.html"): no_chunk,
        (torn,): f"{torn}: offset 0: the header of a chunk is cut off",
        (tmp_path / "no",): f"{tmp_path}/no: cannot read: No such file or directory",
        (EXAMPLE, "--task", 99, "-o", tmp_path / "x.html"): no_sample,
        (EXAMPLE, "--lore-id", 99, "-o", tmp_path / "x.html"): (
            "no sample is of loreId 99; there are samples of tasks 0, 1, 2, 3, 4, 5, 6, 7 and "
            "no operators"
        ),
        (EXAMPLE, "--task", 1): "a page of some samples needs -o PAGE.html",
        (EXAMPLE, "--task", -5): "--task: -5 is negative, expected 0 or more",
        (): "which recording, or folder of recordings?",
        ("--diff", EXAMPLE, EXAMPLE, "--collapsed"): "--diff excludes --collapsed",
        (tmp_path / "some",): f"{tmp_path}/some/a.jfr: offset 0: the header of a chunk is cut off",
    }
    for arguments, message in cases.items():
        done = flame(*arguments)
        assert done.returncode == 2
        assert message in done.stderr
    assert not (tmp_path / "x.html").exists()
    assert not (tmp_path / "empty.html").exists()
    assert not (tmp_path / "unended.html").exists()
    assert weight(tmp_path / "some" / "b.html", "CPU", r"^R\.hotTwo$") == 23
