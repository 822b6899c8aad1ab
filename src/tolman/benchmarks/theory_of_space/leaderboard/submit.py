"""An entry from a run in logs."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tolman import __version__
from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    FORMAT,
    EntryScene,
    EntrySplit,
    EntryWorlds,
    LeaderboardEntry,
)
from tolman.benchmarks.theory_of_space.leaderboard.protocol_checks import world_settings, worlds_of
from tolman.benchmarks.theory_of_space.leaderboard.verify import claimed_summary, score_items
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import SceneRecord
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.run_summary import RULES, summarise_run
from tolman.core.errors import GenerationError, SettingsError
from tolman.core.seeds import canonical_json
from tolman.world.sealed import SealedSplit
from tolman.world.select import SceneChoice, sealed_choices

_GENERATION = (
    *("temperature", "top_p", "top_k", "max_tokens", "seed", "frequency_penalty", "presence_penalty"),
    *("reasoning_effort", "reasoning_tokens", "effort", "verbosity", "model_path"),
)
_SEALED = re.compile(r"sealed-[0-9a-f]{8}-\d{3,}")


@dataclass(frozen=True)
class EntryAbout:
    """What people are told about an entry."""

    name: str = ""
    contact: str = ""
    link: str = ""
    note: str = ""


def entry_of(run: TheoryOfSpaceRun, about: EntryAbout, sealed: Sequence[SealedSplit] = ()) -> LeaderboardEntry:
    """The entry of a run. A `SettingsError` says what to do about one that can't be submitted."""
    _check_complete(run)
    try:
        return _entry(run, about, sealed)
    except ValueError as error:
        raise SettingsError(f"this can't be an entry: {' '.join(str(error).split())[:300]}") from None


def _entry(run: TheoryOfSpaceRun, about: EntryAbout, sealed: Sequence[SealedSplit]) -> LeaderboardEntry:
    opened = _sealed_split(run, sealed)
    worlds = EntryWorlds(rooms=_count(run, "rooms", 3), things=_count(run, "things", 4))
    worlds = worlds if opened is None else worlds_of(opened.settings)
    split = _split(run, worlds) if opened is None else EntrySplit(kind="sealed", commitment=opened.commitment)
    return LeaderboardEntry(
        format=FORMAT,
        tolman=__version__,
        benchmark="theory-of-space",
        name=about.name or run.name,
        model=run.name,
        contact=about.contact,
        link=about.link,
        note=about.note,
        options=cast("Any", _options(run)),
        worlds=worlds,
        generation=cast("Any", _generation(run)),
        split=split,
        scenes=[_scene(scene, split) for scene in run.cases],
        summary=claimed_summary(summarise_run(run)),
    )


def _options(run: TheoryOfSpaceRun) -> dict[str, object]:
    """What it was run with; of a folder of models, its name only."""
    return {**run.options.as_dict(), "assets": Path(run.options.assets).name or "folder"}


def _generation(run: TheoryOfSpaceRun) -> dict[str, object]:
    """What the model was set to, as far as it is known to give nothing away; of a file of weights, its name only."""
    own = {name: run.settings[name] for name in _GENERATION if name in run.settings}
    return {name: Path(str(value)).name if name == "model_path" else value for name, value in own.items()}


def _check_complete(run: TheoryOfSpaceRun) -> None:
    done = len(run.cases)
    if done < run.planned:
        raise SettingsError(
            f"{run.name}: {done} of {run.planned} scenes are done; finish them with `tolman eval` first"
        )
    if len({scene.id for scene in run.cases}) != done:
        raise SettingsError(f"{run.name} went through a scene more than once; submit a run with one epoch")
    if run.options.captions:
        raise SettingsError(f"{run.name} was run with captions, which are for tests; run it without to submit it")


def _count(run: TheoryOfSpaceRun, name: str, usual: int) -> int:
    return int(str(run.settings.get(name, usual)))


def _scene(scene: ScoredScene, split: EntrySplit) -> EntryScene:
    case = scene.logged.case
    return EntryScene(
        id=case.id,
        seed=case.seed if split.kind == "seeds" else None,
        digest=case.scene.digest,
        case=cast("Any", _plain(case)) if split.kind == "files" else None,
        record=_without_reasoning(scene.logged.record),
        scores={rules: score_items(scene.logged, scene.scores[rules]) for rules in RULES},
    )


def _without_reasoning(record: SceneRecord) -> SceneRecord:
    """Nobody grades it, and it is most of what a reasoning model writes."""
    return record.model_copy(update={"calls": [call.model_copy(update={"reasoning": ""}) for call in record.calls]})


def _plain(case: Case) -> object:
    return json.loads(canonical_json(case_to_dict(case)))


# ---- where the scenes come from ----


def _split(run: TheoryOfSpaceRun, worlds: EntryWorlds) -> EntrySplit:
    cases = [scene.logged.case for scene in run.cases]
    choices = {case.id: SceneChoice(case.seed, world_settings(worlds)) for case in cases}
    return EntrySplit(kind="seeds" if _are_made_by(choices, cases, run.options) else "files")


def _sealed_split(run: TheoryOfSpaceRun, sealed: Sequence[SealedSplit]) -> SealedSplit | None:
    """The split that the scenes are of, if they have the names of sealed ones."""
    cases = [scene.logged.case for scene in run.cases]
    if not all(_SEALED.fullmatch(case.id) for case in cases):
        return None
    for split in sealed:
        choices = {choice.name: choice for choice in sealed_choices(split)}
        if choices.keys() == {case.id for case in cases} and _are_made_by(choices, cases, run.options):
            return split
    raise SettingsError("these are scenes of a sealed split; name its file with --sealed, and submit all of its scenes")


def _are_made_by(choices: Mapping[str, SceneChoice], cases: Sequence[Case], options: Options) -> bool:
    """Whether the cases come out as they are logged when they are made anew."""
    try:
        return all(case_to_dict(case_of(choices[case.id], options)) == case_to_dict(case) for case in cases)
    except GenerationError:
        return False
