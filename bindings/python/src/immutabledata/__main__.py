"""The program imd, as python -m immutabledata."""

import sys

from ._shell import main

if __name__ == "__main__":
    sys.exit(main())
