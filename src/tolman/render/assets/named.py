"""What a name says of a colour: `red chair` is a chair, and red."""

from tolman.render.shapes.material import Colour, srgb
from tolman.render.shapes.model import Model
from tolman.render.shapes.tint import tinted
from tolman.world.vocabulary import COLOURS


def as_named(model: Model, name: str, category: str) -> Model:
    """The model in the colour that its name begins with; as it is where the name is that of its kind.

    Generated worlds use colours once every kind is taken, so that no two things of a world share a name.
    """
    colour = _colour(name, category)
    return model if colour is None else tinted(model, colour)


def _colour(name: str, category: str) -> Colour | None:
    word = name.removesuffix(category).strip()
    return srgb(COLOURS[word]) if word in COLOURS and name.endswith(category) else None
