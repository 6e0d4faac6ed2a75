#!/bin/sh
# Installs the packages of requirements.txt, and lists those that have no wheel for this Python.
#
#     install-packages.sh PYTHON
set -eu

requirements=$(dirname "$0")/requirements.txt
install() {
  "$1" -m pip install --quiet --disable-pip-version-check --only-binary :all: "$2" 2>/dev/null
}
sed '/^#/d; /^$/d' "$requirements" | while read -r package; do
  install "$1" "$package" || echo "$package: no wheel for this Python; not measured" >&2
done
