from __future__ import annotations

import socket

import pytest

ELSEWHERE = "192.0.2.1"  # kept for documentation by RFC 5737: no machine has it


def test_no_test_reaches_another_machine(refused_connections: list[str]) -> None:
    with pytest.raises(ConnectionRefusedError, match="no other machine"):
        socket.create_connection((ELSEWHERE, 9), timeout=1)
    assert ELSEWHERE in refused_connections
    refused_connections.clear()


def test_no_test_looks_up_a_name(refused_connections: list[str]) -> None:
    with pytest.raises(ConnectionRefusedError, match="no other machine"):
        socket.getaddrinfo("forethought.invalid", 443)
    assert refused_connections == ["forethought.invalid"]
    refused_connections.clear()


def test_a_test_may_talk_to_its_own_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection(("localhost", port), timeout=5)
        with client, server.accept()[0] as peer:
            client.sendall(b"hello")
            assert peer.recv(5) == b"hello"
