"""Which pictures of a request are sent where only so many may be."""

from collections.abc import Sequence

from tolman.benchmarks.theory_of_space.picture_marks import Distances, Key, Names


def kept(shown: Sequence[Key], budget: int | None) -> list[bool]:
    """For each picture of a request, in order, whether it is sent; `budget` is the most, None for all.

    The latest picture goes first: the request may be about it. Then those to go by, without which no other can be read.
    Of what is left, the oldest looks stay out.
    """
    places = range(len(shown) - 1, -1, -1)
    wanted = sorted(places, key=lambda place: place < len(shown) - 1 and not _is_to_go_by(shown[place]))
    chosen = set(wanted[:budget])
    return [place in chosen for place in range(len(shown))]


def _is_to_go_by(key: Key) -> bool:
    return isinstance(key, Distances | Names)
