"""Folders with a small system each, in which a program sees nothing of the host."""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

# Enters the root in a mount namespace of its own: the mounts end with the command.
ENTER = 'mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && exec chroot "$0" "$@"'
ENVIRONMENT = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/", "LC_ALL": "C.UTF-8"}


class Root:
    def __init__(self, folder: Path) -> None:
        if os.geteuid() != 0:
            raise PermissionError("these tests need root, for chroot")
        self.folder = folder
        for name in ("dev", "proc", "tmp"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def command(self, *command: str) -> list[str]:
        """The command that runs a command inside."""
        return ["unshare", "--mount", "sh", "-c", ENTER, str(self.folder), *command]

    def run(self, *command: str) -> str:
        """Runs a command inside, and returns its output."""
        result = subprocess.run(
            self.command(*command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
        )
        assert result.returncode == 0, f"{command}:\n{result.stdout}{result.stderr}"
        return result.stdout

    def write(self, path: str, text: str) -> None:
        (self.folder / path.lstrip("/")).write_text(text)

    def add(self, source: Path) -> None:
        """Copies a file or folder of this system to the same path."""
        target = self.folder / str(source).lstrip("/")
        if source.is_dir():
            ignored = shutil.ignore_patterns("site-packages", "__pycache__", "test", "_sqlite3.*")
            shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def libraries(file: Path) -> list[Path]:
    """The libraries that a program or library loads."""
    output = subprocess.run(["ldd", str(file)], capture_output=True, text=True).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", output)]


def python_root(folder: Path, python: Path) -> Root:
    """A root with a Python, without the module sqlite3; with libstdc++ and libgcc, on which wheels
    may rely; and nothing else."""
    root = Root(folder)
    standard_library = Path(sysconfig.get_path("stdlib"))
    root.add(standard_library)
    bundled_pip = sysconfig.get_config_var("WHEEL_PKG_DIR")
    if bundled_pip:
        root.add(Path(bundled_pip))
    modules = (folder / str(standard_library).lstrip("/") / "lib-dynload").glob("*.so")
    for file in [python, *modules]:
        for library in libraries(file):
            root.add(library)
    for name in ("libstdc++.so.6", "libgcc_s.so.1"):
        file = subprocess.check_output(["cc", f"-print-file-name={name}"], text=True).strip()
        root.add(Path(os.path.normpath(file)))
    root.add(python)
    return root


def debian_root(folder: Path, *packages: str) -> Root:
    """A root with the Debian or Ubuntu release of this system, and some of its packages."""
    release = dict(re.findall(r'^(\w+)="?(.*?)"?$', Path("/etc/os-release").read_text(), re.M))
    suite = release["VERSION_CODENAME"]
    list_mirrors = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
    main = [f"Release: {suite}", "Component: main"]
    mirrors = subprocess.check_output([*list_mirrors, *main], text=True).split()
    assert mirrors, f"apt knows no mirror of {suite}"
    options = ["--variant=minbase", f"--include={','.join(packages)}"]
    # dpkg would wait for the disk after each file, which takes minutes on a busy machine.
    configuration = folder / "etc/dpkg/dpkg.cfg.d/unsafe-io"
    configuration.parent.mkdir(parents=True)
    configuration.write_text("force-unsafe-io\n")
    result = subprocess.run(
        ["debootstrap", *options, suite, str(folder), mirrors[0]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr
    return Root(folder)
