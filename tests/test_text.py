"""Text read natively: a row a line, as Spark's reader divides files into lines."""

import gzip
import os
import random

import pytest
from on_and_off import plan_of, problem

SEED = int(os.environ.get("REPRISE_FUZZ_SEED", "20240604"))
FILES = int(os.environ.get("REPRISE_FUZZ_QUERIES", "12"))
MARK = b"\xef\xbb\xbf"
PIECES = [b"", b"plain", b"two words", b"\xff\xfe", MARK, "né".encode(), b"\t\x00", b"x" * 70]
ENDS = [b"\n", b"\n", b"\r\n", b"\r", b"\n\n"]
QUERIES = [
    "select * from files",
    "select count(*) from files",
    "select length(value), count(*) from files group by 1 order by 1",
    "select value, part from files where value like '%plain%' or part = 2",
    "select word, count(*) from (select explode(split(value, ' ')) word from files) group by word",
    "select value, input_file_name() like '%part=1%' from files limit 7",
]


def lines_of(source: random.Random, count: int) -> bytes:
    lines = [
        b"".join(source.choices(PIECES, k=source.randrange(4))) + source.choice(ENDS)
        for _ in range(count)
    ]
    return b"".join(lines) + source.choice([b"", b"the last has no end"])


def test_random_files_have_sparks_lines(native, tmp_path):
    source = random.Random(SEED)
    problems = []
    for number in range(FILES):
        folder = tmp_path / str(number)
        for part in (1, 2):
            (folder / f"part={part}").mkdir(parents=True)
            size = source.choice([0, 1, 30, 3000])
            (folder / f"part={part}" / "f.txt").write_bytes(lines_of(source, size))
        packed = gzip.compress(lines_of(source, 20))
        (folder / "part=2" / "packed.txt.gz").write_bytes(packed)
        native.conf.set("spark.sql.files.maxPartitionBytes", source.choice(["7", "97", "64m"]))
        for query in source.sample(QUERIES, 3):
            found = problem(native, lambda folder=folder: native.read.text(str(folder)), query)
            if found:
                problems.append(f"REPRISE_FUZZ_SEED={SEED}, file {number}\n{query}\n{found[:3000]}")
    assert not problems, "\n".join(problems)


SEPARATORS = [";", "||", "\r", "\n", "\r\n", "aab", "é", "<br>", "|||"]


def test_lines_may_end_with_separators_of_any_kind(native, tmp_path):
    """Splits of a few bytes end within them, too."""
    source = random.Random(SEED)
    for number in range(FILES):
        separator = SEPARATORS[number % len(SEPARATORS)]
        halves = [*separator, separator, separator, "x", "\r", "\n", "rest of a line"]
        data = "".join(source.choices(halves, k=source.choice([0, 1, 60, 400])))
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "f.txt").write_bytes(data.encode())
        size = source.choice(["1", "2", "3", "7", "64m"])
        native.conf.set("spark.sql.files.maxPartitionBytes", size if len(data) < 100 else "97")
        native.conf.set("spark.sql.files.openCostInBytes", "0")

        def frame(folder=folder, separator=separator):
            return native.read.text(str(folder), lineSep=separator)

        found = problem(native, frame, "select value from files")
        assert not found, f"REPRISE_FUZZ_SEED={SEED}, file {number}, {separator!r}\n{found[:3000]}"
        is_native = "RepriseTextScan" in plan_of(native, "select value from files")
        assert is_native == (separator not in ("aab", "|||"))


def test_a_scan_is_native(native, tmp_path):
    (tmp_path / "f.txt").write_text("b\na\n")
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.read.text(str(tmp_path)).createOrReplaceTempView("files")
    assert "RepriseTextScan" in plan_of(native, "select upper(value) from files where value > 'a'")
    assert "RepriseTextScan" in plan_of(native, "select count(*) from files")


@pytest.mark.parametrize(("option", "value"), [("wholetext", True), ("lineSep", "aa;")])
def test_other_options_are_sparks(native, tmp_path, option, value):
    (tmp_path / "f.txt").write_text("1;one\n2;two\n")
    frame = native.read.text(str(tmp_path), **{option: value})
    frame.createOrReplaceTempView("files")
    assert "RepriseTextScan" not in plan_of(native, "select * from files")
    assert not problem(native, lambda: frame, "select value, count(*) from files group by value")


def test_a_file_that_is_gone_has_sparks_error(native, tmp_path):
    (tmp_path / "f.txt").write_text("a\n")
    frame = native.read.text(str(tmp_path))
    (tmp_path / "f.txt").unlink()
    assert not problem(native, lambda: frame, "select * from files")
