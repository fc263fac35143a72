"""Jobs of a plan, handed to workers, and their results."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from distributed import Client, as_completed


@dataclass
class Summary:
    """What became of the jobs of a plan."""

    done: int = 0
    """Jobs that got a result now."""
    known: int = 0
    """Jobs that had one before."""
    refused: dict[str, str] = field(default_factory=dict)
    """Jobs that nobody can do, by key, and why."""
    failed: dict[str, str] = field(default_factory=dict)
    """Jobs that ended without a result however often they were tried."""

    @property
    def is_complete(self) -> bool:
        """Whether all jobs have results."""
        return not self.refused and not self.failed


def jobs_of(plan: Path) -> dict[str, str]:
    """The lines of a plan by the keys of their jobs: equal jobs are one."""
    lines = (line for line in plan.read_text(encoding="utf-8").splitlines() if line.strip())
    return {json.loads(line)["key"]: line for line in lines}


def run_plan(
    plan: Path,
    results: Path,
    client: Client,
    *,
    probity: str = "probity",
    folder: Path | None = None,
    attempts: int = 4,
    told: Callable[[Summary, int], None] = lambda summary, left: None,
) -> Summary:
    """Has all jobs of a plan done that have no result yet.

    ``folder`` is where the scripts are, by the same names on all machines: the directory in which the
    plan was made, if nothing is said. ``told`` hears of each job that has ended, and how many are left.
    """
    jobs = jobs_of(plan)
    results.mkdir(parents=True, exist_ok=True)
    folder = (folder or Path.cwd()).resolve()
    left = {key: line for key, line in jobs.items() if not _path(results, key).exists()}
    summary = Summary(known=len(jobs) - len(left))
    for _ in range(attempts):
        if not left:
            break
        summary.failed.clear()
        for key, end in _ends(left, client, probity, folder):
            match end:
                case ("result", text):
                    _keep(_path(results, key), text)
                    summary.done += 1
                    del left[key]
                case ("refused", why):
                    summary.refused[key] = why
                    del left[key]
                case (_, why):
                    summary.failed[key] = why
            told(summary, len(left))
    return summary


def _ends(
    left: dict[str, str], client: Client, probity: str, folder: Path
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each job once, as its work ends."""
    # The cluster forgets what is no longer asked for, so a key may be used again.
    futures = {
        client.submit(_do, line, probity, str(folder), key=f"probity-{key}", pure=True): key
        for key, line in list(left.items())
    }
    for future in as_completed(futures):
        key = futures[future]
        error = future.exception()
        yield key, ("failed", str(error)) if error else future.result()
        future.release()


def _do(line: str, probity: str, folder: str) -> tuple[str, str]:
    """Does a job, on a worker."""
    key = json.loads(line)["key"]
    with tempfile.TemporaryDirectory() as mine:
        plan = Path(mine) / "job.jsonl"
        plan.write_text(line + "\n", encoding="utf-8")
        ran = subprocess.run(
            [probity, "run-job", str(plan), "--results", mine],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        result = _path(Path(mine), key)
        if ran.returncode == 0 and result.exists():
            return "result", result.read_text(encoding="utf-8")
        said = ran.stderr.strip() or f"it ended with status {ran.returncode}"
        return ("refused" if ran.returncode == 2 else "failed"), said


def _path(results: Path, key: str) -> Path:
    """Where a result is kept: as `probity collect` looks for it."""
    return results / f"{key}.json"


def _keep(path: Path, text: str) -> None:
    """Writes a result as a whole, or not at all."""
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
