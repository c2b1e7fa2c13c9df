# SPDX-License-Identifier: Apache-2.0
from corpus import Zip, call, pickled, ramp, text, u16, u32


def npy(header, data=b"", version=1, length=None):
    raw = header.encode() if isinstance(header, str) else header
    said = len(raw) if length is None else length
    return b"\x93NUMPY" + bytes([version, 0]) + (u16(said) if version == 1 else u32(said)) + raw + data


def described(shape, descr="'<f4'", order="False"):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, order, shape)


def add(corpus):
    good = npy(described("(4, 4)"), ramp(16))
    corpus.opens("honest.npy", good)
    corpus.cut("npy", ".npy", good, list(range(0, len(good), 13)) + [len(good) - 1])
    for label, shape in (("overflow", "(%d, %d)" % (2**40, 2**40)), ("huge", "(%d,)" % 2**62), ("beyond", "(%d,)" % 10**30),
                         ("negative", "(-4, -4)"), ("words", "('a',)"), ("deep", "(" * 50000), ("missing", ""),
                         ("many", "(" + "1, " * 40 + ")"), ("code", "(__import__('os').system('true'),)")):
        corpus.refused("npy_shape_%s.npy" % label, npy(described(shape), ramp(16)), "byte")
    evil = pickled(call("os", "system", text("touch " + corpus.canary)))
    corpus.refused("npy_objects.npy", npy(described("(1,)", "'|O'"), evil), "Python objects")
    corpus.refused("npy_structured.npy", npy(described("(1,)", "[('a', '<f4'), ('b', '<f4')]"), ramp(2)), "structured")
    corpus.refused("npy_structured_open.npy", npy(described("(1,)", "[[[["), ramp(2)), "byte")
    corpus.refused("npy_big_endian.npy", npy(described("(4,)", "'>f4'"), ramp(4)), "big-endian")
    corpus.refused("npy_texts.npy", npy(described("(4,)", "'<U4'"), ramp(16)))
    corpus.refused("npy_version.npy", npy(described("(4, 4)"), ramp(16), version=9), "version")
    corpus.refused("npy_header_long.npy", npy(described("(4, 4)"), ramp(16), version=2, length=2**32 - 1), "header")
    corpus.refused("npy_header_longer.npy", npy(described("(4, 4)"), length=60000), "cut off")
    corpus.refused("npy_twice.npy", npy("{'shape': (1,), 'shape': (1,), 'descr': '<f4', 'fortran_order': False}"), "byte")
    corpus.refused("npy_lacks.npy", npy("{'descr': '<f4'}"), "byte")
    corpus.refused("npy_code.npy", npy("__import__('os').system('true')"), "byte")
    corpus.opens("honest.npz", Zip().add("a.npy", good).add("b.npy", good, deflated=True).bytes())
    corpus.refused("npz_broken_member.npz", Zip().add("a.npy", good).add("b.npy", good[:40]).bytes(), "b.npy")
    corpus.refused("npz_no_arrays.npz", Zip().add("readme.txt", b"hello").bytes())
    corpus.refused("npz_climbs_empty_name.npz", Zip().add(".npy", good).bytes(), "name")
