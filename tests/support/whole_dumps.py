"""Dumps of every operator of a query, and their replays by the core and by Spark."""

import json
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from test_dump import reprise

T = TypeVar("T")
IDS_MAX = 120
PROCESSES = 4


@dataclass
class Dump:
    """What is in one operator's folder."""

    folder: Path

    @property
    def plan(self) -> dict:
        return json.loads((self.folder / "plan.meta").read_text())

    @property
    def name(self) -> str:
        return self.plan["operator"]["name"]

    @property
    def is_native(self) -> bool:
        """Whether the core runs the operator; otherwise only Spark does."""
        return self.plan["operator"]["kind"] != "spark"

    @property
    def has_records(self) -> bool:
        """Whether any of its tasks ran; those of a LIMIT or of an empty side may not have."""
        return bool(list(self.folder.glob("*/partition-*")))

    @property
    def has_answers(self) -> bool:
        """Whether a consumer waited for any of its rows; else there is nothing to compare."""
        ends = [meta[-1] for meta in self.meta("output")]
        return any(end["end"] != "stopped" or end["digest"]["rows"] > 0 for end in ends)

    @property
    def needs_spark(self) -> bool:
        """Whether Spark evaluates a part of it, so that the core alone cannot replay it."""
        text = json.dumps(self.plan["operator"]["arguments"])
        return '"guest' in text

    def meta(self, stream: str) -> list[list[dict]]:
        """The lines of partition.meta of each partition that is committed."""
        paths = sorted((self.folder / stream).glob("partition-*/partition.meta"))
        lines = [[json.loads(line) for line in path.read_text().splitlines()] for path in paths]
        assert not list((self.folder / stream).glob("*.attempt-*"))
        return lines

    def rows(self, stream: str) -> int:
        return sum(meta[-1]["digest"]["rows"] for meta in self.meta(stream))


def rows_of(spark, query: str) -> list[str]:
    return sorted(map(str, spark.sql(query).collect()))


def dump_all(spark, query: str, path: Path, **settings: str) -> tuple[list[str], dict[int, Dump]]:
    """Runs the query while all that can be dumped is; its rows, and the dumps by id."""
    return dump_all_of(spark, lambda: rows_of(spark, query), path, **settings)


def dump_all_of(
    spark, action: Callable[[], T], path: Path, **settings: str
) -> tuple[T, dict[int, Dump]]:
    """Does what runs a query while all that can be dumped is; its result, and the dumps by id."""
    conf = {
        "spark.reprise.lore.idsToDump": ", ".join(f"{i}[*]" for i in range(1, IDS_MAX)),
        "spark.reprise.lore.dumpPath": str(path),
    } | settings
    for key, value in conf.items():
        spark.conf.set(key, value)
    try:
        result = action()
    finally:
        for key in conf:
            spark.conf.unset(key)
    return result, {int(f.name.removeprefix("loreId-")): Dump(f) for f in path.glob("loreId-*")}


def natively(folders: Iterable[Path]) -> dict[Path, str]:
    """Replays each folder by the core; what is wrong, by folder, where something is."""

    def problem(folder: Path) -> str:
        result = reprise("replay", folder, "--recorded", "--engine", "native")
        return "" if result.returncode == 0 else (result.stdout + result.stderr)[-4000:]

    folders = list(folders)
    with ThreadPoolExecutor(PROCESSES) as pool:
        found = dict(zip(folders, pool.map(problem, folders), strict=True))
    return {folder: text for folder, text in found.items() if text}
