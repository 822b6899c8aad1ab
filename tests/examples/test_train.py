"""The training example in miniature, on a CPU: data, training, reinforcement learning, evaluation."""

# pyright: basic, reportMissingImports=false

import csv
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Here
from tolman.explore.actions import Actions, Rotate

torch = pytest.importorskip("torch")


def _run(script: Path, *options: object) -> str:
    command = [sys.executable, str(script), *map(str, options)]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # other tests run beside it
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=one_thread)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _run_here(script: Path, *options: object) -> None:
    """The same in this process, which saves the time of loading torch."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(script), *map(str, options)])
        runpy.run_path(str(script), run_name="__main__")


def _attended(rows: Any) -> Any:
    """Whether a token attends to a place, (rows, tokens, places)."""
    places = torch.arange(rows.own.shape[1])
    shared, trunk, fork, own = (each[..., None] for each in (rows.shared, rows.trunk, rows.fork, rows.own))
    itself = (places >= own) & (places <= places[:, None])
    return itself | (places < shared) | ((places >= trunk) & (places < fork))


def test_packed_rows_give_the_probabilities_of_separate_conversations(tiny: tuple[Path, Path]) -> None:
    from conversations import Curriculum, document
    from data import stored
    from model import BLOCK, Llama, attended_per_block
    from packing import Packer
    from tokens import ChatTokens
    from training import Trainer
    from transformers import AutoModelForCausalLM

    folder, checkpoint = tiny
    tokens = ChatTokens(checkpoint)
    documents = [document(row, Curriculum(maps=2, questions=1), tokens) for row in stored(folder, 2)]
    (rows,) = Packer(8192, 1).all_of(documents)
    assert int((rows.own == 0).sum()) > 5, "the instructions are computed once"
    dense = _attended(rows)
    blocks = dense.unflatten(1, (-1, BLOCK)).unflatten(3, (-1, BLOCK)).sum((2, 4))
    assert torch.equal(attended_per_block(rows.shared, rows.trunk, rows.fork, rows.own), blocks)
    with torch.no_grad():
        packed = Trainer(Llama.load(checkpoint, "cpu")).log_probabilities(rows)
        reference = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
        apart: list[float] = []
        for each in documents:
            trunk, said = each.trunk
            branches = [(trunk[:fork] + own, [False] * fork + targets) for fork, own, targets in each.branches]
            for ids, targets in [(trunk, said), *branches]:
                logits = reference(torch.tensor([ids])).logits[0].log_softmax(-1)
                apart += [float(logits[n - 1, ids[n]]) for n in range(1, len(ids)) if targets[n]]
    assert torch.allclose(packed, torch.tensor(apart), atol=1e-4)


def test_tokens_are_those_of_the_chat_template(tiny: tuple[Path, Path]) -> None:
    from conversations import Curriculum, conversation, document
    from data import stored
    from tokens import ChatTokens
    from transformers import AutoTokenizer

    folder, checkpoint = tiny
    (row,) = stored(folder, 1)
    messages = [{"role": piece.role, "content": piece.text} for piece in conversation(row, Curriculum()).trunk]
    template = AutoTokenizer.from_pretrained(checkpoint)
    expected = template.apply_chat_template(messages, tokenize=True, return_dict=True)["input_ids"]
    assert document(row, Curriculum(), ChatTokens(checkpoint)).trunk[0] == expected


def test_attention_part_by_part_is_that_under_one_mask(tiny: tuple[Path, Path]) -> None:
    from conversations import Curriculum, document
    from data import stored
    from model import CHUNK, AttentionByPart, packed_mask
    from packing import Packer
    from tokens import ChatTokens

    folder, checkpoint = tiny
    tokens = ChatTokens(checkpoint)
    documents = [document(row, Curriculum(maps=2, questions=1), tokens) for row in stored(folder, 2)]
    (rows,) = Packer(8192, 1).all_of(documents)
    told = rows.positions[0] >= 0
    assert CHUNK < int(told.sum()) < 8192, "several chunks, and empty places"
    assert int((rows.fork > 0).sum()), "branches too"
    torch.manual_seed(0)
    q, k, v = (torch.randn(1, 2, 8192, 4, dtype=torch.float64, requires_grad=True) for _ in range(3))
    weight = torch.randn(1, 2, 8192, 4, dtype=torch.float64) * told[:, None]
    parts = packed_mask(rows.shared, rows.trunk, rows.fork, rows.own)
    by_part = AttentionByPart.apply(q, k, v, parts)
    nothing, begins = torch.zeros(1, 7, dtype=torch.int32), torch.tensor([[0, 0, 2, 3, 3, 5, 6]])
    bounds = [(part.begin, part.end) for part in packed_mask(nothing, nothing, nothing, begins)]
    assert bounds == [(0, 2), (2, 3), (3, 5), (5, 7)], "a part may be one token; empty places at the end are one part"
    whole = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=_attended(rows)[:, None])
    assert torch.allclose(by_part[:, :, told], whole[:, :, told])
    gradients = zip(*(torch.autograd.grad((out * weight).sum(), (q, k, v)) for out in (by_part, whole)), strict=True)
    assert all(torch.allclose(a, b) for a, b in gradients)


@pytest.mark.parametrize("file", ["config.toml", "cpu.toml"])
def test_a_file_of_settings_is_all_that_a_script_needs(scripts: Path, file: str) -> None:
    import reinforce
    import supervised
    from settings import read_options

    given = ["--config", str(scripts / file)]
    first = read_options(supervised.options(), "supervised", [*given, "--rate", "0.5"])
    assert (first.rate, first.seed, str(first.out).startswith("runs/")) == (0.5, 0, True)
    assert read_options(reinforce.options(), "reinforce", given).rate in (1e-4, 3e-5)


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_training_goes_on_from_a_saved_state(tiny: tuple[Path, Path], tmp_path: Path, optimizer: str) -> None:
    from conversations import Curriculum, document
    from data import stored
    from model import Llama
    from packing import Packer
    from tokens import ChatTokens
    from training import Trainer

    folder, checkpoint = tiny
    tokens = ChatTokens(checkpoint)
    batches = Packer(1024, 1).all_of([document(row, Curriculum(), tokens) for row in stored(folder, 3)])
    straight = Trainer(Llama.load(checkpoint, "cpu"), optimizer=optimizer)
    straight.step(batches, 1e-2)
    straight.save_state(tmp_path, 3)
    resumed = Trainer(Llama.load(checkpoint, "cpu"), optimizer=optimizer)
    assert resumed.load_state(tmp_path) == 3
    losses = [float(trainer.step(batches, 1e-2)) for trainer in (straight, resumed)]
    assert losses[0] == losses[1]
    states = (trainer.model.state_dict() for trainer in (straight, resumed))
    assert all(torch.equal(a, b) for a, b in zip(*(state.values() for state in states), strict=True))


def test_phrases_become_tokens_of_a_checkpoint_and_texts_stay_the_same(tiny: tuple[Path, Path], tmp_path: Path) -> None:
    from conversations import Curriculum, conversation, document
    from data import stored
    from model import Llama
    from phrases import phrases, with_tokens
    from tokens import ChatTokens
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, checkpoint = tiny
    curriculum, before = Curriculum(maps=1), ChatTokens(checkpoint)
    made = [conversation(row, curriculum, reading=n) for n, row in enumerate(stored(folder, 8))]
    found = [phrase for phrase in phrases(made) if len(before.encode(phrase)) > 1]
    assert max(map(len, found)) > 500, "how a map is asked for, which this tokenizer has not met"
    with_tokens(checkpoint, tmp_path, found)
    after = ChatTokens(tmp_path)
    (row,) = stored(folder, 1)
    many, few = (document(row, curriculum, each).branches[0][1] for each in (before, after))
    assert len(few) < 0.7 * len(many)
    assert after.text(few) == before.text(many)
    old, new = (Llama.load(each, "cpu").embed_tokens.weight for each in (checkpoint, tmp_path))
    (token,) = after.encode(found[0])
    pieces = old[before.encode(found[0])]
    share = torch.arange(1.0, len(pieces) + 1)[:, None]
    assert torch.allclose(new[token], (pieces * share / share.sum()).sum(0), atol=1e-4), "later pieces count more"
    text = AutoTokenizer.from_pretrained(tmp_path).decode(few, skip_special_tokens=True)
    assert text == before.text(many)
    assert AutoModelForCausalLM.from_pretrained(tmp_path).config.vocab_size == len(new)


def test_numbers_and_words_become_tokens_and_names_keep_theirs(scripts: Path, tiny: tuple[Path, Path]) -> None:
    del scripts
    from conversations import Curriculum, conversation
    from data import stored
    from phrases import NAMES, joined, phrases, words_and_numbers
    from tokenizers import AddedToken, Tokenizer

    made = [conversation(row, Curriculum("ranges", maps=1), reading=n) for n, row in enumerate(stored(tiny[0], 12))]
    lines = phrases(made)
    found = words_and_numbers(made, lines)
    assert {" (-2", " to 5)", ", 3", ", so"} <= set(found)
    assert not [text for text in found if re.search(NAMES, text)]
    assert joined([["a", "b", "c"], ["a", "b", "d"]], 1) == [["ab", "c"], ["ab", "d"]], "what follows is left to choose"
    before, after = (Tokenizer.from_file(str(tiny[1] / "tokenizer.json")) for _ in range(2))
    after.add_tokens([AddedToken(text, normalized=False, special=False) for text in (*lines, *found)])
    said = [piece.text for each in made for piece in each.trunk]
    assert all(after.decode(after.encode(text).ids, skip_special_tokens=False) == text for text in said)
    assert sum(len(after.encode(text).ids) for text in said) < 0.8 * sum(len(before.encode(text).ids) for text in said)
    for text in found:
        if text.endswith(" "):
            before_a_name = re.compile(rf"{re.escape(text)}(?:{NAMES})")
            assert not any(map(before_a_name.search, said)), f"{text!r} takes the space that belongs to a name"


TERM = "FINAL ANSWER:\nActions: [Term()]"


@pytest.fixture
def varied(tiny: tuple[Path, Path], tmp_path: Path) -> Path:
    """The untrained model with layers so strong that it does not repeat one token."""
    from model import Llama

    model = Llama.load(tiny[1], "cpu")
    torch.manual_seed(0)
    for name, parameter in model.named_parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.05 if name.startswith("embed") else 0.15)
    model.save(tmp_path / "varied", tiny[1])
    return tmp_path / "varied"


@pytest.fixture(params=[True, False], ids=["narrow", "wide"])
def rolled_out(request: pytest.FixtureRequest, varied: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A decoder after six conversations of one to four turns, with replies of different lengths."""
    import decoding
    from model import Llama
    from tokens import ChatTokens

    from tolman.env.options import EnvironmentOptions
    from tolman.env.rollouts import PendingReply, roll_out

    monkeypatch.setattr(decoding, "NARROWEST", 1)
    decoder = decoding.Decoder(Llama.load(varied, "cpu"), ChatTokens(varied), 6, 4096, reply_tokens=20)
    decoder.narrow = request.param
    decoder.tokens.end = _often_said(decoder)

    def ends(turns: Sequence[PendingReply]) -> list[str]:
        replies = decoder(turns)
        last = [len(decoder.said[turn.slot]) > turn.slot % 4 for turn in turns]
        return [TERM if end else reply for end, reply in zip(last, replies, strict=True)]

    options = EnvironmentOptions(rooms=1, things=3, budget=6)
    widths: list[int] = []
    step = decoder._step
    monkeypatch.setattr(decoder, "_step", lambda width, furthest: (widths.append(width), step(width, furthest)))
    explorations = roll_out(ends, range(200_100, 200_106), options)
    assert [len(each.rewards) for each in explorations] == [1, 2, 3, 4, 1, 2]
    assert max(widths) == 6
    assert (min(widths) < 6) == request.param, "rows that have nothing to say are left out, if that is asked for"
    return decoder, explorations


def _often_said(decoder: Any) -> int:
    """A token with which replies of an untrained model end early, some sooner than others."""
    from tolman.env.options import EnvironmentOptions
    from tolman.env.rollouts import roll_out

    roll_out(decoder, range(200_100, 200_106), EnvironmentOptions(rooms=1, things=3, budget=1))
    replies = [turns[0].reply for turns in decoder.said.values()]
    return max(
        {token for reply in replies for token in reply},
        key=lambda token: len({reply.index(token) if token in reply else 99 for reply in replies}),
    )


def test_a_roll_out_says_what_transformers_would_say(rolled_out: Any, varied: Path) -> None:
    from transformers import AutoModelForCausalLM

    decoder, _ = rolled_out
    reference: Any = AutoModelForCausalLM.from_pretrained(varied, dtype=torch.float32)
    lengths: set[int] = set()
    for turns in decoder.said.values():
        tokens: list[int] = []
        for said in turns:
            tokens += said.read
            before = torch.tensor([tokens])
            how = {"max_new_tokens": 20, "do_sample": False, "eos_token_id": decoder.tokens.end}
            made = reference.generate(before, attention_mask=torch.ones_like(before), **how)[0, len(tokens) :]
            assert said.reply == decoder.tokens.until_end(made.tolist())
            tokens += said.reply
            lengths.add(len(said.reply))
    assert len(lengths) > 1


def test_training_gives_sampled_tokens_the_probabilities_at_which_they_were_sampled(tiny: tuple[Path, Path]) -> None:
    from decoding import Decoder
    from model import Llama
    from packing import Packer
    from reinforce import advantages, documents
    from tokens import ChatTokens
    from training import Trainer

    from tolman.env.options import EnvironmentOptions
    from tolman.env.rollouts import roll_out

    model = Llama.load(tiny[1], "cpu")
    torch.manual_seed(0)
    decoder = Decoder(model, ChatTokens(tiny[1]), 4, 4096, reply_tokens=16, temperature=0.7)
    explorations = roll_out(decoder, range(200_100, 200_104), EnvironmentOptions(rooms=1, things=3, budget=3))
    made = documents(decoder, advantages(explorations, 0.02, 0.9))
    for each in made:
        pairs = zip(each.trunk[0], each.trunk[0][1:], strict=False)
        assert (decoder.tokens.end, decoder.tokens.end) not in pairs, "no message ends twice"
    trainer = Trainer(model, temperature=0.7, clip=0.2)
    trainer.step(Packer(4096, 1).all_of(made), 0.0)
    assert float(trainer.drift) < 1e-4


def test_whole_path_in_miniature(scripts: Path, tiny: tuple[Path, Path], tmp_path: Path, here: Here) -> None:
    folder, checkpoint = tiny
    small = ("--length", 1024, "--rows", 1, "--workers", 1, "--rate", 1e-2, "--warm-up", 2, "--print-every", 1)
    train = ("--start", checkpoint, "--data", folder, "--out", tmp_path / "supervised", *small)
    printed = _run(scripts / "supervised.py", *train, "--worlds", "12,36")
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in printed.splitlines() if line.startswith("step")]
    assert losses[-1] < 0.9 * losses[0], losses
    measured = json.loads((tmp_path / "supervised" / "36" / "training.json").read_text())
    assert measured["worlds"] == 36
    assert measured["tokens"] > 5_000

    explore = ("--rooms", 1, "--things", 3, "--budget", 2, "--episodes", 4, "--reply-tokens", 12, "--context", 3072)
    begin = ("--start", tmp_path / "supervised" / "36", "--out", tmp_path / "reinforced")
    _run_here(scripts / "reinforce.py", *begin, *explore, "--steps", 2, "--length", 4096, "--packed-rows", 1)
    steps = json.loads((tmp_path / "reinforced" / "training.json").read_text())["steps"]
    assert len(steps) == 2
    assert 0 <= steps[-1]["failed"] <= 1

    trained = tmp_path / "reinforced" / "2"
    scores = tmp_path / "scores.csv"
    tests = ("--tests", "3-rooms,unseen-names,expert-map", "--scenes", "0-1", "--context", 3072, "--reply-tokens", 4)
    _run_here(scripts / "evaluate.py", trained, *tests, "--out", scores)
    rows = list(csv.DictReader(scores.open()))
    assert [(row["test"], row["scene"]) for row in rows] == [
        (test, scene) for test in ("3-rooms", "unseen-names", "expert-map") for scene in ("0", "1")
    ]
    assert [float(row["gain"]) for row in rows[4:]] == [1, 1], "the expert explored"

    what = (
        "--scenes",
        "0-1",
        "--mode",
        "active",
        "--phases",
        "explore,ask",
        "--kinds",
        "direction",
        "--questions",
        "1",
    )
    limits = ("--budget", "2", "--max-tokens", "8", "--log-dir", str(tmp_path / "logs"), "--display", "none")
    done = here("eval", "theory-of-space", "--model", f"local/{trained}", *what, *limits)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "2 finished scenes" in done.stdout


@pytest.mark.slow
def test_training_resumes_ends_by_the_clock_and_learns_from_corrections(
    scripts: Path, tiny: tuple[Path, Path], tmp_path: Path
) -> None:
    folder, checkpoint = tiny
    small = ("--length", 4096, "--rows", 1, "--workers", 1, "--rate", 1e-2, "--warm-up", 2, "--print-every", 1)
    train = ("--start", checkpoint, "--data", folder, "--out", tmp_path / "supervised", *small, "--worlds", "12,36")
    assert "/12: loss" in _run(scripts / "supervised.py", *train)
    again = _run(scripts / "supervised.py", *train)
    assert "/36:" in again, "a run resumes after its last but one checkpoint"
    assert "/12:" not in again

    clock = ("--start", checkpoint, "--data", folder, "--out", tmp_path / "clock", *small, "--worlds", "36")
    _run(scripts / "supervised.py", *clock, "--seconds", 0.5)
    (saved,) = [each for each in (tmp_path / "clock").iterdir() if each.name.isdigit()]
    assert 0 < int(saved.name) < 36, "named by the worlds that it saw"

    explore = ("--rooms", 1, "--things", 3, "--budget", 2, "--episodes", 4, "--reply-tokens", 12, "--context", 3072)
    begin = ("--start", tmp_path / "supervised" / "36", "--out", tmp_path / "corrections")
    _run(scripts / "correct.py", *begin, *explore, "--scenes", "500000-500005", "--workers", 1)
    again = ("--start", tmp_path / "supervised" / "36", "--data", tmp_path / "corrections")
    printed = _run(scripts / "supervised.py", *again, "--out", tmp_path / "corrected", *small, "--worlds", 6)
    assert "/6: loss" in printed


def test_the_expert_computes_its_ranges_without_fault(scripts: Path) -> None:
    del scripts
    from check_ranges import count
    from conversations import read_turn
    from evaluate import transcript

    from tolman.env.demonstrations import demonstrated_reply
    from tolman.env.exploration import Exploration
    from tolman.explore.agents.registry import make_explorer

    exploration = Exploration(200_000)
    expert = make_explorer("cautious-planner", exploration.case.scene, 0)
    while not exploration.over:
        actions = expert.act(exploration.episode)
        assert read_turn(str(actions)) == actions
        exploration.reply(demonstrated_reply(exploration, actions, "ranges"))
    counts = count(transcript(exploration))
    assert counts["steps"] == counts["told of the two in these words"] == counts["displacements that fit, right"] > 40
    for part in ("stated again", "between two ranges", "what remains", "points"):
        right = {"stated again": " as before", "points": " that are certain"}.get(part, ", right")
        assert counts[f"{part}{right}"] == counts[part] > 10
    wrong = count(transcript(exploration).replace(", so (-", ", so ("))
    assert wrong["steps"] == counts["steps"]
    assert wrong["displacements that fit, right"] < counts["displacements that fit, right"]


def test_the_expert_keeps_track_without_fault(scripts: Path) -> None:
    del scripts
    from check_sightings import count
    from evaluate import transcript

    from tolman.env.demonstrations import demonstrated_reply
    from tolman.env.exploration import Exploration
    from tolman.explore.agents.registry import make_explorer

    exploration = Exploration(200_000)
    expert = make_explorer("cautious-planner", exploration.case.scene, 0)
    while not exploration.over:
        exploration.reply(demonstrated_reply(exploration, expert.act(exploration.episode), "sightings"))
    counts = count(transcript(exploration))
    assert counts["places right, after success"] == counts["headings right, after success"] == counts["replies"] > 5
    for when in ("first reply at a place", "later replies at a place"):
        assert (
            counts[f"views stated right, {when}"] == counts[f"views stated, {when}"] == counts[f"views shown, {when}"]
        )
    assert counts["views shown, later replies at a place"] > 5
    for state in ("certain", "open"):
        assert counts[f"stated as {state}, which is right"] == counts[f"stated as {state}"] > 5
    turned = transcript(exploration).replace("facing north", "facing south", 1)
    assert count(turned)["headings right, after success"] == counts["replies"] - 1


def test_a_variation_of_a_world_tells_as_much_for_the_same_cost(scripts: Path) -> None:
    del scripts
    from conversations import environment, read_turn
    from data import expert_actions
    from variations import varied

    from tolman.env.exploration import Exploration

    def gains(exploration: Exploration, turns: Sequence[Actions]) -> list[float]:
        for actions in turns:
            exploration.reply(f"FINAL ANSWER:\n{actions}")
        assert exploration.over
        return [belief.information_gain for belief in exploration.beliefs]

    def rotations(turns: Sequence[Actions]) -> list[int]:
        return [move.degrees for actions in turns for move in actions.moves if isinstance(move, Rotate)]

    row = expert_actions(200_000, 3, agent="strategist", mistakes=0.2)
    turns = [read_turn(each) for each in row["turns"]]
    exploration = Exploration(200_000, environment(row))
    reached = gains(exploration, turns)
    names, mirrors = {exploration.case.scene.names}, set()
    for reading in range(1, 6):
        other, others = varied(Exploration(200_000, environment(row)), turns, reading)
        assert gains(other, others) == pytest.approx(reached)
        names.add(other.case.scene.names)
        mirrors.add(rotations(others) == rotations(turns))
    assert len(names) == 6, "no two readings have the same names"
    assert mirrors == {True, False}, "some are mirrored"


def test_some_readings_have_invented_names(scripts: Path, tiny: tuple[Path, Path]) -> None:
    del scripts
    from conversations import Curriculum, conversation
    from data import stored
    from variations import other_names

    from tolman.world import generate
    from tolman.world.vocabulary import VOCABULARY_V1

    scene, known = generate(200_000), {kind.name for kind in VOCABULARY_V1}
    things = {thing.name for thing in scene.things}
    readings = [{names[thing] for thing in things} for n in range(60) if (names := other_names(scene, 1, "names", n))]
    assert all(len(each) == len(things) for each in readings), "names differ"
    invented = [n for n, each in enumerate(readings) if not each & known]
    assert 5 < len(invented) < 30
    assert all(each <= known for n, each in enumerate(readings) if n not in invented)
    (row,) = stored(tiny[0], 1)
    texts = [conversation(row, Curriculum("ranges", maps=1, questions=3), n).trunk[1].text for n in range(1, 30)]
    assert any(not any(f" {name}," in text for name in known) for text in texts), "also where maps are asked for"


def test_a_checkpoint_in_small_files_is_nearly_the_same(scripts: Path, tiny: tuple[Path, Path], tmp_path: Path) -> None:
    import compact
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM, AutoTokenizer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compact, "LARGEST", 40_000)
        compact.pack(tiny[1], tmp_path / "parcel")
    assert len(list((tmp_path / "parcel").glob("fine-*"))) > 1
    _run_here(scripts / "compact.py", "unpack", tmp_path / "parcel", tmp_path / "same", "--tokenizer", tiny[1])
    for file in (tmp_path / "parcel").glob("fine-*"):
        file.unlink()
    compact.unpack(tmp_path / "parcel", tmp_path / "coarse", tiny[1])
    weights = load_file(tiny[1] / "model.safetensors")
    for name, most in (("same", 0.012), ("coarse", 0.12)):
        again = load_file(tmp_path / name / "model.safetensors")
        assert again.keys() == weights.keys()
        for key, weight in weights.items():
            off = (again[key].float() - weight.float()).norm() / weight.float().norm()
            assert 0 <= float(off) < most, (name, key)
    AutoModelForCausalLM.from_pretrained(tmp_path / "same")
    AutoTokenizer.from_pretrained(tmp_path / "same")
