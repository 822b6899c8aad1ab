"""Tables of probes."""

from collections.abc import Sequence
from pathlib import Path

from tolman.benchmarks.sparrta.probes.export import as_dict, probe_tables
from tolman.benchmarks.sparrta.probes.folders import Tell, read_probes
from tolman.cli.show.tables import Tables, Wanted


def add_probe_tables(found: Tables, folders: Sequence[Path], wanted: Wanted, tell: Tell) -> None:
    """Add tables and numbers of folders that `tolman probe` filled."""
    probes = read_probes(folders, tell)
    found.numbers["sparrta_probes"] = as_dict(probes)
    found.add(probe_tables(probes, references=wanted.references != "none", paper=wanted.references == "all"))
