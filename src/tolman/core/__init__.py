"""Shared by all layers: geometry, bins, seeds, wording, rules, errors, limits, files, parallel map, reply parsing."""
