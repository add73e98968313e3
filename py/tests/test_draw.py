"""Pictures: SVG, matplotlib, pygame."""

import math
import os
import xml.etree.ElementTree as ElementTree

import pytest

import carom

os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
NAMESPACE = "{http://www.w3.org/2000/svg}"


def scene() -> carom.World:
    world = carom.World()
    world.add_fixed(carom.rect(20, 1), at=(0, -0.5))
    world.add(carom.circle(0.5), at=(-2, 3))
    world.add(carom.regular(5, 0.5), at=(0, 3))
    world.add(carom.rect(1, 0.6, radius=0.1), at=(2, 3))
    world.add(carom.capsule((-0.5, 0), (0.5, 0), 0.2), at=(4, 3))
    bob = world.add(carom.circle(0.2), at=(-5, 3))
    world.revolute(None, bob, at=(-5, 5))
    return world


def test_svg_has_the_shapes() -> None:
    root = ElementTree.fromstring(scene().to_svg(800))
    assert root.get("width") == "800"
    tags = [child.tag.removeprefix(NAMESPACE) for child in root]
    assert tags.count("polygon") >= 4
    assert tags.count("circle") >= 2
    assert "nan" not in scene().to_svg().lower() and "inf" not in scene().to_svg().lower()


def test_a_notebook_shows_a_world() -> None:
    world = scene()
    assert world._repr_svg_() == world.to_svg()
    assert world.hash() == scene().hash()


def test_a_view_shows_its_part() -> None:
    world = scene()
    part = world.to_svg(view=(-3, 2, -1, 4))
    assert part.count("<circle") == 1
    assert part.count("<polygon") < world.to_svg().count("<polygon")


@pytest.mark.parametrize("layer", carom.LAYERS)
def test_each_layer_is_drawn(layer: str) -> None:
    world = scene()
    world.step(count=30)
    ElementTree.fromstring(world.to_svg(layers=["shapes", layer]))


@pytest.mark.parametrize("width", [0, -5, math.nan, 1e9])
def test_a_picture_of_no_size_is_refused(width: float) -> None:
    with pytest.raises(ValueError):
        scene().to_svg(width)


@pytest.mark.parametrize("view", [(0, 0, 0, 0), (1, 1, -1, -1), (0, 0, math.nan, 1)])
def test_a_bad_view(view: tuple[float, ...]) -> None:
    world = scene()
    if view == (1, 1, -1, -1):
        world.to_svg(view=view)  # two corners, whichever is named first
    else:
        with pytest.raises(ValueError):
            world.to_svg(view=view)


def test_the_anchors_of_joints_are_in_the_picture() -> None:
    left, low, right, high = scene().drawing()["view"]
    assert left < -10 and right > 10 and low < -1 and high > 5


def test_an_unknown_layer_is_refused() -> None:
    with pytest.raises(ValueError, match="layer"):
        scene().to_svg(layers=["colours"])


@pytest.mark.parametrize(
    "shape", [carom.half_plane(), carom.circle(1), carom.chain([(0, 0), (5, 1)])]
)
def test_worlds_of_one_shape(shape: carom.Shape) -> None:
    world = carom.World()
    world.add_fixed(shape)
    text = world.to_svg()
    ElementTree.fromstring(text)
    assert "nan" not in text


def test_an_empty_world_is_a_picture() -> None:
    ElementTree.fromstring(carom.World().to_svg())


def test_lists_for_other_renderers() -> None:
    drawing = scene().drawing()
    assert set(drawing) == {"view", "outlines", "circles", "lines", "line_colors", "dots", "texts"}
    assert drawing["lines"].shape[1:] == (4,)
    assert len(drawing["line_colors"]) == len(drawing["lines"])
    corners, solid, color = drawing["outlines"][0]
    assert corners.shape[1] == 2 and solid in (True, False) and len(color) == 4


def test_matplotlib() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    artists = carom.draw.matplotlib(ax, scene())
    figure.canvas.draw()
    assert len(artists) >= 2
    assert len(artists[0].get_paths()) >= 6
    pyplot.close(figure)


def test_pygame() -> None:
    pygame = pytest.importorskip("pygame")
    surface = pygame.Surface((200, 100))
    surface.fill((255, 255, 255))
    carom.draw.pygame(surface, scene(), layers=["shapes", "joints", "ids"])
    colors = {tuple(surface.get_at((x, y))) for x in range(200) for y in range(100)}
    assert len(colors) > 3


def test_the_package_imports_neither() -> None:
    import subprocess
    import sys

    code = "import carom, sys; print([m for m in ('matplotlib', 'pygame', 'gymnasium') if m in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True
    )
    assert answer.stdout.strip() == "[]"
