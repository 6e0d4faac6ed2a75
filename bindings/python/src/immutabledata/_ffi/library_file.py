"""Checks the file of a library before the dynamic linker reads it."""

from __future__ import annotations

import os
import stat
import struct
from typing import BinaryIO

# The header of a 64-bit little-endian ELF file: e_phoff, e_shoff, e_phentsize, e_phnum, e_shentsize
# and e_shnum. A segment: p_type, p_offset and p_filesz. From the System V ABI, chapters 4 and 5.
_ELF = b"\x7fELF\x02\x01"
_HEADER = struct.Struct("<32xQQ6xHHHH2x")
_SEGMENT = struct.Struct("<I4xQ16xQ16x")
_PT_LOAD = 1
_MAX_OFFSET = 2**62


def require_complete(path: str) -> None:
    """Raises OSError for a file that is not regular, or that ends before its segments or before its
    table of sections.

    The dynamic linker waits until another process writes to a FIFO. It maps the segments without a
    check: the process ends with SIGBUS when it reads a page beyond the end of the file. All other
    faults are left to the dynamic linker.
    """
    try:
        mode = os.stat(path).st_mode
        file = open(path, "rb") if stat.S_ISREG(mode) else None
    except OSError:
        return
    if file is None:
        raise OSError("it is not a regular file")
    with file:
        end = _expected_size(file)
        size = os.fstat(file.fileno()).st_size
    if end > size:
        raise OSError(f"the file is incomplete: it has {size:,} of at least {end:,} bytes")


def _expected_size(file: BinaryIO) -> int:
    """The least size of a library; 0 for other files."""
    header = file.read(_HEADER.size)
    if len(header) < _HEADER.size or not header.startswith(_ELF):
        return 0
    offset, sections, entry, count, section_size, section_count = _HEADER.unpack(header)
    if entry != _SEGMENT.size or offset > _MAX_OFFSET:
        return 0
    file.seek(offset)
    table = file.read(entry * count)
    segments = _SEGMENT.iter_unpack(table[: len(table) // entry * entry])
    ends = [start + length for kind, start, length in segments if kind == _PT_LOAD]
    return int(max([*ends, sections + section_size * section_count]))
