#!/bin/sh
# Fetches the source of yyjson, and prints the folder of yyjson.c; prints nothing if it fails.
#
#     fetch-yyjson.sh PYTHON
#
# The package of Python contains the source.
set -eu

version=4.0.6
folder=$PWD/.build-benchmarks-yyjson
source=$folder/yyjson-$version/yyjson
if ! [ -f "$source/yyjson.c" ]; then
  "$1" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
    --dest "$folder" yyjson==$version >/dev/null 2>&1 || exit 0
  tar -xzf "$folder/yyjson-$version.tar.gz" -C "$folder"
fi
echo "$source"
