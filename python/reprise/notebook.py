"""`%load_ext reprise`: what notebooks know of Reprise."""

from reprise.application_report import ApplicationReport, report


def session_of(shell):
    """The session that a notebook calls `spark`, or the one that is active; None: there is none."""
    from pyspark.sql import SparkSession

    return shell.user_ns.get("spark") or SparkSession.getActiveSession()


def load(shell) -> None:
    """Registers the magic `%%reprise`."""
    from IPython.display import display

    def run_and_report(line: str, cell: str) -> None:
        """Runs a cell, and shows what Spark did for it: queries with their plans, and findings."""
        session = session_of(shell)
        before = report(session) if session else None
        result = shell.run_cell(cell)
        session = session_of(shell)
        if not session:
            print("reprise: the cell has run, and there is no Spark session to report of")
            return
        after: ApplicationReport = report(session)
        shown = after.since(before) if before and _same(before, after) else after
        display(shown)
        # The cell's error stays an error of the notebook's.
        result.raise_error()

    shell.register_magic_function(run_and_report, magic_kind="cell", magic_name="reprise")


def _same(before: ApplicationReport, after: ApplicationReport) -> bool:
    return before.data["application"]["id"] == after.data["application"]["id"]
