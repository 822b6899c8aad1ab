"""What people are called: any name in, one that is safe in an address, a file name and a table out."""

import re
import unicodedata

from tolman.errors import SettingsError

_LONGEST = 40


def slug(name: str) -> str:
    """A name in small letters, digits and hyphens: `Zoë B.` is `zoe-b`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    safe = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST].strip("-")
    if not safe:
        raise SettingsError("a name needs at least one letter from a to z, or a digit")
    return safe
