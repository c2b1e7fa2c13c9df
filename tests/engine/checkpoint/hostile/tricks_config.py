# SPDX-License-Identifier: Apache-2.0
"""Honest weights beside a config.json that is not, and files that are something else altogether."""
import json
import random

from corpus import bert, pickled


def add(corpus):
    for label, heads in (("zero", 0), ("negative", -5), ("huge", 10**18), ("infinite", 1e300), ("text", "two"), ("null", None),
                         ("list", [1, 2]), ("uneven", 3)):
        corpus.write("config_heads_%s/model.safetensors" % label, bert())
        corpus.write("config_heads_%s/config.json" % label,
                     json.dumps({"model_type": "bert", "num_attention_heads": heads, "hidden_size": heads,
                                 "num_hidden_layers": heads}).encode())
        corpus.expect("config_heads_%s" % label, None)
    for label, text in (("deep", b"[" * 100000), ("deep_objects", b"{\"a\":" * 100000), ("cut", b"{\"model_type\": \"be"),
                        ("not_utf8", b"{\"model_type\": \"\xff\xfe\"}"), ("huge_number", b"{\"n\": 1e99999}")):
        corpus.write("config_%s/model.safetensors" % label, bert())
        corpus.write("config_%s/config.json" % label, text)
        corpus.expect("config_%s" % label, None)
    corpus.write("config_list/model.safetensors", bert())
    corpus.write("config_list/config.json", b"[1, 2, 3]")
    corpus.expect("config_list", None)
    dice = random.Random(4)
    for ending in (".safetensors", ".pt", ".bin", ".gguf", ".onnx", ".npy", ".npz"):
        corpus.refused("empty%s" % ending, b"")
        corpus.refused("noise%s" % ending, bytes(dice.randrange(256) for _ in range(4096)))
        corpus.refused("page%s" % ending, b"<!DOCTYPE html><html><body>404</body></html>")
        corpus.refused("pointer%s" % ending, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        corpus.refused("zeros%s" % ending, b"\0" * 4096)
    corpus.refused("not_pytorch.pkl", pickled(b"}"))
