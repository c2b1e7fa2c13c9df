// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "engine/checkpoint/checkpoint_check.h"
#include "engine/checkpoint/read_folder.h"
#include "engine/checkpoint/title.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace fs = std::filesystem;

namespace {

bool isInteger(Dtype dtype) {
  return dtype >= Dtype::I64 && dtype <= Dtype::Bool;
}

constexpr std::size_t kLongestFormatName = 80;  ///< bytes

/// Moments and other tensors that a training checkpoint keeps beside its model, "OPTIMIZER_STATE.state.0.exp_avg".
bool isOptimiserState(std::string_view name) {
  std::string first(name.substr(0, name.find('.')));
  std::transform(first.begin(), first.end(), first.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return first.find("optim") != std::string::npos;
}

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    fine_ = context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
  }
  void add(std::span<const std::byte> bytes) {
    fine_ = fine_ && EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1;
  }
  Result<std::string> text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    fine_ = fine_ && EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1;
    if (!fine_) return fail(ErrorKind::Internal, "SHA-256 is not available in this system's OpenSSL");
    std::string text;
    for (unsigned i = 0; i < length; ++i)
      text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
  bool fine_ = false;
};

}  // namespace

const char* name(Format format) {
  switch (format) {
    case Format::Safetensors:
      return "safetensors";
    case Format::TorchZip:
      return "PyTorch zip";
    case Format::TorchLegacy:
      return "PyTorch legacy pickle";
    case Format::Gguf:
      return "GGUF";
    case Format::Llama2c:
      return "llama2.c";
    case Format::Onnx:
      return "ONNX";
    case Format::Npy:
      return "NumPy npy";
    case Format::Npz:
      return "NumPy npz";
  }
  return "";
}

std::uint64_t TensorInfo::values() const {
  return valuesOf(shape).value_or(0);
}

Result<std::shared_ptr<const Checkpoint>> Checkpoint::open(const std::string& path, const Cancelled& cancelled) {
  auto found = readWeights(path, cancelled);
  if (!found) return fail(found.error().kind, readable(found.error().message));
  std::shared_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->path_ = path;
  checkpoint->folder_ = std::move(found->folder);
  for (const auto& file : found->contents.files)
    SEPX_TRY(file->checkNotTruncated());
  SEPX_TRY(checkpoint->take(std::move(found->contents)));
  return checkpoint;
}

Result<std::shared_ptr<const Checkpoint>> Checkpoint::ofTensors(Contents contents, const std::string& name) {
  std::shared_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->path_ = name;
  SEPX_TRY(checkpoint->take(std::move(contents)));
  return checkpoint;
}

Result<void> Checkpoint::take(Contents made) {
  contents_ = std::move(made);
  Contents& contents = contents_;
  if (auto fine = check(contents, path_); !fine) return fail(fine.error().kind, readable(fine.error().message));
  sortByName(contents.tensors);
  for (TensorInfo& tensor : contents.tensors)
    if (tensor.dtype == Dtype::Unreadable) tensor.dtypeName = readable(tensor.dtypeName.substr(0, kLongestFormatName));
  for (std::string& note : contents.notes)
    note = readable(note);
  if (const std::size_t aliases = markAliases(contents.tensors); aliases > 0) {
    contents.notes.push_back(aliases == 1 ? "1 tensor shows the same bytes as another"
                                          : fmt::format("{} tensors show the same bytes as others", aliases));
  }
  for (std::size_t i = 0; i < contents.tensors.size(); ++i)
    byName_.emplace(contents.tensors[i].name, i);
  return {};
}

std::string Checkpoint::title() const {
  return titleOf(path_);
}

std::string Checkpoint::name() const {
  return nameOf(path_);
}

const TensorInfo* Checkpoint::find(std::string_view asked) const {
  const auto found = byName_.find(asked);
  return found == byName_.end() ? nullptr : &contents_.tensors[found->second];
}

std::uint64_t Checkpoint::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : contents_.files)
    bytes += file->size();
  return bytes;
}

std::uint64_t Checkpoint::parameters() const {
  std::uint64_t values = 0;
  for (const TensorInfo& tensor : contents_.tensors)
    if (tensor.aliasOf.empty() && !isInteger(tensor.dtype) && !isOptimiserState(tensor.name)) values += tensor.values();
  return values;
}

Result<std::string> Checkpoint::sha256(const Cancelled& cancelled) const {
  constexpr std::size_t kStep = std::size_t{4} << 20;
  const double all = static_cast<double>(bytes());
  double done = 0;
  Sha256 hash;
  for (const auto& file : contents_.files) {
    for (std::size_t at = 0; at < file->size(); at += kStep) {
      if (cancelled && cancelled(done / all)) return fail(ErrorKind::Interrupted, "stopped while hashing " + path_);
      const auto piece = file->bytes().subspan(at, std::min<std::size_t>(kStep, file->size() - at));
      hash.add(piece);
      SEPX_TRY(file->checkNotTruncated());
      file->release(at, piece.size());
      done += static_cast<double>(piece.size());
    }
  }
  return hash.text();
}

// Reading the values of a tensor: row-major tensors are decoded in place, views by their strides.

namespace {

/// A tensor as a matrix, and a range of it.
struct Part {
  std::int64_t rows = 1, columns = 1;  ///< of the whole
  std::int64_t row0 = 0, row1 = 0, col0 = 0, col1 = 0;

  std::size_t width() const { return static_cast<std::size_t>(col1 - col0); }
};

Result<Part> partOf(const std::string& path, const TensorInfo& tensor, std::int64_t row0, std::int64_t row1,
                    std::int64_t col0, std::int64_t col1) {
  Part part{1, 1, row0, row1, col0, col1};
  for (std::size_t i = 0; i < tensor.shape.size(); ++i)
    (i == 0 ? part.rows : part.columns) *= tensor.shape[i];
  if (row0 < 0 || row1 < row0 || row1 > part.rows || col0 < 0 || col1 < col0 || col1 > part.columns) {
    return broken(path, fmt::format("tensor {} is {} x {}: it has no rows {} to {}, columns {} to {}",
                                    inQuotes(tensor.name), part.rows, part.columns, row0, row1, col0, col1));
  }
  return part;
}

template <class Out>
void decodeRowMajor(const TensorInfo& tensor, const std::byte* data, const Part& part, Out* out) {
  const auto columns = static_cast<std::size_t>(part.columns), col0 = static_cast<std::size_t>(part.col0);
  const auto row0 = static_cast<std::size_t>(part.row0), row1 = static_cast<std::size_t>(part.row1);
  if (part.width() == columns) return decode(tensor.dtype, data, row0 * columns, (row1 - row0) * columns, out);
  for (std::size_t row = row0; row < row1; ++row, out += part.width())
    decode(tensor.dtype, data, row * columns + col0, part.width(), out);
}

/// Offsets of the columns [col0, col1) of a view from the first value of their row.
std::vector<std::size_t> placesOfColumns(const TensorInfo& tensor, const Part& part) {
  std::vector<std::size_t> places(part.width());
  for (std::size_t j = 0; j < places.size(); ++j) {
    std::int64_t rest = part.col0 + static_cast<std::int64_t>(j), place = 0;
    for (std::size_t i = tensor.shape.size(); i-- > 1;) {
      place += rest % tensor.shape[i] * tensor.strides[i];
      rest /= tensor.shape[i];
    }
    places[j] = static_cast<std::size_t>(place);
  }
  return places;
}

/// A transposed matrix: each column of the view is contiguous.
template <class Out>
void decodeColumns(const TensorInfo& tensor, const std::byte* data, const Part& part, Out* out) {
  const auto places = placesOfColumns(tensor, part);
  const auto row0 = static_cast<std::size_t>(part.row0), rows = static_cast<std::size_t>(part.row1 - part.row0);
  constexpr std::size_t kBand = 64;  ///< rows at a time, so that the lines being written stay in the cache
  std::array<Out, kBand> column;
  for (std::size_t first = 0; first < rows; first += kBand) {
    const std::size_t count = std::min(kBand, rows - first);
    for (std::size_t j = 0; j < places.size(); ++j) {
      decode(tensor.dtype, data, places[j] + row0 + first, count, column.data());
      for (std::size_t i = 0; i < count; ++i)
        out[(first + i) * places.size() + j] = column[i];
    }
  }
}

template <class Out>
void decodeView(const TensorInfo& tensor, const std::byte* data, const Part& part, Out* out) {
  const auto rowStride = static_cast<std::size_t>(tensor.shape.empty() ? 0 : tensor.strides[0]);
  if (rowStride == 1) return decodeColumns(tensor, data, part, out);
  const auto places = placesOfColumns(tensor, part);
  const bool inOnePiece = places.empty() || [&] {
    for (std::size_t j = 0; j < places.size(); ++j)
      if (places[j] != places[0] + j) return false;
    return true;
  }();
  for (std::int64_t row = part.row0; row < part.row1; ++row, out += places.size()) {
    const std::size_t begin = static_cast<std::size_t>(row) * rowStride;
    if (inOnePiece) {
      if (!places.empty()) decode(tensor.dtype, data, begin + places[0], places.size(), out);
      continue;
    }
    for (std::size_t j = 0; j < places.size(); ++j)
      decode(tensor.dtype, data, begin + places[j], 1, out + j);
  }
}

/// Releases the pages of a large tensor that were read. The system keeps them in its cache while there is room, so that
/// reading them again is fast.
void releaseRead(const MappedFile& file, const TensorInfo& tensor, const Part& part) {
  constexpr std::uint64_t kLarge = std::uint64_t{4} << 20;
  if (tensor.bytes < kLarge || part.rows == 0) return;
  if (!tensor.strides.empty()) return file.release(tensor.offset, tensor.bytes);
  const std::uint64_t row = tensor.bytes / static_cast<std::uint64_t>(part.rows);
  const std::uint64_t length = row * static_cast<std::uint64_t>(part.row1 - part.row0);
  if (length >= kLarge) file.release(tensor.offset + row * static_cast<std::uint64_t>(part.row0), length);
}

template <class Out>
Result<void> readPart(const Checkpoint& checkpoint, const TensorInfo& tensor, std::int64_t row0, std::int64_t row1,
                      std::int64_t col0, std::int64_t col1, std::span<Out> out) {
  assert(tensor.stored || tensor.file < checkpoint.files().size());
  const bool inFile = tensor.file < checkpoint.files().size();
  const std::string& path = inFile ? checkpoint.files()[tensor.file]->path() : checkpoint.path();
  SEPX_ASSIGN(const auto part, partOf(path, tensor, row0, row1, col0, col1));
  if (tensor.dtype == Dtype::Unreadable) {
    return broken(path, fmt::format("tensor {} is stored as {}, which cannot be decoded here", inQuotes(tensor.name),
                                    tensor.dtypeName));
  }
  assert(out.size() >= static_cast<std::size_t>(row1 - row0) * part.width());
  if (row0 == row1 || col0 == col1) return {};
  const std::byte* const data =
      tensor.stored ? tensor.stored->data() : checkpoint.files()[tensor.file]->bytes().data() + tensor.offset;
  if (tensor.strides.empty()) {
    decodeRowMajor(tensor, data, part, out.data());
  } else {
    decodeView(tensor, data, part, out.data());
  }
  if (tensor.stored) return {};
  const MappedFile& file = *checkpoint.files()[tensor.file];
  releaseRead(file, tensor, part);
  return file.checkNotTruncated();
}

}  // namespace

Result<void> Checkpoint::read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                              std::int64_t col1, std::span<double> out) const {
  return readPart(*this, tensor, row0, row1, col0, col1, out);
}

Result<void> Checkpoint::read(const TensorInfo& tensor, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                              std::int64_t col1, std::span<float> out) const {
  return readPart(*this, tensor, row0, row1, col0, col1, out);
}

}  // namespace sepx::checkpoint
