"""Which public functions of carom and carom-nav the API does not reach, by text search.

A function `Type::name` is reached if bindings/c/src/api or convert names the type, or a value of it
is a World, and calls `name`. What is not reached must stand in left_out.json with its reason, as
`Type::name`, or `Type::*` for all of a type; a line there that is not needed is an error, too.
"""

import json
import pathlib
import re

SKIPPED = ("/tests", "/guide/", "ablate", "/simd/", "/solver/", "/threads/", "/tuning", "/util/")
FUNCTION = re.compile(
    r"^(?P<impl>impl\b[^{]*\{)"
    r"|^    pub (?:const )?fn (?P<method>\w+)"
    r"|^pub (?:const )?fn (?P<free>\w+)",
    re.MULTILINE,
)


def public_functions(root):
    """Pairs of a type, or "" for a free function, and a name."""
    for folder in (root / "src", root / "nav" / "src"):
        public = exported_types(folder)
        for path in sorted(folder.rglob("*.rs")):
            if any(part in str(path) for part in SKIPPED):
                continue
            text = path.read_text().split("#[cfg(test)]")[0]
            yield from functions_of(text, public)


def exported_types(folder):
    """Names that lib.rs or a public module hands on."""
    names = set()
    for path in folder.rglob("*.rs"):
        for use in re.findall(
            r"pub use [\w:]*\{([^}]*)\}|pub use [\w:]*::(\w+);", path.read_text()
        ):
            names.update(re.findall(r"\w+", " ".join(use)))
    return names


def functions_of(text, public):
    current = None
    for match in FUNCTION.finditer(text):
        if match["impl"]:
            head = re.sub(r"^impl(<[^{]*?>)? ", "", match["impl"])
            name = re.match(r"(?:crate::)?(?:\w+::)*(\w+)", head)
            current = name[1] if name and " for " not in head else None
        elif match["method"] and current in public:
            yield current, match["method"]
        elif match["free"] and match["free"] in public:
            yield "", match["free"]


def check(api, here):
    """Prints what is neither reached nor listed; returns whether all is well."""
    sources = [
        path.read_text()
        for folder in ("api", "convert")
        for path in (here / "c" / "src" / folder).glob("*.rs")
    ]
    text = "\n".join(sources)
    words = set(re.findall(r"\w+", text))
    calls = set(re.findall(r"(?:\.|::)(\w+)\b", text))
    listed = {one["what"]: one["why"] for one in json.loads((here / "left_out.json").read_text())}
    needed, missing, reached = set(), [], 0
    for kind, name in sorted(set(public_functions(here.parent))):
        if (not kind or kind in words) and name in calls:
            reached += 1
            continue
        entry = next((one for one in (f"{kind}::{name}", f"{kind}::*") if one in listed), None)
        if entry:
            needed.add(entry)
        else:
            missing.append(f"{kind}::{name}")
    for name in missing:
        print(f"neither reached nor left out: {name}")
    stale = sorted(set(listed) - needed)
    for name in stale:
        print(f"left_out.json has a line that is not needed: {name}")
    print(f"{reached} public functions reached, {len(listed)} lines of left_out.json for the rest")
    return not missing and not stale
