"""The TPC-H queries of tests/sql/tpch by number."""

import sql_files
from places import SQL_FILES

NUMBERS = range(1, 23)


def query(number: int) -> str:
    """The text of a query."""
    return sql_files.read(SQL_FILES / "tpch" / f"q{number:02}.sql").statements[0].text
