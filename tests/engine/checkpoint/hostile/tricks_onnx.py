# SPDX-License-Identifier: Apache-2.0
from corpus import ramp

BYTES, VARINT = 2, 0


def varint(value):
    value &= 0xFFFFFFFFFFFFFFFF
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3 | VARINT) + varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | BYTES) + varint(len(raw)) + raw


def initialiser(name, dims, raw=None, kind=1, extra=b""):
    return (b"".join(field(1, d) for d in dims) + field(2, kind) + field(8, name) +
            (field(9, raw) if raw is not None else b"") + extra)


def external(**pairs):
    return field(14, 1) + b"".join(field(13, field(1, key) + field(2, str(value))) for key, value in pairs.items())


def model(*tensors, nodes=()):
    graph = b"".join(field(1, node) for node in nodes) + b"".join(field(5, one) for one in tensors)
    return field(1, 8) + field(2, "test") + field(7, graph)


def add(corpus):
    good = model(initialiser("a.weight", [4, 4], ramp(16)), initialiser("b.weight", [4, 4], ramp(16)))
    corpus.opens("honest.onnx", good)
    corpus.cut("onnx", ".onnx", good, list(range(0, len(good), 17)) + [len(good) - 1])
    corpus.refused("onnx_overflow.onnx", model(initialiser("a", [2**40, 2**40], ramp(16))), "overflow")
    corpus.refused("onnx_negative.onnx", model(initialiser("a", [-4, -4], ramp(16))), "negative")
    corpus.refused("onnx_short.onnx", model(initialiser("a", [400, 400], ramp(16))), "bytes for")
    corpus.refused("onnx_no_values.onnx", model(initialiser("a", [400, 400])), "lacks")
    corpus.refused("onnx_claims_many.onnx", model(initialiser("a", [2**34], kind=7, extra=field(7, b"\1\1\1"))))
    corpus.refused("onnx_dimensions.onnx", model(initialiser("a", [1] * 5000, ramp(1))), "dimensions")
    corpus.refused("onnx_nameless.onnx", model(initialiser("", [4, 4], ramp(16))), "name")
    corpus.refused("onnx_twice.onnx", model(initialiser("a", [4], ramp(4)), initialiser("a", [4], ramp(4))), "two tensors")
    corpus.refused("onnx_long_name.onnx", model(initialiser("n" * 100000, [4], ramp(4))), "long")
    corpus.refused("onnx_endless_number.onnx", field(1, 8) + b"\x3a" + b"\xff" * 200, "byte")
    corpus.refused("onnx_length.onnx", field(1, 8) + b"\x3a" + varint(2**63) + b"abc", "byte")
    corpus.refused("onnx_group.onnx", field(1, 8) + b"\x3b" * 100000, "byte")
    corpus.refused("onnx_field_zero.onnx", field(1, 8) + b"\x02\x01a", "byte")
    corpus.refused("onnx_no_graph.onnx", field(1, 8) + field(2, "test"), "no initialisers")
    corpus.refused("onnx_many_graphs.onnx", good + field(7, b"") * 1000, "second graph")
    corpus.refused("onnx_packed_dims_cut.onnx", model(field(1, b"\x84\x84") + field(2, 1) + field(8, "a")), "dims")
    corpus.write("onnx_outside.data", ramp(16))
    for label, where in (("climbs", "../onnx_outside.data"), ("climbs_within", "a/../../onnx_outside.data"),
                         ("absolute", "/etc/passwd"), ("nul", "a\0b"), ("empty", "")):
        corpus.refused("onnx/external_%s.onnx" % label, model(initialiser("a", [4, 4], extra=external(location=where))),
                       "folder")
    corpus.refused("onnx/external_missing.onnx", model(initialiser("a", [4, 4], extra=external(location="none.data"))),
                   "none.data")
    corpus.refused("onnx/external_folder.onnx", model(initialiser("a", [4, 4], extra=external(location="."))))
    corpus.write("onnx/weights.data", ramp(16))
    corpus.opens("onnx/external.onnx",
                 model(initialiser("a", [4, 4], extra=external(location="weights.data", offset=0, length=64))))
    for label, offset in (("far", 2**63), ("wraps", 2**64 - 32), ("words", "five"), ("negative", -8)):
        corpus.refused("onnx/external_%s.onnx" % label,
                       model(initialiser("a", [4, 4], extra=external(location="weights.data", offset=offset))))
    corpus.refused("onnx/external_length.onnx",
                   model(initialiser("a", [4, 4], extra=external(location="weights.data", length=8))), "needs")
