"""Playwright's expect. Without Playwright or Chromium the tests are skipped, unless CI is set."""

import os
import shutil

import pytest

CHROMIUM = os.environ.get("IMD_TEST_CHROMIUM") or shutil.which("chromium")


def missing(reason):
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason, allow_module_level=True)


try:
    from playwright.sync_api import expect
except ImportError:
    missing("playwright is not installed: pip install playwright")

__all__ = ["CHROMIUM", "expect", "missing"]
