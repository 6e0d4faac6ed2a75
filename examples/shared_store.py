r"""Opens a store that functions in C use, too.

    cc -shared -fPIC -o libshared_store.so shared_store.c \
      $(pkg-config --cflags --libs immutabledata)
    python shared_store.py ./libshared_store.so
"""

from __future__ import annotations

import ctypes
import sys

import immutabledata as imd


def main(path: str) -> None:
    # After the import of immutabledata, so that the C functions use the copy of the library that
    # the package has loaded.
    functions = ctypes.CDLL(path)
    functions.increment.argtypes = [ctypes.c_void_p, ctypes.c_int]
    with imd.open("counter") as store:
        store.observe("selectValue", lambda value: print(value))
        if functions.increment(store.handle, 3) != 0:
            sys.exit("the C function failed")
        store.dispatch("didTapDecrementButton")


if __name__ == "__main__":
    main(sys.argv[1])
