"""What works with a model: `tolman doctor`."""
