"""``probity-fleet PLAN``: the jobs of a plan on a Dask cluster."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from distributed import Client, LocalCluster

from .fleet import Summary, run_plan


def main() -> int:
    """Does the jobs; the exit status: 0 all have results, 2 some cannot be done, 3 some have none."""
    parser = argparse.ArgumentParser(prog="probity-fleet", description=__doc__)
    parser.add_argument("plan", type=Path, help="what `probity plan` wrote")
    parser.add_argument("--results", type=Path, help="where results are kept [results, beside the plan]")
    parser.add_argument("--scheduler", help="a cluster's address; without, one is made on this machine")
    parser.add_argument("--workers", type=int, help="how many workers that has [one a processor core]")
    parser.add_argument("--folder", type=Path, help="where the scripts are [here]")
    parser.add_argument("--probity", default="probity", help="the program, as workers call it")
    asked = parser.parse_args()
    results = asked.results or asked.plan.with_name("results")
    cluster = None
    if asked.scheduler is None:
        cluster = LocalCluster(n_workers=asked.workers, threads_per_worker=1)
    with Client(asked.scheduler or cluster) as client:
        print(f"Dashboard: {client.dashboard_link}", file=sys.stderr)
        summary = run_plan(
            asked.plan,
            results,
            client,
            probity=asked.probity,
            folder=asked.folder,
            told=_tell,
        )
    if cluster is not None:
        cluster.close()
    print(f"{summary.done} jobs done, {summary.known} had results before.", file=sys.stderr)
    for kind, jobs in (("cannot be done", summary.refused), ("has no result", summary.failed)):
        for key, why in jobs.items():
            print(f"job {key} {kind}: {why}", file=sys.stderr)
    return 2 if summary.refused else 3 if summary.failed else 0


def _tell(summary: Summary, left: int) -> None:
    if left % 100 == 0:
        print(f"{summary.done} done, {left} left", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
