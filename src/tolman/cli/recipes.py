"""Recipes: a benchmark, its options and one model or several, from a file or from Python; checked, run, and written
as YAML that reads back.

The options are those of the command line: fields of `ModelOptions` and of the benchmark's `Selection` and `Options`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import TypeAdapter, ValidationError

from tolman.cli.arguments import counting_bar
from tolman.cli.model_options import ModelOptions
from tolman.core.errors import SettingsError
from tolman.core.limits import JSON_FILE, read_file
from tolman.harness.benchmark import AnyBenchmark
from tolman.harness.cost import set_price
from tolman.harness.evaluation import RunOutcome, evaluate
from tolman.harness.options import Option, combinations, options_of, read_options
from tolman.harness.registry import find_benchmark, find_task

_MODEL_OPTIONS = {each.name: each for each in fields(ModelOptions)}
_PAIRS = ("model_arg", "set_option")
_ALIASES = {"set": "set_option", "models": "model"}
_WRITTEN = {"set_option": "set"}
_SHORT = {"M": "model_arg"}


@dataclass(frozen=True)
class Recipe:
    """What is to be run."""

    benchmark: str
    models: tuple[ModelOptions, ...]
    given: Mapping[str, object]
    """Options of the benchmark that were given, by the names that users write."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where the logs of each model go."""
        return tuple(options.folder(self.benchmark) for options in self.models)


def given_flags(tokens: Sequence[str]) -> dict[str, object]:
    """Options as a command line gives them, by name: `--scenes 0-4 --no-think` is `scenes` and `think`.

    Values are texts, True or False; a flag that is given several times has a list.
    """
    given: dict[str, object] = {}
    name = ""
    for token in tokens:
        if token.startswith("--") or (token.startswith("-") and token[1:] in _SHORT):
            written, equals, value = token.lstrip("-").partition("=")
            name = _plain_name(_SHORT.get(written, written))
            if equals:
                _give(given, name, value)
                name = ""
            else:
                negative = name.startswith("no_")
                name = name.removeprefix("no_")
                _give(given, name, not negative)
        elif name and _latest(given, name) is True:
            _give(given, name, token, instead=True)
        else:
            raise SettingsError(f"{token[:80]!r} follows no flag; give options as --name value")
    return given


def _latest(given: Mapping[str, object], name: str) -> object:
    found = given[name]
    return cast("list[object]", found)[-1] if isinstance(found, list) else found


def _give(given: dict[str, object], name: str, value: object, *, instead: bool = False) -> None:
    before = given.get(name)
    listed = list(cast("list[object]", before)) if isinstance(before, list) else [before] * (name in given)
    listed = [*listed[: -1 if instead else None], value]
    given[name] = listed if len(listed) > 1 else value


def read_recipe(path: Path, given: Mapping[str, object] | None = None) -> Recipe:
    """The recipe in a YAML file; options in `given`, as `given_flags` reads them, override it, for every model."""
    if not path.is_file():
        raise SettingsError(f"there is no file {path}; tolman eval BENCHMARK ... --print-config writes one")
    try:
        values = yaml.safe_load(read_file(path, JSON_FILE))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, Mapping):
        raise SettingsError(f"{path} does not hold options; write one as `name: value` on each line")
    known = {str(key): value for key, value in cast("Mapping[object, object]", values).items()}
    if "benchmark" not in known:
        raise SettingsError(f"{path} names no benchmark; add a line such as `benchmark: theory-of-space`")
    try:
        return _overridden(str(known.pop("benchmark")), known, given or {})
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def _overridden(benchmark: str, known: dict[str, object], given: Mapping[str, object]) -> Recipe:
    """A recipe with options of a file and of a command line."""
    if not given:
        return make_recipe(benchmark, known)
    options = {option.name: option for option in _options(find_benchmark(benchmark))}
    values = {name: _typed(options.get(name), value) for name, value in given.items()}
    plain = {_plain_name(name): value for name, value in known.items()}
    own = values.keys() & _MODEL_OPTIONS.keys() - {"model"}
    listed = plain.get("model")
    if "model" not in values and isinstance(listed, list | tuple):
        plain["model"] = [
            {key: value for key, value in cast("Mapping[str, object]", each).items() if _plain_name(key) not in own}
            if isinstance(each, Mapping)
            else each
            for each in cast("list[object]", listed)
        ]
    return make_recipe(benchmark, plain | values)


def _typed(option: Option | None, value: object) -> object:
    """A text of a flag as YAML would hold it; texts stay texts."""
    if isinstance(value, list):
        return [_typed(option, each) for each in cast("list[object]", value)]
    if not isinstance(value, str) or option is None or option.kind is str or option.listed or option.parse is not None:
        return value
    return yaml.safe_load(value)


def make_recipe(benchmark: str, given: Mapping[str, object]) -> Recipe:
    """A recipe from options by name, of the benchmark and of the evaluation; `model` is one or a list.

    A model is a name, or a mapping with `model` and options of its own. Unknown names are refused.
    """
    found = find_benchmark(benchmark)
    asked = {option.name: option for option in _options(found)}
    shared: dict[str, object] = {}
    options: dict[str, object] = {}
    for written, value in given.items():
        name = _plain_name(written)
        if name in _MODEL_OPTIONS:
            shared[name] = value
        elif name in asked:
            options[name] = _checked(asked[name], value, several=name in found.several)
        else:
            raise _unknown(written, benchmark, [*asked, *map(_written, _MODEL_OPTIONS), "benchmark"])
    models = shared.pop("model", None)
    listed = cast("list[object]", models) if isinstance(models, list | tuple) else [models]
    if not listed or models is None:
        raise SettingsError("no model is named; add one, such as `model: openai/gpt-5.2`")
    return Recipe(benchmark, tuple(_model(each, shared, several=len(listed) > 1) for each in listed), options)


def _options(benchmark: AnyBenchmark) -> list[Option]:
    classes = (benchmark.selection_class, benchmark.options_class)
    return [option for cls in classes for option in options_of(cls) if not option.hidden]


def _plain_name(written: str) -> str:
    name = written.replace("-", "_")
    return _ALIASES.get(name, name)


def _written(name: str) -> str:
    return _WRITTEN.get(name, name)


def _unknown(name: str, where: str, known: Sequence[str]) -> SettingsError:
    close = get_close_matches(name.replace("-", "_"), known, 1)
    hint = f"did you mean {close[0]}?" if close else f"tolman eval {where} --help lists them"
    return SettingsError(f"there is no option {name[:80]!r} of {where}; {hint}")


def _model(one: object, shared: Mapping[str, object], *, several: bool) -> ModelOptions:
    own: dict[str, object] = {}
    for written, value in cast("Mapping[object, object]", one if isinstance(one, Mapping) else {"model": one}).items():
        name = _plain_name(str(written))
        if name not in _MODEL_OPTIONS:
            raise _unknown(str(written), "a model", list(map(_written, _MODEL_OPTIONS)))
        own[name] = value
    values = {**shared, **own}
    for name in _PAIRS:
        if isinstance(values.get(name), Mapping):
            listed = cast("Mapping[object, object]", values[name])
            values[name] = [f"{key}={json.dumps(value)}" for key, value in listed.items()]
    try:
        options = TypeAdapter(ModelOptions).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = _written(str(first["loc"][0]) if first["loc"] else "model")
        raise SettingsError(
            f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {first['input']!r:.80}"
        ) from None
    if several and "log_dir" not in own and options.log_dir is not None:
        return replace(options, log_dir=options.log_dir / options.folder_name)
    return options


def _checked(option: Option, value: object, *, several: bool) -> object:
    """A value of the right type for an option that takes no list; others are checked when they are parsed."""
    if option.listed or option.parse is not None or option.kind is str or (value is None and option.optional):
        return value
    if several and isinstance(value, str) and option.kind is not bool:
        return value
    values = tuple(cast("Sequence[object]", value)) if several and isinstance(value, list | tuple) else None
    check = TypeAdapter[object](option.kind)
    try:
        for each in (cast("object", value),) if values is None else values:
            check.validate_python(each, strict=option.kind in (bool, int))
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        raise SettingsError(f"{option.name}: {message[:1].lower()}{message[1:]}, not {value!r:.80}") from None
    return cast("object", value) if values is None else values


def _with_defaults(recipe: Recipe) -> dict[str, object]:
    """All options of the benchmark: those given, and defaults."""
    benchmark = find_benchmark(recipe.benchmark)
    declared = {option.name: option.default for option in _options(benchmark)}
    return {name: benchmark.several.get(name) or default for name, default in declared.items()} | dict(recipe.given)


def _chosen_options(recipe: Recipe, options: ModelOptions) -> dict[str, object]:
    """All options of the benchmark for one model: those given, those that depend on the model, and defaults."""
    benchmark, chosen = find_benchmark(recipe.benchmark), _with_defaults(recipe)
    selected = {option.name: option.default for option in options_of(benchmark.selection_class)}
    dependent = benchmark.default_selection(options.name)
    return chosen | {key: value for key, value in dependent.items() if chosen[key] == selected[key]}


def run_recipe(recipe: Recipe) -> list[tuple[Path, RunOutcome]]:
    """Run all models, one after the other; for each the folder of its logs, and what was done."""
    for options in recipe.models:
        if options.agent is not None:
            find_benchmark(recipe.benchmark).check_scripted(options.agent)
    return [(options.folder(recipe.benchmark), _run(recipe, options)) for options in recipe.models]


def _run(recipe: Recipe, options: ModelOptions) -> RunOutcome:
    """Run every combination of the options with several values."""
    benchmark = find_benchmark(recipe.benchmark)
    chosen = _chosen_options(recipe, options)
    combined = list(combinations(chosen, tuple(benchmark.several)))
    selection = read_options(benchmark.selection_class, chosen)
    for other in benchmark.other_models(selection):
        set_price(other, options.prices, needed=options.limit_cost is not None)
    with counting_bar("pictures", visible=False) as show:
        benchmark.prepare(selection, read_options(benchmark.options_class, combined[0]), show)
    make = find_task(recipe.benchmark)
    return evaluate([make(resume=not options.is_replay, **one) for one in combined], options.plan(recipe.benchmark))


# ---- as YAML ----


def recipe_yaml(recipe: Recipe) -> str:
    """What would be run, with all defaults, as YAML that `read_recipe` reads to the same recipe."""
    described = [_described(options) for options in recipe.models]
    shared = {
        name: value
        for name, value in described[0].items()
        if name not in ("model", "log_dir") and all(name in one and one[name] == value for one in described)
    }
    own = [{name: value for name, value in one.items() if name not in shared} for one in described]
    models = [one["model"] if len(one) == 1 else one for one in own]
    first: dict[str, object] = {"benchmark": recipe.benchmark}
    first |= own[0] if len(own) == 1 else {"model": models}
    chosen = {name: _plain(value) for name, value in _with_defaults(recipe).items()}
    return yaml.safe_dump({**first, **shared, **chosen}, sort_keys=False, allow_unicode=True)


def _described(options: ModelOptions) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, declared in _MODEL_OPTIONS.items():
        value = getattr(options, name)
        if value is not None or declared.default is MISSING:
            found[_written(name)] = _plain(value)
    return found


def _plain(value: Any) -> object:
    if isinstance(value, Path):
        return str(value)
    return list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
