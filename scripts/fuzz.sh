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

cmake -S . -B .build-fuzz -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF \
  -DIMD_SANITIZE=address -DIMD_COVERAGE=ON >/dev/null
cmake --build .build-fuzz

for source in Tests/Fuzz/*.c; do
  name=$(basename "$source" .c)
  "$2/clang" -g -std=c11 -fsanitize=fuzzer,address -fuse-ld=lld -Iinclude "$source" \
    -L.build-fuzz -limmutabledata -ljansson "-Wl,-rpath,$PWD/.build-fuzz" -o ".build-fuzz/$name"
  mkdir -p ".build-fuzz/corpus-$name"
  [ ! -d "Tests/Fuzz/seeds/$name" ] || cp "Tests/Fuzz/seeds/$name"/* ".build-fuzz/corpus-$name"
  ".build-fuzz/$name" -max_total_time="$1" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -dict="Tests/Fuzz/$name.dict" -verbosity=0 ".build-fuzz/corpus-$name"
done
