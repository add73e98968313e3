"""The examples run, and the README's code does what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(os.environ.get("CAROM_EXAMPLES", Path(__file__).parents[1] / "examples"))


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("[!s]*.py")))
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, EXAMPLES / name], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout


def test_ray_has_the_hashes_of_one_process(tmp_path: Path) -> None:
    """Two actors, each with a batch of its own, in processes of their own."""
    pytest.importorskip("ray")
    program = [sys.executable, str(EXAMPLES / "sweep_ray.py")]
    answer = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    assert "2 actors of Ray, 1000 worlds: the same hashes" in answer.stdout


def test_joblib_has_the_hashes_of_one_process(tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    program = [sys.executable, str(EXAMPLES / "sweep.py")]
    answer = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr
    assert "1000 worlds, 1000 hashes" in answer.stdout
    assert "two processes of joblib: the same hashes" in answer.stdout


def test_the_notebook_runs_and_shows_worlds(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook: Any = nbformat.read(EXAMPLES / "first_world.ipynb", as_version=4)
    nbformat.validate(notebook)
    # Results are not kept: they are made here.
    assert not any(cell.get("outputs") for cell in notebook.cells)
    nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": tmp_path}}
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [
        output.data["image/svg+xml"]
        for output in shown
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) == 3 and all("<svg" in picture for picture in pictures)
    assert len(set(pictures)) == 3
    # To look at: CAROM_PICTURES names a folder that is there.
    for number, picture in enumerate(pictures if "CAROM_PICTURES" in os.environ else []):
        Path(os.environ["CAROM_PICTURES"], f"notebook-{number}.svg").write_text(picture)


@pytest.mark.parametrize("page", ["README.md", "../docs/python.md"])
def test_the_code_of_a_page_runs(page: str, tmp_path: Path) -> None:
    path = EXAMPLES.parent / page
    blocks = re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    code = "\n".join(blocks)
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
