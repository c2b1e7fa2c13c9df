// SPDX-License-Identifier: Apache-2.0
// How well a few typed letters fit a line of text: they must occur in it in this order; beginnings of words and letters
// next to each other count more, text skipped costs. Case and accents do not matter. Pure; any thread.
#pragma once

#include <optional>

#include <QString>
#include <QVector>

namespace sepx::app {

struct FuzzyMatch {
  int score = 0;
  QVector<int> places;  ///< of the letters, in the text
};

/// Nothing when a letter does not occur. Blanks in `typed` separate words that may come in any order. An empty `typed`
/// fits everything equally.
std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text);

}  // namespace sepx::app
