"""The training example in miniature, on a CPU: data, training, reinforcement learning, evaluation."""

# pyright: basic, reportMissingImports=false

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import tolman

torch = pytest.importorskip("torch")


def _run(script: Path, *options: object) -> str:
    done = subprocess.run(
        [sys.executable, str(script), *map(str, options)], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_packed_rows_give_the_probabilities_of_separate_conversations(tiny: tuple[Path, Path]) -> None:
    from data import Curriculum, Packer, document, stored
    from model import Llama
    from tokens import ChatTokens
    from training import Trainer
    from transformers import AutoModelForCausalLM

    folder, checkpoint = tiny
    tokens = ChatTokens(checkpoint)
    documents = [document(row, Curriculum(maps=2, questions=1), tokens) for row in stored(folder, 2)]
    (rows,) = Packer(8192, 1).all_of(documents)
    assert int((rows.document == 0).sum()) > 500, "the instructions are computed once"
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
    from data import Curriculum, conversation, document, stored
    from tokens import ChatTokens
    from transformers import AutoTokenizer

    folder, checkpoint = tiny
    (row,) = stored(folder, 1)
    messages = []
    for text, said in conversation(row, Curriculum()).trunk:
        role, _, content = ("assistant", "", text) if said else text.partition("\n")
        messages.append({"role": role, "content": content})
    template = AutoTokenizer.from_pretrained(checkpoint)
    expected = template.apply_chat_template(messages, tokenize=True, return_dict=True)["input_ids"]
    assert document(row, Curriculum(), ChatTokens(checkpoint)).trunk[0] == expected


def test_a_roll_out_says_what_transformers_would_say(tiny: tuple[Path, Path]) -> None:
    from decoding import Decoder
    from model import Llama
    from tokens import ChatTokens
    from transformers import AutoModelForCausalLM

    from tolman.env.options import EnvironmentOptions
    from tolman.env.rollouts import roll_out

    _, checkpoint = tiny
    decoder = Decoder(Llama.load(checkpoint, "cpu"), ChatTokens(checkpoint), 3, 4096, reply_tokens=12)
    options = EnvironmentOptions(rooms=1, things=3, budget=3)
    explorations = roll_out(decoder, [200_100, 200_101, 200_102], options)
    assert [len(each.rewards) for each in explorations] == [3, 3, 3]
    reference: Any = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
    for turns in decoder.said.values():
        tokens: list[int] = []
        for before, reply in turns:
            tokens += before
            made = reference.generate(torch.tensor([tokens]), max_new_tokens=12, do_sample=False)[0, len(tokens) :]
            assert reply == decoder.tokens.until_end(made.tolist())
            tokens += reply


def test_whole_path_in_miniature(scripts: Path, tiny: tuple[Path, Path], tmp_path: Path) -> None:
    folder, checkpoint = tiny
    small = ("--length", 4096, "--rows", 1, "--workers", 1, "--rate", 1e-2, "--warm-up", 2, "--print-every", 1)
    train = ("--start", checkpoint, "--data", folder, "--out", tmp_path / "supervised", *small)
    printed = _run(scripts / "supervised.py", *train, "--worlds", "12,36")
    losses = [float(line.split("loss ")[1].split(",")[0]) for line in printed.splitlines() if line.startswith("step")]
    assert losses[-1] < 0.9 * losses[0], losses
    measured = json.loads((tmp_path / "supervised" / "36" / "training.json").read_text())
    assert measured["worlds"] == 36
    assert measured["tokens"] > 10_000

    again = _run(scripts / "supervised.py", *train, "--worlds", "12,36")
    assert "/36:" in again, "a run resumes after its last but one checkpoint"
    assert "/12:" not in again

    explore = ("--rooms", 1, "--things", 3, "--budget", 2, "--episodes", 4, "--reply-tokens", 12, "--context", 3072)
    begin = ("--start", tmp_path / "supervised" / "36", "--out", tmp_path / "reinforced")
    _run(scripts / "reinforce.py", *begin, *explore, "--steps", 2, "--length", 4096, "--packed-rows", 1)
    steps = json.loads((tmp_path / "reinforced" / "training.json").read_text())["steps"]
    assert len(steps) == 2
    assert 0 <= steps[-1]["failed"] <= 1

    trained = tmp_path / "reinforced" / "2"
    scores = tmp_path / "scores.csv"
    tests = ("--tests", "3-rooms,unseen-names", "--scenes", "0-1", "--context", 3072, "--reply-tokens", 4)
    _run(scripts / "evaluate.py", trained, *tests, "--out", scores)
    rows = list(csv.DictReader(scores.open()))
    assert [(row["test"], row["scene"]) for row in rows] == [
        (test, scene) for test in ("3-rooms", "unseen-names") for scene in ("0", "1")
    ]

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
    done = tolman("eval", "theory-of-space", "--model", f"local/{trained}", *what, *limits)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "2 finished scenes" in done.stdout
