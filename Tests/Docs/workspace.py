import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


class Workspace:
    """A folder with a clone of this project, and one build folder for all Swift packages in it."""

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
