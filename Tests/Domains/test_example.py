"""examples/swift-domain builds a library with a domain of its own, from a checkout and from a prefix."""

import re
import shutil
from pathlib import Path

from conftest import (
    BUILD,
    EXAMPLE,
    OUTPUT,
    ROOT,
    ExampleCopy,
    domain_names,
    exports,
    python,
    run,
    succeed,
)


def test_from_a_checkout(tmp_path: Path) -> None:
    build = tmp_path / "build"
    succeed("cmake", "-S", EXAMPLE, "-B", build, f"-DIMD_SCRATCH={BUILD / '.build'}")
    succeed("cmake", "--build", build)
    library = build / "liblights.so"
    assert succeed(build / "main") == OUTPUT
    assert domain_names(library) == ["counter", "light"]
    assert exports(library) == {"imd_*"}
    assert "swift" not in succeed("ldd", library)
    dynamic = succeed("readelf", "-d", library)
    assert re.search(r"SONAME.*\[liblights\.so\]", dynamic)
    assert {"NODELETE", "SYMBOLIC"} <= set(re.findall(r"\w+", dynamic))


def test_the_readme_of_the_python_package(lights: ExampleCopy) -> None:
    """Its program with two libraries runs in the folder that contains the build folder."""
    readme = (ROOT / "bindings/python/README.md").read_text()
    (program,) = re.findall(r"^```python\n(lights = .*?)^```", readme, re.M | re.S)
    begin = f"import os\nimport immutabledata as imd\nos.chdir({str(lights.build.parent)!r})\n"
    end = "    print(store.state.to_json(), counter.state.to_json())\n"
    shown = python(begin + program + end, library=BUILD / "libimmutabledata.so")
    assert shown == '{"isOn":true} {"value":1}\n'


def test_from_a_prefix(lights: ExampleCopy, tmp_path: Path) -> None:
    assert succeed(lights.build / "main") == OUTPUT
    assert domain_names(lights.library) == ["counter", "light"]
    assert exports(lights.library) == {"imd_*"}
    assert not (lights.build / "immutabledata").exists()  # which would be a build of the checkout
    variable = ["pkg-config", "--variable=swift_package", "immutabledata"]
    package = Path(succeed(*variable, PKG_CONFIG_PATH=lights.prefix / "lib/pkgconfig").strip())
    assert package.samefile(lights.prefix / "share/immutabledata")
    succeed("cmake", "--install", lights.build, "--prefix", tmp_path)
    assert domain_names(tmp_path / "lib/liblights.so") == ["counter", "light"]


def test_without_an_installed_library(tmp_path: Path) -> None:
    """A copy of the example says that it does not find immutabledata."""
    shutil.copytree(EXAMPLE, tmp_path / "lights")
    not_in = "-DCMAKE_IGNORE_PREFIX_PATH=/usr;/usr/local"
    result = run("cmake", "-S", tmp_path / "lights", "-B", tmp_path / "build", not_in)
    message = 'Could not find a package configuration file provided by "immutabledata"'
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())


def test_the_names_of_versions_are_installed(prefix: Path, tmp_path: Path) -> None:
    """A library with versions is installed with the name by which programs load it."""
    source, build = tmp_path / "lights", tmp_path / "build"
    shutil.copytree(EXAMPLE, source)
    lists = source / "CMakeLists.txt"
    call = "immutabledata_add_domain_library(lights"
    assert call in lists.read_text()
    lists.write_text(lists.read_text().replace(call, f"{call} VERSION 1.2.3 SOVERSION 1"))
    succeed("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    (build / "liblights.so.1.2.3").write_bytes(b"")  # as the build names them
    (build / "liblights.so.1").symlink_to("liblights.so.1.2.3")
    succeed("cmake", "--install", build, "--prefix", tmp_path)
    assert (tmp_path / "lib/liblights.so.1").readlink() == Path("liblights.so.1.2.3")
    assert (tmp_path / "lib/liblights.so.1.2.3").exists()


def test_two_libraries_in_python(lights: ExampleCopy) -> None:
    program = """
import sys
import immutabledata as imd
lights = imd.load(sys.argv[1])
with lights.open("light") as store, imd.open("animals") as animals:
    store.dispatch("toggle")
    print(store.select("selectIsOn"), len(animals.select("selectCategoriesValues")))
"""
    installed = lights.prefix / "lib/libimmutabledata.so"
    assert python(program, lights.library, library=installed) == "True 0\n"


def test_two_libraries_in_c(lights: ExampleCopy) -> None:
    installed = lights.prefix / "lib/libimmutabledata.so"
    both = lights.build / "both"
    assert succeed(both, lights.library, "light", installed, "counter") == (
        'light: {"isOn":false}\ncounter: {"value":0}\n'
    )
    for library, domain, known in [
        (lights.library, "animals", '"counter", "light"'),
        (installed, "light", '"animals", "counter", "foodtruck", "quakes"'),
    ]:
        result = run(both, installed, "counter", lights.library, "light", library, domain)
        expected = f'unknown domain "{domain}"; expected one of: {known}\n'
        assert (result.returncode, result.stderr) == (1, expected)


def test_the_readme_shows_the_output() -> None:
    assert OUTPUT in (EXAMPLE / "README.md").read_text()
