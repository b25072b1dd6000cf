"""A relay between the product and the real server that takes down what passes, both ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import urlsplit


@dataclass
class Exchange:
    """One request and what came back; `reply` is the text, `usage` as the server counted it."""

    request: dict[str, Any]
    status: int = 0
    reply: str = ""
    finish: str | None = None
    usage: dict[str, int] = field(default_factory=dict)

    @property
    def schema(self) -> str:
        """The name of the JSON schema that was asked for, "" where text was."""
        wanted = self.request.get("response_format") or {}
        return str((wanted.get("json_schema") or {}).get("name", ""))


@dataclass
class Relay:
    """Where the relay listens, and all that passed so far."""

    url: str
    exchanges: list[Exchange] = field(default_factory=list)


@contextmanager
def relay(upstream: str) -> Iterator[Relay]:
    """Pass requests on to `upstream` until the block ends."""
    passed = Relay("")

    class Handler(_Handler):
        to = urlsplit(upstream).netloc
        exchanges = passed.exchanges

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    passed.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield passed
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    to: str
    exchanges: list[Exchange]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        exchange = Exchange(json.loads(body))
        self.exchanges.append(exchange)
        connection = HTTPConnection(self.to)
        try:
            connection.request("POST", self.path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            exchange.status = answer.status
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.getheader("Content-Type", ""))
            self.end_headers()
            for line in answer:  # as it comes: a stream stays one
                self.wfile.write(line)
                self.wfile.flush()
                _note(exchange, line)
        finally:
            connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _note(exchange: Exchange, line: bytes) -> None:
    text = line.decode().removeprefix("data:").strip()
    if not text.startswith("{"):
        return
    data = json.loads(text)
    exchange.usage = data.get("usage") or exchange.usage
    for choice in data.get("choices", []):
        said = choice.get("message") or choice.get("delta") or {}
        exchange.reply += said.get("content") or ""
        exchange.finish = choice.get("finish_reason") or exchange.finish
