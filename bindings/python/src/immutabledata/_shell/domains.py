"""imd domains: what stores there are without a program."""

from __future__ import annotations

import argparse
from typing import Any

from .failure import CommandError, did_you_mean
from .interactive.vocabulary import Vocabulary
from .output import Output, wrapped
from .stores import load_library


def run(arguments: argparse.Namespace) -> int:
    """Lists the domains, or describes one."""
    output = Output(arguments.json)
    domains = load_library(arguments.library).domains()
    name = arguments.domain
    if name is not None:
        names = [domain["name"] for domain in domains]
        domains = [domain for domain in domains if domain["name"] == name]
        if not domains:
            hint = did_you_mean(name, names) or "imd domains lists all"
            raise CommandError(f'there is no domain "{name}"; {hint}')
    if output.is_json:
        for domain in domains:
            output.data(domain)
    elif name is not None:
        _describe(output, domains[0])
    else:
        rows = [[domain["name"], domain["summary"]] for domain in domains]
        output.table(("domain", "what it is"), rows)
    return 0


_INDENT = " " * 6


def _describe(output: Output, domain: dict[str, Any]) -> None:
    output.paragraph(wrapped(domain["summary"], output.width))
    vocabulary = Vocabulary.of(domain)
    for title, shapes in (("actions", vocabulary.actions), ("selectors", vocabulary.selectors)):
        output.line("")
        output.line(output.style(title, "bold"))
        for shape in shapes.values():
            output.paragraph(wrapped(shape.usage, output.width, "  ", "  "))
            if shape.summary:
                output.paragraph(wrapped(shape.summary, output.width, _INDENT), "dim")
    output.line("")
    output.line(output.style("options", "bold"))
    for option, schema in domain["options"]["properties"].items():
        output.line(f"  {option}")
        output.paragraph(wrapped(schema.get("description", ""), output.width, _INDENT), "dim")
