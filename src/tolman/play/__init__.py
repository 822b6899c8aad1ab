"""The web pages on which people take the benchmarks: the same protocol and the same logs as a model."""
