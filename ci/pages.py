#!/usr/bin/env python3
"""Checks the pages (*.md) of the repository: links, addresses, widths and lengths.

    ci/pages.py

Links between pages, and files that pages name in code, exist; so do headings that links lead to. Addresses of the
repository, in pages and in .github/, are `repository` of Cargo.toml. Lines outside of tables, code and pictures have at
most 120 columns. Some pages have a limit of lines. No file names a folder beside the repository. Prints each fault, and
fails if there is one.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 120
# Lines that a page may have: a page beyond that is two pages.
LINES = {
    "README.md": 150,
    "CONTRIBUTING.md": 150,
    "docs/performance.md": 150,
    "docs/glossary.md": 60,
}

# Files and folders of the repository that a page names in code: what is made by a build, or is a
# pattern, is left out.
NAMED = re.compile(
    r"(?:src|tests|nav|bevy|maps|play|testkit|versus|nav-versus|benches|examples|demo|fuzz|ci|docs|step|world|solver)"
    r"/[\w./-]*[\w/]"
)


def headings(text):
    """The anchors of a page, as the forge makes them."""
    found = set()
    for line in prose(text):
        if match := re.match(r"#+ (.*)", line):
            title = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", match[1]).lower()
            found.add(re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-"))
    return found


def prose(text):
    """The lines outside of code blocks."""
    fenced = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield line


def links(text):
    for line in prose(text):
        line = re.sub(r"`[^`]*`", "", line)
        yield from re.findall(r"\]\(([^)\s]+)\)", line)
        yield from re.findall(r'(?:src|href)="([^"]+)"', line)
        yield from re.findall(r"^\[[^\]]+\]: (\S+)", line)


def outside():
    """Lines of any file that name a folder beside the repository, which nobody else has."""
    found = subprocess.run(
        ["git", "grep", "-nIE", "([.][.]/){1,3}shared/"], cwd=ROOT, capture_output=True, text=True
    ).stdout.splitlines()
    return [f"{line[:100]}: outside of the repository" for line in found]


def repository():
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'^repository = "([^"]+)"', text, re.MULTILINE)[1]


def main():
    listed = subprocess.run(
        ["git", "ls-files", "*.md", ".github/*"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    address, faults = repository(), outside()
    name = address.rsplit("/", 1)[1]
    elsewhere = re.compile(r"https://(?:github|gitlab|codeberg)\.(?:com|org)/[\w.-]+/" + re.escape(name) + r"\b")
    for file in listed:
        path = ROOT / file
        if not path.exists():
            continue
        text = path.read_text()
        faults += [f"{file}: {url} is not the repository, {address}" for url in elsewhere.findall(text) if url != address]
        if path.suffix != ".md":
            continue
        wide = [line for line in prose(text) if len(line) > WIDTH and not line.lstrip().startswith(("|", "[![", "!["))]
        faults += [f"{file}: {len(line)} columns: {line[:60]}…" for line in wide]
        lines = text.count("\n")
        if lines > LINES.get(file, 10_000):
            faults.append(f"{file}: {lines} lines, {LINES[file]} are the limit")
        for named in re.findall(r"`([^`\s]+)`", text):
            if NAMED.fullmatch(named) and not any((folder / named).exists() for folder in (ROOT, path.parent, path.parent.parent, ROOT / "src")):
                faults.append(f"{file}: `{named}` does not exist")
        for link in links(text):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            goal = path if not target else (path.parent / target).resolve()
            if not goal.exists():
                faults.append(f"{file}: {link} does not exist")
            elif anchor and goal.suffix == ".md" and anchor not in headings(goal.read_text()):
                faults.append(f"{file}: {link}: no such heading")
    for fault in faults:
        print(fault)
    print(f"{len(listed)} files, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
