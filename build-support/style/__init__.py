"""The style rules that a machine can check. A rule takes all sources and gives one line a breach.

Sources are texts by path, from the repository's root, so that a test can plant a fault in few
lines.
"""

Sources = dict[str, str]
