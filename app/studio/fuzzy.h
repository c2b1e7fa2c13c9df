// SPDX-License-Identifier: Apache-2.0
// Rates how well a few typed letters match a line of text. They must occur in it in this order; beginnings of words and
// adjacent letters count more, and skipped text lowers the score. Case and accents do not matter. Pure; any thread.
#pragma once

#include <optional>

#include <QString>
#include <QVector>

namespace sepx::app {

struct FuzzyMatch {
  int score = 0;
  QVector<int> places;  ///< of the letters, indices in the text
};

/// Empty when a letter does not occur. Blanks in `typed` separate words that may come in any order. An empty `typed`
/// matches everything equally.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

}  // namespace sepx::app
