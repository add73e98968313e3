"""The tables of docs/c.md, between two marks in its text."""

import model
from header import c_name

BEGIN = "<!-- generated: functions -->"
# Errors of any call with an object: the page tells them once.
ANYWHERE = ("null", "busy", "broken")
END = "<!-- end of functions -->"


def with_tables(api, text):
    """The page with its tables made anew."""
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    return head + BEGIN + "\n" + "\n".join(tables(api)) + "\n" + END + tail


def tables(api):
    for name, doc, functions in api.groups:
        yield f"\n### {name.capitalize()}\n\n{spelled(api, doc)}\n"
        yield "| function | what it does | errors |\n|---|---|---|"
        for function in functions:
            errors = " ".join(f"`{one}`" for one in api.errors(function) if one not in ANYWHERE)
            yield f"| `{c_name(function.name)}` | {spelled(api, function.doc)} | {errors} |"


def spelled(api, text):
    return model.quoted(api, text, lambda name: f"`{c_name(name)}`").replace("|", "\\|")
