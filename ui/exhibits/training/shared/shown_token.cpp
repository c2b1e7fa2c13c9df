// SPDX-License-Identifier: Apache-2.0
// See shown_token.h.
#include "ui/exhibits/training/shared/shown_token.h"

#include <fmt/format.h>

#include "engine/checkpoint/vocabulary.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

std::string shownToken(const std::string& word) {
  checkpoint::Vocabulary one;
  one.tokens = {word};
  one.marks = checkpoint::Vocabulary::Marks::ByteLevel;
  std::string shown;
  for (const char c : one.shown(0)) {
    if (c == ' ')
      shown += "\u2423";
    else
      shown += c;
  }
  return shown;
}

std::string notInVocabulary(const std::vector<std::string>& unknown) {
  std::string all;
  for (const std::string& word : unknown)
    all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", word == "\n" ? "\\n" : word);
  return unknown.size() == 1 ? trFormat("{} is not in the vocabulary of this run; type what occurs in its data", all)
                             : trFormat("{} are not in the vocabulary of this run; type what occurs in its data", all);
}

}  // namespace sepx::ui
