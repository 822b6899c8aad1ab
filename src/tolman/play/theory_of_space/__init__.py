"""Theory of Space as people play it."""
