// SPDX-License-Identifier: Apache-2.0
#include "engine/data/artificial.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/data/sequence_stream.h"

namespace sepx::data {
namespace {

/// Sequences of a fixed length over `tokens` ordinary tokens; the derived class generates one sequence.
class Artificial : public Source {
 public:
  Artificial(std::uint64_t seed, double jitter, int tokens, int length)
      : seed_(seed), jitter_(jitter), tokens_(tokens), length_(length) {}

  int vocabulary() const override { return tokens_ + 1; }
  std::int32_t maskToken() const override { return tokens_; }
  std::int32_t lastWord() const override { return tokens_; }
  std::string word(std::int32_t token) const override {
    return token == tokens_ ? std::string("[MASK]") : std::to_string(token);
  }
  int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const override {
    RandomStream random = sequenceStream(seed_, split, index);
    std::vector<std::int32_t> whole = make(random);
    if (split == Split::Train && jitter_ > 0)
      for (std::int32_t& token : whole)
        if (random.uniform() < jitter_) token = another(token, random);
    const int valid = std::min(length, length_);
    std::fill_n(std::copy_n(whole.begin(), valid, out.begin()), length - valid, 0);
    return valid;
  }

 protected:
  virtual std::vector<std::int32_t> make(RandomStream& random) const = 0;
  std::int32_t any(RandomStream& random) const {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(tokens_)));
  }

 private:
  std::int32_t another(std::int32_t token, RandomStream& random) const {
    const auto other = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(tokens_ - 1)));
    return other < token ? other : other + 1;
  }

  std::uint64_t seed_;
  double jitter_;
  int tokens_, length_;
};

class Repeats final : public Artificial {
 public:
  Repeats(std::uint64_t seed, double jitter) : Artificial(seed, jitter, kRepeatsTokens, kRepeatsLength) {}

 protected:
  std::vector<std::int32_t> make(RandomStream& random) const override {
    std::vector<std::int32_t> whole;
    std::array<std::int32_t, kRepeatsTokens> order{};
    while (whole.size() < kRepeatsLength) {
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(i)]);
      for (const std::int32_t token : order)
        whole.insert(whole.end(), 1 + random.below(4), token);
    }
    whole.resize(kRepeatsLength);
    return whole;
  }
};

class Mirrored final : public Artificial {
 public:
  Mirrored(std::uint64_t seed, double jitter) : Artificial(seed, jitter, kMirroredTokens, kMirroredLength) {}

 protected:
  std::vector<std::int32_t> make(RandomStream& random) const override {
    std::vector<std::int32_t> whole;
    while (whole.size() < kMirroredHalf) {
      const std::int32_t token = any(random);
      whole.insert(whole.end(), 1 + random.below(3), token);
    }
    whole.resize(kMirroredLength);
    for (std::size_t n = 0; n < kMirroredHalf; ++n)
      whole[kMirroredLength - 1 - n] = whole[n];
    return whole;
  }
};

}  // namespace

std::unique_ptr<Source> makeRepeats(std::uint64_t seed, double jitter) {
  return std::make_unique<Repeats>(seed, jitter);
}

std::unique_ptr<Source> makeMirrored(std::uint64_t seed, double jitter) {
  return std::make_unique<Mirrored>(seed, jitter);
}

}  // namespace sepx::data
