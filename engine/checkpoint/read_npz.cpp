// SPDX-License-Identifier: Apache-2.0
// Reads NumPy's zip of arrays as np.savez (stored, read in place) and np.savez_compressed (unpacked within limits)
// write it.
#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/numpy_header.h"
#include "engine/checkpoint/zip_directory.h"
#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::checkpoint {

namespace {

constexpr std::string_view kEnding = ".npy";

/// After unpacking: `stored` gets the values of the array, without the header before them.
void keepValues(const ZipBytes& bytes, TensorInfo& tensor) {
  const auto begin = bytes.unpacked->begin() + static_cast<std::ptrdiff_t>(tensor.offset);
  tensor.stored =
      std::make_shared<const std::vector<std::byte>>(begin, begin + static_cast<std::ptrdiff_t>(tensor.bytes));
  tensor.offset = 0;
}

}  // namespace

Result<Contents> readNpz(std::shared_ptr<const MappedFile> file, const Cancelled& cancelled) {
  SEPX_ASSIGN(const ZipDirectory zip, ZipDirectory::read(file, cancelled));
  Contents contents;
  contents.format = Format::Npz;
  contents.files.push_back(file);
  Unpacked unpacked;
  for (const ZipEntry& entry : zip.entries()) {
    if (!entry.name.ends_with(kEnding)) continue;
    SEPX_ASSIGN(const ZipBytes bytes, zip.bytes(entry, unpacked));
    SEPX_ASSIGN(TensorInfo tensor,
                readNumpyHeader(bytes.bytes, fmt::format("{}: {}", file->path(), inQuotes(entry.name))));
    tensor.name = entry.name.substr(0, entry.name.size() - kEnding.size());
    if (bytes.unpacked) {
      keepValues(bytes, tensor);
    } else {
      tensor.offset += entry.data;
    }
    contents.tensors.push_back(std::move(tensor));
  }
  if (contents.tensors.empty()) {
    return fail(ErrorKind::BadInput, fmt::format("{}: a zip archive without .npy arrays", file->path()));
  }
  if (unpacked.bytes > 0) {
    contents.notes.push_back(fmt::format("{} bytes were compressed and had to be unpacked", unpacked.bytes));
  }
  return contents;
}

}  // namespace sepx::checkpoint
