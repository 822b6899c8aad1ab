"""Which cases an evaluation means: rooms of our own, made from seeds, or those in a folder."""

import importlib.util
from pathlib import Path

from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.own_cases import own_cases
from tolman.benchmarks.osr_bench.stored_cases import stored_cases
from tolman.errors import RenderError, SettingsError
from tolman.world.select import seeds_in


def choose_cases(data: str, options: OsrOptions) -> list[OsrCase]:
    """The cases of `7`, `0-49`, `0-9,20-29`, or a folder of scenes. Where pictures can't be had, that is told here."""
    seeds = seeds_in(data)
    if seeds is None and not Path(data).is_dir():
        raise SettingsError(f"{data!r} is neither seeds such as 0-49 nor a folder of scenes")
    if seeds is not None:
        if options.views != "blind":
            _check_renderer(options)
        return own_cases(seeds, options)
    cases = stored_cases(Path(data), options)
    for case in cases:
        if options.views != "blind" and not Path(case.picture).is_file():
            raise SettingsError(f"scene {case.id} has no panorama: {case.picture} is missing")
    return cases


def _check_renderer(options: OsrOptions) -> None:
    """Refuse what can't be rendered here or is not known."""
    if importlib.util.find_spec("mitsuba") is None or importlib.util.find_spec("pyoidn") is None:
        raise RenderError("panoramas are rendered with Mitsuba: pip install 'tolman[render]'")
    from tolman.render.assets.choose import find_source  # noqa: PLC0415 loads all that renders
    from tolman.render.engine.presets import find_preset  # noqa: PLC0415

    find_preset(options.preset)
    find_source(options.assets)
