"""What is too large, or is not what it should be."""

import ctypes as c

from driver import DONE, REFUSED, Place, driver
from immutabledata._ffi.log_types import imd_log_entry, imd_log_place


def append(log, entries):
    call = log._call("")
    driver.append(log._log, None, (imd_log_entry * len(entries))(*entries), len(entries), call)
    return log._wait(call)


def entry(log, length=1, origin=None, counter=1):
    return imd_log_entry(
        imd_log_place(),
        c.cast(b"x", c.c_void_p),
        length,
        (log.origin if origin is None else origin).encode(),
        counter,
        None,
    )


def test_too_large(open_log):
    """It is refused before it is copied."""
    log = open_log()
    for entries in [
        [entry(log, 1 << 30)],
        [entry(log, (1 << 64) - 1)],
        [entry(log, 1 << 62)] * 4,
        [entry(log, 1 << 28)] * 3,
    ]:
        answer = append(log, entries)
        assert answer.outcome == REFUSED
        assert answer.message == "a call can pass at most 536870912 bytes"
    call = log._call("")
    driver.put_snapshot(log._log, 0, imd_log_place(), b"x", (1 << 64) - 1, call)
    assert log._wait(call).outcome == REFUSED
    assert log.read(limit=(1 << 64) - 1).outcome == DONE


def test_origins(open_log):
    log = open_log()
    for origin in ["", "0" * 31, "0" * 33, "0" * 31 + "g", "0" * 31 + "F"]:
        answer = append(log, [entry(log, origin=origin)])
        assert answer.outcome == REFUSED
        assert answer.message == "the origin is not 32 hexadecimal digits"


def test_numbers(open_log):
    """No number makes a call fail in another way than by its outcome."""
    log = open_log()
    extremes = [-(1 << 63), -1, 1 << 62, (1 << 63) - 1]
    for number in extremes:
        assert log.append(b"x", counter=number).outcome != DONE
        assert log.append(b"x", after=Place(number, bytes(32))).outcome != DONE
        assert log.read(Place(number, bytes(32))).outcome != DONE
        assert log.put_snapshot(number, Place(), b"x").outcome != DONE
        assert log.put_snapshot(0, Place(number, bytes(32)), b"x").outcome != DONE
    assert log.trim((1 << 63) - 1).outcome == REFUSED
    assert log.trim(-(1 << 63)).outcome == DONE  # there is nothing to remove
    assert log.append(b"x").head.number == 1
