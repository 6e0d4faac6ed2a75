from immutabledata_terminal.testing import pytest_pyfunc_call  # noqa: F401
