"""Compares the Python package with others. Prints lines for benchmarks/report."""

from functions import measure_functions
from imports import measure_import
from memory import measure_memory
from observe import measure_observers
from queries import measure_queries
from sizes import measure_sizes
from text import measure_texts

if __name__ == "__main__":
    measure_texts()
    measure_sizes()
    measure_observers()
    measure_functions()
    measure_queries()
    measure_import()
    measure_memory()
