#!/bin/bash
# Makes a manylinux wheel from a wheel: bundles the libraries that it needs, and completes the
# metadata. The tag states the oldest glibc; auditwheel fails if a library needs a newer one. Replaces
# the wheel of the same project in the folder.
#
#     wheel.sh TOOLS WHEEL OUTPUT-FOLDER [HOMEPAGE [OPTION-OF-AUDITWHEEL-REPAIR ...]]
set -euo pipefail
export PATH=$1:$PATH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the output of a command only if the command fails.
quietly() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}

quietly python -m wheel unpack --dest "$work" "$2"
python scripts/wheel_metadata.py "$work"/*/*.dist-info/METADATA "${4:-}"
quietly python -m wheel pack --dest-dir "$work" "$work"/*/

name=$(basename "$2")
project=${name%%-*}
rm -f "$3/$project"-*.whl
quietly auditwheel repair --plat manylinux_2_34_x86_64 --wheel-dir "$3" "${@:5}" "$work"/*.whl
quietly twine check --strict "$3/$project"-*.whl
