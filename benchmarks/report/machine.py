"""The machine, and the versions of what the benchmarks use."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
import subprocess
from importlib import metadata
from pathlib import Path

PYTHON_PACKAGES = ["immutables", "jmespath", "loro", "orjson", "pycrdt", "pyrsistent", "python-redux"]
PYTHON_PACKAGES += ["rpds-py"]
DEBIAN_PACKAGES = ["libjansson4", "libsimdjson-dev", "libsqlite3-0", "node-redux", "rapidjson-dev"]


def _output(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1].strip() if found else "unknown"


def _python_packages() -> str:
    versions = []
    for name in PYTHON_PACKAGES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} missing")
    return ", ".join([*versions, f"SQLite {sqlite3.sqlite_version}"])


def _debian_packages() -> str:
    versions = []
    for name in DEBIAN_PACKAGES:
        version = _output("dpkg-query", "--show", "--showformat", "${Version}", name)
        versions.append(f"{name} {version or 'missing'}")
    return ", ".join(versions)


def machine() -> dict[str, str]:
    lscpu = _output("lscpu")
    memory = int(_found(r"MemTotal: *(\d+)", Path("/proc/meminfo").read_text()))
    processor = _found(r"Model name: *(.*)", lscpu)
    place = " of a virtual machine" if "Hypervisor vendor" in lscpu else ""
    swift = _found(r"Swift version (\S+)", _output("swift", "--version"))
    node = _output("node", "--version").strip()
    return {
        "processor": f"{processor}, {os.cpu_count()} cores{place}",
        "memory": f"{memory / 2**20:.0f} GiB",
        "system": platform.freedesktop_os_release()["PRETTY_NAME"]
        + f", Linux {platform.release().partition('-')[0]}, glibc {platform.libc_ver()[1]}",
        "compilers": f"Swift {swift}, GCC {_output('cc', '-dumpfullversion').strip()}",
        "interpreters": f"Python {platform.python_version()}, Node {node}",
        "Python packages": _python_packages(),
        "Debian packages": _debian_packages(),
    }
