"""Generated rooms as a data set on disk."""
