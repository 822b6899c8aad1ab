"""Whether pictures can be made where they are wanted, and are wanted where they are needed."""

from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.options import Options
from tolman.errors import SettingsError


def check_pictures(options: Options) -> None:
    """Refuse, in one sentence and before anything is run, what can't be shown."""
    if options.world == "vision":
        from tolman.benchmarks.theory_of_space.darkroom import check_renderer  # noqa: PLC0415 loads all that renders

        check_renderer(options)
        return
    for kind in options.kinds:
        if find_kind(kind).in_pictures:
            raise SettingsError(f"a question of the kind {kind} comes with a picture; use world vision")
