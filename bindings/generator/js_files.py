"""The files of the npm package that are generated, as names below bindings/js/src and texts."""

import re

import javascript as js
import js_methods as methods
import js_types as types
import model
from js_types import camel

LIMIT = 480
# Bytes of a frame of arguments in core.js.
ROOM = 2048
# Bytes of `step_stats`.
STATS = 32
CORE = (
    "CaromError",
    "F32",
    "F64",
    "I32",
    "P",
    "S",
    "U32",
    "U8",
    "Window",
    "begin",
    "fail",
    "failed",
    "fill",
    "fresh",
    "idAt",
    "needModule",
    "pending",
    "putId",
    "x",
)
WRITE = (
    "count",
    "i32",
    "listAt",
    "number",
    "optional",
    "putCell",
    "putPoint",
    "putRot",
    "putStruct",
    "putTransform",
    "putVec2",
    "putWorldAabb",
    "textRoom",
    "u32",
    "u64",
    "word",
    "fieldsOf",
)
LIST = (
    "IdList",
    "List",
    "Row",
    "cellAt",
    "coordinateAt",
    "pointAt",
    "u64At",
    "u64List",
    "vec2At",
    "wordOf",
)
HANDLE = ("ADOPT", "Handle", "answers", "pointer")


def files(api):
    persistent = [0]
    yield from class_files(api, persistent)
    yield from row_files(api)
    layout = (
        js.table(api)
        + "\n/** Bytes of all answers that stay. */\n"
        + f"export const PERSISTENT = {persistent[0] + STATS};\n"
        + "\n/** Where counts of a step lie among them. */\n"
        + f"export const STATS_AT = {persistent[0]};\n"
    )
    names = ", ".join(f'"{function.name}"' for function in api.functions())
    layout += "\n/** All functions, some of which smaller modules lack. */\n"
    layout += "\n".join(js.wrapped(f"export const NAMES = [{names}];", "  ")) + "\n"
    yield "generated/layout.js", layout
    yield "generated/inputs.d.ts", inputs(api)
    yield from row_types(api)


def module(about, body, source_classes=()):
    """A file with its imports, which are found in its text."""
    out = [f"/**\n * {about}\n *\n * {js.NOTE}\n */"]
    for path, names in (
        ("../core.js", CORE),
        ("../handle.js", HANDLE),
        ("../list.js", LIST),
        ("../write.js", WRITE),
    ):
        used = sorted(name for name in names if re.search(rf"(?<![.\w]){name}\b(?!:)", body))
        if used:
            out += imported(used, path)
    if "ENUMS." in body:
        out.append('import { ENUMS } from "./layout.js";')
    used = sorted(set(re.findall(r"\b(\w+Row)\b", body)) - set(re.findall(r"class (\w+Row)", body)))
    if used:
        out += imported(used, "./rows.js" if not source_classes == "rows" else "./rows_1.js")
    made = set(re.findall(r"class (\w+)", body))
    used = {name for name in all_classes() if re.search(rf"(new {name}\(|, {name}, )", body)} - made
    if used:
        out += imported(sorted(used), "../classes.js")
    return "\n".join(out) + "\n\n" + body


def imported(names, path):
    return js.wrapped(f'import {{ {", ".join(names)} }} from "{path}";', "  ", 98)


def all_classes():
    return [
        "World",
        "Prepared",
        "Piece",
        "Ring",
        "Replay",
        "Prediction",
        "Mover",
        *js.CLASSES.values(),
        "Crowd",
    ]


def owners(api, persistent):
    """All methods: those of each class, and functions without one."""
    by_owner, free = {"prepared": []}, []
    for group, _, functions in api.groups:
        for function in functions:
            if group in js.SKIPPED_GROUPS or function.name in js.SKIPPED:
                continue
            frees = [one.mode for one in function.arguments[:1]] == ["free"]
            if function.returns == "geometry" or frees:
                continue
            one = methods.Method(api, function, persistent)
            owner = function.returns[4:] if one.is_static() or one.is_constructor else one.owner
            if function.name == "prepare":
                owner = None
            (by_owner.setdefault(owner, []) if owner else free).append(one)
    return by_owner, free


def class_files(api, persistent):
    by_owner, free = owners(api, persistent)
    for owner, found in by_owner.items():
        names = [one.name() for one in found]
        double = sorted({name for name in names if names.count(name) > 1})
        assert not double, f"{owner}: two methods are called {double}"
        assert all(one.room <= ROOM for one in found), f"{owner}: arguments do not fit into a frame"
    worlds = list(chunks(by_owner.pop("world")))
    for number, chunk in enumerate(worlds, 1):
        base = f"World{number - 1}" if number > 1 else "Handle"
        body = f"export class World{number} extends {base} {{\n"
        body += '  static $free = "carom_world_free";\n' if number == 1 else ""
        body += "\n".join(line for one in chunk for line in one.lines()) + "\n}\n"
        text = module(f"Methods of worlds, part {number}.", body)
        if number > 1:
            text = text.replace(
                " */\n", f' */\nimport {{ {base} }} from "./world_{number - 1}.js";\n', 1
            )
        yield f"generated/world_{number}.js", text
    last = f"World{len(worlds)}"
    yield (
        "generated/worlds.js",
        (
            f"/**\n * All methods of worlds that are generated.\n *\n * {js.NOTE}\n */\n"
            f'export {{ {last} as Worlds }} from "./world_{len(worlds)}.js";\n'
        ),
    )
    nav = [owner for owner in by_owner if owner in (*js.CLASSES, "crowd")]
    for name, about, found in (
        (
            "objects",
            "Objects beside worlds: pieces, rings, replays, predictions, movers.",
            [owner for owner in by_owner if owner not in nav],
        ),
        ("maps", "Navigation on maps: searches and flow fields.", nav[:3]),
        ("meshes", "Navigation meshes, ways and crowds.", nav[3:]),
    ):
        body = "\n".join(class_text(owner, by_owner[owner]) for owner in found)
        yield f"generated/{name}.js", module(about, body)
    body = "\n".join(function_text(one) for one in free)
    yield "generated/geometry.js", module("Geometry without a world.", body)
    all_worlds = [one for chunk in worlds for one in chunk]
    yield from class_types(all_worlds, by_owner, free, nav)


def class_text(owner, found):
    name = methods.class_name(owner)
    lines = [f"export class {name} extends Handle {{", f'  static $free = "carom_{owner}_free";']
    lines += [line for one in found for line in one.lines()]
    return "\n".join(lines) + "\n}\n"


def function_text(one):
    lines = list(one.lines())
    lines[1] = re.sub(r"^  static (\w+)\(", r"export function \1(", lines[1])
    return "\n".join(line[2:] if line.startswith("  ") else line for line in lines) + "\n"


def chunks(found):
    current, size = [], 0
    for one in found:
        length = len(list(one.lines()))
        if size + length > LIMIT:
            yield current
            current, size = [], 0
        current.append(one)
        size += length
    yield current


def row_files(api):
    texts = js.rows(api)
    parts, size = [[]], 0
    for text in texts:
        if size + text.count("\n") > LIMIT:
            parts.append([])
            size = 0
        parts[-1].append(text)
        size += text.count("\n") + 1
    for number, part in enumerate(parts, 1):
        body = "\n".join(part)
        text = module(f"Structs read where they lie in memory, part {number}.", body)
        text = re.sub(r'^import \{[^}]*\} from "\./rows\.js";\n', "", text, flags=re.M)
        uses = sorted(
            set(re.findall(r"this\.\$part\((\w+)", body)) - set(re.findall(r"class (\w+)", body))
        )
        if uses:
            text = text.replace(" */\n", " */\n" + "\n".join(imported(uses, "./rows.js")) + "\n", 1)
        yield f"generated/rows_{number}.js", text
    lines = "\n".join(f'export * from "./rows_{k}.js";' for k in range(1, len(parts) + 1))
    yield (
        "generated/rows.js",
        f"/**\n * Structs read where they lie in memory.\n *\n * {js.NOTE}\n */\n{lines}\n",
    )


# TypeScript.


def doc(text, indent="  "):
    return types.jsdoc(text.replace("NULL", "null"), indent)


def told(api, text):
    """A doc text with names as JavaScript has them."""
    return model.quoted(api, text, lambda name: f"`{methods.spelled(name)}`")


def inputs(api):
    out = [
        "/**\n * Definitions that programs fill in. All fields have defaults.\n *\n"
        f" * {js.NOTE}\n */"
    ]
    out.append('import type { Shape, Prepared, GridMap, FlowField } from "../classes.js";\n')
    for enum in api.enums.values():
        if enum["name"] == "status":
            continue
        words = [f'"{camel(value[0])}"' for value in enum["values"]]
        out.append(doc(enum["doc"], ""))
        text = "\n  | ".join(words) if len(words) > 6 else " | ".join(words)
        out.append(f"export type {model.camel(enum['name'])} = {text};")
    for one in api.ids.values():
        name = f"{model.camel(one['name'])}Id"
        out.append(f"{doc(one['doc'] + ' 0 is none.', '')}\nexport type {name} = number;")
    for struct in api.structs.values():
        if struct.name in types.INPUTS and struct.name not in ("geometry",):
            out += interface_of_inputs(api, struct)
    return "\n".join(out) + "\n" + INPUT_TAIL


INPUT_TAIL = """
/** A vector, or a point near the origin. */
export type Vec = readonly [number, number] | { readonly x: number; readonly y: number }
  | Float32Array | Float64Array | number[];
/** A point of a world, however far out. */
export type Point = Vec
  | { readonly region: readonly [number, number]; readonly local: Vec };
/** An angle in radians, or [cos, sin]. */
export type Angle = number | Vec;
/** Column and row. */
export type Cell = Vec | Int32Array;
/** A position and an angle: [x, y, angle]. */
export type Place = Vec | readonly [number, number, number]
  | { readonly at?: Vec; readonly angle?: number };
/** A box: [left, bottom, right, top], or its corners. */
export type Box = readonly [number, number, number, number]
  | { readonly min: Vec; readonly max: Vec };
"""


def interface_of_inputs(api, struct):
    yield f"{doc(struct.doc, '')}\nexport interface {types.input_name(struct.name)} {{"
    for field in js.Names(struct).inputs():
        yield doc(told(api, field.doc))
        yield f"  readonly {camel(field.name)}?: {field_input(api, field)} | undefined | null;"
    sizes = js.layouts(api)
    for name, kind, _, _, detail in types.aliases(struct.name, sizes[struct.name][2], sizes):
        one = "Point" if kind == "both" else ALIASES.get((kind, detail), "number")
        yield f"  readonly {name}?: {one} | undefined | null;"
    yield "}"
    if struct.name == "limits":
        yield "export type Range = LimitsInput | readonly [number, number];"
    if struct.name == "anchor":
        yield "/** A point in the frame of the body, or of the world. */"
        yield "export type AnchorPoint = Vec | { readonly world: Point };"


ALIASES = {
    ("point", None): "Point",
    ("one", "shapeDef"): "Shape | ShapeDef",
    ("struct", "geometry"): "Shape",
    ("limits", None): "Range",
    ("struct", "motor"): "MotorInput",
    ("struct", "servo"): "ServoInput",
    ("id", None): "BodyId",
}


def field_input(api, field):
    if field.kind == "pointer":
        return (
            "ArrayLike<Shape | ShapeDef>"
            if field.type == "shape_def"
            else types.list_type(api, field.type)
        )
    if field.kind == "object":
        return methods.class_name(field.type)
    if field.kind == "callback":
        return "(shape: ShapeId) => boolean"
    plain = {"limits": "Range", "anchor": "AnchorPoint"}
    return plain.get(field.type) or types.input_type(api, field.type)


def row_types(api):
    out = [f"/**\n * Answers that programs read.\n *\n * {js.NOTE}\n */"]
    names = sorted(
        {model.camel(n) for n in api.enums if n != "status"}
        | {f"{model.camel(n)}Id" for n in api.ids}
    )
    body = []
    rows = [types.output_name(name) for name in types.OUTPUTS]
    for struct in api.structs.values():
        if struct.name not in types.OUTPUTS:
            continue
        plain, apart = [], []
        for field in struct.fields:
            if field.kind != "value" or field.type == "context":
                continue
            name, kind = camel(field.name), types.output_type(api, field.type)
            read = "" if types.is_writable(field) and struct.name == "contact_edit" else "readonly "
            plain.append(f"{doc(told(api, field.doc))}\n  {read}{name}: {kind};")
            ends = {
                "rot": ("Cos", "Sin"),
                "vec2": ("X", "Y"),
                "cell": ("X", "Y"),
                "point": ("X", "Y"),
            }
            apart += [f"  readonly {name}{end}: number;" for end in ends.get(field.type, ())]
        own = types.output_name(struct.name)
        body.append(
            f"{doc(struct.doc, '')}\nexport interface {own} {{\n" + "\n".join(plain) + "\n}"
        )
        body.append(
            "/** The same where it lies in memory: valid until the next call; `copy` keeps it. */\n"
            f"export interface {own}Row extends {own} {{\n"
            + "\n".join([*apart, f"  copy(): {own};"])
            + "\n}"
        )
    middle = len(body) // 4 * 2
    for number, part in enumerate((body[:middle], body[middle:]), 1):
        text = "\n".join(part)
        head = out[0].replace(
            "Answers that programs read.", f"Answers that programs read, {number} of 2."
        )
        lines = [head]
        for words, path in ((names, "./inputs.js"), (rows, "./rows.js")):
            used = [w for w in words if re.search(rf"\b{w}\b", text)]
            used = [w for w in used if f"interface {w} " not in text]
            if used:
                lines.append(
                    "\n".join(imported(used, path)).replace("import {", "import type {", 1)
                )
        yield f"generated/rows_{number}.d.ts", "\n".join([*lines, text]) + "\n"
    both = "\n".join(f'export * from "./rows_{number}.js";' for number in (1, 2))
    yield "generated/rows.d.ts", f"{out[0]}\n{both}\n"


def class_types(worlds, by_owner, free, nav):
    def classes(owners):
        out = []
        for owner in owners:
            name = methods.class_name(owner)
            makes = any(one.is_constructor for one in by_owner[owner])
            head = [f"export declare class {name} extends Handle {{"]
            head += [] if makes else ["  private constructor();"]
            out.append(
                "\n".join([*head, *(line for one in by_owner[owner] for line in one.declaration())])
                + "\n}"
            )
        return "\n".join(out) + "\n"

    text = (
        "export declare class Worlds extends Handle {\n"
        + "\n".join(line for one in worlds for line in one.declaration())
        + "\n}\n"
    )
    yield "generated/world.d.ts", typed("Methods of worlds.", text)
    yield (
        "generated/objects.d.ts",
        typed("Objects beside worlds.", classes([o for o in by_owner if o not in nav])),
    )
    yield "generated/maps.d.ts", typed("Navigation on maps.", classes(nav[:3]))
    yield "generated/meshes.d.ts", typed("Navigation meshes, ways and crowds.", classes(nav[3:]))
    body = (
        "\n".join(
            re.sub(r"^  static ", "export declare function ", line, flags=re.M).removeprefix("  ")
            for one in free
            for line in one.declaration()
        )
        + "\n"
    )
    body = re.sub(r"^(?=.{101})(.*), (placeB|translation): ", r"\1,\n  \2: ", body, flags=re.M)
    yield "generated/geometry.d.ts", typed("Geometry without a world.", body)


def typed(about, body):
    words = set(re.findall(r"\b[A-Z]\w+\b", re.sub(r"/\*\*.*?\*/", "", body, flags=re.S)))
    made = set(re.findall(r"class (\w+)", body))
    builtin = {
        "ArrayLike",
        "Uint8Array",
        "Uint8ClampedArray",
        "Float32Array",
        "Float64Array",
        "Int32Array",
        "Uint32Array",
    }
    words -= made | builtin
    out = [f"/**\n * {about}\n *\n * {js.NOTE}\n */"]
    rows = sorted(w for w in words if w.endswith("Row"))
    classes = sorted(words & {*all_classes(), "Shape", "Handle", "List", "IdList"})
    rest = sorted(words - set(rows) - set(classes))
    if "Handle" in classes:
        out.append('import { Handle } from "../handle.js";')
        classes.remove("Handle")
    for names, path in (
        (rows, "./rows.js"),
        (rest, "./inputs.js"),
        ([c for c in classes if c in ("List", "IdList")], "../list.js"),
        ([c for c in classes if c not in ("List", "IdList")], "../classes.js"),
    ):
        if names:
            out.append("\n".join(imported(names, path)).replace("import {", "import type {", 1))
    return "\n".join(out) + "\n\n" + body
