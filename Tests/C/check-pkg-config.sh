#!/bin/sh
# Builds a C and a C++ program with the flags that pkg-config prints for the installed library, and
# runs them.
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

# shellcheck disable=SC2046
c++ -std=c++17 "$examples/expenses.cpp" $(pkg-config --cflags --libs immutabledata) \
  -o "$work/expenses"
output=$(echo 'Ana 2 tea' | LD_LIBRARY_PATH=$libraries "$work/expenses" | head -n 1)
[ "$output" = "Ana         2.00    +0.00" ] || { echo "it printed: $output" >&2; exit 1; }
