// SPDX-License-Identifier: Apache-2.0
// See fuzzy.h. Finds the best placement of the letters by dynamic programming over (letter, place).
#include "app/studio/fuzzy.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace sepx::app {

namespace {

constexpr int kLetter = 10, kNext = 8, kWordStart = 9, kTextStart = 6, kSkipped = 1, kBreak = 7;
constexpr int kNone = std::numeric_limits<int>::min() / 2;
constexpr int kLongest = 200;  // characters of a text that are searched

/// Letters in lower case without accents, one for each character of the text.
QString plain(const QString& text) {
  QString result(text.left(kLongest));
  for (QChar& character : result) {
    const QString apart = character.decomposition();
    if (!apart.isEmpty() && character.decompositionTag() == QChar::Canonical) character = apart.front();
    character = character.toLower();
  }
  return result;
}

bool startsWord(const QString& text, int at) {
  if (at == 0) return true;
  const QChar here = text[at], before = text[at - 1];
  return here.isLetterOrNumber() && (!before.isLetterOrNumber() || (here.isUpper() && before.isLower()));
}

std::optional<FuzzyMatch> matchWord(const QString& word, const QString& text, const QString& shown) {
  const int letters = int(word.size()), size = int(text.size());
  if (letters > size) return std::nullopt;
  // best[i][j]: best score with letters 0..i placed, the last one at j.
  std::vector<std::vector<int>> best(std::size_t(letters), std::vector<int>(std::size_t(size), kNone)), from = best;
  for (int i = 0; i < letters; ++i) {
    int reach = kNone, reachAt = -1;  // best score that ends before j, less the cost of each skipped character
    for (int j = 0; j < size; ++j) {
      if (i > 0 && j > 0) {
        const int candidate = best[std::size_t(i - 1)][std::size_t(j - 1)];
        reach = std::max(reach - kSkipped, kNone);
        if (candidate > reach) {
          reach = candidate;
          reachAt = j - 1;
        }
      }
      if (word[i] != text[j] || (i > 0 && reachAt < 0)) continue;
      const int place = kLetter + (startsWord(shown, j) ? kWordStart : 0) + (j == 0 ? kTextStart : 0);
      const int gap = startsWord(shown, j) ? 0 : kBreak;  // the user hardly means letters scattered inside words
      int value = i == 0 ? place - std::min(j, kLetter) * kSkipped : reach + place - gap;
      int before = i == 0 ? -1 : reachAt;
      const int neighbour = i > 0 && j > 0 ? best[std::size_t(i - 1)][std::size_t(j - 1)] : kNone;
      if (neighbour > kNone && neighbour + place + kNext > value) {
        value = neighbour + place + kNext;
        before = j - 1;
      }
      best[std::size_t(i)][std::size_t(j)] = value;
      from[std::size_t(i)][std::size_t(j)] = before;
    }
  }
  const auto& last = best.back();
  const auto top = std::max_element(last.begin(), last.end());
  if (*top <= kNone) return std::nullopt;
  FuzzyMatch match{*top, QVector<int>(letters)};
  for (int i = letters - 1, j = int(top - last.begin()); i >= 0; --i) {
    match.places[i] = j;
    j = from[std::size_t(i)][std::size_t(j)];
  }
  return match;
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& typed, const QString& text) {
  FuzzyMatch all;
  const QString searched = plain(text), shown = text.left(kLongest);
  for (const QString& word : plain(typed).split(u' ', Qt::SkipEmptyParts)) {
    const auto match = matchWord(word, searched, shown);
    if (!match) return std::nullopt;
    all.score += match->score;
    all.places += match->places;
  }
  if (!all.places.isEmpty()) all.score -= int(shown.size()) / 8;  // of two equal matches, the shorter one wins
  return all;
}

}  // namespace sepx::app
