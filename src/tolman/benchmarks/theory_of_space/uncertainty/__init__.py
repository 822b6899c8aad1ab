"""Task conditions about what a model knows that it does not know, scored against the posterior of an ideal observer."""
