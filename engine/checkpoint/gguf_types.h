// SPDX-License-Identifier: Apache-2.0
// The number formats of GGUF by their type numbers: name, block size, and whether they can be decoded. Private to
// engine/checkpoint. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/checkpoint/dtype.h"

namespace sepx::checkpoint {

struct GgufType {  ///< one number format of GGUF
  const char* name;
  Block block;
  Dtype dtype;  ///< Unreadable: listed only
};

/// Empty if no format has this number.
std::optional<GgufType> ggufType(std::uint32_t number);

}  // namespace sepx::checkpoint
