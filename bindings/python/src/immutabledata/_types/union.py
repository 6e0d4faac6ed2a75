"""Unions: data of one of several types."""

from __future__ import annotations

from typing import Any

from .annotations import Read
from .codec import Codec, kind_of
from .record import Record


def union(codecs: list[Codec], where: str) -> Codec:
    """The meaning of a union. Raises TypeError: nothing tells its types apart."""
    kinds = frozenset[str]().union(*(each.kinds for each in codecs))
    return Codec(_schema(codecs), kinds, _reader(codecs, where))


def _schema(codecs: list[Codec]) -> dict[str, Any]:
    schemas = [each.schema for each in codecs]
    if all(each.keys() == {"type"} and isinstance(each["type"], str) for each in schemas):
        return {"type": [each["type"] for each in schemas]}
    return {"anyOf": schemas}


def _reader(codecs: list[Codec], where: str) -> Read | None:
    """Rebuilds data by its kind; an object that may be of several classes by their tag."""
    if all(each.read is None for each in codecs):
        return None
    reads: dict[str, Read | None] = {}
    records = [each.record for each in codecs if each.record is not None]
    if len(records) > 1 and any(each.read is not codecs[0].read for each in codecs if each.record):
        reads["object"] = _by_tag(records, where)
        codecs = [each for each in codecs if each.record is None]
    for codec in codecs:
        for kind in codec.kinds:
            if reads.setdefault(kind, codec.read) is not codec.read:
                raise TypeError(
                    f"{where}: nothing tells the types of the union apart: two of them are "
                    f"{'an' if kind[0] in 'ao' else 'a'} {kind} in JSON"
                )

    def read(data: Any) -> Any:
        convert = reads.get(kind_of(data))
        return data if convert is None else convert(data)

    return read


def _by_tag(records: list[Record], where: str) -> Read:
    """Rebuilds an object by a member that has another constant in each class."""
    for name in records[0].tags:
        reads = {each.tags.get(name): each.read for each in records}
        if len(reads) == len(records) and None not in reads:
            return lambda data: reads[data[name]](data)
    names = ", ".join(each.name for each in records)
    raise TypeError(
        f"{where}: nothing tells {names} apart; give each a member such as "
        f'kind: Literal["{records[0].name.lower()}"]'
    )
