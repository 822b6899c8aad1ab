"""Read a JSON file whose content nobody vouches for."""

import json
from pathlib import Path

from tolman.errors import SceneFileError
from tolman.limits import JSON_FILE, TooLargeError, check_json, read_file


def read_json(path: Path) -> object:
    """The value in a JSON file; a `SceneFileError` that names the file for anything that is not one."""
    try:
        data = read_file(path, JSON_FILE)
        check_json(data, str(path))
        return json.loads(data.decode("utf-8"))
    except TooLargeError as error:
        raise SceneFileError(str(error)) from None
    except OSError as error:
        raise SceneFileError(f"{path} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise SceneFileError(f"{path} is not valid JSON: {error}") from None
    except RecursionError:
        raise SceneFileError(f"{path} is nested too deeply to be a scene") from None
