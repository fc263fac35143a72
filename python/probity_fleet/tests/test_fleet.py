"""A thousand jobs over four workers, two of which are killed on the way.

``PROBITY`` names the program; ``FLEET_JOBS`` says how many jobs, if not a thousand.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from distributed import Client, LocalCluster
from probity_fleet import jobs_of, run_plan

PROBITY = os.environ.get("PROBITY", "probity")
JOBS = int(os.environ.get("FLEET_JOBS", "1000"))

MODEL = """byte x;
active proctype up() {{ do :: x < {most} -> x++ :: else -> break od }}
ltl small {{ [] (x <= {limit}) }}
"""


def probity(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROBITY, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


class Fleet(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        scripts = self.folder / "scripts"
        scripts.mkdir()
        for number in range(JOBS):
            # Every third one fails.
            most = number % 200 + 1
            limit = most - 1 if number % 3 == 0 else most
            text = f"/* {number} */\n" + MODEL.format(most=most, limit=limit)
            (scripts / f"{number:05}.pml").write_text(text, encoding="utf-8")
        planned = probity(self.folder, "plan", "scripts", "--whole-files", "-o", "jobs.jsonl")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        self.plan, self.results = self.folder / "jobs.jsonl", self.folder / "results"

    def test_workers_that_die_cost_nothing_but_time(self) -> None:
        cluster = LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None)
        self.addCleanup(cluster.close)
        client = Client(cluster)
        self.addCleanup(client.close)
        self.assertEqual(len(jobs_of(self.plan)), JOBS)
        killed: list[int] = []

        def kill_two() -> None:
            for share in (4, 2):
                while len(list(self.results.glob("*.json"))) < JOBS // share:
                    time.sleep(0.02)
                workers = client.run(os.getpid)
                victim = next(pid for pid in workers.values() if pid not in killed)
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        killer = threading.Thread(target=kill_two)
        killer.start()
        begin = time.monotonic()
        summary = run_plan(self.plan, self.results, client, probity=PROBITY, folder=self.folder)
        first = time.monotonic() - begin
        killer.join()
        self.assertEqual(len(killed), 2)
        self.assertTrue(summary.is_complete, (summary.refused, summary.failed))
        self.assertEqual((summary.done, summary.known), (JOBS, 0))
        self.assertEqual({path.stem for path in self.results.iterdir()}, set(jobs_of(self.plan)))

        collected = probity(self.folder, "collect", "jobs.jsonl", "--format", "json")
        report = json.loads(collected.stdout)
        self.assertEqual(collected.returncode, 1)
        self.assertEqual(len(report["files"]), JOBS)
        names = [one["name"] for file in report["files"] for one in file["properties"]]
        self.assertEqual(names.count("small"), JOBS)
        self.assertEqual(report["summary"]["fail"], (JOBS + 2) // 3)

        begin = time.monotonic()
        again = run_plan(self.plan, self.results, client, probity=PROBITY, folder=self.folder)
        second = time.monotonic() - begin
        self.assertEqual((again.done, again.known), (0, JOBS))
        print(f"{JOBS} jobs, two workers killed: {first:.1f} s; a second run: {second:.2f} s")
        self.assertLess(second, 5)

    def test_what_cannot_be_done_is_told(self) -> None:
        changed = self.folder / "scripts" / "00001.pml"
        changed.write_text("active proctype p() { skip }\n", encoding="utf-8")
        first = self.plan.read_text(encoding="utf-8").splitlines()[:3]
        self.plan.write_text("\n".join(first) + "\n", encoding="utf-8")
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        self.addCleanup(cluster.close)
        client = Client(cluster)
        self.addCleanup(client.close)
        summary = run_plan(self.plan, self.results, client, probity=PROBITY, folder=self.folder)
        self.assertEqual((summary.done, len(summary.refused), summary.failed), (2, 1, {}))
        self.assertIn("is not what it was", next(iter(summary.refused.values())))


if __name__ == "__main__":
    unittest.main()
