// SPDX-License-Identifier: Apache-2.0
// The header of an .npy array: magic number, version (1 to 3) and a Python dictionary as text, {'descr',
// 'fortran_order', 'shape'}. The parser accepts nothing else. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

/// The array at the beginning of `bytes` as a tensor; `info.offset` counts from there. BadInput: "{place}: byte N: …",
/// also for big-endian arrays. Arrays of Python objects are Unreadable.
Result<TensorInfo> readNumpyHeader(std::span<const std::byte> bytes, const std::string& place);

}  // namespace sepx::checkpoint
