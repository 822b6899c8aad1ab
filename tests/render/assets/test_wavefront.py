"""OBJ and MTL files as they are found: odd lines, dents, back-counted rows, no normals, no pictures."""

import io
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pictures

from tests.render.assets.tiny_pack import BOX, FACES, MATERIALS, POINTS, TinyModel, sh3f
from tolman.render.assets.pack.catalogue import Catalogue
from tolman.render.assets.pack.convert import MissingPartWarning, convert_entry, decimated
from tolman.render.assets.pack.wavefront import BRIGHTEST, read_mtl, read_obj, triangles_of
from tolman.render.shapes.mesh import Asset, Texture


def converted(model: TinyModel, turned: float = 0.0) -> Asset:
    catalogue = Catalogue(sh3f(model), "Tiny.sh3f")
    return convert_entry(catalogue, catalogue.entries[model.folder], turned)


def area(model: Asset) -> float:
    corners = np.concatenate([mesh.points[mesh.triangles] for mesh in model.meshes]).astype(np.float64)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return float(np.linalg.norm(across, axis=1).sum() / 2)


def tip(model: Asset, mesh: int, axis: int, *, most: bool) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    points = model.meshes[mesh].points
    return points[np.argmax(points[:, axis]) if most else np.argmin(points[:, axis])]


def test_front_left_up_and_size_come_out_as_the_catalogue_says():
    model = converted(TinyModel("a/box"))
    low, high = model.bounds
    assert high - low == pytest.approx([0.30, 0.40, 0.20], abs=1e-6)
    assert low[2] == 0
    assert (low + high)[:2] == pytest.approx([0, 0], abs=1e-6)
    nose = tip(model, 1, 1, most=True)
    assert nose[1] == pytest.approx(high[1])  # the nose is towards +y
    assert nose[2] == pytest.approx(0.10)
    ear = tip(model, 1, 0, most=False)
    assert ear[0] == pytest.approx(low[0])  # the ear on its left is towards -x


def test_a_turn_of_the_table_is_anticlockwise_from_above():
    model = converted(TinyModel("a/box"), turned=90)
    assert tip(model, 1, 0, most=False)[0] == pytest.approx(model.bounds[0][0])
    assert model.bounds[1] - model.bounds[0] == pytest.approx([0.40, 0.30, 0.20], abs=1e-6)


def test_a_rotation_of_the_catalogue_comes_before_its_size():
    flat = "modelRotation#N=1 0 0 0 0 1 0 -1 0"  # the file's front is up, so it is tipped onto its back
    model = converted(TinyModel("a/box", more=flat))
    assert model.bounds[1] - model.bounds[0] == pytest.approx([0.30, 0.40, 0.20], abs=1e-6)
    assert tip(model, 1, 2, most=True)[2] == pytest.approx(0.20)  # the nose looks up now


@pytest.mark.parametrize(
    "odd",
    [
        BOX.replace("\n", "\r\n"),
        BOX + "\nv one two three\nf 1 2\nf 1 2 99999\nf a b c\nl 1 2\ncurv 0 1\n\x00\xff\n",
        BOX.replace("f 1 2 3 4", "f 1 2 \\\n3 4"),
        f"mtllib box.mtl\n{POINTS}usemtl body\n"
        + FACES.replace("f 4 3 9", "f -7 -8 -2").replace("f 1 5 6 2", "f -10 -6 -5 -9"),
        BOX.replace("f 1 2 3 4", "f 1// 2// 3// 4//"),
        BOX.replace("v 0 1 3", "v 0 1 3 0.5 0.5 0.5"),
    ],
    ids=["windows", "nonsense", "continued", "back-counted", "empty parts", "coloured points"],
)
def test_odd_files_give_the_same_model(odd: str):
    plain, model = converted(TinyModel("a/box")), converted(TinyModel("a/box", obj=odd))
    assert [len(mesh.triangles) for mesh in model.meshes] == [len(mesh.triangles) for mesh in plain.meshes]
    assert area(model) == pytest.approx(area(plain))


@given(st.lists(st.floats(0.2, 5.0), min_size=4, max_size=24))
def test_dented_polygons_are_filled_exactly(radii: list[float]):
    angles = [2 * math.pi * i / len(radii) for i in range(len(radii))]
    flat = np.array([(r * math.cos(a), 0.0, r * math.sin(a)) for r, a in zip(radii, angles, strict=True)])
    x, y = flat[:, 0], flat[:, 2]
    shoelace = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
    corners = flat[np.array(triangles_of(flat))]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert len(corners) == len(radii) - 2
    assert float(np.linalg.norm(across, axis=1).sum()) / 2 == pytest.approx(shoelace)


def test_a_dented_square_is_cut_inside():
    arrow = "v 0 0 0\nv 2 0 -1\nv 0.5 0 0\nv 2 0 1\nf 2 3 4 1\n"
    assert read_obj(arrow.encode()).corners.shape == (2, 3, 3)
    model = Catalogue(sh3f(TinyModel("a/arrow", obj=arrow, size=(200, 200, 1))), "Tiny.sh3f")
    assert area(convert_entry(model, model.entries["a/arrow"])) == pytest.approx(0.5)


def test_edges_stay_sharp_and_round_things_become_round():
    box = converted(TinyModel("a/box", obj=f"{POINTS}s 1\n{FACES.partition('usemtl')[0]}"))
    corners = box.meshes[0].points[box.meshes[0].triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    faces = across / np.linalg.norm(across, axis=1, keepdims=True)
    assert box.meshes[0].normals is not None
    assert np.allclose(box.meshes[0].normals[box.meshes[0].triangles], faces[:, None], atol=1e-3)

    round_ = converted(TinyModel("a/ball", obj=_tube(), size=(200, 200, 100)))
    points, normals = round_.meshes[0].points, round_.meshes[0].normals
    assert normals is not None
    outward = points * [1, 1, 0] / np.linalg.norm(points[:, :2], axis=1, keepdims=True)
    assert np.allclose(normals, outward, atol=0.02)


def _tube(sides: int = 24) -> str:
    rows = [f"v {math.cos(a)} {h} {math.sin(a)}" for h in (0, 1) for a in np.linspace(0, 2 * math.pi, sides + 1)[:-1]]
    faces = [f"f {i + 1} {sides + i + 1} {sides + (i + 1) % sides + 1} {(i + 1) % sides + 1}" for i in range(sides)]
    return "\n".join([*rows, "s 1", *faces])


def test_materials_say_how_a_surface_looks():
    looks = read_mtl(
        b"newmtl wall\nKd 1 1 1\nodd\nNs many\nnewmtl window glass\nd 0.4\n"
        b"newmtl chrome\nKd 0.5 0.5 0.5\nKs 1 1 1\nNs 500\n"
        b"newmtl bathroom_mirror\nnewmtl wood\nKd 0.4 0.2 0.1\nmap_Kd C:\\pictures\\oak wood.jpg\n"
    )
    assert looks["wall"].transparency == looks["wall"].metallic == 0
    assert looks["window glass"].transparency >= 0.6
    assert looks["chrome"].metallic > 0.5
    assert looks["chrome"].roughness < looks["wall"].roughness
    assert looks["bathroom_mirror"].metallic == 1
    assert looks["bathroom_mirror"].roughness < 0.1
    assert looks["wood"].picture == "oak wood.jpg"


def test_missing_parts_are_told_and_replaced():
    wanting = TinyModel("a/box", files={"box.mtl": b"newmtl body\nKd 1 0 0\nmap_Kd ../../../etc/hostname\n"})
    with pytest.warns(MissingPartWarning, match="plain colour"):
        model = converted(wanting)
    assert model.meshes[0].material.colour == (BRIGHTEST, 0, 0)
    with pytest.warns(MissingPartWarning, match="grey"):
        converted(TinyModel("a/box", files={}))
    with pytest.warns(MissingPartWarning, match="plain colour"):
        converted(TinyModel("a/box", files={"box.mtl": MATERIALS.encode() + b"map_Kd x.png\n", "x.png": b"no picture"}))


def test_pictures_are_made_small_and_holes_in_them_filled():
    drawn = Pictures.new("RGBA", (1600, 40), (200, 100, 50, 255))
    drawn.paste((0, 0, 0, 0), (0, 0, 800, 40))
    out = io.BytesIO()
    drawn.save(out, "PNG")
    obj = BOX.replace("f 1 2 3 4", "vt 0 0\nvt 9e9 1\nvt 1 1\nf 1/1 2/2 3/3 4/1")
    files = {"box.mtl": MATERIALS.replace("Kd 1 0 0", "Kd 1 0 0\nmap_Kd a.png").encode(), "a.png": out.getvalue()}
    mesh = converted(TinyModel("a/box", obj=obj, files=files)).meshes[0]
    assert isinstance(mesh.material.colour, Texture)
    image = mesh.material.colour.image
    assert max(image.shape) == 512
    assert np.abs(image[0, 100].astype(int) - [200, 100, 50]).max() <= 8
    assert mesh.coordinates is not None
    assert np.abs(mesh.coordinates).max() <= 1  # a row that is plainly wrong does no harm


def test_thinning_keeps_the_shape():
    tube = converted(TinyModel("a/tube", obj=_tube(600), size=(100, 100, 50)))
    thin = decimated(tube, 400)
    assert 100 < sum(len(mesh.triangles) for mesh in thin.meshes) <= 400
    assert np.abs(np.array(thin.bounds) - np.array(tube.bounds)).max() < 0.02
    assert area(thin) == pytest.approx(area(tube), rel=0.02)
    assert decimated(tube, 5000) is tube
