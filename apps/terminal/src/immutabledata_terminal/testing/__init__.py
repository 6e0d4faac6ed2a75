"""Tools for tests of the applications: keys go in, and the text on the screen comes out.

User presses the keys of an application that runs without a terminal. Terminal runs a program in a
real one. A conftest.py that imports pytest_pyfunc_call makes pytest run asynchronous tests.
"""

from .asynchronous import pytest_pyfunc_call
from .screen import lines_of, text_in
from .terminal import Terminal
from .user import User

__all__ = ["Terminal", "User", "lines_of", "pytest_pyfunc_call", "text_in"]
