"""Prints powers.h: powers of five as D. Lemire's "Number parsing at a gigabyte per second" has them.

python3 powers.py > powers.h
"""

MIN, MAX = -64, 64


def normalized(exponent: int) -> int:
    """128 bits of 5**exponent, the highest of them set: cut for a power, rounded up for a fraction."""
    power = 5 ** abs(exponent)
    if exponent < 0:
        bits = (power - 1).bit_length()
        power = (1 << (bits + 127 if exponent >= -27 else 2 * bits + 128)) // power + 1
    while power < 1 << 127:
        power <<= 1
    while power >= 1 << 128:
        power >>= 1
    return power


print("/* 5^-64 to 5^64 as 128 bits with the highest set, high word first. Made by powers.py. */")
print(f"enum {{ MIN_POWER = {MIN}, MAX_POWER = {MAX} }};")
print()
print("static const uint64_t powers_of_five[][2] = {")
for exponent in range(MIN, MAX + 1):
    high, low = divmod(normalized(exponent), 1 << 64)
    print(f"    {{0x{high:016x}, 0x{low:016x}}},")
print("};")
