"""Tables of probes in README.md and docs/probing.md say what the rows in docs/results give."""

import csv
import json
import re
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
import pytest

from tolman.benchmarks.sparrta.probes.cells import ProbeCell, ProbeCellKey
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.means import interval_of, paired_differences, unpaired_difference
from tolman.benchmarks.sparrta.probes.other_findings import other_findings
from tolman.benchmarks.sparrta.sample import Viewpoint
from tolman.probing.protocol import SeedResult, find_protocol

ROOT = Path(__file__).parent.parent
HEADS = ("linear", "abmilp", "efficient")
COLUMNS = [(view, head) for view in ("ego", "allo") for head in HEADS]
Measured = dict[tuple[str, str, str], dict[tuple[str, int], float]]


RESULTS = ROOT / "docs" / "results"


def accuracies(name: str, last: dict[str, int] | None = None) -> Measured:
    """Test accuracy in percent by encoder, viewpoint and head, of the last layer where `last` names it."""
    found: Measured = {}
    with (RESULTS / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("shuffled") == "yes" or (last and int(row["layer"]) != last[row["encoder"]]):
                continue
            place = found.setdefault((row["encoder"], row["viewpoint"], row["head"]), {})
            place[row["triple"], int(row["seed"])] = 100 * float(row["test"])
    return found


@pytest.fixture(scope="module")
def measured() -> Measured:
    return accuracies("sparrta-probes.csv")


def said(values: dict[tuple[str, int], float]) -> str:
    found = interval_of(values)
    return f"{found.mean:.1f} ({max(found.low, 0):.0f}–{min(found.high, 100):.0f})"


@pytest.mark.parametrize("encoder", ["saliency-vit-s", "tolman-mae", "random", "pixels"])
def test_a_row_of_the_table(encoder: str, measured: Measured) -> None:
    text = (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")
    row = " | ".join(said(measured[encoder, view, head]) for view, head in COLUMNS)
    assert re.search(rf"^\| `?{encoder}`?[^|]*\| {re.escape(row)} \|$", text, re.MULTILINE), row


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (("saliency-vit-s", "ego", "abmilp"), ("saliency-vit-s", "ego", "linear"), "20.8 points (9.5–32.1)"),
        (("tolman-mae", "ego", "efficient"), ("tolman-mae", "ego", "abmilp"), "14.8 (3.9–25.7)"),
        (("tolman-mae", "allo", "efficient"), ("tolman-mae", "allo", "abmilp"), "8.4 (0.4–16.4)"),
        (("saliency-vit-s", "ego", "efficient"), ("saliency-vit-s", "allo", "efficient"), "39.0 (30.4–47.5)"),
        (("saliency-vit-s", "ego", "efficient"), ("random", "ego", "efficient"), "21.0 points (10.1–31.8)"),
        (("tolman-mae", "ego", "efficient"), ("random", "ego", "efficient"), "21.6 (13.7–29.5)"),
        (("tolman-mae", "allo", "efficient"), ("random", "allo", "efficient"), "9.4 (1.8–16.9)"),
        (("tolman-mae", "allo", "efficient"), ("saliency-vit-s", "allo", "efficient"), "9.0 (2.2–15.8)"),
        (("saliency-vit-s", "ego", "efficient"), ("saliency-vit-s", "ego", "cls"), "17.9 (9.7–26.1)"),
        (("saliency-vit-s", "allo", "efficient"), ("saliency-vit-s", "allo", "cls"), "7.0 (2.1–12.0)"),
        (("tolman-mae", "ego", "efficient"), ("tolman-mae", "ego", "cls"), "35.6 (20.0–51.3)"),
        (("tolman-mae", "allo", "efficient"), ("tolman-mae", "allo", "cls"), "25.5 (15.1–35.8)"),
    ],
)
def test_a_difference_in_the_text(
    one: tuple[str, str, str], other: tuple[str, str, str], text: str, measured: Measured
) -> None:
    found = interval_of(paired_differences(measured[one], measured[other]))
    assert text.replace(" points", "") == f"{found.mean:.1f} ({found.low:.1f}–{found.high:.1f})"
    assert text in (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")


ENCODERS = (
    *("sam2-hiera-tiny", "saliency-vit-s", "resnet-50", "efficientnet-lite0"),
    *("mobilenet-v2", "mobile-sam", "random", "pixels"),
)
LAST: dict[str, int] = dict(zip(ENCODERS, (5, 12, 4, 4, 4, 5, 12, 1), strict=True))


@pytest.fixture(scope="module")
def packaged() -> Measured:
    return accuracies("sparrta-probes-packages.csv", LAST)


@pytest.mark.parametrize(("page", "heads"), [("README.md", ("linear", "efficient")), ("docs/probing.md", HEADS)])
@pytest.mark.parametrize("encoder", ENCODERS)
def test_a_row_of_encoders_out_of_packages(page: str, heads: tuple[str, ...], encoder: str, packaged: Measured) -> None:
    cells: list[str] = []
    for view, head in ((view, head) for view, head in COLUMNS if head in heads):
        values = packaged[encoder, view, head]
        triples = len({triple for triple, _ in values})
        star = "*" if (encoder, view, head) == ("resnet-50", "allo", "abmilp") else ""
        assert triples == (4 if star else 5 if head == "abmilp" else 10)
        cells.append(said(values) + star)
    row = " | ".join(cells)
    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.search(rf"^\| `?{encoder}`?[^|]*\| {re.escape(row)} \|$", text, re.MULTILINE), row


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (("sam2-hiera-tiny", "ego", "efficient"), ("random", "ego", "efficient"), "17.1 (6.7–27.5)"),
        (("saliency-vit-s", "ego", "efficient"), ("random", "ego", "efficient"), "15.7 (9.2–22.3)"),
        (("sam2-hiera-tiny", "ego", "efficient"), ("saliency-vit-s", "ego", "efficient"), "1.4, −5.9 to 8.7"),
        (("resnet-50", "ego", "efficient"), ("random", "ego", "efficient"), "1.0 (−6.6 to 8.6)"),
        (("mobile-sam", "ego", "efficient"), ("random", "ego", "efficient"), "−5.9 (−10.5 to −1.3)"),
        (("resnet-50", "ego", "linear"), ("random", "ego", "linear"), "17.9 (12.2–23.6)"),
        (("resnet-50", "ego", "linear"), ("sam2-hiera-tiny", "ego", "linear"), "11.1 (6.2–16.0)"),
        (("resnet-50", "allo", "linear"), ("random", "allo", "linear"), "9.1 (5.5–12.7)"),
        (("sam2-hiera-tiny", "allo", "abmilp"), ("saliency-vit-s", "allo", "abmilp"), "10.8 (1.8–19.9)"),
        (("sam2-hiera-tiny", "allo", "abmilp"), ("random", "allo", "abmilp"), "9.8, −4.6 to 24.1"),
    ],
)
def test_a_difference_between_encoders_out_of_packages(
    one: tuple[str, str, str], other: tuple[str, str, str], text: str, packaged: Measured
) -> None:
    found = interval_of(paired_differences(packaged[one], packaged[other]))
    numbers = [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.\d", text)]
    assert numbers == [round(value, 1) for value in (found.mean, found.low, found.high)]
    assert text in (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")


def test_no_mean_from_the_person_is_above_45_percent(packaged: Measured) -> None:
    means = [interval_of(values).mean for (_, view, _), values in packaged.items() if view == "allo"]
    assert max(means) < 45


@pytest.mark.parametrize(
    ("encoder", "layer", "name"),
    [
        *(("resnet-50", stage, f"stage {stage}") for stage in (1, 2, 3, 4)),
        *(("saliency-vit-s", block, f"block {block}") for block in (2, 4, 6, 8, 10, 12)),
    ],
)
def test_a_row_by_depth(encoder: str, layer: int, name: str) -> None:
    found = accuracies("sparrta-probes-packages.csv", LAST | {encoder: layer})
    first = {"forest", "desert", "winter_town", "bridge", "city"}
    cells = [
        said({key: value for key, value in found[encoder, view, "efficient"].items() if key[0] in first})
        for view in ("ego", "allo")
    ]
    text = (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")
    assert f"| {encoder}, {name} | {' | '.join(cells)} |" in text


@pytest.mark.parametrize(
    ("encoder", "text"), [("saliency-vit-s", "10.0 points (0.5–19.5)"), ("random", "7.2 (2.3–12.2)")]
)
def test_more_pictures_help_from_the_person(encoder: str, text: str, measured: Measured, packaged: Measured) -> None:
    many, few = measured[encoder, "allo", "efficient"], packaged[encoder, "allo", "efficient"]
    found = interval_of({key: value - few[key] for key, value in many.items() if key in few})
    assert text.replace(" points", "") == f"{found.mean:.1f} ({found.low:.1f}–{found.high:.1f})"
    assert text in (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")


def test_shuffled_labels_say_what_their_rows_give() -> None:
    with (RESULTS / "sparrta-probes-packages.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["shuffled"] == "yes"]
    mean = 100 * sum(float(row["test"]) for row in rows) / len(rows)
    assert f"{mean:.1f}" == "21.8"


@pytest.mark.parametrize("encoder", ["saliency-vit-s", "tolman-mae", "random"])
def test_the_difference_between_environments(encoder: str, measured: Measured) -> None:
    by_place: dict[str, dict[tuple[str, int], list[float]]] = {"desert": {}, "winter_town": {}}
    for view, head in COLUMNS:
        for (triple, seed), value in measured[encoder, view, head].items():
            by_place[triple.rstrip("_0123456789")].setdefault((triple, seed), []).append(value / 100)
    desert, town = ({unit: sum(some) / len(some) for unit, some in by_place[name].items()} for name in by_place)
    found, triples = unpaired_difference(desert, town)
    assert triples == 3
    text = f"{100 * found.mean:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})".replace("-", "−")
    page = (ROOT / "docs" / "probing.md").read_text(encoding="utf-8").replace(" points", "")
    assert f"{text} for {encoder}" in page, text


def test_verdicts_on_clutter_and_depth_are_those_of_the_rows() -> None:
    groups: dict[_Place, list[SeedResult]] = {}
    with (RESULTS / "sparrta-probes-packages.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["shuffled"] == "no":
                key = _Place(*(row[name] for name in _Place._fields))
                validation, test = float(row["validation"]), float(row["test"])
                result = SeedResult(int(row["seed"]), 0, 0, validation, test, test, 1, 1, ())
                groups.setdefault(key, []).append(result)
    cells = [ProbeCell(_key(place), tuple(results)) for place, results in groups.items()]
    found = {one.compared: one for one in other_findings(probed_encoders(cells))}
    clutter = [one for name, one in found.items() if name.endswith(": desert and forest minus city and winter town")]
    assert [one.state for one in clutter] == ["open"] * len(ENCODERS)
    assert all(one.difference.mean > 0 for one in clutter)
    text = (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")
    for name, shown, state in (
        ("sam2-hiera-tiny: desert and forest minus city and winter town", "3.9 (−14.3 to 22.0)", "open"),
        ("saliency-vit-s: desert and forest minus city and winter town", "2.1 (−12.6 to 16.8)", "open"),
        ("resnet-50, ego, Efficient: layer 3 minus layer 4, the last", "12.0 (6.6–17.5)", "holds"),
        ("saliency-vit-s, ego, Efficient: layer 8 minus layer 12, the last", "−10.0 (−21.5 to 1.5)", "open"),
    ):
        one = found[name]
        numbers = [float(number.replace("−", "-")) for number in re.findall(r"−?\d+\.\d", shown)]
        assert numbers == [
            round(100 * value, 1) for value in (one.difference.mean, one.difference.low, one.difference.high)
        ]
        assert one.state == state
        assert shown in text
    others = [one.state for name, one in found.items() if ", allo, Efficient: layer" in name]
    assert others == ["open", "open"]


class _Place(NamedTuple):
    encoder: str
    layer: str
    head: str
    viewpoint: str
    environment: str
    triple: str


def _key(place: _Place) -> ProbeCellKey:
    protocol = find_protocol("paper", place.head, place.viewpoint).as_dict()
    encoder, viewpoint = place.encoder, cast("Viewpoint", place.viewpoint)
    layers = (int(place.layer), LAST[encoder])
    where = (place.triple, place.environment, viewpoint)
    return ProbeCellKey(encoder, "w", *layers, *where, place.head, False, protocol, "p", "l", "x")


def test_the_table_of_calibration_says_what_was_measured() -> None:
    page = (ROOT / "docs" / "ideal-observer.md").read_text(encoding="utf-8")
    measured = {
        name: json.loads((RESULTS / f"calibration-{name}.json").read_text(encoding="utf-8"))
        for name in ("generative", "relations")
    }
    for explorer in ("random", "half-strategist", "scout"):
        cells: list[str] = []
        for found in (measured["generative"][explorer], measured["relations"][explorer]):
            excess, low, high = (
                f"{100 * value:.1f}".replace("-0.0", "0.0").replace("-", "−") for value in found["excess"]
            )
            cells += [f"{100 * found['obtained']:.1f}", f"{excess} ({low} to {high})"]
        assert f"| {explorer} | {' | '.join(cells)} |" in page


def test_the_training_majority_of_balanced_labels_is_below_chance_in_the_test() -> None:
    stream, labels = np.random.default_rng(0), np.arange(832) % 4
    right: list[float] = []
    for _ in range(4000):
        mixed = stream.permutation(labels)
        majority = int(np.bincount(mixed[:666]).argmax())
        right.append(mixed[749:].tolist().count(majority) / 83)
    assert f"{100 * sum(right) / len(right):.1f} % (simulated)" in (ROOT / "docs" / "probing.md").read_text(
        encoding="utf-8"
    )


def test_speed_and_memory_of_demonstrations_are_those_of_the_samples() -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    with (RESULTS / "demonstrations.csv").open(encoding="utf-8", newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    worlds, seconds = rows[-1]["worlds_written"], rows[-1]["seconds"]
    assert f"{worlds:,.0f} worlds in {seconds:,.0f} seconds" in page
    assert worlds == 10_000
    assert f"{worlds / seconds:.1f} per second" in page
    assert f"takes {rows[-1]['cpu_seconds'] / worlds:.3f} CPU seconds per world" in page
    assert f"at most {max(row['largest_mb'] for row in rows):.0f} MB in one" in page
    assert {row["processes"] for row in rows} == {5}, "two workers from the first sample to the last"
    memory = [row["total_mb"] for row in rows if row["worlds_written"]]
    assert len(memory) > 200, "the whole run"
    assert f"{min(memory):.0f} to {max(memory):.0f} MB" in page
    assert max(memory) - min(memory) < 5, "memory is flat"


def test_speed_on_a_gpu_is_what_was_measured() -> None:
    measured = json.loads((RESULTS / "render-h200.json").read_text("utf-8"))
    page = (ROOT / "docs" / "vision-world.md").read_text("utf-8")
    one, some, many = (measured["previews"]["rates"][key] for key in ("1", "16", "48"))
    assert (
        f"{one:.0f} views per second one by one, {some:,.0f} in batches of 16 and {many:,.0f} in batches of 48" in page
    )
    view = measured["steps"]["all with denoising"]["ms"]
    assert f"`standard` views {view:.1f} ms each" in page
    assert f"{1000 / view:.0f} per second; a new scene {measured['steps']['next_scene_s']:.1f} s" in page
    eight, twelve = (measured[f"workers {count} 16"] for count in (8, 12))
    assert f"{eight['views_per_s']:.0f} views per second with eight and {twelve['views_per_s']:.0f} with twelve" in page
    assert twelve["files"] >= 3 * twelve["views"] > 1000
