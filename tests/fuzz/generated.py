"""Random tables and random queries over them. The same seed makes the same tables and queries."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from data import values
from data.tables import draw

# Sums of random rows must not overflow, an error in ANSI mode: no awkward numbers.
SMALL = [0, 1, -1, 2, 3, 5, 7, 11, 100, -100, 12345]
STRUCT = pa.struct([("n", pa.int32()), ("t", pa.string())])
MAP = pa.map_(pa.string(), pa.int64())


@dataclass(frozen=True)
class Column:
    """A column of a generated relation: its name and which of the generator's types it has."""

    name: str
    kind: str


COLUMNS = [
    *[Column("k", "number"), Column("v", "number"), Column("d", "decimal")],
    *[Column("p", "decimal"), Column("x", "double"), Column("f", "double")],
    *[Column("s", "text"), Column("day", "date"), Column("at", "timestamp")],
    *[Column("b", "boolean"), Column("list", "array"), Column("st", "struct"), Column("m", "map")],
]
# Maps are not compared.
KEYS = [column for column in COLUMNS if column.kind != "map"]


def lists(source: random.Random, rows: int) -> list:
    pool = [[], [None], [1], [1, 2, 3], [5, None, 7, 11], [-100] * 9]
    return draw(source, pool, rows)


def structs(source: random.Random, rows: int) -> list:
    numbers, texts = draw(source, SMALL, rows), draw(source, values.STRINGS, rows)
    made = [{"n": number, "t": text} for number, text in zip(numbers, texts, strict=True)]
    return [None if source.random() < 0.1 else value for value in made]


def maps(source: random.Random, rows: int) -> list:
    pool = [[], [("a", 1)], [("a", None), ("b", 2)], [("", 0), ("日本語", 5), ("z", 7)]]
    return draw(source, pool, rows)


def write_table(folder: Path, source: random.Random) -> None:
    """One table of a few files with keys that repeat."""
    folder.mkdir(parents=True)
    for number in range(source.randint(1, 3)):
        rows = source.choice([0, 1, 40, 150])
        instants = draw(source, values.INSTANTS, rows)
        columns = {
            "k": pa.array(draw(source, list(range(source.choice([2, 20]))), rows), pa.int32()),
            "v": pa.array(draw(source, SMALL, rows), pa.int64()),
            "d": pa.array(draw(source, values.decimals(9, 0), rows), pa.decimal128(9, 0)),
            "p": pa.array(draw(source, values.decimals(20, 6), rows), pa.decimal128(20, 6)),
            "x": pa.array(draw(source, values.DOUBLES, rows), pa.float64()),
            "f": pa.array(draw(source, values.FLOATS, rows), pa.float32()),
            "s": pa.array(draw(source, values.STRINGS, rows), pa.string()),
            "day": pa.array(draw(source, values.DATES, rows), pa.date32()),
            "at": pa.array(instants, pa.timestamp("us", tz="UTC")),
            "b": pa.array(draw(source, [True, False], rows), pa.bool_()),
            "list": pa.array(lists(source, rows), pa.list_(pa.int32())),
            "st": pa.array(structs(source, rows), STRUCT),
            "m": pa.array(maps(source, rows), MAP),
        }
        pq.write_table(pa.table(columns), folder / f"part-{number}.parquet", row_group_size=64)


def of(source: random.Random, *kinds: str) -> str:
    """The name of some column of one of these kinds."""
    return source.choice([column.name for column in COLUMNS if column.kind in kinds])


class Queries:
    """Makes queries over tables of these names: of each shape in turn, the rest at random."""

    def __init__(self, tables: list[str], source: random.Random) -> None:
        self.tables = tables
        self.source = source
        self.made = 0

    @property
    def shapes(self) -> list[Callable[[], str]]:
        return [
            *[self.filtered, self.grouped, self.joined, self.ordered, self.ranked],
            *[self.exploded, self.distinct, self.united, self.nested, self.joined],
        ]

    def query(self) -> str:
        """One SELECT, of at most a few operators on top of one another."""
        shape = self.shapes[self.made % len(self.shapes)]
        self.made += 1
        return shape()

    def of(self, *kinds: str) -> str:
        return of(self.source, *kinds)

    def some_of(self, choices: list, least: int, most: int) -> list:
        return self.source.sample(choices, self.source.randint(least, min(most, len(choices))))

    def value(self) -> str:
        """Some expression."""
        number, text, double = self.of("number"), self.of("text"), self.of("double")
        return self.source.choice(
            [
                f"{number} + {self.source.choice(SMALL)}",
                f"{number} * 3 - {self.of('number')}",
                f"coalesce({number}, -1)",
                f"case when {self.condition()} then {number} else 7 end",
                f"{text} like '%a%'",
                f"concat({text}, '-', {self.of('text')})",
                f"substring(upper({text}), 2, 3)",
                f"length({text})",
                f"year({self.of('date')})",
                f"date_add({self.of('date')}, -3)",
                f"hour({self.of('timestamp')})",
                f"cast({self.of('timestamp')} as date)",
                f"{self.of('decimal')} + 1.5",
                f"d * {self.of('decimal')}",
                f"isnan({double})",
                f"-{double}",
                f"{double} * 2",
                "size(list)",
                "element_at(m, 'a')",
                "st.t",
                "array(k, 1)",
                "named_struct('k', k, 's', s)",
                self.source.choice(COLUMNS).name,
            ]
        )

    def condition(self) -> str:
        """Some predicate."""
        simple = [
            f"{self.of('number')} > {self.source.choice(SMALL)}",
            f"{self.of('number')} in (1, 2, {self.source.choice(SMALL)})",
            f"{self.of('text')} is not null",
            f"{self.of('text')} >= 'b'",
            f"{self.of('double')} < 1.5",
            f"{self.of('date')} > date '2000-01-01'",
            f"{self.of('timestamp')} <= timestamp '2000-02-29 12:30:15.123456'",
            f"{self.of('decimal')} >= 0",
            "size(list) > 1",
            "st.n is null",
            self.of("boolean"),
        ]
        chosen = self.source.choice(simple)
        if self.source.random() < 0.3:
            other = self.source.choice(simple)
            chosen = f"({chosen} {self.source.choice(['and', 'or'])} not {other})"
        return chosen

    def table(self) -> str:
        return self.source.choice(self.tables)

    def limit(self) -> str:
        return f" limit {self.source.randint(0, 50)}" if self.source.random() < 0.4 else ""

    def filtered(self) -> str:
        shown = ", ".join(f"{self.value()} as c{i}" for i in range(self.source.randint(1, 4)))
        return f"select {shown} from {self.table()} where {self.condition()}{self.limit()}"

    def grouped(self) -> str:
        keys = self.some_of([column.name for column in KEYS], 0, 3)
        number = self.of("number")
        functions = [
            *["count(*)", f"sum({number})", f"min({self.of('text')})", f"max({self.of('date')})"],
            *[f"avg({self.of('decimal')})", f"sum({self.of('decimal')})"],
            *[f"max({self.of('double')})", f"min({self.of('timestamp')})"],
            f"sum({number}) filter (where {self.condition()})",
            f"count({self.of('text')}) filter (where {self.condition()})",
            *[f"bool_and({self.of('boolean')})", f"first({self.of('text')})", "max(st)"],
            *[f"collect_list({number})", f"stddev({number})", "count(list)"],
        ]
        shown = keys + self.some_of(functions, 1, 4)
        query = f"select {', '.join(shown)} from {self.table()} where {self.condition()}"
        if keys:
            query += f" group by {', '.join(keys)}"
        if keys and self.source.random() < 0.4:
            query += " having count(*) > 1"
        return query

    def distinct(self) -> str:
        """Aggregates of distinct values, and rows that are."""
        key = self.of("number", "text", "date", "boolean")
        if self.source.random() < 0.3:
            return f"select distinct {key}, {self.of('double')} from {self.table()}"
        one, other = self.of("text", "date"), self.of("number", "decimal")
        functions = f"count(distinct {one}), sum(distinct {other}), count(*)"
        where = f" filter (where {self.condition()})" if self.source.random() < 0.5 else ""
        return f"select {key}, {functions}{where} from {self.table()} group by {key}"

    def joined(self) -> str:
        kinds = ["inner", "left outer", "right outer", "full outer", "left semi", "left anti"]
        kind = self.source.choice(kinds)
        hints = ["", "/*+ merge(r) */", "/*+ shuffle_hash(r) */", "/*+ broadcast(r) */"]
        extra = f"l.{self.of('number')} > r.{self.of('number')}"
        if self.source.random() < 0.15:
            on = extra
        else:
            keys = self.some_of(["k", "v", "s", "d", "day", "at", "b", "x"], 1, 2)
            on = " and ".join(f"l.{key} = r.{key}" for key in keys)
            on += f" and {extra}" if self.source.random() < 0.3 else ""
        is_filter = kind in ("left semi", "left anti")
        shown = "l.k, l.s, l.list" if is_filter else "l.k, l.s, r.v, r.x, r.st"
        # Keys that repeat in both multiply: only some rows of one side.
        small = f"(select * from {self.table()} where {self.condition()} limit 30)"
        hint = self.source.choice(hints)
        return f"select {hint} {shown} from {self.table()} l {kind} join {small} r on {on}"

    def nested(self) -> str:
        """A condition over another query."""
        inner = f"select {{}} from {self.table()} where {self.condition()}"
        condition = self.source.choice(
            [
                f"v > ({inner.format('avg(v)')})",
                f"k in ({inner.format('k')})",
                f"k not in ({inner.format('k')} and k is not null)",
                f"exists ({inner.format('1')} and {self.of('text')} = 'a')",
            ]
        )
        return f"select k, v, {self.value()} as c from {self.table()} where {condition}"

    def order(self) -> str:
        directions, nulls = ["asc", "desc"], ["first", "last"]
        return f"{self.source.choice(directions)} nulls {self.source.choice(nulls)}"

    def ordered(self) -> str:
        chosen = self.some_of([column.name for column in KEYS], 1, 4)
        keys = ", ".join(f"{name} {self.order()}" for name in chosen)
        offset = " offset 3" if self.source.random() < 0.2 else ""
        return f"select * from {self.table()} order by {keys}{self.limit()}{offset}"

    def united(self) -> str:
        return " union all ".join(
            f"select k, s, x from {self.table()} where {self.condition()}"
            for _ in range(self.source.randint(2, 3))
        )

    def ranked(self) -> str:
        functions = ["row_number()", "rank()", "lag(v)", "sum(v)", "count(*)", "first_value(s)"]
        function = self.source.choice(functions)
        by = self.source.choice(KEYS).name
        rows = ""
        if function.startswith(("sum", "count")) and self.source.random() < 0.5:
            rows = " rows between 2 preceding and 1 following"
        over = f"partition by {by} order by k, v, d, s, day, b, x{rows}"
        return f"select k, v, {function} over ({over}) as w from {self.table()}"

    def exploded(self) -> str:
        generator = self.source.choice(
            [
                *["explode(list) g as e", "posexplode(list) g as e, e2", "explode(m) g as e, e2"],
                *["explode(split(s, 'a')) g as e", "stack(2, v, st.n + 1L, v, -v) g as e, e2"],
            ]
        )
        outer = self.source.choice(["", "outer "])
        return (
            f"select k, e, st from {self.table()} lateral view {outer}{generator} "
            f"where {self.condition()}"
        )
