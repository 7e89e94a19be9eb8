"""Reprise: dumps of Spark's operators as Arrow, replayed here; event logs; Spark sessions."""

from reprise._core import Error
from reprise.application_report import ApplicationReport, report
from reprise.dumps import Dump, Operator, Rows, dump, open
from reprise.event_log import EventLog, Picture, event_log
from reprise.event_replayer import EventReplayer
from reprise.replay_report import Report
from reprise.session import conf, jars, session

__all__ = [
    "ApplicationReport",
    "Dump",
    "Error",
    "EventLog",
    "EventReplayer",
    "Operator",
    "Picture",
    "Report",
    "Rows",
    "conf",
    "dump",
    "event_log",
    "jars",
    "open",
    "report",
    "session",
]


def load_ipython_extension(shell) -> None:
    """`%load_ext reprise` in a notebook: `%%reprise` runs a cell and shows what Spark did."""
    from reprise.notebook import load

    load(shell)
