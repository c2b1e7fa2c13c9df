// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/vocabulary.h"

#include <algorithm>

namespace sepx::checkpoint {

std::string Vocabulary::shown(std::int64_t token) const {
  if (token < 0 || static_cast<std::size_t>(token) >= tokens.size()) return {};
  return tokens[static_cast<std::size_t>(token)];
}

std::optional<std::int64_t> Vocabulary::find(std::string_view text) const {
  const auto at = std::find(tokens.begin(), tokens.end(), text);
  if (at == tokens.end()) return std::nullopt;
  return at - tokens.begin();
}

std::vector<std::int64_t> Vocabulary::complete(std::string_view text, std::size_t most) const {
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < tokens.size() && found.size() < most; ++i) {
    if (shown(static_cast<std::int64_t>(i)).starts_with(text)) found.push_back(static_cast<std::int64_t>(i));
  }
  return found;
}

Result<Vocabulary> readVocabulary(const Checkpoint&) {
  return Vocabulary{};
}

}  // namespace sepx::checkpoint
