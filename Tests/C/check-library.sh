#!/bin/sh
# What the installed library may need, show and say.
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
  fail "it needs what a machine without Swift lacks" "$needs"
fi

shown=$(nm -D --defined-only "$library" | awk '{ print $NF }' | grep -v '^imd_' || true)
[ -z "$shown" ] || fail "it shows more than imd_*" "$shown"

declared=$(grep -ohE '\bimd_[a-z_]+\(' "$(dirname "$library")"/../include/*.h |
  tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u)
[ "$declared" = "$exported" ] || fail "header and library differ" "$declared
--
$exported"

size=$(stat -L -c %s "$library")
echo "$size bytes"
[ "$size" -lt 10000000 ] || fail "it has 10 MB or more" "$size bytes"

readelf -d "$library" | grep -q 'SONAME.*\[libimmutabledata\.so\.0\]' ||
  fail "it has no or another SONAME" "$(readelf -d "$library")"

readelf -d "$library" | grep -q 'NODELETE' ||
  fail "dlclose could unload it" "$(readelf -d "$library")"

source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(cd "$(dirname "$library")/.." && pwd)
places=$(grep -rlF -e "$source" -e "$prefix" "$prefix" || true)
[ -z "$places" ] || fail "these name a path of this machine" "$places"
