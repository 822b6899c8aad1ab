"""Attention between things, maps of what a probe looks at, and correlation with other scores."""

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tolman.benchmarks.sparrta.probes.benchmark_correlation import correlation, read_scores  # noqa: E402
from tolman.core.errors import SceneFileError, SettingsError  # noqa: E402
from tolman.probing.attention import (  # noqa: E402  # noqa: E402
    attention_maps,
    flow,
    flow_difference,
    group_weights,
    mean_flow,
    painted_map,
    patch_shares,
)
from tolman.probing.encoder import EncoderLayout  # noqa: E402
from tolman.probing.head import HeadShape, new_heads  # noqa: E402

ANATOMY = EncoderLayout(patch=56, width=32, layers=1, cls=True, registers=2)
"""Four by four patches after three other tokens."""


def corner(rows: slice, columns: slice, side: int = 448) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    mask = np.zeros((side, side), dtype=bool)
    mask[rows, columns] = True
    return mask


def test_a_patch_counts_by_the_share_of_it_that_is_covered():
    shares = patch_shares(corner(slice(0, 112), slice(0, 168)), ANATOMY)
    assert shares.reshape(4, 4)[0].tolist() == pytest.approx([1, 0.5, 0, 0])
    assert shares.sum() == pytest.approx(1.5)


def test_groups_cover_all_tokens_once_and_each_sums_to_one():
    masks = {"tree": corner(slice(0, 112), slice(0, 112)), "human": corner(slice(200, 448), slice(300, 448))}
    groups = group_weights(masks, ANATOMY)
    assert set(groups) == {"tree", "human", "background", "[CLS]", "registers"}
    assert all(weights.sum() == pytest.approx(1) for weights in groups.values())
    assert groups["[CLS]"].tolist()[:3] == [1, 0, 0]
    assert groups["registers"].tolist()[:3] == [0, 0.5, 0.5]
    assert groups["tree"][3] == pytest.approx(1)
    assert "ghost" not in group_weights({"ghost": np.zeros((9, 9), dtype=bool)}, ANATOMY)


def test_attention_spread_evenly_flows_evenly_and_attention_to_a_thing_flows_there():
    masks = {"tree": corner(slice(0, 112), slice(0, 112)), "rock": corner(slice(336, 448), slice(336, 448))}
    groups = group_weights(masks, ANATOMY)
    even = flow(np.full((2, 19, 19), 1 / 19), groups)
    assert all(value == pytest.approx(1 / 19) for value in even.values())
    pointed = np.zeros((1, 19, 19))
    pointed[0, :, 18] = 1
    found = flow(pointed, groups)
    assert found["tree", "rock"] == pytest.approx(1)
    assert found["rock", "tree"] == pytest.approx(0)


def test_flows_are_averaged_over_pictures_and_then_over_environments():
    pair = ("tree", "rock")
    one = mean_flow({"forest": [{pair: 0.1}, {pair: 0.3}], "city": [{pair: 0.4}]})
    assert one[pair].mean == pytest.approx(0.3)
    assert one[pair].spread == pytest.approx(0.1 * 2**0.5)
    other = mean_flow({"forest": [{pair: 0.25}]})
    assert flow_difference(one, other)[pair] == pytest.approx(0.05)
    with pytest.raises(SettingsError):
        flow_difference(one, mean_flow({"forest": [{("a", "b"): 1.0}]}))


def test_a_map_shows_the_patch_that_a_query_asks_for():
    layout = EncoderLayout(patch=56, width=32, layers=1)
    shape = HeadShape("efficient", 32)
    head = new_heads(shape, [0])
    tokens = torch.zeros(1, 17, 32)
    tokens[0, 1 + 6] = head["queries"][0, 2] * 1e5
    maps = attention_maps(shape, head, tokens, layout)
    assert maps.shape == (1, 4, 4, 4)
    assert maps[0, 2, 1, 2] > 0.9
    picture = np.full((224, 224, 3), 100, dtype=np.uint8)
    painted = painted_map(picture, maps[0, 2])
    warm = painted[..., 0].astype(int) - painted[..., 2]
    assert warm[56:112, 112:168].mean() > warm[168:, :56].mean() + 50
    single = attention_maps(HeadShape("abmilp", 32, 2), new_heads(HeadShape("abmilp", 32, 2), [0]), tokens, layout)
    assert single.shape == (1, 1, 4, 4)
    with pytest.raises(SettingsError):
        attention_maps(HeadShape("linear", 32), {}, tokens, layout)


def test_correlation_is_over_encoders_that_both_have(tmp_path: Path):
    ours = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4, "e": 0.9}
    (tmp_path / "scores.json").write_text(json.dumps({"pose": {"a": 4, "b": 3, "c": 2, "d": 1, "z": 7}}))
    theirs = read_scores(tmp_path / "scores.json")["pose"]
    found = correlation(ours, theirs)
    assert found.pearson == pytest.approx(-1)
    assert found.encoders == ("a", "b", "c", "d")
    assert correlation(ours, theirs, errors=True).pearson == pytest.approx(1)
    assert correlation(ours, theirs).r_squared == pytest.approx(1)
    with pytest.raises(SettingsError, match="3 encoders"):
        correlation(ours, {"a": 1.0, "b": 2.0})
    (tmp_path / "scores.json").write_text("[1]")
    with pytest.raises(SceneFileError):
        read_scores(tmp_path / "scores.json")
