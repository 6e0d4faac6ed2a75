"""Stores, and what observes, follows and serves them."""
