from dataclasses import fields

import pytest

from tolman.core.errors import TolmanError, UnknownNameError
from tolman.core.rules import PUBLISHED, STRICT, rule_set


def test_rule_sets_are_found_by_name():
    assert rule_set("published") is PUBLISHED
    assert rule_set("strict") is STRICT


@pytest.mark.parametrize("name", ["lenient", "", "Strict"])
def test_another_name_is_refused_with_the_choices(name: str):
    with pytest.raises(UnknownNameError, match=r"published.*strict"):
        rule_set(name)


def test_strict_mends_every_defect_that_published_keeps():
    switches = [field.name for field in fields(PUBLISHED) if field.name != "name"]
    assert switches
    assert not any(getattr(PUBLISHED, switch) for switch in switches)
    assert all(getattr(STRICT, switch) for switch in switches)


def test_all_errors_can_be_caught_as_one():
    assert issubclass(UnknownNameError, TolmanError)
