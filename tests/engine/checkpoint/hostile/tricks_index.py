# SPDX-License-Identifier: Apache-2.0
"""Indices of sharded checkpoints that lead somewhere else."""
import json
import os

from corpus import bert

NAME = "bert.encoder.layer.0.attention.self.query.weight"


def add(corpus):
    corpus.write("outside.safetensors", bert())

    def index(folder, shard, *words, extra=b"", refuse=True):
        corpus.write(folder + "/model.safetensors.index.json",
                     extra or json.dumps({"metadata": {}, "weight_map": {NAME: shard}}).encode())
        corpus.expect(folder, False if refuse else None, *words)

    index("index_climbs", "../outside.safetensors")
    index("index_climbs_within", "a/../../outside.safetensors")
    index("index_absolute", "/etc/passwd")
    index("index_absolute_weights", os.path.join(corpus.folder, "outside.safetensors"))
    index("index_missing", "model-00001-of-00002.safetensors", "model-00001-of-00002.safetensors")
    index("index_itself", "model.safetensors.index.json")
    index("index_nul", "model\0.safetensors")
    index("index_empty_name", "")
    index("index_folder", ".")
    index("index_deep", "", extra=b"{\"weight_map\":" + b"[" * 100000)
    index("index_no_map", "", extra=b"{\"metadata\": {}}")
    index("index_map_is_list", "", extra=b"{\"weight_map\": [1, 2]}")
    index("index_map_of_numbers", "", extra=b"{\"weight_map\": {\"a\": 5}}")
    os.makedirs(os.path.join(corpus.folder, "index_link"), exist_ok=True)
    link = os.path.join(corpus.folder, "index_link", "shard.safetensors")
    if not os.path.islink(link):
        os.symlink(os.path.join("..", "outside.safetensors"), link)
    # A link that a person made beside the index is the cache of Hugging Face at work: opening it is allowed.
    index("index_link", "shard.safetensors", refuse=False)
    corpus.write("index_lies/shard.safetensors", bert())
    corpus.write("index_lies/model.safetensors.index.json",
                 json.dumps({"weight_map": {"no.such.tensor": "shard.safetensors"}}).encode())
    corpus.expect("index_lies", None)
