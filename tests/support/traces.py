"""Reads trace files, and checks what must hold of every one of them."""

import json
from collections import Counter
from pathlib import Path

Event = dict


def events(file: Path) -> list[Event]:
    """All events of a trace; the file must be whole JSON."""
    return json.loads(file.read_text())


def ranges(all_events: list[Event], category: str | None = None) -> list[Event]:
    """The ranges, of one category where one is named."""
    found = [event for event in all_events if event["ph"] == "X"]
    return [event for event in found if category in (None, event["cat"])]


def rows_by_operator(all_events: list[Event]) -> dict[str, int]:
    """The rows of each operator's ranges, by its name: "RepriseFilter [loreId=5]"."""
    rows = Counter()
    for event in ranges(all_events, "operator"):
        rows[event["name"]] += event["args"].get("rows", 0)
    return dict(rows)


def misplaced(all_events: list[Event]) -> list[tuple[Event, Event]]:
    """Ranges that overlap another one of their lane without lying in it, with that one."""
    found = []
    lanes: dict[tuple[int, int], list[Event]] = {}
    for event in ranges(all_events):
        lanes.setdefault((event["pid"], event["tid"]), []).append(event)
    for lane in lanes.values():
        open_ranges: list[Event] = []
        for event in sorted(lane, key=lambda e: (e["ts"], -e["dur"])):
            while open_ranges and _end(open_ranges[-1]) <= event["ts"]:
                open_ranges.pop()
            # Nanoseconds, written as fractions of microseconds.
            if open_ranges and _end(event) > _end(open_ranges[-1]) + 0.0005:
                found.append((open_ranges[-1], event))
            open_ranges.append(event)
    return found


def outside_tasks(all_events: list[Event]) -> list[Event]:
    """Ranges that lie in no task's range."""
    tasks = ranges(all_events, "task")
    return [
        event
        for event in ranges(all_events)
        if not any(
            task["tid"] == event["tid"]
            and task["ts"] <= event["ts"]
            and _end(event) <= _end(task) + 0.0005
            for task in tasks
        )
    ]


def _end(event: Event) -> float:
    return event["ts"] + event["dur"]
