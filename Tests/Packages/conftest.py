import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / ".build-packages"
sys.path += [str(ROOT / "scripts"), str(ROOT / "Tests/Docs")]


def package(pattern: str) -> Path:
    """The package that `make wheel deb` has built."""
    (path,) = PACKAGES.glob(pattern)
    return path


def readme_example(language: str) -> tuple[str, str]:
    """The first program in README.md in a language, and its output."""
    readme = (ROOT / "README.md").read_text()
    pattern = rf"^```{language}\n(.*?)^```\n+```text\n(.*?)^```"
    return re.search(pattern, readme, re.M | re.S).groups()
