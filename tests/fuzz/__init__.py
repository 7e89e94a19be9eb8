"""Queries and data that nobody thought of: everything follows from a seed."""
