"""Access: the token, and the options that are rejected."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from animals_server import API, CHANGES, JSON, TIMEOUT, PROGRAM, Server

TOKEN = "s3cret-T0ken.of~the+tests/=="
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    return path


@pytest.fixture(params=["--token", "--token-file"])
def guarded(request: pytest.FixtureRequest, token_file: Path) -> Iterator[Server]:
    option = request.param
    with Server(option, TOKEN if option == "--token" else token_file) as server:
        yield server


def start(*options: object) -> subprocess.CompletedProcess:
    """Runs a server that is expected not to start."""
    return subprocess.run(
        [PROGRAM, "--port", "0", *map(str, options)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
    )


def test_with_the_token(guarded: Server) -> None:
    assert guarded.ask("{}", JSON | BEARER).body == b"{}"
    assert guarded.ask("{}", JSON | {"Authorization": f"bearer  {TOKEN}"}).body == b"{}"
    assert guarded.ask("", BEARER, CHANGES, "POST").status == 405
    assert guarded.stop() == 0
    assert TOKEN not in guarded.ready + guarded.rest + guarded.log


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN, "Bearer é"]
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", API), ("GET", API), ("GET", CHANGES), ("GET", "/")]
)
def test_without_the_token(guarded: Server, method: str, path: str, authorization: str) -> None:
    headers = JSON if authorization is None else JSON | {"Authorization": authorization}
    answer = guarded.ask("{}", headers, path, method)
    assert (answer.status, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json["error"]["code"] == "unauthorized"
    assert TOKEN not in str(answer)
    assert guarded.stop() == 0
    assert TOKEN not in guarded.log
    assert guarded.log == ""


@pytest.mark.parametrize("text", [f"{TOKEN}\r\nmore\n", TOKEN, f"{TOKEN}\n\n"])
def test_the_first_line_of_the_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "token").write_text(text)
    with Server("--token-file", tmp_path / "token") as server:
        assert server.ask("{}", JSON | BEARER).status == 200


@pytest.mark.parametrize("text", [b"", b"\n", b"two words\n", b"\xff\xfe", b"x" * 4097, b"x\0\n"])
def test_files_without_a_token(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(text)
    result = start("--token-file", path)
    assert result.returncode != 0
    assert (
        f"the first line of '{path}' must be 1 to 4096 visible ASCII characters without spaces."
        in result.stderr
    )
    assert "words" not in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--token-file", "/none"], "cannot read the token file '/none': No such file"),
        (["--token-file", "/"], "cannot read the token file '/': Is a directory"),
        (["--token", "two words"], "'--token' must be 1 to 4096 visible ASCII characters"),
        (["--token", ""], "'--token' must be 1 to 4096 visible ASCII characters"),
        (["--token", "x", "--token-file", "/none"], "'--token' and '--token-file' exclude each"),
        (["--host", "0.0.0.0"], "'0.0.0.0' is not a loopback address"),
        (["--host", "::"], "'::' is not a loopback address"),
        (["--host", "127.0.0.1.example.com"], "is not a loopback address"),
        (["--host", "0.0.0.0"], "Require a token with '--token-file <path>'"),
        (["--host", "0.0.0.0"], "'--insecure'"),
        (["--max-connections", "0"], "'--max-connections' must be between 1 and 1000000."),
        (["--max-connections", "x"], "The value 'x' is invalid for '--max-connections <number>'"),
        (["--idle-timeout", "0"], "'--idle-timeout' must be between 0.01 and 86400 seconds."),
        (["--idle-timeout", "inf"], "'--idle-timeout' must be between 0.01 and 86400 seconds."),
        (["--request-timeout", "nan"], "'--request-timeout' must be between 0.01 and 86400"),
        (["--request-timeout", "x"], "The value 'x' is invalid for '--request-timeout <seconds>'"),
        (["--heartbeat", "1e9"], "'--heartbeat' must be between 0.01 and 86400 seconds."),
        (["--heartbeat=-1"], "'--heartbeat' must be between 0.01 and 86400 seconds."),
    ],
)
def test_options_that_are_rejected(options: list[str], message: str) -> None:
    result = start(*options)
    assert result.returncode != 0
    assert message in result.stderr
    assert result.stdout == ""
    assert "two words" not in result.stderr


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "127.0.0.1"])
def test_loopback_needs_no_token(host: str) -> None:
    with Server("--host", host) as server:
        assert server.ready.startswith(f"AnimalsDataServer listens on http://{host}:")


@pytest.mark.parametrize("options", [["--insecure"], ["--token", "x"]])
def test_other_addresses_need_a_token(options: list[str]) -> None:
    with Server("--host", "0.0.0.0", *options) as server:
        answer = server.ask("{}", JSON | {"Authorization": "Bearer x"})
        assert answer.status == 200


def test_more_connections_than_descriptors() -> None:
    command = f"ulimit -n 500 && exec {PROGRAM} --port 0 --max-connections 1000"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=TIMEOUT)
    assert result.returncode != 0
    assert "'--max-connections' 1000 needs 1132 file descriptors" in result.stderr
    assert "the system allows 500" in result.stderr


def test_help_has_the_defaults() -> None:
    result = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, timeout=TIMEOUT)
    text = " ".join(result.stdout.split())
    for option, default in [
        ("--body-limit", "1048576"),
        ("--max-connections", "1000"),
        ("--idle-timeout", "120.0"),
        ("--request-timeout", "30.0"),
        ("--heartbeat", "10.0"),
    ]:
        section = text.rsplit(f" {option} <", 1)[1].split(" --", 1)[0]
        assert f"(default: {default})" in section
