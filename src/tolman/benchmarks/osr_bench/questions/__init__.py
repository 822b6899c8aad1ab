"""Questions about a room: generation, answers and grading."""
