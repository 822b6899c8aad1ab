"""Probing of frozen vision encoders: tokens of their layers, stored on disk, and small heads trained on them."""
