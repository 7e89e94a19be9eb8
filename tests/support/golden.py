"""Golden files: text that is compared with a stored file, which one variable rewrites."""

import os
import re

from places import GOLDEN, ROOT


def normalised(text: str) -> str:
    """Text without what differs between runs and machines: expression ids and paths."""
    text = text.replace(str(ROOT), "ROOT")
    text = re.sub(r"#\d+L?", "#", text)
    text = re.sub(r"plan_id=\d+", "plan_id=", text)
    text = re.sub(r"file:/\S*?(\w+\.parquet|/\w+)(?=[\],\s])", r"file:…/\1", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def check_golden(name: str, text: str) -> None:
    """Compares with tests/golden/NAME; REPRISE_UPDATE_GOLDEN=1 writes it instead."""
    path = GOLDEN / name
    text = normalised(text)
    if os.environ.get("REPRISE_UPDATE_GOLDEN") == "1":
        path.write_text(text)
        return
    assert path.exists(), f"no {path}: run with REPRISE_UPDATE_GOLDEN=1 to write it"
    expected = path.read_text()
    assert text == expected, (
        f"differs from {path.relative_to(ROOT)}; if the change is meant, REPRISE_UPDATE_GOLDEN=1 "
        "rewrites it"
    )
