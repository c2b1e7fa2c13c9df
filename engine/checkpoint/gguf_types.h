// SPDX-License-Identifier: Apache-2.0
// The number formats of GGUF by their numbers: name, block, and what of it can be decoded. Private to
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

/// Nothing for a number that no format has.
std::optional<GgufType> ggufType(std::uint32_t number);

}  // namespace sepx::checkpoint
