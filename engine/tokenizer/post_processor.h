// SPDX-License-Identifier: Apache-2.0
// The tokens that a tokenizer.json puts around a text. Private to engine/tokenizer; pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/tokenizer/fields.h"

namespace sepx::tokenizer {

struct SurroundingTokens {  ///< ids put around a text
  std::vector<std::uint32_t> before, after;
};

/// Reads TemplateProcessing, RobertaProcessing, BertProcessing, ByteLevel (adds nothing) and Sequence. BadInput names
/// an unknown component.
Result<SurroundingTokens> readPostProcessor(const Json& json, int depth = 0);

}  // namespace sepx::tokenizer
