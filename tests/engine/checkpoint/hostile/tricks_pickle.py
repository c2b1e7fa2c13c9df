# SPDX-License-Identifier: Apache-2.0
"""Pickles that would run something, and pickles that would eat memory, stack or time, inside PyTorch's two containers
and bare."""
from corpus import (call, honest_state, integer, mapping, name, pickled, several, storage, text, torch_legacy,
                    torch_tensor, torch_zip, u32, u64)


def running(canary):
    """(label, opcodes, words of the sentence): each would create the canary if it were run."""
    command = "touch " + canary
    code = "open(%r, 'w').close()" % canary

    def stacked(module, attribute):  # protocol 4 names a global by two texts on the stack
        return text(module) + text(attribute) + b"\x93"

    yield "os_system", call("os", "system", text(command)), ["os.system"]
    yield "posix_system", call("posix", "system", text(command)), ["posix.system"]
    yield "nt_system", call("nt", "system", text(command)), ["nt.system"]
    yield "eval", call("builtins", "eval", text(code)), ["builtins.eval"]
    yield "eval_python2", call("__builtin__", "eval", text(code)), ["__builtin__.eval"]
    yield "exec", call("builtins", "exec", text(code)), ["builtins.exec"]
    yield "popen", call("subprocess", "Popen", several(text("touch"), text(canary))), ["subprocess.Popen"]
    yield "open", call("builtins", "open", text(canary), text("w")), ["builtins.open"]
    yield "import", call("builtins", "__import__", text("os")), ["__import__"]
    yield "getattr", call("builtins", "getattr", name("some.module", "thing"), text("system")), ["system"]
    yield "getattr_eval", call("builtins", "getattr", name("some.module", "thing"), text("__globals__")), ["__globals__"]
    yield "stack_global", stacked("os", "system") + several(text(command)) + b"R", ["os.system"]
    yield "dotted", stacked("pathlib", "os.system") + several(text(command)) + b"R", ["os.system"]
    yield "newobj", name("subprocess", "Popen") + several(text("touch")) + b"\x81", ["subprocess.Popen"]
    yield "inst", b"(" + text(command) + b"ios\nsystem\n", ["os.system"]
    yield "obj", b"(" + name("os", "system") + text(command) + b"o", ["os.system"]
    yield "build", b"}" + text("__setstate__") + name("os", "system") + b"s" + text(command) + b"b", ["os.system"]
    yield "partial", call("functools", "partial", name("os", "system"), text(command)), ["os.system"]
    yield "nested_load", call("pickle", "loads", b"C\x04cos\n"), ["pickle.loads"]
    yield "runpy", call("runpy", "_run_code", text(code)), ["runpy"]
    yield "code_object", call("types", "CodeType", integer(0)), ["types.CodeType"]
    yield "numpy_runstring", call("numpy.testing._private.utils", "runstring", text(code), b"}"), ["runstring"]
    yield "python_2_text", b"cos\nsystem\n(S'" + command.encode() + b"'\ntR", ["os.system"]
    yield "hidden_then_dropped", call("os", "system", text(command)) + b"0" + honest_state(), ["os.system"]
    yield "odd_name", name("os", "sys\x01tem\x7f") + b")R", ["os"]


def greedy():
    """(label, opcodes, words)."""
    laugh = b")q\x00" + b"".join(b"h" + bytes([i]) + b"h" + bytes([i]) + b"\x86q" + bytes([i + 1]) for i in range(60))
    yield "laughs", laugh, []
    sharing = b"}q\x00" + b"".join(
        b"}q" + bytes([i + 1]) + text("a") + b"h" + bytes([i]) + b"s" + text("b") + b"h" + bytes([i]) + b"s"
        for i in range(60))
    yield "sharing_dicts", sharing, []
    yield "deep_tuples", b")" + b"\x85" * 200000, ["nested"]
    yield "deep_lists", b"]" * 100000 + b"a" * 99999, ["nested"]
    yield "objects", b"](" + b"N" * 2500000 + b"e", ["objects"]
    yield "memo", b"Nr" + u32(2**32 - 1), ["memo"]
    yield "memo_unset", b"h\x07", ["memo"]
    yield "text_8", b"\x8d" + u64(2**63), ["cut off"]
    yield "text_all_ones", b"\x8d" + u64(2**64 - 1), ["cut off"]
    yield "text_4", b"X" + u32(2**32 - 1) + b"abc", ["cut off"]
    yield "long_4", b"\x8b" + u32(2**31 - 1), ["cut off"]
    yield "frame", b"\x95" + u64(2**63), ["frame"]
    yield "underflow", b"0", ["stack"]
    yield "tuple_underflow", b"N\x87", ["stack"]
    yield "no_mark", b"Nt", ["mark"]
    yield "extension", b"\x82\x01", ["opcode"]
    yield "buffer", b"\x97", ["opcode"]
    yield "unknown_opcode", b"\xff", ["opcode"]
    yield "protocol", b"\x80\x63N", ["protocol"]
    yield "number_called", integer(5) + b")R", ["calls"]
    yield "items_into_number", integer(5) + b"Na", ["container"]
    yield "odd_dict", b"}(" + text("a") + b"u", ["value"]
    yield "key_is_tensor", b"}(" + torch_tensor("0", 16, [4, 4], [4, 1]) + b"Nu", []
    yield "nothing", b"N", ["no tensors"]
    yield "long_module", b"c" + b"m" * 100000 + b"\nname\n", ["long"]


def wrong_tensors():
    """(label, tensor, words)."""
    yield "shape_overflow", torch_tensor("0", 16, [2**40, 2**40], [1, 1]), ["overflow"]
    yield "shape_negative", torch_tensor("0", 16, [-4, -4], [4, 1]), ["shape"]
    yield "strides_negative", torch_tensor("0", 16, [4, 4], [-4, 1]), ["strides"]
    yield "strides_overflow", torch_tensor("0", 16, [3, 3], [2**62, 2**62]), ["strides"]
    yield "strides_outside", torch_tensor("0", 16, [4, 4], [100, 1]), ["reaches"]
    yield "strides_too_few", torch_tensor("0", 16, [4, 4], [4]), ["strides"]
    yield "repeated_without_end", torch_tensor("0", 16, [2**31, 2**31], [0, 0]), ["claims"]
    yield "first_outside", torch_tensor("0", 16, [4], [1], first=2**40), ["reaches"]
    yield "first_negative", torch_tensor("0", 16, [4], [1], first=-1), ["invalid offset"]
    yield "storage_missing", torch_tensor("elsewhere", 16, [4, 4], [4, 1]), ["elsewhere"]
    yield "storage_climbs", torch_tensor("../../../etc/passwd", 16, [4, 4], [4, 1]), ["passwd"]
    yield "storage_longer", torch_tensor("0", 2**50, [4, 4], [4, 1]), ["0"]
    yield "many_dimensions", torch_tensor("0", 16, [1] * 60, [1] * 60), ["dimensions"]
    yield "no_storage", call("torch._utils", "_rebuild_tensor_v2", integer(1), integer(0), several(), several()), ["storage"]
    yield "few_arguments", call("torch._utils", "_rebuild_tensor_v2", storage("0", 16)), ["arguments"]


def add(corpus):
    corpus.opens("honest.pt", torch_zip(honest_state()).bytes())
    corpus.opens("honest_legacy.bin", torch_legacy(honest_state()))
    for label, opcodes, words in running(corpus.canary):
        corpus.refused("run_%s.pt" % label, torch_zip(opcodes).bytes(), "byte", *words)
        corpus.refused("run_%s_legacy.bin" % label, torch_legacy(opcodes), "byte", *words)
        corpus.refused("run_%s_bare.pkl" % label, pickled(opcodes), *words)
        within = mapping([("state_dict", honest_state()), ("extra", opcodes)])
        corpus.refused("run_%s_beside_weights.pt" % label, torch_zip(within).bytes(), *words)
    corpus.refused("run_protocol_0.pt", b"cos\nsystem\n(S'touch " + corpus.canary.encode() + b"'\ntR.", "os.system")
    for label, opcodes, words in greedy():
        corpus.refused("greedy_%s.pt" % label, torch_zip(opcodes).bytes(), *words)
        corpus.refused("greedy_%s_legacy.bin" % label, torch_legacy(opcodes, ()), *words)
    for label, tensor, words in wrong_tensors():
        state = mapping([("weight", tensor)])
        corpus.refused("tensor_%s.pt" % label, torch_zip(state).bytes(), *words)
        if "storage" not in label:
            corpus.refused("tensor_%s_legacy.bin" % label, torch_legacy(state), *words)
        elif "longer" not in label:
            corpus.refused("tensor_%s_legacy.bin" % label, torch_legacy(state, ()))
    # Containers that hold themselves beside weights: the weights are there.
    own = b"}q\x01" + text("self") + b"h\x01s" + text("weight") + torch_tensor("0", 16, [4, 4], [4, 1]) + b"s"
    corpus.opens("holds_itself.pt", torch_zip(own).bytes())
    unknown = name("mod", "Net") + b")\x81" + mapping([("_modules", mapping([("layer", honest_state())]))]) + b"b"
    corpus.opens("unknown_class.pt", torch_zip(unknown).bytes())
    corpus.refused("twice.pt", torch_zip(mapping([("a", torch_tensor("0", 16, [4], [1]))] * 2)).bytes(), "two tensors")
    corpus.refused("not_utf8.pt", torch_zip(b"}X" + u32(2) + b"\xff\xfe" + torch_tensor("0", 16, [4], [1]) + b"s").bytes(),
                   "UTF-8")
    corpus.refused("long_name.pt", torch_zip(mapping([("n" * 100000, torch_tensor("0", 16, [4], [1]))])).bytes(), "long")
    good = torch_legacy(honest_state())
    corpus.cut("legacy", ".bin", good, list(range(3, len(good), 37)) + [len(good) - 1])
    corpus.refused("legacy_wrong_magic.bin", b"\x80\x02\x8a\x0a" + b"\x01" * 10 + b".", "torch.save")
    corpus.refused("legacy_count.bin", good[:-72] + u64(2**62) + good[-64:], "ends before")
    corpus.refused("legacy_big_endian.bin", good.replace(b"\x88", b"\x89", 1), "big-endian")
