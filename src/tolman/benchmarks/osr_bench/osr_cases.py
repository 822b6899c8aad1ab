"""Which cases an evaluation means: rooms of our own, made from seeds, or those in a folder."""

import importlib.util
from dataclasses import replace
from pathlib import Path

from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import osr_rules
from tolman.benchmarks.osr_bench.own_cases import own_cases
from tolman.benchmarks.osr_bench.stored_cases import is_own_set, stored_cases
from tolman.errors import RenderError, SettingsError
from tolman.world.select import seeds_in


def settled(data: str, options: OsrOptions) -> OsrOptions:
    """The options with what they leave to the data: exact lists of classes but for rooms of our own, unless told."""
    if options.class_list is not None:
        return options
    own = seeds_in(data) is not None or (Path(data).is_dir() and is_own_set(Path(data)))
    distractors = own and osr_rules(options.rules).class_lists_hold_distractors
    return replace(options, class_list="distractors" if distractors else "exact")


def choose_cases(data: str, options: OsrOptions) -> list[OsrCase]:
    """The cases of `7`, `0-49`, `0-9,20-29`, or a folder of scenes. Where pictures can't be had, that is told here."""
    seeds, options = seeds_in(data), settled(data, options)
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
