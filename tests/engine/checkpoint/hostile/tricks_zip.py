# SPDX-License-Identifier: Apache-2.0
"""Archives that lie about sizes and places, and bombs."""
import zlib

from corpus import Zip, honest_state, mapping, pickled, ramp, torch_tensor, torch_zip, u16, u32, u64


def add(corpus):
    good = torch_zip(honest_state()).bytes()
    state = pickled(honest_state())
    corpus.cut("zip", ".pt", good, list(range(0, len(good), 53)) + [len(good) - 22, len(good) - 1])

    def archive():
        return Zip().add("model/data.pkl", state)

    zeros = b"\0" * (200 << 20)
    corpus.refused("zip_bomb.pt", archive().add("model/data/0", zeros, deflated=True).bytes(), "bomb")
    corpus.refused("zip_bomb_pickle.pt", Zip().add("model/data.pkl", zeros, deflated=True).bytes(), "bomb")
    corpus.refused("zip_bomb.npz", Zip().add("a.npy", zeros, deflated=True).bytes(), "bomb")
    # Each small enough for one entry, all together not.
    piece = b"\0" * (60 << 20)
    many, tensors = Zip(), []
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed, crc = squeeze.compress(piece) + squeeze.flush(), zlib.crc32(piece)
    for i in range(40):
        many.add("model/data/%d" % i, packed, method=8, size=len(piece), crc=crc)
        tensors.append(("t%d" % i, torch_tensor(str(i), len(piece) // 4, [len(piece) // 4], [1])))
    many.add("model/data.pkl", pickled(mapping(tensors)))
    corpus.refused("zip_many_bombs.pt", many.bytes(), "bomb")
    corpus.refused("zip_size_lies_small.pt", archive().add("model/data/0", ramp(5000), deflated=True, size=64).bytes(),
                   "broken")
    corpus.refused("zip_size_lies_large.pt", archive().add("model/data/0", ramp(16), deflated=True, size=20000).bytes(),
                   "broken")
    corpus.refused("zip_size_absurd.pt", archive().add("model/data/0", ramp(16), deflated=True, size=2**32 - 2).bytes(),
                   "unpack")
    corpus.refused("zip_stored_sizes_differ.pt", archive().add("model/data/0", ramp(16), size=2**30).bytes(), "sizes differ")
    corpus.refused("zip_packed_outside.pt", archive().add("model/data/0", ramp(16), size=2**30, packed_size=2**30).bytes(),
                   "reaches out")
    corpus.refused("zip_wrong_sum.pt", archive().add("model/data/0", ramp(16), deflated=True, crc=1).bytes(), "checksum")
    corpus.refused("zip_not_deflated.pt", archive().add("model/data/0", b"\xff" * 64, method=8).bytes(), "broken")
    corpus.refused("zip_method.pt", archive().add("model/data/0", ramp(16), method=14).bytes(), "method 14")
    corpus.refused("zip_encrypted.pt", archive().add("model/data/0", ramp(16), flags=1).bytes(), "encrypted")
    corpus.refused("zip_other_name.pt", archive().add("model/data/0", ramp(16), local_name="model/data/1").bytes(), "another name")
    overlap = archive()
    for i in range(1000):
        overlap.add("model/data/%d" % i, ramp(16), offset=0)
    corpus.refused("zip_overlap.pt", overlap.bytes())
    corpus.refused("zip_twice.pt", archive().add("model/data/0", ramp(16)).add("model/data/0", ramp(16)).bytes(), "twice")
    corpus.refused("zip_offset_outside.pt", archive().add("model/data/0", b"", offset=2**31).bytes())
    corpus.refused("zip_directory_outside.pt", archive().bytes(directory=2**31), "outside")
    corpus.refused("zip_count.pt", archive().bytes(count=60000), "entries")
    corpus.refused("zip_no_pickle.pt", Zip().add("model/version", b"3\n").bytes())
    corpus.refused("zip_empty.pt", Zip().bytes())
    # Zip64: a locator that points anywhere, a record with anything in it.
    base = archive().add("model/data/0", ramp(16))
    for label, place in (("2_63", 2**63), ("all_ones", 2**64 - 1), ("begin", 0)):
        end = (b"PK\6\7" + u32(0) + u64(place) + u32(1) + b"PK\5\6" + u16(0) * 2 + u16(0xFFFF) * 2 + u32(2**32 - 1) * 2 +
               u16(0))
        corpus.refused("zip64_locator_%s.pt" % label, base.body + base.directory + end, "Zip64")
    record = (b"PK\6\6" + u64(44) + u16(45) * 2 + u32(0) * 2 + u64(2**62) * 2 + u64(2**63) + u64(2**63))
    at = len(base.body) + len(base.directory)
    corpus.refused("zip64_record.pt", base.body + base.directory + record + b"PK\6\7" + u32(0) + u64(at) + u32(1) + b"PK\5\6" +
                   u16(0) * 2 + u16(0xFFFF) * 2 + u32(2**32 - 1) * 2 + u16(0), "outside")
    # Names that climb are only names: nothing is ever unpacked to a file.
    corpus.opens("zip_climbing_entry.pt", torch_zip(honest_state()).add("../../../tmp/sepx_climbed", b"x").bytes())
    corpus.refused("big_endian.pt", torch_zip(honest_state(), byteorder=b"big").bytes(), "little-endian")
