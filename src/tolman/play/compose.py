"""From the fields of a page to the text that a model would have written. Nothing else goes into a record."""

from collections.abc import Mapping, Sequence

from tolman.belief.cognitive_map import UnexploredForm
from tolman.explore.actions import Actions, Term
from tolman.play.answer_forms import answer_form
from tolman.play.order import Wanted
from tolman.world import Change

Fields = Mapping[str, Sequence[str]]
"""What a form sent, by name of the field."""

REPLY, END, LETTER, CHANGE = "reply", "end", "letter", "change"
"""Names of fields: a reply in words, the button that ends a phase, a point, a thing that changed."""
POSITION, ORIENTATION = "position", "orientation"


def composed(wanted: Wanted, fields: Fields) -> str:
    """The reply that a form makes; empty where something is missing. Words of one's own go before everything else."""
    if wanted.is_turn and END in fields:
        return str(Actions((), Term(_changes(wanted, fields) if wanted.episode.phase == "revise" else None)))
    said = first(fields, REPLY).strip()
    if said or wanted.is_turn:
        return said
    if wanted.probe == "points":
        return UnexploredForm(unexplored=sorted(set(fields.get(LETTER, ())))).model_dump_json()
    form = answer_form(wanted.question) if wanted.question else None
    return "" if form is None else form.answer({name: first(fields, name) for name in fields})


def _changes(wanted: Wanted, fields: Fields) -> tuple[Change, ...]:
    """What a person says has changed: one choice for each thing."""
    changes: list[Change] = []
    for number, name in enumerate(wanted.episode.brief.things):
        kind = first(fields, f"{CHANGE}-{number}")
        if kind == POSITION:
            changes.append(Change(name, "position"))
        elif kind == ORIENTATION:
            changes.append(Change(name, "orientation"))
    return tuple(changes)


def first(fields: Fields, name: str) -> str:
    """The first value of a field; empty where there is none."""
    return next(iter(fields.get(name, ())), "")
