"""The playroom: which scenes are played and how, by whom, and the sittings of all people, kept on disk."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from tolman.benchmarks.theory_of_space.case import Case, case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.errors import SettingsError, TolmanError
from tolman.models.sittings import NAME, Mark, Said, SavedSitting, read_sitting, sitting_file, write_sitting
from tolman.play.sitting import Sitting
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, choose_scenes

_LONGEST = 40


def slug(name: str) -> str:
    """A name in small letters, digits and hyphens: `Zoë B.` is `zoe-b`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    safe = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST].strip("-")
    if not safe:
        raise SettingsError("a name needs at least one letter from a to z, or a digit")
    return safe


class UnknownSittingError(TolmanError):
    """Nobody of that name has begun that scene here."""


@dataclass(frozen=True)
class Playroom:
    """What is played, under which options, and where everything is kept."""

    scenes: str
    """As on the command line: seeds such as `0-2`, a folder of scenes, or a scene file."""
    worlds: WorldSettings
    options: Options
    log_dir: Path
    tools: bool = False
    """Whether people have a ruler and a protractor."""
    name: str = ""
    """Offered on the first page."""

    @cached_property
    def choices(self) -> Mapping[str, SceneChoice]:
        """Scenes by the name of their case, in the order in which they are played."""
        return {case.id: choice for case, choice in self._drawn}

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Cases by name, in the order in which they are played."""
        return {case.id: case for case, _ in self._drawn}

    @cached_property
    def _drawn(self) -> list[tuple[Case, SceneChoice]]:
        return [(case_of(choice, self.options), choice) for choice in choose_scenes(self.scenes, self.worlds)]

    @property
    def folder(self) -> Path:
        return self.log_dir / ("sittings-with-tools" if self.tools else "sittings")

    def logs(self, saved: SavedSitting) -> Path:
        """Folder for the log of one sitting."""
        return self.log_dir / f"{saved.name}{'-with-tools' * self.tools}" / saved.scene

    def model(self, name: str) -> str:
        """What tables call a person."""
        return f"{'human-with-tools' if self.tools else 'human'}/{name}"

    # ---- sittings on disk ----

    def begin(self, name: str) -> None:
        """Let a person sit down; whoever sat here before goes on."""
        for scene in self.cases:
            file = sitting_file(self.folder, name, scene)
            if read_sitting(file) is None:
                write_sitting(file, SavedSitting(name=name, scene=scene, under=self._under(scene)))
            self.saved(name, scene)

    def saved(self, name: str, scene: str) -> SavedSitting:
        """What is on disk of a sitting under the options of today."""
        known = scene in self.cases and NAME.fullmatch(name)
        found = read_sitting(sitting_file(self.folder, name, scene)) if known else None
        if found is None:
            raise UnknownSittingError("nobody of that name has begun that scene here; begin on the first page")
        if found.under != self._under(scene):
            raise SettingsError(f"{name} began scene {scene} under other options; use them again, or another name")
        return found

    def sitting(self, saved: SavedSitting) -> Sitting:
        """The value behind a saved sitting."""
        return Sitting(self.cases[saved.scene], self.options, saved.replies)

    def keep_reply(self, saved: SavedSitting, call: str, reply: str) -> SavedSitting:
        """Save one more reply."""
        said = Said(call=call, reply=reply, at=datetime.now(UTC).isoformat(timespec="milliseconds"))
        return self.keep(saved.model_copy(update={"said": [*saved.said, said]}))

    def keep_notebook(self, saved: SavedSitting, notebook: Mapping[str, Mark]) -> SavedSitting:
        """Save a scratch map."""
        return self.keep(saved.model_copy(update={"notebook": dict(notebook)}))

    def keep(self, saved: SavedSitting) -> SavedSitting:
        write_sitting(sitting_file(self.folder, saved.name, saved.scene), saved)
        return saved

    def _under(self, scene: str) -> dict[str, object]:
        return {**self.options.as_dict(), "scene": self.cases[scene].scene.digest}
