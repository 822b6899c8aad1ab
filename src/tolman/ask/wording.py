"""The words of questions: one text file for each kind, with `$name` where a part of the question goes."""

from tolman.wording import wording


def word(kind: str, **parts: object) -> str:
    """The text of a question. Parts are put in as they are: a name that looks like a placeholder stays as it is."""
    return wording("tolman.ask", kind).fill(**parts)
