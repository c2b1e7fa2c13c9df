// SPDX-License-Identifier: Apache-2.0
// Reads one NumPy array as a tensor with the name of the file.
#include <filesystem>

#include <fmt/format.h>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/numpy_header.h"
#include "engine/core/try.h"
#include "engine/core/utf8.h"

namespace sepx::checkpoint {

Result<Contents> readNpy(std::shared_ptr<const MappedFile> file) {
  SEPX_ASSIGN(TensorInfo tensor, readNumpyHeader(file->bytes(), file->path()));
  if (tensor.dtype == Dtype::Unreadable) {
    return fail(ErrorKind::BadInput, fmt::format("{}: byte 10: an array of {}, which is not a matrix of real numbers",
                                                 file->path(), tensor.dtypeName));
  }
  tensor.name = std::filesystem::path(file->path()).stem().string();
  if (tensor.name.empty() || findInvalidUtf8(tensor.name)) tensor.name = "array";
  Contents contents;
  contents.format = Format::Npy;
  contents.files.push_back(std::move(file));
  contents.tensors.push_back(std::move(tensor));
  return contents;
}

}  // namespace sepx::checkpoint
