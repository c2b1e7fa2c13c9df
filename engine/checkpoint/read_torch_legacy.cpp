// SPDX-License-Identifier: Apache-2.0
// PyTorch's files from before 1.6.
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

Result<Contents> readTorchLegacy(std::shared_ptr<const MappedFile> file) {
  return fail(ErrorKind::BadInput, file->path() + ": legacy PyTorch files cannot be opened by this build.");
}

}  // namespace sepx::checkpoint
