"""The library is built with some of its domains, or none."""

from pathlib import Path

import pytest
from conftest import BUILD, ROOT, domain_names, run, succeed


def configure(build: Path, domains: str) -> tuple[object, ...]:
    options = ["-DBUILD_TESTING=OFF", f"-DIMD_SCRATCH={BUILD / '.build'}"]
    return "cmake", "-S", ROOT, "-B", build, f"-DIMD_DOMAINS={domains}", *options


@pytest.mark.parametrize("domains", ["counter", ""])
def test_some_domains(domains: str, tmp_path: Path) -> None:
    succeed(*configure(tmp_path, domains))
    succeed("cmake", "--build", tmp_path)
    library = tmp_path / "libimmutabledata.so"
    assert domain_names(library) == domains.split()
    assert library.stat().st_size < (BUILD / "libimmutabledata.so").stat().st_size


def test_an_unknown_domain(tmp_path: Path) -> None:
    result = run(*configure(tmp_path, "counter,animal"))
    known = "animals, counter, foodtruck, quakes"
    message = f'IMD_DOMAINS: unknown domain "animal"; expected all, or some of: {known}'
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())
