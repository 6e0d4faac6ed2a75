"""STORE, the argument of the commands: what it names, and the store that it opens."""

from __future__ import annotations

import inspect
import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import immutabledata as imd

from . import scratch
from .failure import REFUSED, USAGE, CommandError, did_you_mean, explain
from .header import Header, read_header
from .programs import is_program, load_object


@dataclass
class OpenedStore:
    """A store that imd has opened, and where it comes from."""

    store: imd.Store[Any]

    name: str
    """What the user has named, or "scratch"."""

    library: Any
    """The imd.Library that it belongs to: the package itself, or that of --library."""

    domain: str | None = None
    """The name of its domain."""

    reducer: Any = None
    """Its reducer, if that is known: functions of imd.log take it; None for a domain."""

    program: str | None = None
    """What names its reducer, as in app.py:reduce, if its log needs that to be opened again."""

    options: dict[str, Any] = field(default_factory=dict)
    """Those of its domain that were given."""

    path: str | None = None
    """The file of its log, if imd has opened it; also the temporary one."""

    folder: str | None = None
    """The temporary folder of its log, which close removes."""

    is_shared: bool = False
    """Whether other stores may write to its log, too."""

    @property
    def is_scratch(self) -> bool:
        """Whether it has the actions of a scratch store."""
        return self.reducer is scratch.reduce

    def describe(self) -> dict[str, Any]:
        """What store.describe() returns; with the actions of scratch stores and of slices."""
        description = self.store.describe()
        if self.is_scratch:
            return {**description, **scratch.DESCRIPTION}
        if self.domain is None:
            description.setdefault("name", self.name)
            description.setdefault("actions", [{"type": each} for each in _types(self.reducer)])
        return description

    def refuse_ignored(self, actions: Iterable[Any]) -> None:
        """Raises CommandError: nothing in the store takes the type of an action. A log would keep
        it all the same.
        """
        if not hasattr(self.reducer, "takes"):
            return  # A domain, and a scratch store, refuse such a type themselves.
        for action in actions:
            kind = action.get("type")
            if isinstance(kind, str) and self.store._ignores(kind):
                hint = did_you_mean(kind, _types(self.reducer))
                raise CommandError(f'no slice takes "{kind}"{hint and "; "}{hint}', REFUSED)

    def close(self) -> None:
        """Closes the store, and removes what is temporary."""
        try:
            self.store.close()
        finally:
            if self.folder is not None:
                shutil.rmtree(self.folder, ignore_errors=True)


@dataclass
class _Request:
    """How a store is to be opened."""

    library: Any
    command: str
    """The name of the command, for messages."""

    operands: str = ""
    """What follows the log and the reducer in the command, for messages."""

    path: str | None = None
    """The file of its log."""

    options: dict[str, Any] = field(default_factory=dict)
    """Options of the store, other than its log."""

    domain_options: dict[str, Any] = field(default_factory=dict)
    """Options that only a domain has."""

    log: dict[str, Any] = field(default_factory=dict)
    """Options of its log, other than the path, if it is only read."""

    is_shared: bool = False
    """Whether a new log is shared, and an existing one must be."""

    author: str | None = None
    """What the store is called in a shared log."""

    is_interactive: bool = False
    """Whether it has a history, and a temporary log if it has no other."""


def open_store(
    name: str | None,
    reducer: str | None = None,
    *,
    command: str = "shell",
    library: str | None = None,
    state: str | None = None,
    options: Sequence[tuple[str, Any]] | None = None,
    read_only: bool = False,
    shared: bool = False,
    author: str | None = None,
    interactive: bool = False,
) -> OpenedStore:
    """Opens the store with a name; None is an empty scratch store.

    reducer: a domain, or a store or reducer of a program, if the name is that of a log.
    command: the name of the command, for messages.
    library: the path of a library with more domains.
    state: the initial state, as JSON.
    options: those of a domain.
    read_only: whether the store follows its log, which another process may write.
    shared: whether other stores may write to the log, too. A log that says so is opened so anyway.
    author: what the store is called in a shared log.
    interactive: whether it has a history, and a temporary log if it has no other, so that it can be
        saved. Otherwise it has a history if its log has one, which would be lost without.

    Raises CommandError: there is no such store, or an argument does not fit it.
    Raises what immutabledata.Store and open raise.
    """
    request = _Request(load_library(library), command, is_interactive=interactive)
    request.domain_options = _distinct(options or ())
    if state is not None:
        request.options["state"] = _parsed(state)
    if read_only:
        request.log["read_only"] = True
        for option, given in ("--shared", shared), ("--author", author is not None):
            if given:
                raise CommandError(f"{option} is for a store that writes, not --read-only", USAGE)
    request.is_shared, request.author = shared, author
    if name is None:
        return _open_scratch("scratch", request)
    if reducer is None and is_program(name):
        return _open_program(name, request)
    if reducer is None and is_domain(name, request.library):
        return _open_domain(name, name, request)
    require_file_name(name, request.library)
    request.path = name
    if os.path.exists(name):
        return _open_log(name, reducer, request)
    return _open_new_log(name, reducer, request)


def open_past(
    path: str,
    number: int | None,
    reducer: str | None,
    library: str | None,
    command: str,
    options: Sequence[tuple[str, Any]] | None = None,
    operands: str = "",
) -> OpenedStore:
    """Opens the log at a path to be read, with the state after the commit with a number, or with
    the present one.

    reducer, command, options: see open_store.
    operands: what follows the log and the reducer in the command, for messages.

    Raises what open_store raises.
    """
    log = {"read_only": True} if number is None else {"read_only": True, "at": number}
    request = _Request(load_library(library), command, operands, path, log=log)
    request.domain_options = _distinct(options or ())
    return _open_log(path, reducer, request)


def open_copy(
    copy: str, path: str, reducer: str | None, library: str | None, command: str
) -> OpenedStore:
    """Opens a copy of the log at a path, as open_past does, but to be written."""
    return _open_log(path, reducer, _Request(load_library(library), command, path=copy))


def open_log(
    path: str,
    reducer: str | None,
    library: str | None,
    command: str,
    *,
    author: str | None = None,
    operands: str = "",
) -> OpenedStore:
    """Opens the existing log at a path, to be written.

    author, operands: see open_store and open_past.

    Raises what open_store raises.
    """
    request = _Request(load_library(library), command, operands, path, author=author)
    return _open_log(path, reducer, request)


def _open_log(path: str, name: str | None, request: _Request) -> OpenedStore:
    """Opens an existing log; the request may have a copy of it."""
    header = read_header(path)
    reducer = reducer_for(path, header, name, request.library, request.command, request.operands)
    if request.options:
        raise CommandError(f"{path} has a state; --state is for a new store", USAGE)
    if reducer is None:
        return _open_domain(str(header.domain), path, request)
    if _has_initial_state(reducer):
        request.options["state"] = reducer.initial_state  # That of the file counts.
        return _open_reducer(reducer, path, request, name)
    saved = imd.log.snapshot(request.path or path)  # It fits the schema of the reducer.
    request.options["state"] = saved.state
    try:
        return _open_reducer(reducer, path, request, name)
    except imd.InvalidArgumentError as error:
        if not error.message.startswith("state"):
            raise
        raise CommandError(
            f"{path}: the state after commit {saved.number} does not fit the schema of {name}: "
            f"{error.message}",
            REFUSED,
        ) from error


def _open_new_log(path: str, name: str | None, request: _Request) -> OpenedStore:
    if request.log:
        raise CommandError(f"there is no file {path}")
    if name is None:
        return _open_scratch(path, request)
    if not is_program(name):
        require_domain(name, request.library)
        return _open_domain(name, path, request)
    reducer = load_reducer(name)
    _require_state(reducer, name, request)
    return _open_reducer(reducer, path, request, name)


def load_library(path: str | None) -> Any:
    """The library at a path; the package itself for None. Raises CommandError: there is none."""
    if path is None:
        return imd
    try:
        return imd.load(path)
    except ImportError as error:
        raise CommandError(str(error)) from None


def is_domain(name: str, library: Any) -> bool:
    """Whether the library has a domain with a name."""
    return any(domain["name"] == name for domain in library.domains())


def require_domain(name: str, library: Any) -> None:
    """Raises CommandError: a reducer that is none of a program is no domain, either."""
    names = [domain["name"] for domain in library.domains()]
    if name not in names:
        hint = did_you_mean(name, names) or f"domains: {', '.join(names)}"
        raise CommandError(
            f'"{name}" is no domain, nor a reducer as in app.py:reduce; {hint}', USAGE
        )


def require_file_name(name: str, library: Any) -> None:
    """Raises CommandError unless something that is no program or domain can be a file: it exists,
    or the name has a dot or a slash.
    """
    if os.path.isdir(name):
        raise CommandError(f"{name} is a folder; imd ls {name} lists its logs", USAGE)
    if name.endswith(".py"):
        raise CommandError(f"{name} is a program; name a store in it, as in {name}:store", USAGE)
    if os.path.exists(name) or "." in name or os.sep in name:
        return
    names = [domain["name"] for domain in library.domains()]
    hint = did_you_mean(name, names)
    if hint:
        raise CommandError(f'there is no domain or file "{name}"; {hint}')
    raise CommandError(
        f'there is no domain or file "{name}"; domains: {", ".join(names)}. '
        f"Or name a log, as in {name}.imd, or a store of a program, as in app.py:store"
    )


def reducer_for(
    path: str,
    header: Header,
    name: str | None,
    library: Any,
    command: str,
    operands: str = "",
) -> Any:
    """The reducer for the log at a path; None for the log of a domain, whose library has it.

    name: what the user has named, if anything: a domain, or a store or reducer of a program.
    command, operands: the command, and what follows the log and the reducer, for a message.

    Raises CommandError: a name is needed, or it does not fit.
    """
    if name is None or not is_program(name):
        if name is not None:
            require_domain(name, library)
        if header.domain is not None:
            if name not in (None, header.domain):
                raise CommandError(f"{path} is a log of the domain {header.domain}, not {name}")
            return None
        if name is None and header.application == scratch.APPLICATION:
            return scratch.reduce
        raise CommandError(
            f"{_needs_program(path, header)}: imd {command} {path} app.py:reduce{operands}"
            f"{_for_other_languages(command)}",
            USAGE,
        )
    _require_program_log(path, header, name)
    return load_reducer(name)


def needs_reducer(path: str) -> bool:
    """Whether a log is that of a program, whose reducer has to be named. Raises what read_header
    raises.
    """
    header = read_header(path)
    return header.domain is None and header.application != scratch.APPLICATION


# What does the same as a command in a program whose reducer imd cannot call.
_FUNCTIONS = {
    "compact": "imd_log_compact",
    "diff": "imd_log_state_at and imd_value_diff",
    "export": "imd_log_export",
    "import": "imd_log_import",
    "migrate": "imd_log_migrate",
    "replay": "imd_store_replay",
    "share": "imd_log_compact",
    "show": "imd_log_state_at",
    "unshare": "imd_log_compact",
}


def _for_other_languages(command: str) -> str:
    """The end of a message that asks for a reducer in Python."""
    function = _FUNCTIONS.get(command)
    hint = "" if function is None else f" call {function} there;"
    return f". If it is a program in C or C++,{hint} imd log and imd show need no reducer"


def _require_program_log(path: str, header: Header, name: str) -> None:
    """Raises CommandError: a log has its reducer already, and another one would spoil it."""
    owner = "imd" if header.application == scratch.APPLICATION else None
    if header.domain is not None:
        owner = f"the domain {header.domain}"
    if owner is not None:
        raise CommandError(f"{path} is a log of {owner}, not of {name}; leave that out", USAGE)


def load_reducer(name: str) -> Any:
    """The reducer with a name such as app.py:reduce, or that of the store with the name.

    Raises CommandError: there is none.
    """
    found = load_object(name)
    if isinstance(found, imd.Store):
        return _reducer_of(found, name)
    if _is_factory(found):
        with _called(found, name) as store:
            return _reducer_of(store, name)
    return _checked_reducer(found, name)


# ---- The kinds of stores -------------------------------------------------------------------------


def _open_scratch(name: str, request: _Request) -> OpenedStore:
    state = request.options.setdefault("state", {})
    if not isinstance(state, (dict, imd.Value)):
        raise CommandError("--state: the state must be an object or an array", USAGE)
    return _open_reducer(scratch.reduce, name, request)


def _open_reducer(
    reducer: Any, name: str, request: _Request, program: str | None = None
) -> OpenedStore:
    """program: what names the reducer, if it is that of a program."""
    if request.domain_options:
        raise CommandError(f"--option is for a domain, and {name} is none", USAGE)
    with _Log(request) as log:
        if log.header is not None:
            log.options["version"] = log.header.version
            if log.header.application is not None:
                log.options["application"] = log.header.application
        elif log.options is not None and reducer is scratch.reduce:
            log.options["application"] = scratch.APPLICATION
            if log.is_shared:  # Its options never change.
                log.store_options["history"] = True
        store = imd.Store(reducer, log=log.options, **log.store_options, **request.options)
    return OpenedStore(
        store,
        name,
        request.library,
        reducer=reducer,
        program=program,
        path=log.path,
        folder=log.folder,
        is_shared=log.is_shared,
    )


def _open_domain(domain: str, name: str, request: _Request) -> OpenedStore:
    known = [each for each in request.library.domains() if each["name"] == domain]
    takes_log = bool(known) and "log" in known[0]["options"]["properties"]
    given = request.domain_options
    for option, instead in (("log", f"imd {request.command} FILE {domain}"), ("state", "--state")):
        if option in given and (option == "log" or request.options):
            raise CommandError(f"--option {option} has no use; type: {instead}", USAGE)
    with _Log(request, takes_log) as log:
        options = {**log.store_options, **request.options, **given}
        try:
            store = request.library.open(domain, log=log.options, **options)
        except imd.InvalidArgumentError as error:
            if not given:
                raise
            raise CommandError(explain(error), USAGE) from error
    return OpenedStore(
        store,
        name,
        request.library,
        domain=domain,
        options=given,
        path=log.path,
        folder=log.folder,
        is_shared=log.is_shared,
    )


def _open_program(name: str, request: _Request) -> OpenedStore:
    if request.library is not imd:
        raise CommandError("--library is for domains; a program loads its library itself", USAGE)
    found = load_object(name)
    if isinstance(found, imd.Store) or _is_factory(found):
        for option, given in (
            ("--state", request.options),
            ("--option", request.domain_options),
            ("--read-only", request.log),
            ("--shared", request.is_shared),
            ("--author", request.author),
        ):
            if given:
                raise CommandError(f"{name} is a store, which has its options: no {option}", USAGE)
        store = found if isinstance(found, imd.Store) else _called(found, name)
        return OpenedStore(store, name, imd, reducer=store._reducer_function)
    reducer = _checked_reducer(found, name)
    _require_state(reducer, name, request)
    return _open_reducer(reducer, name, request, name)


def _require_state(reducer: Any, name: str, request: _Request) -> None:
    if not request.options and not hasattr(reducer, "initial_state"):
        raise CommandError(f"{name} is a reducer; add its initial state: --state '{{}}'", USAGE)


def _has_initial_state(reducer: Any) -> bool:
    """Whether a reducer, or each of those that are combined, has the state that it begins with."""
    parts = getattr(reducer, "_reducers", None)
    if isinstance(parts, dict):
        return all(map(_has_initial_state, parts.values()))
    return hasattr(reducer, "initial_state")


def _needs_program(path: str, header: Header) -> str:
    owner = "a program" if header.application is None else f'the program "{header.application}"'
    return f"{path} is a log of {owner}; name its reducer, as in"


class _Log:
    """The log of a store that is being opened; if that fails, a temporary one is removed."""

    def __init__(self, request: _Request, takes_log: bool = True) -> None:
        self.folder: str | None = None
        self.path = request.path
        self.header: Header | None = None
        """Its first line, if there is a file."""
        self.options: Any = None
        """The option log of the store."""
        self.store_options: dict[str, Any] = {}
        """Other options of the store: those that the file had before."""
        self.is_shared = request.is_shared
        """Whether other stores may write to it, too."""
        if request.is_interactive:
            self.store_options["history"] = True
        for option, given in (
            ("--read-only", request.log),
            ("--shared", request.is_shared),
            ("--author", request.author),
        ):
            if self.path is None and given:
                raise CommandError(f"{option} needs a log", USAGE)
        if self.path is not None:
            self.options = {"path": self.path, **request.log}
            if os.path.exists(self.path):
                self.header = read_header(self.path)
                self.is_shared = self.is_shared or self.header.is_shared and not request.log
                if self.is_shared:  # Its options never change.
                    self.store_options.clear()
                self.store_options.update(self.header.options)
            self._share(request)
        elif request.is_interactive and takes_log:
            self.folder = tempfile.mkdtemp(prefix="imd-")
            self.path = os.path.join(self.folder, "store.imd")
            self.options = {"path": self.path, "durability": "none"}

    def _share(self, request: _Request) -> None:
        """Raises CommandError: an author is given, and the log is not shared."""
        if self.is_shared:
            self.options["shared"] = True
            if request.author is not None:
                self.options["author"] = request.author
        elif request.author is not None:
            hint = "" if request.command == "send" else "; add --shared"
            raise CommandError(f"--author is for a shared log{hint}", USAGE)

    def __enter__(self) -> _Log:
        return self

    def __exit__(self, kind: Any, error: Any, *rest: Any) -> None:
        if isinstance(error, imd.InvalidArgumentError) and "is not a shared log" in str(error):
            raise CommandError(f"{explain(error)}; imd share makes it one") from error
        if kind is not None and self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


# ---- Objects of programs -------------------------------------------------------------------------


def _is_factory(found: Any) -> bool:
    """Whether something can be called without arguments, to make a store."""
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError):
        return False
    return True


def _called(factory: Any, name: str) -> imd.Store[Any]:
    try:
        store = factory()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # Also SystemExit.
        raise CommandError(f"{name}() has failed: {explain(error)}") from error
    if not isinstance(store, imd.Store):
        if inspect.iscoroutine(store):
            store.close()  # Otherwise Python warns that nothing waits for it.
        raise CommandError(f"{name}() returned {type(store).__name__}, not a Store")
    return store


def _checked_reducer(found: Any, name: str) -> Any:
    try:
        inspect.signature(found).bind("state", "action")
    except ValueError:
        pass  # A function written in C.
    except TypeError:
        raise CommandError(
            f"{name} is no Store, no function that makes one, and no reducer, which is a function "
            "of a state and an action"
        ) from None
    return found


def _reducer_of(store: imd.Store[Any], name: str) -> Any:
    reducer = store._reducer_function
    if reducer is None:
        raise CommandError(f"{name} is a store of a domain; leave it out")
    return reducer


def _types(reducer: Any) -> list[str]:
    """The types of actions that a slice, or the slices of a combined reducer, take."""
    if isinstance(reducer, imd.Slice):
        return sorted(reducer._cases)
    parts = getattr(reducer, "_reducers", None)
    parts = parts.values() if isinstance(parts, dict) else ()
    return sorted({each for part in parts for each in _types(part)})


# ---- Details -------------------------------------------------------------------------------------


def _distinct(options: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in options]
    for name in names:
        if names.count(name) > 1:
            raise CommandError(f"--option {name} is given twice", USAGE)
    return dict(options)


def _parsed(state: str) -> Any:
    try:
        return imd.from_json(state)
    except imd.Error as error:
        raise CommandError(f"--state: {explain(error)}", USAGE) from None
