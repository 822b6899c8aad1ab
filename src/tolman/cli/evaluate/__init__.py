"""`tolman eval BENCHMARK`: run a benchmark on a model, go on where the last run was cut off, and print its tables.

Each benchmark is one file here, and is imported when it is called.
"""

from cyclopts import App

eval_app = App(name="eval", help="Run a benchmark on a model; the same command again goes on where it stopped.")
BENCHMARKS = {
    "theory-of-space": ("theory_of_space:evaluate", "Explore, state maps, answer, and revise when the world changes."),
    "osr-bench": ("osr_bench:evaluate", "One panorama: state its map, and answer without inventing what is not there."),
    "sparrta": ("sparrta:evaluate", "One picture: where a thing is to another, from the camera or from a person."),
}
for number, (benchmark, (place, summary)) in enumerate(BENCHMARKS.items()):
    eval_app.command(f"tolman.cli.evaluate.{place}", name=benchmark, help=summary, sort_key=number)
