"""Random queries of which some rows fail: by several expressions, in several rows."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TABLES = ["errors_l", "errors_r"]
NUMBERS = [0, 1, 2, 3, 5, -1, -4, 7]
LARGE = [2**31 - 1, -(2**31), 2**30, 70000]
TEXTS = ["1", "2", " 3", "-7", "12"]
WRONG_TEXTS = ["x", "1.5", "", "99999999999"]


def drawn(source: random.Random, good: list, bad: list, rows: int, share: float) -> list:
    """Mostly good values, some that are likely to fail, some nulls."""
    values = [source.choice(bad if source.random() < share else good) for _ in range(rows)]
    return [None if source.random() < 0.08 else value for value in values]


def write_table(place: Path, source: random.Random) -> None:
    """One file, so that its rows have one order."""
    rows = source.choice([3, 20, 60])
    share = source.choice([0.02, 0.05, 0.15])
    large_longs = [2**63 - 1, -(2**63), *LARGE]
    cents = pa.array(drawn(source, NUMBERS, [9999999, -9999999], rows, share), pa.decimal128(9, 0))
    columns = {
        "n": pa.array(range(rows), pa.int32()),
        "k": pa.array(drawn(source, [1, 2, 3, 4], [9], rows, share), pa.int32()),
        "i": pa.array(drawn(source, NUMBERS[1:], [0, *LARGE], rows, share), pa.int32()),
        "j": pa.array(drawn(source, NUMBERS[1:], [0, *LARGE], rows, share), pa.int32()),
        "b": pa.array(drawn(source, NUMBERS, [127, -128, 100], rows, share), pa.int8()),
        "l": pa.array(drawn(source, NUMBERS, large_longs, rows, share), pa.int64()),
        "d": cents.cast(pa.decimal128(11, 2)),
        "s": pa.array(drawn(source, TEXTS, WRONG_TEXTS, rows, share), pa.string()),
    }
    pq.write_table(pa.table(columns), place)


class FailingQueries:
    """Makes queries over the tables; which rows fail depends on their values."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.prefixes = [""]

    def pick(self, *choices: str) -> str:
        return self.source.choice(choices)

    def column(self, *names: str) -> str:
        return self.source.choice(self.prefixes) + self.source.choice(names)

    def query(self) -> str:
        self.prefixes = [""]
        shapes = [self.projected, self.filtered, self.grouped, self.summed, self.joined]
        shapes += [self.joined, self.ordered, self.rolled_up, self.derived, self.derived]
        return self.source.choice([*shapes, self.having])()

    def number(self, depth: int) -> str:
        """An expression of type int."""
        if depth == 0:
            return self.pick(self.column("i", "j", "k"), f"({self.source.choice(NUMBERS)})")
        left, right = self.number(depth - 1), self.number(depth - 1)
        simple = [f"({left} {self.pick('+', '-', '*', '%')} {right})"] * 3
        return self.pick(
            *simple,
            f"cast({self.column('s')} as int)",
            f"cast({self.long(depth - 1)} as int)",
            f"if({self.condition(depth - 1)}, {left}, {right})",
            f"case when {self.condition(depth - 1)} then {left} "
            f"when {self.condition(depth - 1)} then {right} end",
            f"coalesce({left}, {right})",
            f"(-{left})",
            f"abs({left})",
            f"greatest({left}, {right})",
            f"nullif({left}, {right})",
        )

    def long(self, depth: int) -> str:
        """An expression of type bigint."""
        if depth == 0:
            return self.column("l")
        left, right = self.long(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({left} {self.pick('+', '-', '*')} {right})",
            f"({self.number(depth - 1)} div {right})",
            f"({left} div {right})",
            f"pmod({left}, {right})",
        )

    def any_value(self) -> str:
        depth = self.source.randint(1, 2)
        left, right = self.number(depth), self.number(depth)
        return self.pick(
            left,
            right,
            self.long(depth),
            f"{left} / {right}",
            f"cast({left} as tinyint)",
            f"cast({self.column('b')} + {self.column('b')} as tinyint)",
            f"{self.column('d')} / {left}",
            f"{self.column('d')} * {self.column('d')}",
            f"cast({self.column('d')} as decimal(4, 1))",
            f"try_divide({left}, {right})",
            f"{self.condition(1)}",
        )

    def condition(self, depth: int) -> str:
        left, right = self.number(depth), self.number(depth)
        simple = f"({left} {self.pick('<', '>', '=', '<>', '<=>')} {right})"
        if self.source.random() < 0.5:
            return simple
        other = f"{self.number(depth)} > {self.source.choice(NUMBERS)}"
        return self.pick(
            f"({simple} and {other})",
            f"({simple} or {other})",
            f"(not {simple})",
            f"({left} in (1, 2, {self.source.choice(NUMBERS)}))",
            f"({left} is null)",
            f"({left} is not null)",
        )

    def conjunction(self) -> str:
        return " and ".join(self.condition(1) for _ in range(self.source.randint(1, 3)))

    def values(self, most: int) -> str:
        count = self.source.randint(1, most)
        return ", ".join(f"{self.any_value()} as c{i}" for i in range(count))

    def limit(self) -> str:
        return f" limit {self.source.randint(1, 12)}" if self.source.random() < 0.5 else ""

    def projected(self) -> str:
        return f"select n, {self.values(4)} from errors_l{self.limit()}"

    def filtered(self) -> str:
        shown = self.values(2) if self.source.random() < 0.5 else "n, i"
        return f"select {shown} from errors_l where {self.conjunction()}{self.limit()}"

    def ordered(self) -> str:
        shown = f"select n, {self.values(2)} from errors_l where {self.conjunction()}"
        return f"{shown} order by 0 + {self.number(1)}, n{self.limit()}"

    def aggregates(self) -> str:
        made = []
        for i in range(self.source.randint(1, 3)):
            function = self.pick("sum", "min", "max", "count", "avg")
            only = f" filter (where {self.condition(1)})" if self.source.random() < 0.3 else ""
            made.append(f"{function}({self.number(2)}){only} as a{i}")
        return ", ".join(made)

    def summed(self) -> str:
        return f"select {self.aggregates()} from errors_l where {self.conjunction()}"

    def grouped(self) -> str:
        return f"select {self.number(2)} as g, {self.aggregates()} from errors_l group by 1"

    def rolled_up(self) -> str:
        return f"select k, b, {self.aggregates()} from errors_l group by rollup(k, b)"

    def joined(self) -> str:
        self.prefixes = ["l.", "r."]
        kind = self.pick("join", "join", "left join", "left semi join", "left anti join")
        hint = self.pick("broadcast(r)", "shuffle_hash(r)", "broadcast(r)", "merge(r)")
        on = f"l.k = r.k and {self.conjunction()}"
        if kind in ("left semi join", "left anti join"):
            self.prefixes = ["l."]
        shown = f"l.n, {self.values(2)}" if self.source.random() < 0.5 else "l.n"
        query = f"select /*+ {hint} */ {shown} from errors_l l {kind} errors_r r on {on}"
        return query + (self.limit() if "merge" not in hint else "")

    def derived(self) -> str:
        """Values that a join, or a filter above it, may drop before anybody reads them."""
        inner = f"select n, k, {self.long(2)} as c, {self.number(2)} as v from errors_l"
        kind = self.pick("join", "join", "left join", "left semi join", "left anti join")
        hint = self.pick("broadcast(r)", "broadcast(r)", "broadcast(r)", "shuffle_hash(r)")
        on = "a.k = r.k" + self.pick("", "", " and coalesce(a.v, 0) > r.i", " and r.j < 3")
        if kind in ("left semi join", "left anti join"):
            shown, where = "a.n, a.c, a.v", self.pick("", " where a.n > 5", " where a.v > 0")
        else:
            shown = self.pick("a.n, a.c, a.v, r.n", "a.n, if(r.k is null, 0, a.v), a.c", "a.n, a.v")
            where = self.pick(
                "", "", " where coalesce(r.j, 0) > 0", " where if(r.i > 1, a.v, 1) > 0"
            )
        joined = f"select /*+ {hint} */ {shown} from ({inner}) a {kind} errors_r r on {on}{where}"
        return joined + self.limit()

    def having(self) -> str:
        quotient = (
            f"sum({self.column('i', 'j')}) {self.pick('div', '%', '/')} sum({self.number(1)})"
        )
        only = self.pick("count(*) > 1", "count(*) < 3", f"max(n) > 3 and {quotient} > 0")
        return f"select k, b, {quotient} as q, count(*) from errors_l group by k, b having {only}"
