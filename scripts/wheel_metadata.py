"""Adds the project's address to the metadata of a wheel, and to the links of its README.

    wheel_metadata.py METADATA [HOMEPAGE]

Without an address the metadata stays as it is.
"""

import re
import sys
from pathlib import Path


def complete(metadata: str, homepage: str) -> str:
    head, separator, readme = metadata.partition("\n\n")
    version = re.search(r"^Version: (.*)$", head, re.MULTILINE)[1]
    source = f"{homepage}/blob/v{version}"
    urls = {
        "Homepage": homepage,
        "Documentation": f"{source}/bindings/python/README.md",
        "Changelog": f"{source}/CHANGELOG.md",
        "Issues": f"{homepage}/issues",
    }
    lines = [f"Project-URL: {name}, {url}" for name, url in urls.items()]
    return "\n".join([head, *lines]) + separator + readme.replace("](../../", f"]({source}/")


def main() -> None:
    path, homepage = Path(sys.argv[1]), "".join(sys.argv[2:]).rstrip("/")
    if homepage:
        path.write_text(complete(path.read_text(), homepage))


if __name__ == "__main__":
    main()
