"""The record of one picture: the reply from each viewpoint, with tokens and price. All scores and tables are
computed from it.

Calls are named after their viewpoints, `ego` and `allo`."""

from typing import Literal

from tolman.benchmarks.sparrta.case import Case, case_from_dict
from tolman.benchmarks.sparrta.options import Options
from tolman.harness import records
from tolman.harness.records import CaseRecord, RecordFormat

FORMAT: Literal["tolman.sparrta/1"] = "tolman.sparrta/1"


class Record(CaseRecord):
    """A model's replies about one picture."""

    format: Literal["tolman.sparrta/1"] = FORMAT


LoggedCase = records.LoggedCase[Case, Options, Record]
RECORDS = RecordFormat(FORMAT, Record, Options, case_from_dict)
read_record = RECORDS.read
