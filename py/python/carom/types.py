"""Types of arguments and answers, for programs that check theirs.

`PointLike` is what a position or a vector may be given as, `Key` what names a body; `BodyOptions`,
`JointOptions` and `Among` list the keywords of bodies, joints and queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ._carom import Body, Filter, Material

Floats: TypeAlias = npt.NDArray[np.float32]
"""An array of 32-bit numbers."""

Ids: TypeAlias = npt.NDArray[np.uint64]
"""An array of ids, 0 for none."""

Rows: TypeAlias = npt.NDArray[np.void]
"""A structured array: a row an event or answer, `rows["body"]` a column."""

Point: TypeAlias = tuple[float, float]
PointLike: TypeAlias = Union[Sequence[float], "npt.NDArray[Any]"]
Key: TypeAlias = Union["Body", str, int, "np.unsignedinteger[Any]"]
"""What names a body: a handle, a name, an id."""

Keys: TypeAlias = Union[Sequence[Key], "npt.NDArray[np.uint64]"]
Kind: TypeAlias = Literal["fixed", "kinematic", "dynamic"]
Rule: TypeAlias = Literal["average", "geometric_mean", "max", "multiply", "min"]
Lock: TypeAlias = Literal["x", "y", "rotation"]


class BodyOptions(TypedDict, total=False):
    """Keywords of a body; those of materials and weights are for shapes that have none."""

    at: PointLike
    angle: float
    velocity: PointLike
    spin: float
    density: float | None
    mass: float | None
    inertia: tuple[float, PointLike, float]
    material: Material | None
    friction: float | None
    restitution: float | None
    filter: Filter | None
    sensor: bool
    linear_damping: float
    angular_damping: float
    gravity_scale: float
    gravity: PointLike | None
    max_speed: float
    dominance: int
    locks: Lock | Sequence[Lock]
    can_sleep: bool
    awake: bool
    enabled: bool
    user_data: int
    name: str | None


class JointOptions(TypedDict, total=False):
    """Keywords of a joint; a kind that does not have one refuses it with the rule.

    A spring is (hertz, damping ratio), a motor (speed, greatest force or torque), a servo
    (target, hertz, damping ratio).
    """

    at: PointLike | None
    anchors: tuple[PointLike, PointLike] | None
    between: tuple[PointLike, PointLike] | None
    angle: float | None
    limits: PointLike | None
    angle_limits: PointLike | None
    travel_limits: PointLike | None
    motor: PointLike | None
    servo: tuple[float, float, float] | None
    force_range: PointLike | None
    soft: PointLike | None
    breaks_at: PointLike | None
    collide: bool
    enabled: bool
    user_data: int
    bend: PointLike | None
    suspension: dict[str, Any] | None
    to: tuple[PointLike, float] | None
    strength: PointLike | None
    name: str | None


class RodOptions(JointOptions, total=False):
    """Keywords of a rod or a pulley, which have a length."""

    length: float | None


class Among(TypedDict, total=False):
    """Keywords of a query: what counts."""

    category: int | None
    mask: int | None
    sensors: bool
    kinds: Kind | Sequence[Kind] | None
    hollow: bool
    without: Key | Keys | None


class ActionOptions(TypedDict, total=False):
    """Keywords of an action: the number of its column, within `range`, becomes
    `offset + scale * number`."""

    axis: PointLike
    body_frame: bool
    at: PointLike
    speed: float
    range: PointLike
    scale: float
    offset: float
    name: str


class ObservationOptions(TypedDict, total=False):
    """Keywords of an observation: what is seen becomes `offset + scale * number`."""

    relative_to: Key
    with_body: Key
    at: PointLike
    count: int
    reach: float
    fan: PointLike
    world_frame: bool
    mask: int
    only: Literal["x", "y"]
    scale: float
    offset: float
    name: str


class VariationOptions(TypedDict, total=False):
    """Keywords of a variation: whether the number replaces, is added or multiplies, and which
    bodies move along."""

    added: bool
    multiplied: bool
    about: PointLike
    also: Key | Keys


class EndOptions(TypedDict, total=False):
    """Keywords of an end of episodes."""

    min: PointLike
    max: PointLike
    limit: float
    relative_to: Key
    with_body: Key
    ignore: Key | Keys
    name: str
