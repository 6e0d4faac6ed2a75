"""Reducers made of reducers."""
