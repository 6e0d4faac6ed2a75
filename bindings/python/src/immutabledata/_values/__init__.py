"""Values: immutable JSON that the library holds, and the paths, patches and drafts of it."""

from .action import Action
from .conversion import to_reference
from .drafting import Reducer, drafting, peek, produce
from .json_text import JSON, encode, encode_object
from .limits import limits
from .names import encode_name
from .patch import Patch, apply_patch
from .reference import Reference
from .suggestion import similar_names, suggestion
from .value import (
    ArrayValue,
    ObjectValue,
    Value,
    from_json,
    identical,
    parse_output,
    read,
    take,
    to_python,
    value,
)

__all__ = [
    "JSON",
    "Action",
    "ArrayValue",
    "ObjectValue",
    "Patch",
    "Reducer",
    "Reference",
    "Value",
    "apply_patch",
    "drafting",
    "encode",
    "encode_name",
    "encode_object",
    "from_json",
    "identical",
    "limits",
    "parse_output",
    "peek",
    "produce",
    "read",
    "similar_names",
    "suggestion",
    "take",
    "to_python",
    "to_reference",
    "value",
]
