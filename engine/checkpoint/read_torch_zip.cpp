// SPDX-License-Identifier: Apache-2.0
// PyTorch's zip container.
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

Result<Contents> readTorchZip(std::shared_ptr<const MappedFile> file) {
  return fail(ErrorKind::BadInput, file->path() + ": PyTorch zip files cannot be opened by this build.");
}

}  // namespace sepx::checkpoint
