"""The scripted references in the task conditions `--abstain` and `--odds` on many scenes, as one table each.

`python benchmarks/uncertainty_references.py 2000-2019`: every question is judged once, and all references reply from
that judgement, at about 2 CPU seconds per scene; `tolman eval` gives the same numbers through a model's interface.
"""

import sys
from collections.abc import Iterator, Sequence

from tolman.ask.abstention import abstention_request
from tolman.ask.odds import odds_request, slots_of
from tolman.benchmarks.theory_of_space.case import case_of, question_calls
from tolman.benchmarks.theory_of_space.columns import Columns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.condition_scores import (
    ABSTENTION_COLUMNS,
    ODDS_COLUMNS,
    JudgedScene,
    Judgement,
    StatedChance,
    abstention_columns,
    judged_question,
    odds_columns,
)
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import final_observer
from tolman.benchmarks.theory_of_space.uncertainty.tables import EDGES
from tolman.explore.agents.registry import run_explorer
from tolman.ideal.question_content import BestAnswer, question_content
from tolman.models.scripted.uncertain_replies import IdealSettings, reply_in_condition
from tolman.report.statistics import column_intervals, pooled_interval, values_by_case
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, choose_scenes

AGENTS = ("ideal", "ideal-temperature-0.5", "ideal-temperature-2", "always-answers", "always-abstains")


def main(scenes: str, explorer: str) -> None:
    """Print both tables, and the reliability of the ideal's probabilities."""
    found: dict[tuple[str, str], list[tuple[str, dict[str, tuple[float, ...]]]]] = {}
    stated: dict[str, list[list[StatedChance]]] = {}
    for choice in choose_scenes(scenes, WorldSettings()):
        for agent, condition, name, columns, chances in _scene(choice, explorer):
            found.setdefault((condition, agent), []).append((name, columns))
            if condition == "odds":
                stated.setdefault(agent, []).append(list(chances))
    for condition, columns in (("abstain", ABSTENTION_COLUMNS), ("odds", ODDS_COLUMNS)):
        print(condition)
        for agent in AGENTS:
            intervals = column_intervals(values_by_case(found[condition, agent]))
            cells = {c.key: c.style(intervals[c.key]) for c in columns if c.key in intervals}
            print(f"  {agent}: " + "; ".join(f"{key} {cell.text} ({cell.below})" for key, cell in cells.items()))
    for low, high in zip(EDGES, (*EDGES[1:], 1.0), strict=True):
        inside = [[c for c in s if low <= c.stated and (c.stated < high or high == 1)] for s in stated["ideal"]]
        listed = [c for scene in inside for c in scene]
        if listed:
            true = pooled_interval([[float(c.true) for c in scene] for scene in inside if scene])
            mean = sum(c.stated for c in listed) / len(listed)
            print(f"  {mean:.3f} stated, {true.mean:.3f} ({true.low:.3f} to {true.high:.3f}) true, {len(listed)}")


def _scene(choice: SceneChoice, explorer: str) -> Iterator[tuple[str, str, str, Columns, Sequence[StatedChance]]]:
    options = {"abstain": Options(mode="passive", abstain=True), "odds": Options(mode="passive", odds=True)}
    case = case_of(choice, options["abstain"])
    log = run_explorer(explorer, case.scene, case.seed)
    observer = final_observer(case, log)
    best: dict[str, BestAnswer] = {}
    verdicts: dict[str, Judgement] = {}
    for question in case.questions:
        found = observer.best_answer(question_content(question))
        verdict = judged_question(question, found, log.seen)
        if found and verdict:
            best[question.id], verdicts[question.id] = found, verdict
    judged = JudgedScene(verdicts, observer.name)
    for agent in AGENTS:
        for condition, chosen in options.items():
            calls: list[Call] = []
            for call, question in question_calls("none", case.questions):
                slots = slots_of(question)
                if question.id not in best or (condition == "odds" and not slots):
                    continue
                text = odds_request(slots) if condition == "odds" else abstention_request(chosen.threshold)
                reply = reply_in_condition(text, best[question.id], slots, IdealSettings(agent)) or ""
                calls.append(Call(name=call, reply=f"FINAL ANSWER:\n{reply}"))
            logged = ScoredCase(case, chosen, SceneRecord(calls=calls))
            columns, chances = (
                odds_columns(logged, judged) if condition == "odds" else (abstention_columns(logged, judged), ())
            )
            yield agent, condition, case.id, columns, chances


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "2000-2019", sys.argv[2] if len(sys.argv) > 2 else "half-strategist")
