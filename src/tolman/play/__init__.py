"""The page where a person plays: the same protocol as a model's, and the same logs."""
