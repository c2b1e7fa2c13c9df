// SPDX-License-Identifier: Apache-2.0
// ONNX initialisers.
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

Result<Contents> readOnnx(std::shared_ptr<const MappedFile> file) {
  return fail(ErrorKind::BadInput, file->path() + ": ONNX files cannot be opened by this build.");
}

}  // namespace sepx::checkpoint
