"""A browser without a window."""

import shutil
import subprocess

CHROMIUM = shutil.which("chromium") or "chromium"


def dom_of(address: str, *options: str) -> str:
    """What it has made of the page once the page's script has run."""
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    shown = subprocess.run(
        [*command, *options, address], check=True, capture_output=True, text=True, timeout=300
    )
    return shown.stdout
