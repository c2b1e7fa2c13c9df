// SPDX-License-Identifier: Apache-2.0
// Requirements that the tests check for every source. Test code only.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/data/source_config.h"

namespace sepx::test {

inline std::unique_ptr<data::Source> sourceOf(const data::SourceConfig& config) {
  auto source = data::makeSource(config);
  if (!source) throw std::runtime_error(source.error().message);
  return std::move(*source);
}

/// The sequence without its padding.
inline std::vector<std::int32_t> sequenceOf(const data::Source& source, data::Split split, std::uint64_t index,
                                            int length) {
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(length), -7);
  const int valid = source.sequence(split, index, length, tokens);
  for (std::size_t n = static_cast<std::size_t>(valid); n < tokens.size(); ++n)
    if (tokens[n] != 0) throw std::runtime_error("padding is not 0");
  tokens.resize(static_cast<std::size_t>(valid));
  return tokens;
}

/// Empty if sequence i does not depend on earlier requests and differs from other sequences, splits and seeds.
inline std::string impure(data::SourceConfig config, int length) {
  const auto first = sourceOf(config), second = sourceOf(config);
  const auto early = sequenceOf(*first, data::Split::Train, 17, length);
  for (std::uint64_t i = 0; i < 40; ++i)
    sequenceOf(*second, i % 3 == 0 ? data::Split::Validation : data::Split::Train, 39 - i, length);
  if (sequenceOf(*second, data::Split::Train, 17, length) != early) return "depends on what was asked before";
  if (sequenceOf(*first, data::Split::Train, 18, length) == early) return "neighbours are equal";
  if (sequenceOf(*first, data::Split::Validation, 17, length) == early) return "the splits are equal";
  ++config.seed;
  if (sequenceOf(*sourceOf(config), data::Split::Train, 17, length) == early) return "seeds are equal";
  for (const std::int32_t token : early)
    if (token < first->firstWord() || token >= first->lastWord()) return "a token is not a word";
  return {};
}

}  // namespace sepx::test
