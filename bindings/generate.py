#!/usr/bin/env python3
"""Writes what follows from api.json: the C header, the borders and types of the Rust crate, the
checks of layouts, the tables of docs/c.md and docs/javascript.md, and the classes and types of the
npm package.

    generate.py            writes the files that changed
    generate.py --check    fails if a file is not what api.json says
    generate.py --library FILE    fails if a shared library exports other functions (needs nm)
    generate.py --tests FOLDER    writes C files for tests alone: layout.c and random_calls.c
    generate.py --left-out        fails if a public function of carom is neither reached by the API
                                  nor listed in left_out.json
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "generator"))

import coverage
import driver
import header
import js_files
import js_page
import model
import page
import rust

HERE = pathlib.Path(__file__).resolve().parent


def outputs(api):
    """All generated files, as paths and texts."""
    crate = HERE / "c"
    yield crate / "include" / "carom.h", header.header(api)
    for name, text in rust.files(api):
        yield crate / "src" / name, text
    for name, text in js_files.files(model.load(HERE / "api.json")):
        yield HERE / "js" / "src" / name, text
    for name, maker in (("c.md", page), ("javascript.md", js_page)):
        path = HERE.parent / "docs" / name
        if path.exists():
            yield path, maker.with_tables(api, path.read_text())


def check_library(api, path):
    """Fails if the library exports other names than the API has."""
    listing = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True)
    names = {line.split()[-1] for line in listing.stdout.splitlines()}
    exported = {name for name in names if name.startswith("carom_")}
    wanted = {"carom_" + function.name for function in api.functions()}
    for name in sorted(wanted ^ exported)[:20]:
        where = "the library alone" if name in exported else "api.json alone"
        print(f"{name}: in {where}", file=sys.stderr)
    print(f"{len(wanted)} functions in api.json, {len(exported)} exported")
    return exported == wanted


def main(arguments):
    api = model.load(HERE / "api.json")
    if arguments[:1] == ["--library"]:
        return check_library(api, arguments[1])
    if arguments[:1] == ["--tests"]:
        folder = pathlib.Path(arguments[1])
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "layout.c").write_text(header.layout(api))
        (folder / "random_calls.c").write_text(driver.driver(api))
        return True
    if arguments[:1] == ["--left-out"]:
        return coverage.check(api, HERE)
    stale = []
    for path, text in outputs(api):
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path)
        if arguments[:1] != ["--check"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for path in stale:
        print(path.relative_to(HERE.parent))
    return not stale or arguments[:1] != ["--check"]


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
