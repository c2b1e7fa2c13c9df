// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/torch_storage.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/core/terminal_text.h"

namespace sepx::checkpoint {

namespace {

struct Row {
  std::string_view storage, torch, numpy;
  Dtype dtype;
  std::uint64_t bytes;
};

constexpr std::array<Row, 31> kRows = {{
    {"DoubleStorage", "float64", "f8", Dtype::F64, 8},
    {"FloatStorage", "float32", "f4", Dtype::F32, 4},
    {"HalfStorage", "float16", "f2", Dtype::F16, 2},
    {"BFloat16Storage", "bfloat16", "", Dtype::BF16, 2},
    {"LongStorage", "int64", "i8", Dtype::I64, 8},
    {"IntStorage", "int32", "i4", Dtype::I32, 4},
    {"ShortStorage", "int16", "i2", Dtype::I16, 2},
    {"CharStorage", "int8", "i1", Dtype::I8, 1},
    {"ByteStorage", "uint8", "u1", Dtype::U8, 1},
    {"BoolStorage", "bool", "b1", Dtype::Bool, 1},
    {"UntypedStorage", "", "", Dtype::U8, 1},
    {"TypedStorage", "", "", Dtype::U8, 1},
    {"", "uint64", "u8", Dtype::U64, 8},
    {"", "uint32", "u4", Dtype::U32, 4},
    {"", "uint16", "u2", Dtype::U16, 2},
    {"", "float8_e4m3fn", "", Dtype::F8_E4M3, 1},
    {"", "float8_e5m2", "", Dtype::F8_E5M2, 1},
    {"", "float8_e4m3fnuz", "", Dtype::Unreadable, 1},
    {"", "float8_e5m2fnuz", "", Dtype::Unreadable, 1},
    {"", "double", "", Dtype::F64, 8},
    {"", "float", "", Dtype::F32, 4},
    {"", "half", "", Dtype::F16, 2},
    {"", "long", "", Dtype::I64, 8},
    {"", "int", "", Dtype::I32, 4},
    {"ComplexFloatStorage", "complex64", "c8", Dtype::Unreadable, 8},
    {"ComplexDoubleStorage", "complex128", "c16", Dtype::Unreadable, 16},
    {"QInt8Storage", "qint8", "", Dtype::Unreadable, 1},
    {"QUInt8Storage", "quint8", "", Dtype::Unreadable, 1},
    {"QInt32Storage", "qint32", "", Dtype::Unreadable, 4},
    {"QUInt4x2Storage", "quint4x2", "", Dtype::Unreadable, 1},
    {"QUInt2x4Storage", "quint2x4", "", Dtype::Unreadable, 1},
}};

NumberFormat formatBy(std::string_view Row::*column, std::string_view word) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.*column == word; });
  if (word.empty() || found == kRows.end()) return {Dtype::Unreadable, 0, plainWord(word)};
  const std::string_view shown = found->torch.empty() ? word : found->torch;
  return {found->dtype, found->bytes, std::string(shown)};
}

/// The lengths in a tuple, or in torch.Size of one, if they are integers of at least 0.
std::optional<std::vector<std::int64_t>> lengths(const PickleGraph& graph, PickleRef ref) {
  if (ref == kNoObject) return std::nullopt;
  if (graph.at(ref).kind == PickleKind::Call) {
    const auto& arguments = graph.at(graph.at(ref).second).items;
    if (graph.qualified(ref) != "torch.Size" || arguments.size() != 1) return std::nullopt;
    ref = arguments[0];
  }
  const PickleObject& tuple = graph.at(ref);
  if (tuple.kind != PickleKind::Tuple && tuple.kind != PickleKind::List) return std::nullopt;
  if (tuple.items.size() > 64) return std::nullopt;
  std::vector<std::int64_t> values;
  for (const PickleRef item : tuple.items) {
    const auto value = integerOf(graph, item);
    if (!value || *value < 0) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// From the arguments (storage, first value, shape, strides, …) of _rebuild_tensor, _v2, and _v3 (dtype seventh).
TorchTensor plainTensor(const PickleGraph& graph, const std::vector<PickleRef>& arguments, std::string_view name,
                        std::string& wrong) {
  TorchTensor tensor;
  const auto refuse = [&](const char* what) {
    wrong = what;
    return tensor;
  };
  if (arguments.size() < 4) return refuse("is made from too few arguments");
  const auto storage = storageOf(graph, arguments[0]);
  if (!storage) return refuse("is made from something that is not a storage");
  const auto first = integerOf(graph, arguments[1]);
  auto shape = lengths(graph, arguments[2]), strides = lengths(graph, arguments[3]);
  if (!first || *first < 0) return refuse("has an invalid offset into its storage");
  if (!shape || !strides || shape->size() != strides->size()) return refuse("has no usable shape and strides");
  tensor.storage = *storage;
  tensor.format = storage->format;
  tensor.first = storage->first + static_cast<std::uint64_t>(*first);
  if (name == "_rebuild_tensor_v3") {
    if (arguments.size() < 7 || graph.at(arguments[6]).kind != PickleKind::Global)
      return refuse("names no number format");
    tensor.format = torchFormat(graph.at(graph.at(arguments[6]).second).text);
    tensor.first = static_cast<std::uint64_t>(*first);
  }
  tensor.shape = std::move(*shape);
  tensor.strides = std::move(*strides);
  return tensor;
}

/// "<f4" for numpy.dtype('f4', …) with state (3, '<', …); empty if it is not a numpy.dtype.
std::string descrOf(const PickleGraph& graph, PickleRef ref) {
  const PickleObject& call = graph.at(ref);
  if (call.kind != PickleKind::Call || graph.qualified(ref) != "numpy.dtype") return {};
  const auto& arguments = graph.at(call.second).items;
  if (arguments.empty() || graph.at(arguments[0]).kind != PickleKind::Text) return {};
  std::string order = "|";
  if (call.state != kNoObject && graph.at(call.state).items.size() >= 2) {
    const PickleObject& word = graph.at(graph.at(call.state).items[1]);
    if (word.kind == PickleKind::Text && word.text.size() == 1) order = word.text;
  }
  return order + std::string(graph.at(arguments[0]).text.substr(0, 16));
}

/// An array from numpy's _reconstruct with the state (1, shape, dtype, fortran, bytes).
TorchTensor numpyArray(const PickleGraph& graph, PickleRef state, std::string& wrong) {
  TorchTensor tensor;
  const std::vector<PickleRef> none;
  const auto& items = state == kNoObject ? none : graph.at(state).items;
  const auto shape = items.size() < 5 ? std::nullopt : lengths(graph, items[1]);
  if (!shape) {
    wrong = "is a NumPy array without its contents";
    return tensor;
  }
  const std::string descr = descrOf(graph, items[2]);
  tensor.shape = *shape;
  tensor.fortran = graph.at(items[3]).integer != 0;
  tensor.format = numpyFormat(descr);
  if (descr.starts_with('>')) wrong = "is a big-endian NumPy array; only little-endian ones are read";
  if (graph.at(items[4]).kind == PickleKind::Bytes || graph.qualified(items[4]) == "_codecs.encode") {
    tensor.numpyBytes = items[4];
  } else {
    tensor.unreadable = "NumPy array of objects";
  }
  return tensor;
}

constexpr std::array<std::string_view, 8> kNotPlain = {"_rebuild_qtensor",
                                                       "_rebuild_sparse_tensor",
                                                       "_rebuild_sparse_csr_tensor",
                                                       "_rebuild_meta_tensor_no_storage",
                                                       "_rebuild_nested_tensor",
                                                       "_rebuild_wrapper_subclass",
                                                       "_rebuild_device_tensor_from_numpy",
                                                       "_rebuild_device_tensor_from_cpu_tensor"};

/// A quantised, sparse, … tensor: listed with its shape if the call gives one, but not read.
TorchTensor otherTensor(const PickleGraph& graph, const std::vector<PickleRef>& arguments, const std::string& what) {
  TorchTensor tensor;
  tensor.unreadable = what;
  if (arguments.size() > 2) tensor.shape = lengths(graph, arguments[2]).value_or(std::vector<std::int64_t>{});
  return tensor;
}

}  // namespace

std::string plainWord(std::string_view text) {
  return text.empty() ? "unknown" : excerpt(text, 60);
}

NumberFormat storageFormat(std::string_view storageClass) {
  return formatBy(&Row::storage, storageClass);
}

NumberFormat torchFormat(std::string_view dtype) {
  return formatBy(&Row::torch, dtype);
}

NumberFormat numpyFormat(std::string_view descr) {
  const std::string_view word = descr.substr(
      descr.find_first_not_of("<>=|") == std::string_view::npos ? descr.size() : descr.find_first_not_of("<>=|"));
  NumberFormat format = formatBy(&Row::numpy, word == "?" ? "b1" : word);
  if (format.bytes == 0) format.name = plainWord(descr);
  return format;
}

std::optional<std::int64_t> integerOf(const PickleGraph& graph, PickleRef ref) {
  if (ref == kNoObject || graph.at(ref).kind != PickleKind::Integer) return std::nullopt;
  return graph.at(ref).integer;
}

std::optional<TorchStorage> storageOf(const PickleGraph& graph, PickleRef persistent) {
  if (persistent == kNoObject || graph.at(persistent).kind != PickleKind::Persistent) return std::nullopt;
  const PickleObject& id = graph.at(graph.at(persistent).first);
  if (id.kind != PickleKind::Tuple || id.items.size() < 5) return std::nullopt;
  const auto text = [&](std::size_t i) { return graph.at(id.items[i]).text; };
  if (graph.at(id.items[0]).kind != PickleKind::Text || text(0) != "storage") return std::nullopt;
  const PickleObject& type = graph.at(id.items[1]);
  if (type.kind != PickleKind::Global || graph.at(id.items[2]).kind != PickleKind::Text) return std::nullopt;
  constexpr std::size_t kLongestKey = 1000;  // PyTorch writes a number
  if (text(2).size() > kLongestKey) return std::nullopt;
  const auto values = integerOf(graph, id.items[4]);
  if (!values || *values < 0) return std::nullopt;
  TorchStorage storage{text(2), storageFormat(graph.at(type.second).text), static_cast<std::uint64_t>(*values), 0};
  if (id.items.size() > 5 && graph.at(id.items[5]).kind == PickleKind::Tuple) {
    const auto& view = graph.at(id.items[5]).items;  // (its own key, first value, length) of a view of the root storage
    const auto first = view.size() == 3 ? integerOf(graph, view[1]) : std::nullopt;
    if (!first || *first < 0) return std::nullopt;
    storage.first = static_cast<std::uint64_t>(*first);
  }
  return storage;
}

std::map<std::string, TorchStorage, std::less<>> storagesOf(const PickleGraph& graph) {
  std::map<std::string, TorchStorage, std::less<>> storages;
  for (PickleRef ref = 0; ref < graph.objects.size(); ++ref) {
    const auto storage = storageOf(graph, ref);
    if (!storage) continue;
    const auto [known, added] = storages.emplace(std::string(storage->key), *storage);
    if (!added && known->second.values < storage->values) known->second = *storage;
  }
  return storages;
}

std::optional<TorchTensor> tensorOf(const PickleGraph& graph, PickleRef ref, std::string& wrong) {
  for (int depth = 0; depth < 8 && ref != kNoObject; ++depth) {
    const PickleObject& object = graph.at(ref);
    if (object.kind != PickleKind::Call || graph.at(object.first).kind != PickleKind::Global) return std::nullopt;
    PickleRef callable = object.first;
    const std::vector<PickleRef>* arguments = &graph.at(object.second).items;
    if (graph.isGlobal(callable, "torch._tensor", "_rebuild_from_type_v2")) {  // (function, type, arguments, state)
      if (arguments->size() < 3 || graph.at((*arguments)[0]).kind != PickleKind::Global) return std::nullopt;
      callable = (*arguments)[0];
      arguments = &graph.at((*arguments)[2]).items;
    }
    const std::string_view module = graph.at(graph.at(callable).first).text;
    const std::string_view name = graph.at(graph.at(callable).second).text;
    if (name == "_reconstruct" && module.starts_with("numpy") && module.ends_with("multiarray")) {
      return numpyArray(graph, object.state, wrong);
    }
    if (module == "torch._utils" && name.starts_with("_rebuild_tensor"))
      return plainTensor(graph, *arguments, name, wrong);
    if (module == "torch._utils" && std::find(kNotPlain.begin(), kNotPlain.end(), name) != kNotPlain.end()) {
      return otherTensor(graph, *arguments, fmt::format("{}.{}", module, name));
    }
    const bool parameter = (module == "torch._utils" && name.starts_with("_rebuild_parameter")) ||
                           (module.starts_with("torch.nn.parameter") && (name == "Parameter" || name == "Buffer"));
    if (!parameter || arguments->empty()) return std::nullopt;
    ref = arguments->front();
  }
  return std::nullopt;
}

}  // namespace sepx::checkpoint
