// SPDX-License-Identifier: Apache-2.0
// Masked: of the chosen positions (15 %), 80 % become [MASK], 10 % random, 10 % stay (BERT); or all [MASK]. Mean loss.
#include <string>

#include "engine/core/number.h"
#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

namespace {

constexpr double kMasked = 0.8, kMaskedOrRandom = 0.9;

/// A random token of [firstRandom, lastRandom) that is not [MASK].
std::int32_t randomToken(const Objective& objective, RandomStream& random) {
  const bool without = objective.maskToken >= objective.firstRandom && objective.maskToken < objective.lastRandom;
  const std::int64_t count = std::int64_t(objective.lastRandom) - objective.firstRandom - (without ? 1 : 0);
  if (count <= 0) return objective.maskToken;
  const std::int64_t token =
      objective.firstRandom + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
  return static_cast<std::int32_t>(without && token >= objective.maskToken ? token + 1 : token);
}

void hide(const Objective& objective, std::size_t row, RandomStream& random, Batch& out) {
  predict(out, row, out.tokens[row]);
  if (objective.plainMask) {
    out.tokens[row] = objective.maskToken;
    return;
  }
  const double u = random.uniform();
  if (u < kMasked)
    out.tokens[row] = objective.maskToken;
  else if (u < kMaskedOrRandom)
    out.tokens[row] = randomToken(objective, random);
}

/// Hides at least one position of a batch if any is valid.
void makeMasked(const Objective& objective, const Sequences& in, RandomStream& random, Batch& out) {
  std::uint64_t places = 0;
  for (int b = 0; b < in.count; ++b) {
    places += in.valid(b);
    for (std::size_t n = 0; n < in.valid(b); ++n)
      if (random.uniform() < objective.maskProbability) hide(objective, in.start(b) + n, random, out);
  }
  if (out.targets.empty() && places > 0) {
    std::uint64_t at = random.below(places);
    int b = 0;
    for (; at >= in.valid(b); ++b)
      at -= in.valid(b);
    hide(objective, in.start(b) + at, random, out);
  }
  weighMean(out);
}

Result<void> checkMasked(const Objective& objective, int vocabulary) {
  const auto text = [](auto value) { return std::to_string(value); };
  if (!(objective.maskProbability > 0 && objective.maskProbability <= 1))
    return fail(ErrorKind::Usage, "objective.mask_probability is " + formatShortest(objective.maskProbability) +
                                      "; it must be above 0 and at most 1 (0.15 is usual)");
  if (objective.plainMask) return {};
  const bool fits =
      objective.firstRandom >= 0 && objective.lastRandom <= vocabulary && objective.firstRandom < objective.lastRandom;
  const bool onlyMask =
      objective.lastRandom - objective.firstRandom == 1 && objective.firstRandom == objective.maskToken;
  if (!fits || onlyMask)
    return fail(ErrorKind::Usage, "objective: random replacements must come from the tokens [" +
                                      text(objective.firstRandom) + ", " + text(objective.lastRandom) + ") of " +
                                      text(vocabulary) +
                                      ", among which there is none; hide every chosen place plainly");
  return {};
}

}  // namespace

ObjectiveInfo describeMasked() {
  ObjectiveInfo info;
  info.word = "masked";
  info.sentence = "hidden or replaced tokens from all others";
  info.masks = true;
  info.share = [](const Objective& objective, int) { return objective.maskProbability; };
  info.check = checkMasked;
  info.make = makeMasked;
  return info;
}

}  // namespace sepx::nn
