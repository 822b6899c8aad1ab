"""What is said of the paper's findings: counts, names of what leans, and nothing from too few triples."""

from playwright.sync_api import Browser, expect

from tests.benchmarks.sparrta.probes.conftest import Written
from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tests.browser import watched
from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders
from tolman.benchmarks.sparrta.probes.findings import finding_counts, finding_sentences, finding_tables, findings_of

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


def test_a_finding_on_the_overview_leads_to_its_table_on_a_phone_too(chromium: Browser, written: Written):
    with watched(chromium, width=390, height=844) as page:
        page.goto((written.report / "index.html").as_uri())
        table = page.locator("#table-verdicts")
        expect(table).to_be_visible()
        assert table.locator(".scroll").evaluate("box => box.scrollWidth <= box.clientWidth")
        table.get_by_role("link", name="allo < ego").click()
        expect(page.locator("#table-verdict-allo-ego")).to_be_in_viewport()
        expect(page.locator("#table-verdicts")).to_be_hidden()
