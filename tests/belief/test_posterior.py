"""The posterior against the enumeration of all joint positions, and what holds on whole episodes."""

import math
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.belief.brute_force import Statement, allowed_displacements
from tests.exact_labels import cardinal_label, distance_label, ego_label
from tests.strategies import cells
from tolman.belief import Belief, ExactPosition, ImpossibleBeliefError, Posterior, Relation, posterior
from tolman.belief.variable_elimination import find_order
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Cell, Heading, Vector, difference
from tolman.core.seeds import rng
from tolman.explore.agents.registry import run_explorer
from tolman.sense import Location
from tolman.world import START, Scene, generate

NAMES = ("a", "b", "c", "d")


# ---- small worlds, by enumeration ----


@st.composite
def tellings(draw: st.DrawFn) -> tuple[Belief, list[Statement]]:
    """Two to four things on a small grid, and some true statements about them."""
    extent, count = draw(st.sampled_from([(2, 2), (2, 3), (2, 4), (3, 2), (3, 3)]))
    names = NAMES[:count]
    truth = {START: (0, 0), **{name: draw(cells(extent)) for name in names}}
    pairs = [(a, b) for a, b in permutations(truth, 2) if a != START and truth[a] != truth[b]]
    said: list[Statement] = []
    for a, b in draw(st.lists(st.sampled_from(pairs), max_size=8)) if pairs else []:
        said.append(draw(st.sampled_from(_true_of(a, b, difference(truth[a], truth[b])))))
    return Belief.start(names, extent), said


def _true_of(a: str, b: str, apart: Vector) -> list[Statement]:
    distance = DistanceBin(distance_label(apart))
    told: list[Statement] = [ExactPosition(a, b, apart)]
    for heading in Heading:
        told.append(Relation(a, b, CardinalBin(cardinal_label(apart, heading.word)), distance, heading))
        seen = EgoBin(ego_label(apart, heading.word))
        if seen is not EgoBin.BEYOND_FOV:
            told.append(Relation(a, b, seen, distance, heading))
    return told


class Enumerated:
    """All joint positions of the names mentioned that satisfy all statements, one axis for each name."""

    def __init__(self, extent: int, said: list[Statement]) -> None:
        side = range(-extent, extent + 1)
        self.cells = [(x, y) for y in side for x in side]
        self.names = sorted({name for told in said for name in (told.subject, told.anchor)} - {START})
        self.fits: NDArray[np.bool_] = np.ones([len(self.cells)] * len(self.names), np.bool_)
        for (a, b), vectors in allowed_displacements(extent, said).items():
            if a != START:
                self.fits &= self._mask(a, b, vectors)

    def _mask(self, a: str, b: str, vectors: set[Vector]) -> NDArray[np.bool_]:
        axis = self.names.index(a)
        if b == START:
            line = np.array([cell in vectors for cell in self.cells])
            return line.reshape([-1 if i == axis else 1 for i in range(len(self.names))])
        table = np.array([[difference(p, q) in vectors for q in self.cells] for p in self.cells])
        other = self.names.index(b)
        table = table if axis < other else table.T
        return table.reshape([len(self.cells) if i in (axis, other) else 1 for i in range(len(self.names))])

    @property
    def count(self) -> int:
        return int(self.fits.sum())

    def marginal(self, name: str) -> dict[Cell, float]:
        axis = self.names.index(name)
        ways = self.fits.sum(axis=tuple(i for i in range(len(self.names)) if i != axis))
        return {cell: n / self.count for cell, n in zip(self.cells, ways.tolist(), strict=True) if n}

    def pair(self, a: str, b: str) -> dict[Vector, float]:
        i, j = self.names.index(a), self.names.index(b)
        ways = self.fits.sum(axis=tuple(k for k in range(len(self.names)) if k not in (i, j)))
        found: dict[Vector, float] = {}
        for p, q in np.argwhere(ways if i < j else ways.T).tolist():
            apart = difference(self.cells[p], self.cells[q])
            found[apart] = found.get(apart, 0) + int(ways[(p, q) if i < j else (q, p)]) / self.count
        return found

    def expected_right(self, placed: dict[str, Cell]) -> float:
        return sum(self.marginal(name).get(cell, 0) for name, cell in placed.items())

    def most_expected_right(self) -> float:
        """The largest expected number of names put right by any consistent joint position."""
        gain = np.zeros(self.fits.shape)
        for axis, name in enumerate(self.names):
            line = np.array([self.marginal(name).get(cell, 0.0) for cell in self.cells])
            gain += line.reshape([-1 if i == axis else 1 for i in range(len(self.names))])
        return float(gain[self.fits].max()) if self.names else 0.0


@given(tellings())
def test_probabilities_are_shares_of_all_joint_positions(telling: tuple[Belief, list[Statement]]):
    start, said = telling
    belief = start.with_statements(tuple(said))
    found, truth = posterior(belief), Enumerated(start.extent, said)
    assert found.exact
    assert found.standard_error == 0
    assert found.names == tuple(truth.names)
    assert 2**found.log2_count == pytest.approx(truth.count)
    unseen = len(start.names) - len(truth.names)
    assert found.joint_entropy == pytest.approx(math.log2(truth.count) + unseen * 2 * math.log2(start.extent))
    for name in truth.names:
        chances = truth.marginal(name)
        assert found.marginal(name) == pytest.approx(chances)
        assert found.entropy(name) == pytest.approx(-sum(p * math.log2(p) for p in chances.values()))


@given(tellings())
def test_displacements_are_shares_too_whether_or_not_their_table_fits(telling: tuple[Belief, list[Statement]]):
    start, said = telling
    belief = start.with_statements(tuple(said))
    truth = Enumerated(start.extent, said)
    in_one, by_rows = posterior(belief), posterior(belief, most_states=find_order(belief).states)
    for a, b in permutations(truth.names, 2):
        assert in_one.pair(a, b) == pytest.approx(truth.pair(a, b))
        assert by_rows.pair(a, b) == pytest.approx(truth.pair(a, b))
    for name in truth.names:
        assert in_one.pair(name, START) == pytest.approx(truth.marginal(name))
        assert in_one.pair(name, name) == pytest.approx({(0, 0): 1})


@given(tellings())
def test_the_most_probable_is_the_consistent_one_expected_to_put_most_right(telling: tuple[Belief, list[Statement]]):
    start, said = telling
    truth = Enumerated(start.extent, said)
    placed = posterior(start.with_statements(tuple(said))).most_probable()
    assert satisfies(placed, start.extent, said)
    assert truth.expected_right(placed) == pytest.approx(truth.most_expected_right())


@given(tellings())
def test_draws_satisfy_everything_that_was_told(telling: tuple[Belief, list[Statement]]):
    start, said = telling
    found = posterior(start.with_statements(tuple(said)))
    stream = rng(0, "test")
    assert all(satisfies(found.sample(stream), start.extent, said) for _ in range(5))


def satisfies(placed: dict[str, Cell], extent: int, said: list[Statement]) -> bool:
    where = {START: (0, 0), **placed}
    arcs = allowed_displacements(extent, said)
    return all(difference(where[a], where[b]) in vectors for (a, b), vectors in arcs.items())


# ---- whole episodes ----


def lived(agent: str, seed: int) -> tuple[Scene, Belief]:
    """A default scene, and the belief after a scripted exploration of it."""
    scene = generate(seed)
    told = [turn.feedback for turn in run_explorer(agent, scene).turns if turn.feedback is not None]
    return scene, Belief.start(scene.names, scene.extent).after_all(told)


@pytest.mark.parametrize("agent", ["scout", "strategist"])
@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(s, marks=pytest.mark.slow) for s in range(20, 100))])
def test_after_an_episode_it_is_exact_and_the_truth_is_possible(agent: str, seed: int):
    scene, belief = lived(agent, seed)
    found = posterior(belief)
    assert found.exact
    for name in scene.names:
        chances = found.marginal(name)
        assert chances.keys() <= set(belief.positions(name))
        assert chances[scene.from_start(name)] > 0
        assert math.fsum(chances.values()) == pytest.approx(1)
        assert found.entropy(name) <= math.log2(belief.count(name)) + 1e-12
    assert max(map(found.entropy, scene.names)) <= found.joint_entropy + 1e-9
    assert found.joint_entropy <= sum(map(found.entropy, scene.names)) + 1e-9
    assert obeys_links(found.most_probable(), belief)
    assert obeys_links(found.sample(rng(seed, "test")), belief)
    if belief.is_certain:
        assert found.joint_entropy == 0
        assert all(found.entropy(name) == 0 for name in scene.names)


@pytest.mark.parametrize("seed", [0, 5])
def test_the_true_displacement_of_every_pair_is_possible(seed: int):
    scene, belief = lived("scout", seed)
    found = posterior(belief)
    for a, b in combinations(scene.names, 2):
        chances = found.pair(a, b)
        assert chances[difference(scene.from_start(a), scene.from_start(b))] > 0
        assert math.fsum(chances.values()) == pytest.approx(1)


def obeys_links(placed: dict[str, Cell], belief: Belief) -> bool:
    where = {START: (0, 0), **placed}
    spot = {name: belief.board.position(cell) for name, cell in where.items()}
    return all(
        links_of_a[b].reach_from(spot[b]) & spot[a] for a, links_of_a in belief.links.items() for b in links_of_a
    )


def test_draws_come_as_often_as_they_should():
    _, belief = lived("scout", 0)
    found, stream, times = posterior(belief), rng(0, "test"), 2000
    drawn = [found.sample(stream) for _ in range(times)]
    for name in found.names:
        for cell, chance in found.marginal(name).items():
            share = sum(draw[name] == cell for draw in drawn) / times
            assert abs(share - chance) < 5 * math.sqrt(chance * (1 - chance) / times) + 1e-12


# ---- tables that would be too large ----


@pytest.mark.parametrize("seed", [0, 5, 14, 36])
def test_where_tables_are_too_large_draws_come_close_and_say_how_close(seed: int):
    _, belief = lived("scout", seed)
    exact, drawn = posterior(belief), posterior(belief, most_states=300)
    assert not drawn.exact
    assert 0 < drawn.standard_error < 0.1
    assert drawn.joint_entropy == pytest.approx(exact.joint_entropy, abs=0.5)
    for name in exact.names:
        chances = drawn.marginal(name)
        assert math.fsum(chances.values()) == pytest.approx(1)
        assert all(abs(chances.get(c, 0) - p) <= 5 * drawn.standard_error for c, p in exact.marginal(name).items())
    assert obeys_links(drawn.sample(rng(0, "test")), belief)
    assert obeys_links(drawn.most_probable(), belief)
    assert max_apart(drawn.pair(*exact.names[:2]), exact.pair(*exact.names[:2])) <= 5 * drawn.standard_error


def max_apart(one: dict[Vector, float], other: dict[Vector, float]) -> float:
    return max(abs(one.get(key, 0) - other.get(key, 0)) for key in one.keys() | other.keys())


def test_the_same_seed_draws_the_same():
    _, belief = lived("scout", 0)

    def chances(found: Posterior) -> list[dict[Cell, float]]:
        return [found.marginal(name) for name in found.names]

    once, again, other = (chances(posterior(belief, seed, most_states=300)) for seed in (1, 1, 2))
    assert once == again != other


# ---- edges ----


def test_what_nothing_was_told_about_has_no_marginal_but_its_prior_entropy():
    found = posterior(Belief.start(("a", "b"), 8).after(Location("a", (1, 2), None)))
    assert found.names == ("a",)
    assert found.marginal("a") == {(1, 2): 1}
    assert found.entropy("a") == 0
    assert found.entropy("b") == found.joint_entropy == 6
    assert found.most_probable() == found.sample(rng(0, "test")) == {"a": (1, 2)}
    with pytest.raises(UnknownNameError, match="'b'"):
        found.marginal("b")
    with pytest.raises(UnknownNameError, match="'b'"):
        found.pair("a", "b")
    with pytest.raises(UnknownNameError, match="throne"):
        found.entropy("throne")


def test_at_the_start_there_is_only_the_prior():
    found = posterior(Belief.start(NAMES, 8))
    assert found.names == ()
    assert found.most_probable() == {}
    assert found.joint_entropy == 24


def test_numbers_too_large_for_floats_are_counted():
    """Four hundred things, each north or south of the one before: more joint positions than a float can hold."""
    names = tuple(f"thing {i:03}" for i in range(400))
    pairs = enumerate(zip(names[1:], names[:-1], strict=True))
    said = (Relation(a, b, CardinalBin.NORTH, DistanceBin.SLIGHTLY_FAR, Heading(i % 2 * 2)) for i, (a, b) in pairs)
    found = posterior(Belief.start(names, 4).with_statements(tuple(said)))
    assert found.exact
    assert found.joint_entropy > 1024
    assert math.fsum(found.marginal(names[200]).values()) == pytest.approx(1)


@pytest.mark.parametrize("most_states", [5_000_000, 10])
def test_relations_that_hold_one_by_one_but_not_together_are_refused(most_states: int):
    """Three things, each one cell east or west of the others: arc consistent on any grid, and impossible."""
    belief = Belief.start(("a", "b", "c"), 4)
    beside = belief.board.displacements([(-1, 0), (1, 0)])
    links = {a: {b: beside for b in belief.names if b != a} for a in belief.names}
    belief = replace(belief, domains={**belief.domains, **dict.fromkeys(belief.names, belief.board.full)}, links=links)
    with pytest.raises(ImpossibleBeliefError):
        posterior(belief, most_states=most_states)
