"""Ask for known weaknesses of the versions in ``constraints.txt``; say so if nobody could be asked.

    python tools/audit.py

Exit code 0: none known. 1: some are, listed. 2: the service could not be asked, or its answer is
worth nothing. pip-audit alone takes a service that knows nothing for good news. So one old version
with published weaknesses is asked about as well: a service that does not know them has not looked.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PINNED = Path(__file__).parents[1] / "constraints.txt"
WEAK = "pyyaml", "5.3"  # CVE-2020-1747 and others
SERVICE = "https://api.osv.dev/v1/query"


def answers(lines: str, service: str) -> list[dict[str, Any]]:
    """Return what pip-audit has found for each of the requirements *lines*.

    :raises RuntimeError: if it has found out nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(lines, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "pip_audit",
            "--requirement",
            str(pinned),
            "--no-deps",
            "--disable-pip",
        ]
        command += ["--format", "json", "--desc", "off", "--progress-spinner", "off"]
        command += ["--vulnerability-service", "osv", "--osv-url", service]
        run = subprocess.run(command, capture_output=True, encoding="utf-8")
    try:
        found: list[dict[str, Any]] = json.loads(run.stdout)["dependencies"]
    except (ValueError, KeyError):
        raise RuntimeError(
            run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "no answer"
        ) from None
    return found


def main(argv: list[str] | None = None) -> int:
    """Print what is known, and return the exit code."""
    parser = argparse.ArgumentParser(description="Ask for known weaknesses of the pinned versions.")
    parser.add_argument("--service", default=SERVICE, help="address of a service that speaks OSV")
    service = parser.parse_args(argv).service
    try:
        (known,) = answers("==".join(WEAK), service)
        found = answers(PINNED.read_text(encoding="utf-8"), service)
    except RuntimeError as why:
        print(f"Could not ask {service}: {why}")
        return 2
    if not known.get("vulns"):
        print(
            f"{service} knows no weakness of {' '.join(WEAK)}, which has some: its answers are worth nothing."
        )
        return 2
    skipped = [f"{each['name']}: {each['skip_reason']}" for each in found if "skip_reason" in each]
    weak = [each for each in found if each.get("vulns")]
    for each in weak:
        print(f"{each['name']} {each['version']}: {', '.join(one['id'] for one in each['vulns'])}")
    print(f"{len(found) - len(skipped)} packages asked about, {len(weak)} with a known weakness.")
    if skipped:
        print("Could not ask about", *skipped, sep="\n  ")
    return 2 if skipped else 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
