"""What a user reads where a model can't be opened: one line, without a provider's terminal markup."""

from pathlib import Path

import pytest

from tolman.core.errors import SettingsError
from tolman.harness.evaluation import RunPlan, open_model, without_markup


def test_the_message_of_a_provider_without_its_key_has_no_markup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match="OPENAI_API_KEY") as refused:
        open_model(RunPlan("openai/gpt-5.2", tmp_path), memoize=False)
    assert not {"[", "\n"} & set(str(refused.value))


def test_styles_are_removed_and_brackets_that_say_something_stay():
    assert without_markup("[bold red]ERROR[/bold red]: no\n[cyan]key[/]") == "ERROR: no key"
    said = "error [429]: field messages[0] of [model] is [reduced]; see [/v1/models]"
    assert without_markup(said) == said
