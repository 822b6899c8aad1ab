"""Prompts and pictures that are sent to a model, whose texts are in `wordings/`, the replies of scripted models, and
the relation that a reply names, with its score. An unparseable reply is wrong; parsing never raises on a model's
text.

In everyday language the nearer object is in front; here front is beyond the source, and every prompt says so.
"""

import base64
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image

from tolman.benchmarks.sparrta.case import LETTERS, VIEWERS, Case, LoggedCase, RelationQuestion
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.sample import RELATIONS, Relation
from tolman.core.errors import SceneFileError
from tolman.core.files import encoded
from tolman.core.limits import PICTURE_FILE, check_pixels, read_file
from tolman.core.reading import Mention, ParseFailure, final_part, or_none, resolve_answer, retracts
from tolman.core.wording import wording
from tolman.harness.records import GradedReply, graded_reply
from tolman.models.call_context import AnswerCallContext

_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png"}


def picture_url(path: Path, size: int) -> str:
    """A data URL of a picture with at most `size` pixels along its longer side."""
    try:
        data = read_file(path, PICTURE_FILE)
        with Image.open(io.BytesIO(data), formats=list(_TYPES)) as picture:
            kind = str(picture.format)
            check_pixels(picture.size, str(path))
            picture.load()
            if max(picture.size) > size:
                data, kind = _smaller(picture, size), "PNG"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise SceneFileError(f"{path} can't be read as a picture") from None
    return f"data:{_TYPES[kind]};base64,{base64.b64encode(data).decode('ascii')}"


def _smaller(picture: Image.Image, size: int) -> bytes:
    scale = size / max(picture.size)
    shape = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    return encoded(picture.convert("RGB").resize(shape, Image.Resampling.BICUBIC), "PNG")


_page = partial(wording, __package__ or "")


def question_prompt(case: Case, question: RelationQuestion, options: Options) -> str:
    """The prompt that is sent with the picture."""
    parts = [
        *question_parts(case, question, options),
        _page("options").fill(options="\n".join(map(question.lettered, question.options))),
        _page("answer_thinking").fill(**_fields(case, question)) if options.think else _page("answer_plain").fill(),
    ]
    return "\n\n".join(parts)


def question_parts(case: Case, question: RelationQuestion, options: Options) -> list[str]:
    """What the prompt says before the options: what is in the picture, the question, and what its words mean."""
    fields = _fields(case, question)
    parts = [_page("blind" if options.blind else "picture").fill(source=case.source, target=case.target)]
    if case.pointed is not None and not options.blind:
        across, down = (round(100 * share) for share in case.pointed)
        parts.append(_page("pointed").fill(source=case.source, across=across, down=down))
    return [*parts, _page("asked").fill(**fields), _page("meaning").fill(**fields)]


def _fields(case: Case, question: RelationQuestion) -> dict[str, str]:
    return {"source": case.source, "target": case.target, "viewer": VIEWERS[question.viewpoint]}


def scripted_reply(case: Case, question: RelationQuestion, options: Options) -> AnswerCallContext:
    """Scripted replies to a question: constant is the first letter, guesses are the four relations."""
    return AnswerCallContext(
        question.viewpoint,
        case.id,
        _worded(question.lettered(question.answer), options),
        _worded(LETTERS[0], options),
        tuple(_worded(relation, options) for relation in RELATIONS),
    )


def _worded(answer: str, options: Options) -> str:
    return f"<think>This was worked out beforehand.</think>\n<answer>{answer}</answer>" if options.think else answer


_MARKED = re.compile(r"\b(?:final\s{1,3})?answer\b(?:\s{1,3}is\b)?\s{0,9}[:=]*+", re.IGNORECASE)
_DECOR = re.compile(r"\\[a-z]*|[*_`\"“”{}$]|</?\w{1,20}>", re.IGNORECASE)
_WORD = re.compile(r"\b(front|back|left|right)\b", re.IGNORECASE)
_CORRECT = re.compile(
    r"\b(?:that's|that is|all) right\b|, right\?"
    r"|\bright\s{1,3}(?=(?:answer|option|choice|letter|in front|in back|ahead)\b)",
    re.IGNORECASE,
)
"""Uses of "right" that mean "correct" or "directly"."""
_LETTER = re.compile(
    r"(?<![\w'-])(?:([B-D])(?![\w'])|(A)(?=\s{0,3}(?:[.:,;()\]/—-]|$)"
    r"|\s{1,3}(?:or|and|not|but|is|because|since|as|rather|which|front|back|left|right)\b))"
)
"""A letter on its own; A only where it can't be an article."""
_CHOSEN = re.compile(r"\b(?i:option|choice|letter)\s{1,3}(?:(?i:is)\s{1,3})?([A-D])\b")
_SMALL = re.compile(r"\s*+\(?([a-d])\)?\s*+\.?\s*+")
_SHORT = 60
"""Maximum length of a last line that is taken as the answer where the lines above name several."""


def read_relation(question: RelationQuestion, reply: str) -> Relation | None:
    """The one relation that a reply settles on; None if it names none, several, or a word that contradicts its letter.

    "Behind" is not parsed: it is ambiguous between front, in the sense used here, and back.
    """
    return or_none(find_relation(question, reply))


def find_relation(question: RelationQuestion, reply: str) -> Relation | ParseFailure:
    """The one relation that a reply settles on, or why there is none."""
    text = _DECOR.sub(" ", final_part(reply)).replace("’", "'").strip()
    text = _CORRECT.sub(lambda match: " " * len(match[0]), text)
    marks = list(_MARKED.finditer(text))
    marked = _named(question, text[marks[-1].end() :]) if marks else ParseFailure.NO_ANSWER
    if marked not in (ParseFailure.NO_ANSWER, ParseFailure.NEGATED):
        return marked
    found = _named(question, text)
    last = text.splitlines()[-1].strip() if text else ""
    if found is ParseFailure.SEVERAL and "\n" in text and len(last) <= _SHORT and not retracts(last):
        alone = _named(question, last)
        return found if isinstance(alone, ParseFailure) else alone
    return found


def _named(question: RelationQuestion, text: str) -> Relation | ParseFailure:
    """The one relation that a text names, by word or by letter."""
    found: list[Mention[Relation]] = [
        Mention(*match.span(), relation)
        for match in _WORD.finditer(text)
        for relation in RELATIONS
        if relation == match[1].lower()
    ]
    letters = [*_CHOSEN.finditer(text), *_LETTER.finditer(text)]
    if small := _SMALL.fullmatch(text):
        letters.append(small)
    for match in letters:
        letter = next(filter(None, match.groups())).upper()
        found.append(Mention(*match.span(), question.by_letter[letter]))
    return resolve_answer(text, sorted(found, key=lambda mention: mention.start))


@dataclass(frozen=True)
class ScoredAnswer:
    """One question with its reply and the parsed relation."""

    question: RelationQuestion
    reply: str | None
    """None if there was no reply."""
    said: Relation | None
    """The parsed relation; None if unparseable."""

    @property
    def right(self) -> bool:
        return self.said == self.question.answer


def score_case(logged: LoggedCase) -> tuple[ScoredAnswer, ...]:
    """The answers to all questions of a case, in their order."""
    replies = logged.record.replies
    return tuple(_scored(question, replies.get(question.viewpoint)) for question in logged.case.questions)


def _scored(question: RelationQuestion, reply: str | None) -> ScoredAnswer:
    return ScoredAnswer(question, reply, None if reply is None else read_relation(question, reply))


def graded_replies(logged: LoggedCase, answers: Sequence[ScoredAnswer]) -> Iterator[GradedReply]:
    """The replies to all questions about a picture."""
    calls = {call.name: call for call in logged.record.calls}
    for answer in answers:
        name = answer.question.viewpoint
        said = ParseFailure.MISSING if answer.reply is None else find_relation(answer.question, answer.reply)
        reason = said if isinstance(said, ParseFailure) else None
        yield graded_reply(logged.case.id, name, calls.get(name), "answers", float(answer.right), reason)
