"""An animals server on this machine, for the tests of effects."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

OWL = {"animalId": "Owl", "categoryId": "Bird", "diet": "Carnivore", "name": "Owl"}
UPDATE = {"animalId": "Owl", "categoryId": "Bird", "diet": "Omnivore", "name": "Barn owl"}


class AnimalsServer(ThreadingHTTPServer):
    """An animals server with one animal. `behavior` selects how it answers requests."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.behavior = "well"
        self.requests = []
        self.tokens = []
        self.heartbeat = None
        self.owl = OWL
        self.followers = []
        self.connected = threading.Semaphore(0)
        self.stopped = threading.Event()

    def send_event(self, text):
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
        getattr(self, f"answer_{self.server.behavior}")(json.dumps(answer).encode())

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

    def answer_never(self, body):
        self.server.stopped.wait()

    def answer_redirect(self, body):
        self.send(307, {"Location": "http://elsewhere/"})

    def answer_wrongly(self, body):
        self.send(200, {"Content-Type": "application/json"}, b'{"query":7}')

    def answer_garbage(self, body):
        self.send(200, {"Content-Type": "application/json"}, bytes(range(256)) * 40_000)

    def answer_noise(self, body):
        self.wfile.write(b'\x1b[31m "\xe9\x9b' + b"G" * 22 + b"\xe9" * 60_000 + b"\r\n\r\n")

    def answer_old(self, body):
        self.wfile.write(b"HTTP/2\x1b 200 OK\r\n\r\n")

    def answer_error(self, body):
        text = b'{"error":{"code":"animalNotFound","message":"there is no such animal"}}'
        self.send(404, {"Content-Type": "application/json"}, text)

    def answer_cut(self, body):
        self.send(200, {"Content-Type": "application/json"}, body[:5], len(body))
        self.close_connection = True


def fetch_animals(store):
    store.dispatch("ui/animalList/onAppear")
    store.settle(10)


def wait_for_output(store, expected, selector, **arguments):
    """Waits until the output of a selector is as expected."""
    arrived = threading.Event()

    def compare(output):
        if output == expected:
            arrived.set()

    with store.observe(selector, compare, arguments=arguments):
        assert arrived.wait(10)
