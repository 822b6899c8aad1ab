"""What the words of the page mean."""

TERMS = (
    (
        "front, back, left, right",
        "Where the target is to the source for someone who stands at the source and looks on along the line of sight, "
        "away from the viewer. Front is beyond the source, back is on the viewer's side of it, which is not how the "
        "words are used every day; so each prompt says what they mean.",
    ),
    ("camera, person", "Whose line of sight counts: ego and allo in the paper. Which way the person faces does not."),
    (
        "ambiguous",
        "Where the target is within 15 degrees of a diagonal (or as the settings say), nothing is asked from there.",
    ),
    ("right", "Questions answered rightly, of all that were asked. Chance is 25 %."),
    (
        "balanced",
        "The mean over the four relations of how many questions are answered rightly where that relation is the true "
        "one: to say always the same word gets 25 %, however often it is true.",
    ),
    ("not read", "The reply names none of the four, or several, or a word against its letter. It counts as wrong."),
    (
        "interval",
        "95 %: Wilson's from one viewpoint, where each picture has one answer; else from drawing pictures again.",
    ),
    ("chance, majority", "Any of four words; and the word that is true most often from a viewpoint, said always."),
    (
        "as from camera",
        "Of pictures whose right answer is another from the person than from the camera: how often the camera's is "
        "given when the person's is asked for.",
    ),
)
