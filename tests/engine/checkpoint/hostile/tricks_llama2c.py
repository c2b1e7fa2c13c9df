# SPDX-License-Identifier: Apache-2.0
import struct

from corpus import ramp


def add(corpus):
    dim, hidden, layers, heads, kv, words, positions = 8, 12, 1, 2, 1, 5, 4

    def head(*fields):
        return struct.pack("<7i", *fields)

    side = dim // heads
    layer = 2 * dim + 2 * dim * dim + 2 * kv * side * dim + 3 * dim * hidden
    data = ramp(words * dim + layers * layer + dim + positions * (side // 2) * 2)
    good = head(dim, hidden, layers, heads, kv, words, positions) + data
    corpus.opens("honest_llama2c.bin", good)
    corpus.cut("llama2c", ".bin", good, [0, 3, 4, 27, 28, 29, 100, len(good) // 2, len(good) - 1])
    corpus.refused("llama2c_longer.bin", good + b"\0\0\0\0")
    for label, fields in (
            ("negative", (-8, 12, 1, 2, 1, 5, 4)), ("zero_heads", (8, 12, 1, 0, 1, 5, 4)),
            ("zero_kv", (8, 12, 1, 2, 0, 5, 4)), ("uneven", (9, 12, 1, 2, 1, 5, 4)),
            ("more_kv_than_heads", (8, 12, 1, 2, 4, 5, 4)), ("huge", (2**31 - 1,) * 7),
            ("wraps", (2**30, 2**30, 2**30, 1, 1, 2**30, 2**30)), ("many_layers", (8, 12, 2**31 - 1, 2, 1, 5, 4)),
            ("least_words", (8, 12, 1, 2, 1, -2**31, 4)), ("no_layers", (8, 12, 0, 2, 1, 5, 4))):
        corpus.refused("llama2c_%s.bin" % label, head(*fields) + data)
