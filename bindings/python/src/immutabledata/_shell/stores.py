"""STORE, the argument of the commands: what it names, and the store that it opens."""

from __future__ import annotations

import inspect
import os
import shutil
import tempfile
from dataclasses import dataclass
from typing import Any

import immutabledata as imd

from . import scratch
from .failure import USAGE, CommandError, explain
from .header import Header, read_header
from .programs import is_program, load_object

HISTORY: imd.HistoryOptions = {"limit": 10_000}
"""The history of the stores that imd opens."""


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

    path: str | None = None
    """The file of its log, if imd has opened it; also the temporary one."""

    folder: str | None = None
    """The temporary folder of its log, which close removes."""

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

    def close(self) -> None:
        """Closes the store, and removes what is temporary."""
        self.store.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def open_store(
    name: str | None,
    *,
    log: str | None = None,
    library: str | None = None,
    state: str | None = None,
    read_only: bool = False,
    keeps: bool = False,
) -> OpenedStore:
    """Opens the store with a name; None is an empty scratch store.

    log: the file that keeps a scratch store, a domain, or a reducer of a program.
    library: the path of a library with more domains.
    state: the initial state, as JSON.
    read_only: whether the store follows its log, which another process may write.
    keeps: whether a store without a log gets a temporary one, so that it can be saved.

    Raises CommandError: there is no such store, or an argument does not fit it.
    Raises what immutabledata.Store and open raise.
    """
    loaded = load_library(library)
    options: dict[str, Any] = {} if state is None else {"state": _parsed(state)}
    if name is None:
        return _open_scratch("scratch", loaded, log, options, read_only, keeps)
    if is_program(name):
        return _open_program(name, loaded, log, options, read_only)
    if is_domain(name, loaded):
        return _open_domain(name, name, loaded, log, options, read_only, keeps)
    if log is not None:
        require_file_name(name, loaded)
        raise CommandError(f"{name} is a log itself, so --log has no use", USAGE)
    return _open_file(name, loaded, options, read_only)


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
    known = ", ".join(domain["name"] for domain in library.domains())
    raise CommandError(
        f'there is no domain or file "{name}"; domains: {known}. '
        f"Or name a log, as in {name}.imd, or a store of a program, as in app.py:store"
    )


def reducer_for(
    path: str, header: Header, name: str | None, library: Any, command: str
) -> Any:
    """The reducer for the log at a path; None for the log of a domain, whose library has it.

    name: what the user has named, if anything: a domain, or a store or reducer of a program.
    command: the name of the command, for a message.

    Raises CommandError: a name is needed, or it does not fit.
    """
    if name is None or not is_program(name):
        if name is not None and not is_domain(name, library):
            require_file_name(name, library)
            raise CommandError(f"{name} is a log; name a domain or app.py:store", USAGE)
        if header.domain is not None:
            if name not in (None, header.domain):
                raise CommandError(f"{path} is a log of the domain {header.domain}, not {name}")
            return None
        if name is None and header.application == scratch.APPLICATION:
            return scratch.reduce
        raise CommandError(f"{_needs_program(path, header)}: imd {command} {path} app.py:store")
    found = load_object(name)
    if isinstance(found, imd.Store):
        return _reducer_of(found, name)
    if _is_factory(found):
        with _called(found, name) as store:
            return _reducer_of(store, name)
    return _checked_reducer(found, name)


# ---- The kinds of stores -------------------------------------------------------------------------


def _open_scratch(
    name: str,
    library: Any,
    path: str | None,
    options: dict[str, Any],
    read_only: bool,
    keeps: bool,
) -> OpenedStore:
    options = {"state": {}, **options}
    return _open_reducer(scratch.reduce, name, library, path, options, read_only, keeps)


def _open_reducer(
    reducer: Any,
    name: str,
    library: Any,
    path: str | None,
    options: dict[str, Any],
    read_only: bool = False,
    keeps: bool = False,
) -> OpenedStore:
    folder = _temporary_folder() if keeps and path is None else None
    log = _log_options(path, folder, read_only)
    if log is not None:
        if reducer is scratch.reduce:
            log["application"] = scratch.APPLICATION
        elif path is not None and os.path.exists(path):
            header = read_header(path)
            if header.application is not None:
                log["application"] = header.application
            log["version"] = header.version
    with _removed_on_failure(folder):
        store = imd.Store(reducer, history=HISTORY, log=log, **options)
    used = None if log is None else log["path"]
    return OpenedStore(store, name, library, reducer=reducer, path=used, folder=folder)


def _open_domain(
    domain: str,
    name: str,
    library: Any,
    path: str | None,
    options: dict[str, Any],
    read_only: bool,
    keeps: bool,
) -> OpenedStore:
    known = next(each for each in library.domains() if each["name"] == domain)
    takes_log = "log" in known["options"]["properties"]
    folder = _temporary_folder() if keeps and takes_log and path is None else None
    log = _log_options(path, folder, read_only)
    with _removed_on_failure(folder):
        store = library.open(domain, history=HISTORY, log=log, **options)
    used = None if log is None else log["path"]
    return OpenedStore(store, name, library, domain=domain, path=used, folder=folder)


def _open_program(
    name: str, library: Any, path: str | None, options: dict[str, Any], read_only: bool
) -> OpenedStore:
    if library is not imd:
        raise CommandError("--library is for domains; a program loads its library itself", USAGE)
    found = load_object(name)
    if isinstance(found, imd.Store) or _is_factory(found):
        given = [option for option, is_given in (
            ("--log", path is not None), ("--state", bool(options)), ("--read-only", read_only)
        ) if is_given]
        if given:
            raise CommandError(
                f"{name} is a store, which has its options; {given[0]} is for a reducer, as in "
                f"{name.rpartition(':')[0]}:reduce",
                USAGE,
            )
        store = found if isinstance(found, imd.Store) else _called(found, name)
        return OpenedStore(store, name, library, reducer=store._reducer_function)
    reducer = _checked_reducer(found, name)
    if not options and not hasattr(reducer, "initial_state"):
        if path is None or not os.path.exists(path):
            raise CommandError(f"{name} is a reducer; add its initial state: --state '{{}}'", USAGE)
        options = {"state": None}  # That of the file counts.
    return _open_reducer(reducer, name, library, path, options, read_only)


def _open_file(
    path: str, library: Any, options: dict[str, Any], read_only: bool
) -> OpenedStore:
    if not os.path.exists(path):
        require_file_name(path, library)
        if read_only:
            raise CommandError(f"there is no file {path}")
        return _open_scratch(path, library, path, options, read_only, keeps=False)
    require_file_name(path, library)
    header = read_header(path)
    if options:
        raise CommandError(f"{path} has a state; --state is for a new store", USAGE)
    if header.domain is not None:
        return _open_domain(header.domain, path, library, path, options, read_only, keeps=False)
    if header.application == scratch.APPLICATION:
        return _open_scratch(path, library, path, options, read_only, keeps=False)
    raise CommandError(f"{_needs_program(path, header)}: app.py:reduce --log {path}")


def _needs_program(path: str, header: Header) -> str:
    owner = "a program" if header.application is None else f'the program "{header.application}"'
    return f"{path} is a log of {owner}, so imd needs its reducer"


def _log_options(path: str | None, folder: str | None, read_only: bool) -> Any:
    """The option log of a store; None for none."""
    if folder is not None:
        return {"path": os.path.join(folder, "scratch.imd"), "durability": "none"}
    if path is None:
        if read_only:
            raise CommandError("--read-only needs a log", USAGE)
        return None
    return {"path": path, "read_only": True} if read_only else {"path": path}


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
    except Exception as error:
        raise CommandError(f"{name}() has failed: {explain(error)}") from error
    if not isinstance(store, imd.Store):
        raise CommandError(f"{name}() returned {type(store).__name__}, not a Store")
    return store


def _checked_reducer(found: Any, name: str) -> Any:
    try:
        inspect.signature(found).bind("state", "action")
    except ValueError:
        pass  # A function written in C.
    except TypeError:
        raise CommandError(
            f"{name} is {type(found).__name__}; expected a Store, a function that returns one, or "
            "a reducer"
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


def _parsed(state: str) -> Any:
    try:
        return imd.from_json(state)
    except imd.Error as error:
        raise CommandError(f"--state: {explain(error)}", USAGE) from None


def _temporary_folder() -> str:
    return tempfile.mkdtemp(prefix="imd-")


class _removed_on_failure:
    """Removes a folder if what is inside the with statement raises."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *rest: Any) -> None:
        if kind is not None and self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
