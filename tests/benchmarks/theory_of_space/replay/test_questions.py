"""The questions on an episode page: verdicts, and what stands behind each."""

from collections import Counter
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.benchmarks.theory_of_space.replay.episode_pages import insight, opened, random, with_replies, write
from tests.browser import keep_picture, watched
from tolman.benchmarks.theory_of_space.replay.episode_data import answer_verdict, truth_words


def test_questions_can_be_chosen_by_verdict_and_opened(chromium: Browser, tmp_path: Path):
    of = with_replies(random(), {"ask/none/direction/1": "It is somewhere."})
    verdicts = Counter(answer_verdict(known) for known in insight(of).questions)
    assert {"right", "exploration", "unread"} <= verdicts.keys()
    with watched(chromium) as page:
        opened(page, write(tmp_path, of))
        shown = page.locator(".question:visible")
        assert shown.count() == verdicts.total()
        for name, count in verdicts.items():
            page.click(f'.chips [data-verdict="{name}"]')
            assert shown.count() == count
            assert set(shown.evaluate_all("all => all.map(one => one.dataset.verdict)")) == {name}
            expect(page.locator(".chips [aria-pressed=true]")).to_have_attribute("data-verdict", name)
        page.click('.chips [data-verdict=""]')
        assert shown.count() == verdicts.total()
        keep_picture(page, "replay-questions", whole=True)


def test_a_question_tells_truth_reply_scores_and_the_best_reply(chromium: Browser, tmp_path: Path):
    of = random()
    known = insight(of).questions[0]
    question = of.case.questions[0]
    with watched(chromium) as page:
        path = write(tmp_path, of)
        opened(page, path, f"#{known.call}")
        part = page.locator(".question[open]")
        expect(part).to_have_count(1)
        expect(part.locator(".told")).to_have_text(question.text)
        facts = part.locator(".facts")
        expect(facts).to_contain_text(truth_words(question))
        expect(facts).to_contain_text(known.best)
        expect(facts).to_contain_text(f"{100 * known.ceiling:.0f}: expected score of the best reply")
        expect(facts).to_contain_text("strict")
        expect(facts).to_contain_text("published")
        part.locator("details > summary").click()
        assert part.locator(".reply").inner_text().strip() == of.record.replies[known.call].strip()
