// SPDX-License-Identifier: Apache-2.0
// See shown_token.h.
#include "ui/exhibits/training/shared/shown_token.h"

#include "engine/checkpoint/vocabulary.h"

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

}  // namespace sepx::ui
