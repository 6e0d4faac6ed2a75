#!/bin/sh
# Builds a program with the flags that pkg-config prints for the installed library, and runs it.
#
#     check-pkg-config.sh LIBRARY
set -eu
libraries=$(dirname "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

PKG_CONFIG_PATH=$libraries/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
cc "$examples/replay.c" $(pkg-config --cflags --libs immutabledata) -o "$work/replay"
output=$(echo '{"type":"didTapIncrementButton"}' |
  LD_LIBRARY_PATH=$libraries "$work/replay" counter selectValue)
[ "$output" = 1 ] || { echo "it printed: $output" >&2; exit 1; }
