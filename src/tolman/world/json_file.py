"""Read a JSON file whose content nobody vouches for."""

import json
from pathlib import Path

from tolman.errors import SceneFileError


def read_json(path: Path) -> object:
    """The value in a JSON file; a `SceneFileError` that names the file for anything that is not one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SceneFileError(f"{path} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise SceneFileError(f"{path} is not valid JSON: {error}") from None
    except RecursionError:
        raise SceneFileError(f"{path} is nested too deeply to be a scene") from None
