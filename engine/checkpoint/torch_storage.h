// SPDX-License-Identifier: Apache-2.0
// The words of PyTorch inside a pickle: storages (runs of numbers that lie outside the pickle) and the calls that make
// tensors of them, taken as descriptions. Pure; any thread.
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
  std::uint64_t bytes = 0;  ///< of one value, also where it is Unreadable; 0: not known
  std::string name;
};
/// At most 60 bytes of `text`, made harmless; "unknown" for an empty one: for names of formats nobody knows.
std::string plainWord(std::string_view text);
/// "FloatStorage", "UntypedStorage", …
NumberFormat storageFormat(std::string_view storageClass);
/// "float32", "float8_e4m3fn", … as in torch.float32.
NumberFormat torchFormat(std::string_view dtype);
/// "<f4", "|u1", … of NumPy's descr, without structured ones.
NumberFormat numpyFormat(std::string_view descr);

/// What a persistent id of kind "storage" says.
struct TorchStorage {
  std::string_view key;
  NumberFormat format;
  std::uint64_t values = 0;
  std::uint64_t first = 0;  ///< of a view of old files: values before it in the storage named `key`
};
std::optional<TorchStorage> storageOf(const PickleGraph& graph, PickleRef persistent);
/// Every storage of the graph by key, the longest where several are said. Those of old views count by their roots.
std::map<std::string, TorchStorage, std::less<>> storagesOf(const PickleGraph& graph);

/// A tensor as the call that rebuilds it describes it. Everything in values, not bytes.
struct TorchTensor {
  TorchStorage storage;
  NumberFormat format;
  std::uint64_t first = 0;  ///< of its values in the storage
  std::vector<std::int64_t> shape, strides;
  std::string unreadable;            ///< what it is when it is not a plain tensor: "torch._utils._rebuild_qtensor"
  PickleRef numpyBytes = kNoObject;  ///< a NumPy array: Bytes, or a call of _codecs.encode; storage is unused
  bool fortran = false;              ///< of a NumPy array: the first index runs fastest
};
/// Nothing when `ref` is not a tensor. `wrong` is set when it is one and broken: a sentence's end.
std::optional<TorchTensor> tensorOf(const PickleGraph& graph, PickleRef ref, std::string& wrong);

/// A whole number, nothing for anything else.
std::optional<std::int64_t> integerOf(const PickleGraph& graph, PickleRef ref);

}  // namespace sepx::checkpoint
