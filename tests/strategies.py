"""What property tests draw from."""

from collections.abc import Callable

from hypothesis import strategies as st

from tolman.core.geometry import Heading
from tolman.world import Scene, WorldSettings, generate

headings = st.sampled_from(Heading)
seeds = st.integers(0, 2**40)
quarter_turns = st.integers(-9, 9).map(lambda quarters: 90 * quarters)

names = st.from_regex(r"[a-z]{1,8}(?:[ -][a-z0-9]{1,8}){0,2}", fullmatch=True).filter(
    lambda name: not name.startswith("the ")
)
"""Names as a world spells them: lower case, single spaces, no article."""


def cells(limit: int) -> st.SearchStrategy[tuple[int, int]]:
    """Cells or displacements up to `limit` along each axis."""
    return st.tuples(st.integers(-limit, limit), st.integers(-limit, limit))


JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def roomy_settings(max_rooms: int = 8) -> st.SearchStrategy[WorldSettings]:
    """Settings whose rooms are large enough that a world is always found."""
    return st.builds(
        WorldSettings,
        rooms=st.integers(1, max_rooms),
        room_size=st.tuples(st.integers(6, 9), st.integers(6, 9)),
        things_per_room=st.integers(1, 4),
        fronted_in_first_room=st.integers(0, 5),
        fronted_per_room=st.integers(0, 5),
    )


def scenes(max_rooms: int = 8) -> st.SearchStrategy[Scene]:
    """Generated worlds."""
    return st.builds(generate, seeds, roomy_settings(max_rooms))


def with_one_part_replaced(whole: JsonValue) -> st.SearchStrategy[JsonValue]:
    """A JSON value with one part of it, at any depth, swapped for something else or left out."""
    return st.sampled_from(_edits(whole)).flatmap(lambda edit: json_values.map(edit) | st.just(edit(_GONE)))


class _Gone:
    """Stands for a part that is left out."""


_GONE = _Gone()
Edit = Callable[[JsonValue | _Gone], JsonValue]


def _edits(whole: JsonValue) -> list[Edit]:
    """One way to rewrite `whole` for each of its parts."""
    if isinstance(whole, dict):
        return [_in_dict(whole, key, edit) for key, value in whole.items() for edit in (_swap, *_edits(value))]
    if isinstance(whole, list):
        return [_in_list(whole, i, edit) for i, value in enumerate(whole) for edit in (_swap, *_edits(value))]
    return []


def _swap(new: JsonValue | _Gone) -> JsonValue | _Gone:
    return new


def _in_dict(whole: dict[str, JsonValue], key: str, edit: Callable[[JsonValue | _Gone], JsonValue | _Gone]) -> Edit:
    def rewritten(new: JsonValue | _Gone) -> JsonValue:
        part = edit(new)
        rest = {k: v for k, v in whole.items() if k != key}
        return rest if isinstance(part, _Gone) else {**rest, key: part}

    return rewritten


def _in_list(whole: list[JsonValue], i: int, edit: Callable[[JsonValue | _Gone], JsonValue | _Gone]) -> Edit:
    def rewritten(new: JsonValue | _Gone) -> JsonValue:
        part = edit(new)
        middle = [] if isinstance(part, _Gone) else [part]
        return [*whole[:i], *middle, *whole[i + 1 :]]

    return rewritten
