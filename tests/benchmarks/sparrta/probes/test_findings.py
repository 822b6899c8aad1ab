"""What is said of the paper's findings: counts, names of what leans, and nothing from too few triples."""

from dataclasses import replace
from typing import Any, cast

import pytest
from playwright.sync_api import Browser, expect
from scipy import stats

from tests.benchmarks.sparrta.probes.conftest import Written
from tests.benchmarks.sparrta.probes.synthetic_cells import cell, probes_of
from tests.browser import watched
from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.export import as_dict, probe_tables
from tolman.benchmarks.sparrta.probes.findings import finding_counts, finding_sentences, finding_tables, findings_of
from tolman.benchmarks.sparrta.probes.means import unpaired_difference
from tolman.benchmarks.sparrta.probes.other_findings import OtherFinding, other_findings, other_sentences

TRIPLES = ("forest", "forest_2", "forest_3")


def steps(encoder: str, *more: float) -> list[ProbeCell]:
    """AbMILP is better than Linear by so much in each triple."""
    by_triple = dict(zip(TRIPLES, more, strict=False))
    linear = [cell("linear", triple, "ego", 0.5, 0.5, encoder=encoder) for triple in by_triple]
    abmilp = [cell("abmilp", triple, "ego", 0.5 + by, 0.5 + by, encoder=encoder) for triple, by in by_triple.items()]
    return [*linear, *abmilp]


def test_only_what_leans_the_other_way_is_named():
    cells = [*steps("up", 0.3, 0.01, 0.02), *steps("level", -0.1, 0.1, 0.0), *steps("down", -0.3, 0.1, 0.05)]
    found = findings_of(probed_encoders(cells))
    (said,) = finding_sentences(found)
    assert said.startswith("Linear < AbMILP: it holds in 0 of 3 comparisons. It is open in 3 and leans")
    assert "in 1 of these: down, forest, ego (−5.0," in said
    assert "level" not in said
    assert "up" not in said


def test_two_triples_settle_nothing_however_clear_they_are():
    found = findings_of(probed_encoders(steps("clear", 0.3, 0.31)))
    found += findings_of(probed_encoders(steps("backward", -0.3, -0.31)))
    assert [one.state for one in found] == ["open", "open"]
    assert all(abs(one.difference.mean) > 0.3 - 1e-9 for one in found)
    assert finding_sentences(found)[-1] == "All comparisons are open because there are fewer than three triples."
    table = finding_counts(found)
    assert [one.text for one in table.entries[0].rows[0].cells] == ["0", "2", "0"]
    assert "there are fewer than three triples" in " ".join(table.notes)
    (full,) = finding_tables(found)
    assert all("✓" not in one.text and "✗" not in one.text for entry in full.entries for one in entry.rows[0].cells)
    assert [one.state for one in findings_of(probed_encoders(steps("clear", 0.3, 0.31, 0.32)))] == ["holds"]


def test_one_pair_of_seeds_has_no_interval():
    cells = [cell("linear", "forest", "ego", 0.6, 0.7), cell("abmilp", "forest", "ego", 0.5, 0.6)]
    found = findings_of(probed_encoders(cells))
    assert "made, forest, ego (−10.0, no interval)" in finding_sentences(found)[0]


def test_shares_never_differ_by_more_than_all():
    (one,) = findings_of(probed_encoders(steps("wild", -0.5, 0.5, 0.4)))
    assert (one.difference.low, one.difference.high) == (-1, 1)


def test_the_overview_counts_over_all_environments():
    cells = [*steps("made", 0.3, 0.31, 0.32), cell("linear", "city", "ego", 0.5), cell("abmilp", "city", "ego", 0.8)]
    found = findings_of(probed_encoders(cells))
    assert {(one.environment, one.state) for one in found} == {("", "holds"), ("forest", "holds"), ("city", "open")}
    table = finding_counts(found)
    assert [one.text for one in table.entries[0].rows[0].cells] == ["1", "0", "0"]


def others(*cells: ProbeCell) -> dict[str, list[OtherFinding]]:
    by_claim: dict[str, list[OtherFinding]] = {}
    for one in other_findings(probed_encoders(cells)):
        by_claim.setdefault(one.claim, []).append(one)
    return by_claim


def in_places(**means: float) -> list[ProbeCell]:
    """Three triples in each place, around a mean."""
    return [
        cell("linear", f"{place}_{number}", "ego", mean + shift)
        for place, mean in means.items()
        for number, shift in enumerate((-0.02, 0.0, 0.02), start=1)
    ]


def test_clutter_is_compared_over_triples_of_different_places():
    (found,) = others(*in_places(desert=0.8, forest=0.7, city=0.5))["cluttered environments are harder"]
    assert found.compared == "made: desert and forest minus city"
    assert found.difference.mean == pytest.approx(0.25)
    assert (found.state, found.triples) == ("holds", 3)
    (against,) = others(*in_places(desert=0.5, winter_town=0.8))["cluttered environments are harder"]
    assert (against.state, against.compared) == ("reversed", "made: desert minus winter town")
    lucky = cell("efficient", "city_1", "ego", 1.0)  # a head that no other triple has
    (same,) = others(*in_places(desert=0.8, forest=0.7, city=0.5), lucky)["cluttered environments are harder"]
    assert same.difference == found.difference
    (alone,) = others(*in_places(desert=0.5))["cluttered environments are harder"]
    assert alone.state is None


def test_the_interval_between_places_is_welchs():
    values = (0.60, 0.70, 0.80, 0.70), (0.43, 0.45, 0.47)
    one, other = ({(f"triple {i}", seed): v for i, v in enumerate(some) for seed in (0, 1)} for some in values)
    found, triples = unpaired_difference(one, other)
    wanted: Any = cast("Any", stats).ttest_ind(*values, equal_var=False)
    interval = wanted.confidence_interval(0.95)
    assert triples == 3
    assert (found.low, found.mean, found.high) == pytest.approx((interval.low, 0.25, interval.high))


def by_layer(tests: dict[int, float], validations: dict[int, float]) -> list[ProbeCell]:
    cells = [
        cell("efficient", triple, "ego", tests[layer] + by, layer=layer, layers=4)
        for triple, by in zip(TRIPLES, (0.0, 0.01, 0.02), strict=True)
        for layer in tests
    ]
    return [
        replace(one, results=tuple(replace(seed, validation=validations[one.key.layer]) for seed in one.results))
        for one in cells
    ]


def test_the_layer_before_the_last_is_chosen_by_validation_and_compared_in_the_test():
    cells = by_layer({1: 0.4, 2: 0.9, 3: 0.7, 4: 0.5}, {1: 0.4, 2: 0.6, 3: 0.8, 4: 0.5})
    (found,) = others(*cells)["relations peak before the last layer"]
    assert found.compared == "made, ego, Efficient: layer 3 minus layer 4, the last"
    assert found.difference.mean == pytest.approx(0.2)
    (alone,) = others(*by_layer({4: 0.5}, {4: 0.5}))["relations peak before the last layer"]
    assert (alone.state, alone.compared) == (None, "probe several layers, --layers all")


def test_vggt_is_not_measured_here_unless_it_was():
    claims = ("3D supervision helps patches: VGGT > DINOv2", "3D supervision does not help pooled tokens")
    found = others(*steps("dinov2-l14-reg", 0.1, 0.2, 0.3))
    assert [found[claim][0].state for claim in claims] == [None, None]
    assert "Not measured here: " in other_sentences(found[claims[0]])[0]
    both = [
        cell(head, triple, "ego", value + by, encoder=encoder)
        for encoder, head, value in (
            ("dinov2-l14-reg", "linear", 0.7),
            ("vggt-l14", "linear", 0.6),
            ("dinov2-l14-reg", "efficient", 0.8),
            ("vggt-l14", "efficient", 0.9),
        )
        for triple, by in zip(TRIPLES, (0.0, 0.01 if encoder == "vggt-l14" else 0.0, 0.0), strict=True)
    ]
    found = others(*both)
    for claim, compared in zip(claims, ("vggt-l14 minus dinov2-l14-reg, Efficient, ego", "dinov2"), strict=True):
        (one,) = found[claim]
        assert one.compared.startswith(compared)
        assert one.difference.mean == pytest.approx(0.1, abs=0.01)
        assert one.state == "holds"


def test_other_findings_are_printed_and_exported():
    probes = probes_of(*in_places(desert=0.8, city=0.5))
    printed = " ".join(str(getattr(part, "title", part)) for part in probe_tables(probes))
    assert "Other findings of the paper" in printed
    assert "Cluttered environments are harder: it holds in 1 of 1 comparison." in printed
    assert "Not measured here: relations peak before the last layer (probe several layers, --layers all)" in printed
    rows = cast("list[dict[str, object]]", as_dict(probes)["other_verdicts"])
    assert [row["state"] for row in rows] == ["holds"] + ["not measured"] * 5


def test_a_finding_on_the_overview_leads_to_its_table_on_a_phone_too(chromium: Browser, written: Written):
    with watched(chromium, width=390, height=844) as page:
        page.goto((written.report / "index.html").as_uri())
        table = page.locator("#table-verdicts")
        expect(table).to_be_visible()
        assert table.locator(".scroll").evaluate("box => box.scrollWidth <= box.clientWidth")
        table.get_by_role("link", name="allo < ego").click()
        expect(page.locator("#table-verdict-allo-ego")).to_be_in_viewport()
        expect(page.locator("#table-verdicts")).to_be_hidden()
