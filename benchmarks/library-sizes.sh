#!/bin/bash
# Prints the size of the stripped library with no domain, with each domain, and with all of them.
set -euo pipefail

build=.build-sizes
domains=$(sed -n 's/^set(IMD_BUNDLED_DOMAINS \([^)]*\)).*/\1/p' CMakeLists.txt)

printf '| `IMD_DOMAINS` | size of the library |\n|---|---|\n'
for chosen in "" $domains all; do
  cmake -S . -B $build -DBUILD_TESTING=OFF -DIMD_DOMAINS="$chosen" >/dev/null
  cmake --build $build >/dev/null
  size=$(stat --dereference --format %s $build/libimmutabledata.so)
  name=$([ "$chosen" ] && echo "\`$chosen\`" || echo empty)
  tenths=$(((size + 50000) / 100000))
  printf '| %s | %d.%d MB |\n' "$name" $((tenths / 10)) $((tenths % 10))
done
