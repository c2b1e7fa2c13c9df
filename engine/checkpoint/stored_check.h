// SPDX-License-Identifier: Apache-2.0
// Verifies the checksums of zip archives (PyTorch, NumPy) whose entries are read in place. Each entry is checked once,
// when its values are needed, not when the file is opened. Any thread.
#pragma once

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

/// BadInput with the file and the name of the zip entry if the bytes that hold `tensor` do not match the CRC-32 in the
/// archive's directory. Succeeds for a tensor that is in no archive, was unpacked (and checked) before, or has no
/// checksum (0, as PyTorch writes if checksums are turned off). Reads the whole entry. `cancelled` is called every few
/// megabytes with the share 0; Interrupted if it returns true.
Result<void> checkStored(const Checkpoint& checkpoint, const TensorInfo& tensor, const Cancelled& cancelled = {});

}  // namespace sepx::checkpoint
