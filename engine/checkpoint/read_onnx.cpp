// SPDX-License-Identifier: Apache-2.0
// Reads the initialisers (and constants) of an ONNX graph. PyTorch's exporter keeps the parameters' names, except for
// the weight of a Linear layer, y = x W^T: it stores W^T [in, out] under a number ("onnx::MatMul_123"). Such a weight
// is shown as in PyTorch, [out, in] with the layer's name, which is taken from the bias added to the product or from
// the node's path.
// Field numbers of onnx.proto: ModelProto {ir_version 1, producer_name 2, producer_version 3, graph 7, opset_import 8,
// metadata_props 14}; GraphProto {node 1, name 2, initializer 5, sparse_initializer 15}; NodeProto {input 1, output 2,
// name 3, op_type 4, attribute 5}; AttributeProto {name 1, t 5}.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/onnx_tensor.h"
#include "engine/checkpoint/protobuf.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

using Kind = ProtoField::Kind;
constexpr std::size_t kMostMetadata = 64;

struct Node {
  std::vector<std::string_view> inputs;
  std::string_view output, name, operation;
  std::span<const std::byte> value;  ///< the tensor of a Constant
};

/// Whether a name is only a number: "onnx::MatMul_123" or, from old exporters, "123".
bool anonymous(std::string_view name) {
  return name.starts_with("onnx::") || name.find_first_not_of("0123456789") == std::string_view::npos;
}

class OnnxReader {
 public:
  explicit OnnxReader(std::shared_ptr<const MappedFile> file) : file_(file) {
    contents_.format = Format::Onnx;
    contents_.files.push_back(std::move(file));
  }
  Result<Contents> read();

 private:
  Result<void> readModel();
  Result<void> readGraph(std::span<const std::byte> graph);
  Result<void> readConstants(std::span<const std::byte> graph);
  Result<void> nameLinears(std::span<const std::byte> graph);
  Node readNode(std::span<const std::byte> message) const;
  void note(std::string_view key, std::string_view value);
  void noticeBias(const Node& node);
  void rename(std::size_t tensor, const std::string& module);
  Result<void> wholeOf(const ProtoReader& reader, std::span<const std::byte> message) const;

  std::shared_ptr<const MappedFile> file_;
  Contents contents_;
  OnnxTensors tensors_{file_, contents_};
  std::map<std::string, std::size_t, std::less<>> byName_;  ///< not hashed: names could be chosen to collide
  std::map<std::string_view, std::size_t> products_;        ///< output of a MatMul -> its anonymous weight
  std::map<std::size_t, std::string_view> paths_;           ///< weight -> name of its node
  std::size_t renamed_ = 0;
};

Result<void> OnnxReader::wholeOf(const ProtoReader& reader, std::span<const std::byte> message) const {
  if (!reader.broken()) return {};
  const auto at = static_cast<std::uint64_t>(message.data() - file_->bytes().data()) + reader.at();
  return fail(ErrorKind::BadInput,
              fmt::format("{}: byte {}: is not a protocol buffer from here on; the file is cut off or "
                          "is not an ONNX model",
                          file_->path(), at));
}

void OnnxReader::note(std::string_view key, std::string_view value) {
  if (contents_.metadata.size() >= kMostMetadata || key.size() > 200 || value.size() > 2000) return;
  const auto printable = [](std::string_view text) {
    return !findInvalidUtf8(text) && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20; });
  };
  if (!printable(key) || !printable(value) || value.empty()) return;
  contents_.metadata[std::string(key)] = value;
}

Node OnnxReader::readNode(std::span<const std::byte> message) const {
  Node node;
  ProtoReader reader(message);
  while (const auto field = reader.next()) {
    if (field->is(1, Kind::Bytes) && node.inputs.size() < 4) node.inputs.push_back(field->text());
    if (field->is(2, Kind::Bytes) && node.output.empty()) node.output = field->text();
    if (field->is(3, Kind::Bytes)) node.name = field->text();
    if (field->is(4, Kind::Bytes)) node.operation = field->text();
    if (!field->is(5, Kind::Bytes)) continue;
    ProtoReader attribute(field->bytes);
    while (const auto part = attribute.next())
      if (part->is(5, Kind::Bytes)) node.value = part->bytes;
  }
  return node;
}

Result<void> OnnxReader::readModel() {
  ProtoReader reader(file_->bytes());
  std::string_view producer, version;
  bool graphs = false;
  while (const auto field = reader.next()) {
    if (field->is(1, Kind::Varint)) note("ir_version", std::to_string(field->value));
    if (field->is(2, Kind::Bytes)) producer = field->text();
    if (field->is(3, Kind::Bytes)) version = field->text();
    if (field->is(7, Kind::Bytes)) {
      if (std::exchange(graphs, true)) {
        return fail(ErrorKind::BadInput, fmt::format("{}: byte {}: a second graph; a model has one", file_->path(),
                                                     field->bytes.data() - file_->bytes().data()));
      }
      SEPX_TRY(readGraph(field->bytes));
    }
    if (!field->is(8, Kind::Bytes) && !field->is(14, Kind::Bytes)) continue;
    std::string_view first;
    std::uint64_t opset = 0;
    std::string_view second;
    ProtoReader pair(field->bytes);
    while (const auto part = pair.next()) {
      if (part->is(1, Kind::Bytes)) first = part->text();
      if (part->is(2, Kind::Bytes)) second = part->text();
      if (part->is(2, Kind::Varint)) opset = part->value;
    }
    if (field->number == 8 && (first.empty() || first == "ai.onnx")) note("opset", std::to_string(opset));
    if (field->number == 14) note(first, second);
  }
  note("producer", fmt::format("{}{}{}", producer, version.empty() ? "" : " ", version));
  return wholeOf(reader, file_->bytes());
}

Result<void> OnnxReader::readGraph(std::span<const std::byte> graph) {
  ProtoReader reader(graph);
  while (const auto field = reader.next()) {
    if (field->is(5, Kind::Bytes)) SEPX_TRY(tensors_.add(field->bytes));
    if (!field->is(15, Kind::Bytes)) continue;
    ProtoReader sparse(field->bytes);  // SparseTensorProto {values 1, indices 2, dims 3}; the values carry the name
    while (const auto part = sparse.next()) {
      if (!part->is(1, Kind::Bytes)) continue;
      SEPX_TRY(tensors_.add(part->bytes));
      contents_.tensors.back().dtype = Dtype::Unreadable;
      contents_.tensors.back().dtypeName = "sparse";
    }
  }
  SEPX_TRY(wholeOf(reader, graph));
  SEPX_TRY(readConstants(graph));
  return nameLinears(graph);
}

Result<void> OnnxReader::readConstants(std::span<const std::byte> graph) {
  ProtoReader reader(graph);
  while (const auto field = reader.next()) {
    if (!field->is(1, Kind::Bytes)) continue;
    const Node node = readNode(field->bytes);
    // Small constants, such as single numbers and shapes, are not weights.
    if (node.operation != "Constant" || node.value.size() < 64 || node.output.empty()) continue;
    SEPX_TRY(tensors_.add(node.value, node.output));
  }
  return {};
}

void OnnxReader::rename(std::size_t tensor, const std::string& module) {
  TensorInfo& info = contents_.tensors[tensor];
  const std::string name = module + ".weight";
  if (module.empty() || findInvalidUtf8(name) || byName_.contains(name)) return;
  byName_.emplace(name, tensor);
  info.name = name;
  info.strides = {1, info.shape[1]};
  std::swap(info.shape[0], info.shape[1]);
  ++renamed_;
}

/// In y = x W^T + b the bias has kept its name, "….query.bias".
void OnnxReader::noticeBias(const Node& node) {
  constexpr std::string_view kBias = ".bias";
  for (std::size_t i = 0; i < node.inputs.size() && i < 2; ++i) {
    const auto product = products_.find(node.inputs[i]);
    const std::string_view other = node.inputs[1 - i];
    if (product == products_.end() || !other.ends_with(kBias) || !byName_.contains(std::string(other))) continue;
    if (!paths_.contains(product->second)) return;
    paths_.erase(product->second);
    rename(product->second, std::string(other.substr(0, other.size() - kBias.size())));
    return;
  }
}

Result<void> OnnxReader::nameLinears(std::span<const std::byte> graph) {
  for (std::size_t i = 0; i < contents_.tensors.size(); ++i)
    byName_.emplace(contents_.tensors[i].name, i);
  ProtoReader reader(graph);
  while (const auto field = reader.next()) {
    if (!field->is(1, Kind::Bytes)) continue;
    const Node node = readNode(field->bytes);
    if (node.operation == "Add" && node.inputs.size() == 2) noticeBias(node);
    if (node.operation != "MatMul" || node.inputs.size() != 2 || !anonymous(node.inputs[1])) continue;
    const auto weight = byName_.find(std::string(node.inputs[1]));
    if (weight == byName_.end()) continue;
    const TensorInfo& info = contents_.tensors[weight->second];
    if (info.shape.size() != 2 || !info.strides.empty() || info.dtype == Dtype::Unreadable) continue;
    products_.emplace(node.output, weight->second);
    paths_.emplace(weight->second, node.name);
  }
  // Without a bias, the name is taken from the node's path: "/encoder/layer.0/attention/self/query/MatMul".
  for (const auto& [tensor, path] : paths_) {
    const std::size_t end = path.rfind('/');
    if (!path.starts_with('/') || end == 0 || end == std::string_view::npos) continue;
    std::string module(path.substr(1, end - 1));
    std::replace(module.begin(), module.end(), '/', '.');
    rename(tensor, module);
  }
  if (renamed_ > 0) {
    contents_.notes.push_back(
        fmt::format("{} {} of linear layers had lost {} and {} shown as PyTorch has {}, [out, in]", renamed_,
                    renamed_ == 1 ? "weight" : "weights", renamed_ == 1 ? "its name" : "their names",
                    renamed_ == 1 ? "is" : "are", renamed_ == 1 ? "it" : "them"));
  }
  return {};
}

Result<Contents> OnnxReader::read() {
  SEPX_TRY(readModel());
  if (contents_.tensors.empty()) {
    return fail(ErrorKind::BadInput,
                fmt::format("{}: the ONNX model has no initialisers, so it has no weights", file_->path()));
  }
  return std::move(contents_);
}

}  // namespace

Result<Contents> readOnnx(std::shared_ptr<const MappedFile> file) {
  return OnnxReader(std::move(file)).read();
}

}  // namespace sepx::checkpoint
