"""Cases as multiple-choice sets in the formats of other harnesses, and their results as our logs."""
