"""Reprise: dumps of Spark's operators as Arrow, replayed here; event logs; Spark sessions."""

import pyarrow  # noqa: F401  loads the Arrow libraries that the module over the core uses

from reprise._core import Error
from reprise.application_report import ApplicationReport, report
from reprise.dumps import Dump, Operator, dump, open
from reprise.event_log import EventLog, Picture, event_log
from reprise.event_replayer import EventReplayer
from reprise.replay_report import Report
from reprise.session import conf, jar, session

__all__ = [
    "ApplicationReport",
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
    "report",
    "session",
]


def load_ipython_extension(shell) -> None:
    """`%load_ext reprise` in a notebook: `%%reprise` runs a cell and shows what Spark did."""
    from reprise.notebook import load

    load(shell)
