"""The names of the API's types in JavaScript and TypeScript, and the structs it gives and takes."""

import textwrap

import model

# Structs that programs fill in, by their names in api.json.
INPUTS = (
    "mass",
    "world_def",
    "material",
    "filter",
    "tile_cell",
    "geometry",
    "shape_def",
    "body_def",
    "spring",
    "limits",
    "motor",
    "servo",
    "drive",
    "anchor",
    "joint_def",
    "query_filter",
    "ray",
    "cast",
    "placed",
    "area",
    "mover_def",
    "start",
    "draw_options",
    "ask",
    "mesh_def",
    "agent_def",
    "crowd_def",
    "wander",
    "flow_on",
)
# Structs that are read where they lie.
OUTPUTS = (
    "aabb",
    "mass",
    "spring",
    "limits",
    "motor",
    "servo",
    "drive",
    "anchor",
    "joint_def",
    "world_def",
    "material",
    "filter",
    "tile_cell",
    "drive_state",
    "joint_state",
    "body_state",
    "shape_state",
    "step_stats",
    "moved",
    "touch",
    "hit",
    "sensor_event",
    "joint_break",
    "joint_loss",
    "freeze",
    "contact_point",
    "contact",
    "pair_view",
    "contact_edit",
    "ray_answer",
    "cast_answer",
    "overlap_answer",
    "nearest_answer",
    "manifold",
    "separation",
    "ray_hit",
    "closest_point",
    "area",
    "mover_touch",
    "move_outcome",
    "path_point",
    "meeting",
    "line",
    "crowd_event",
)


def camel(name):
    """body_set_velocity: bodySetVelocity."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def row_name(name):
    """The class that reads a struct."""
    return model.camel(name) + "Row"


def is_writable(field):
    """Fields of a contact that a hook may change."""
    return field.name in (
        "solid",
        "static_friction",
        "kinetic_friction",
        "restitution",
        "tangent_speed",
    ) and not field.doc.startswith("To be read")


def aliases(struct, offsets, sizes):
    """Shorter names of fields: name, kind, offset, offset of a flag, detail."""
    if struct == "body_def":
        yield "at", "point", offsets["position"], -1, None
        yield "shape", "one", offsets["shapes"], -1, "shapeDef"
    if struct == "material":
        yield "friction", "friction", offsets["static_friction"], -1, None
    if struct == "shape_def":
        yield "shape", "struct", offsets["geometry"], -1, "geometry"
        yield "density", "f32", offsets["weight"], -1, None
        yield "mass", "f32", offsets["weight"], offsets["by_mass"], None
        material = sizes["material"][2]
        for name in ("restitution", "friction"):
            field = "static_friction" if name == "friction" else name
            kind = "friction" if name == "friction" else "f32"
            yield name, kind, offsets["material"] + material[field], -1, None
    if struct == "joint_def":
        drive = sizes["drive"][2]
        for name in ("limits", "motor", "servo"):
            kind = "limits" if name == "limits" else "struct"
            # The flag is counted from the start of the definition.
            flag = offsets["drive"] + drive[f"has_{name}"]
            yield (
                name,
                kind,
                offsets["drive"] + drive[name],
                flag,
                None if kind == "limits" else name,
            )
        both = offsets["anchor_b"] - offsets["anchor_a"]
        yield "at", "both", offsets["anchor_a"], -1, both
        yield "a", "id", offsets["body_a"], -1, None
        yield "b", "id", offsets["body_b"], -1, None
    if struct in ("cast", "placed"):
        yield "shape", "struct", offsets["geometry"], -1, "geometry"
        if struct == "placed":
            yield "at", "point", offsets["place"], -1, None
    if struct == "mover_def":
        yield "shape", "struct", offsets["geometry"], -1, "geometry"


def input_type(api, kind):
    """The type in TypeScript of an argument."""
    if kind in api.enums:
        return model.camel(kind)
    if kind in api.ids:
        return model.camel(kind) + "Id"
    plain = {
        "vec2": "Vec",
        "point": "Point",
        "rot": "Angle",
        "cell": "Cell",
        "transform": "Place",
        "world_aabb": "Box",
        "geometry": "Shape",
        "text": "string",
        "bool": "boolean",
        "u64": "number | bigint",
        "mass": "MassInput",
        "anchor": "AnchorInput",
        "limits": "LimitsInput",
    }
    if kind in plain:
        return plain[kind]
    return input_name(kind) if kind in api.structs else "number"


def input_name(kind):
    """The interface of a struct that programs fill in."""
    name = model.camel(kind)
    return name if kind.endswith("_def") else f"{name}Input"


def output_name(kind):
    """The interface of a struct that programs read."""
    name = model.camel(kind)
    return f"{name}State" if kind.endswith("_def") else name


def list_type(api, kind):
    packed = {
        "vec2": "Float32Array",
        "u8": "Uint8Array | Uint8ClampedArray",
        "tile_cell": "Uint8Array",
        "cell": "Int32Array",
    }
    one = input_type(api, kind)
    text = f"ArrayLike<{one}>"
    return f"{text} | {packed[kind]}" if kind in packed else text


def output_type(api, kind):
    """The type in TypeScript of a member of an answer."""
    if kind in api.enums:
        return model.camel(kind)
    if kind in api.ids:
        return model.camel(kind) + "Id"
    plain = {
        "vec2": "[number, number]",
        "rot": "[number, number]",
        "point": "[number, number]",
        "cell": "[number, number]",
        "bool": "boolean",
        "u64": "number | bigint",
    }
    if kind in plain:
        return plain[kind]
    return output_name(kind) if kind in api.structs else "number"


def row_type(kind):
    """The interface of a struct where it lies."""
    return f"{output_name(kind)}Row"


def jsdoc(text, indent):
    """A comment of one line, or of several."""
    if len(indent) + len(text) <= 92:
        return f"{indent}/** {text} */"
    lines = textwrap.wrap(text, 95 - len(indent))
    return "\n".join([f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"])
