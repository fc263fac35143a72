"""Probity's checks on a Dask cluster.

A plan (``probity plan``) is a list of jobs, each a pure function of what its key is the SHA-256 of. So
nothing needs to be remembered but results: a job that has one is not done again, one whose worker died
is done by another, and who starts anew goes on where the results end.
"""

from .fleet import Summary, jobs_of, run_plan

__all__ = ["Summary", "jobs_of", "run_plan"]
