#!/bin/sh
# Runs a program without a Swift toolchain: hides its folder if the system allows that.
#
#     check-without-toolchain.sh PROGRAM
set -eu
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")

hidden="mount -t tmpfs none '$toolchain' && ! command -v swift && '$1'"
if unshare --mount --map-root-user true 2>/dev/null; then
  unshare --mount --map-root-user sh -c "$hidden"
elif unshare --mount true 2>/dev/null; then
  unshare --mount sh -c "$hidden"
else
  echo "cannot hide the toolchain here; running with the system's PATH only"
  env -i PATH=/usr/bin:/bin "$1"
fi
