"""What a browser sends to the server of the inspector."""

import http.client
import json
from urllib.parse import quote, urlencode


class Browser:
    """Sends requests to a server, with the headers of its page unless others are given."""

    def __init__(self, server):
        self.server = server
        self.host = f"127.0.0.1:{server.port}"

    def send(self, method, path, body=None, **headers):
        """The status, the headers and the body of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            given = {"Host": self.host}
            given.update((name.replace("_", "-"), each) for name, each in headers.items())
            if body is not None:
                given.setdefault("Content-Type", "application/json")
                given.setdefault("Content-Length", str(len(body)))
            for name, text in given.items():
                if text is not None:
                    connection.putheader(name, text)
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def page(self, name=""):
        return self.send("GET", f"/{self.server.token}/{name}")

    def get(self, path, /, **query):
        """The JSON that the API answers, and the status."""
        text = "?" + urlencode(query) if query else ""
        status, _, body = self.send("GET", f"/{self.server.token}/api/{quote(path)}{text}")
        return status, json.loads(body)

    def ok(self, path, /, **query):
        status, answer = self.get(path, **query)
        assert status == 200, answer
        return answer

    def post(self, path, data, **headers):
        body = data if isinstance(data, bytes) else json.dumps(data).encode()
        status, _, answer = self.send("POST", f"/{self.server.token}/api/{path}", body, **headers)
        return status, json.loads(answer)

    def events(self, query=""):
        """Yields the events of a stream: names and data."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request("GET", f"/{self.server.token}/api/events{query}")
            response = connection.getresponse()
            assert response.headers["Content-Type"] == "text/event-stream"
            name = None
            for line in response:
                field, _, text = line.decode().rstrip("\n").partition(": ")
                if field == "event":
                    name = text
                elif field == "data":
                    yield name, json.loads(text)
        finally:
            connection.close()
