"""Spark's event logs: RDDs, stages, tasks, and their picture."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from reprise import _program


def event_log(path: str | os.PathLike) -> EventLog:
    """An event log of Spark 3 or 4: file or rolling folder, in any codec, finished or not."""
    return EventLog(os.fspath(path))


@dataclass(frozen=True)
class EventLog:
    """An event log. Every method reads it from the start, in bounded memory."""

    path: str

    def rdds(self) -> dict:
        """The RDDs, as `reprise rdds --json` prints them."""
        return _program.output_of("rdds", self.path)

    def stages(self) -> dict:
        """The stages, as `reprise stages --json` prints them."""
        return _program.output_of("stages", self.path)

    def tasks(self) -> dict:
        """The tasks by stage, with slow and failed ones, as `reprise tasks --json` prints them."""
        return _program.output_of("tasks", self.path)

    def lineage(
        self, *, stage: int | None = None, job: int | None = None, sql: int | None = None
    ) -> Picture:
        """The picture of RDDs, stages and shuffles: all, or one stage, job or SQL execution."""
        options = []
        for name, number in (("stage", stage), ("job", job), ("sql", sql)):
            if number is not None:
                options += [f"--{name}", str(number)]
        with tempfile.TemporaryDirectory(prefix="reprise-") as folder:
            file = Path(folder) / "lineage.svg"
            _program.run("lineage", self.path, "-o", os.fspath(file), *options)
            return Picture(file.read_text())


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture that notebooks show."""

    svg: str

    def save(self, path: str | os.PathLike) -> None:
        """Writes it to a file `.svg`; it appears whole or not at all."""
        target = Path(path)
        if target.suffix != ".svg":
            raise ValueError(
                f"{target}: expected a name ending in .svg; `reprise lineage -o` writes others"
            )
        with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as aside:
            aside.write(self.svg)
        shutil.move(aside.name, target)

    def _repr_svg_(self) -> str:
        return self.svg
