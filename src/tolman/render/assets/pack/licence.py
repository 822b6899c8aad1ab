"""Author, terms and address of a model: from its own licence file where it has one, else from its catalogue."""

import html
import re

from tolman.render.assets.pack.catalogue import Catalogue, Entry
from tolman.render.assets.source import Credit

_TERMS = (
    (
        re.compile(r"zero|public domain|cc-?0", re.IGNORECASE),
        "CC0 1.0",
        "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    (
        re.compile(r"attribution 3\.0 united states", re.IGNORECASE),
        "CC BY 3.0 US",
        "https://creativecommons.org/licenses/by/3.0/us/",
    ),
    (
        re.compile(r"attribution 3\.0|by 3\.0", re.IGNORECASE),
        "CC BY 3.0",
        "https://creativecommons.org/licenses/by/3.0/",
    ),
)
_PAGE = re.compile(r"https?://www\.blendswap\.com/blends/view/\d+")
_RELEASED = re.compile(r"released under\s+(.{4,60}?)\s*(?:\n|</|downloaded)", re.IGNORECASE | re.DOTALL)
_HOLDER = re.compile(r"©\s*(?:[\d\s-]+)?(.+)$")
_BY = re.compile(r'downloading ".*?" by (.+)')


def credit_of(catalogue: Catalogue, entry: Entry) -> Credit:
    """The credit of a model. Its kind is left empty: one model may stand for several."""
    own = _own_file(catalogue, entry)
    released = _RELEASED.search(re.sub(r"<a [^>]*>", "", own))
    terms, deed = _terms(released[1] if released else catalogue.licence)
    page = _PAGE.search(own)
    return Credit(
        "", f"{entry.title} [{entry.folder}]", _author(catalogue, entry, own), terms, page[0] if page else deed
    )


def _own_file(catalogue: Catalogue, entry: Entry) -> str:
    inside = (name for name in catalogue.members if name.startswith(f"{entry.folder}/"))
    found = next((name for name in inside if "licen" in name.rpartition("/")[2].lower()), None)
    return catalogue.read(found).decode("utf-8", "replace") if found else ""


def _author(catalogue: Catalogue, entry: Entry, own: str) -> str:
    """The holder of a whole catalogue; else the model's author, whom some catalogues replace by the site's name."""
    holder = _HOLDER.search(catalogue.licence)
    if holder:
        return holder[1]
    named = _BY.search(own)
    if named and entry.author.replace(" ", "").lower() == "blendswap":
        return html.unescape(named[1].strip())
    return entry.author


def _terms(text: str) -> tuple[str, str]:
    return next(((terms, deed) for pattern, terms, deed in _TERMS if pattern.search(text)), (text, ""))
