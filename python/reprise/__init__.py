"""Reprise: dumps of Spark's operators as Arrow, replayed here; event logs; Spark sessions."""

import pyarrow  # noqa: F401  loads the Arrow libraries that the module over the core uses

from reprise._core import Error
from reprise.dumps import Dump, Operator, dump, open
from reprise.event_log import EventLog, Picture, event_log
from reprise.event_replayer import EventReplayer
from reprise.report import Report
from reprise.session import conf, jar, session

__all__ = [
    "Dump",
    "Error",
    "EventLog",
    "EventReplayer",
    "Operator",
    "Picture",
    "Report",
    "conf",
    "dump",
    "event_log",
    "jar",
    "open",
    "session",
]
