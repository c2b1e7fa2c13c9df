// SPDX-License-Identifier: Apache-2.0
// Windows of a tokenised text. The end of the text is the validation split. The start of a training window is drawn
// from (seed, index); validation windows follow each other and start over after the last. Any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/data/source.h"
#include "engine/data/source_config.h"
#include "engine/data/tokeniser.h"

namespace sepx::data {

/// A source whose tokens come from a text.
class TokenisedSource : public Source {
 public:
  virtual const Tokeniser& tokeniser() const = 0;  ///< tokeniser of the text
  /// Number of tokens of a split.
  virtual std::size_t tokens(Split split) const = 0;
};

/// Usage for a value outside its range; BadInput, whose message begins with `name`, for a text that cannot be tokenised
/// or is too short to be split. Words are shown byte by byte (byteLevel()); [MASK] is the last token.
Result<std::unique_ptr<Source>> makeTextSource(std::string text, const SourceConfig& config, const std::string& name);

/// Checks the part of `config` that does not depend on the text.
Result<void> checkText(const SourceConfig& config);

}  // namespace sepx::data
