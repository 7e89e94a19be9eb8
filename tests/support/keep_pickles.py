"""Writes the ledger's stored pickles, spark/src/test/resources/reprise/ledger/pickles.txt.

A line a batch, in base64: all items, all backwards, then each by itself.
Usage: keep_pickles.py
"""

import base64
import collections
import datetime
import decimal
import pickle

from places import ROOT

FILE = ROOT / "spark/src/test/resources/reprise/ledger/pickles.txt"
WORD = "".join(("wo", "rd"))  # of which a batch keeps one copy

NUMBERS = (1, 300, 70_000, -5, 2**40, -(2**70), 1.5, None, True, False)
TEXTS = ("", "one", "größer €", WORD, "x" * 300, b"raw", b"y" * 300, bytearray(b"raw"))
TUPLES = ((), (WORD, 1), (1, WORD), (WORD, 2, WORD), (WORD, 2, 3, WORD))
COLLECTIONS = ([WORD], [[1], [2]], [[1, 2]], {"a": 1, "b": [WORD]}, {3, 4}, frozenset([3, 4]))
LONG = (list(range(1500)), dict.fromkeys(range(1100), WORD))  # in several pieces
OBJECTS = (
    datetime.date(2020, 2, 29),
    decimal.Decimal("1.10"),
    collections.Counter("aab"),
    collections.OrderedDict(x=1),
    collections.deque([1, 2]),
    complex(1, 2),
)
ITEMS = [*NUMBERS, *TEXTS, *TUPLES, *COLLECTIONS, *LONG, *OBJECTS]


def main() -> None:
    batches = [ITEMS, ITEMS[::-1], *([item] for item in ITEMS)]
    pickles = (base64.b64encode(pickle.dumps(batch, 5)).decode() for batch in batches)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text("".join(f"{line}\n" for line in pickles))


if __name__ == "__main__":
    main()
