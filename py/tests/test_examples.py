"""The examples run, and the README's code does what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(os.environ.get("CAROM_EXAMPLES", Path(__file__).parents[1] / "examples"))


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, EXAMPLES / name], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout


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
