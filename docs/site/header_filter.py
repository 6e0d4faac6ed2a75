"""Converts the plain comments of a C or C++ header to Doxygen's; Doxygen runs it on each header.

    header_filter.py HEADER

A comment before a declaration documents it. In C, a comment before several declarations is moved
before the last, so that the reference shows it below all of them. A comment behind code documents
what it follows. A section ("/* ---- Store ---- */") becomes a group, and a comment that stands
alone in it the description of the group. The first comment describes the file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from header_markup import Markup

INCLUDE = Path(__file__).parents[2] / "include"
COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
SECTION = re.compile(r" -{4} (.+?) -+ ")


class Header:
    def __init__(self, path: Path) -> None:
        # A member that is a union without a tag appears as a union with the name of the member.
        self.text = re.sub(r"union (\{[^}]*\}) (\w+);", r"union \2 \1;", path.read_text())
        self.is_c = path.suffix == ".h"
        self.prefix = path.name.replace(".", "_")
        self.group = ""
        code = (COMMENT.sub("", header.read_text()) for header in INCLUDE.glob("*.h"))
        self.markup = Markup("".join(code))

    def convert(self) -> str:
        converted: list[str] = []
        end = 0
        for comment in COMMENT.finditer(self.text):
            converted.append(self.text[end : comment.start()])
            replacement, end = self._replace(comment)
            converted.append(replacement)
        return "".join(converted) + self.text[end:] + self._end_group()

    def _replace(self, comment: re.Match[str]) -> tuple[str, int]:
        """The text in place of a comment, and the position at which the header continues."""
        before = self.text[self.text.rfind("\n", 0, comment.start()) + 1 : comment.start()]
        end = comment.end()
        if section := SECTION.fullmatch(comment[1]):
            return self._end_group() + self._begin_group(section[1]), end
        if before.startswith("#"):
            return comment[0], end
        if before.strip():
            return f"/**< {self.markup.inline(' '.join(comment[1].split()))} */", end
        text = re.sub(r"(?m)^[ ]*\*? ?", "", comment[1])
        if comment.start() == 0:
            return f"/** @file\n{self.markup.blocks(text, '')} */", end
        if self.text.startswith("\n\n", end):
            description = self.markup.blocks(text, "")
            return f"{self._end_group()}/** @addtogroup {self.group}\n{description}@{{ */", end
        run, declaration = self._run(end)
        return f"{run.lstrip()}\n/** {self.markup.blocks(text, declaration)} */\n", end + len(run)

    def _begin_group(self, title: str) -> str:
        self.group = re.sub(r"\W+", "_", f"{self.prefix}_{title.lower()}")
        return f"/** @defgroup {self.group} {title}\n@{{ */"

    def _end_group(self) -> str:
        return "\n/** @} */\n" if self.group else ""

    def _run(self, start: int) -> tuple[str, str]:
        """The declarations before the last of a run, and the last; a run ends at a blank line."""
        following = self.text[start:]
        run = re.match(r"\n(?:[^\n{]+\n)*?(?=\n|\s*/\*|#|\})", following)
        ends = [match.end() for match in re.finditer(r";\n", run[0] if run else "")]
        if not self.is_c or len(ends) < 2:
            return "", following.partition(";")[0]
        return following[: ends[-2]], following[ends[-2] : ends[-1]]


if __name__ == "__main__":
    print(Header(Path(sys.argv[1])).convert())
