"""A tiny cross-encoder: the relevance of a pair is the number of words that its halves share.

Its words are the ids from 4 on: a matrix of one-hot rows stands for the transformer.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ["tea", "green", "coffee", "cat", "likes", "she", "what", "does", "drink", "the"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
IDS, TYPES, MASK = "input_ids", "token_type_ids", "attention_mask"


def write(
    folder: Path, *, outputs: int = 1, extra_input: str = "", known: int = len(WORDS)
) -> Path:
    """The model in `folder`; with two outputs the relevance is how much the second is larger.

    It has embeddings for the first `known` of the tokenizer's words.
    """
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(_model(outputs, extra_input, known), str(folder / "model.onnx"))
    tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def tokenizer() -> Tokenizer:
    """Words by white space, framed and typed as BERT's pairs are."""
    ids = {word: number for number, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    made.enable_padding(length=40)  # as many files have it: it must not count
    return made


def _model(outputs: int, extra_input: str, known: int) -> onnx.ModelProto:
    size = len(SPECIAL) + known
    onehot = [
        [float(row == column and row >= len(SPECIAL)) for column in range(size)]
        for row in range(size)
    ]
    constants = [
        _constant("words", onehot),
        _constant("one", [1.0]),
        _constant("heads", [[float(column + 1) for column in range(outputs)]]),
    ]
    nodes = [
        helper.make_node("Gather", ["words", IDS], ["seen"]),
        helper.make_node("Cast", [TYPES], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [MASK], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["one", "types"], ["first"]),
        helper.make_node("Mul", ["first", "mask"], ["in_query"]),
        helper.make_node("Mul", ["types", "mask"], ["in_text"]),
        *_summed("in_query", "query"),
        *_summed("in_text", "text"),
        helper.make_node("Mul", ["query", "text"], ["shared"]),
        helper.make_node("ReduceSum", ["shared"], ["count"], keepdims=1, axes=[1]),
        helper.make_node("MatMul", ["count", "heads"], ["logits"]),
    ]
    names = [IDS, TYPES, MASK, *([extra_input] if extra_input else [])]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["n", "t"]) for n in names]
    out = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", outputs])
    graph = helper.make_graph(nodes, "shared words", inputs, [out], constants)
    opset = helper.make_opsetid("", 12)  # the last whose ReduceSum takes its axes as an attribute
    return helper.make_model(graph, opset_imports=[opset], ir_version=8)


def _summed(weights: str, name: str) -> Sequence[onnx.NodeProto]:
    """The words of one half, as counts: [n, t] weights over [n, t, words] to [n, words]."""
    return [
        helper.make_node("Unsqueeze", [weights], [f"{name}_wide"], axes=[2]),
        helper.make_node("Mul", ["seen", f"{name}_wide"], [f"{name}_words"]),
        helper.make_node("ReduceMax", [f"{name}_words"], [name], keepdims=0, axes=[1]),
    ]


def _constant(name: str, value: object) -> TensorProto:
    return numpy_helper.from_array(np.array(value, dtype=np.float32), name)
