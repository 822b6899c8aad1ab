"""Prompts and pictures that are sent to a model, and the replies of scripted models. The texts are in `wordings/`.

In everyday language the nearer object is in front; here front is beyond the source, and every prompt says so.
"""

import base64
import io
from functools import partial
from pathlib import Path

from PIL import Image

from tolman.benchmarks.sparrta.case import LETTERS, VIEWERS, Case, RelationQuestion
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.sample import RELATIONS
from tolman.core.errors import SceneFileError
from tolman.core.files import encoded
from tolman.core.limits import PICTURE_FILE, check_pixels, read_file
from tolman.core.wording import wording
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
