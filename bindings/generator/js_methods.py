"""The classes of the npm package: a method for each function of the API.

A method writes its arguments to the room of the call, `t`, calls the export, throws a failure,
and gives answers as numbers, views, rows or lists. Its type for TypeScript is made beside it.
"""

import javascript as js
import js_types as types
import model
from js_types import camel

SLOTS = {"vec2": 8, "rot": 8, "cell": 8, "point": 16, "transform": 16, "world_aabb": 24}
WRITERS = {
    "vec2": "putVec2",
    "point": "putPoint",
    "rot": "putRot",
    "cell": "putCell",
    "transform": "putTransform",
    "world_aabb": "putWorldAabb",
}
INTEGERS = {"u32": "u32", "size": "u32", "i32": "i32", "u64": "u64"}
# How answers of numbers are given: the type in TypeScript, and the expression.
READS = {
    "vec2": ("[number, number]", "vec2At({at}, out)"),
    "rot": ("[number, number]", "vec2At({at}, out)"),
    "cell": ("[number, number]", "cellAt({at}, out)"),
    "point": ("[number, number]", "pointAt({at}, out)"),
    "u32": ("number", "U32[({at}) >> 2]"),
    "f32": ("number", "F32[({at}) >> 2]"),
    "f64": ("number", "F64[({at}) >> 3]"),
    "u64": ("number", "u64At({at})"),
    "bool": ("boolean", "U8[{at}] !== 0"),
}
VIEWS = {
    "pose": ("Float32Array", "Float32Array", 4),
    "vec2": ("Float32Array", "Float32Array", 2),
    "cell": ("Int32Array", "Int32Array", 2),
    "size": ("Uint32Array", "Uint32Array", 1),
    "bool": ("Uint8Array", "Uint8Array", 1),
}
# Parameters whose names mean something else in the files.
PARAMETERS = {"x": "lockX", "y": "lockY", "count": "most"}
RESERVED = {"x", "t", "S", "P", "count", "number", "pending", "fill", "begin", "word", "out"}
OUT = "[number, number] | Float32Array | Float64Array"
ABSENT = {"vec2": "F32[t >> 2]", "rot": "F32[t >> 2]", "point": "F32[(t + 8) >> 2]"}


class Method:
    """A function as a method: its lines in JavaScript and its line in TypeScript."""

    def __init__(self, api, function, persistent):
        self.api, self.function, self.persistent = api, function, persistent
        self.sizes = js.layouts(api)
        self.parameters, self.before, self.call = [], [], []
        self.results, self.fill = [], None
        self.room = 0
        self.needs_begin = False
        self.owner = None
        self.is_constructor = function.name.endswith("_new")
        if function.returns in SLOTS:
            self.call.append(self.slot(SLOTS[function.returns]))
        elif function.returns in api.structs:
            raise AssertionError(function.name)
        for one in function.arguments:
            self.argument(one)
        if function.returns in SLOTS:
            self.parameters.append(("out", OUT, True))

    def slot(self, size):
        at, self.room = self.room, self.room + -(-size // 8) * 8
        return f"t + {at}" if at else "t"

    def argument(self, one):
        name = PARAMETERS.get(one.name) or camel(one.name)
        assert name not in RESERVED, f"{self.function.name}: `{name}` means something else"
        match one.mode:
            case "ref" | "mut" | "of" | "free":
                if self.owner is None and not self.is_static():
                    self.owner = one.type
                    self.call.append("this.$")
                else:
                    self.parameters.append((name, class_name(one.type), False))
                    self.call.append(f'pointer({name}, {class_name(one.type)}, "{name}")')
            case "value":
                self.value(one, name)
            case "&":
                self.definition(one.type, name)
            case "?":
                self.optional(one.type, name)
            case "[]":
                self.needs_begin = True
                element = camel(one.type)
                self.parameters.append((name, types.list_type(self.api, one.type), False))
                self.before.append(f'const {name}At = listAt("{element}", {name}, "{name}");')
                self.before.append(f"const {name}Count = count;")
                self.call += [f"{name}At", f"{name}Count"]
            case "out":
                self.out(one, name)
            case "view":
                at = self.slot(8)
                base = int(at[4:]) if at != "t" else 0
                self.call += [at, f"t + {base + 4}"]
                self.results.append((name, *self.view(one, at, f"t + {base + 4}")))
            case "fill":
                self.fill = one

    def is_static(self):
        """Functions that make an object of another kind than the one they read."""
        returns = self.function.returns
        return (
            returns.startswith("new ")
            and self.function.name.startswith(returns[4:] + "_")
            and (self.function.name != "world_clone")
        )

    def value(self, one, name):
        kind = one.type
        self.parameters.append((name, types.input_type(self.api, kind), False))
        if kind in ("f32", "f64"):
            self.call.append(f'number({name}, "{name}")')
        elif kind in INTEGERS:
            self.call.append(f'{INTEGERS[kind]}({name}, "{name}")')
        elif kind == "bool":
            self.call.append(f"{name} ? 1 : 0")
        elif kind in self.api.enums:
            self.call.append(f'word(ENUMS.{camel(kind)}, {name}, "{name}")')
        elif kind == "text":
            self.needs_begin = True
            self.call.append(f'textRoom({name}, "{name}")')
        elif kind in self.api.ids:
            at = self.slot(8)
            self.before.append(f"putId({at}, {name});")
            self.call.append(at)
        elif kind in WRITERS:
            at = self.slot(SLOTS[kind])
            self.before.append(f'{WRITERS[kind]}({at}, {name}, "{name}");')
            self.call.append(at)
        else:
            self.parameters.pop()
            self.definition(kind, name)

    def definition(self, kind, name):
        self.needs_begin = True
        at = self.slot(self.sizes[kind][0])
        self.parameters.append((name, types.input_type(self.api, kind), False))
        self.before.append(f'putStruct({at}, "{camel(kind)}", {given(kind, name)});')
        self.call.append(at)

    def optional(self, kind, name):
        self.parameters.append((name, f"{types.input_type(self.api, kind)} | null", True))
        if kind in WRITERS:
            at = self.slot(SLOTS[kind])
            self.before.append(f"const has{name} = {name} !== undefined && {name} !== null;")
            self.before.append(f'if (has{name}) {WRITERS[kind]}({at}, {name}, "{name}");')
            self.call.append(f"has{name} ? {at} : 0")
        else:
            self.needs_begin = True
            self.call.append(f'optional("{camel(kind)}", {name})')

    def out(self, one, name):
        if one.type in READS:
            kind, text = READS[one.type]
            at = self.slot(SLOTS.get(one.type, 8))
            if "out" in text:
                self.parameters.append(("out", OUT, True))
            self.results.append((name, kind, text.format(at=at)))
        elif one.type in self.api.ids:
            at = self.slot(8)
            self.results.append((name, types.input_type(self.api, one.type), f"idAt({at})"))
        else:
            size = -(-self.sizes[one.type][0] // 8) * 8
            at = f"P + {self.persistent[0]}"
            self.persistent[0] += size
            row = types.row_name(one.type)
            text = f"(answers.{camel(self.function.name)} ??= new {row}()).$over({at})"
            self.results.append((name, types.row_type(one.type), text))
        self.call.append(at)

    def view(self, one, at, count_at):
        start, count = f"U32[({at}) >> 2]", f"U32[({count_at}) >> 2]"
        kept = f"this.${camel(self.function.name)}{model.camel(one.name)}"
        if one.type == "u8":
            return "Uint8Array", f"U8.slice({start}, {start} + {count})"
        if one.type == "u64":
            return "number[]", f"u64List({start}, {count})"
        if one.type in self.api.ids:
            kind = types.input_type(self.api, one.type)
            return f"IdList<{kind}>", f"({kept} ??= new IdList()).over({start}, {count})"
        if one.type in VIEWS:
            kind, view, numbers = VIEWS[one.type]
            times = f" * {numbers}" if numbers > 1 else ""
            return kind, f"({kept} ??= new Window({view})).over({start}, {count}{times})"
        row = types.row_name(one.type)
        kind = f"List<{types.row_type(one.type)}>"
        return kind, f"({kept} ??= new List({row})).over({start}, {count})"

    # The text.

    def lines(self):
        yield types.jsdoc(self.doc(), "  ")
        names = ", ".join(
            name if name != "out" else "out = [0, 0]" for name, _, _ in self.parameters
        )
        static = "static " if self.is_static() or self.owner is None else ""
        head = self.name()
        if self.is_constructor:
            static, head = "static ", "$make"
        yield f"  {static}{head}({names}) {{"
        yield from (f"    {line}" for line in self.body())
        yield "  }"

    def body(self):
        if self.needs_begin:
            yield "begin();"
        elif self.is_constructor:
            yield "needModule();"
        if self.room:
            yield "const t = S;"
        yield from self.before
        if self.fill:
            yield from self.filled()
            return
        call = f"x.carom_{self.function.name}({', '.join(self.call)})"
        returns = self.function.returns
        if returns == "status":
            yield from js.wrapped(f"const status = {call};", "  ", 94)
            yield "fresh();"
            yield "if (status !== 0 || pending !== null) fail(status);"
            yield from self.answer()
        elif returns == "found":
            yield from js.wrapped(f"const found = {call};", "  ", 94)
            yield "fresh();"
            yield "if (found === 0 || pending !== null) failed();"
            yield "if (found === 0) return null;"
            yield from self.answer()
        elif returns == "bool":
            yield from js.wrapped(f"const is = {call};", "  ", 94)
            yield "fresh();"
            yield "if (is === 0 || pending !== null) failed();"
            yield "return is !== 0;"
        elif returns.startswith("new "):
            yield from js.wrapped(f"const made = {call};", "  ", 94)
            yield "fresh();"
            yield "if (made === 0) failed();"
            made = class_name(returns[4:])
            yield "return made;" if self.is_constructor else f"return new {made}(ADOPT, made);"
        elif returns in SLOTS:
            yield f"{call};"
            absent = ABSENT[returns]
            yield "fresh();"
            yield f"if ({absent} !== {absent}) failed();"
            kind, text = READS[returns]
            yield f"return {text.format(at='t')};"
        else:
            yield from js.wrapped(f"const value = {call};", "  ", 94)
            yield "fresh();"
            if returns == "u64":
                yield "if (value === 0n) failed();"
                is_hash = self.function.name.endswith("_hash")
                yield "return BigInt.asUintN(64, value);" if is_hash else "return Number(value);"
            else:
                yield "if (!(value > 0)) failed();"
                yield "return value >>> 0;" if returns == "u32" else "return value;"

    def filled(self):
        call = ", ".join([*self.call, "at", "capacity", "countAt"])
        yield "return fill((at, capacity, countAt) =>"
        yield f"  x.carom_{self.function.name}({call}),"
        yield f"  {'true' if self.function.returns == 'found' else 'false'});"

    def answer(self):
        if len(self.results) == 1:
            yield from overs(f"return {self.results[0][2]};")
        elif self.results:
            yield f"const answer = (this.$o{model.camel(self.function.name)} ??= {{}});"
            for name, _, text in self.results:
                yield from overs(f"answer.{name} = {text};")
            yield "return answer;"

    def name(self):
        name = self.function.name
        if name in js.NAMES:
            return js.NAMES[name]
        words = name.split("_")
        owner = self.function.returns[4:] if self.is_static() else self.owner
        kind = words[0]
        if kind in ("world", owner):
            words = words[1:]
        elif kind == "body" and owner == "world":
            words = words[1:]
        elif kind in ("shape", "joint") and len(words) > 2 and words[1] == "set":
            words = ["set", kind, *words[2:]]
        return camel("_".join(words)) if words else camel(name)

    def doc(self):
        text = model.quoted(self.api, self.function.doc, lambda it: f"`{spelled(it)}`")
        return text.replace("; NULL for", "; null for").replace("NULL", "null").replace("*/", "* /")

    def returned(self):
        returns = self.function.returns
        if self.fill:
            kind = "string" if self.function.name == "world_difference" else "Uint8Array"
            return f"{kind} | null" if returns == "found" else kind
        if returns.startswith("new "):
            return class_name(returns[4:])
        if returns in ("status", "found"):
            if len(self.results) == 1:
                kind = self.results[0][1]
            elif self.results:
                kind = "{ " + "; ".join(f"{n}: {k}" for n, k, _ in self.results) + " }"
            else:
                kind = "void"
            return f"{kind} | null" if returns == "found" else kind
        if returns in READS:
            return READS[returns][0] if not self.function.name.endswith("_hash") else "bigint"
        return {"bool": "boolean"}.get(returns, "number")

    def declaration(self):
        yield types.jsdoc(self.doc(), "  ")
        parts = []
        last = max((k for k, it in enumerate(self.parameters) if not it[2]), default=-1)
        for k, (name, kind, may_lack) in enumerate(self.parameters):
            kind = f"{kind} | undefined" if may_lack and k < last else kind
            parts.append(f"{name}{'?' if may_lack and k > last else ''}: {kind}")
        parameters = ", ".join(parts)
        if self.is_constructor:
            yield from js.wrapped(f"  constructor({parameters});", "    ")
            return
        static = "static " if self.is_static() or self.owner is None else ""
        yield from js.wrapped(f"  {static}{self.name()}({parameters}): {self.returned()};", "    ")


def given(kind, name):
    """A Shape is given as its fields."""
    return f"fieldsOf({name})" if kind == "geometry" else name


def class_name(kind):
    return js.CLASSES.get(kind) or model.camel(kind)


def spelled(name):
    """A name of the API in a doc text."""
    return camel(name.removeprefix("world_"))


def overs(line):
    """A line that puts a list over memory; a long one in two."""
    if len(line) <= 94:
        return [line]
    head, tail = line.split(".over(", 1)
    return [f"{head}.over(", f"  {tail[:-2]}", ");"]
