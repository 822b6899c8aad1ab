"""Options of a benchmark, written once: fields of a frozen dataclass, each with a docstring below it.

From these fields come the flags of `tolman eval`, the arguments of `inspect eval -T`, what a log records, and the
settings that a report shows.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, asdict, dataclass, field, fields
from functools import cache
from itertools import pairwise, product
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from tolman.core.errors import SettingsError


class OptionsClass(Protocol):
    """A frozen dataclass whose fields are options."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


O = TypeVar("O", bound=OptionsClass)  # noqa: E741


@dataclass(frozen=True)
class Option:
    """One option as a user gives it."""

    field: str
    """Of the dataclass."""
    name: str
    """As a user writes it: the `name` of the field's metadata, or else the field's own."""
    kind: Any
    """Its type, without None and without the tuple around it."""
    default: Any
    help: str
    optional: bool
    """Whether it may be None."""
    listed: bool
    """Whether it is a list of values, separated by commas."""
    parse: Callable[[str], object] | None = None
    """Parses its text, where that is more than a list with commas: `read` of the field's metadata."""
    hidden: bool = False
    """Whether the command line leaves it out; for tests only."""

    @property
    def choices(self) -> tuple[Any, ...]:
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    @property
    def plain_default(self) -> Any:
        """The default as a command line gives it: a tuple becomes text with commas."""
        return _with_commas(cast("object", self.default)) if isinstance(self.default, tuple) else self.default

    def read(self, value: object) -> object:
        """The value as the dataclass takes it: text with commas, lists and single values become tuples."""
        if self.parse is not None:
            return self.parse(_with_commas(value))
        if not self.listed:
            return _with_commas(value) if self.kind is str and value is not None else value
        parts = [part for part in _parts(value) if part or not isinstance(value, str)]
        try:
            return tuple(int(cast("Any", part)) if self.kind is int else str(part) for part in parts)
        except ValueError:
            raise SettingsError(f"{self.name} takes whole numbers such as 0,90, not {value!r}") from None


def _listed(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, list | tuple) else [value]


def _with_commas(value: object) -> str:
    return ",".join(map(str, _listed(value)))


def _parts(value: object) -> Sequence[object]:
    """The values of a list, or of a text with commas; a single value is a list of one."""
    return [part.strip() for part in value.split(",")] if isinstance(value, str) else _listed(value)


@cache
def options_of(cls: type) -> tuple[Option, ...]:
    """The options that a dataclass declares, in their order; those that all benchmarks share come last."""
    texts, hints = _docstrings(cls), get_type_hints(cls)
    ordered = sorted(fields(cast("Any", cls)), key=lambda each: each.kw_only is True)
    return tuple(_option(each, hints[each.name], texts.get(each.name, "")) for each in ordered)


def _option(declared: "Field[Any]", hint: Any, help_text: str) -> Option:
    is_union = get_origin(hint) in (Union, UnionType)
    kind = next(part for part in get_args(hint) if part is not NoneType) if is_union else hint
    listed = get_origin(kind) is tuple
    if listed:
        kind = get_args(kind)[0]
    default = declared.default_factory() if declared.default_factory is not MISSING else declared.default
    about = declared.metadata
    return Option(
        field=declared.name,
        name=about.get("name", declared.name),
        kind=kind,
        default=about.get("default", default),
        help=help_text,
        optional=is_union and NoneType in get_args(hint),
        listed=listed,
        parse=about.get("read"),
        hidden=about.get("hidden", False),
    )


def _docstrings(cls: type) -> dict[str, str]:
    """The docstrings of the fields of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed([each for each in cls.__mro__ if "__dataclass_fields__" in vars(each)]):
        body = cast("ast.ClassDef", ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]).body
        for node, below in pairwise(body):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(below, ast.Expr):
                text = below.value
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found[node.target.id] = " ".join(text.value.split())
    return found


def read_options(cls: type[O], given: Mapping[str, object]) -> O:
    """Options from values by the names that users give, or that a log holds; missing ones have their defaults."""
    values = {option.field: option.read(given[option.name]) for option in options_of(cls) if option.name in given}
    return cls(**cast("Any", values))


def recorded(options: OptionsClass) -> dict[str, object]:
    """Plain values by field, for a log."""
    values = asdict(cast("Any", options))
    return {
        name: list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
        for name, value in values.items()
    }


@dataclass(frozen=True)
class RecordedOptions:
    """Base of options that logs hold."""

    wordings: str = field(default="", kw_only=True)
    """Folder of prompts in other words; `tolman wordings` writes ours as a start. Default: ours."""

    def as_dict(self) -> dict[str, object]:
        """Plain values by field, for tables and entries; `wordings` only where prompts are not ours."""
        values = recorded(cast("OptionsClass", self))
        return values if self.wordings else {name: value for name, value in values.items() if name != "wordings"}


def from_record(cls: type[O], values: Mapping[str, object], unrecorded: Mapping[str, object] | None = None) -> O:
    """The options that a log holds; `unrecorded` has the values for logs written before an option existed."""
    plain = {**(unrecorded or {}), **values}
    return cls(
        **cast("Any", {name: tuple(cast("list[object]", v)) if isinstance(v, list) else v for name, v in plain.items()})
    )


def combinations(given: Mapping[str, object], several: Sequence[str]) -> Iterator[dict[str, object]]:
    """One mapping for each combination of values of the options in `several`, each value once."""
    for values in product(*(dict.fromkeys(_parts(given[name])) for name in several)):
        yield {**given, **dict(zip(several, values, strict=True))}
