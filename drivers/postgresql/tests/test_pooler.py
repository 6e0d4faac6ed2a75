"""Connections through PgBouncer."""

import shutil
import subprocess

import pytest
from driver import DONE, REFUSED, Log
from server import as_user, free_port

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")


@pytest.fixture
def pooler(server):
    """Starts a pooler in a mode; returns its port."""
    if not PGBOUNCER:
        pytest.skip("PgBouncer is not installed: install the Debian package pgbouncer")
    started = []

    def start(mode):
        port = free_port()
        configuration = server.folder / f"pgbouncer-{mode}.ini"
        configuration.write_text(
            f"""
[databases]
app = host=127.0.0.1 port={server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
ignore_startup_parameters = extra_float_digits
""".replace("app = ", "app = user=postgres ")
        )
        process = subprocess.Popen(
            as_user([PGBOUNCER, str(configuration)]), text=True, stderr=subprocess.PIPE
        )
        started.append(process)
        for line in process.stderr:
            if "process up" in line:
                return port
        raise RuntimeError("PgBouncer does not start")

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stderr.close()


def test_transaction_mode(pooler, name):
    port = pooler("transaction")
    for _ in range(2):
        with Log(f"postgresql://postgres:secret@127.0.0.1:{port}/app?log={name}") as log:
            assert log.opened.outcome == REFUSED
            assert log.opened.message == (
                f"postgresql://postgres@127.0.0.1:{port}/app does not pass notifications on: it "
                "seems to be a pooler in transaction mode; use the address of the server, or a "
                "pooler in session mode"
            )


def test_session_mode(pooler, open_log, name):
    other = open_log()
    with Log(f"postgresql://postgres@127.0.0.1:{pooler('session')}/app?log={name}") as log:
        assert log.opened.outcome == DONE
        assert log.append(b"1").outcome == DONE
        other.append(b"2")
        while log.changed() != 2:  # also hears of its own: the process is not known
            pass
        held = log.read(hold=True)
        assert log.append(b"3", after=held.head).outcome == DONE
