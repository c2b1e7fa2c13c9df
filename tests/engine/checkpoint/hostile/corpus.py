# SPDX-License-Identifier: Apache-2.0
"""How the files of the corpus are made, and the honest files that most tricks are bent from."""
import json
import os
import struct
import zlib


class Corpus:
    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)
        self.canary = os.path.join(self.folder, "canary")
        self.cases = []

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)

    def refused(self, name, data, *words):
        """A file that no reader may accept; its sentence has `words`."""
        self.write(name, data)
        self.cases.append({"file": name, "opens": False, "says": list(words)})

    def opens(self, name, data):
        """A file that is strange and still a file of weights."""
        self.write(name, data)
        self.cases.append({"file": name, "opens": True, "says": []})

    def either(self, name, data):
        """No crash, no hang, nothing run; whether it opens is the reader's affair."""
        self.write(name, data)
        self.cases.append({"file": name, "opens": None, "says": []})

    def expect(self, name, opens, *words):
        """For what was written by hand (folders, links)."""
        self.cases.append({"file": name, "opens": opens, "says": list(words)})

    def cut(self, stem, ending, data, places):
        for at in sorted(set(int(place) for place in places)):
            if 0 <= at < len(data):
                self.refused("%s_cut_%d%s" % (stem, at, ending), data[:at])


def u16(value):
    return struct.pack("<H", value & 0xFFFF)


def u32(value):
    return struct.pack("<I", value & 0xFFFFFFFF)


def u64(value):
    return struct.pack("<Q", value & 0xFFFFFFFFFFFFFFFF)


def floats(values):
    return struct.pack("<%df" % len(values), *values)


def ramp(count):
    return floats([0.01 * i for i in range(count)])


# safetensors

def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return u64(len(text)) + text + data


def tensor(shape, begin, end, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def bert(d=4, layers=1, values=None):
    """Names and shapes of a BERT, numbers a ramp or `values` of one matrix."""
    header, data = {}, b""
    for layer in range(layers):
        for part in ("query", "key"):
            block = values or ramp(d * d)
            name = "bert.encoder.layer.%d.attention.self.%s.weight" % (layer, part)
            header[name] = tensor([d, d], len(data), len(data) + len(block))
            data += block
    return safetensors(header, data)


# zip

class Zip:
    """Stored or deflated entries; what the headers say can be bent by the keywords."""

    def __init__(self):
        self.body, self.directory, self.count = b"", b"", 0

    def add(self, name, data, deflated=False, size=None, packed_size=None, offset=None, flags=0, method=None,
            local_name=None, crc=None):
        raw = name.encode()
        packed = data
        if deflated:
            squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
            packed = squeeze.compress(data) + squeeze.flush()
        size = len(data) if size is None else size
        packed_size = len(packed) if packed_size is None else packed_size
        method = (8 if deflated else 0) if method is None else method
        crc = zlib.crc32(data) if crc is None else crc
        local = (local_name if local_name is not None else name).encode()
        at = len(self.body) if offset is None else offset
        if offset is None:
            self.body += (b"PK\3\4" + u16(20) + u16(flags) + u16(method) + u32(0) + u32(crc) + u32(packed_size) +
                          u32(size) + u16(len(local)) + u16(0) + local + packed)
        self.directory += (b"PK\1\2" + u16(20) + u16(20) + u16(flags) + u16(method) + u32(0) + u32(crc) +
                           u32(packed_size) + u32(size) + u16(len(raw)) + u16(0) + u16(0) + u16(0) + u16(0) + u32(0) +
                           u32(at) + raw)
        self.count += 1
        return self

    def bytes(self, count=None, directory=None, size=None):
        return (self.body + self.directory + b"PK\5\6" + u16(0) + u16(0) + u16(count or self.count) +
                u16(count or self.count) + u32(len(self.directory) if size is None else size) +
                u32(len(self.body) if directory is None else directory) + u16(0))


# pickle: opcodes as bytes

def text(value):
    raw = value.encode()
    return b"X" + u32(len(raw)) + raw


def integer(value):
    return b"J" + struct.pack("<i", value) if -2**31 <= value < 2**31 else b"\x8a\x08" + struct.pack("<q", value)


def name(module, attribute):
    return b"c" + module.encode() + b"\n" + attribute.encode() + b"\n"


def several(*items):
    return b"(" + b"".join(items) + b"t"


def call(module, attribute, *arguments):
    return name(module, attribute) + several(*arguments) + b"R"


def mapping(pairs):
    return b"}(" + b"".join(text(key) + value for key, value in pairs) + b"u"


def storage(key, count, kind="FloatStorage"):
    return several(text("storage"), name("torch", kind), text(key), text("cpu"), integer(count)) + b"Q"


def torch_tensor(key, count, shape, strides, first=0, kind="FloatStorage"):
    return call("torch._utils", "_rebuild_tensor_v2", storage(key, count, kind), integer(first),
                several(*[integer(n) for n in shape]), several(*[integer(n) for n in strides]), b"\x89",
                call("collections", "OrderedDict"))


def pickled(value):
    return b"\x80\x02" + value + b"."


def torch_zip(value, storages=(("0", ramp(16)),), byteorder=b"little"):
    archive = Zip().add("model/data.pkl", pickled(value)).add("model/byteorder", byteorder)
    for key, data in storages:
        archive.add("model/data/" + key, data)
    return archive


def honest_state():
    part = torch_tensor("0", 16, [4, 4], [4, 1])
    prefix = "bert.encoder.layer.0.attention.self."
    return mapping([(prefix + "query.weight", part), (prefix + "key.weight", part)])


def torch_legacy(value, keys=(("0", ramp(16)),)):
    magic = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
    protocol = b"\x80\x02M\xe9\x03."
    machine = pickled(mapping([("protocol_version", integer(1001)), ("little_endian", b"\x88")]))
    names = pickled(b"](" + b"".join(text(key) for key, _ in keys) + b"e")
    return magic + protocol + machine + pickled(value) + names + b"".join(
        u64(len(data) // 4) + data for _, data in keys)
