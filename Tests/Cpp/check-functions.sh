#!/bin/sh
# The C++ header uses every function of the C header.
#
#     check-functions.sh INCLUDE-DIRECTORY
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The C++ header calls their forms with options or functions instead, which may be NULL, and has
# braces and pointer() for what takes C values.
covered='imd_store_select|imd_store_query|imd_store_observe|imd_store_dispatch_object'
covered="$covered|imd_value_array|imd_pointer"

sed 's,/\*.*\*/,,' "$1/immutabledata.h" "$1/immutabledata_log.h" | grep -E '^[a-z].*\bimd_\w+\(' |
  grep -v '^typedef' | sed -E 's/^[^(]*\b(imd_[a-z_]+)\(.*/\1/' |
  grep -vxE "$covered" | sort -u >"$work/declared"
grep -hvE '^ *(/\*|\*)' "$1"/immutabledata/*.hpp | grep -oE '\bimd_\w+' | sort -u >"$work/used"
[ "$(wc -l <"$work/declared")" -gt 60 ] || { echo "found too few functions" >&2; exit 1; }
missing=$(comm -23 "$work/declared" "$work/used")
[ -z "$missing" ] || { echo "immutabledata.hpp does not use: $missing" >&2; exit 1; }
