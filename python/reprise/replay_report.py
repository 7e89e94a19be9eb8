"""What a replay found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """The report of a replay, as `reprise replay --json` prints it."""

    json: dict

    @property
    def holds(self) -> bool:
        """Whether every partition's output was compared, and is as recorded or as was asked for."""
        return self.json["holds"]

    @property
    def verdict(self) -> str:
        """``equal``, ``different``, ``failed again`` (an attempt that failed, in the same way),
        or ``not compared``: there was nothing to compare with.
        """
        return self.json["verdict"]

    @property
    def partitions(self) -> list[dict]:
        """A dictionary for each partition: rows, times in ns, verdict, error, first difference."""
        return self.json["partitions"]

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        lines = [f"{'partition':>9}  {'rows in':>12}  {'rows out':>12}  {'own time':>11}  output"]
        for part in self.partitions:
            own = (
                f"{min(run['ownTimeNs'] for run in part['runs']) / 1e6:.3f} ms"
                if part["runs"]
                else "-"
            )
            lines.append(
                f"{part['partition']:>9}  {part['inputRows']:>12,}  "
                f"{part['output']['rows']:>12,}  {own:>11}  "
                + (f"failed: {part['error']}" if part["error"] else part["verdict"])
            )
        last = {
            "equal": "As recorded.",
            "different": "NOT as recorded.",
            "failed again": "Failed again, in the same way as the attempt that was recorded.",
        }
        return "\n".join([*lines, "", last.get(self.verdict, "Not compared.")])

    __repr__ = __str__
