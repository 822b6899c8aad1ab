"""Names of runs: the model, and what sets it apart from other runs of its name and from the usual way to ask."""

from collections.abc import Sequence

from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.report.names import differences
from tolman.report.sparrta_questions.question_logs import OWN, Run

_USUAL = {
    **SparrtaOptions().as_dict(),
    "data": OWN,
    "balanced": False,
    "preset": "standard",
    "models": "auto",
    "temperature": 0.0,
}


def run_names(runs: Sequence[Run]) -> list[str]:
    """One for each run. That thoughts were asked for is always told; where pictures lie only if runs differ in it."""
    named: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        named.setdefault(run.name, []).append(place)
    found = [""] * len(runs)
    for name, places in named.items():
        settings = [{"model": runs[place].model, **_setting(runs[place])} for place in places]
        usual = {key: value for key, value in _USUAL.items() if key in settings[0] and key not in ("data", "think")}
        for place, apart in zip(places, differences([{**settings[0], **usual}, *settings])[1:], strict=True):
            parts = (name, "think" if runs[place].options.think else "", apart)
            found[place] = ", ".join(part for part in parts if part)
    return found


def _setting(run: Run) -> dict[str, object]:
    known = dict(run.settings) or run.options.as_dict()
    return {name: value for name, value in known.items() if name != "think"}
