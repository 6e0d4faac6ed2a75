"""Values: immutable JSON that the library holds, and the paths, patches and drafts of it."""

from .conversion import to_reference
from .drafting import Reducer, drafting, peek, produce
from .json_text import JSON, decode, encode, encode_object
from .limits import limits
from .names import encode_name
from .patch import Patch, apply_patch
from .reference import Reference
from .value import ArrayValue, ObjectValue, Value, from_json, identical, read, take, value

__all__ = [
    "JSON",
    "ArrayValue",
    "ObjectValue",
    "Patch",
    "Reducer",
    "Reference",
    "Value",
    "apply_patch",
    "decode",
    "drafting",
    "encode",
    "encode_name",
    "encode_object",
    "from_json",
    "identical",
    "limits",
    "peek",
    "produce",
    "read",
    "take",
    "to_reference",
    "value",
]
