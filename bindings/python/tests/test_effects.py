"""Effects over a server on this machine, by the function that makes requests and by others."""

import json
import resource
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import immutabledata as imd

OWL = {"animalId": "Owl", "categoryId": "Bird", "diet": "Carnivore", "name": "Owl"}
UPDATE = {"animalId": "Owl", "categoryId": "Bird", "diet": "Omnivore", "name": "Barn owl"}


class Server(ThreadingHTTPServer):
    """A server of animals with one animal, that others change and that misbehaves as told."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.manner = "well"
        self.requests = []
        self.tokens = []
        self.heartbeat = None
        self.owl = OWL
        self.followers = []
        self.connected = threading.Semaphore(0)

    def tell(self, text):
        for follower in self.followers:
            follower.wfile.write(text.encode())
            follower.wfile.flush()

    def handle_error(self, request, client_address):
        pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.server.tokens.append(self.headers["Authorization"])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        if self.server.heartbeat is not None:
            self.send_header("Animals-Heartbeat", self.server.heartbeat)
        self.end_headers()
        self.over = threading.Event()
        self.server.followers.append(self)
        self.last_id = self.headers["Last-Event-ID"]
        self.server.connected.release()
        self.over.wait()
        self.close_connection = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        answer = self.answer(json.loads(body))
        getattr(self, f"answer_{self.server.manner}")(json.dumps(answer).encode())

    def answer(self, request):
        self.server.tokens.append(self.headers["Authorization"])
        one = {"animals": {"animals": [self.server.owl]}, "categories": {"categories": []}}
        if "query" in request:
            return {"query": [{name: one[name]} for query in request["query"] for name in query]}
        name, values = next(iter(request["mutation"][0].items()))
        return {"mutation": [{name: {"animal": {**OWL, **values}}}]}

    def send(self, status, headers, body=b"", length=None):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        self.wfile.write(body)

    def answer_well(self, body):
        self.send(200, {"Content-Type": "application/json"}, body)

    def answer_chunked(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in (body[:10], body[10:]):
            self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def answer_slowly(self, body):
        time.sleep(1)

    def answer_redirect(self, body):
        self.send(307, {"Location": "http://elsewhere/"})

    def answer_wrongly(self, body):
        self.send(200, {"Content-Type": "application/json"}, b'{"query":7}')

    def answer_garbage(self, body):
        self.send(200, {"Content-Type": "application/json"}, bytes(range(256)) * 40_000)

    def answer_error(self, body):
        text = b'{"error":{"code":"animalNotFound","message":"there is no such animal"}}'
        self.send(404, {"Content-Type": "application/json"}, text)

    def answer_cut(self, body):
        self.send(200, {"Content-Type": "application/json"}, body[:5], len(body))
        self.close_connection = True


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    for follower in server.followers:
        follower.over.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def store(server):
    with imd.open("animals", remote=server.address, timeout=500) as store:
        yield store


def fetch_animals(store):
    store.dispatch("ui/animalList/onAppear")
    store.settle(10)


@pytest.mark.parametrize("manner", ["well", "chunked"])
def test_animals_come_from_the_server(server, store, manner):
    server.manner = manner
    fetch_animals(store)
    assert store.select("selectAnimals", categoryId="Bird") == {"Owl": OWL}
    path, headers, body = server.requests[0]
    assert (path, body) == ("/animals/api", {"query": [{"animals": {}}]})
    assert headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    ("manner", "words"),
    [
        ("slowly", "there was no answer within 500 ms"),
        ("redirect", 'redirects (307, to "http://elsewhere/"); open the store with the server'),
        ("wrongly", "sent an unexpected answer: "),
        ("garbage", "sent an unexpected answer: "),
        ("error", "answered with status 404: there is no such animal"),
        ("cut", "the connection was cut before the answer was whole"),
    ],
)
def test_a_bad_server_becomes_a_failure(server, store, manner, words):
    server.manner = manner
    before = store.state.to_python()
    fetch_animals(store)
    status = store.select("selectAnimalsStatus")
    assert words in status["failure"]["error"]
    assert server.address in status["failure"]["error"]
    after = store.state.to_python()
    for state in before, after:
        state["animals"]["status"] = None
        state.pop("connection", None)
    assert after == before


def test_no_server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with imd.open("animals", remote=address) as store:
        fetch_animals(store)
        error = f"cannot reach {address}: connection refused"
        assert store.select("selectAnimalsStatus") == {"failure": {"error": error}}


def wait_for(condition):
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    assert condition()


def test_changes_of_others_arrive(server, store):
    fetch_animals(store)
    assert server.connected.acquire(timeout=10)
    assert server.followers[0].last_id is None
    change = json.dumps({"updateAnimal": {"animal": UPDATE}})
    server.tell(f"id: 7\nevent: change\ndata: {change}\n\n")
    wait_for(lambda: store.select("selectAnimal", animalId="Owl") == UPDATE)
    # And go on after a cut.
    server.followers[0].over.set()
    assert server.connected.acquire(timeout=10)
    assert server.followers[1].last_id == "7"
    del server.followers[0]
    change = json.dumps({"deleteAnimal": {"animal": UPDATE}})
    server.tell(f"id: 8\nevent: change\ndata: {change}\n\n")
    wait_for(lambda: store.select("selectAnimal", animalId="Owl") is None)


def follow(server, store):
    """Connects, and returns the states of the connection from then on."""
    connections = []
    assert server.connected.acquire(timeout=10)
    store.observe("selectConnection", lambda c: connections.append(c and c.to_python()))
    server.tell("id: 1\nevent: reset\ndata: {}\n\n")
    wait_for(lambda: connections[-1] == {"following": {}})
    return connections


def test_every_reset_fetches_again(server, store):
    fetch_animals(store)
    follow(server, store)
    for number in range(2, 5):
        server.owl = {**OWL, "name": f"Owl {number}"}
        server.tell(f"id: {number}\nevent: reset\ndata: {{}}\n\n")
        wait_for(lambda: store.select("selectAnimal", animalId="Owl") == server.owl)


def test_a_refetch_that_fails_is_made_again(server, store):
    fetch_animals(store)
    connections = follow(server, store)
    server.manner = "error"
    server.tell("id: 2\nevent: reset\ndata: {}\n\n")
    assert server.connected.acquire(timeout=10)
    assert any("lost" in (connection or {}) for connection in connections)
    # Without the id of a change the server begins with a reset.
    assert server.followers[1].last_id is None
    server.manner, server.owl = "well", {**OWL, "name": "New owl"}
    del server.followers[0]
    server.tell("id: 3\nevent: reset\ndata: {}\n\n")
    wait_for(lambda: connections[-1] == {"following": {}})
    assert store.select("selectAnimal", animalId="Owl") == server.owl


def test_what_is_known_of_the_connection(server, store):
    connections = follow(server, store)
    before = time.time_ns() // 1_000_000
    server.heartbeat = "40"
    server.followers[0].over.set()
    assert server.connected.acquire(timeout=10)
    lost = next(each["lost"] for each in connections if each and "lost" in each)
    assert lost["error"] == f"{server.address} ended the connection"
    assert before <= lost["since"] <= time.time_ns() // 1_000_000
    assert server.followers[1].last_id == "1"
    # The next one is silent for longer than two and a half of its heartbeats.
    assert server.connected.acquire(timeout=10)
    errors = [each["lost"]["error"] for each in connections if each and "lost" in each]
    assert f"{server.address} was silent for 100 ms" in errors
    store.set_fetch(None)
    wait_for(lambda: connections[-1] is None)


def test_the_token_is_sent_and_not_shown(server):
    with imd.open("animals", remote=server.address, token="s3cret") as store:
        store.observe("selectConnection", lambda connection: None)
        fetch_animals(store)
        assert server.connected.acquire(timeout=10)
        server.manner = "error"
        store.dispatch("ui/categoryList/onAppear")
        store.settle(10)
        assert server.tokens == ["Bearer s3cret"] * 3
        for text in repr(store), store.state.to_json(), str(store.statistics()):
            assert "s3cret" not in text
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.open("animals", remote="http://nowhere", token="s3cret\r\nX: y")
    assert "options/token" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def resident_kilobytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def test_nothing_is_kept_of_requests():
    def fetch(request):
        if not request.is_streamed:
            request.resolve(500)

    action = {
        "type": "ui/animalEditor/onTapAddAnimalButton",
        "payload": {"id": "same", "diet": "Carnivore", "categoryId": "Bird", "name": "n" * 8_000},
    }
    with imd.open("animals", remote="http://nowhere") as store:
        for round in range(11_000):
            if round == 1_000:
                before = resident_kilobytes()
            if round % 1_000 == 0:
                store.set_fetch(fetch)
            store.dispatch(action)
            store.settle(10)
        # Kept, they would be 80 MB.
        assert resident_kilobytes() - before < 40_000


def test_an_optimistic_change_is_shown_and_taken_back(server):
    with imd.open("animals", remote=server.address, optimistic=True) as store:
        fetch_animals(store)
        names = []
        store.observe("selectAnimal", lambda a: names.append(a and a["name"]), animalId="Owl")
        pending = []
        store.set_fetch(lambda request: pending.append(request))
        store.dispatch("ui/animalEditor/onTapUpdateAnimalButton", payload=UPDATE)
        assert store.select("selectAnimal", animalId="Owl") == UPDATE
        wait_for(lambda: [request for request in pending if not request.is_streamed])
        next(request for request in pending if not request.is_streamed).reject("no network")
        store.settle(10)
        assert store.select("selectAnimal", animalId="Owl") == OWL
        assert names == ["Owl", "Barn owl", "Owl"]
        status = store.select("selectAnimalStatus", animalId="Owl")
        assert status["failure"]["error"].endswith("no network")


def test_a_function_of_ones_own():
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
        assert store.select("selectAnimal", animalId="Owl") == OWL
    request = next(request for request in seen if not request.is_streamed)
    assert repr(request) == "<immutabledata.Request POST http://nowhere/animals/api>"
    assert json.loads(request.body) == {"query": [{"animals": {}}]}
    assert request.headers["Content-Type"] == "application/json"


def test_a_function_that_raises():
    errors = []
    with imd.open("animals", remote="http://nowhere") as store:
        store.on_error = lambda error, callback: errors.append((str(error), callback))

        def fetch(request):
            raise ValueError("no proxy")

        store.set_fetch(fetch)
        fetch_animals(store)
        status = store.select("selectAnimalsStatus")
        assert status == {"failure": {"error": "cannot reach http://nowhere: no proxy"}}
    assert ("no proxy", fetch) in errors


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
        with pytest.raises(ValueError):
            store.settle(-1)
    with pytest.raises(imd.ClosedError):
        store.settle()
    with pytest.raises(imd.ClosedError):
        store.set_fetch(None)


def test_what_is_no_function(store):
    with pytest.raises(TypeError):
        store.set_fetch(1)


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
        (lambda request: request.resolve(200, {}, "text"), "a body is bytes, not str; encode it"),
        (lambda request: request.resolve("200"), "a status is an int such as 200, not str"),
        (lambda request: request.resolve(200, {"x": 3}), "a header is a str, not int"),
        (lambda request: request.reject(None), "a reason is a str, not NoneType"),
    ],
)
def test_an_answer_of_another_type(answer, message):
    caught = []

    def fetch(request):
        if request.is_streamed:
            return
        try:
            answer(request)
        except TypeError as error:
            caught.append(str(error))
            request.reject("no")

    with imd.open("animals", remote="http://127.0.0.1:1") as store:
        store.set_fetch(fetch)
        store.dispatch("ui/categoryList/onAppear")
        store.settle(30)
    assert caught == [message]


def test_settle_says_how_long_it_waited():
    with imd.open("animals", remote="http://127.0.0.1:1") as store:
        store.set_fetch(lambda request: None)
        store.dispatch("ui/categoryList/onAppear")
        with pytest.raises(imd.TimedOutError, match="an effect is still in flight after 0.25 s"):
            store.settle(0.25)
