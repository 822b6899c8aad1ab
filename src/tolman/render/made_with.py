"""The note in a folder that says how its files were made: what was made otherwise, or by others, is not mixed in."""

import json
from collections.abc import Mapping
from pathlib import Path

from tolman.errors import SettingsError
from tolman.whole_file import write_whole

MADE_WITH = "made-with.json"


def keep_to(out: Path, settings: Mapping[str, object], *, force: bool = False) -> None:
    """Leave the note, or hold it against the settings. Without a note, whatever is in the folder is somebody else's.

    With `force`, files of others are there beside those that are made, which take the place of any of the same name.
    """
    note, said = out / MADE_WITH, json.dumps(settings, indent=1).encode()
    try:
        if note.exists():
            if note.read_bytes() != said:
                raise SettingsError(f"{out} holds files that were made with other settings; choose another folder")
            return
        if not force and any(not path.name.startswith(".") for path in out.iterdir()):
            raise SettingsError(
                f"{out} holds files that were not made by this command; choose another folder, or write among them "
                "with --force"
            )
        write_whole(note, said)
    except OSError as error:
        raise SettingsError(f"{note} can't be written: {error.strerror}") from None
