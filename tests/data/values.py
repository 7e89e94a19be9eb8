"""What the columns of the test tables are drawn from: each type's edges, then ordinary values."""

import datetime
import decimal
import math

import pyarrow as pa

NAN, INFINITY = math.nan, math.inf

INTEGERS = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}

DOUBLES = [
    *[0.0, -0.0, 1.0, -1.0, NAN, INFINITY, -INFINITY, 0.1, 0.2, 0.3, 1e-300, 5e-324, 1e300],
    *[-1.7976931348623157e308, 1.5, 2.5, -2.5, 123456789.125, 1e15, 9007199254740993.0, 100.0],
]
FLOATS = [0.0, -0.0, 1.0, -1.0, NAN, INFINITY, -INFINITY, 0.5, 1.25, 3.5e38 / 2, 1e-45, 16777217.0]

STRINGS = [
    *[
        "",
        " ",
        "a",
        "A",
        "abc",
        "ABC",
        "abc ",
        "zebra",
        "Ärger",
        "äpfel",
        "日本語",
        "🦉 owl",
        "e\u0301",
    ],
    *[
        "x" * 300,
        "line\nbreak",
        "tab\t",
        'quo"te',
        "it's",
        "%",
        "_",
        "null",
        "1",
        "12",
        "-7",
        " 42 ",
    ],
    *["1e3", "3.14", "true", "2024-02-29", "2023-02-29", "abc\x00def", "\uffff", "MAIL", "SHIP"],
]

DATES = [
    datetime.date(1970, 1, 1),
    datetime.date(1969, 12, 31),
    datetime.date(1, 1, 1),
    datetime.date(9999, 12, 31),
    datetime.date(1582, 10, 15),
    datetime.date(1582, 10, 4),
    datetime.date(2000, 2, 29),
    datetime.date(1993, 7, 1),
    datetime.date(1993, 10, 1),
    datetime.date(2024, 12, 31),
]

INSTANTS = [
    datetime.datetime(1970, 1, 1),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime.datetime(2000, 2, 29, 12, 30, 15, 123456),
    datetime.datetime(2024, 3, 31, 2, 30),
    datetime.datetime(1900, 1, 1, 0, 0, 1),
    datetime.datetime(9999, 12, 31, 23, 59, 59),
    datetime.datetime(1, 1, 3),
    datetime.datetime(1582, 10, 14, 23, 59, 59, 999999),
    datetime.datetime(1883, 11, 18, 16, 59, 30),
    datetime.datetime(1941, 7, 1, 12),
    datetime.datetime(1996, 10, 27, 0, 59, 59, 500000),
    datetime.datetime(2021, 11, 7, 5, 30),
    datetime.datetime(2021, 11, 7, 6, 30, 0, 1),
    datetime.datetime(2022, 3, 13, 6, 59, 59, 999000),
    datetime.datetime(2022, 3, 13, 7),
    datetime.datetime(2024, 2, 29, 23, 0, 0, 120000),
    datetime.datetime(2045, 6, 30, 21, 15),
]


def integers(bits: int) -> list[int]:
    """Edges of a signed integer of `bits` bits, then small numbers."""
    top = 2 ** (bits - 1)
    return [0, 1, -1, 2, -2, 3, 7, 10, 100, top - 1, -top, top - 2, -top + 1, top // 2]


def decimals(precision: int, scale: int) -> list[decimal.Decimal]:
    """Edges of decimal(precision, scale), halves that rounding meets, then small numbers."""
    top = 10**precision - 1
    unscaled = [
        0,
        1,
        -1,
        top,
        -top,
        top // 2,
        5,
        -5,
        15,
        25,
        10**scale,
        -(10**scale),
        3 * 10**scale,
    ]
    unscaled += [10**scale // 2, 10 ** (precision - 1)]
    with decimal.localcontext(prec=50):
        return [decimal.Decimal(value).scaleb(-scale) for value in unscaled if abs(value) <= top]
