"""One picture from end to end: each question on a branch of its own."""

from functools import partial
from pathlib import Path

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText

from tolman.benchmarks.model_calls import ModelCalls, together
from tolman.benchmarks.one_by_one import one_by_one
from tolman.benchmarks.sparrta.known_replies import known_reply
from tolman.benchmarks.sparrta.question import RelationQuestion
from tolman.benchmarks.sparrta.sent_picture import picture_url
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.benchmarks.sparrta.sparrta_prompts import question_prompt

PICTURE_SOURCE = "picture"
"""Of the note in the log that holds the picture as it was sent: `{"picture": DATA URL}`."""


async def run_case(case: SparrtaCase, options: SparrtaOptions, calls: ModelCalls) -> None:
    """Ask all questions about a picture; none knows of another."""
    seen: list[Content] = []
    if not options.blind:
        url = await one_by_one(partial(picture_url, Path(case.picture), options.size))
        transcript().info({"picture": url}, source=PICTURE_SOURCE)
        seen.append(ContentImage(image=url))

    async def ask(question: RelationQuestion) -> None:
        text = question_prompt(case, question, options)
        message = ChatMessageUser(content=[*seen, ContentText(text=text)] if seen else text)
        await calls.send([message], known_reply(case, question, options))

    await together("", [ask(question) for question in case.questions])
