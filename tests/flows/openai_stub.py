"""An HTTP server on loopback that speaks OpenAI's chat completions, answering by script.

The real client of the product talks to it, so what is tested includes the request as it is sent and
the reply as it arrives. As an HTTP proxy it only takes down who was to be reached, and refuses.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


@dataclass(frozen=True)
class Said:
    """What to answer with: the text, and how it comes over the wire.

    `pieces` are what a stream is cut into (words, if not given). A `status` other than 200 comes
    with `text` as OpenAI's error message. `raw` is sent as the whole body, whatever was asked for.
    With `breaks` the connection ends half-way.
    """

    text: str = ""
    finish: str = "stop"
    status: int = 200
    raw: str | None = None
    breaks: bool = False
    usage: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def pieces(self) -> list[str]:
        return [f"{word} " for word in self.text.split(" ")[:-1]] + [self.text.split(" ")[-1]]


Script = Callable[[str, dict[str, Any]], Said | str]
"""From the name of the schema asked for ("" for text) and the whole request to the answer."""


@dataclass
class OpenAIStub:
    """The running server: its base URL, what to answer, and what it was asked."""

    url: str
    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    proxied: list[str] = field(default_factory=list)


@contextmanager
def openai_stub(script: Script) -> Iterator[OpenAIStub]:
    """Serve `script` until the block ends."""
    stub = OpenAIStub("", script)

    class Handler(_Handler):
        pass

    Handler.stub = stub
    server = _Server(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def at_the_proxy(stub: OpenAIStub) -> dict[str, str]:
    """The environment of a process whose model is `stub`, and whose way to the world ends there."""
    proxy = stub.url.removesuffix("/v1")
    return {
        "FORETHOUGHT_MODEL": "openai:stub",
        "FORETHOUGHT_BASE_URL": stub.url,
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), proxy),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }


def schema_name(request: dict[str, Any]) -> str:
    """The name of the JSON schema that a request asks for, "" where it asks for text."""
    wanted = request.get("response_format") or {}
    return str((wanted.get("json_schema") or {}).get("name", ""))


def user_text(request: dict[str, Any]) -> str:
    """What the request says as the user, the last time it does."""
    said = [message["content"] for message in request["messages"] if message["role"] == "user"]
    return str(said[-1])


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print what went wrong, unless it is a client that hung up."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    stub: OpenAIStub
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self._is_proxied():
            return
        request = json.loads(body)
        self.stub.requests.append(request)
        said = self.stub.script(schema_name(request), request)
        said = Said(said) if isinstance(said, str) else said
        if said.raw is not None or said.status != 200:
            error = {"error": {"message": said.text, "type": "stub", "code": None}}
            self._send(
                said.status,
                said.raw if said.raw is not None else json.dumps(error),
                headers=said.headers,
            )
        elif request.get("stream"):
            self._stream(said, usage=bool(request.get("stream_options")))
        else:
            self._send(200, json.dumps(_completion(said)), cut=said.breaks)

    def do_GET(self) -> None:
        if not self._is_proxied():
            self._send(200, json.dumps({"object": "list", "data": [{"id": "stub"}]}))

    def do_CONNECT(self) -> None:
        self.stub.proxied.append(self.path)
        self._send(403, "this machine only")

    def _is_proxied(self) -> bool:
        if self.path.startswith("/"):
            return False
        self.stub.proxied.append(self.path)
        self._send(403, "this machine only")
        return True

    def _send(
        self, status: int, text: str, *, cut: bool = False, headers: Mapping[str, str] | None = None
    ) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = self.close_connection or cut

    def _stream(self, said: Said, *, usage: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        pieces = said.pieces
        for piece in pieces[: len(pieces) // 2] if said.breaks else pieces:
            self._event(_chunk(delta={"role": "assistant", "content": piece}))
        if said.breaks:
            self.close_connection = True
            return
        self._event(_chunk(delta={}, finish=said.finish))
        if usage and said.usage:
            self._event({**_chunk(delta={}), "choices": [], "usage": _usage(said)})
        self._write(b"data: [DONE]\n\n")
        self._write(b"")

    def _event(self, data: dict[str, Any]) -> None:
        self._write(f"data: {json.dumps(data)}\n\n".encode())

    def _write(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def _completion(said: Said) -> dict[str, Any]:
    message = {"role": "assistant", "content": said.text}
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "stub"}
    return {**whole, "choices": [choice], **({"usage": _usage(said)} if said.usage else {})}


def _chunk(*, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    whole = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
    return {**whole, "choices": [choice]}


def _usage(said: Said) -> dict[str, int]:
    written = len(said.pieces)
    return {"prompt_tokens": 10, "completion_tokens": written, "total_tokens": 10 + written}
