# SPDX-License-Identifier: Apache-2.0
from corpus import ramp, u32, u64

UINT32, ARRAY, STRING = 4, 9, 8


def text(value):
    raw = value.encode()
    return u64(len(raw)) + raw


def key(name, kind, value):
    return text(name) + u32(kind) + value


def info(name, dimensions, offset, kind=0, count=None):
    return (text(name) + u32(len(dimensions) if count is None else count) + b"".join(u64(d) for d in dimensions) +
            u32(kind) + u64(offset))


def gguf(keys=(), infos=(), data=b"", version=3, tensors=None, pairs=None):
    head = (b"GGUF" + u32(version) + u64(len(infos) if tensors is None else tensors) +
            u64(len(keys) if pairs is None else pairs) + b"".join(keys) + b"".join(infos))
    return head + b"\0" * (-len(head) % 32) + data


def add(corpus):
    arch = key("general.architecture", STRING, text("llama"))
    block = ramp(16)
    both = [info("blk.0.attn_q.weight", [4, 4], 0), info("blk.0.attn_k.weight", [4, 4], 64)]
    good = gguf([arch], both, block * 2)
    corpus.opens("honest.gguf", good)
    corpus.cut("gguf", ".gguf", good, list(range(0, len(good) - 128, 11)) + [len(good) - 64, len(good) - 1])
    for label, count in (("2_62", 2**62), ("all_ones", 2**64 - 1), ("million", 900000)):
        corpus.refused("gguf_tensors_%s.gguf" % label, gguf([arch], both, block * 2, tensors=count))
        corpus.refused("gguf_keys_%s.gguf" % label, gguf([arch], both, block * 2, pairs=count))
    for label, count in (("2_63", 2**63), ("all_ones", 2**64 - 1), ("long", 10**9)):
        corpus.refused("gguf_text_%s.gguf" % label, gguf([u64(count) + b"name"], both, block * 2))
        corpus.refused("gguf_value_%s.gguf" % label,
                       gguf([text("a") + u32(STRING) + u64(count) + b"x"], both, block * 2))
        corpus.refused("gguf_list_%s.gguf" % label,
                       gguf([text("a") + u32(ARRAY) + u32(UINT32) + u64(count) + u32(1)], both, block * 2))
        corpus.refused("gguf_name_%s.gguf" % label, gguf([arch], [u64(count) + b"blk"], block * 2))
    corpus.refused("gguf_nested_lists.gguf", gguf([text("a") + u32(ARRAY) + (u32(ARRAY) + u64(1)) * 20000], both, block))
    corpus.refused("gguf_list_bomb.gguf",
                   gguf([text("a") + u32(ARRAY) + u32(ARRAY) + u64(2**32) + (u32(ARRAY) + u64(2**32)) * 8], both, block))
    corpus.refused("gguf_unknown_kind.gguf", gguf([key("a", 99, u32(1))], both, block * 2))
    corpus.refused("gguf_dimensions.gguf", gguf([arch], [info("blk.0.attn_q.weight", [4, 4], 0, count=2**31)], block))
    corpus.refused("gguf_overflow.gguf", gguf([arch], [info("blk.0.attn_q.weight", [2**40, 2**40], 0)], block))
    corpus.refused("gguf_wraps.gguf", gguf([arch], [info("blk.0.attn_q.weight", [2**62, 4, 4], 0)], block))
    corpus.refused("gguf_outside.gguf", gguf([arch], [info("blk.0.attn_q.weight", [4, 4], 2**40)], block))
    corpus.refused("gguf_offset_wraps.gguf", gguf([arch], [info("blk.0.attn_q.weight", [4, 4], 2**64 - 32)], block))
    corpus.refused("gguf_overlap.gguf",
                   gguf([arch], [info("a", [4, 4], 0), info("b", [4, 4], 32)], block * 2))
    corpus.refused("gguf_twice.gguf", gguf([arch], [info("a", [4, 4], 0), info("a", [4, 4], 64)], block * 2))
    corpus.refused("gguf_half_block.gguf", gguf([arch], [info("a", [5, 4], 0, kind=8)], block * 2))
    for label, alignment in (("0", 0), ("3", 3), ("2_31", 2**31)):
        corpus.refused("gguf_alignment_%s.gguf" % label,
                       gguf([arch, key("general.alignment", UINT32, u32(alignment))], both, block * 2))
    for version in (0, 1, 999):
        corpus.refused("gguf_version_%d.gguf" % version, gguf([arch], both, block * 2, version=version), "version")
    corpus.either("gguf_unknown_type.gguf", gguf([arch], [info("a", [32], 0, kind=777)], block * 2))
    corpus.either("gguf_split_absurd.gguf", gguf([arch, key("split.count", 2, b"\xff\xff"), key("split.no", 2, b"\0\0")],
                                                 both, block * 2))
