"""The functions of immutabledata.h, as Python calls them."""

from .raw import *  # noqa: F403
