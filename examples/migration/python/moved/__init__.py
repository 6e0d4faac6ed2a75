"""What the migration adds: each stage uses more of it, and less of the package legacy."""
