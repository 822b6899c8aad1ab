"""Running benchmarks on models: calls, server failures, resuming, prices, a cost budget, logs and runs."""
