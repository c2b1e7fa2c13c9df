// SPDX-License-Identifier: Apache-2.0
// The checksums of zip archives (PyTorch, NumPy) whose entries are read where they lie in the file. Checked when values
// are wanted, not when the file is opened, and once an entry. Any thread.
#pragma once

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

/// BadInput with the file and the name of the zip entry when the bytes that hold `tensor` are not those that the
/// archive's directory has the CRC-32 of. Fine for what lies in no archive, was unpacked (and checked) before, or has
/// no checksum (0, as PyTorch writes where a person turned it off). Reads the whole entry; `cancelled` is asked every
/// few megabytes, with the share of it, and ends it as Interrupted.
Result<void> checkStored(const Checkpoint& checkpoint, const TensorInfo& tensor, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint
