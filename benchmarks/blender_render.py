"""The other side of `blender_cycles.py`: runs in a Python that has `bpy` and renders what was written for it.

The folder given holds `scene.json` and `scene.npz`. For each number of samples it leaves the light of the view
(`cycles-N.npy`, linear, first row above) and the CPU and wall seconds that it took (`cycles.json`).
"""

import importlib
import json
import math
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

bpy: Any = importlib.import_module("bpy")

_CHALK, _GLASS = 0.85, 0.5


def main() -> None:
    folder = Path(sys.argv[1])
    told = json.loads((folder / "scene.json").read_text())
    arrays = np.load(folder / "scene.npz")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for number, part in enumerate(told["parts"]):
        _add(number, part, arrays)
    _set_up(told["camera"])
    costs: dict[str, dict[str, float]] = {}
    _render(folder / "warm.exr", 1)
    for samples in told["samples"]:
        before, wall = _cpu(), time.perf_counter()
        light = _render(folder / "view.exr", samples)
        costs[str(samples)] = {"cpu": _cpu() - before, "wall": time.perf_counter() - wall}
        np.save(folder / f"cycles-{samples}.npy", light)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    (folder / "cycles.json").write_text(
        json.dumps({"version": bpy.app.version_string, "costs": costs, "memory": memory})
    )


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _add(number: int, part: dict[str, Any], arrays: Any) -> None:
    points, triangles = arrays[f"points{number}"], arrays[f"triangles{number}"]
    mesh = bpy.data.meshes.new(f"part{number}")
    mesh.from_pydata(points.tolist(), [], triangles.tolist())
    if part["smooth"]:
        mesh.polygons.foreach_set("use_smooth", [True] * len(triangles))
        mesh.normals_split_custom_set_from_vertices(arrays[f"normals{number}"].tolist())
    image = None
    if part["textured"]:
        flat = mesh.uv_layers.new().data
        flat.foreach_set("uv", arrays[f"coordinates{number}"][triangles.ravel()].ravel())
        image = _image(number, arrays[f"image{number}"])
    mesh.materials.append(_material(number, part, image))
    bpy.context.collection.objects.link(bpy.data.objects.new(f"part{number}", mesh))


def _image(number: int, pixels: Any) -> Any:
    height, width, _ = pixels.shape
    image = bpy.data.images.new(f"image{number}", width, height)
    image.colorspace_settings.name = "sRGB"
    full = np.ones((height, width, 4), np.float32)
    full[..., :3] = pixels[::-1] / 255
    image.pixels.foreach_set(full.ravel())
    return image


def _material(number: int, part: dict[str, Any], image: Any) -> Any:
    material = bpy.data.materials.new(f"material{number}")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    end = nodes.new("ShaderNodeOutputMaterial")
    shader, colour = _shader(nodes, part)
    if image is None:
        colour.default_value = (*part["colour"], 1.0)
    else:
        picture = nodes.new("ShaderNodeTexImage")
        picture.image = image
        links.new(picture.outputs["Color"], colour)
    links.new(shader.outputs[0], end.inputs["Surface"])
    return material


def _shader(nodes: Any, part: dict[str, Any]) -> tuple[Any, Any]:
    if part["glow"] > 0:
        shader = nodes.new("ShaderNodeEmission")
        shader.inputs["Strength"].default_value = part["glow"]
        return shader, shader.inputs["Color"]
    if part["clear"] >= _GLASS:
        shader = nodes.new("ShaderNodeBsdfTransparent")
        return shader, shader.inputs["Color"]
    if part["roughness"] >= _CHALK and not part["metallic"]:
        shader = nodes.new("ShaderNodeBsdfDiffuse")
        return shader, shader.inputs["Color"]
    shader = nodes.new("ShaderNodeBsdfPrincipled")
    shader.inputs["Roughness"].default_value = part["roughness"]
    shader.inputs["Metallic"].default_value = part["metallic"]
    shader.inputs["Specular IOR Level"].default_value = 0.4
    return shader, shader.inputs["Base Color"]


def _set_up(camera: dict[str, float]) -> None:
    """The same camera, bounces and denoiser as ours; what is kept between renders is kept."""
    scene = bpy.context.scene
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.angle = "HORIZONTAL", math.radians(camera["field"])
    eye = bpy.data.objects.new("camera", lens)
    eye.location = (camera["x"], camera["y"], camera["z"])
    eye.rotation_euler = (math.pi / 2, 0.0, -math.radians(camera["heading"]))
    scene.collection.objects.link(eye)
    scene.camera = eye
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = int(camera["size"])
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    cycles = scene.cycles
    cycles.device, cycles.use_adaptive_sampling = "CPU", False
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = cycles.transparent_max_bounces = 12
    cycles.sample_clamp_indirect = 0.0
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.denoising_quality = "BALANCED"


def _render(file: Path, samples: int) -> Any:
    scene = bpy.context.scene
    scene.cycles.samples, scene.render.filepath = samples, str(file)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(file))
    width, height = image.size
    values = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(values)
    bpy.data.images.remove(image)
    return values.reshape(height, width, 4)[::-1, :, :3].copy()


if __name__ == "__main__":
    main()
