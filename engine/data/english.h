// SPDX-License-Identifier: Apache-2.0
// English-like text from a small grammar, so that a language model can be trained without a download. Its dependencies
// are long: a verb agrees with its subject across relative clauses and attractors ("The keys that the old man near the
// gates has are red."), pronouns with the hero of a paragraph some sentences back ("Anna ... she ... herself"),
// quotation marks and brackets close, lists end with "and". A function of the seed alone. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sepx::data {

/// Paragraphs of 3 to 6 sentences, one paragraph per line, until there are at least `sentences` sentences. A shorter
/// text is the beginning of a longer one with the same seed.
std::string englishText(std::uint64_t seed, std::int64_t sentences);

/// A position where one form is right and one is wrong. Only the subject, `distance` bytes back, decides which: text +
/// right is a grammatical beginning, text + wrong is not.
struct Agreement {
  std::string text, right, wrong;
  std::size_t distance = 0;
};
/// `count` such positions, in paragraphs that englishText(seed, ...) does not contain.
std::vector<Agreement> englishAgreement(std::uint64_t seed, std::size_t count);

}  // namespace sepx::data
