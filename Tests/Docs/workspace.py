import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Workspace:
    """A folder with a link to this checkout in place of a clone, and one Swift build folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clone = folder / "immutabledata"
        self.clone.symlink_to(ROOT)

    def build(self, package: Path, program: str) -> Path:
        command = ["swift", "build", "--package-path", package, "--product", program]
        command += ["--scratch-path", self.folder / "build"]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        return self.folder / "build/debug" / program
