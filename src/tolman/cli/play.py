"""`tolman play`: pages on which a person takes a benchmark, with the same logs as for a model.

Its flags are the options of the benchmarks that can be chosen for people.
"""

import re
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import Annotated, Any, cast, get_args

from cyclopts import Group, Parameter
from rich.console import Console

from tolman.cli.arguments import option_flags
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.harness.names import usual_log_dir
from tolman.harness.registry import BENCHMARKS, find_benchmark, load
from tolman.models.replay import HUMAN
from tolman.play.playable import AnyPlayable, PlaySetting
from tolman.play.server import address, is_loopback, listen, serve

DEFAULT = "theory-of-space"


def playables() -> dict[str, type[AnyPlayable]]:
    """The benchmarks that people can play."""
    return {
        name: cast("type[AnyPlayable]", load(registered.play))
        for name, registered in BENCHMARKS.items()
        if registered.play
    }


def _play(
    *,
    benchmark: Annotated[str, Parameter(help="Which benchmark.")] = DEFAULT,
    name: Annotated[str, Parameter(help="Default of the person's name on the first page.", show_default=False)] = "",
    log_dir: Annotated[
        Path | None,
        Parameter(help="Folder of sessions and logs; the same command continues there. Default: logs/BENCHMARK/human."),
    ] = None,
    feedback: Annotated[bool, Parameter(help="Show score and truth after each scene, or only after the last.")] = True,
    tools: Annotated[
        bool, Parameter(negative="", help="Give people a ruler and a protractor (Theory of Space).")
    ] = False,
    port: Annotated[int, Parameter(help="Port of the server; 0 for any free one.")] = 8421,
    host: Annotated[str, Parameter(help="Address; any but loopback lets other machines in.")] = "127.0.0.1",
    open_page: Annotated[bool, Parameter(name="--open", help="Open the page in a browser.")] = True,
    **given: object,
) -> None:
    """Let people take a benchmark as a model does, with the same logs; `tolman show` prints their scores."""
    known = playables()
    if benchmark not in known:
        raise UnknownNameError(f"{benchmark!r} can't be played; choose one of {', '.join(known)}")
    cls = known[benchmark]
    if tools and not cls.has_tools:
        raise SettingsError(f"there are no instruments for {benchmark}; leave out --tools")
    if other := [flag for flag in given if flag not in cls.flags]:
        raise SettingsError(f"--{other[0].replace('_', '-')} is not an option of {benchmark}")
    setting = PlaySetting(log_dir or usual_log_dir(benchmark, HUMAN), name, tools, feedback)
    _serve(cls.opened({**cls.flags, **given}, setting), host, port, open_page=open_page)


def _serve(playable: AnyPlayable, host: str, port: int, *, open_page: bool) -> None:
    count, console = len(playable.cases), Console(stderr=True)
    with listen(host, port) as listening:
        what = f"{count} {playable.unit}{'s' * (count != 1)}"
        console.print(f"Play {what} at {address(listening)} (Ctrl-C ends it)", markup=False)
        if not is_loopback(host):
            console.print(
                "Anyone who can reach this machine can play, and read replies of people whose names they know."
            )
        try:
            serve(playable, listening, lambda: open_page and webbrowser.open(address(listening)))
        except KeyboardInterrupt:
            console.print("Stopped; unfinished sessions can be continued later.")
    console.print(f"Tables of finished scenes: tolman show {playable.log_dir}", markup=False)


def _command() -> Callable[..., None]:
    """The command, with the options of all benchmarks as flags."""
    offered: dict[str, list[_Offer]] = {}
    for name, cls in playables().items():
        benchmark = find_benchmark(name)
        for part in (benchmark.selection_class, benchmark.options_class):
            for flag in option_flags(part, None, {}):
                if flag.name in cls.flags:
                    offered.setdefault(flag.name, []).append(_Offer(cls.title, flag, cls.flags[flag.name]))

    def play(**given: Any) -> None:
        _play(**{flag: value for flag, value in given.items() if value is not None})

    own = [each for each in Signature.from_callable(_play).parameters.values() if each.name != "given"]
    flags = [*own, *(_flag(offers) for offers in offered.values())]
    play.__signature__ = Signature(flags)  # pyright: ignore[reportFunctionMemberAccess]
    play.__annotations__ = {each.name: each.annotation for each in flags}
    play.__doc__ = _play.__doc__
    return play


@dataclass(frozen=True)
class _Offer:
    """An option of one benchmark, with its default for people."""

    title: str
    flag: Argument
    default: object

    @property
    def kind(self) -> Any:
        return get_args(self.flag.annotation)[0]

    @property
    def help(self) -> str:
        """Without the default of `tolman eval`, where there is another."""
        text = str(get_args(self.flag.annotation)[1].help)
        return text if self.default in ("", None) else re.sub(r"(?<=\.) Default: .*|;? default[:,].*?(?=\.)", "", text)

    @property
    def choices(self) -> str:
        words = [
            str(each) for part in (self.kind, *get_args(self.kind)) for each in get_args(part) if type(each) is str
        ]
        return f" Choose from {', '.join(dict.fromkeys(words))}." if words else ""


_SHARED = Group("Several benchmarks", sort_key=99)


def _flag(offers: Sequence[_Offer]) -> Argument:
    """A flag that is None unless given, as its default depends on the benchmark; its value is checked there."""
    first, *others = offers
    if not others:
        shown: Callable[[object], str] | bool = False if first.default in ("", None) else lambda _: str(first.default)
        about = Parameter(group=Group(first.title), help=first.help, show_default=shown)
        return first.flag.replace(default=None, annotation=Annotated[first.kind | None, about])
    alike = len({(each.default, str(each.kind)) for each in offers}) == 1
    parts = [f"{each.title}: {each.help}{each.choices}{_default(each.default)}" for each in offers]
    about = Parameter(group=_SHARED, help=others[0].help if alike else " ".join(parts), show_default=False)
    kind = first.kind if len({str(each.kind) for each in offers}) == 1 else str
    return first.flag.replace(default=None, annotation=Annotated[kind | None, about])


def _default(value: object) -> str:
    return "" if value in ("", None) else f" Default: {value}."


play = _command()
