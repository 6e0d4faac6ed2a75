"""imd inspect: a page that shows what happens in a program, or in a log."""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import webbrowser
from contextlib import ExitStack, suppress
from html import escape

from .._inspector.api import Source
from .._inspector.live import LiveProgram
from .._inspector.log_file import LogFile
from .._inspector.server import InspectorServer
from .addresses import require_file
from .failure import USAGE, CommandError, explain
from .header import read_header
from .interactive.termination import Terminated, signals_raise
from .output import Output, report
from .stores import load_library, needs_reducer, reducer_for
from .targets import is_socket, refusals, socket_of


def run(arguments: argparse.Namespace) -> int:
    """Serves the page until Ctrl+C."""
    output = Output(arguments.json)
    with signals_raise():
        try:
            source = _source(arguments, output)
            if source is not None:
                _serve(source, arguments, output)
        except Terminated as end:
            return end.exit_code
    return 0


def _source(arguments: argparse.Namespace, output: Output) -> Source | None:
    """What is to be shown; None if there are several programs, which were listed."""
    target, reducer = arguments.target, arguments.reducer
    require_file(target or "", "imd inspect")
    if target is not None and not target.isdecimal() and not is_socket(target):
        if not target.endswith(".sock") or os.path.isfile(target):
            return _log(target, reducer, arguments.library)
    if reducer is not None:
        raise CommandError(f"{reducer} is for a log; {target} is a program", USAGE)
    path = socket_of(target, output, "inspect")
    if path is None:
        return None
    with refusals():
        return LiveProgram(path)


def _log(path: str, name: str | None, library_path: str | None) -> LogFile:
    if not os.path.exists(path):
        raise CommandError(f"there is no file {path}")
    header = read_header(path)
    library = load_library(library_path)
    history = header.options.get("history")
    if name is None and needs_reducer(path):
        report(
            f"{path}: actions only; their states need the reducer of the program: "
            f"imd inspect {path} app.py:reduce"
        )
        return LogFile(path, history=history, library=library)
    reducer = reducer_for(path, header, name, library, "inspect")
    domain = header.domain if reducer is None else None
    return LogFile(path, reducer, domain=domain, history=history, library=library)


def _serve(source: Source, arguments: argparse.Namespace, output: Output) -> None:
    try:
        server = InspectorServer(source, arguments.port)
    except OSError as error:
        source.close()
        raise CommandError(f"port {arguments.port}: {explain(error)}") from None
    server.start()
    try:
        _announce(source, server, output)
        with ExitStack() as stack:
            if not arguments.no_browser and _has_browser():
                folder = tempfile.TemporaryDirectory(prefix="imd-")  # Only the user can enter it.
                _open_browser(server.address, stack.enter_context(folder))
            threading.Event().wait()
    except KeyboardInterrupt:
        if not output.is_json:
            output.line("")  # After the ^C of the terminal.
    finally:
        server.close()


def _announce(source: Source, server: InspectorServer, output: Output) -> None:
    program = source.describe()
    if output.is_json:
        output.data({"address": server.address, "process": program["process"]})
    else:
        process = program["process"]
        place = "" if process is None else f" (process {process})"
        output.line(output.style(f"{program['program']}{place}", "bold"), f": {server.address}")
        output.line("Ctrl+C ends; whoever has the address can see all, so do not pass it on")
    output.flush()


def _has_browser() -> bool:
    """Whether a browser would have a window: one in the terminal would take that."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _open_browser(address: str, folder: str) -> None:
    """Opens a page that leads to the address: other users see the arguments of processes, so the
    address must not be one.
    """
    page = os.path.join(folder, "inspector.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write(
            '<!doctype html><meta charset="utf-8"><title>imd inspect</title>'
            f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
        )
    with suppress(webbrowser.Error):
        webbrowser.open(f"file://{page}")
