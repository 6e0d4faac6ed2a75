"""Encrypted connections, on which libpq reads and writes otherwise."""

import shutil
import subprocess

import pytest
from driver import DONE, UNAVAILABLE, Log, Place
from server import as_user


@pytest.fixture
def certificate(own_server):
    """A server with a certificate for 127.0.0.1; the path of the certificate."""
    if not shutil.which("openssl"):
        pytest.skip("the command openssl is not installed")
    data = own_server.data
    subprocess.run(
        as_user(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=127.0.0.1",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                str(data / "server.key"),
                "-out",
                str(data / "server.crt"),
            ]
        ),
        check=True,
        capture_output=True,
        cwd=data,
    )
    own_server.configure("ssl = on")
    hba = data / "pg_hba.conf"
    hba.write_text("hostssl app all 127.0.0.1/32 trust\n" + hba.read_text())
    own_server.sql("select pg_reload_conf()")
    return data / "server.crt"


def test_verified(own_server, certificate):
    parameters = {"sslmode": "verify-full", "sslrootcert": certificate}
    with (
        Log(own_server.address(log="tls", **parameters)) as log,
        Log(own_server.address(log="tls", **parameters)) as other,
    ):
        assert log.opened.outcome == DONE, log.opened.message
        assert (
            own_server.sql(
                "select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) "
                "where application_name = 'immutabledata'"
            )
            == "t"
        )
        text = bytes(range(256)) * (1 << 14)  # 4 MiB
        assert log.append(text, text[:-1]).outcome == DONE
        assert other.changed() == 2
        assert [entry.text for entry in other.read_all()] == [text, text[:-1]]
        held = other.read(Place().after(text), hold=True)
        assert other.append(b"3", after=held.head).outcome == DONE
        own_server.stop("immediate")
        assert other.changed() == 0


def test_wrong_certificate(own_server, certificate):
    parameters = {"sslmode": "verify-full", "sslrootcert": "/etc/hostname"}
    with Log(own_server.address(log="tls", password="secret", **parameters)) as log:
        assert log.opened.outcome == UNAVAILABLE
        assert "secret" not in log.opened.message
