#!/bin/sh
# A program runs where there is no Swift: with the toolchain's folder hidden, where that is allowed.
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
  echo "nothing can be hidden here; the program runs with no path but the system's"
  env -i PATH=/usr/bin:/bin "$1"
fi
