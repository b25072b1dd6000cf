"""A real Neo4j on a free port of this machine: Community, whole from Maven Central, without Docker.

The tests use it, and `make neo4j` starts one to play with.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

VERSION = "5.26.12"  # the LTS that the image neo4j:5.26-community is; wants Java 17 or 21
PASSWORD = "for-tests-only"  # the server listens on this machine alone

_STARTS_WITHIN = 240  # seconds; 5 to 10 on a quiet machine
_FETCHED_WITHIN = 300  # seconds; 116 MB took 16 to 50
# Rather than fast in an hour. Not to verify bytecode saves 2 of the 11 CPU seconds of a start.
_QUICK_TO_START = (
    *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"),
    *("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"),
)
_TO_STAY = ("-Xmx2g",)  # of one to play with, which is to be as fast as a user's own
_POM = f"""\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>forethought</groupId><artifactId>neo4j-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version>
  </dependency></dependencies>
</project>
"""
# The last two: to plan a statement costs more than to run it on so little, so it is planned once,
# whatever has changed since and however long its parameters are.
CONF = """\
server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
dbms.usage_report.enabled=false
server.memory.pagecache.size=128m
dbms.cypher.min_replan_interval=1h
internal.cypher.use_parameter_size=false
"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and who may use it."""

    uri: str
    user: str
    password: str = field(repr=False)


def named() -> Address | None:
    """The server to test with: one that somebody named, or that the session started and named."""
    uri, user, password = (
        os.environ.get(f"FORETHOUGHT_TEST_NEO4J_{name}", "") for name in ("URI", "USER", "PASSWORD")
    )
    return Address(uri, user or "neo4j", password) if uri else None


def missing() -> str:
    """What this machine lacks to start a server, in words; empty if nothing."""
    lacking = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    if not lacking:
        return ""
    return (
        f"no {' and no '.join(lacking)} here to start Neo4j with: install Java 17 and Maven, or "
        "name a server in FORETHOUGHT_TEST_NEO4J_URI, _USER and _PASSWORD"
    )


class Server:
    """One server over one folder, which can be killed and started again."""

    def __init__(self, folder: Path, *, java: Sequence[str] = _QUICK_TO_START) -> None:
        """Keep data, settings and the output in `folder`; `java` are options of its Java."""
        self._folder, self._java = folder, java
        self._jars = f"{_fetched()}/*"
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.address = Address(f"bolt://127.0.0.1:{self._port}", "neo4j", PASSWORD)
        (folder / "neo4j.conf").write_text(CONF.format(port=self._port), encoding="ascii")
        self._output: IO[bytes] = (folder / "output").open("wb")
        (folder / "data" / "dbms").mkdir(parents=True)
        (folder / "data" / "dbms" / "auth.ini").write_text(_initial_password(), encoding="ascii")

    @property
    def folder(self) -> Path:
        """Where its data lies."""
        return self._folder

    def start(self) -> None:
        """Start it, and wait until it answers."""
        where = [f"--home-dir={self._folder}", f"--config-dir={self._folder}"]
        entry = ["org.neo4j.server.CommunityEntryPoint", *where]
        self._process = subprocess.Popen(
            ["java", *self._java, "-cp", self._jars, *entry],
            stdout=self._output,
            stderr=self._output,
        )
        latest = time.monotonic() + _STARTS_WITHIN
        while time.monotonic() < latest and self._process.poll() is None:
            if asyncio.run(_answers(self.address)):
                return
            time.sleep(0.2)
        self.kill()
        said = (self._folder / "output").read_text(encoding="utf-8", errors="replace")[-2000:]
        raise AssertionError(f"Neo4j did not start: {said}")

    def kill(self) -> None:
        """End it as a power cut would, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(30)
            self._process = None

    @contextmanager
    def down(self) -> Iterator[None]:
        """Killed until the block ends, then started again: others use it, too."""
        self.kill()
        try:
            yield
        finally:
            self.start()

    def close(self) -> None:
        """Kill it for good: its folder is a temporary one."""
        self.kill()
        self._output.close()


@contextmanager
def neo4j_server(folder: Path, *, java: Sequence[str] = _QUICK_TO_START) -> Iterator[Server]:
    """A server over an empty folder, until the block ends."""
    server = Server(folder, java=java)
    try:
        server.start()
        yield server
    finally:
        server.close()


def _initial_password() -> str:
    """What `neo4j-admin dbms set-initial-password` would write, without a Java for it."""
    salt, rounds = b"no secret", 1024
    digest = hashlib.sha256(salt + PASSWORD.encode()).digest()
    for _ in range(rounds - 1):
        digest = hashlib.sha256(digest).digest()
    return f"neo4j:SHA-256,{digest.hex()},{salt.hex()},{rounds}:\n"


async def _answers(address: Address) -> bool:
    from neo4j import AsyncGraphDatabase
    from neo4j.exceptions import DriverError, Neo4jError

    auth = (address.user, address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=auth, connection_timeout=2) as driver:
        try:
            await driver.verify_connectivity()
            await driver.execute_query("RETURN 1")  # the database starts a little after the port
        except (DriverError, Neo4jError):
            return False
    return True


def _fetched() -> Path:
    """The folder of the server's jars, fetched into the cache the first time."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    jars = cache / "forethought" / "neo4j" / VERSION
    if jars.is_dir():
        return jars
    jars.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=jars.parent) as folder:
        pom, lib = Path(folder, "pom.xml"), Path(folder, "lib")
        pom.write_text(_POM, encoding="ascii")
        copy = [
            "dependency:copy-dependencies",
            f"-DoutputDirectory={lib}",
            "-DincludeScope=runtime",
        ]
        # Not captured: whoever waits for 116 MB may see what Maven says of a mirror that is down.
        subprocess.run(
            ["mvn", "-q", "-B", "-f", str(pom), *copy], check=True, timeout=_FETCHED_WITHIN
        )
        if not jars.is_dir():  # another run may have been faster
            lib.rename(jars)
    return jars


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def main() -> None:
    """Start one to play with, say how to use it, and stop it on Ctrl-C; its data goes with it.

    With `--fetch`, only fetch it, where no other is named to test with.
    """
    if "--fetch" in sys.argv[1:] and named():
        return
    if lacking := missing():
        sys.exit(lacking)
    if "--fetch" in sys.argv[1:]:
        _fetched()
        return
    with tempfile.TemporaryDirectory(prefix="forethought-neo4j-") as folder:
        print("Starting Neo4j (the first time, its 116 MB are fetched) ...", flush=True)
        with neo4j_server(Path(folder), java=_TO_STAY) as server:
            print(f"export FORETHOUGHT_NEO4J_URI={server.address.uri}")
            print(f"export FORETHOUGHT_NEO4J_USER={server.address.user}")
            print(f"export FORETHOUGHT_NEO4J_PASSWORD={server.address.password}")
            print("Ctrl-C stops it and removes its data.", flush=True)
            try:
                while True:
                    time.sleep(3600)
            except KeyboardInterrupt:
                print("Stopped.")


if __name__ == "__main__":
    main()
