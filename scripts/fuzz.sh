#!/bin/bash
# Fuzzes the C functions, with AddressSanitizer and coverage feedback. With TEXTS, first compares
# how the library and jansson parse that many random texts.
#
#     fuzz.sh SECONDS TOOLCHAIN-BIN [TEXTS]
set -euo pipefail

if [ $# -gt 2 ]; then
  cmake -S . -B .build-cmake -DBUILD_TESTING=OFF >/dev/null
  cmake --build .build-cmake
  cc -O2 -std=c11 -Iinclude Tests/Parse/main.c Tests/Parse/texts.c -L.build-cmake -limmutabledata \
    -ljansson "-Wl,-rpath,$PWD/.build-cmake" -o .build-cmake/parse
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  echo "parse $seed $3"
  .build-cmake/parse "$seed" "$3"
fi

# The build of "make test-address" has the coverage feedback, too.
cmake -S . -B .build-address -DCMAKE_BUILD_TYPE=Debug -DIMD_SANITIZE=address >/dev/null
cmake --build .build-address --target immutabledata_library

for source in Tests/Fuzz/*.c; do
  name=$(basename "$source" .c)
  "$2/clang" -g -std=c11 -fsanitize=fuzzer,address -fuse-ld=lld -Iinclude "$source" \
    -L.build-address -limmutabledata -ljansson "-Wl,-rpath,$PWD/.build-address" -o ".build-address/$name"
  mkdir -p ".build-address/corpus-$name"
  [ ! -d "Tests/Fuzz/seeds/$name" ] || cp "Tests/Fuzz/seeds/$name"/* ".build-address/corpus-$name"
  ".build-address/$name" -max_total_time="$1" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -dict="Tests/Fuzz/$name.dict" -verbosity=0 ".build-address/corpus-$name"
done
