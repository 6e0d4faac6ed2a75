#!/bin/bash
# Fuzzes the C functions, with AddressSanitizer and coverage of the library.
#
#     fuzz.sh SECONDS TOOLCHAIN-BIN
set -euo pipefail

cmake -S . -B .build-fuzz -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING=OFF \
  -DIMD_SANITIZE=address -DIMD_COVERAGE=ON >/dev/null
cmake --build .build-fuzz
"$2/clang" -g -std=c99 -fsanitize=fuzzer,address -fuse-ld=lld -Iinclude Tests/Fuzz/fuzz_store.c \
  -L.build-fuzz -limmutabledata "-Wl,-rpath,$PWD/.build-fuzz" -o .build-fuzz/fuzz_store

mkdir -p .build-fuzz/corpus
.build-fuzz/fuzz_store -max_total_time="$1" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 \
  -dict=Tests/Fuzz/dictionary.txt -verbosity=0 .build-fuzz/corpus
