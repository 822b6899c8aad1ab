"""What the words of the report mean."""

TERMS = (
    (
        "strict",
        "Corrected scoring, without the defects of the authors' released code; one named switch for each.",
    ),
    ("published", "The same replies to the same questions, scored as the authors' released code does."),
    (
        "interval",
        "95 %, from a bootstrap over scenes, bias-corrected and accelerated (BCa): whole scenes are drawn again, since "
        "questions about one scene rise and fall together. Left out where all scenes agree or there are fewer than "
        "three.",
    ),
    (
        "own map, no map, true map",
        "The model states a map before it answers; it answers from the picture alone; or it is given the true map.",
    ),
    ("vanilla, think", "The answer alone is asked for, or thoughts before it, between tags."),
    (
        "standard, negative",
        "Questions about what is there; and questions that also name things which are common or would fit in, but are "
        "not there. To some the right answer is a sentence that says so.",
    ),
    (
        "precision, recall, F1",
        "Stated objects are paired with those of their class in the room so that distances add up to least, in the "
        "best of four rotations; a pair within 2 cells is found.",
    ),
    (
        "mirror F1",
        "The same for the mirror image of the map. Where it is higher, left and right are confused. The authors' own "
        "maps are mirror images of what the pictures show; unless told otherwise, these are not.",
    ),
    (
        "invented (CHAIR)",
        "Maps that hold any class that is not in the room, and the shares of stated classes and objects that are not.",
    ),
    ("read", "Maps in which a map could be found; others count as 15 cells off, and 0 everywhere else."),
    (
        "chance, constant",
        "What a guess is worth on the same questions; and the one answer to each kind of question that does best here, "
        "which nobody could know beforehand. Maps: everything that is named somewhere, or in the middle.",
    ),
)
