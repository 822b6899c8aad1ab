"""A kind of question and an explorer that a user adds are available by name, and change nothing that is published."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

KIND = """
from tolman.ask.kinds.direction import Direction
from tolman.ask.kinds.registry import kind
from tolman.ask.question import Question
from tolman.core.wording import Wording


@kind
class Added(Direction):
    name = stream = "a_kind"

    @property
    def wording(self):
        return Wording("A kind: $of from $origin.")

    def sample(self, scene, stream):
        of, origin = scene.things[0].name, scene.things[1].name
        text = self.wording.fill(of=of, origin=origin)
        question = Question(self.name, {"of": of, "from": origin}, {}, scene, text)
        relation = self.relation(question)
        truth = {"direction": str(relation.direction), "distance": str(relation.distance)}
        return Question(self.name, question.parameters, truth, scene, text)
"""
UNWORDED_KIND = """
from tolman.ask.kinds.direction import Direction
from tolman.ask.kinds.registry import kind


@kind
class Unworded(Direction):
    name = stream = "a_kind_without_wording"
"""
AGENT = """
from tolman.explore.agents.random import RandomExplorer
from tolman.explore.agents.registry import explorer, text_explorer


@explorer("an_agent")
def added(scene, seed):
    return RandomExplorer(seed)


text_explorer("an_agent")(RandomExplorer)
"""
SNAPSHOT = """
import json, sys
from contextlib import redirect_stdout, suppress
from io import StringIO

import tolman.ask.kinds, tolman.explore.agents

if len(sys.argv) > 1:
    tolman.ask.kinds.__path__.append(sys.argv[1] + "/kinds")
    tolman.explore.agents.__path__.append(sys.argv[1] + "/agents")

from tolman.ask import PAPER_KINDS, VISION_KINDS, find_kind, grade, oracle_reply, parse_kind, sample_questions
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.columns import answer_columns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.tables.baseline_rows import SCRIPTED_AGENTS, baseline_rows
from tolman.cli import main
from tolman.core.errors import UnknownNameError
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import EXPLORERS, explorer_names, run_explorer
from tolman.models.scripted.reply import AGENTS, ANSWER_AGENTS
from tolman.world import WorldSettings, generate
from tolman.world.select import choose_scenes

scene = generate(5)
(choice,) = choose_scenes("5", WorldSettings(rooms=2))
case = case_of(choice, Options())
table = StringIO()
sys.argv = ["tolman", "explore", "--scenes", "5", "--rooms", "2", "--workers", "1"]
with redirect_stdout(table), suppress(SystemExit):
    main()
baselines = baseline_rows([case], Options(), maps=False)
published = {
    "kinds": [PAPER_KINDS, VISION_KINDS],
    "agents": [EXPLORERS, explorer_names(), AGENTS, ANSWER_AGENTS, SCRIPTED_AGENTS],
    "questions": [(question.kind, question.id, question.text) for question in sample_questions(scene, 5)],
    "case": [question.id for question in case.questions],
    "parsed": [parse_kind(question.text) for question in sample_questions(scene, 5)] + [parse_kind("What is this?")],
    "columns": [column.key for column in answer_columns("none")],
    "baselines": [(row.name, row.rules, sorted(map(str, row.values.items()))) for row in baselines],
    "table": table.getvalue(),
}
added = {}
try:
    find_kind("a_kind")
    (question,) = sample_questions(scene, 5, 1, kinds=["a_kind"])
    added = {
        "score": grade(question, oracle_reply(question), STRICT).score,
        "parsed": parse_kind(question.text),
        "unworded": find_kind("a_kind_without_wording").name,
        "turns": len(run_explorer("an_agent", scene).turns),
    }
except UnknownNameError:
    pass
print(json.dumps({"published": published, "added": added}))
"""


def snapshot(cache: Path, *folder: Path) -> dict[str, Any]:
    environment = {**os.environ, "TOLMAN_CACHE": str(cache), "COLUMNS": "100"}
    command = [sys.executable, "-c", SNAPSHOT, *map(str, folder)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


def test_an_added_kind_and_an_added_agent_change_nothing_published(tmp_path: Path):
    for name, content in (("kinds/added.py", KIND), ("kinds/unworded.py", UNWORDED_KIND), ("agents/added.py", AGENT)):
        file = tmp_path / "extension" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    without, extended = snapshot(tmp_path / "one"), snapshot(tmp_path / "two", tmp_path / "extension")
    assert extended["published"] == without["published"]
    assert len(without["published"]["kinds"][0]) == 9
    assert "strategist" in without["published"]["table"]
    assert without["added"] == {}
    assert extended["added"].pop("turns") >= 1
    assert extended["added"] == {"score": 1.0, "parsed": "a_kind", "unworded": "a_kind_without_wording"}
