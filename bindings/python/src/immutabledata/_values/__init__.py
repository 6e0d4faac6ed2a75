"""Values: immutable JSON that the library holds."""
