// SPDX-License-Identifier: Apache-2.0
// Interprets the objects of PyTorch in a pickle: storages (arrays of numbers outside the pickle) and the calls that
// make tensors of them, which are only read as descriptions. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checkpoint/dtype.h"
#include "engine/checkpoint/pickle.h"

namespace sepx::checkpoint {

/// A number format of PyTorch or NumPy by its own name ("float16", "FloatStorage", "<f4").
struct NumberFormat {
  Dtype dtype = Dtype::Unreadable;
  std::uint64_t bytes = 0;  ///< of one value, also if dtype is Unreadable; 0: not known
  std::string name;
};
/// At most 60 bytes of `text`, sanitised; "unknown" if it is empty. For the names of unknown formats.
std::string plainWord(std::string_view text);
/// For "FloatStorage", "UntypedStorage", …
NumberFormat storageFormat(std::string_view storageClass);
/// For "float32", "float8_e4m3fn", … as in torch.float32.
NumberFormat torchFormat(std::string_view dtype);
/// For "<f4", "|u1", … of NumPy's descr, except structured ones.
NumberFormat numpyFormat(std::string_view descr);

/// The contents of a persistent id of kind "storage".
struct TorchStorage {
  std::string_view key;
  NumberFormat format;
  std::uint64_t values = 0;
  std::uint64_t first = 0;  ///< of a view in old files: number of values before it in the storage `key`
};
std::optional<TorchStorage> storageOf(const PickleGraph& graph, PickleRef persistent);
/// Every storage of the graph by key; the longest if a key has several lengths. Views in old files count as their root.
std::map<std::string, TorchStorage, std::less<>> storagesOf(const PickleGraph& graph);

/// A tensor as the call that rebuilds it describes it. All numbers count values, not bytes.
struct TorchTensor {
  TorchStorage storage;
  NumberFormat format;
  std::uint64_t first = 0;  ///< index of its first value in the storage
  std::vector<std::int64_t> shape, strides;
  std::string unreadable;            ///< what it is, if not a plain tensor: "torch._utils._rebuild_qtensor"
  PickleRef numpyBytes = kNoObject;  ///< a NumPy array: Bytes, or a call of _codecs.encode; storage is unused
  bool fortran = false;              ///< of a NumPy array: column-major
};
/// Empty if `ref` is not a tensor. If the tensor is broken, `wrong` is set to the end of a sentence.
std::optional<TorchTensor> tensorOf(const PickleGraph& graph, PickleRef ref, std::string& wrong);

/// The value of an Integer; empty for anything else.
std::optional<std::int64_t> integerOf(const PickleGraph& graph, PickleRef ref);

}  // namespace sepx::checkpoint
