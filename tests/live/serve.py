"""Serve a GGUF model with llama.cpp's own HTTP server on a free loopback port.

`python tests/live/serve.py MODEL.gguf` prints `{"url": "http://127.0.0.1:PORT"}` once it answers,
and ends when its standard input is closed, so that it never outlives the test that started it.
"""

from __future__ import annotations

import json
import sys

CONTEXT_TOKENS = 4096  # the longest prompt of the test and its reply take a third of it
REPLY_TOKENS = 400  # whatever the client asks for, no reply runs on for longer
THREADS = 1  # llama.cpp's threads spin: two are faster alone, and ten times slower in company
REPEAT_PENALTY = 1.2  # without it, so small a model mostly repeats itself until it is cut


def serve(model: str) -> None:
    """Load `model`, announce the server, and wait for the end of standard input."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"smollm2"}
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.n_predict = REPLY_TOKENS
    params.cpuparams.n_threads = THREADS
    params.cpuparams_batch.n_threads = THREADS
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any free one
    params.warmup = False
    params.sampling.seed = 1
    params.sampling.penalty_repeat = REPEAT_PENALTY
    server = xllamacpp.Server(params)
    print(json.dumps({"url": server.listening_address}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1])
