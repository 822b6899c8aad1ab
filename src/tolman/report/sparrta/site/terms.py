"""What the words of the report mean."""

TERMS = (
    (
        "encoder, probe",
        "A frozen vision network, and a small head that is trained on its tokens to say where the target is: in front "
        "of the source, behind it, or to its left or right.",
    ),
    (
        "ego, allo",
        "As the camera sees it, or as the person in the picture does. Front is beyond the source, on the line from the "
        "viewpoint through it.",
    ),
    ("Linear", "The mean of all patch tokens, LayerNorm, a linear layer."),
    ("AbMILP", "One learnt weight for each token; the weighted mean is classified."),
    ("Efficient", "Efficient probing: four learnt queries, each gathers its own slice of narrower tokens."),
    ("[CLS]", "A linear layer on the one token that stands for the whole picture."),
    (
        "interval",
        "95 %, Student's, over triples: seeds of one triple share its pictures and are averaged first. With fewer than "
        "three triples it is Wilson's, over the pictures of a test, and says nothing about other triples.",
    ),
    (
        "difference",
        "Paired by triple and seed. A finding holds where the interval of the difference lies above 0, is reversed "
        "where it lies below, and is open else. With fewer than three triples it is open.",
    ),
    ("chance, majority", "A quarter; and what always saying the commonest relation of the test pictures gives."),
    ("random", "A ViT that was never trained, probed like all others: what is above it was learnt by an encoder."),
    (
        "triple",
        "A source, a target and a person in one environment. Heads are trained for one triple and tested on pictures "
        "of it that they never saw.",
    ),
    (
        "telling a thing",
        "A linear map of single tokens is to rank patches that show the thing above all others, in pictures that it "
        "was not fitted to. Average precision is 1 where all of them rank first. What can't be told, no probe can "
        "relate.",
    ),
    (
        "attention",
        "The mean weight that a token of one group gives to one token of another, in the encoder itself; maps show "
        "what a probe's own queries look at.",
    ),
    ("shuffled labels", "The control: labels dealt out anew among pictures. Probes must then guess."),
)
