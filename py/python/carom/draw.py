"""Pictures of worlds in matplotlib and pygame, which are imported when they are needed.

Both take what `World.drawing` returns: outlines, circles and lines of carom's own debug drawing,
with its colours by kind and sleep.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._carom import World
from .types import PointLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pygame import Surface

__all__ = ["matplotlib", "pygame"]


def _unit(color: tuple[int, int, int, int], share: float = 1.0) -> tuple[float, ...]:
    """The colour as matplotlib has it, with a share of its opacity."""
    red, green, blue, alpha = color
    return (red / 255, green / 255, blue / 255, share * alpha / 255)


def matplotlib(
    ax: Axes,
    world: World,
    *,
    view: Sequence[float] | None = None,
    layers: Sequence[str] | None = None,
    origin: PointLike = (0.0, 0.0),
) -> list[Any]:
    """Draws a world into axes, and returns the artists, to be removed before the next frame."""
    from matplotlib.collections import LineCollection, PatchCollection
    from matplotlib.patches import Circle, Polygon

    picture = world.drawing(view=view, layers=layers, origin=origin)
    patches: list[Any] = []
    fills: list[tuple[float, ...]] = []
    edges: list[tuple[float, ...]] = []
    for corners, solid, color in picture["outlines"]:
        patches.append(Polygon(corners, closed=True))
        fills.append(_unit(color, 0.3 if solid else 0.0))
        edges.append(_unit(color))
    for center, radius, solid, color in picture["circles"]:
        patches.append(Circle(center, radius))
        fills.append(_unit(color, 0.3 if solid else 0.0))
        edges.append(_unit(color))
    lines = picture["lines"].reshape(-1, 2, 2)
    artists: list[Any] = [
        ax.add_collection(PatchCollection(patches, facecolors=fills, edgecolors=edges)),
        ax.add_collection(LineCollection(lines, colors=picture["line_colors"] / 255, linewidths=1)),
    ]
    for place, pixels, color in picture["dots"]:
        artists += ax.plot(*place, "o", markersize=pixels, color=_unit(color))
    for place, text, color in picture["texts"]:
        artists.append(
            ax.text(place[0], place[1], text, color=_unit(color), ha="center", va="center")
        )
    left, low, right, high = picture["view"]
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")
    return artists


def pygame(
    surface: Surface,
    world: World,
    *,
    view: Sequence[float] | None = None,
    layers: Sequence[str] | None = None,
    origin: PointLike = (0.0, 0.0),
) -> None:
    """Draws a world onto a surface: the view in its middle, as large as it fits, y up."""
    from pygame import draw, font

    picture = world.drawing(view=view, layers=layers, origin=origin)
    left, low, right, high = picture["view"]
    width, height = surface.get_size()
    scale = min(width / (right - left), height / (high - low))
    x0 = 0.5 * (width - scale * (left + right))
    y0 = 0.5 * (height + scale * (low + high))

    def at(x: float, y: float) -> tuple[float, float]:
        return (x0 + scale * float(x), y0 - scale * float(y))

    def paint(color: Sequence[int], share: float) -> tuple[int, int, int]:
        # A surface has no opacity of its own: the colour is mixed with white.
        opacity = share * color[3] / 255
        red, green, blue = (round(255 + (part - 255) * opacity) for part in color[:3])
        return (red, green, blue)

    for corners, solid, color in picture["outlines"]:
        points = [at(*corner) for corner in corners]
        if len(points) < 3:
            points = (points * 3)[:3]
        if solid:
            draw.polygon(surface, paint(color, 0.3), points)
        draw.polygon(surface, paint(color, 1.0), points, width=1)
    for center, radius, solid, color in picture["circles"]:
        if solid:
            draw.circle(surface, paint(color, 0.3), at(*center), scale * radius)
        draw.circle(surface, paint(color, 1.0), at(*center), scale * radius, width=1)
    for (ax, ay, bx, by), color in zip(picture["lines"], picture["line_colors"]):
        draw.line(surface, paint([int(part) for part in color], 1.0), at(ax, ay), at(bx, by))
    for place, pixels, color in picture["dots"]:
        draw.circle(surface, paint(color, 1.0), at(*place), 0.5 * pixels)
    if picture["texts"]:
        font.init()
        letters = font.Font(None, 14)
        for place, text, color in picture["texts"]:
            label = letters.render(text, True, paint(color, 1.0))
            surface.blit(label, label.get_rect(center=at(*place)))
