"""Sets of pictures on disk: making and reading."""
