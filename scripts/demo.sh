#!/bin/bash
# Installs the built library into a folder of its own, runs examples in C, C++ and Python, and says
# what to do next.
#
#     demo.sh BUILD PREFIX VENV
set -euo pipefail

build=$1 prefix=$2 bin=$3/bin python=$3/bin/python

cmake --install "$build" --prefix "$PWD/$prefix" >/dev/null
cmake -S examples -B .build-examples -DCMAKE_PREFIX_PATH="$PWD/$prefix" >/dev/null
cmake --build .build-examples --parallel 2 >/dev/null

# Some examples refuse two lines of their input, and exit with 1.
show() { # TITLE COMMAND ... < INPUT
  printf '\n--- %s\n' "$1"
  "${@:2}" || test $? = 1
}
show "C: replay counter selectValue < examples/actions.jsonl" \
  .build-examples/replay counter selectValue < examples/actions.jsonl
show "Python: python examples/replay.py counter selectValue < examples/actions.jsonl" \
  "$python" examples/replay.py counter selectValue < examples/actions.jsonl
show "C++: expenses < examples/expenses.txt" \
  .build-examples/expenses < examples/expenses.txt
show "C: board examples/board.jsonl" \
  .build-examples/board examples/board.jsonl
show "Python: python examples/board.py --open --tag errand examples/board.jsonl" \
  "$python" examples/board.py --open --tag errand examples/board.jsonl

cat <<END

The library is in $prefix: headers, libimmutabledata.so, and files for pkg-config and CMake. Try it in C:

  cc examples/replay.c \$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs immutabledata) \\
    -Wl,-rpath,$PWD/$prefix/lib -o replay && ./replay counter selectValue < examples/actions.jsonl

The Python package is in $(dirname "$(dirname "$python")"). Try it in Python:

  $python -c 'import immutabledata as imd; print(imd.open("counter").state)'

Next: docs/README.md leads on. make install PREFIX=... installs the library where you want it.

Start a kanban board in Python twice, on one file: the two terminals show each other's changes.

  B='$bin/immutabledata-board --shared board.imd'; tmux new "\$B" \\; split-window -h "\$B"
END
