// SPDX-License-Identifier: Apache-2.0
// The safetensors format: 8 bytes little-endian length N, N bytes of JSON padded with blanks to a multiple of 8, then
// the values in the given order. It is written in pieces, so that no second copy of a model is made.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include <nlohmann/json.hpp>

#include "engine/core/file_writer.h"
#include "engine/core/try.h"
#include "engine/train/safetensors_writer.h"

namespace sepx::train {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they lie in memory");

constexpr std::size_t kPiece = std::size_t{1} << 16;  // values
constexpr std::size_t kAlignment = 8;

std::size_t countOf(const ExportedTensor& tensor) {
  std::size_t count = 1;
  for (const std::int64_t side : tensor.shape)
    count *= static_cast<std::size_t>(side);
  return count;
}

/// Fills `piece` with values in the order of the file, from value `index` on.
void fillPiece(const ExportedTensor& tensor, std::size_t index, std::span<float> piece) {
  const std::span<const float> values = tensor.own.empty() ? tensor.values : std::span<const float>(tensor.own);
  if (values.empty()) {
    std::fill(piece.begin(), piece.end(), tensor.fill);
  } else if (!tensor.transposed) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(index), piece.size(), piece.begin());
  } else {
    const auto rows = static_cast<std::size_t>(tensor.shape[0]);
    const auto columns = static_cast<std::size_t>(tensor.shape[1]);
    for (float& value : piece) {
      value = values[(index % columns) * rows + index / columns];
      ++index;
    }
  }
}

std::string headerOf(std::span<const ExportedTensor> tensors, const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const ExportedTensor& tensor : tensors) {
    const std::uint64_t end = offset + countOf(tensor) * sizeof(float);
    header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

}  // namespace

std::vector<float> valuesOf(const ExportedTensor& tensor) {
  std::vector<float> values(countOf(tensor));
  fillPiece(tensor, 0, values);
  return values;
}

Result<void> streamSafetensors(const PieceSink& sink, std::span<const ExportedTensor> tensors,
                               const std::map<std::string, std::string>& metadata) {
  const std::string header = headerOf(tensors, metadata);
  const std::uint64_t length = header.size();
  char prefix[sizeof length];
  std::memcpy(prefix, &length, sizeof length);
  SEPX_TRY(sink({prefix, sizeof prefix}));
  SEPX_TRY(sink(header));
  std::vector<float> buffer(kPiece);
  for (const ExportedTensor& tensor : tensors) {
    const std::size_t count = countOf(tensor);
    assert(tensor.own.empty() ? tensor.values.empty() || tensor.values.size() == count : tensor.own.size() == count);
    for (std::size_t at = 0; at < count; at += kPiece) {
      const std::span<float> piece(buffer.data(), std::min(kPiece, count - at));
      fillPiece(tensor, at, piece);
      SEPX_TRY(sink({reinterpret_cast<const char*>(piece.data()), piece.size_bytes()}));
    }
  }
  return {};
}

Result<void> writeSafetensors(const std::string& path, std::span<const ExportedTensor> tensors,
                              const std::map<std::string, std::string>& metadata) {
  SEPX_ASSIGN(const auto writer, FileWriter::begin(path));
  const PieceSink sink = [&writer](std::string_view piece) { return writer->write(piece); };
  SEPX_TRY(streamSafetensors(sink, tensors, metadata));
  return writer->commit();
}

}  // namespace sepx::train
