"""The report in a real browser: tabs, tables, figures, on a desk and on a phone, with scripts and without."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.benchmarks.theory_of_space.pages.conftest import Written
from tests.browser import follow, keep_picture, watched

TABS = ("overview", "answers", "maps", "exploration", "cost", "revision", "episodes", "about")


def opened(page: Page, written: Written, tab: str = "") -> Page:
    page.goto(written.index.as_uri() + (f"#{tab}" if tab else ""))
    return page


def drawn(page: Page) -> int:
    """Wait until all figures of the open tab are drawn, however far down they are; how many there are."""
    charts = page.locator("section.tab:not([hidden]) .chart")
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        expect(charts.nth(i).locator("svg").first).to_be_visible()
    return charts.count()


def shown_tab(page: Page) -> str:
    panels = page.locator("section.tab:visible")
    expect(panels).to_have_count(1)
    return panels.first.get_attribute("id") or ""


def test_every_tab_opens_by_click_and_shows_its_figures(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written)
        assert shown_tab(page) == "overview"
        figures = 0
        for tab in TABS:
            page.get_by_role("tab", name=page.locator(f"#tab-{tab}").inner_text(), exact=True).click()
            assert shown_tab(page) == tab
            expect(page).to_have_url(re.compile(f"#{tab}$"))
            figures += drawn(page)
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"report-{tab}", whole=True)
        assert figures >= 12


def test_tabs_by_keyboard(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "answers")
        page.locator("#tab-answers").focus()
        for key, tab in (("ArrowRight", "maps"), ("End", "about"), ("ArrowRight", "overview"), ("ArrowLeft", "about")):
            page.keyboard.press(key)
            assert shown_tab(page) == tab
            assert page.evaluate("document.activeElement.id") == f"tab-{tab}"
        assert page.locator("[role=tab][tabindex='0']").count() == 1
        assert page.locator("[role=tab][aria-selected=true]").get_attribute("id") == "tab-about"


def test_an_address_may_name_a_tab_or_a_figure_within(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "figure-information-gain")
        assert shown_tab(page) == "exploration"
        assert page.locator("#figure-information-gain").evaluate("each => each.getBoundingClientRect().top") < 200


def first_words(cells: Locator) -> list[str]:
    return [text.split("\n")[0] for text in cells.all_inner_texts()]


def test_a_table_sorts_by_any_column_and_keeps_rows_together(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "answers")
        table = page.locator("#table-answers-none table")
        titles = table.locator("tr.heads th").all_inner_texts()
        average = titles.index("average") + 1
        table.get_by_role("button", name="average").click()
        best = table.locator(f"tbody > tr:first-child > :nth-child({average})")
        found = [float(text) for text in first_words(best)]
        assert found == sorted(found, reverse=True)
        table.get_by_role("button", name="average").click()
        assert [float(text) for text in first_words(best)] == found[::-1]
        assert table.locator("th[aria-sort=ascending]").inner_text().startswith("average")
        table.get_by_role("button", name="run").click()
        names = first_words(table.locator("tbody > tr:first-child > th"))
        assert names == sorted(names, key=str.lower)


def test_either_rule_set_can_be_hidden(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "maps")
        strict = page.locator("#table-belief tbody:not(.reference) tr[data-rules=strict]:visible")
        published = page.locator("#table-belief tbody:not(.reference) tr[data-rules=published]:visible")
        assert (strict.count(), published.count()) == (2, 2), "of the two active runs"
        page.get_by_role("radio", name="strict").check()
        assert (strict.count(), published.count()) == (2, 0)
        page.get_by_role("radio", name="published").check()
        assert (strict.count(), published.count()) == (0, 2)
        assert "tolman/random" in "".join(published.all_inner_texts())
        page.get_by_label("rows to compare with").uncheck()
        assert page.locator("#table-belief tbody.reference:visible").count() == 0


def test_episodes_are_found_and_lead_to_their_pages(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "episodes")
        rows = page.locator("#table-episodes tbody:visible")
        assert rows.count() == 9
        page.locator("select[data-column=run]").select_option("tolman/random, questions 1")
        assert rows.count() == 3
        page.get_by_label("Find").fill("active nothing-like-this")
        assert rows.count() == 0
        page.get_by_label("Find").fill("")
        follow(rows.first.get_by_role("link"))
        assert re.search(r"/episodes/tolman-random-active-\w+/scene-0\.html$", page.url)
        assert "tolman/random" in page.locator("body").inner_text()
        follow(page.get_by_role("link", name="index").or_(page.locator("a[href*='index.html']")).first)
        assert shown_tab(page) == "episodes"


def test_a_mark_of_a_scene_opens_it(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written, "figure-gain-and-answers")
        follow(page.locator("#figure-gain-and-answers .mark-symbol.role-mark path").last)
        assert re.search(r"/episodes/.*/scene-\d+\.html$", page.url)


def test_every_link_of_the_report_leads_somewhere(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written)
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        files = {link for link in links if not link.startswith("#")}
        assert len(files) >= 20
        assert [file for file in files if not (written.site / file).is_file()] == []


def test_nothing_sticks_out_on_a_phone(chromium: Browser, written: Written):
    with watched(chromium, width=390, height=844) as page:
        opened(page, written)
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            drawn(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"report-{tab}-phone")


def test_figures_follow_the_light(chromium: Browser, written: Written):
    with watched(chromium) as page:
        page.emulate_media(color_scheme="light")
        opened(page, written, "cost")
        drawn(page)
        label = page.locator("#figure-cost-and-answers .chart svg .role-axis-title text").first
        by_day = label.get_attribute("fill")
        page.emulate_media(color_scheme="dark")
        expect(label).not_to_have_attribute("fill", by_day or "")
        keep_picture(page, "report-cost-dark")


def test_headings_of_numbers_say_what_they_mean(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written)
        heads = page.locator(".sheet tr.heads th:not(.name):not(.words)")
        told = heads.evaluate_all("all => all.map(each => [each.textContent, each.dataset.meaning])")
        assert len(told) > 60
        silent = {title for title, meaning in told if not meaning}
        assert silent <= {"mode", "questions"}, "settings alone, which the command's help explains"


def focus_on(head: Locator) -> None:
    head.locator("button").focus()


def test_what_a_heading_means_is_told_to_pointers_keys_and_fingers(chromium: Browser, written: Written):
    context = chromium.new_context(viewport={"width": 400, "height": 800}, has_touch=True)
    page = context.new_page()
    opened(page, written, "answers")
    box = page.get_by_role("tooltip")
    heads = page.locator("#table-answers-none tr.heads th[data-meaning]:not(.rules)")
    for number, act in enumerate((Locator.hover, focus_on, Locator.tap)):
        head = heads.nth(number)
        act(head)
        expect(box).to_have_text(head.get_attribute("data-meaning") or "")
        edges = box.evaluate("each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]")
        assert 0 <= edges[0] < edges[1] <= 400
        assert head.locator("button").get_attribute("aria-describedby") == box.get_attribute("id")
        page.keyboard.press("Escape")
        expect(box).to_be_hidden()
    context.close()


def test_on_paper_every_tab_is_printed_with_its_figures(chromium: Browser, written: Written):
    with watched(chromium) as page:
        opened(page, written)
        page.emulate_media(media="print")
        assert page.locator("section.tab:visible").count() == len(TABS)
        assert page.locator(".chart:visible").count() == 0, "those of tabs that were never opened would be blank"
        pictures = page.locator("img.still:visible")
        assert pictures.count() == page.locator("figure").count() >= 10
        assert all(pictures.evaluate_all("all => all.map(each => each.naturalWidth > 100)"))


def test_on_a_phone_rows_keep_their_rule_set_in_view(chromium: Browser, written: Written):
    with watched(chromium, width=400, height=800) as page:
        opened(page, written, "answers")
        table = page.locator("#table-answers-none")
        table.locator(".scroll").evaluate("each => each.scrollLeft = 300")
        name = table.locator("tbody tr[data-rules=published] th.name").first
        assert name.evaluate("each => getComputedStyle(each, '::after').content") == '"published"'
        assert name.evaluate("each => each.getBoundingClientRect().left") >= 0
        heads = table.locator("tr.heads th:visible").count()
        assert heads == table.locator("tbody tr").first.locator("th:visible, td:visible").count()


def test_without_scripts_it_is_one_long_page(chromium: Browser, written: Written):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    opened(page, written)
    assert page.locator("section.tab:visible").count() == len(TABS)
    pictures = page.locator("figure img.still:visible")
    assert pictures.count() == page.locator("figure").count()
    assert page.locator("fieldset.switch:visible").count() == 0
    context.close()
