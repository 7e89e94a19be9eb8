"""Random window functions over a random table. The same seed makes the same table and queries."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from data import values
from data.tables import draw

NUMBERS = ["i", "l", "d", "p", "x", "f"]
ALL = [*NUMBERS, "s", "day", "at", "b", "bin"]


def write_table(folder: Path, source: random.Random) -> None:
    """Rows with an `id` of their own, a key `k` of long and short partitions, and values."""
    folder.mkdir(parents=True)
    rows = source.choice([1, 30, 400, 2500])
    small = [0, 1, -1, 2, 3, 5, 7, 11, 100, -100]
    columns = {
        "id": pa.array(source.sample(range(rows), rows), pa.int64()),
        "k": pa.array(
            draw(source, [0] * source.choice([1, 20]) + list(range(9)), rows), pa.int32()
        ),
        "i": pa.array(draw(source, small, rows), pa.int32()),
        "l": pa.array(draw(source, small, rows, nulls=source.choice([0, 0.5])), pa.int64()),
        "d": pa.array(draw(source, values.decimals(5, 2), rows), pa.decimal128(9, 2)),
        "p": pa.array(draw(source, values.decimals(18, 6), rows), pa.decimal128(30, 6)),
        "x": pa.array(draw(source, values.DOUBLES, rows), pa.float64()),
        "f": pa.array(draw(source, values.FLOATS, rows), pa.float32()),
        "s": pa.array(draw(source, values.STRINGS, rows), pa.string()),
        "bin": pa.array(draw(source, [t.encode() for t in values.STRINGS], rows), pa.binary()),
        "day": pa.array(draw(source, values.DATES, rows), pa.date32()),
        "at": pa.array(draw(source, values.INSTANTS, rows), pa.timestamp("us", tz="UTC")),
        "b": pa.array(draw(source, [True, False], rows), pa.bool_()),
    }
    table = pa.table(columns)
    half = rows // 2
    pq.write_table(table.slice(0, half), folder / "part-0.parquet", row_group_size=64)
    pq.write_table(table.slice(half), folder / "part-1.parquet")


class Windows:
    """Makes SELECTs of one to four window functions each."""

    def __init__(self, table: str, source: random.Random) -> None:
        self.table = table
        self.source = source

    def query(self) -> str:
        count = self.source.randint(1, 4)
        # Functions of one window are one operator; of several, operators on one another.
        same = self.window() if self.source.random() < 0.6 else None
        shown = []
        for number in range(count):
            window = same or self.window()
            shown.append(f"{self.function(window)} as w{number}")
        where = " where l > 0 or l is null" if self.source.random() < 0.2 else ""
        return f"select id, k, {', '.join(shown)} from {self.table}{where}"

    def window(self) -> tuple[str, str, bool]:
        """Partition, order, and whether rows can't be equal in the order."""
        by = self.source.choice(["", "k", "k", "s", "b, k", "x", "i % 3", "id"])
        partition = f"partition by {by} " if by else ""
        keys = self.source.sample(ALL, self.source.randint(0, 2))
        is_unique = not keys or self.source.random() < 0.6
        if is_unique:
            keys.append("id")
        order = ", ".join(f"{key} {self.direction()}" for key in keys)
        return partition, order, is_unique

    def direction(self) -> str:
        return (
            f"{self.source.choice(['asc', 'desc'])} nulls {self.source.choice(['first', 'last'])}"
        )

    def function(self, window: tuple[str, str, bool]) -> str:
        partition, order, is_unique = window
        plain = f"over ({partition}order by {order})"
        kind = self.source.random()
        if kind < 0.2:
            names = ["rank()", "dense_rank()", "percent_rank()", "cume_dist()"]
            unique = ["row_number()", f"ntile({self.source.randint(1, 40)})"]
            return f"{self.source.choice(names + unique * is_unique)} {plain}"
        if kind < 0.45 and is_unique:
            return f"{self.other_row()} {plain}"
        return f"{self.aggregate(is_unique)} over ({partition}{self.framed(order, is_unique)})"

    def other_row(self) -> str:
        column = self.source.choice(ALL)
        nulls = self.source.choice(["", " ignore nulls"])
        offset = self.source.choice([0, 1, 1, 2, 5, 60])
        default = f", {column}" if self.source.random() < 0.3 else ""
        return f"{self.source.choice(['lead', 'lag'])}({column}, {offset}{default}){nulls}"

    def aggregate(self, is_unique: bool) -> str:
        column, number = self.source.choice(ALL), self.source.choice(NUMBERS)
        exact = self.source.choice(["i", "l", "d", "p"])
        choices = [
            *["count(*)", f"count({column})", f"min({column})", f"max({column})"],
            *[f"sum({exact})", f"avg({self.source.choice(['i', 'l', 'd'])})"],
        ]
        if is_unique:  # whose result depends on the order of rows
            nulls = self.source.choice(["", " ignore nulls"])
            choices += [
                *[f"sum({number})", f"avg({number})", f"stddev(x * 0 + {exact})"],
                *[f"first_value({column}){nulls}", f"last_value({column}){nulls}"],
                f"nth_value({column}, {self.source.randint(1, 5)}){nulls}",
            ]
        return self.source.choice(choices)

    def framed(self, order: str, is_unique: bool) -> str:
        shape = self.source.random()
        if shape < 0.2:
            return "" if not is_unique else f"order by {order} {self.whole()}"
        if shape < 0.4:
            return f"order by {order}"
        if not is_unique:
            if shape < 0.8:
                return self.by_value()
            return f"order by {order} range between {self.source.choice(self.of_peers())}"
        return f"order by {order} rows between {self.rows()}"

    def whole(self) -> str:
        return "rows between unbounded preceding and unbounded following"

    def of_peers(self) -> list[str]:
        return [
            "unbounded preceding and current row",
            "current row and unbounded following",
            "current row and current row",
        ]

    def rows(self) -> str:
        def bound(at: int) -> str:
            return f"{abs(at)} {'preceding' if at < 0 else 'following'}" if at else "current row"

        low, high = sorted(self.source.choices([-70, -9, -3, -1, 0, 1, 2, 8, 50], k=2))
        lower = "unbounded preceding" if self.source.random() < 0.2 else bound(low)
        upper = "unbounded following" if self.source.random() < 0.2 else bound(high)
        return f"{lower} and {upper}"

    def by_value(self) -> str:
        """A range; rows that are equal in its order have the same frame."""
        key = self.source.choice(["i", "l", "day", "x", "f"])
        near, far = {"x": ("0.5", "1.5"), "f": ("1", "2")}.get(key, ("3", "20"))
        lower, upper = self.source.choice(
            [
                (f"{far} preceding", f"{near} following"),
                (f"{far} preceding", "current row"),
                (f"{far} preceding", f"{near} preceding"),
                (f"{near} following", f"{far} following"),
                ("unbounded preceding", f"{near} following"),
                (f"{near} preceding", "unbounded following"),
            ]
        )
        frame = f"{lower} and {upper}"
        return f"order by {key} {self.direction()} range between {frame}"
