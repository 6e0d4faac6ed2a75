"""docs/install.md lists the packages with their sizes."""

import re

import pytest
from conftest import PACKAGES, ROOT

ROWS = re.findall(
    r"^\| `(\S+\.(?:deb|whl))` \|.*\| ([\d.]+) MB \| [\d.]+ MB \|$",
    (ROOT / "docs/install.md").read_text(),
    re.M,
)


def test_every_package_is_listed() -> None:
    packages = {path.name for path in PACKAGES.iterdir()}
    assert {name for name, _ in ROWS} == packages


@pytest.mark.parametrize(("name", "megabytes"), ROWS)
def test_size(name: str, megabytes: str) -> None:
    assert abs((PACKAGES / name).stat().st_size / 1e6 - float(megabytes)) < 0.3
