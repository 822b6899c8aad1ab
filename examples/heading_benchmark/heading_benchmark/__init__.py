"""Headings: a whole benchmark in one folder. Which way do you face after some turns?

This module is imported by every `tolman` command, so it names the other modules and imports none of them.
"""

from tolman.harness.registry import Registered

REGISTERED = Registered(
    name="headings",
    summary="Say which way you face after some turns.",
    benchmark="heading_benchmark.task:Headings",
    logs="heading_benchmark.results:RESULTS",
)
