"""A box falls on the ground, from Python by ctypes: any language that calls C can.

python3 hello.py path/to/libcarom_c.so
"""

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_float, c_int32, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p


def structure(name, **fields):
    """A struct of carom.h, with its fields in order."""
    return type(name, (Structure,), {"_fields_": list(fields.items())})


Vec2 = structure("Vec2", x=c_float, y=c_float)
Body = structure("Body", slot=c_uint32, generation=c_uint32)
Point = structure("Point", region_x=c_int32, region_y=c_int32, local=Vec2)
Mass = structure("Mass", mass=c_float, center=Vec2, inertia=c_float)
Filter = structure("Filter", category=c_uint64, mask=c_uint64, group=c_int32)
Geometry = structure(
    "Geometry",
    kind=c_uint32,
    radius=c_float,
    a=Vec2,
    b=Vec2,
    size=Vec2,
    rounding=c_float,
    offset=Vec2,
    angle=c_float,
    width=c_uint32,
    side=c_float,
    tolerance=c_float,
    points=c_void_p,
    point_count=c_size_t,
    parts=c_void_p,
    part_count=c_size_t,
    cells=c_void_p,
    cell_count=c_size_t,
    pixels=c_void_p,
    pixel_count=c_size_t,
    prepared=c_void_p,
)
Material = structure(
    "Material",
    restitution=c_float,
    static_friction=c_float,
    kinetic_friction=c_float,
    rolling_resistance=c_float,
    surface_speed=c_float,
    friction_rule=c_uint32,
    restitution_rule=c_uint32,
    weld_on_touch=c_bool,
)
ShapeDef = structure(
    "ShapeDef",
    geometry=Geometry,
    weight=c_float,
    by_mass=c_bool,
    sensor=c_bool,
    contact_hook=c_bool,
    one_way=c_bool,
    way=Vec2,
    material=Material,
    filter=Filter,
    user_data=c_uint64,
    part_materials=c_void_p,
    part_material_count=c_size_t,
)
BodyDef = structure(
    "BodyDef",
    kind=c_uint32,
    position=Point,
    angle=c_float,
    velocity=Vec2,
    spin=c_float,
    linear_damping=c_float,
    angular_damping=c_float,
    gravity_scale=c_float,
    own_gravity=c_bool,
    gravity=Vec2,
    max_speed=c_float,
    dominance=c_int32,
    lock_x=c_bool,
    lock_y=c_bool,
    lock_rotation=c_bool,
    can_sleep=c_bool,
    awake=c_bool,
    enabled=c_bool,
    own_mass=c_bool,
    mass=Mass,
    user_data=c_uint64,
    shapes=POINTER(ShapeDef),
    shape_count=c_size_t,
)

FIXED, DYNAMIC = 0, 2
ABI = 1


def load(path):
    """The library, with the types of the functions used here."""
    carom = ctypes.CDLL(path)
    for name, result, *arguments in [
        ("abi", c_uint32),
        ("last_error", c_char_p),
        ("world_new", c_void_p, c_void_p),
        ("world_free", None, c_void_p),
        ("world_step", c_uint32, c_void_p, c_float, c_void_p),
        ("world_hash", c_uint64, c_void_p),
        ("at", Point, c_float, c_float),
        ("rect", Geometry, c_float, c_float),
        ("shape_def_default", ShapeDef, Geometry),
        ("body_def_default", BodyDef, c_uint32),
        ("body_add", c_uint32, c_void_p, POINTER(BodyDef), POINTER(Body)),
        ("body_position", Vec2, c_void_p, Body),
    ]:
        function = getattr(carom, f"carom_{name}")
        function.restype, function.argtypes = result, arguments
    assert carom.carom_abi() == ABI, "the library is of another version"
    return carom


def add(carom, world, kind, place, geometry):
    """Adds a body of one shape."""
    shape = carom.carom_shape_def_default(geometry)
    definition = carom.carom_body_def_default(kind)
    definition.position = carom.carom_at(*place)
    definition.shapes, definition.shape_count = ctypes.pointer(shape), 1
    body = Body()
    if carom.carom_body_add(world, byref(definition), byref(body)) != 0:
        raise ValueError(carom.carom_last_error().decode())
    return body


def main(path):
    carom = load(path)
    world = carom.carom_world_new(None)
    add(carom, world, FIXED, (0.0, -1.0), carom.carom_rect(40.0, 2.0))
    box = add(carom, world, DYNAMIC, (0.0, 4.0), carom.carom_rect(1.0, 1.0))
    for step in range(1, 91):
        carom.carom_world_step(world, 1.0 / 60.0, None)
        if step % 6 == 0:
            print(f"{step / 60:.1f} s: {carom.carom_body_position(world, box).y:.3f} m")
    try:
        add(carom, world, DYNAMIC, (0.0, 4.0), carom.carom_rect(1.0, -1.0))
    except ValueError as rule:
        print(f"refused: {rule}")
    carom.carom_world_free(world)


if __name__ == "__main__":
    main(sys.argv[1])
