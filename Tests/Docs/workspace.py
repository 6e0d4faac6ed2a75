import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The dependency of a package on this checkout. The name replaces that of the folder.
DEPENDENCY = f'.package(name: "immutabledata", path: "{ROOT}")'


class Workspace:
    """A folder for packages, which share the debug build of this checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def build(self, package: Path) -> Path:
        """Builds the programs of a package, and returns their folder."""
        command = ["swift", "build", "--package-path", package]
        # The build manifest in the folder can be that of another package.
        command += ["--scratch-path", ROOT / ".build", "--disable-build-manifest-caching"]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        return ROOT / ".build/debug"
