#!/bin/sh
# Checks the dependencies, symbols, size, SONAME and paths of the installed library.
#
#     check-library.sh LIBRARY
set -eu
library=$1

fail() {
  printf '%s:\n%s\n' "$1" "$2" >&2
  exit 1
}

needs=$(ldd "$library")
echo "$needs"
if echo "$needs" | grep -iE 'swift|dispatch|Foundation|not found'; then
  fail "it depends on a library that a machine without Swift lacks" "$needs"
fi

symbols=$(nm -D --defined-only "$library" | awk '{ print $NF }' | grep -v '^imd_' || true)
[ -z "$symbols" ] || fail "it exports symbols other than imd_*" "$symbols"

declared=$(grep -ohE '\bimd_[a-z_]+\(' "$(dirname "$library")"/../include/*.h |
  tr -d '(' | grep -v '^imd_test_' | sort -u) # those are inline
exported=$(nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u)
[ "$declared" = "$exported" ] || fail "the header declares other functions than the library exports" "$declared
--
$exported"

size=$(stat -L -c %s "$library")
echo "$size bytes"
[ "$size" -lt 12400000 ] || fail "it is 12.4 MB or larger" "$size bytes"

readelf -d "$library" | grep -q 'SONAME.*\[libimmutabledata\.so\.0\.1\]' ||
  fail "its SONAME is missing or wrong" "$(readelf -d "$library")"

readelf -d "$library" | grep -q 'NODELETE' ||
  fail "dlclose could unload it" "$(readelf -d "$library")"

source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(cd "$(dirname "$library")/.." && pwd)
places=$(grep -rlF -e "$source" -e "$prefix" "$prefix" || true)
[ -z "$places" ] || fail "these files contain a path of the build machine" "$places"
