// SPDX-License-Identifier: Apache-2.0
// NumPy's zip of arrays.
#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

Result<Contents> readNpz(std::shared_ptr<const MappedFile> file) {
  return fail(ErrorKind::BadInput, file->path() + ": .npz files cannot be opened by this build.");
}

}  // namespace sepx::checkpoint
