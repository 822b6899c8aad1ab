"""Sealed splits: secret until they are opened, and then proved to be what was promised."""

import hashlib
import json
import os
import stat
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.theory_of_space.leaderboard.test_board import command
from tests.command_line import Here, tolman
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.seeds import canonical_json
from tolman.explore.agents.registry import run_explorer
from tolman.world import WorldSettings, generate
from tolman.world.select import (
    SealedSplit,
    choose_scenes,
    read_sealed,
    seal,
    sealed_choices,
    sealed_from_dict,
    write_sealed,
)

SETTINGS = WorldSettings(rooms=2, things_per_room=3)


@cache
def split() -> SealedSplit:
    return seal(4, SETTINGS, "0.1.0")


def test_seeds_are_secret_different_and_drawn_anew_each_time():
    one, other = split(), seal(4, SETTINGS, "0.1.0")
    assert len(set(one.seeds)) == 4
    assert not set(one.seeds) & set(other.seeds)
    assert one.nonce != other.nonce
    assert one.commitment != other.commitment
    assert all(2**64 <= seed < 2**128 for seed in one.seeds)
    assert len({seed >> 64 for seed in seal(40, WorldSettings(rooms=1), "0.1.0").seeds}) == 40, "all 128 bits are drawn"


def test_the_same_content_gives_the_same_commitment_and_other_seeds_can_not_be_tried_without_the_nonce():
    again = replace(split())
    assert again.commitment == split().commitment
    plain = canonical_json(split().as_dict()).encode()
    assert hashlib.sha256(plain).hexdigest() != split().commitment, "the hash is of this purpose only"


@given(
    seeds=st.lists(st.integers(2**64, 2**128 - 1), min_size=4, max_size=4, unique=True),
    nonce=st.binary(min_size=32, max_size=32).map(bytes.hex),
    rooms=st.integers(1, 5),
    things=st.integers(1, 5),
    version=st.sampled_from(["0.1.0", "0.2.0"]),
)
def test_any_change_makes_another_commitment(seeds: list[int], nonce: str, rooms: int, things: int, version: str):
    settings = WorldSettings(rooms=rooms, things_per_room=things)
    changes: dict[str, Any] = {"seeds": tuple(seeds), "nonce": nonce, "settings": settings, "tolman": version}
    for name, value in changes.items():
        other = replace(split(), **{name: value})
        assert (other.commitment == split().commitment) == (getattr(split(), name) == value)
    turned = replace(split(), seeds=split().seeds[::-1])
    assert turned.commitment != split().commitment
    assert replace(split(), digests=split().digests[::-1]).commitment != split().commitment


def test_only_the_owner_can_read_the_file_and_it_is_never_written_over(tmp_path: Path):
    file = tmp_path / "deep" / "sealed.json"
    write_sealed(split(), file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_sealed(file) == split()
    with pytest.raises(SettingsError, match="already exists"):
        write_sealed(split(), file)
    assert read_sealed(file).commitment == split().commitment


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "tolman.sealed/3"),
        ("seeds", ["f" * 32] * 4),
        ("seeds", ["f" * 32]),
        ("seeds", [f"{seed:032x}" for seed in (-1, 2, 3, 4)]),
        ("seeds", [f"{seed:032x}" for seed in (1, 2, 3, 4)]),
        ("seeds", []),
        ("seeds", ["1", "2", "3", "4"]),
        ("seeds", [2**70, 2**71, 2**72, 2**73]),
        ("nonce", "short"),
        ("settings", {"rooms": 3}),
        ("settings", {"rooms": 10**9}),
        ("settings", {"surprise": 1}),
        ("tolman", "\x1b[31m"),
        ("surprise", 1),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, name: str, value: Any):
    file = tmp_path / "sealed.json"
    file.write_text(json.dumps({**split().as_dict(), name: value}), encoding="utf-8")
    with pytest.raises(SceneFileError, match=r"sealed\.json: not a tolman\.sealed/2 split"):
        read_sealed(file)


def test_a_file_of_the_old_scheme_is_refused_and_told_why(tmp_path: Path, here: Here):
    file = tmp_path / "old.json"
    seeds = [281474976710655, 2, 3, 4]
    file.write_text(json.dumps({**split().as_dict(), "format": "tolman.sealed/1", "seeds": seeds}), encoding="utf-8")
    for told in (here("unseal", file, "--commitment", "0" * 64), here("explore", "--scenes", file)):
        assert told.returncode == 2
        assert "seeds of 48 bits" in told.stderr
        assert "tolman seal" in told.stderr
        assert "281474976710655" not in told.stdout + told.stderr


def test_a_number_of_scenes_that_can_not_be_is_refused():
    for count in (0, -1, 10**6):
        with pytest.raises(SettingsError, match="1 to 10000 scenes"):
            seal(count, SETTINGS, "0.1.0")


# ---- scenes ----


def test_a_sealed_file_chooses_its_scenes_with_its_own_settings_and_names_that_tell_no_seed(tmp_path: Path):
    file = tmp_path / "sealed.json"
    write_sealed(split(), file)
    choices = choose_scenes(str(file), WorldSettings(rooms=3))
    assert [choice.seed for choice in choices] == list(split().seeds)
    for number, (choice, seed) in enumerate(zip(choices, split().seeds, strict=True), start=1):
        case = case_of(choice, Options(questions=1, kinds=("direction",)))
        assert case.id == f"sealed-{split().commitment[:8]}-{number:03}" == case.scene.label
        assert str(seed) not in case.id
        assert case.scene == generate(seed, SETTINGS)
        assert case.scene.digest == split().digests[number - 1]


def test_a_scene_that_comes_out_otherwise_than_it_was_sealed_is_refused(tmp_path: Path):
    file = tmp_path / "sealed.json"
    write_sealed(replace(split(), digests=("0" * 64, *split().digests[1:])), file)
    first, second = choose_scenes(str(file))[:2]
    with pytest.raises(SceneFileError, match="differs from the sealed scene"):
        first.load()
    assert second.load()
    assert sealed_from_dict(split().as_dict()) == split()


def test_no_part_of_a_sealed_scene_is_drawn_by_a_generator_with_few_states(monkeypatch: pytest.MonkeyPatch):
    """Whoever enumerates the 2**32 states of the released layouts, or 48-bit seeds, never meets a sealed scene."""
    entropies: list[int] = []
    real = np.random.default_rng

    def watched(seed: int) -> np.random.Generator:
        entropies.append(seed)
        return real(seed)

    monkeypatch.setattr(np.random, "default_rng", watched)
    options = Options(questions=1)
    for rooms in (2, 3, 4, 5):
        for choice in sealed_choices(seal(2, WorldSettings(rooms=rooms), "0.1.0")):
            entropies.clear()
            case = case_of(choice, options)
            run_explorer("random", case.scene, case.seed)
            own = [entropy for entropy in entropies if entropy != 0]
            assert len(own) > 10
            assert min(own) >= 2**64, "every stream starts from a hash of all 128 bits"


def test_layouts_of_sealed_scenes_are_of_the_same_kind_as_others():
    def shape(seed: int) -> tuple[int, int, int]:
        scene = generate(seed)
        return len(scene.rooms), len(scene.doors), len(scene.things)

    assert {shape(seed) for seed in seal(20, WorldSettings(), "0.1.0").seeds} == {shape(seed) for seed in range(20)}


@pytest.mark.slow
def test_logs_of_sealed_scenes_are_their_owners(tmp_path: Path):
    write_sealed(split(), tmp_path / "sealed.json")
    options = ("--model", "tolman/random", "--phases", "explore", "--display", "none", "--no-tables")
    tolman("eval", "theory-of-space", "--scenes", tmp_path / "sealed.json", "--log-dir", tmp_path / "logs", *options)
    modes = {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "logs").iterdir()}
    assert any((tmp_path / "logs").glob("*.eval"))
    assert modes == {0o600}


def test_files_about_sealed_scenes_are_their_owners(tmp_path: Path):
    write_sealed(split(), tmp_path / "sealed.json")
    before = os.umask(0o022)
    try:
        assert (
            command(
                "explore", "--scenes", tmp_path / "sealed.json", "--agent", "random", "--out", tmp_path / "rows.jsonl"
            )
            == 0
        )
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "rows.jsonl").stat().st_mode) == 0o600


# ---- commands ----


def test_sealing_prints_one_line_to_publish_and_unsealing_proves_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sealed.json"
    assert command("seal", "--scenes", "3", "--rooms", "2", "-o", file) == 0
    told = capsys.readouterr()
    commitment = told.out.strip()
    assert len(commitment) == 64
    assert not any(str(seed) in told.out + told.err for seed in read_sealed(file).seeds)
    assert command("unseal", file, "--commitment", commitment) == 0
    told = capsys.readouterr()
    assert told.out.split() == [f"{seed:032x}" for seed in read_sealed(file).seeds]
    assert "match: 3 scenes, 2 rooms" in told.err
    assert command("unseal", file, "--commitment", "0" * 64) == 1
    told = capsys.readouterr()
    assert "no match" in told.err
    assert told.out == "", "what does not match is not told"


def test_a_file_whose_scenes_can_not_be_made_again_does_not_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = replace(split(), digests=split().digests[::-1])
    write_sealed(forged, tmp_path / "forged.json")
    assert command("unseal", tmp_path / "forged.json", "--commitment", forged.commitment) == 1
    assert "differs from the sealed scene" in capsys.readouterr().err
