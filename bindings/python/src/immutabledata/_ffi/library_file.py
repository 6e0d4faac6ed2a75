"""Checks the file of a library before the dynamic linker reads it."""

from __future__ import annotations

import os
import struct

# The header of a 64-bit little-endian ELF file: e_phoff, e_phentsize and e_phnum. A segment: p_type,
# p_offset and p_filesz. From the System V ABI, chapters 4 and 5.
_ELF = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<32xQ14xHH6x")
_SEGMENT = struct.Struct("<I4xQ16xQ16x")
_PT_LOAD = 1
_MAX_OFFSET = 2**62


def require_complete(path: str) -> None:
    """Raises OSError if a library is shorter than its segments.

    The dynamic linker maps them without a check: the process ends with SIGBUS when it reads a page
    behind the end of the file. All other faults are left to the dynamic linker.
    """
    table, size = _read_segments(path)
    segments = _SEGMENT.iter_unpack(table[: len(table) // _SEGMENT.size * _SEGMENT.size])
    end = max((start + length for kind, start, length in segments if kind == _PT_LOAD), default=0)
    if end > size:
        raise OSError(f"the file is incomplete: it has {size:,} of at least {end:,} bytes")


def _read_segments(path: str) -> tuple[bytes, int]:
    """The table of segments, and the size of the file; an empty table for other files."""
    if not os.path.isfile(path):
        return b"", 0
    try:
        file = open(path, "rb")
    except OSError:
        return b"", 0
    with file:
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(_ELF):
            return b"", 0
        offset, entry, count = _HEADER.unpack(header)
        if entry != _SEGMENT.size or offset > _MAX_OFFSET:
            return b"", 0
        file.seek(offset)
        return file.read(entry * count), os.fstat(file.fileno()).st_size
