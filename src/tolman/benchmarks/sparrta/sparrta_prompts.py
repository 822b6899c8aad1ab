"""What a model is told: what is in the picture, what is asked, what the four words mean. The texts are in `wordings/`.

In everyday words what is nearer is in front; in this benchmark front is beyond. So every prompt says so.
"""

from functools import partial

from tolman.benchmarks.sparrta.question import VIEWERS, RelationQuestion
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.wording import wording

_page = partial(wording, __package__ or "")


def question_prompt(case: SparrtaCase, question: RelationQuestion, options: SparrtaOptions) -> str:
    """All that is said with the picture."""
    names = {"source": case.source, "target": case.target}
    told = {**names, "viewer": VIEWERS[question.viewpoint]}
    parts = [_page("blind" if options.blind else "picture").fill(**names)]
    if case.pointed is not None and not options.blind:
        across, down = (round(100 * share) for share in case.pointed)
        parts.append(_page("pointed").fill(source=case.source, across=across, down=down))
    parts += [
        _page("asked").fill(**told),
        _page("meaning").fill(**told),
        _page("options").fill(options="\n".join(map(question.lettered, question.options))),
        _page("answer_thinking").fill(**told) if options.think else _page("answer_plain").text,
    ]
    return "\n\n".join(parts)
