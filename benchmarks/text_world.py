"""How fast the text world is: scenes, episode steps and belief updates, from 2 to 32 rooms, and memory.

Figures are CPU time of this process, so that a busy machine does not change them much. Run with `make benchmark`.
The reference figures are those measured of the authors' released code, in CPU time too, on another machine.
"""

import argparse
import gc
import resource
import time
from statistics import fmean

from rich.console import Console
from rich.table import Table

from tolman.belief import Belief
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, step
from tolman.world import Scene, WorldSettings, generate

ROOMS = (2, 3, 4, 8, 16, 32)
REFERENCE = "reference, 3 rooms: scene 5.3 ms; belief update mean 6.8 ms, worst 3,570 ms"


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed and memory of the text world")
    parser.add_argument("--scenes", type=int, default=50, help="scenes of each size")
    parser.add_argument("--episodes", type=int, default=10_000, help="episodes of the memory test")
    options = parser.parse_args()
    console = Console(width=110)
    table = Table(title="Text world (CPU time)", box=None, padding=(0, 2, 0, 0), title_justify="left")
    update = ("updates", "updates/s", "update mean ms", "worst ms", "ms/room explored")
    for heading in ("rooms", "ms/scene", "steps/s", *update):
        table.add_column(heading, justify="right")
    for rooms in ROOMS:
        table.add_row(str(rooms), *_measure(rooms, options.scenes))
    console.print(table)
    console.print(REFERENCE, style="dim")
    console.print(_memory(options.episodes))


def _measure(rooms: int, count: int) -> tuple[str, ...]:
    settings = WorldSettings(rooms=rooms)
    begin = time.process_time()
    scenes = [generate(seed, settings) for seed in range(count)]
    per_scene = (time.process_time() - begin) / count
    episodes = [run_explorer(agent, scene) for scene in scenes for agent in ("scout", "strategist")]
    per_step = _replay(episodes)
    updates = [seconds for episode in episodes for seconds in _updates(episode)]
    explored = sum(updates) / (len(episodes) * rooms)
    return (
        f"{1e3 * per_scene:.2f}",
        f"{1 / per_step:,.0f}",
        f"{len(updates):,}",
        f"{1 / fmean(updates):,.0f}",
        f"{1e3 * fmean(updates):.3f}",
        f"{1e3 * max(updates):.2f}",
        f"{1e3 * explored:.2f}",
    )


def _replay(episodes: list[Episode]) -> float:
    """CPU seconds of one step, the agent's thinking left out."""
    steps = 0
    begin = time.process_time()
    for recorded in episodes:
        episode = Episode(recorded.scene, recorded.settings)
        for turn in recorded.turns:
            episode = step(episode, turn.asked)
            steps += 1
    return (time.process_time() - begin) / steps


def _updates(episode: Episode) -> list[float]:
    """CPU seconds of every belief update of an exploration."""
    belief = Belief.start(episode.scene.names, episode.scene.extent)
    seconds: list[float] = []
    for turn in episode.turns:
        if turn.feedback is not None:
            begin = time.process_time()
            belief = belief.after(turn.feedback)
            seconds.append(time.process_time() - begin)
    return seconds


def _memory(episodes: int) -> str:
    """Peak memory after a tenth of the episodes and after all of them."""
    peaks: list[float] = []
    for number in range(episodes):
        _one_episode(generate(number % 500))
        if number + 1 in (episodes // 10, episodes):
            gc.collect()
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    early, late = peaks
    return f"peak memory: {early:.1f} MiB after {episodes // 10:,} episodes, {late:.1f} MiB after {episodes:,}"


def _one_episode(scene: Scene) -> None:
    episode = run_explorer("scout", scene)
    Belief.start(scene.names, scene.extent).after_all(
        turn.feedback for turn in episode.turns if turn.feedback is not None
    )


if __name__ == "__main__":
    main()
