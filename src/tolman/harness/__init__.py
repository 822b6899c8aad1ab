"""Running benchmarks on models: calls, servers that fail, resuming, prices, a cost budget, logs and runs."""
