"""`human/NAME`: a person's saved sessions as an Inspect model, so that a person leaves the same logs as a model.

`human-with-tools/NAME` is a person who had a ruler and a protractor, with a separate row in every table.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from inspect_ai.model import ChatMessage, GenerateConfig, modelapi

from tolman.core.errors import ReplayError
from tolman.models.call_context import CallContext
from tolman.models.human_sessions import read_session, session_file
from tolman.models.replay import RecordedRepliesAPI

HUMAN, HUMAN_WITH_TOOLS = "human", "human-with-tools"


class SessionReplaySource:
    """The replies of one person, by scene and name of the call."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._replies = cache(self._read)

    def reply(self, context: CallContext, messages: Sequence[ChatMessage]) -> str | None:
        """The person's reply to this call."""
        del messages
        return self._replies(context.case).get(context.call)

    def _read(self, scene: str) -> dict[str, str]:
        saved = read_session(session_file(self._folder, self._name, scene))
        if saved is None:
            raise ReplayError(f"{self._name} has no session in scene {scene}; `tolman play` begins one")
        return saved.replies


class _PersonAPI(RecordedRepliesAPI):
    """Answers from the saved sessions of a person in the folder `sittings`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        sittings: str = "",
    ) -> None:
        del base_url, api_key
        if not sittings:
            raise ReplayError(
                "name the folder of saved sessions, such as -M sittings=logs/theory-of-space/human/sittings"
            )
        super().__init__(SessionReplaySource(Path(sittings), model_name), model_name, config=config)


@modelapi(name=HUMAN)
class HumanAPI(_PersonAPI):
    """A person without tools."""


@modelapi(name=HUMAN_WITH_TOOLS)
class HumanWithToolsAPI(_PersonAPI):
    """A person with a ruler and a protractor."""
