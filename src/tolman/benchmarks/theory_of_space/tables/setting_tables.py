"""How scores depend on the setting: the number of rooms, and text against vision on the same scenes."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.columns import COST_COLUMN, NODES_COLUMN
from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, ReferenceRow
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS
from tolman.core.rules import RuleSetName
from tolman.harness.names import counted, differences
from tolman.report.statistics import UNKNOWN, ByCase, Comparison, Interval, compare, pooled_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, heading, number, p_value, percent, points

COST = COST_COLUMN.key
_SIZE = {"mode", "rooms", "things", "budget", "revise_budget"}
"""Settings by which runs of one row of the table by number of rooms may differ."""
_PICTURES = {
    "image_size",
    "image_budget",
    "image_format",
    "image_quality",
    "eye_height",
    "preset",
    "assets",
    "captions",
}
_WORLD = {"world", "explorer", *_PICTURES}
"""Settings by which a run in text and the one in vision that it is compared with may differ."""


@dataclass(frozen=True)
class ModelScenes:
    """All runs of one model under the same settings, but for those that a table compares."""

    name: str
    runs: tuple[NamedRun, ...]

    def values(
        self, column: str, rules: RuleSetName, mode: Mode, *, world: World | None = None, rooms: int | None = None
    ) -> ByCase:
        """Values of a column by digest of the scene, over runs in a mode, in a world or scenes with so many rooms."""
        found: dict[str, tuple[float, ...]] = {}
        for named in self.runs:
            run, measured = named.summary.run, named.summary.measured[rules].values.get(column, {})
            if run.mode == mode and world in (None, run.world):
                scenes = {case.id: case.logged.case.scene for case in run.cases}
                for name, scene in scenes.items():
                    if rooms in (None, len(scene.rooms)) and name in measured:
                        found[scene.digest] = found.get(scene.digest, ()) + measured[name]
        return found


def _models(runs: Sequence[NamedRun], free: Collection[str], *, by_world: bool) -> Iterator[ModelScenes]:
    """The runs by model and all settings but the free ones; models with several other settings are told apart."""
    groups: dict[tuple[str, str, str], list[NamedRun]] = {}
    for named in runs:
        run = named.summary.run
        settings = {name: value for name, value in sorted(run.settings.items()) if name not in free}
        groups.setdefault((run.world if by_world else "", run.name, str(settings)), []).append(named)
    for (world, name, _), found in groups.items():
        same = [group for (other_world, other, _), group in groups.items() if (other_world, other) == (world, name)]
        told = differences([{k: v for k, v in g[0].summary.run.settings.items() if k not in free} for g in same])
        difference = told[same.index(found)]
        yield ModelScenes(f"{name}{f', {difference}' if difference else ''}", tuple(found))


# ---- by number of rooms ----


@dataclass(frozen=True)
class RoomsPoint:
    """Scores of a model in scenes with so many rooms."""

    rooms: int
    answers: Mapping[Mode, Interval]
    cost: Interval
    """Action cost of the active exploration."""
    gap: Interval
    """Passive less active answers, paired by scene."""
    scenes: int


_NO_POINT = RoomsPoint(0, {}, UNKNOWN, UNKNOWN, 0)


@dataclass(frozen=True)
class RoomsCurve:
    """A model in one world, by number of rooms."""

    name: str
    world: World
    points: tuple[RoomsPoint, ...]


def room_curves(runs: Sequence[NamedRun], rules: RuleSetName = "strict") -> list[RoomsCurve]:
    """Every model that was run in scenes with different numbers of rooms; empty if none was."""
    curves: list[RoomsCurve] = []
    for model in _models(runs, _SIZE, by_world=True):
        counts = {len(case.logged.case.scene.rooms) for named in model.runs for case in named.summary.run.cases}
        if len(counts) > 1:
            found = tuple(_rooms_point(model, rooms, rules) for rooms in sorted(counts))
            curves.append(RoomsCurve(model.name, model.runs[0].summary.run.world, found))
    return curves


def _rooms_point(model: ModelScenes, rooms: int, rules: RuleSetName) -> RoomsPoint:
    modes: tuple[Mode, ...] = ("passive", "active")
    by_mode: dict[Mode, ByCase] = {mode: model.values(ANSWERS, rules, mode, rooms=rooms) for mode in modes}
    costs = model.values(COST, rules, "active", rooms=rooms)
    return RoomsPoint(
        rooms,
        {mode: pooled_interval(list(values.values())) for mode, values in by_mode.items()},
        pooled_interval(list(costs.values())),
        compare(by_mode["passive"], by_mode["active"]).difference,
        len({scene for values in (*by_mode.values(), costs) for scene in values}),
    )


def rooms_tables(
    runs: Sequence[NamedRun], rules: RuleSetName = "strict", references: Iterable[ReferenceRow] = ()
) -> Iterator[Table]:
    """Answers and cost by number of rooms, as in the paper; nothing if all scenes have equally many."""
    curves = room_curves(runs, rules)
    counts = sorted({point.rooms for curve in curves for point in curve.points})
    if not counts:
        return
    heads = tuple(
        column
        for rooms in counts
        for column in (
            heading("passive", counted(rooms, "room")),
            heading("active", counted(rooms, "room")),
            heading("gap", counted(rooms, "room")),
            heading("cost", counted(rooms, "room")),
        )
    )
    notes = (
        "passive, active: mean of all answers; gap: passive less active, percentage points, paired by scene",
        "cost: of the active exploration, one per observation, two per query (the paper's steps)",
    )
    entries = [_rooms_entry(curve, counts) for curve in curves]
    entries += _published_entries(references, counts, {curve.world for curve in curves})
    title = f"Answers by number of rooms, % ({rules})"
    yield Table("rooms", title, "model", heads, tuple(entries), notes).trimmed()


def _rooms_entry(curve: RoomsCurve, counts: Sequence[int]) -> RowGroup:
    by_rooms = {point.rooms: point for point in curve.points}
    cells: list[Cell] = []
    for rooms in counts:
        point = by_rooms.get(rooms, _NO_POINT)
        cells += [percent(point.answers.get("passive", UNKNOWN)), percent(point.answers.get("active", UNKNOWN))]
        cells += [points(point.gap), number(1)(point.cost)]
    scenes = "+".join(str(point.scenes) for point in curve.points)
    said = f"{scenes} scene{'s' * (scenes != '1')}"
    return RowGroup(curve.name, (Row(tuple(cells)),), said, section=f"{curve.world.capitalize()} world")


def _published_entries(
    references: Iterable[ReferenceRow], counts: Sequence[int], worlds: Collection[World]
) -> Iterator[RowGroup]:
    """The paper's rows; the gap is the difference of two printed means."""
    found: dict[tuple[World, str], dict[tuple[int, Mode], ReferenceRow]] = {}
    for row in references:
        of_paper = not row.same_scenes and row.setting.rooms in counts and row.setting.world in worlds
        usual = row.setting.mode == "active" or row.setting.explorer == _EXPLORER[row.setting.world]
        if of_paper and usual and row.setting.rooms is not None:
            found.setdefault((row.setting.world, row.name), {})[row.setting.rooms, row.setting.mode] = row
    for (world, name), rows in found.items():
        if len({rooms for rooms, _ in rows}) > 1:
            cells: list[Cell] = []
            for rooms in counts:
                passive, active = (
                    rows[rooms, mode].interval(ANSWERS) if (rooms, mode) in rows else UNKNOWN
                    for mode in ("passive", "active")
                )
                cost = rows[rooms, "active"].interval(COST) if (rooms, "active") in rows else UNKNOWN
                gap = Interval(passive.mean - active.mean, float("nan"), float("nan"))
                cells += [percent(passive), percent(active), points(gap), number(1)(cost)]
            section = f"As published, on other scenes: {world} world"
            yield RowGroup(name, (Row(tuple(cells)),), section=section, reference=True)


_EXPLORER: dict[World, str] = {"text": "strategist", "vision": "scout"}


# ---- text against vision ----

GAP_COLUMNS = (
    Column(ANSWERS, "difference", "Answers", "differ-\nence", better="higher", definition="Mean over all questions."),
    Column(CORRECTNESS, "last map", "Last map", "overall", better="higher", definition="Correctness of the last map."),
    Column("map/correctness/facing", "facing", "Last map", "ori.", better="higher"),
    Column("map/correctness/position", "position", "Last map", "pos.", better="higher"),
    Column("map/uncertainty", "unexplored points", "Probes", "unex-\nplored", better="higher"),
    Column("revise/f1", "changes found", "Probes", "changes\nfound", better="higher"),
    NODES_COLUMN,
    Column(COST, "cost", "Exploration", style=number(1), better="lower"),
)
"""What is compared between text and vision."""


@dataclass(frozen=True)
class WorldGap:
    """A model in text less the same model in vision, on the scenes that it was run on in both, by column."""

    name: str
    mode: Mode
    found: Mapping[str, Comparison]

    @property
    def scenes(self) -> int:
        return max(comparison.scenes for comparison in self.found.values())


def world_gaps(runs: Sequence[NamedRun], rules: RuleSetName = "strict") -> list[WorldGap]:
    """Every model and mode that was run in text and in vision on some of the same scenes; empty if none was."""
    gaps: list[WorldGap] = []
    modes: tuple[Mode, ...] = ("active", "passive")
    for model in _models(runs, _WORLD | {"mode", "probe"}, by_world=False):
        for mode in modes:
            compared = {
                column.key: compare(
                    model.values(column.key, rules, mode, world="text"),
                    model.values(column.key, rules, mode, world="vision"),
                )
                for column in GAP_COLUMNS
                if mode == "active" or column.group != "Exploration"
            }
            found = {key: comparison for key, comparison in compared.items() if comparison.scenes}
            if found:
                gaps.append(WorldGap(model.name, mode, found))
    return sorted(gaps, key=lambda gap: gap.mode)


def gap_tables(runs: Sequence[NamedRun], rules: RuleSetName = "strict") -> Iterator[Table]:
    """Text less vision, paired by scene; nothing if no model was run in both on the same scenes."""
    gaps = world_gaps(runs, rules)
    if not gaps:
        return
    heads = (heading("scenes\nshared"), GAP_COLUMNS[0], heading("p", "Answers"), *GAP_COLUMNS[1:])
    notes = (
        "Text less vision, paired by scene: above 0, the model does better in text (cost: spends more in text)",
        "p: permutation test by scene of the difference in answers, not corrected for the number of rows",
    )
    entries = tuple(RowGroup(gap.name, (Row(tuple(_gap_cells(gap))),), section=gap.mode.capitalize()) for gap in gaps)
    title = f"Text–vision gap on the same scenes, percentage points ({rules})"
    yield Table("text-vision", title, "model", heads, entries, notes).trimmed()


def _gap_cells(gap: WorldGap) -> Iterator[Cell]:
    yield Cell(str(gap.scenes))
    for column in GAP_COLUMNS:
        found = gap.found.get(column.key)
        difference = found.difference if found else UNKNOWN
        yield number(1)(difference) if column.key == COST else points(difference)
        if column.key == ANSWERS:
            yield p_value(found.p if found else float("nan"))
