"""Parquet tables that the tests read: awkward on purpose, the same on every machine."""
