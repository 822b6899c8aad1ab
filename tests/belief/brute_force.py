"""Possible positions worked out with plain sets: the definition, with no regard for speed.

Independent of `tolman.belief`: labels come from `tests.exact_labels`, and domains are sets of cells.
"""

from tests.exact_labels import cardinal_label, distance_label, ego_label
from tolman.belief import ExactPosition, Relation
from tolman.core.bins import EgoBin
from tolman.core.geometry import Cell, Vector
from tolman.world import START

Statement = Relation | ExactPosition
Domains = dict[str, set[Cell]]


def arc_consistent(names: tuple[str, ...], extent: int, said: list[Statement]) -> Domains | None:
    """The largest domains in which every position has a partner for every pair; None if one is left with nothing."""
    side = range(-extent, extent + 1)
    domains: Domains = {name: {(x, y) for x in side for y in side} for name in names}
    domains[START] = {(0, 0)}
    arcs = allowed_displacements(extent, said)
    changed = True
    while changed:
        changed = False
        for (subject, anchor), vectors in arcs.items():
            kept = {
                (x, y) for x, y in domains[subject] if any((x - dx, y - dy) in domains[anchor] for dx, dy in vectors)
            }
            changed |= kept != domains[subject]
            domains[subject] = kept
    return domains if all(domains.values()) else None


def allowed_displacements(extent: int, said: list[Statement]) -> dict[tuple[str, str], set[Vector]]:
    """For every related pair, both ways round: the displacements that all statements about it allow."""
    arcs: dict[tuple[str, str], set[Vector]] = {}
    for statement in said:
        fits = fitting(extent, statement)
        there, back = (statement.subject, statement.anchor), (statement.anchor, statement.subject)
        arcs[there] = arcs.get(there, fits) & fits
        arcs[back] = {(-x, -y) for x, y in arcs[there]}
    return arcs


def fitting(extent: int, statement: Statement) -> set[Vector]:
    if isinstance(statement, ExactPosition):
        return {statement.displacement}
    side, heading = range(-2 * extent, 2 * extent + 1), statement.heading.word
    label = ego_label if isinstance(statement.direction, EgoBin) else cardinal_label
    return {
        (x, y)
        for x in side
        for y in side
        if distance_label((x, y)) == statement.distance and label((x, y), heading) == statement.direction
    }
