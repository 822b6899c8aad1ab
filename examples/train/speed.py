"""Tokens per second: packed rows behind a shared prefix against a plain loop of transformers, and decoding.

    python speed.py --start smollm2 --data data/planner

Both loops train on the same conversations; tokens are counted as the plain loop computes them, without padding.
"""

import argparse
import time
from pathlib import Path

import torch
from conversations import Curriculum, document
from data import stored
from decoding import Decoder
from model import Llama
from packing import Packer, Rows
from tokens import ChatTokens
from training import Trainer

from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import roll_out


def packed(folder: Path, documents: list, length: int, rows: int) -> float:
    trainer = Trainer(Llama.load(folder, "cuda"))
    made = list(Packer(length, rows).add(documents))
    batches = [Rows.of(arrays) for _, arrays in made]
    trainer.step([batches[0]], 0.0)  # compiles
    trainer.step([batches[0]], 0.0)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for batch in batches:
        trainer.step([batch], 1e-9)
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    computed = sum(batch.count for batch in batches)
    conversations = sum(count for count, _ in made)
    mean = sum(map(len, documents)) / len(documents)
    print(f"packed: {computed / seconds:,.0f} tokens/s computed, {conversations / seconds:.1f} conversations/s")
    return conversations * mean / seconds


def plain(folder: Path, documents: list, batch: int) -> float:
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-9)
    groups = [documents[n : n + batch] for n in range(0, min(len(documents), 12 * batch), batch)]
    for number, group in enumerate(groups):
        if number == 2:
            torch.cuda.synchronize()
            begin = time.perf_counter()
        longest = max(len(each.trunk[0]) for each in group)
        tokens = torch.zeros(len(group), longest, dtype=torch.long)
        labels = torch.full((len(group), longest), -100)
        mask = torch.zeros(len(group), longest, dtype=torch.long)
        for row, each in enumerate(group):
            ids, said = (torch.tensor(part) for part in each.trunk)
            tokens[row, : len(ids)], mask[row, : len(ids)] = ids, 1
            labels[row, : len(ids)][said] = ids[said]
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(tokens.cuda(), attention_mask=mask.cuda(), labels=labels.cuda()).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.cuda.synchronize()
    return sum(len(each.trunk[0]) for group in groups[2:] for each in group) / (time.perf_counter() - begin)


def decoding(folder: Path, slots: int) -> None:
    decoder = Decoder(Llama.load(folder, "cuda"), ChatTokens(folder), slots, 6144, reply_tokens=64, temperature=1.0)
    options = EnvironmentOptions(budget=3)
    roll_out(decoder, range(900_000, 900_000 + slots), options)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    roll_out(decoder, range(900_000, 900_000 + slots), options)
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    said = sum(len(said.reply) for turns in decoder.said.values() for said in turns)
    print(
        f"roll-outs of {slots} worlds at once: {said / seconds:,.0f} tokens/s of replies, {seconds:.1f} s for 3 turns"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--worlds", type=int, default=250)
    parser.add_argument("--length", type=int, default=16384)
    parser.add_argument("--rows", type=int, default=4)
    arguments = parser.parse_args()
    tokens = ChatTokens(arguments.start)
    documents = [document(row, Curriculum(), tokens) for row in stored(arguments.data, arguments.worlds)]
    ours = packed(arguments.start, documents, arguments.length, arguments.rows)
    theirs = plain(arguments.start, documents, 8)
    print(
        f"tokens of conversations per second: packed {ours:,.0f}, plain loop {theirs:,.0f}: {ours / theirs:.1f} times"
    )
    decoding(arguments.start, 256)


if __name__ == "__main__":
    main()
