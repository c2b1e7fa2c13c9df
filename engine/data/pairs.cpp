// SPDX-License-Identifier: Apache-2.0
#include "engine/data/pairs.h"

#include <algorithm>
#include <cmath>

#include "engine/core/random.h"
#include "engine/data/permutation.h"

namespace sepx::data {
namespace {

class Pairs final : public Source {
 public:
  explicit Pairs(std::uint64_t seed) : seed_(seed) {}

  int vocabulary() const override { return kPairVocabulary; }
  std::int32_t maskToken() const override { return kPairMask; }
  std::int32_t lastWord() const override { return kPairMask; }
  std::string word(std::int32_t token) const override {
    if (token < kPairLetters) return std::string(1, static_cast<char>('a' + token));
    if (token < kPairPlaceholder) return std::string(1, static_cast<char>('A' + token - kPairLetters));
    return token == kPairPlaceholder ? "0" : "[M]";
  }
  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override {
    const std::uint64_t count = pairCount(length);
    std::fill_n(out.begin(), length, kPairPlaceholder);
    if (count == 0) return length;
    const PairPlace place = pairPlace(
        split == Split::Train ? RandomStream(seed_, index).below(count) : permuted(index % count, count), length);
    out[static_cast<std::size_t>(place.i)] = place.letter;
    out[static_cast<std::size_t>(place.j)] = place.letter + kPairLetters;
    return length;
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

std::uint64_t pairCount(int length) {
  const std::uint64_t places = static_cast<std::uint64_t>(std::max(length, 0));
  return places < 2 ? 0 : kPairLetters * places * (places - 1) / 2;
}

PairPlace pairPlace(std::uint64_t index, int length) {
  PairPlace place;
  place.letter = static_cast<std::int32_t>(index % kPairLetters);
  std::uint64_t pair = index / kPairLetters;
  for (place.i = 0; place.i + 1 < length; ++place.i) {
    const std::uint64_t after = static_cast<std::uint64_t>(length - 1 - place.i);
    if (pair < after) break;
    pair -= after;
  }
  place.j = place.i + 1 + static_cast<int>(pair);
  return place;
}

double pairEntropy(int length) {
  const std::uint64_t count = pairCount(length);
  return count == 0 ? 0 : std::log(static_cast<double>(count));
}

double pairNextEntropy(int length) {
  if (length <= 2) return 0;  // the capital follows from the letter
  const double L = length, letter = 2 / L;
  const double first = -letter * std::log(letter / kPairLetters) - (1 - letter) * std::log1p(-letter);
  return (pairEntropy(length) - first) / (L - 1);
}

std::unique_ptr<Source> makePairs(std::uint64_t seed) {
  return std::make_unique<Pairs>(seed);
}

}  // namespace sepx::data
