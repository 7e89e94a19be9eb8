"""Tables of arrays, maps and structs, in files of several layouts."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

# Of every_type: those whose lists are columns of their own.
ELEMENTS = ["b", *(f"i{bits}" for bits in (8, 16, 32, 64)), "f32", "f64"]
ELEMENTS += ["d9_0", "d18_4", "d38_0", "d38_18", "s", "bin", "dt", "ts", "tsn"]


def _lists(source: random.Random, values: pa.Array, rows: int) -> pa.Array:
    """Lists of a few of the values: null, empty, of nulls alone, and a long one."""
    lists = []
    for row in range(rows):
        kind = source.random()
        if kind < 0.15:
            lists.append(None)
        elif kind < 0.3:
            lists.append([])
        elif kind < 0.4:
            lists.append([None] * source.randrange(1, 4))
        else:
            count = 150 if row == rows // 2 else source.randrange(1, 12)
            lists.append([values[source.randrange(len(values))].as_py() for _ in range(count)])
    return pa.array(lists, pa.list_(values.type))


def _maybe(source: random.Random, value, share: float = 0.2):
    return None if source.random() < share else value


def _entry(source: random.Random) -> dict:
    return {
        "x": _maybe(source, source.randrange(100)),
        "t": _maybe(source, [_maybe(source, source.choice("abc")) for _ in range(3)]),
    }


ENTRY = pa.struct([("x", pa.int32()), ("t", pa.list_(pa.string()))])
DEEP = pa.list_(
    pa.struct(
        [
            ("a", pa.list_(pa.map_(pa.string(), pa.list_(pa.int64())))),
            ("b", pa.struct([("c", pa.struct([("d", pa.string()), ("e", pa.decimal128(30, 3))]))])),
        ]
    )
)


def _deep(source: random.Random) -> dict:
    inner = {"d": _maybe(source, source.choice(["", "one", "another one"])), "e": None}
    maps = [
        [(f"k{i}", _maybe(source, [_maybe(source, i) for _ in range(i)])) for i in range(count)]
        for count in range(source.randrange(4))
    ]
    return {
        "a": _maybe(source, [_maybe(source, entries) for entries in maps]),
        "b": _maybe(source, {"c": _maybe(source, inner)}),
    }


def _columns(source: random.Random, flat: dict[str, pa.Array]) -> pa.Table:
    """`flat`: columns of every type."""
    rows = len(flat["id"])
    present = pa.array([source.random() < 0.2 for _ in range(rows)])
    columns = {"id": flat["id"]}
    columns["st"] = pa.StructArray.from_arrays(
        list(flat.values())[1:], list(flat)[1:], mask=present
    )
    for name in ELEMENTS:
        columns[f"l_{name}"] = _lists(source, flat[name], rows)
    columns["m"] = pa.array(
        [
            _maybe(source, [(f"k{i}", _maybe(source, _entry(source))) for i in range(row % 4)])
            for row in range(rows)
        ],
        pa.map_(pa.string(), ENTRY),
    )
    columns["mi"] = pa.array(
        [[(i, _maybe(source, i * 0.5)) for i in range(row % 3)] for row in range(rows)],
        pa.map_(pa.int32(), pa.float64()),
    )
    columns["ll"] = pa.array(
        [
            _maybe(source, [_maybe(source, list(range(row % 5))) for _ in range(row % 3)])
            for row in range(rows)
        ],
        pa.list_(pa.list_(pa.int32())),
    )
    columns["deep"] = pa.array(
        [
            _maybe(source, [_maybe(source, _deep(source)) for _ in range(row % 4)])
            for row in range(rows)
        ],
        DEEP,
    )
    return pa.table(columns)


def write_types(folder: Path, source: random.Random, every_type) -> None:
    """Files of small pages, without dictionaries, of the second version, and without rows.

    `every_type(source, rows)` makes flat columns of every type.
    """
    first = _columns(source, every_type(source, 300))
    second = _columns(source, every_type(source, 120))
    pq.write_table(
        first, folder / "a.parquet", row_group_size=70, data_page_size=256, write_batch_size=16
    )
    pq.write_table(
        second,
        folder / "b.parquet",
        use_dictionary=False,
        compression="zstd",
        data_page_version="2.0",
        data_page_size=512,
        write_batch_size=8,
    )
    pq.write_table(first.slice(0, 0), folder / "c.parquet")
    pq.write_table(second, folder / "d.parquet", use_compliant_nested_type=False)


def write_grown(folder: Path, source: random.Random) -> None:
    """Structs whose fields come, go and change their order from file to file."""
    flat = pa.struct([("a", pa.int32()), ("b", pa.string())])
    more = pa.struct([("C", pa.int64()), ("b", pa.string()), ("n", pa.struct([("p", pa.int32())]))])
    other = pa.struct([("z", pa.list_(pa.int32()))])
    values = {
        "a.parquet": (flat, [{"a": 1, "b": "x"}, None, {"a": None, "b": None}, {"a": 2, "b": ""}]),
        "b.parquet": (
            more,
            [None, {"C": 5, "b": "y", "n": None}, {"C": None, "b": None, "n": {"p": 3}}],
        ),
        "c.parquet": (other, [{"z": [1, 2]}, {"z": None}, None, {"z": []}]),
    }
    for number, (name, (kind, structs)) in enumerate(values.items()):
        lists = [None, [], structs, [None], structs[:1]][: len(structs)]
        maps = [[(f"k{i}", value) for i, value in enumerate(structs)]] + [None] * len(structs)
        table = pa.table(
            {
                "id": pa.array(range(100 * number, 100 * number + len(structs)), pa.int64()),
                "s": pa.array(structs, kind),
                "l": pa.array(lists, pa.list_(kind)),
                "m": pa.array(maps[: len(structs)], pa.map_(pa.string(), kind)),
            }
        )
        pq.write_table(table, folder / name)
