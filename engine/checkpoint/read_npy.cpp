// SPDX-License-Identifier: Apache-2.0
// NumPy arrays.
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

Result<Contents> readNpy(std::shared_ptr<const MappedFile> file) {
  return fail(ErrorKind::BadInput, file->path() + ": .npy files cannot be opened by this build.");
}

}  // namespace sepx::checkpoint
