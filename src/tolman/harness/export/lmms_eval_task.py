"""Functions of an lmms-eval task. `tolman export` copies this file beside the task, so it imports nothing of Tolman."""

import re
from typing import Any

PICTURE = re.compile(r"\[picture (\d+)\]")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Doc = dict[str, Any]


def doc_to_visual(doc: Doc) -> list[Any]:
    """The pictures of a question."""
    return [picture.convert("RGB") for picture in doc.get("images") or ()]


def doc_to_text(doc: Doc, lmms_eval_specific_kwargs: dict[str, str] | None = None) -> str:
    """The question with its choices."""
    given = lmms_eval_specific_kwargs or {}
    choices = "\n".join(f"{letter}. {choice}" for letter, choice in zip(LETTERS, doc["choices"], strict=False))
    return f"{given.get('pre_prompt', '')}{doc['question']}\n\n{choices}{given.get('post_prompt', '')}"


def doc_to_messages(doc: Doc, lmms_eval_specific_kwargs: dict[str, str] | None = None) -> list[Doc]:
    """The same as a conversation, with every picture where the text names it."""
    pictures = doc_to_visual(doc)
    content: list[Doc] = [{"type": "image", "url": pictures[0]}] if len(pictures) == 1 else []
    for number, piece in enumerate(PICTURE.split(doc_to_text(doc, lmms_eval_specific_kwargs))):
        if number % 2:
            content.append({"type": "image", "url": pictures[int(piece) - 1]})
        elif piece.strip():
            content.append({"type": "text", "text": piece.strip("\n")})
    return [{"role": "user", "content": content}]


def doc_to_target(doc: Doc) -> str:
    """The letter of the right choice."""
    return str(doc.get("answer") or "")


def read_letter(reply: str, choices: list[str]) -> str:
    """The letter that a reply names, or whose choice it states; empty where there is none, or more than one."""
    text = re.sub(r"<think>.*?</think>", " ", reply, flags=re.DOTALL | re.IGNORECASE).strip()
    text = re.sub(r"[*`$]", "", text).strip()
    letters = LETTERS[: len(choices)]
    marked = re.findall(rf"answer(?:\s+is)?\s*[:=]?\s*\(?([{letters}])\b", text, re.IGNORECASE)
    if marked:
        return marked[-1].upper()
    first = re.match(rf"\(?([{letters}])(?:[.):]|\s*$)", text)
    if first:
        return first[1]
    alone = set(re.findall(rf"(?<![\w'-])\(?([{letters}])\)?(?![\w'])", text))
    if len(alone) == 1:
        return str(alone.pop())
    stated = [letter for letter, choice in zip(letters, choices, strict=True) if choice.lower() in text.lower()]
    return stated[0] if len(stated) == 1 else ""


def process_results(doc: Doc, results: list[str]) -> Doc:
    """Whether the reply is right, with the scene by which errors are clustered."""
    said = read_letter(results[0], doc["choices"])
    about = {"scene": doc["scene"], "id": doc["id"], "index": doc["index"], "letter": said}
    if "answer" not in doc:
        return {"answered": {**about, "score": float(said != "")}}
    return {"accuracy": {**about, "score": float(said == doc["answer"])}}


def mean_score(items: list[Doc]) -> float:
    """The mean score of all questions."""
    return sum(item["score"] for item in items) / len(items)
