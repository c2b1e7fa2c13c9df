# SPDX-License-Identifier: Apache-2.0
import json

from corpus import bert, floats, ramp, safetensors, tensor, u64

INF, NAN = float("inf"), float("nan")


def add(corpus):
    good = bert()
    header = 8 + int.from_bytes(good[:8], "little")
    corpus.opens("honest.safetensors", good)
    corpus.cut("safetensors", ".safetensors", good,
               [0, 1, 7, 8, 9, header // 2, header - 1, header, header + 1, (header + len(good)) // 2, len(good) - 1])
    for label, length in (("2_63", 2**63), ("all_ones", 2**64 - 1), ("one_too_long", len(good) - 7)):
        corpus.refused("safetensors_header_%s.safetensors" % label, u64(length) + good[8:], "header", "byte 0")
    corpus.refused("safetensors_empty_header.safetensors", u64(0))
    corpus.refused("safetensors_not_json.safetensors", safetensors(b"{\"a\": nonsense}"), "byte")
    corpus.refused("safetensors_deep.safetensors", safetensors(b"{\"a\":" + b"[" * 200000), )
    corpus.refused("safetensors_deep_objects.safetensors", safetensors(b"{\"a\":" * 100000 + b"1" + b"}" * 100000))
    corpus.refused("safetensors_overlap.safetensors",
                   safetensors({"a": tensor([4], 0, 16), "b": tensor([4], 8, 24)}, ramp(6)), "overlap")
    corpus.refused("safetensors_gap.safetensors",
                   safetensors({"a": tensor([1], 0, 4), "b": tensor([1], 8, 12)}, ramp(3)), "belong")
    corpus.refused("safetensors_outside.safetensors", safetensors({"a": tensor([400], 0, 1600)}, ramp(4)), "a")
    corpus.refused("safetensors_far_outside.safetensors",
                   safetensors({"a": tensor([4], 2**63, 2**63 + 16)}, ramp(4)), "a")
    corpus.refused("safetensors_backwards.safetensors", safetensors({"a": tensor([4], 16, 0)}, ramp(4)), "before")
    corpus.refused("safetensors_negative_offset.safetensors", safetensors({"a": tensor([4], -16, 0)}, ramp(4)))
    corpus.refused("safetensors_overflow.safetensors", safetensors({"a": tensor([2**40, 2**40], 0, 16)}, ramp(4)), "overflow")
    corpus.refused("safetensors_wraps_to_four.safetensors",
                   safetensors({"a": tensor([2**62 + 1, 4], 0, 16)}, ramp(4)), "overflow")
    corpus.refused("safetensors_negative_shape.safetensors", safetensors({"a": tensor([-4], 0, 16)}, ramp(4)))
    corpus.refused("safetensors_many_dimensions.safetensors", safetensors({"a": tensor([1] * 5000, 0, 4)}, ramp(1)), "dimensions")
    double = json.dumps({"a": tensor([4], 0, 16)})[:-1] + "," + json.dumps({"a": tensor([4], 16, 32)})[1:]
    corpus.refused("safetensors_twice.safetensors", safetensors(double.encode(), ramp(8)), "two entries")
    corpus.refused("safetensors_long_name.safetensors", safetensors({"n" * 1000000: tensor([4], 0, 16)}, ramp(4)), "long")
    corpus.refused("safetensors_empty_name.safetensors", safetensors({"": tensor([4], 0, 16)}, ramp(4)), "name")
    corpus.either("safetensors_odd_names.safetensors",
                  safetensors({"a\n\u0007\u202e": tensor([2], 0, 8), "../../etc/passwd": tensor([2], 8, 16)}, ramp(4)))
    corpus.refused("safetensors_not_utf8.safetensors",
                   safetensors(b"{\"\xff\xfe\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", ramp(4)))
    corpus.either("safetensors_unknown_dtype.safetensors", safetensors({"a": tensor([4], 0, 16, "F128")}, ramp(4)))
    corpus.opens("nan_weights.safetensors", bert(values=floats([NAN] + [0.25] * 15)))
    corpus.opens("infinite_weights.safetensors", bert(values=floats([INF, -INF] + [0.25] * 14)))
    corpus.opens("zero_weights.safetensors", bert(values=floats([0.0] * 16)))
