"""The program imd, as python -m immutabledata."""

import sys

if __name__ == "__main__":
    try:
        from ._shell import main
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(main())
