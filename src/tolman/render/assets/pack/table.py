"""The table of models: which ones of the pack stand for which kind, and how each is set up."""

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Table:
    """What `table.toml` says."""

    models: dict[str, tuple[str, ...]]
    """Names of models by kind."""
    turned: dict[str, float]
    """Degrees anticlockwise from above, by model; 0 for most."""
    stretch: dict[str, float]
    """How many times longer one side of a kind's model may become than in proportion; 1 for most."""
    outdoors: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Names of models by kind, for things under the sky (see `render/assets/outdoor`)."""

    @property
    def names(self) -> tuple[str, ...]:
        """All models once, in a fixed order."""
        return tuple(sorted({name for names in (*self.models.values(), *self.outdoors.values()) for name in names}))


@cache
def read_table() -> Table:
    """The table that comes along."""
    table = tomllib.loads(files("tolman.render.assets.pack").joinpath("table.toml").read_text(encoding="utf-8"))
    models, outdoors = (
        {str(kind): tuple(str(name) for name in names) for kind, names in table[part].items()}
        for part in ("models", "outdoors")
    )
    turned = {str(name): float(angle) for name, angle in table["turned"].items()}
    stretch = {str(kind): float(factor) for kind, factor in table["stretch"].items()}
    return Table(models, turned, stretch, outdoors)
