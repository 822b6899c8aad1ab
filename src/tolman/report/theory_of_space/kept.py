"""Numbers that take long to work out and always come out the same: kept on disk, and thrown away with the code."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

import tolman
from tolman.cache_folder import cache_folder
from tolman.seeds import digest
from tolman.whole_file import write_whole

T = TypeVar("T")
_PARTS = ("reading", "world", "sense", "belief", "explore", "ask", "ideal", "models", "benchmarks")


def kept(kind: str, key: object, adapter: TypeAdapter[T], work: Callable[[], T]) -> T:
    """What `work` makes, from the disk where it was made before from the same key by the same code."""
    file = cache_folder() / kind / f"{digest([_code(), key])}.json"
    with suppress(OSError, ValidationError):
        return adapter.validate_json(file.read_bytes(), strict=True)
    made = work()
    _write(file, adapter.dump_json(made))
    return made


@cache
def _code() -> str:
    """A digest of all that scores depend on."""
    folder = Path(str(tolman.__file__)).parent
    files = sorted(folder.glob("*.py")) + sorted(file for part in _PARTS for file in (folder / part).rglob("*"))
    return digest([file.read_text(encoding="utf-8") for file in files if file.suffix in (".py", ".txt")])


def _write(file: Path, content: bytes) -> None:
    """Whoever reads sees the whole file or none. A disk that can't be written to costs time, nothing else."""
    with suppress(OSError):
        write_whole(file, content)
