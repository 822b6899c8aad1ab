"""Recipes: what --print-config writes --config reads back, unknown names are refused in one line; shell completion."""

import subprocess
from pathlib import Path

import pytest
import yaml

from tests.command_line import Here
from tolman.cli.app import app
from tolman.cli.recipes import make_recipe, read_recipe, recipe_yaml

BENCHMARKS = ("theory-of-space", "osr-bench", "sparrta")


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_what_would_run_reads_back(benchmark: str, tmp_path: Path, here: Here):
    flags = ("--model", "tolman/random", "--epochs", "3", "--think", "--set", "top_p=0.9", "--temperature", "0.5")
    printed = here("eval", benchmark, *flags, "--print-config")
    assert (printed.returncode, printed.stderr) == (0, "")
    values = yaml.safe_load(printed.stdout)
    assert values["benchmark"] == benchmark
    assert values["epochs"] == 3
    assert values["think"] in (True, [True])
    (tmp_path / "run.yaml").write_text(printed.stdout)
    again = here("eval", "--config", tmp_path / "run.yaml", "--print-config")
    assert again.stdout == printed.stdout


def test_several_models_have_options_and_folders_of_their_own(tmp_path: Path):
    models = ["tolman/random", {"model": "vllm/a", "base-url": "http://127.0.0.1:1/v1", "set": {"top_p": 0.5}}]
    recipe = make_recipe(
        "osr-bench", {"models": models, "log-dir": str(tmp_path), "max_tokens": 9, "think": [True, False]}
    )
    one, other = recipe.models
    assert (one.max_tokens, other.max_tokens, one.base_url, other.generation["top_p"]) == (9, 9, None, 0.5)
    assert recipe.folders == (tmp_path / "tolman-random", tmp_path / "vllm-a")
    (tmp_path / "run.yaml").write_text(recipe_yaml(recipe))
    again = read_recipe(tmp_path / "run.yaml")
    assert again.folders == recipe.folders
    assert [each.generation for each in again.models] == [each.generation for each in recipe.models]


WRONG = {
    "benchmark: theory-of-space\nmodel: a\nscnes: 0-3": "no option 'scnes' of theory-of-space; did you mean scenes",
    "benchmark: theory-of-space\nmodel: {model: a, tempratur: 1}": "'tempratur' of a model; did you mean temperature",
    "benchmark: theory-of-space\nscenes: 0-3": "no model is named",
    "model: tolman/random": "names no benchmark",
    "benchmark: theory-of-time\nmodel: a": "there is no benchmark 'theory-of-time'",
    "benchmark: theory-of-space\nmodel: a\nepochs: many": "epochs: input should be a valid integer",
    "benchmark: theory-of-space\nmodel: a\nepochs: 0": "--epochs is at least 1, not 0",
    "benchmark: theory-of-space\nmodel: a\nrooms: three": "rooms: input should be a valid integer",
    "benchmark: theory-of-space\nmodel: a\nthink: perhaps": "think: input should be a valid boolean",
    "- a list": "does not hold options",
    "a: [": "is not YAML",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_recipe_is_refused_in_one_line(text: str, tmp_path: Path, here: Here):
    (tmp_path / "run.yaml").write_text(text)
    done = here("eval", "--config", tmp_path / "run.yaml")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert WRONG[text] in line


def test_completion_offers_commands_flags_and_choices(tmp_path: Path):
    script = tmp_path / "tolman.bash"
    script.write_text(app.generate_completion(shell="bash"))  # noqa: S604 the name of a shell
    completed = """
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        $(complete -p tolman | sed 's/.*-F \\([^ ]*\\).*/\\1/') tolman "${@: -1}" "${@: -2:1}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """

    def complete(*words: str) -> list[str]:
        bash = ["bash", "-c", completed, "bash", script, "tolman", *words]
        return [
            each.strip()
            for each in subprocess.run(bash, capture_output=True, text=True, check=True).stdout.splitlines()
        ]

    assert "eval" in complete("ev")
    assert "theory-of-space" in complete("eval", "th")
    assert "--epochs" in complete("eval", "osr-bench", "--ep")
    assert "latex" in complete("show", "--format", "la")


RECIPE = """
benchmark: theory-of-space
model:
- tolman/random
- model: tolman/scout
  max_connections: 4
scenes: 0-9
rooms: 2
think: true
"""


def test_flags_override_a_recipe(tmp_path: Path, here: Here):
    file = tmp_path / "run.yaml"
    file.write_text(RECIPE)
    flags = ("--scenes", "7", "--rooms=4", "--no-think", "--max-connections", "2", "--mode", "active,passive")
    printed = here("eval", *flags[:2], "--config", file, *flags[2:], "--print-config")
    assert (printed.returncode, printed.stderr) == (0, "")
    values = yaml.safe_load(printed.stdout)
    assert (str(values["scenes"]), values["rooms"], values["think"]) == ("7", 4, False)
    assert values["mode"] in ("active,passive", ["active", "passive"])
    assert {one.max_connections for one in read_recipe(file, {"max_connections": "2"}).models} == {2}
    only = yaml.safe_load(here("eval", "--config", file, "--model", "tolman/oracle", "--print-config").stdout)
    assert only["model"] == "tolman/oracle"
    assert (only["scenes"], only["rooms"], only["think"]) == ("0-9", 2, True)


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--scnes", "0"), "did you mean scenes"),
        (("--rooms", "three"), "rooms: input should be a valid integer"),
        (("0-4",), "follows no flag"),
    ],
)
def test_a_wrong_flag_beside_a_recipe_is_refused_in_one_line(
    flags: tuple[str, ...], said: str, tmp_path: Path, here: Here
):
    (tmp_path / "run.yaml").write_text(RECIPE)
    done = here("eval", "--config", tmp_path / "run.yaml", *flags, "--print-config")
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    bare = here("eval", *flags)
    assert bare.returncode == 2
    assert "Traceback" not in bare.stderr
