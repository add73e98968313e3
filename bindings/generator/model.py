"""The API as objects: reads api.json and refuses what is inconsistent."""

import dataclasses
import json
import re

SCALARS = {
    # name: (C, Rust, size)
    "f32": ("float", "f32", 4),
    "f64": ("double", "f64", 8),
    "i32": ("int32_t", "i32", 4),
    "u8": ("uint8_t", "u8", 1),
    "u16": ("uint16_t", "u16", 2),
    "u32": ("uint32_t", "u32", 4),
    "u64": ("uint64_t", "u64", 8),
    "size": ("size_t", "usize", 8),
    "bool": ("bool", "u8", 1),
    "context": ("void *", "*mut core::ffi::c_void", 8),
}
MODES = ("ref", "of", "mut", "free", "out", "view", "fill", "fn")


@dataclasses.dataclass
class Argument:
    """An argument of a function: its name, how it is passed, and the type."""

    name: str
    mode: str
    type: str


@dataclasses.dataclass
class Function:
    name: str
    doc: str
    arguments: list
    returns: str
    errors: list


@dataclasses.dataclass
class Field:
    """A member of a struct as C has it: lists are two members."""

    name: str
    type: str
    doc: str
    default: object
    kind: str  # value, pointer, count, object, callback


@dataclasses.dataclass
class Struct:
    name: str
    doc: str
    fields: list
    pod: bool
    lists: list  # (field, element)
    size: int = 0
    align: int = 0
    offsets: dict = None


class Api:
    """Everything api.json says."""

    def __init__(self, data):
        self.data = data
        self.abi = data["abi"]
        self.enums = {e["name"]: e for e in data["enums"]}
        self.ids = {i["name"]: i for i in data["ids"]}
        self.objects = {o["name"]: o for o in data["objects"]}
        self.callbacks = {c["name"]: c for c in data["callbacks"]}
        self.structs = {}
        for one in data["structs"]:
            self.structs[one["name"]] = self._struct(one)
        self.groups = [
            (group["name"], group["doc"], [self._function(f) for f in group["functions"]])
            for group in data["groups"]
        ]
        self._check()

    def functions(self):
        for _, _, functions in self.groups:
            yield from functions

    def types(self):
        for group in (self.enums, self.ids, self.objects, self.callbacks, self.structs):
            yield from group

    def _function(self, one):
        arguments = [argument(text) for text in split(one["args"])]
        return Function(one["name"], one["doc"], arguments, one["returns"], one.get("errors", []))

    def _struct(self, one):
        fields, lists = [], []
        for name, kind, default, doc in one["fields"]:
            if kind.startswith("["):
                element = kind[1:-1]
                fields.append(Field(name, element, doc, None, "pointer"))
                fields.append(Field(count_of(name), "size", f"How many `{name}`.", 0, "count"))
                lists.append((name, element))
            elif kind.startswith("object "):
                fields.append(Field(name, kind.split()[1], doc, None, "object"))
            elif kind.startswith("fn "):
                fields.append(Field(name, kind.split()[1], doc, None, "callback"))
            else:
                fields.append(Field(name, kind, doc, default, "value"))
        struct = Struct(one["name"], one["doc"], fields, one.get("pod", False), lists)
        struct.offsets = {}
        struct.align = 1
        for field in fields:
            size, align = self.layout(field)
            struct.size = -(-struct.size // align) * align
            struct.offsets[field.name] = struct.size
            struct.size += size
            struct.align = max(struct.align, align)
        struct.size = -(-struct.size // struct.align) * struct.align
        return struct

    def layout(self, field):
        """Size and alignment of a field where pointers have 64 bits."""
        if field.kind != "value" and field.kind != "count":
            return 8, 8
        if field.type in SCALARS:
            size = SCALARS[field.type][2]
            return size, size
        if field.type in self.enums:
            return 4, 4
        if field.type in self.ids:
            return 8, 4
        return self.structs[field.type].size, self.structs[field.type].align

    def errors(self, function):
        """All errors of a function, in the order of the enumeration."""
        found = set(function.errors)
        may_fail = function.returns in ("status", "found") or function.returns.startswith("new ")
        for one in function.arguments:
            if one.mode == "value" and not may_fail and one.type not in self.ids:
                continue
            for key in (one.mode, one.type, "&" if one.mode == "[]" else ""):
                found.update(self.data["implied"].get(key, []))
        return [value[0] for value in self.enums["status"]["values"] if value[0] in found]

    def _check(self):
        types = list(self.types()) + list(SCALARS)
        names = types + [function.name for function in self.functions()]
        double = sorted({name for name in names if names.count(name) > 1})
        assert not double, f"names that stand for two things: {double}"
        known = set(types) | {"text", "context"}
        statuses = {value[0] for value in self.enums["status"]["values"]}
        for function in self.functions():
            for one in function.arguments:
                assert one.type in known, f"{function.name}: no type {one.type}"
            returns = function.returns.removeprefix("new ")
            assert returns in known | {"void", "found"}, f"{function.name} returns {returns}"
            assert set(function.errors) <= statuses, f"{function.name}: {function.errors}"


def split(text):
    return [part.strip() for part in text.split(",") if part.strip()]


def argument(text):
    name, kind = (part.strip() for part in text.split(":", 1))
    if kind[0] == "[":
        return Argument(name, "[]", kind[1:-1])
    if kind[0] in "&?":
        return Argument(name, kind[0], kind[1:])
    words = kind.split()
    if len(words) == 2 and words[0] in MODES:
        return Argument(name, words[0], words[1])
    assert len(words) == 1, text
    return Argument(name, "value", kind)


def count_of(name):
    """The name of the length of a list: bodies, body_count."""
    if name.endswith("ies"):
        return f"{name[:-3]}y_count"
    return f"{name[:-1]}_count" if name.endswith("s") else f"{name}_count"


def camel(name):
    return "".join(word.capitalize() for word in name.split("_"))


def load(path):
    return Api(json.loads(path.read_text()))


def quoted(api, text, spell):
    """A doc text with each name of the API in backticks spelled as a language does."""
    names = set(api.types()) | {function.name for function in api.functions()}
    return re.sub(r"`(\w+)`", lambda m: spell(m[1]) if m[1] in names else m[0], text)
