"""Who may do what, and who has done it."""

import pytest
from driver import ABSENT, DONE, REFUSED, UNAUTHENTICATED, Log, initialize


@pytest.fixture
def role(server, name):
    """A role that may log in."""
    role = name.replace("-", "_")
    server.sql(f"create role {role} login")
    return role


def allow(server, log, role, level):
    server.sql(f"select immutabledata.allow('{log}', '{role}', '{level}')")


def test_stranger(server, open_log, name, role):
    open_log()
    with Log(server.address(log=name, user=role)) as log:
        assert log.opened.outcome == REFUSED
        assert log.opened.message == (
            "permission denied for schema immutabledata; the functions immutabledata.allow and "
            "immutabledata.allow_create give it"
        )


def test_levels(server, open_log, name, role):
    owner = open_log()
    head = owner.append(b"1").head
    allow(server, name, role, "read")
    with Log(server.address(log=name, user=role)) as log:
        assert log.opened.outcome == DONE
        assert log.read().head == head
        assert log.get_snapshot().outcome == DONE
        for refused in [
            log.append(b"2"),
            log.append(),
            log.read(hold=True),
            log.put_snapshot(0, head, b"one"),
        ]:
            assert refused.outcome == REFUSED
            assert refused.message == (
                f'role "{role}" has no permission to append to log "{name}"; run as its manager: '
                f"select immutabledata.allow('{name}', '{role}', 'append')"
            )
        allow(server, name, role, "append")
        assert log.append(b"2").outcome == DONE
        assert log.put_snapshot(0, head, b"one").outcome == DONE
        assert log.trim(1).outcome == REFUSED
        allow(server, name, role, "manage")
        assert log.trim(1).outcome == DONE
        server.sql(f"select immutabledata.forbid('{name}', '{role}')")
        assert log.read().outcome == REFUSED
    assert owner.changed() == 2
    assert owner.read(head).entries[0].author == role


def test_rights_to_one_log(server, open_log, name, role):
    open_log()
    with Log(server.address(log=f"{name}-2")):
        allow(server, name, role, "append")
        with Log(server.address(log=f"{name}-2", user=role)) as log:
            assert log.opened.outcome == REFUSED
        with Log(server.address(log=f"{name}-3", user=role)) as log:
            assert log.opened.outcome == REFUSED
            assert log.opened.message.startswith("permission denied for function create_log; ")
        with Log(server.address(log=f"{name}-3", user=role), base=None) as log:
            assert log.opened.outcome == ABSENT


def test_makers_manage(server, name, role):
    server.sql(f"select immutabledata.allow_create('{role}')")
    server.sql(f"create role {role}_friend login")
    with Log(server.address(log=name, user=role)) as log:
        assert log.opened.outcome == DONE
        assert log.append(b"1").outcome == DONE
        server.sql(f"select immutabledata.allow('{name}', '{role}_friend', 'append')", user=role)
        with Log(server.address(log=name, user=f"{role}_friend")) as friend:
            assert friend.append(b"2").outcome == DONE
            with pytest.raises(RuntimeError, match="no permission to manage"):
                server.sql(
                    f"select immutabledata.allow('{name}', 'public', 'append')",
                    user=f"{role}_friend",
                )


def test_groups_and_everybody(server, open_log, name, role):
    open_log()
    server.sql(f"create role {role}_group; grant {role}_group to {role}")
    server.sql(f"create role {role}_other login")
    allow(server, name, f"{role}_group", "append")
    with Log(server.address(log=name, user=role)) as log:
        assert log.append(b"1").outcome == DONE
    allow(server, name, "public", "read")
    with Log(server.address(log=name, user=f"{role}_other")) as log:
        assert log.read().outcome == DONE
        assert log.append(b"1").outcome == REFUSED
    assert initialize(server.address()) == (0, "")  # keeps what everybody may do
    with Log(server.address(log=name, user=f"{role}_other")) as log:
        assert log.read().outcome == DONE
    server.sql(f"select immutabledata.forbid('{name}', 'nobody_of_this_name')")
    with Log(server.address(log=name, user=f"{role}_other")) as log:
        assert log.read().outcome == DONE
    # The rights of the schema itself are still everybody's, for the tests after this one.
    server.sql(
        f"select immutabledata.forbid('{name}', 'public'); "
        "revoke usage on schema immutabledata from public"
    )


def test_removing_a_log(server, open_log, name, role):
    log = open_log()
    log.append(b"1", b"2")
    allow(server, name, role, "append")
    key = server.sql(f"select key from immutabledata.log where name = '{name}'")
    with pytest.raises(RuntimeError, match="has no permission to manage log"):
        server.sql(f"select immutabledata.remove_log('{name}')", user=role)
    server.sql(f"select immutabledata.remove_log('{name}')")
    assert log.read().outcome == REFUSED
    assert log.read().message == "the log was removed"
    for table in ["entry", "origin", "snapshot", "permission"]:
        assert server.sql(f"select count(*) from immutabledata.{table} where log = {key}") == "0"
    assert open_log().opened.head.number == 0


def test_dropped_roles(server, open_log, name, role):
    """They leave nothing that another role could use."""
    open_log()
    server.sql(f"create role {role}_gone login")
    allow(server, name, f"{role}_gone", "append")
    server.sql(f"drop owned by {role}_gone; drop role {role}_gone")
    allow(server, name, role, "read")
    with Log(server.address(log=name, user=role)) as log:
        assert log.read().outcome == DONE
        assert log.append(b"1").outcome == REFUSED


@pytest.mark.parametrize(
    "statement",
    [
        "select * from immutabledata.entry",
        "insert into immutabledata.entry values (1, 1, gen_random_uuid(), 1, 'x', '', '')",
        "update immutabledata.log set number = 0",
        "select from immutabledata.log for update",
        "select immutabledata.grant_functions('public')",
        "select immutabledata.allow_create('public')",
        "select * from immutabledata.entries(null, 0, 1)",
    ],
)
def test_tables_and_functions_of_the_owner(server, open_log, name, role, statement):
    open_log()
    allow(server, name, role, "manage")
    with pytest.raises(RuntimeError, match="permission denied"):
        server.sql(statement, user=role)


def test_row_security(server, open_log, name, role):
    """A role that may select from the tables sees the logs that it may read."""
    log = open_log()
    with Log(server.address(log=f"{name}-2")) as other:
        other.append(b"secret")
        log.append(b"open")
        server.sql(f"grant select on all tables in schema immutabledata to {role}")
        allow(server, name, role, "read")
        assert (
            server.sql("select convert_from(text, 'UTF8') from immutabledata.entry", user=role)
            == "open"
        )
        assert server.sql("select name from immutabledata.log", user=role) == name
        assert server.sql("select count(*) from immutabledata.snapshot", user=role) == "1"
        with pytest.raises(RuntimeError, match="permission denied"):
            server.sql("delete from immutabledata.entry", user=role)


def test_author_is_who_has_logged_in(server, open_log, name, role):
    """SET ROLE does not change it."""
    log = open_log()
    server.sql(f"create role {role}_mask; grant {role}_mask to {role}")
    allow(server, name, role, "append")
    allow(server, name, f"{role}_mask", "append")
    server.sql(
        f"set role {role}_mask; set search_path = pg_temp; "
        "select outcome from immutabledata.append("
        f"(select counter from immutabledata.open('{name}')), null, null, gen_random_uuid(), 1, "
        "array['x'::bytea], 0)",
        user=role,
    )
    assert log.read().entries[0].author == role


def test_isolation(server, open_log, name, role):
    """What a role has set does not matter; the function refuses to run in another isolation."""
    allow_on = open_log()
    allow(server, name, role, "append")
    server.sql(f"alter role {role} set default_transaction_isolation = 'repeatable read'")
    server.sql(f"alter role {role} set client_min_messages = 'error'")
    server.sql(f"alter role {role} set statement_timeout = 1")
    with Log(server.address(log=name, user=role)) as log:
        assert log.append(b"1").outcome == DONE
        assert allow_on.changed() == 1
    with pytest.raises(RuntimeError, match="must be READ COMMITTED"):
        server.sql(
            "set statement_timeout = 0; select immutabledata.append((select counter from "
            f"immutabledata.open('{name}')), null, null, gen_random_uuid(), 1, "
            "array['x'::bytea], 0)",
            user=role,
        )


def test_passwords(own_server):
    own_server.sql(
        "set password_encryption = 'scram-sha-256'; "
        "create role guarded login password 'correct-horse'"
    )
    hba = own_server.data / "pg_hba.conf"
    hba.write_text(
        "host all guarded 127.0.0.1/32 scram-sha-256\n"
        "host all shut 127.0.0.1/32 reject\n" + hba.read_text()
    )
    own_server.sql("create role shut login; select pg_reload_conf()")
    with Log(own_server.address(log="guarded")):
        allow(own_server, "guarded", "guarded", "append")
    for user, password, outcome in [
        ("guarded", "correct-horse", DONE),
        ("guarded", "battery-staple", UNAUTHENTICATED),
        ("guarded", None, UNAUTHENTICATED),
        ("nobody_of_this_name", "battery-staple", UNAUTHENTICATED),
        ("shut", "battery-staple", UNAUTHENTICATED),
    ]:
        with Log(own_server.address(log="guarded", user=user, password=password)) as log:
            assert log.opened.outcome == outcome, log.opened.message
            assert "staple" not in log.opened.message
            if outcome != DONE:
                assert "\n" not in log.opened.message
                assert "28" not in log.opened.message.split("failed:")[-1]
    with Log(own_server.address(log="guarded", user="guarded", password="battery-staple")) as log:
        assert log.opened.message == (
            f'connection to server at "127.0.0.1", port {own_server.port} failed: FATAL:  password '
            'authentication failed for user "guarded"'
        )


def test_too_many_connections(own_server):
    own_server.stop()
    own_server.start()
    own_server.sql("create role limited login connection limit 0")
    with Log(own_server.address(log="limited")):
        allow(own_server, "limited", "limited", "append")
    with Log(own_server.address(log="limited", user="limited")) as log:
        assert log.opened.outcome == 6
        assert 'too many connections for role "limited"' in log.opened.message
