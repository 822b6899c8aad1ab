"""The web pages on which a person takes Theory of Space: the same protocol and the same logs as a model."""
