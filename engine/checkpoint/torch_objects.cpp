// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/torch_objects.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/torch_settings.h"
#include "engine/core/json.h"
#include "engine/core/terminal_text.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

namespace {

using Kind = PickleKind;

constexpr int kDeepest = 64;      ///< keys in a name
constexpr int kMostOnPath = 256;  ///< objects, including states of objects, which have no keys
/// A container may have several names, but a small pickle must not multiply itself by sharing.
constexpr std::uint64_t kVisitsAnObject = 4, kFreeVisits = 1000;
/// Bytes of all names together: sharing may make the names of a small pickle long, so they are limited.
constexpr std::size_t kFreeNames = std::size_t{1} << 20, kNamesAByte = 16, kMostNames = std::size_t{256} << 20;
constexpr std::size_t kMostClasses = 1000;  ///< that are counted
/// A view of more than kFreeValues values may repeat the stored ones (stride 0) at most kMostRepeats times. Larger ones
/// are listed, up to kMostListed values, and not read.
constexpr std::uint64_t kFreeValues = std::uint64_t{1} << 24, kMostRepeats = 1024, kMostListed = std::uint64_t{1} << 32;
constexpr std::uint64_t kMostCopied = std::uint64_t{512} << 20;

class Walker {
 public:
  Walker(const PickleGraph& graph, const TorchSource& source, Contents& contents)
      : graph_(graph), source_(source), contents_(contents), onPath_(graph.objects.size(), false) {}

  Result<void> run();

 private:
  void visit(PickleRef ref);
  void visitPairs(const PickleObject& object);
  void visitState(PickleRef state);
  void visitNamed(std::string_view key, PickleRef ref);
  void add(const TorchTensor& tensor);
  bool placeStorage(const TorchTensor& tensor, std::uint64_t span, TensorInfo& info);
  bool placeNumpy(const TorchTensor& tensor, TensorInfo& info);
  bool mayCopy(std::uint64_t bytes);
  void wrong(std::string_view what);
  void describe();

  const PickleGraph& graph_;
  const TorchSource& source_;
  Contents& contents_;
  std::vector<bool> onPath_;  ///< objects from the root to the current one, since a container may contain itself
  std::string name_;
  std::vector<std::uint32_t> keys_;  ///< ends of the keys within name_
  std::vector<std::vector<std::uint32_t>> depths_;
  std::uint64_t visits_ = 0, copied_ = 0;
  std::size_t names_ = 0;
  int onPathNow_ = 0;
  std::set<std::string> classes_;
  std::optional<Error> error_;
};

void Walker::wrong(std::string_view what) {
  if (error_) return;
  const std::string part = source_.part.empty() ? std::string() : fmt::format("{}: ", source_.part);
  error_ = Error{ErrorKind::BadInput, fmt::format("{}: {}tensor {} {}", source_.path, part, inQuotes(name_), what)};
}

void Walker::visitNamed(std::string_view key, PickleRef ref) {
  const std::size_t length = name_.size();
  if (!name_.empty()) name_ += '.';
  // Appends only enough to show that the name is too long.
  name_ += key.substr(0, kLongestName + 1 - std::min(name_.size(), kLongestName + 1));
  keys_.push_back(static_cast<std::uint32_t>(name_.size()));
  visit(ref);
  keys_.pop_back();
  if (!error_) name_.resize(length);
}

void Walker::visit(PickleRef ref) {
  if (error_ || ref == kNoObject) return;
  if (++visits_ > kFreeVisits + kVisitsAnObject * graph_.objects.size()) {
    return wrong("is one of a pickle whose containers share one another without end");
  }
  const PickleObject& object = graph_.at(ref);
  std::string trouble;
  if (const auto tensor = tensorOf(graph_, ref, trouble)) {
    if (!trouble.empty()) return wrong(trouble);
    return add(*tensor);
  }
  const bool holds =
      object.kind == Kind::Dict || object.kind == Kind::Tuple || object.kind == Kind::List || object.kind == Kind::Call;
  if (!holds || onPath_[ref]) return;
  if (keys_.size() >= kDeepest) return wrong(fmt::format("lies in containers nested more than {} deep", kDeepest));
  if (++onPathNow_ > kMostOnPath) return wrong(fmt::format("lies in objects nested more than {} deep", kMostOnPath));
  onPath_[ref] = true;
  if (object.kind == Kind::Dict || object.pairs) {
    visitPairs(object);
  } else {
    for (std::size_t i = 0; i < object.items.size() && !error_; ++i)
      visitNamed(std::to_string(i), object.items[i]);
  }
  if (object.kind == Kind::Call && object.state != kNoObject && !object.pairs) {
    if (classes_.size() < kMostClasses) classes_.insert(graph_.qualified(ref));
    visitState(object.state);
  }
  onPath_[ref] = false;
  --onPathNow_;
}

void Walker::visitPairs(const PickleObject& object) {
  for (std::size_t i = 0; i + 1 < object.items.size() && !error_; i += 2) {
    const PickleObject& key = graph_.at(object.items[i]);
    if (key.kind == Kind::Text) {
      visitNamed(key.text, object.items[i + 1]);
    } else {
      visitNamed(std::to_string(key.kind == Kind::Integer ? key.integer : static_cast<std::int64_t>(i / 2)),
                 object.items[i + 1]);
    }
  }
}

/// Visits __dict__ of an object, or (__dict__, __slots__). A module keeps its weights in three dictionaries in it.
void Walker::visitState(PickleRef state) {
  if (error_) return;
  const PickleObject& object = graph_.at(state);
  if (object.kind == Kind::Tuple) {
    for (const PickleRef item : object.items)
      if (graph_.at(item).kind == Kind::Dict) visitState(item);
    return;
  }
  constexpr std::size_t kOrdinary = 128;  // items of a module's own dictionary, which may be shared by many
  if (object.items.size() > kOrdinary) visits_ += object.items.size() / 2;  // searched for the names below
  bool module = false;
  for (const std::string_view own : {"_parameters", "_buffers", "_modules"}) {
    const PickleRef ref = graph_.lookUp(state, own);
    if (ref == kNoObject) continue;
    module = true;
    visit(ref);
  }
  if (!module) visit(state);
}

void Walker::add(const TorchTensor& tensor) {
  if (contents_.tensors.size() >= kMostTensors)
    return wrong(fmt::format("is one of more than {} tensors", kMostTensors));
  if (name_.size() > kLongestName) return wrong(fmt::format("has a name of more than {} bytes", kLongestName));
  names_ += name_.size();
  if (names_ > std::min(kMostNames, kFreeNames + kNamesAByte * source_.pickle.size()))
    return wrong("is one of too many with too long names");
  TensorInfo info;
  info.name = name_.empty() ? "tensor" : name_;
  info.dtype = tensor.format.dtype;
  info.dtypeName = tensor.format.dtype == Dtype::Unreadable ? tensor.format.name : name(tensor.format.dtype);
  info.shape = tensor.shape;
  if (info.shape.size() > kMostDimensions) return wrong(fmt::format("has {} dimensions", info.shape.size()));
  const auto values = valuesOf(info.shape);
  if (!values) return wrong("has a shape whose product overflows");
  if (!tensor.unreadable.empty()) {
    info.dtype = Dtype::Unreadable;
    info.dtypeName = tensor.unreadable;
  } else if (tensor.numpyBytes != kNoObject) {
    if (!placeNumpy(tensor, info)) return;
  } else {
    // The index of the last value that shape and strides reach.
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < info.shape.size() && *values > 0; ++i) {
      std::uint64_t reach = 0;
      if (__builtin_mul_overflow(static_cast<std::uint64_t>(info.shape[i] - 1),
                                 static_cast<std::uint64_t>(tensor.strides[i]), &reach) ||
          __builtin_add_overflow(last, reach, &last) || last >= UINT64_MAX / 32)
        return wrong("has strides that lead out of its storage");
    }
    if (!placeStorage(tensor, *values == 0 ? 0 : last + 1, info)) return;
    if (*values > kFreeValues && *values / kMostRepeats > last) {
      if (*values > kMostListed)
        return wrong(fmt::format("claims {} values of a storage of {}", *values, tensor.storage.values));
      info.dtype = Dtype::Unreadable;
      info.dtypeName += ", repeated";
    }
  }
  contents_.tensors.push_back(std::move(info));
  depths_.push_back(keys_);
}

void keep(std::vector<std::byte> bytes, TensorInfo& info) {
  info.bytes = bytes.size();
  info.stored = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}

/// The strides, or none if the values are row-major.
std::vector<std::int64_t> stridesUnlessPlain(const std::vector<std::int64_t>& shape,
                                             const std::vector<std::int64_t>& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return strides;
    expected *= std::max<std::int64_t>(shape[i], 1);
  }
  return {};
}

/// Called before a copy is made; false if there are too many bytes to copy.
bool Walker::mayCopy(std::uint64_t bytes) {
  copied_ += bytes;
  if (copied_ > kMostCopied) wrong("is one of too many that had to be copied");
  return copied_ <= kMostCopied;
}

bool Walker::placeStorage(const TorchTensor& tensor, std::uint64_t span, TensorInfo& info) {
  const std::uint64_t item = tensor.format.bytes;
  if (item == 0) {  // an unknown format, listed by its name
    info.dtype = Dtype::Unreadable;
    return true;
  }
  Result<StoragePlace> place = source_.place(tensor.storage);
  if (!place) {
    error_ = place.error();
    return false;
  }
  const std::uint64_t held = place->bytes / item;
  if (tensor.first > held || span > held - tensor.first) {
    wrong(fmt::format("reaches to value {} of the storage {}, which has {}", tensor.first + span,
                      inQuotes(tensor.storage.key), held));
    return false;
  }
  info.strides = stridesUnlessPlain(tensor.shape, tensor.strides);
  info.bytes = span * item;
  info.offset = place->offset + tensor.first * item;
  if (!place->unpacked) return true;
  if (info.offset == 0) {
    info.stored = place->unpacked;
    return true;
  }
  if (!mayCopy(info.bytes)) return false;
  const auto begin = place->unpacked->begin() + static_cast<std::ptrdiff_t>(info.offset);
  keep({begin, begin + static_cast<std::ptrdiff_t>(info.bytes)}, info);
  return true;
}

/// The first `most` code points of a text, each as one byte.
std::vector<std::byte> codePoints(std::string_view text, std::uint64_t most) {
  std::vector<std::byte> bytes;
  bytes.reserve(most);
  constexpr std::size_t kPiece = 1 << 16;  // decoded text takes four times the memory
  while (!text.empty() && bytes.size() < most) {
    const std::string_view piece = text.substr(0, characterBoundary(text, std::min(text.size(), kPiece)));
    for (const char32_t code : decodeUtf8(piece)) {
      if (bytes.size() == most) break;
      bytes.push_back(static_cast<std::byte>(code & 0xFF));
    }
    text.remove_prefix(piece.size());
  }
  return bytes;
}

/// The bytes of a NumPy array are in the pickle itself: as bytes, or (protocol 2) as a text of the same code points.
bool Walker::placeNumpy(const TorchTensor& tensor, TensorInfo& info) {
  const PickleObject& object = graph_.at(tensor.numpyBytes);
  std::string_view bytes = object.text;
  std::vector<std::byte> decoded;
  if (object.kind == Kind::Call) {
    const auto& arguments = graph_.at(object.second).items;
    if (arguments.empty() || graph_.at(arguments[0]).kind != Kind::Text) {
      wrong("is a NumPy array without its bytes");
      return false;
    }
    bytes = graph_.at(arguments[0]).text;
  }
  const std::uint64_t item = tensor.format.bytes, values = valuesOf(tensor.shape).value_or(0);
  std::uint64_t size = bytes.size();  // of a text, at least the number of its code points
  if (object.kind == Kind::Call && item > 0 && values <= size / item) {
    if (!mayCopy(size)) return false;
    decoded = codePoints(bytes, values * item);
    size = decoded.size();
  }
  if (item == 0) {
    info.dtype = Dtype::Unreadable;
    return true;
  }
  if (values > size / item) {
    wrong(fmt::format("is a NumPy array of {} values in {} bytes", values, size));
    return false;
  }
  if (tensor.fortran) {
    std::int64_t stride = 1;
    for (const std::int64_t length : tensor.shape) {
      info.strides.push_back(stride);
      stride *= std::max<std::int64_t>(length, 1);
    }
  }
  if (object.kind == Kind::Call) {
    keep(std::move(decoded), info);
    return true;
  }
  const auto at = static_cast<std::uint64_t>(bytes.data() - reinterpret_cast<const char*>(source_.pickle.data()));
  if (source_.pickleUnpacked || at > source_.pickle.size()) {
    const auto* const first = reinterpret_cast<const std::byte*>(bytes.data());
    if (!mayCopy(bytes.size())) return false;
    keep({first, first + bytes.size()}, info);
    return true;
  }
  info.offset = source_.pickleOffset + at;
  info.bytes = values * item;
  return true;
}

/// Adds a note about the objects of unknown classes.
void Walker::describe() {
  if (classes_.empty()) return;
  std::string list;
  std::size_t listed = 0;
  for (const std::string& one : classes_) {
    if (listed++ == 3) break;
    list += (list.empty() ? "" : ", ") + inQuotes(one);
  }
  contents_.notes.push_back(fmt::format(
      "objects of {} {} ({}{}) were taken as plain containers; no code was run",
      classes_.size() == kMostClasses ? fmt::format("at least {}", kMostClasses) : std::to_string(classes_.size()),
      classes_.size() == 1 ? "class" : "classes", list, classes_.size() > 3 ? ", …" : ""));
}

Result<void> Walker::run() {
  visit(graph_.root);
  if (error_) return tl::unexpected(*error_);
  if (contents_.tensors.empty()) {
    const PickleObject& root = graph_.at(graph_.root);
    return fail(ErrorKind::BadInput,
                fmt::format("{}: byte {}{}: the pickle holds no tensors", source_.path, root.offset,
                            source_.part.empty() ? "" : fmt::format(" of {}", source_.part)));
  }
  describe();
  shortenNames(contents_, depths_);
  readTorchSettings(graph_, contents_);
  return {};
}

}  // namespace

Result<void> readTorchObjects(const PickleGraph& graph, const TorchSource& source, Contents& contents) {
  return Walker(graph, source, contents).run();
}

}  // namespace sepx::checkpoint
