"""Values: immutable JSON that the library holds, and the paths, patches and drafts of it."""

from .action import Action
from .conversion import converting, to_reference, to_text_or_reference
from .default import Default, checked_default, using
from .draft import ObjectDraft, restoring
from .drafting import Reducer, drafting, peek, produce
from .functions import (
    ASYNC_REDUCER,
    is_async,
    refuse_coroutine,
    require_function,
    require_reducer,
)
from .json_text import JSON, encode
from .limits import limits
from .names import checked_names, encode_name, plain, quoted, similar_names, suggestion
from .patch import Patch, apply_patch
from .reference import Reference
from .refusal import refuse_unrepresentable
from .value import (
    ArrayValue,
    ObjectValue,
    Value,
    from_json,
    identical,
    read,
    take,
    to_python,
    value,
)

__all__ = [
    "ASYNC_REDUCER",
    "JSON",
    "Action",
    "ArrayValue",
    "Default",
    "ObjectDraft",
    "ObjectValue",
    "Patch",
    "Reducer",
    "Reference",
    "Value",
    "apply_patch",
    "checked_default",
    "checked_names",
    "converting",
    "drafting",
    "encode",
    "encode_name",
    "from_json",
    "identical",
    "is_async",
    "limits",
    "peek",
    "plain",
    "produce",
    "quoted",
    "read",
    "refuse_coroutine",
    "refuse_unrepresentable",
    "require_function",
    "require_reducer",
    "restoring",
    "similar_names",
    "suggestion",
    "take",
    "to_python",
    "to_reference",
    "to_text_or_reference",
    "using",
    "value",
]
