"""Plans read back: which rooms there are, and what has been in view in each."""

from tolman.belief.unexplored import CandidatePoints, point_map
from tolman.core.geometry import Heading
from tolman.explore.actions import Actions, Observe
from tolman.explore.episode import Brief, TextHistory, Turn
from tolman.models.scripted.map_replies import parse_lettered_plan, unexplored_points_reply
from tolman.sense import observe
from tolman.world import START, Scene, WorldSettings, generate

PLAN = """\
#########
#A.B#C..#
#...+...#
#..*#..D#
#########"""


def test_a_plan_has_rooms_apart_letters_and_the_agent():
    plan = parse_lettered_plan(PLAN, in_doorway=False)
    assert plan.letters == {"A": (1, 3), "B": (3, 3), "C": (5, 3), "D": (7, 1)}
    assert plan.agent == (3, 1)
    rooms = {letter: plan.rooms[cell] for letter, cell in plan.letters.items()}
    assert rooms["A"] == rooms["B"] != rooms["C"] == rooms["D"]
    assert plan.rooms_at((4, 2)) == {rooms["A"], rooms["C"]}


def test_an_agent_in_a_doorway_does_not_join_two_rooms():
    text = PLAN.replace("+", "*").replace("#..*#", "#...#")
    plan = parse_lettered_plan(text, in_doorway=True)
    assert plan.rooms[1, 3] != plan.rooms[5, 3]
    assert len(plan.rooms_at((4, 2))) == 2


def test_a_plan_of_wide_cells_is_read_cell_by_cell():
    scene = generate(0, WorldSettings(rooms=6))
    cells = tuple(cell for room in scene.rooms for cell in room.cells if cell != scene.start)[:40]
    points = CandidatePoints(cells, frozenset())
    plan = parse_lettered_plan(point_map(scene, scene.pose_at(START, Heading.NORTH), points), in_doorway=False)
    (x0, y0), _ = scene.bounds
    assert plan.letters == {letter: (x - x0, y - y0) for letter, (x, y) in points.letters.items()}
    assert len(set(plan.rooms.values())) == 6


def looked(scene: Scene, heading: Heading) -> TextHistory:
    told = observe(scene, START, heading)
    turn = Turn("explore", Actions((), Observe()), (), None, told, 1, False, START, heading)
    brief = Brief(len(scene.rooms), tuple(t.name for t in scene.things), tuple(d.name for d in scene.doors))
    return TextHistory(brief, (turn,), START, heading, told.names)


def test_what_is_behind_one_s_back_or_in_another_room_is_unseen():
    scene = generate(7)
    x, y = scene.start
    ahead, behind, elsewhere = (x, y + 1), (x, y - 1), next(iter(scene.room(2).cells))
    points = CandidatePoints((ahead, behind, elsewhere), frozenset())
    plan = point_map(scene, scene.pose_at(START, Heading.NORTH), points)
    assert unexplored_points_reply(plan, scene, looked(scene, Heading.NORTH)) == '{"unexplored":["B","C"]}'
    assert unexplored_points_reply(plan, scene, looked(scene, Heading.SOUTH)) == '{"unexplored":["A","C"]}'


def test_on_a_plan_without_the_agent_nothing_is_known_to_be_seen():
    scene = generate(7)
    assert (
        unexplored_points_reply(PLAN.replace("*", "."), scene, looked(scene, Heading.NORTH))
        == '{"unexplored":["A","B","C","D"]}'
    )
