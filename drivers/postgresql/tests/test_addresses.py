"""Addresses, databases without the schema, and making it."""

import random
import re
import threading

import pytest
from driver import ABSENT, DONE, REFUSED, UNAVAILABLE, Log, initialize, library

EXPECTED = "expected, for example, postgresql://host/database?log=NAME"
NO_URI = "the address is not a connection URI of libpq, or has a parameter that libpq does not know"
PASSWORD = (
    'there is an "@" after the host: in a password, write "@" as %40, "/" as %2F and "?" as %3F'
)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nats://host/app?log=a", f"the address does not begin with postgresql://; {EXPECTED}"),
        ("postgresql:/host", f"the address does not begin with postgresql://; {EXPECTED}"),
        (
            "postgresql://u:secret@h/app",
            "the address must name a log of 1 to 200 bytes: add the "
            "parameter log, as in postgresql://host/database?log=NAME",
        ),
        (
            "postgresql://u:secret@h/app?log=",
            "the address must name a log of 1 to 200 bytes: add the "
            "parameter log, as in postgresql://host/database?log=NAME",
        ),
        (
            "postgresql://h/app?log=" + "x" * 201,
            "the address must name a log of 1 to 200 bytes: add the "
            "parameter log, as in postgresql://host/database?log=NAME",
        ),
        (
            "postgresql://u:secret@h/app?log=a&log=b",
            f'the address has the parameter "log" more than once; {EXPECTED}',
        ),
        (
            "postgresql://u:secret@h/app?log=%zz",
            f"the name of the log is not percent-encoded correctly; {EXPECTED}",
        ),
        (
            "postgresql://u:secret@h/app?log=a%00",
            f"the name of the log is not percent-encoded correctly; {EXPECTED}",
        ),
        (
            "postgresql://u:secret@h/app?log=%4",
            f"the name of the log is not percent-encoded correctly; {EXPECTED}",
        ),
        (
            "postgresql://u:secret@h/app?lgo=a",
            f"{NO_URI}; {EXPECTED}",
        ),
        ("postgresql://u:secret/more@h/app?log=a", f"{PASSWORD}; {EXPECTED}"),
        ("postgresql://u:see@secret@h/app?log=a", f"{PASSWORD}; {EXPECTED}"),
        ("postgresql://u:secret/app?log=a", f"the port is not a number; {EXPECTED}"),
        (
            "postgresql://u:secret%zz@h/app?log=a",
            f"{NO_URI}; {EXPECTED}",
        ),
    ],
)
def test_invalid(address, message):
    with Log(address) as log:
        assert (log.opened.outcome, log.opened.message) == (REFUSED, message)


@pytest.mark.parametrize(
    "written",
    [
        "{host}?log=a%20%C3%A9%26%3F",
        "{host}?log=a%20%c3%a9%26%3f&connect_timeout=3",
        "{host}?connect_timeout=3&log=a%20%C3%A9%26%3F",
        "{host}?connect_timeout=3&log=a%20%C3%A9%26%3F&sslmode=disable",
    ],
)
def test_names(server, written):
    address = written.format(host=server.address().replace("postgres@", "postgres:p?w&log=x@"))
    with Log(address) as log:
        assert log.opened.outcome == DONE, log.opened.message
    assert server.sql("select count(*) from immutabledata.log where name = 'a \u00e9&?'") == "1"


@pytest.mark.parametrize(
    "written",
    [
        "postgresql://postgres@127.0.0.1:1,127.0.0.1:{port}/app?log=hosts",
        "postgres://postgres@/app?host={folder}&log=hosts&port={port}",
        "postgresql:///app?log=hosts&user=postgres&host={folder}&port={port}",
        "postgresql://postgres@localhost:{port}/app?log=hosts&application_name=own",
    ],
)
def test_hosts(server, written):
    """Several hosts, of which the first is down; sockets of the system; names."""
    with Log(written.format(port=server.port, folder=server.folder)) as log:
        assert log.opened.outcome == DONE, log.opened.message
        own = server.sql("select count(*) from pg_stat_activity where application_name = 'own'")
        assert (own == "1") == ("own" in written)


def test_read_only_server(own_server):
    """A server that is only read is not used, also if an address names it alone."""
    with Log(own_server.address(log="standby")) as log:
        log.append(b"1")
        own_server.configure("default_transaction_read_only = on")
        own_server.sql(
            "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity "
            "where application_name = 'immutabledata'"
        )
        assert log.changed() == 0
        answer = log.append(b"2")
        assert answer.outcome == UNAVAILABLE
        assert answer.message.endswith("session is read-only")
        assert log.read().outcome == UNAVAILABLE


def test_random_addresses():
    """No address does harm. None of them names a log, so none is used."""
    generator = random.Random(1)
    parts = [
        "@",
        "/",
        ":",
        "?",
        "&",
        "=",
        "%",
        "%4",
        "%41",
        "%00",
        "[",
        "]",
        "[::1]",
        "a",
        ",",
        "#",
    ]
    parts += [
        "log=",
        "&log=",
        "log",
        "port=",
        "://",
        "postgresql://",
        " ",
        "\u00e9",
        "\\",
        "'",
        "+",
    ]
    for _ in range(3000):
        rest = "".join(generator.choices(parts, k=generator.randrange(12)))
        while re.search("log=[^&]", rest):
            rest = re.sub("log=[^&]+", "log=", rest)
        with Log("postgresql://" + rest) as log:
            assert log.opened.outcome == REFUSED, rest
            assert "expected, for example" in log.opened.message or "add the parameter log" in (
                log.opened.message
            )


def test_name_that_is_not_utf8(server):
    with Log(server.address(log="%ff")) as log:
        assert log.opened.outcome == REFUSED
        assert log.opened.message == 'invalid byte sequence for encoding "UTF8": 0xff'


def test_absent_host():
    with Log("postgresql://someone:secret@host.invalid/app?log=a", timeout_ms=3000) as log:
        assert log.opened.outcome == UNAVAILABLE
        assert "host.invalid" in log.opened.message
        assert "secret" not in log.opened.message


def test_absent_database(server):
    with Log(server.address("absent", log="a")) as log:
        assert log.opened.outcome == REFUSED
        assert log.opened.message.endswith('FATAL:  database "absent" does not exist')


def test_without_schema(server):
    server.sql("create database empty")
    address = server.address("empty", log="a", password="secret")
    shown = f"postgresql://postgres@127.0.0.1:{server.port}/empty"
    with Log(address) as log:
        assert log.opened.outcome == REFUSED
        assert log.opened.message == (
            f"the database has no schema for logs; run: imd log init {shown}"
        )
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(initialize(address))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(0, "")] * 6
    with Log(address) as log:
        assert log.append(b"1").outcome == DONE
        assert initialize(address) == (0, "")
        assert log.append(b"2").outcome == DONE
    with Log(address, base=None) as log:
        assert len(log.read_all()) == 2


def test_other_format(server):
    server.sql("create database later")
    address = server.address("later", log="a")
    assert initialize(address) == (0, "")
    server.sql(
        "create or replace function immutabledata.format() returns int language sql as 'select 2'",
        "later",
    )
    with Log(address) as log:
        assert log.opened.outcome == REFUSED
        assert log.opened.message.startswith("the schema for logs has format 2 instead of 1; ")
    assert initialize(address) == (
        11,
        'the schema "immutabledata" has format 2, later than 1; install a later version of '
        "immutabledata",
    )


def test_schema_of_another_role(server):
    server.sql(
        "create database other; create role other login; grant all on database other to other"
    )
    server.sql("create schema immutabledata authorization other", "other")
    server.sql("create role plain login; grant create on database other to plain")
    assert initialize(server.address("other", user="plain")) == (
        11,
        'the schema "immutabledata" belongs to another role; initialize it as its owner',
    )
    # Its owner need not be a superuser.
    assert initialize(server.address("other", user="other")) == (0, "")
    with Log(server.address("other", user="other", log="a")) as log:
        assert log.append(b"1").outcome == DONE


def test_printed_schema(server):
    """The text is what an administrator can run."""
    server.sql("create database printed")
    server.sql(library.imd_postgresql_schema().decode(), "printed")
    server.sql(library.imd_postgresql_schema().decode(), "printed")
    with Log(server.address("printed", log="a"), base=None) as log:
        assert log.opened.outcome == ABSENT


@pytest.mark.parametrize(
    ("address", "status"),
    [("postgresql://u:secret@host.invalid/app", 11), ("host", 1), ("postgresql://h/app?x=1", 1)],
)
def test_initialize_reports(address, status):
    result, message = initialize(address, 3000)
    assert result == status
    assert message
    assert "secret" not in message
