"""What Doxygen found in the headers."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

CLASSES = ("class", "struct")


class Declarations:
    """The declarations of each header and group, as elements of Doxygen's XML."""

    def __init__(self, xml: Path) -> None:
        self.xml = xml
        self.trees = {file.stem: ElementTree.parse(file) for file in xml.glob("*.xml")}
        compounds = [
            compound
            for tree in self.trees.values()
            for compound in tree.getroot().iterfind("compounddef")
        ]
        self.by_id = {compound.get("id", ""): compound for compound in compounds}
        self.headers = {path(file): file for file in compounds if file.get("kind") == "file"}
        self.groups = [group for group in compounds if group.get("kind") == "group"]
        self.nested = {
            inner.get("refid")
            for compound in compounds
            if compound.get("kind") in CLASSES
            for inner in compound.iterfind("innerclass")
        }
        [self.namespace] = (c for c in compounds if c.findtext("compoundname") == "immutabledata")

    def sort_members(self) -> None:
        """Gives the members of each class the order of the header, in which Breathe shows them."""
        for id, compound in self.by_id.items():
            sections = compound.findall("sectiondef")
            if compound.get("kind") not in CLASSES or not sections:
                continue
            members = sorted(compound.iterfind("sectiondef/memberdef"), key=line)
            for section in sections:
                section[:] = members if section is sections[0] else []
            self.trees[id].write(self.xml / f"{id}.xml", encoding="utf-8")

    def of(self, compound: ElementTree.Element) -> list[ElementTree.Element]:
        """The declarations of a group or header, in the order of the header."""
        members = compound.findall("sectiondef/memberdef")
        classes = (inner.get("refid", "") for inner in compound.iterfind("innerclass"))
        # A class shows those in it.
        members += [self.by_id[id] for id in classes if id not in self.nested]
        if compound.find("innernamespace") is not None:
            namespace = self.namespace.iterfind("sectiondef/memberdef")
            members += [member for member in namespace if path(member) == path(compound)]
        return sorted(members, key=line)


def _location(element: ElementTree.Element) -> ElementTree.Element:
    location = element.find("location")
    assert location is not None
    return location


def line(element: ElementTree.Element) -> int:
    return int(_location(element).get("line", "0"))


def path(element: ElementTree.Element) -> str:
    """The path of a header, as a program includes it."""
    return _location(element).get("file", "").removeprefix("include/")
