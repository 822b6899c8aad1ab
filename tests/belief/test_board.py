"""Bit boards against plain sets of cells."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import cells
from tolman.belief.board import Board, Shifter, bit_indices
from tolman.geometry import Cell, Vector

Problem = tuple[int, frozenset[Vector], frozenset[Cell]]


def problems(max_reach: int, most: int = 40) -> st.SearchStrategy[Problem]:
    """A reach, a set of displacements between positions, and a set of positions."""
    return st.integers(1, max_reach).flatmap(
        lambda reach: st.tuples(
            st.just(reach),
            st.frozensets(cells(2 * reach), max_size=most),
            st.frozensets(cells(reach), max_size=most),
        )
    )


def moved(board: Board, displacements: Iterable[Vector], origins: Iterable[Cell]) -> set[Cell]:
    """All places on the board that some displacement leads to from some origin."""
    reached = {(x + dx, y + dy) for x, y in origins for dx, dy in displacements}
    return {cell for cell in reached if max(map(abs, cell)) <= board.reach}


def on_board(board: Board, bits: int) -> set[Cell]:
    return set(board.cells(bits & board.full))


def check(problem: Problem) -> None:
    reach, displacements, origins = problem
    board = Board(reach)
    shifter = board.shifter(board.displacements(displacements))
    expected = moved(board, displacements, origins)
    start = board.positions(origins)
    assert on_board(board, shifter.reach_from(start)) == expected
    assert on_board(board, shifter._stamp(start)) == expected
    assert on_board(board, shifter._smear(start)) == expected


@given(problems(max_reach=3))
def test_moving_a_set_is_moving_each_of_its_cells(problem: Problem):
    check(problem)


@given(problems(max_reach=30, most=15))
def test_moving_a_set_on_a_large_board(problem: Problem):
    check(problem)


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_all_displacements_lead_from_anywhere_to_everywhere(reach: int):
    """Each displacement fills whole rows of the board: the case in which bits would spill from row to row."""
    board, limit = Board(reach), 2 * reach
    everything = board.displacements((x, y) for x in range(-limit, limit + 1) for y in range(-limit, limit + 1))
    shifter = board.shifter(everything)
    for cell in board.cells(board.full):
        for path in (shifter._stamp, shifter._smear):
            assert path(board.position(cell)) & board.full == board.full


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_one_displacement_never_spills_into_another_row(reach: int):
    board, limit = Board(reach), 2 * reach
    for x in range(-limit, limit + 1):
        for y in range(-limit, limit + 1):
            shifter = board.shifter(board.displacements([(x, y)]))
            expected = moved(board, [(x, y)], board.cells(board.full))
            assert on_board(board, shifter._stamp(board.full)) == expected
            assert on_board(board, shifter._smear(board.full)) == expected


@given(problems(max_reach=4))
def test_the_opposite_leads_back(problem: Problem):
    reach, displacements, origins = problem
    board = Board(reach)
    forth = board.shifter(board.displacements(displacements))
    back = board.shifter(forth.opposite)
    mirrored = [(-x, -y) for x, y in displacements]
    assert back == board.shifter(board.displacements(mirrored))
    assert back.opposite == board.displacements(displacements)
    assert on_board(board, back.reach_from(board.positions(origins))) == moved(board, mirrored, origins)


def test_no_displacement_leads_nowhere():
    board = Board(3)
    assert board.shifter(0) == Shifter(0, 0, (), 0, 0)
    assert board.shifter(0).reach_from(board.full) == 0


@given(st.integers(0, 8).flatmap(lambda reach: st.tuples(st.just(reach), st.frozensets(cells(reach)))))
def test_a_set_of_cells_survives_the_board(problem: tuple[int, frozenset[Cell]]):
    board, wanted = Board(problem[0]), problem[1]
    listed = list(board.cells(board.positions(wanted)))
    assert set(listed) == wanted
    assert listed == sorted(listed, key=lambda cell: (cell[1], cell[0]))
    assert board.positions(wanted).bit_count() == len(wanted)


@pytest.mark.parametrize("reach", [0, 1, 5])
def test_a_full_board_holds_each_position_once(reach: int):
    board = Board(reach)
    assert board.full == board.positions(board.cells(board.full))
    assert board.full.bit_count() == (2 * reach + 1) ** 2


def test_what_is_off_the_board_is_left_out():
    board = Board(2)
    assert board.positions([(3, 0), (0, -3), (99, 99)]) == 0
    assert board.displacements([(5, 0), (0, -5)]) == 0
    assert board.displacements([(4, -4)]) != 0


@given(st.integers(0, 2**200))
def test_bit_indices_spell_out_a_number(number: int):
    indices = list(bit_indices(number))
    assert sum(1 << index for index in indices) == number
    assert indices == sorted(set(indices))
