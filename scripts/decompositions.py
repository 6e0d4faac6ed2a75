"""Writes the table of canonical decompositions, from the Unicode data of this Python.

    decompositions.py > Sources/ProductSupport/Text/DecompositionTable.swift

Hangul syllables are decomposed by calculation, and are not in the table.
"""

import sys
import unicodedata

HEADER = """\
// Written by scripts/decompositions.py. Do not edit.

/// The canonical decompositions of Unicode {version}: one step for each character, in order.
///
/// Each entry has the character in bits 42 to 62, the first character of its decomposition in bits
/// 21 to 41, and the second in bits 0 to 20; it is 0 if the decomposition is one character.
let decompositionTable: [UInt64] = [
"""
COLUMNS = 5


def decompositions():
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if parts and not parts[0].startswith("<"):
            first, second = [int(part, 16) for part in (*parts, "0")[:2]]
            yield code, first, second


def main():
    entries = list(decompositions())
    composites = {code for code, _, _ in entries}
    assert not any(second in composites for _, _, second in entries)
    numbers = [f"0x{code << 42 | first << 21 | second:X}" for code, first, second in entries]
    print(HEADER.format(version=unicodedata.unidata_version), end="")
    for start in range(0, len(numbers), COLUMNS):
        print(f"  {', '.join(numbers[start:start + COLUMNS])},")
    print("]")


if __name__ == "__main__":
    main()
