"""Theory of Space as a benchmark: one case per scene. `inspect eval tolman/theory_of_space -T scenes=0-9`."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import ClassVar

import anyio
from inspect_ai.log import transcript

from tolman.belief.visible_facings import AlikeView
from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.options import Options, Selection, check_pictures
from tolman.benchmarks.theory_of_space.protocol.inspect_stage import InspectStage, PictureMessages
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache
from tolman.benchmarks.theory_of_space.protocol.prompts import in_pictures
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun, explorer_log
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase, read_record
from tolman.benchmarks.theory_of_space.released.cases import released_cases
from tolman.benchmarks.theory_of_space.uncertainty.measured import condition_headlines
from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.messages import describe_episode
from tolman.harness.benchmark import Benchmark, CaseContext
from tolman.harness.names import counted
from tolman.harness.task import inspect_task
from tolman.models.scripted.reply import check_agent
from tolman.render.stored_pictures import FOLDERS_VARIABLE
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

_PUBLISHED_ROOMS = 3
_HEADLINES = {
    "accuracy": "ask/none",
    "cost": "explore/cost",
    "information gain": "explore/gain",
    "map correctness": "map/correctness/overall",
    "uncertainty": "map/uncertainty",
    "revision F1": "revise/f1",
}
"""Scores of a scene in Inspect's viewer, by title: the column of each."""


class TheoryOfSpace(Benchmark[Selection, Options, Case, ScoredCase]):
    """Explore, state maps, answer, and revise when the world changes."""

    name = "theory-of-space"
    title = "Theory of Space"
    summary = "Explore, state maps, answer, and revise when the world changes."
    several: ClassVar[Mapping[str, str]] = {"mode": "active,passive"}
    wording_packages = ("tolman.ask", "tolman.belief", "tolman.explore", "tolman.benchmarks.theory_of_space")
    optional_gaps: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "explore": ("world", "senses", "actions", "budget"),
        "left_out": ("count",),
        "picture_left_out": ("count",),
        "reason": ("world", "senses", "actions"),
        "revision": ("budget",),
    }
    selection_class = Selection
    options_class = Options

    def cases(self, selection: Selection, options: Options) -> tuple[Options, Sequence[Case]]:
        """Scenes from seeds or files; scenes of released runs are run under the published rules."""
        if selection.pictures:
            os.environ[FOLDERS_VARIABLE] = selection.pictures
        released = released_cases(selection.scenes, options)
        if released is not None:
            return replace(options, rules="published").for_rooms(_PUBLISHED_ROOMS), released
        check_pictures(options)
        settings = WorldSettings(
            rooms=selection.rooms, things_per_room=selection.things, version=selection.world_version
        )
        cases = [case_of(choice, options) for choice in choose_scenes(selection.scenes, settings)]
        return options.for_rooms(max((len(case.scene.rooms) for case in cases), default=_PUBLISHED_ROOMS)), cases

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        return case_to_dict(case)

    def label(self, case: Case) -> str:
        return f"Scene {case.id}: {counted(len(case.scene.rooms), 'room')}, {counted(len(case.questions), 'question')}"

    def condition(self, options: Options) -> str:
        return f"{options.mode}_{options.condition}" if options.condition else options.mode

    async def run(self, case: Case, options: Options, selection: Selection, context: CaseContext) -> str:
        """Run all phases; returns a description of the exploration for the viewer."""
        del selection
        picture_messages: PictureMessages | None = None
        alike: dict[str, list[AlikeView]] | None = None
        if in_pictures(case, options):
            pictures = PictureCache(case, options)
            alike = await pictures.alike_views()
            picture_messages = PictureMessages(pictures, options.image_budget)
            transcript().info({**(await pictures.made_with())}, source="pictures")
        calls = context.calls()
        stage = InspectStage(calls, case, picture_messages)
        log = await anyio.to_thread.run_sync(explorer_log, case, options)
        try:
            async with calls.scene():
                episode = await SceneRun(case, options, stage).run(log)
        finally:
            actions = [] if log is None else [str(turn.asked) for turn in log.turns]
            replies = sorted(calls.calls, key=lambda call: _order(call.name))
            context.keep(SceneRecord(log=actions, calls=replies, alike=alike))
        return describe_episode(episode)

    def read(self, metadata: Mapping[str, object], stored: object) -> ScoredCase:
        return read_record(metadata, stored)

    def headline_scores(self, logged: ScoredCase) -> dict[str, float]:
        """The main numbers of a scene under both rule sets; in a task condition, its own."""
        if logged.options.condition:
            return condition_headlines(logged)
        value: dict[str, float] = {}
        for rules in (STRICT, PUBLISHED):
            mark = "" if rules is STRICT else " (published)"
            found = columns(logged.scores(rules))
            for name, column in _HEADLINES.items():
                values = found.get(column, ())
                value[f"{name}{mark}"] = fmean(values) if values else float("nan")
        return value

    def check_scripted(self, agent: str) -> None:
        check_agent(agent)

    def default_selection(self, model: str) -> Mapping[str, object]:
        """The scenes of the released runs if the model replays them."""
        source = model.removeprefix("replay/")
        path, colon, _ = source.rpartition(":")
        return {"scenes": source} if model.startswith("replay/") and colon and Path(path).exists() else {}


def _order(call: str) -> tuple[object, ...]:
    """Sort key for the protocol order of calls; numbers in names sort as numbers."""
    phase, *rest = call.split("/")
    return ("explore", "ask", "revise").index(phase), *((p.isdecimal(), int(p) if p.isdecimal() else p) for p in rest)


theory_of_space = inspect_task(TheoryOfSpace(), __name__)
