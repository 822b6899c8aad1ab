import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import JsonValue, json_values, seeds
from tolman.core.seeds import canonical_json, digest, rng


def draws(seed: int, *names: str | int) -> list[int]:
    return rng(seed, *names).integers(0, 2**62, 8).tolist()


@given(seeds)
def test_the_same_name_gives_the_same_stream(seed: int):
    assert draws(seed, "objects") == draws(seed, "objects")


def test_every_seed_and_name_has_a_stream_of_its_own():
    keys: list[tuple[int, tuple[str | int, ...]]] = [
        (7, ()),
        (8, ()),
        (7, ("objects",)),
        (8, ("objects",)),
        (7, ("doors",)),
        (7, ("objects", "doors")),
        (7, ("doors", "objects")),
        (7, ("objects,doors",)),
        (7, ("objectsdoors",)),
        (7, (1,)),
        (7, ("1",)),
        (7, (1, 1)),
        (7, (11,)),
        (71, ()),
    ]
    streams = [tuple(draws(seed, *names)) for seed, names in keys]
    assert len(set(streams)) == len(keys)


def test_drawing_from_one_stream_leaves_the_others_alone():
    untouched = draws(3, "doors")
    busy, quiet = rng(3, "objects"), rng(3, "doors")
    busy.random(1000)
    assert quiet.integers(0, 2**62, 8).tolist() == untouched


def test_streams_of_neighbouring_seeds_do_not_resemble_each_other():
    table = np.stack([rng(seed, "objects").random(200) for seed in range(50)])
    likeness = np.abs(np.corrcoef(table) - np.eye(50)).max()
    assert likeness < 0.5, "independent streams of 200 numbers correlate by 0.07 or so"


@given(json_values)
def test_a_digest_depends_on_content_and_not_on_the_way_it_was_written(value: JsonValue):
    written = json.dumps(value, indent=3, ensure_ascii=False)
    assert digest(json.loads(written)) == digest(value)
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(st.text(max_size=5), st.integers(), min_size=2, max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]):
    assert digest(dict(reversed(value.items()))) == digest(value)


def test_values_that_look_alike_have_different_digests():
    values: list[JsonValue] = [
        1,
        "1",
        [1],
        {"1": 1},
        None,
        False,
        0,
        "",
        [],
        {},
        [[]],
        [1, [2]],
        [[1], 2],
        [1, 2],
        "12",
    ]
    assert len({digest(value) for value in values}) == len(values)


def test_canonical_json_is_plain_ascii_without_white_space():
    assert canonical_json({"b": [1, (2, 3)], "a": "ü"}) == '{"a":"\\u00fc","b":[1,[2,3]]}'


def test_a_digest_is_the_sha_256_of_the_canonical_json():
    by_sha256sum = "49a64717d5d4cb19952e6eac2946415cf6879adacf9908e7d872332d32c6e684"
    assert digest([1, 2]) == by_sha256sum, "printf '[1,2]' | sha256sum"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [1, float("-inf")]])
def test_what_json_cannot_hold_is_refused(value: object):
    with pytest.raises(ValueError, match=r"(?i)JSON"):
        digest(value)
