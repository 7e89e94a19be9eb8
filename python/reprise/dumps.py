"""Dumps: what was recorded of Spark's operators, and their replay."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from reprise import _core
from reprise.replay_report import Report

try:
    import pyarrow as pa
except ImportError:
    pa = None

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_PATH = "spark.reprise.lore.dumpPath"
# Decimals of up to 18 digits as decimal128, for a pyarrow or another reader without decimal64.
_WIDE_DECIMALS = not hasattr(pa, "decimal64")


def open(path: str | os.PathLike) -> Operator | Dump:
    """Opens the folder of one operator, `…/loreId-10`, or a whole dump.

    Nothing is read but names and metadata; rows are read when they are asked for, and verified.
    Raises `reprise.Error`, which names the file, for what is no dump, damaged, or of a newer
    format.
    """
    folder = Path(path)
    if folder.is_file():
        raise _core.Error(f"{folder} is a file; a packed dump is made a folder by `reprise unpack`")
    if (folder / "plan.meta").exists() or not folder.is_dir():
        return Operator(folder)
    return Dump(folder)


def dump(
    frame: DataFrame, ids: str = "*", path: str | os.PathLike | None = None
) -> Operator | Dump:
    """Plans a query anew, runs it while operators are dumped, and opens the query's dump.

    `ids` names them as `spark.reprise.lore.idsToDump` does: `"*"` all that can be dumped, `"5+"`
    one and all below it, `"Filter, Sort#0[2]"`. `path`, by default that of
    `spark.reprise.lore.dumpPath`, is the directory below which the query gets one of its own; it
    must be local to be opened. The rows of the query are thrown away. Raises what the query raises,
    and `reprise.Error` where nothing was dumped.
    """
    spark = frame.sparkSession
    below = path or spark.conf.get(_PATH, "")
    if not below:
        raise _core.Error(f"there is no path to dump to: give one, or set {_PATH}")
    folder = spark._jvm.reprise.Lore.folderOf(frame._jdf, ids, os.fspath(below))
    if folder is None:
        raise _core.Error(f"nothing was dumped of {ids}: Spark's log says why")
    return open(folder.removeprefix("file:"))


class Operator:
    """One operator of a dump."""

    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = Path(folder)
        self._record = _core.open_operator(os.fsencode(folder))
        description = json.loads(_core.describe(self._record))
        self.id: int = description["loreId"]
        """Its LORE id: its number within the query."""
        self.name: str = description["name"]
        self.occurrence: str = description["occurrence"]
        """`name#occurrence`."""
        self.fingerprint: str = description["fingerprint"]
        self.kind: str = description["kind"]
        """What the core replays it by; `spark`: only Spark itself does."""
        self.conf: dict[str, str] = description["conf"]
        """The settings that matter to it."""
        self.versions: dict[str, str] = description["versions"]
        self.masked: dict[str, str] = description["masked"]
        """Columns whose values were masked when they were recorded: `hash`, `null` or `shuffle`."""
        self.partition_count: int = description["partitions"]
        self.input_count = len(description["inputs"])

    @property
    def partitions(self) -> list[int]:
        """The partitions of which there is a whole record."""
        return _core.partitions(self._record)

    def input(
        self,
        number: int = 0,
        *,
        partition: int | None = None,
        attempt: int | None = None,
        truncated: bool = False,
    ) -> pa.Table | Rows:
        """The rows that it read from input `number`, of one partition or of all.

        `attempt` reads what an attempt that failed has left; `truncated` takes records that a
        limit cut off.
        """
        if number < 0:
            raise ValueError(f"inputs are counted from 0, not {number}")
        return self._rows(number, partition, attempt, truncated)

    def output(
        self,
        *,
        partition: int | None = None,
        attempt: int | None = None,
        truncated: bool = False,
    ) -> pa.Table | Rows:
        """The rows that it put out when it was recorded, of one partition or of all."""
        return self._rows(_core.OUTPUT, partition, attempt, truncated)

    def _rows(self, stream: int, *choice: object) -> pa.Table | Rows:
        return _table(_core.rows(self._record, stream, *choice, _WIDE_DECIMALS))

    def replay(self, partition: int | None = None, **options: object) -> pa.Table | Rows:
        """Runs it again over its recorded input, in this process, and returns what it puts out now.

        Takes the options of `check`, which says whether that is as recorded. Raises `reprise.Error`
        where the operator itself fails, with its message.
        """
        report, rows = self._run(with_output=True, partition=partition, **options)
        for part in report.partitions:
            if part["error"] is not None:
                raise _core.Error(
                    f"{self.occurrence}, partition {part['partition']}: {part['error']}"
                )
        return _table(rows)

    def check(self, partition: int | None = None, **options: object) -> Report:
        """Runs it again and says whether its output is as recorded.

        Options: `attempt`, `truncated`, `recorded_only` (leave out partitions without a whole
        record), `repeat`, `warmup` (runs), `ordered` (the order must agree too), `conf` (settings
        to replace), `compare` (another dump's `loreId-N`, or a `.parquet` or `.arrow` file),
        `assertion` (an SQL predicate that no row may make false), `out`, `profile`, `trace` (files
        to write).
        """
        return self._run(with_output=False, partition=partition, **options)[0]

    def _run(
        self,
        *,
        with_output: bool,
        partition: int | None,
        attempt: int | None = None,
        truncated: bool = False,
        recorded_only: bool = False,
        repeat: int = 1,
        warmup: int = 0,
        ordered: bool = False,
        conf: Mapping[str, object] | None = None,
        compare: str | os.PathLike | Operator = "",
        assertion: str = "",
        out: str | os.PathLike = "",
        profile: str | os.PathLike = "",
        trace: str | os.PathLike = "",
    ) -> tuple[Report, object]:
        if repeat < 1 or warmup < 0:
            raise ValueError(
                f"repeat must be at least 1 and warmup at least 0, not {repeat} and {warmup}"
            )
        report, rows = _core.replay(
            self._record,
            with_output=with_output,
            wide_decimals=_WIDE_DECIMALS,
            partition=partition,
            attempt=attempt,
            truncated=truncated,
            recorded_only=recorded_only,
            repeat=repeat,
            warmup=warmup,
            ordered=ordered,
            conf={key: _setting(value) for key, value in (conf or {}).items()},
            compare=os.fsencode(compare.folder if isinstance(compare, Operator) else compare),
            assertion=assertion,
            out=os.fsencode(out),
            profile=os.fsencode(profile),
            trace=os.fsencode(trace),
        )
        return Report(json.loads(report)), rows

    def __repr__(self) -> str:
        return f"<{self.occurrence} [loreId={self.id}] of {self.folder}>"


class Dump(Mapping[int, Operator]):
    """A whole dump: its operators by LORE id, ascending."""

    def __init__(self, folder: str | os.PathLike) -> None:
        self.folder = Path(folder)
        self._ids = _core.operators(os.fsencode(folder))

    def __getitem__(self, lore_id: int) -> Operator:
        if lore_id not in self._ids:
            raise KeyError(f"{self.folder} has no operator {lore_id}, only {self._ids}")
        return Operator(self.folder / f"loreId-{lore_id}")

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def replay(self, **options: object) -> pa.Table | Rows:
        """Replays the operator of a dump that has only one; see `Operator.replay`."""
        if len(self) != 1:
            if not self._ids:
                raise _core.Error(f"{self.folder} is empty; expected folders loreId-N")
            raise _core.Error(
                f"{self.folder} holds {len(self)} operators, {self._ids}: "
                f"choose one, as in reprise.open(…)[{self._ids[0]}]"
            )
        return self[self._ids[0]].replay(**options)

    def __repr__(self) -> str:
        lines = [f"{len(self)} operators in {self.folder}"]
        lines += [f"  {operator.id:>4}  {operator.occurrence}" for operator in self.values()]
        return "\n".join(lines)


class Rows:
    """Rows where there is no pyarrow: for whoever reads Arrow's C streams, such as DuckDB or
    Polars, and once only.
    """

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


def _table(capsule: object) -> pa.Table | Rows:
    """The stream's rows; what is wrong with one of its batches is an error of the dump's."""
    if pa is None:
        return Rows(capsule)
    try:
        if hasattr(pa.RecordBatchReader, "from_stream"):
            return pa.RecordBatchReader.from_stream(Rows(capsule)).read_all()
        return pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()  # pyarrow 14
    except pa.ArrowInvalid as error:
        raise _core.Error(str(error)) from None


def _setting(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
