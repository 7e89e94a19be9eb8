"""An operator taken out of a running query: what the folder holds, and its replay without Spark."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import sql_files
import xxhash
from operators import lore_id
from places import PROGRAM, SQL_FILES

QUERY = "SELECT k, sum(v), count(*), min(s) FROM many_keys WHERE v > 100 GROUP BY k"


def reprise(*arguments: object) -> subprocess.CompletedProcess:
    """Runs the program as a user does."""
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def run(spark, query: str = QUERY):
    frame = spark.sql(query)
    frame.collect()
    return frame


def dump(spark, path: Path, ids: str, query: str = QUERY) -> None:
    """Runs a query while the operators named by `ids` are dumped."""
    spark.conf.set("spark.reprise.lore.idsToDump", ids)
    spark.conf.set("spark.reprise.lore.dumpPath", str(path))
    try:
        run(spark, query)
    finally:
        spark.conf.unset("spark.reprise.lore.idsToDump")
        spark.conf.unset("spark.reprise.lore.dumpPath")


def partitions_of(folder: Path) -> list[int]:
    return sorted(int(path.name.removeprefix("partition-")) for path in folder.glob("partition-*"))


@pytest.fixture(scope="module")
def filter_dump(spark, with_plugin, tmp_path_factory):
    """The dump of the filter of QUERY: taken once, copied by the tests that alter it."""
    if not with_plugin:
        pytest.skip("needs the plug-in")
    spark.conf.set("spark.reprise.sql.enabled", "true")
    number = lore_id(run(spark), "RepriseFilter")
    path = tmp_path_factory.mktemp("dumps") / "filter"
    dump(spark, path, f"{number}[*]")
    spark.conf.set("spark.reprise.sql.enabled", "false")
    return path / f"loreId-{number}"


@pytest.fixture
def own_copy(filter_dump, tmp_path):
    return Path(shutil.copytree(filter_dump, tmp_path / filter_dump.name))


def test_the_folder_is_as_documented(filter_dump):
    plan = json.loads((filter_dump / "plan.meta").read_text())
    assert plan["version"] >= 1
    assert (filter_dump / "input-0" / "rdd.meta").exists()
    assert (filter_dump / "output" / "rdd.meta").exists()
    partitions = sorted((filter_dump / "input-0").glob("partition-*"))
    assert partitions
    for partition in partitions:
        assert ".attempt-" not in partition.name
        lines = [
            json.loads(line) for line in (partition / "partition.meta").read_text().splitlines()
        ]
        batches = [line for line in lines if "batch" in line]
        for batch in batches:
            file = partition / batch["file"]
            assert file.stat().st_size == batch["bytes"]
            assert pq.read_metadata(file).num_rows == batch["rows"]
        assert lines[-1]["end"] == "exhausted"
        assert lines[-1]["digest"]["rows"] == sum(batch["rows"] for batch in batches)


def test_every_row_of_the_input_is_there(spark, filter_dump):
    files = sorted((filter_dump / "input-0").rglob("batch-*.parquet"))
    assert (
        sum(pq.read_metadata(file).num_rows for file in files) == spark.table("many_keys").count()
    )


def test_replay_gives_the_recorded_output(filter_dump):
    result = reprise("replay", filter_dump)
    assert result.returncode == 0, result.stderr
    again = reprise("replay", filter_dump)
    assert again.returncode == 0


def test_show_says_what_was_taken(filter_dump):
    result = reprise("show", filter_dump)
    assert result.returncode == 0, result.stderr
    assert "RepriseFilter" in result.stdout
    assert "v" in result.stdout


@pytest.mark.parametrize("which", ["RepriseHashAggregate", "RepriseFilter"])
@pytest.mark.parametrize("number", [1, 4, 6])
def test_tpch_operators_replay(native, tmp_path, which, number):
    query = sql_files.read(SQL_FILES / "tpch" / f"q{number:02}.sql").statements[0].text
    wanted = lore_id(run(native, query), which)
    dump(native, tmp_path / "dump", f"{wanted}[*]", query)
    result = reprise("replay", tmp_path / "dump" / f"loreId-{wanted}")
    assert result.returncode == 0, result.stdout + result.stderr


def test_both_aggregates_of_a_query_replay(native, tmp_path):
    frame = run(native)
    ids = [o.lore_id for o in _aggregates(frame)]
    assert len(ids) == 2
    dump(native, tmp_path / "dump", ", ".join(f"{number}[*]" for number in ids))
    for number in ids:
        result = reprise("replay", tmp_path / "dump" / f"loreId-{number}")
        assert result.returncode == 0, result.stdout + result.stderr


def _aggregates(frame):
    from operators import native_operators

    return [o for o in native_operators(frame) if o.name == "RepriseHashAggregate"]


def test_a_list_of_partitions_exclusive_of_its_ends(native, tmp_path):
    native.conf.set("spark.sql.adaptive.enabled", "false")
    native.conf.set("spark.sql.shuffle.partitions", "8")
    final = _aggregates(run(native))[0].lore_id
    dump(native, tmp_path / "dump", f"{final}[0 4-6 7]")
    folder = tmp_path / "dump" / f"loreId-{final}"
    assert partitions_of(folder / "input-0") == [0, 4, 5, 7]
    assert reprise("replay", folder).returncode == 0


def test_operators_above_a_range_replay(native, tmp_path):
    query = "SELECT id % 7, count(*), sum(id) FROM range(0, 5000, 1, 3) WHERE id > 10 GROUP BY 1"
    for which in ("RepriseFilter", "RepriseHashAggregate"):
        number = lore_id(run(native, query), which)
        dump(native, tmp_path / which, f"{number}[*]", query)
        result = reprise("replay", tmp_path / which / f"loreId-{number}")
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("ids", ["1, 2", "1[4-4]", "1[* 3]", "1x[*]", "1[*", "1[3-1]"])
def test_malformed_lists_are_errors(native, tmp_path, ids):
    with pytest.raises(Exception, match="idsToDump"):
        dump(native, tmp_path / "dump", ids)
    assert not (tmp_path / "dump").exists()


def test_a_path_with_files_in_it_is_an_error(native, tmp_path):
    number = lore_id(run(native), "RepriseFilter")
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump" / "mine.txt").write_text("keep")
    with pytest.raises(Exception, match=r"dumpPath|empty") as failure:
        dump(native, tmp_path / "dump", f"{number}[*]")
    assert "IllegalArgument" in type(failure.value).__name__ + str(failure.value)
    assert (tmp_path / "dump" / "mine.txt").read_text() == "keep"


def test_ids_without_a_path_are_an_error(native):
    native.conf.set("spark.reprise.lore.idsToDump", "1[*]")
    with pytest.raises(Exception, match="dumpPath"):
        run(native)


def test_the_aliases_dump_too(native, tmp_path):
    number = lore_id(run(native), "RepriseFilter")
    native.conf.set("spark.rapids.sql.lore.idsToDump", f"{number}[*]")
    native.conf.set("spark.rapids.sql.lore.dumpPath", str(tmp_path / "dump"))
    run(native)
    assert reprise("replay", tmp_path / "dump" / f"loreId-{number}").returncode == 0


def test_a_flipped_byte_in_any_file_is_found_and_named(own_copy):
    for path in sorted(path for path in own_copy.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
        result = reprise("replay", own_copy)
        assert result.returncode == 2, f"{path}: {result.stdout}{result.stderr}"
        assert path.name in result.stderr, f"{path}: {result.stderr}"
        path.write_bytes(whole)
    assert reprise("replay", own_copy).returncode == 0


def test_a_truncated_batch_is_found_and_named(own_copy):
    path = next(iter(sorted((own_copy / "input-0").rglob("batch-0.parquet"))))
    path.write_bytes(path.read_bytes()[:-10])
    result = reprise("replay", own_copy)
    assert result.returncode == 2
    assert "batch-0.parquet" in result.stderr


def test_a_missing_partition_is_an_error(own_copy):
    shutil.rmtree(own_copy / "input-0" / "partition-0")
    result = reprise("replay", own_copy)
    assert result.returncode == 2
    assert "partition" in result.stderr


def test_an_attempt_that_did_not_commit_is_not_taken_for_whole(own_copy):
    whole = own_copy / "input-0" / "partition-0"
    whole.rename(whole.with_name("partition-0.attempt-9"))
    result = reprise("replay", own_copy)
    assert result.returncode == 2
    assert "partition-0" in result.stderr


def seal(text: str) -> str:
    """A meta file with its own checksum made right again: XXH3-64 of all before that member."""
    body, separator, _ = text.rpartition(',\n  "check": "')
    return f'{body}{separator}{xxhash.xxh3_64_hexdigest(body.encode())}"\n}}\n'


def test_another_operator_does_not_give_the_recorded_output(own_copy):
    """The dump is whole and well-formed, but its filter lets other rows through."""
    path = own_copy / "plan.meta"
    text = path.read_text()
    assert seal(text) == text
    assert '"value": 100' in text
    path.write_text(seal(text.replace('"value": 100', '"value": 101')))
    result = reprise("replay", own_copy)
    assert result.returncode == 1, result.stdout + result.stderr


def test_no_dump_there(tmp_path):
    result = reprise("replay", tmp_path / "nothing")
    assert result.returncode == 2
    assert "nothing" in result.stderr


def test_dump_does_not_change_the_answer(native, tmp_path):
    plain = sorted(map(repr, native.sql(QUERY).collect()))
    number = lore_id(run(native), "RepriseFilter")
    native.conf.set("spark.reprise.lore.idsToDump", f"{number}[*]")
    native.conf.set("spark.reprise.lore.dumpPath", str(tmp_path / "dump"))
    assert sorted(map(repr, native.sql(QUERY).collect())) == plain


def test_memory_is_limited_and_the_least_found(native, tmp_path):
    query = "SELECT id, concat('a text ', id % 1000) AS s FROM range(0, 1200000, 1, 1) ORDER BY s"
    number = lore_id(run(native, query), "RepriseSort")
    dump(native, tmp_path / "dump", f"{number}[*]", query)
    folder = tmp_path / "dump" / f"loreId-{number}"
    limited = json.loads(reprise("replay", folder, "--memory", "4m", "--json").stdout)
    partitions = limited["partitions"]
    assert limited["verdict"] == "equal"
    assert sum(partition["memory"]["spilledBytes"] for partition in partitions) > 1_000_000
    assert re.search(r"peak +spilled +output", reprise("replay", folder, "--memory", "4m").stdout)
    found = json.loads(reprise("replay", folder, "--least-memory", "--json").stdout)
    assert found["enough"]["spilledBytes"] == 0
    assert 0 <= found["leastBytes"] < found["enough"]["peakBytes"]
    assert found["least"]["peakBytes"] <= found["leastBytes"] + (32 << 20)


def ends_of(folder: Path) -> dict[str, str]:
    """How each stream's record ended: {"output/partition-0": "stopped"}."""
    return {
        str(path.parent.relative_to(folder)): json.loads(path.read_text().splitlines()[-1])["end"]
        for path in folder.rglob("partition.meta")
    }


def test_a_limit_above_leaves_a_dump_that_says_so(native, tmp_path):
    """What the consumer stopped is compared up to there; what it never ran is not there."""
    query = "SELECT k FROM many_keys WHERE v > 0 LIMIT 5"
    number = lore_id(run(native, query), "RepriseFilter")
    dump(native, tmp_path / "dump", f"{number}[*]", query)
    folder = tmp_path / "dump" / f"loreId-{number}"
    # The first partition has five rows, so that Spark runs no task of the other.
    assert ends_of(folder) == {"input-0/partition-0": "stopped", "output/partition-0": "stopped"}
    done = reprise("replay", folder)
    assert done.returncode == 2
    assert "partition 1 has no record: its task did not run" in done.stderr
    done = reprise("replay", folder, "--recorded")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"\n +0 .* equal up to row [\d,]+, where its consumer stopped", done.stdout)


def test_a_limit_in_every_task_is_replayed_up_to_where_it_stopped(native, tmp_path):
    query = "SELECT count(*) FROM (SELECT k FROM many_keys WHERE v > 0 LIMIT 5)"
    number = lore_id(run(native, query), "RepriseFilter")
    dump(native, tmp_path / "dump", f"{number}[*]", query)
    folder = tmp_path / "dump" / f"loreId-{number}"
    streams = [f"{stream}/partition-{i}" for stream in ("input-0", "output") for i in (0, 1)]
    assert ends_of(folder) == dict.fromkeys(streams, "stopped")
    done = reprise("replay", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("where its consumer stopped") == 2
    assert done.stdout.endswith("As recorded.\n")
