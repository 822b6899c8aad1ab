"""Bit boards against plain sets of cells."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import cells
from tolman.belief.bitboard import Board, bit_indices
from tolman.core.geometry import Cell, Vector

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


def shifted(bits: int, places: int) -> int:
    return bits << places if places >= 0 else bits >> -places


def check(board: Board, displacements: Iterable[Vector], origins: Iterable[Cell]) -> None:
    """Both ways of moving a set, and the choice between them, give what the definition gives."""
    wanted, begin = moved(board, displacements, origins), board.positions(origins)
    shifts = board.displacements(displacements)
    assert on_board(board, shifts.reach_from(begin)) == wanted
    assert on_board(board, shifted(shifts.reach_by_origin(begin), shifts.offset)) == wanted
    assert on_board(board, shifted(shifts.reach_by_run(begin), shifts.offset)) == wanted


@given(problems(max_reach=3))
def test_moving_a_set_is_moving_each_of_its_cells(problem: Problem):
    reach, displacements, origins = problem
    check(Board(reach), displacements, origins)


@given(problems(max_reach=30, most=15))
def test_moving_a_set_on_a_large_board(problem: Problem):
    reach, displacements, origins = problem
    check(Board(reach), displacements, origins)


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_all_displacements_lead_from_anywhere_to_everywhere(reach: int):
    """Whole rows of displacements: the case in which bits would spill from row to row."""
    board = Board(reach)
    for cell in board.cells(board.full):
        check(board, all_displacements(reach), [cell])


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_one_displacement_never_spills_into_another_row(reach: int):
    board = Board(reach)
    for displacement in all_displacements(reach):
        check(board, [displacement], list(board.cells(board.full)))


def all_displacements(reach: int) -> list[Vector]:
    side = range(-2 * reach, 2 * reach + 1)
    return [(x, y) for x in side for y in side]


@given(problems(max_reach=4))
def test_the_reverse_leads_back(problem: Problem):
    reach, displacements, origins = problem
    board = Board(reach)
    forth, mirrored = board.displacements(displacements), [(-x, -y) for x, y in displacements]
    begin = board.positions(origins)
    assert on_board(board, forth.reverse.reach_from(begin)) == moved(board, mirrored, origins)
    assert on_board(board, forth.reverse.reverse.reach_from(begin)) == moved(board, displacements, origins)


@given(problems(max_reach=3), st.data())
def test_what_two_sets_of_displacements_have_in_common(problem: Problem, data: st.DataObject):
    reach, displacements, origins = problem
    board = Board(reach)
    others = data.draw(st.frozensets(cells(2 * reach), max_size=40)) | frozenset(list(displacements)[::2])
    both = board.displacements(displacements).intersection(board.displacements(others))
    assert both == board.displacements(others).intersection(board.displacements(displacements))
    common = displacements & others
    assert on_board(board, both.reach_from(board.positions(origins))) == moved(board, common, origins)
    if common:
        assert both == board.displacements(common), "the same set is the same value, however it came about"


def test_no_displacement_leads_nowhere():
    board = Board(3)
    for nowhere in (
        board.displacements([]),
        board.displacements([]).reverse,
        board.displacements([(0, 1)]).intersection(board.displacements([(1, 0)])),
    ):
        assert nowhere.reach_from(board.full) == 0


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
    assert board.displacements([(5, 0), (0, -5)]).reach_from(board.full) == 0
    assert board.displacements([(4, -4)]).reach_from(board.position((-2, 2))) == board.position((2, -2))


@given(st.integers(0, 2**200))
def test_bit_indices_spell_out_a_number(number: int):
    indices = list(bit_indices(number))
    assert sum(1 << index for index in indices) == number
    assert indices == sorted(set(indices))
