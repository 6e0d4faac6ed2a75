"""A PostgreSQL server in a temporary folder, which an ordinary user runs."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

FOLDERS = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True), Path("/usr/bin")]
BIN = next((folder for folder in FOLDERS if (folder / "initdb").exists()), None)

SETTINGS = """
listen_addresses = '127.0.0.1'
fsync = on
max_connections = 60
wal_level = replica
max_wal_senders = 4
log_min_messages = warning
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def as_user(command):
    """The command, run by nobody if this is root, whom PostgreSQL refuses."""
    if os.getuid() != 0:
        return command
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *command]


class Server:
    def __init__(self, copy_of=None, standby_of=None):
        self.folder = Path(tempfile.mkdtemp(prefix="imd-postgresql-"))
        self.port = free_port()
        self.data = self.folder / "data"
        if os.getuid() == 0:
            os.chown(self.folder, pwd.getpwnam("nobody").pw_uid, -1)
        self.settings = (copy_of or standby_of).settings if copy_of or standby_of else SETTINGS
        if standby_of:
            primary = f"host=127.0.0.1 port={standby_of.port} user=postgres"
            self.run(BIN / "pg_basebackup", "-d", primary, "-D", self.data, "-c", "fast")
            (self.data / "standby.signal").touch()
            self.settings += f"primary_conninfo = '{primary}'\n"
        elif copy_of:
            self.run("cp", "-a", copy_of.data, self.data)
            (self.data / "postmaster.pid").unlink(missing_ok=True)
        else:
            self.run(
                BIN / "initdb",
                "-D",
                self.data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--no-instructions",
            )
        self.start()

    def run(self, *command, check=True):
        return subprocess.run(
            as_user([str(each) for each in command]),
            cwd=self.folder,
            check=check,
            capture_output=True,
            text=True,
            env={**os.environ, "LC_ALL": "C"},
        )

    def start(self):
        settings = f"{self.settings}port = {self.port}\nunix_socket_directories = '{self.folder}'\n"
        (self.data / "postgresql.auto.conf").write_text(settings)
        # pg_ctl passes its standard output on to the server.
        subprocess.run(
            as_user(
                [
                    str(BIN / "pg_ctl"),
                    "-D",
                    str(self.data),
                    "-l",
                    str(self.folder / "log"),
                    "-w",
                    "start",
                ]
            ),
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def stop(self, mode="fast"):
        self.run(BIN / "pg_ctl", "-D", self.data, "-m", mode, "-w", "stop", check=False)

    def remove(self):
        self.signal(signal.SIGCONT)
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def processes(self):
        """The postmaster and its children."""
        file = self.data / "postmaster.pid"
        if not file.exists():
            return []
        postmaster = file.read_text().split()[0]
        children = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", postmaster], capture_output=True, text=True
        ).stdout.split()
        return [int(postmaster), *map(int, children)]

    def signal(self, number):
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def configure(self, line):
        with (self.data / "postgresql.auto.conf").open("a") as file:
            file.write(line + "\n")
        self.sql("select pg_reload_conf()")

    def address(self, database="app", log=None, user="postgres", password=None, **parameters):
        credentials = user + (f":{password}" if password else "")
        query = "&".join(
            f"{key}={value}"
            for key, value in {**({"log": log} if log else {}), **parameters}.items()
        )
        return f"postgresql://{credentials}@127.0.0.1:{self.port}/{database}" + (
            f"?{query}" if query else ""
        )

    def psql(self, database="app", user="postgres"):
        return [
            str(BIN / "psql"),
            "-XAtq",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            str(self.folder),
            "-p",
            str(self.port),
            "-U",
            user,
            database,
        ]

    def sql(self, text, database="app", user="postgres"):
        """The output of SQL. Raises with the message of the server."""
        result = subprocess.run(
            self.psql(database, user), input=text, capture_output=True, text=True
        )
        if result.returncode != 0:
            raise RuntimeError(result.stderr)
        return result.stdout.rstrip("\n")
