// SPDX-License-Identifier: Apache-2.0
// The numbers of a tensor: rows of row-major tensors are decoded where they lie, views by their strides.
#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_check.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

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

/// Where the columns [col0, col1) of a view lie behind the first value of their row.
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

/// A transposed matrix: what is a column of the view lies in one piece.
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

/// What was read of a large tensor need not stay in this process's memory: the system keeps it while there is room, and
/// whoever reads it again finds it there.
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
  return file.stillThere();
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
