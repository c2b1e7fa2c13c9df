// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE that is stored as a list of its tokens in the order of their creation (tiktoken's ranks, Mistral's
// tekken.json): two adjacent tokens may be merged when their concatenation is a token, the lowest rank first. Private
// to engine/tokenizer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/tokenizer/parts.h"

namespace sepx::tokenizer {

class RankedTokens {
 public:
  /// The token of rank r has the id first + r.
  explicit RankedTokens(std::uint32_t first = 0) : first_(first), scores_(first) {}

  /// BadInput: `base64` is not base64, the rank is not the next one, or an error of Vocab::add.
  Result<void> add(std::string_view base64, std::uint64_t rank);
  std::size_t count() const { return scores_.size() - first_; }
  /// The parts of the tokenizer, which splits texts at `expression`. BadInput: the expression, or an error of
  /// assemble().
  Result<std::unique_ptr<Parts>> parts(std::string from, const std::string& expression,
                                       std::vector<AddedToken> added) &&;

 private:
  std::uint32_t first_ = 0;
  Vocab vocab_;
  std::vector<double> scores_;  ///< by id: the negative rank
};

}  // namespace sepx::tokenizer
