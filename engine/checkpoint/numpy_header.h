// SPDX-License-Identifier: Apache-2.0
// The head of an .npy array: magic, version (1 to 3) and a Python dictionary as text, {'descr', 'fortran_order',
// 'shape'}, read by a parser that knows nothing else. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/checkpoint/checkpoint.h"

namespace sepx::checkpoint {

/// The array at the begin of `bytes` as a tensor; `info.offset` counts from there. BadInput: "{place}: byte N: …";
/// big-endian arrays and arrays of Python objects among them.
Result<TensorInfo> readNumpyHeader(std::span<const std::byte> bytes, const std::string& place);

}  // namespace sepx::checkpoint
