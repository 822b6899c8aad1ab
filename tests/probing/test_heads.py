"""Heads have the published sizes, learn what can be learnt, and come out the same together and one by one."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tolman.probing.head import HeadShape, class_scores, new_heads, parameter_count  # noqa: E402
from tolman.probing.protocol import HEADS, PUBLISHED_HEADS, HeadName, Protocol, Split, find_protocol, rate_at  # noqa: E402  # noqa: E402
from tolman.probing.training import Examples, train  # noqa: E402


@pytest.mark.parametrize(
    ("width", "counts"), [(768, (4_612, 5_381, 77_380)), (1024, (6_148, 7_173, 135_940))], ids=["base", "large"]
)
def test_parameters_are_as_many_as_published(width: int, counts: tuple[int, ...]):
    assert tuple(parameter_count(HeadShape(name, width)) for name in HEADS) == counts


def quick(head: HeadName, **changes: object) -> Protocol:
    few = {"epochs": 12, "warm_up": 2, "rates": (3e-2, 1e-2), "dropouts": (0.0, 0.2), "batch": 64}
    return replace(find_protocol("paper", head), **{**few, **changes})  # pyright: ignore[reportArgumentType]


def marked(count: int, head: HeadName, seed: int = 0) -> Examples:
    """Sixteen tokens each, one of them marked: which way it points is the class. The mean hides it."""
    stream = torch.Generator().manual_seed(seed)
    labels = torch.randint(4, (count,), generator=stream)
    tokens = torch.randn(count, 16, 32, generator=stream) * 0.3
    where = torch.randint(16, (count,), generator=stream)
    tokens[torch.arange(count), where, 0] = 6.0
    tokens[torch.arange(count), where, 1 + labels] = 6.0
    return Examples(tokens if HeadShape(head, 32).sees_tokens else tokens.mean(dim=1), labels)


def parts(train: int, total: int, seed: int = 0) -> Split:
    numbers = np.random.default_rng(seed).permutation(total)
    return Split(numbers[:train], numbers[train:], numbers[train:])


@pytest.mark.parametrize("head", HEADS)
def test_a_head_learns_what_is_there_and_nothing_from_shuffled_labels(head: HeadName):
    shape, split = HeadShape(head, 32, scoring_layers=2), parts(512, 768)
    examples = marked(768, head)
    (trained,) = train(shape, quick(head), examples, [(8, split)])
    assert max(trained.validation) > 0.9
    shuffled = Examples(examples.tokens, examples.labels[torch.randperm(768)])
    (trained,) = train(shape, quick(head), shuffled, [(8, split)])
    assert max(trained.validation) < 0.45


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("head", PUBLISHED_HEADS)
def test_together_and_one_by_one_give_the_same_heads(head: HeadName, depth: int):
    if depth != 2 and head != "abmilp":
        pytest.skip("only AbMILP has layers that score")
    shape, protocol = HeadShape(head, 32, scoring_layers=depth), quick(head, epochs=3)
    examples = marked(288, head)
    splits = [(8, parts(160, 288, 1)), (42, parts(160, 288, 2))]
    one, other = (train(shape, protocol, examples, splits, together=together) for together in (True, False))
    for here, there in zip(one, other, strict=True):
        said = (class_scores(shape, trained.heads, examples.tokens) for trained in (here, there))
        assert torch.allclose(*said, atol=2e-3)
        assert here.validation == pytest.approx(there.validation, abs=1.5 / 128)
    assert not torch.allclose(one[0].heads["out.weight"], one[1].heads["out.weight"])


@pytest.mark.parametrize("head", HEADS)
def test_the_best_epoch_is_kept_and_is_the_same_together_and_one_by_one(head: HeadName):
    shape, protocol = HeadShape(head, 32, scoring_layers=2), quick(head, epochs=6, rates=(0.3, 1e-2), select="epoch")
    examples = marked(288, head)
    examples = Examples(examples.tokens, examples.labels.roll(3) * (torch.arange(288) % 3 > 0))
    splits = [(8, parts(160, 288, 1)), (42, parts(160, 288, 2))]
    one, other = (train(shape, protocol, examples, splits, together=together) for together in (True, False))
    last = train(shape, replace(protocol, select="last"), examples, splits)
    for here, there, end in zip(one, other, last, strict=True):
        assert here.epochs == there.epochs
        assert here.validation == there.validation
        said = (class_scores(shape, trained.heads, examples.tokens) for trained in (here, there))
        assert torch.allclose(*said, atol=2e-3)
        assert all(best >= final for best, final in zip(here.validation, end.validation, strict=True))
        assert end.epochs == (6,) * 4
        for point, epoch in enumerate(here.epochs):
            same = here.validation[point] == end.validation[point]
            assert epoch < 6 or same
    assert min(epoch for trained in one for epoch in trained.epochs) < 6
    assert sum(map(sum, (trained.validation for trained in one))) > sum(
        map(sum, (trained.validation for trained in last))
    )


def test_a_seed_trained_alone_is_the_seed_trained_beside_another():
    shape, protocol, examples = HeadShape("efficient", 32), quick("efficient", epochs=3), marked(288, "efficient")
    splits = [(8, parts(160, 288, 1)), (42, parts(160, 288, 2))]
    both = train(shape, protocol, examples, splits)
    (alone,) = train(shape, protocol, examples, splits[1:])
    assert torch.allclose(alone.heads["queries"], both[1].heads["queries"], atol=1e-3)


def test_a_single_head_is_what_torch_itself_would_make_of_it():
    shape = HeadShape("efficient", 64)
    head = new_heads(shape, [3])
    tokens = torch.randn(5, 7, 64, generator=torch.Generator().manual_seed(1))
    weights = (tokens @ head["queries"][0].T * 64**-0.5).softmax(dim=1)
    narrow = (tokens @ head["values.weight"][0].T).reshape(5, 7, 4, 2)
    pooled = torch.einsum("btn,btns->bns", weights, narrow).flatten(1)
    normed = torch.nn.functional.layer_norm(pooled, (8,), head["norm.weight"][0], head["norm.bias"][0])
    assert torch.allclose(
        class_scores(shape, head, tokens)[0], normed @ head["out.weight"][0].T + head["out.bias"][0], atol=1e-5
    )


def test_the_rate_of_learning_rises_in_a_line_and_falls_along_a_quarter_of_a_cosine():
    shares = [rate_at(step, 100, 500) for step in range(501)]
    assert shares[0] == pytest.approx(0.01)
    assert shares[100] == pytest.approx(1.0)
    assert shares[50] == pytest.approx(0.505)
    assert shares[500] == pytest.approx(0.01)
    assert shares[300] == pytest.approx(0.01 + 0.99 * 0.5**0.5)
