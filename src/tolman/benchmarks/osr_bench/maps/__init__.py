"""Cognitive maps on a grid: parsing and scoring."""
