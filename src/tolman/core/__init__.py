"""For every layer: geometry, bins, seeds, wording, rules, errors, limits, files, parallel work, reply parsing."""
