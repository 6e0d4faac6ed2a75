"""The public names that the headers declare."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

INCLUDE = Path(__file__).parents[2] / "include"

MEMBERS = {"CXXMethodDecl", "FieldDecl", "FunctionTemplateDecl", "TypeAliasDecl", "VarDecl"}
CLASSES = {"CXXRecordDecl", "ClassTemplateDecl"}


def of_c(header: str) -> set[str]:
    """The names with the prefix of the library in the code of a C header."""
    public, behind = _parts(header)
    code = re.sub(r"/\*.*?\*/", "", public, flags=re.DOTALL)
    helpers = re.findall(r"^#define (\w+)", behind, re.M)
    return set(re.findall(r"\b(?:imd|IMD)_\w+", code)) - set(helpers)


def comments(header: str) -> list[str]:
    """The lines of the comments in a header."""
    found = re.findall(r"^(?!#)[^\n]*?/\*(.*?)\*/", _parts(header)[0], re.M | re.S)
    return [line for comment in found for line in comment.splitlines()]


def _parts(header: str) -> tuple[str, str]:
    """A C header without the macros that are only for other macros, and these."""
    text = (INCLUDE / header).read_text()
    before, mark, rest = text.partition("#ifndef __cplusplus /* the rest is for the macros above */")
    behind, _, after = rest.partition("\n#endif\n")
    return (before + after, behind) if mark else (text, "")


def of_cpp() -> set[str]:
    """The functions, types and public members in the namespace immutabledata, by Clang."""
    dumped = subprocess.run(
        [_clang(), "-std=c++17", "-fsyntax-only", f"-I{INCLUDE}", "-x", "c++"]
        + ["-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=immutabledata::"]
        + [INCLUDE / "immutabledata.hpp"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names: set[str] = set()
    decoder = json.JSONDecoder()
    at = dumped.find("{")
    while at >= 0:
        declaration, end = decoder.raw_decode(dumped, at)
        names.update(_names(declaration, "immutabledata"))
        at = dumped.find("{", end)
    return names


def _names(declaration: dict[str, Any], scope: str) -> Iterator[str]:
    kind, name = declaration["kind"], declaration.get("name", "")
    # A definition outside its class has a parent: the class has declared it.
    if declaration.get("isImplicit") or "parentDeclContextId" in declaration:
        return
    if kind in CLASSES:
        yield f"{scope}::{name}"
        yield from _members(declaration, f"{scope}::{name}")
    elif kind in MEMBERS | {"FunctionDecl"} and re.fullmatch(r"(?!operator\b)\w+", name):
        yield f"{scope}::{name}"


def _members(declaration: dict[str, Any], scope: str) -> Iterator[str]:
    inner = declaration.get("inner", [])
    if declaration["kind"] == "ClassTemplateDecl":
        inner = next(each for each in inner if each["kind"] == "CXXRecordDecl").get("inner", [])
    is_public = declaration.get("tagUsed") == "struct"
    for member in inner:
        if member["kind"] == "AccessSpecDecl":
            is_public = member["access"] == "public"
        elif is_public:
            yield from _names(member, scope)


def _clang() -> Path:
    """The compiler of Swift's toolchain."""
    target = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True).stdout
    return Path(json.loads(target)["paths"]["runtimeResourcePath"]).parents[1] / "bin/clang++"
