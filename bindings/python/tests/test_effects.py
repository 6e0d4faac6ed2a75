"""Effects that make requests to a server on this machine, by fetch and by other functions."""

import json
import queue
import resource
import socket

import pytest
from animals_server import OWL, UPDATE, fetch_animals
from lowered_limits import limited

import immutabledata as imd
from immutabledata import _ffi
from immutabledata._stores.requests import _call_fetch


@pytest.mark.parametrize("behavior", ["well", "chunked"])
def test_animals_are_fetched_from_the_server(server, animals, behavior):
    server.behavior = behavior
    fetch_animals(animals)
    assert animals.select("selectAnimals", categoryId="Bird") == {"Owl": OWL}
    path, headers, body = server.requests[0]
    assert (path, body) == ("/animals/api", {"query": [{"animals": {}}]})
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("behavior", "words"),
    [
        ("never", "there was no response within 500 ms"),
        ("redirect", 'redirects (307, to "http://elsewhere/"); open the store with the server'),
        ("wrongly", "sent an unexpected answer: "),
        ("garbage", "sent an unexpected answer: "),
        ("error", "answered with status 404: there is no such animal"),
        ("cut", "the connection was closed before the response was complete"),
        (
            "noise",
            r'the response begins with "\u001b[31m \"\u00e9\u009b'
            + "G" * 22
            + '…", which is not a status line of HTTP',
        ),
        ("old", r'the response uses "HTTP/2\u001b" instead of HTTP/1.1'),
    ],
)
def test_a_bad_response_becomes_a_failure(server, animals, behavior, words):
    errors = []
    animals.on_error = lambda error, callback: errors.append((str(error), callback))
    server.behavior = behavior
    before = animals.state.to_python()
    fetch_animals(animals)
    status = animals.select("selectAnimalsStatus")
    assert words in status["failure"]["error"]
    assert server.address in status["failure"]["error"]
    message = f'an effect after "ui/animalList/onAppear": {status["failure"]["error"]}'
    assert errors == [(message, None)]
    after = animals.state.to_python()
    for state in before, after:
        state["animals"]["status"] = None
        state.pop("connection", None)
    assert after == before


def test_connection_refused(unraisable):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with imd.open("animals", remote=address) as store:
        fetch_animals(store)
        error = f"no response from {address}: connection refused"
        assert store.select("selectAnimalsStatus") == {"failure": {"error": error}}
    assert unraisable == []


def test_a_port_that_does_not_exist():
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.open("animals", remote="http://127.0.0.1:99999")
    assert str(caught.value) == (
        'options/remote: the port of "http://127.0.0.1:99999" is not between 1 and 65535'
    )


def test_the_token_is_sent_but_not_shown(server):
    errors = []
    with imd.open("animals", remote=server.address, token="s3cret") as store:
        store.on_error = lambda error, callback: errors.append(str(error))
        store.observe("selectConnection", lambda connection: None)
        fetch_animals(store)
        assert server.connected.acquire(timeout=10)
        server.behavior = "error"
        store.dispatch("ui/categoryList/onAppear")
        store.settle(10)
        assert server.tokens == ["Bearer s3cret"] * 3
        assert len(errors) == 1
        for text in repr(store), store.state.to_json(), str(store.statistics()), *errors:
            assert "s3cret" not in text
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.open("animals", remote="http://nowhere", token="s3cret\r\nX: y")
    assert "options/token" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def resident_kilobytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def test_requests_leak_no_memory():
    def fetch(request):
        if not request.is_streamed:
            request.resolve(500)

    action = {
        "type": "ui/animalEditor/onTapAddAnimalButton",
        "payload": {"id": "same", "diet": "Carnivore", "categoryId": "Bird", "name": "n" * 8_000},
    }
    with imd.open("animals", remote="http://nowhere") as store:
        store.on_error = lambda error, callback: None
        for round in range(11_000):
            if round == 1_000:
                before = resident_kilobytes()
            if round % 1_000 == 0:
                store.set_fetch(fetch)
            store.dispatch(action)
            store.settle(10)
        # The bodies of the requests have 80 MB.
        assert resident_kilobytes() - before < 40_000


def test_an_optimistic_update_is_shown_and_undone(server):
    with imd.open("animals", remote=server.address, optimistic=True) as store:
        fetch_animals(store)
        names = []
        owl = {"animalId": "Owl"}
        store.observe("selectAnimal", lambda a: names.append(a and a["name"]), arguments=owl)
        pending = queue.Queue()
        store.set_fetch(lambda request: request.is_streamed or pending.put(request))
        errors = []
        store.on_error = lambda error, callback: errors.append(str(error))
        store.dispatch("ui/animalEditor/onTapUpdateAnimalButton", payload=UPDATE)
        assert store.select("selectAnimal", arguments={"animalId": "Owl"}) == UPDATE
        pending.get(timeout=10).reject("no network")
        store.settle(10)
        assert store.select("selectAnimal", arguments={"animalId": "Owl"}) == OWL
        assert names == ["Owl", "Barn owl", "Owl"]
        status = store.select("selectAnimalStatus", arguments={"animalId": "Owl"})
        assert status["failure"]["error"].endswith("no network")
        cause = 'an effect after "ui/animalEditor/onTapUpdateAnimalButton"'
        assert errors == [f"{cause}: {status['failure']['error']}"]


def test_a_custom_fetch_function():
    seen = []

    def fetch(request):
        seen.append(request)
        if request.is_streamed:
            return
        body = json.dumps({"query": [{"animals": {"animals": [OWL]}}]}).encode()
        request.receive(200, {"Content-Type": "application/json"}, body[:20])
        request.resolve(200, body=body[20:])
        with pytest.raises(imd.ClosedError):
            request.reject("late")

    with imd.open("animals", remote="http://nowhere") as store:
        store.set_fetch(fetch)
        fetch_animals(store)
        assert store.select("selectAnimal", arguments={"animalId": "Owl"}) == OWL
    request = next(request for request in seen if not request.is_streamed)
    assert repr(request) == "<immutabledata.Request POST http://nowhere/animals/api>"
    assert json.loads(request.body) == {"query": [{"animals": {}}]}
    assert request.headers["Content-Type"] == "application/json"


def test_a_fetch_function_that_raises():
    errors = []
    with imd.open("animals", remote="http://nowhere") as store:
        store.on_error = lambda error, callback: errors.append((str(error), callback))

        def fetch(request):
            raise ValueError("no proxy")

        store.set_fetch(fetch)
        fetch_animals(store)
        status = store.select("selectAnimalsStatus")
        assert status == {"failure": {"error": "no response from http://nowhere: no proxy"}}
    assert ("no proxy", fetch) in errors
    message = 'an effect after "ui/animalList/onAppear": no response from http://nowhere: no proxy'
    assert (message, None) in errors


def test_a_fetch_function_that_raises_a_long_message():
    def fetch(request):
        raise ValueError("no proxy " * 100)

    with imd.open("animals", remote="http://nowhere") as store:
        store.on_error = lambda error, callback: None
        store.set_fetch(fetch)
        with limited(input=100):
            fetch_animals(store)
        reason = "reason has more than 100 bytes, which is the input limit"
        assert store.select("selectAnimalsStatus") == {
            "failure": {"error": f"http://nowhere: {reason}"}
        }


def test_a_request_that_is_over_when_its_store_was_deleted():
    ended = []

    def fetch(request):
        request.reject("no network")
        ended.append(request)

    with imd.open("animals", remote="http://nowhere") as store:
        store.set_fetch(fetch)
        fetch_animals(store)
        info = _ffi.imd_request_info(b"GET", b"http://nowhere")
        _call_fetch(0, ended[0]._handle, [info])  # No store has the number 0.
        store._fetch = None
        store._make_request(ended[0])


def test_settling():
    with imd.open("animals", remote="http://nowhere") as store:
        store.set_fetch(lambda request: None)
        store.settle(10)
        store.dispatch("ui/animalList/onAppear")
        with pytest.raises(imd.TimedOutError):
            store.settle(0.05)
        for timeout in ("1", True):
            with pytest.raises(TypeError):
                store.settle(timeout)
        for timeout in (-1, float("nan")):
            with pytest.raises(imd.InvalidArgumentError) as caught:
                store.settle(timeout)
            assert str(caught.value) == f"a timeout must be a number from 0, or None; got {timeout}"
    with pytest.raises(imd.ClosedError):
        store.settle()
    with pytest.raises(imd.ClosedError):
        store.set_fetch(None)


def test_set_fetch_rejects_other_types(animals):
    with pytest.raises(TypeError):
        animals.set_fetch(1)


def test_fetch_functions_that_are_never_awaited(animals):
    async def fetch(request):
        request.reject("no")

    advice = "start the coroutine with asyncio.run_coroutine_threadsafe"
    with pytest.raises(TypeError) as caught:
        animals.set_fetch(fetch)
    assert str(caught.value) == f"fetch must not be an async function; {advice}"
    with imd.open("animals", remote="http://nowhere") as store:
        store.on_error = lambda error, callback: None
        store.set_fetch(lambda request: fetch(request))
        fetch_animals(store)
        error = f"no response from http://nowhere: fetch returned a coroutine; {advice}"
        assert store.select("selectAnimalsStatus") == {"failure": {"error": error}}


def test_a_database(tmp_path):
    path = str(tmp_path / "animals.db")
    for name in ("Dog", "Rex"):
        with imd.open("animals", store=path) as store:
            fetch_animals(store)
            dog = store.select("selectAnimal", animalId="Dog")
            assert dog["name"] == name
            store.dispatch(
                "ui/animalEditor/onTapUpdateAnimalButton", payload={**dog, "name": "Rex"}
            )
            store.settle(10)
    with pytest.raises(imd.StorageError, match="does not exist"):
        imd.open("animals", store=str(tmp_path / "no" / "animals.db"))
    (tmp_path / "text").write_text("x" * 5000)
    with pytest.raises(imd.CorruptError, match="is not a database"):
        imd.open("animals", store=str(tmp_path / "text"))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda request: request.resolve(200, {}, "text"), "a body must be bytes, not str"),
        (lambda request: request.resolve("200"), "a status must be an int such as 200, not str"),
        (lambda request: request.resolve(True), "a status must be an int such as 200, not bool"),
        (
            lambda request: request.resolve(2**32 + 200),
            "a status must be a number such as 200, not 4294967496",
        ),
        (lambda request: request.resolve(200, {"x": 3}), "a header must be a str, not int"),
        (lambda request: request.resolve(200, {"x": "\0"}), "a header must not contain U+0000"),
        (
            lambda request: request.resolve(200, {"\0": "x"}),
            "the name of a header must not contain U+0000",
        ),
        (
            lambda request: request.resolve(200, [("x", "y")]),
            "headers must be a mapping of names to values, not list",
        ),
        (lambda request: request.reject(None), "a reason must be a str, not None"),
    ],
)
def test_invalid_answers(answer, message, unraisable):
    caught = []

    def fetch(request):
        if request.is_streamed:
            return
        try:
            answer(request)
        except (TypeError, imd.InvalidArgumentError) as error:
            caught.append(str(error))
            request.reject("no")

    with imd.open("animals", remote="http://127.0.0.1:1") as store:
        store.set_fetch(fetch)
        store.dispatch("ui/categoryList/onAppear")
        store.settle(30)
        status = store.select("selectCategoriesStatus")
    assert caught == [message]
    assert status == {"failure": {"error": "no response from http://127.0.0.1:1: no"}}
    assert unraisable == []


def test_the_message_of_a_timeout_has_the_duration():
    with imd.open("animals", remote="http://127.0.0.1:1") as store:
        store.set_fetch(lambda request: None)
        store.dispatch("ui/categoryList/onAppear")
        with pytest.raises(imd.TimedOutError, match=r"an effect is still in flight after 0\.25 s"):
            store.settle(0.25)
