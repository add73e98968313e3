"""The tables of docs/javascript.md, between two marks in its text."""

import js_files
import js_methods as methods
import model
import page

HAND = {
    "World": [
        ("step(dt)", "Moves everything by `dt` seconds, and tells counts of the step."),
        ("add(def)", "Adds a body, dynamic by default. `addFixed` and `addKinematic` add others."),
        ("addAll(defs)", "Adds many bodies at once, all or none; faster than one by one."),
        ("addJoint(def)", "Adds a joint of a `kind`."),
        ("changeJoint(joint, changes)", "Changes what the object has of a joint's definition."),
        ("setFilterHook(hook)", "Is asked for every two shapes before they touch at first."),
        ("setContactHook(hook)", "Changes contacts of shapes with `contactHook`, in every step."),
        ("clearHooks()", "Removes both hooks."),
    ]
}


def with_tables(api, text):
    """The page with its tables made anew."""
    head, rest = text.split(page.BEGIN, 1)
    tail = rest.split(page.END, 1)[1]
    return head + page.BEGIN + "\n" + "\n".join(tables(api)) + "\n" + page.END + tail


def tables(api):
    by_owner, free = js_files.owners(api, [0])
    for owner in ("world", *(name for name in by_owner if name != "world")):
        name = methods.class_name(owner)
        if not by_owner[owner]:
            continue
        yield f"\n### {name}\n\n{api.objects[owner]['doc']}\n"
        yield "| method | what it does | errors |\n|---|---|---|"
        for signature, doc in HAND.get(name, []):
            yield f"| `{signature}` | {doc} | |"
        for one in by_owner[owner]:
            yield row(api, one)
    yield "\n### Functions\n\nGeometry without a world.\n"
    yield "| function | what it does | errors |\n|---|---|---|"
    for one in free:
        yield row(api, one)


def row(api, one):
    names = ", ".join(name for name, _, _ in one.parameters if name != "out")
    name = f"new {methods.class_name(one.function.returns[4:])}" if one.is_constructor else one.name()
    static = "static " if one.is_static() and not one.is_constructor else ""
    errors = (it for it in api.errors(one.function) if it not in (*page.ANYWHERE, "buffer_too_small"))
    errors = " ".join(f"`{it}`" for it in errors)
    return f"| `{static}{name}({names})` | {one.doc().replace('|', chr(92) + '|')} | {errors} |"
