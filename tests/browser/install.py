"""See to it that there is a Chromium for the browser tests: ``python tests/browser/install.py``.

The system's own is used where there is one; else, as root on Debian, its package; else the one that Playwright
brings. Where none can be had, that is said and nothing fails: the browser tests are skipped then, with a reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.browser.jupyter import find_chromium


def install() -> bool:
    """Try each way in turn; true where there is a browser at the end."""
    for command in ways():
        print("$", " ".join(command), flush=True)
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0 and find_chromium():
            return True
    return False


def ways() -> list[list[str]]:
    """The commands that may bring one."""
    own = [sys.executable, "-m", "playwright", "install", "chromium"]
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not is_root or not shutil.which("apt-get"):
        return [own]
    package = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"]
    return [["sh", "-c", f"apt-get update -qq && {' '.join(package)}"], own]


if __name__ == "__main__":
    if find_chromium() is None and not install():
        print("There is no Chromium and none could be installed: the browser tests will be skipped.")
