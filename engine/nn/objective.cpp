// SPDX-License-Identifier: Apache-2.0
// Masks and targets of the four losses. The draws of a batch come from one stream in the order of the places, so that
// a seed is a sequence of batches. Any thread.
#include "engine/nn/objective.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#include "engine/core/number.h"

namespace sepx::nn {

namespace {

constexpr double kMasked = 0.8, kMaskedOrRandom = 0.9;  ///< BERT's 80 % [MASK], 10 % random, 10 % kept

int validLength(std::span<const std::int32_t> lengths, int length, int b) {
  if (lengths.empty()) return length;
  return std::clamp(lengths[static_cast<std::size_t>(b)], 0, length);
}

/// Gives every target of the batch the same share of the loss.
void weighMean(Batch& out) {
  for (Target& target : out.targets)
    target.weight = static_cast<float>(1.0 / static_cast<double>(out.targets.size()));
}

void predict(Batch& out, std::size_t row, std::int32_t token, float weight = 0) {
  out.targets.push_back({static_cast<std::int32_t>(row), token, weight});
}

void makeNextToken(std::span<const std::int32_t> tokens, int sequences, int length,
                   std::span<const std::int32_t> lengths, Batch& out) {
  for (int b = 0; b < sequences; ++b) {
    const std::size_t start = static_cast<std::size_t>(b) * static_cast<std::size_t>(length);
    const std::size_t valid = static_cast<std::size_t>(validLength(lengths, length, b));
    for (std::size_t n = 0; n + 1 < valid; ++n)
      predict(out, start + n, tokens[start + n + 1]);
  }
  weighMean(out);
}

/// One of [firstRandom, lastRandom) that is not [MASK].
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

void makeMasked(const Objective& objective, int sequences, int length, std::span<const std::int32_t> lengths,
                RandomStream& random, Batch& out) {
  std::uint64_t places = 0;
  for (int b = 0; b < sequences; ++b) {
    const std::size_t start = static_cast<std::size_t>(b) * static_cast<std::size_t>(length);
    const std::size_t valid = static_cast<std::size_t>(validLength(lengths, length, b));
    places += valid;
    for (std::size_t n = 0; n < valid; ++n)
      if (random.uniform() < objective.maskProbability) hide(objective, start + n, random, out);
  }
  if (out.targets.empty() && places > 0) {
    std::uint64_t at = random.below(places);
    int b = 0;
    for (; at >= static_cast<std::uint64_t>(validLength(lengths, length, b)); ++b)
      at -= static_cast<std::uint64_t>(validLength(lengths, length, b));
    hide(objective, static_cast<std::size_t>(b) * static_cast<std::size_t>(length) + at, random, out);
  }
  weighMean(out);
}

void makeLeaveOneOut(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
                     std::span<const std::int32_t> lengths, Batch& out) {
  const std::size_t width = static_cast<std::size_t>(length);
  out.tokens.clear();
  out.lengths.clear();
  out.sequences = 0;
  for (int b = 0; b < sequences; ++b) {
    const std::span<const std::int32_t> whole = tokens.subspan(static_cast<std::size_t>(b) * width, width);
    const int valid = validLength(lengths, length, b);
    for (int i = 0; i < valid; ++i) {
      const std::size_t row = out.tokens.size() + static_cast<std::size_t>(i);
      out.tokens.insert(out.tokens.end(), whole.begin(), whole.end());
      predict(out, row, out.tokens[row]);
      out.tokens[row] = objective.maskToken;
      if (!lengths.empty()) out.lengths.push_back(valid);
      ++out.sequences;
    }
  }
  if (out.sequences == 0 && sequences > 0) {  // nothing is valid: a batch that asks for nothing
    out.tokens.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(width));
    out.lengths.assign(1, 0);
    out.sequences = 1;
  }
  weighMean(out);
}

/// 1, ..., B in random order: which part ((s-1)/B, s/B] of (0, 1] a sequence's lambda comes from.
std::vector<std::int32_t> strata(int sequences, RandomStream& random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(sequences));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t j = static_cast<std::size_t>(random.below(i + 1));
    order[i] = order[j];
    order[j] = static_cast<std::int32_t>(i + 1);
  }
  return order;
}

void makeDiffusion(const Objective& objective, int sequences, int length, std::span<const std::int32_t> lengths,
                   RandomStream& random, Batch& out) {
  const std::vector<std::int32_t> order = strata(sequences, random);
  const double count = sequences;
  for (int b = 0; b < sequences; ++b) {
    const double lambda = (order[static_cast<std::size_t>(b)] - random.uniform()) / count;  // (0, 1]: u < 1
    const float weight = static_cast<float>((objective.weighted ? 1 / lambda : 1) / count);
    const std::size_t start = static_cast<std::size_t>(b) * static_cast<std::size_t>(length);
    const std::size_t valid = static_cast<std::size_t>(validLength(lengths, length, b));
    for (std::size_t row = start; row < start + valid; ++row) {
      if (random.uniform() >= lambda) continue;
      predict(out, row, out.tokens[row], weight);
      out.tokens[row] = objective.maskToken;
    }
  }
}

}  // namespace

Result<void> check(const Objective& objective, int vocabulary) {
  const auto text = [](auto value) { return std::to_string(value); };
  const bool known = objective.kind == ObjectiveKind::NextToken || objective.kind == ObjectiveKind::Masked ||
                     objective.kind == ObjectiveKind::LeaveOneOut || objective.kind == ObjectiveKind::Diffusion;
  if (!known) return fail(ErrorKind::Usage, "objective.kind is none of the four objectives");
  if (objective.kind == ObjectiveKind::NextToken) return {};
  if (objective.maskToken < 0 || objective.maskToken >= vocabulary)
    return fail(ErrorKind::Usage,
                "objective: this loss hides tokens behind a mask token, and the data has none among its " +
                    text(vocabulary) + " (mask token " + text(objective.maskToken) +
                    "); choose data with a mask token, or the objective of the next token");
  if (objective.kind != ObjectiveKind::Masked) return {};
  if (!(objective.maskProbability > 0 && objective.maskProbability <= 1))
    return fail(ErrorKind::Usage, "objective.mask_probability is " + formatShortest(objective.maskProbability) +
                                      "; it must be above 0 and at most 1 (0.15 is usual)");
  if (objective.plainMask) return {};
  const bool fits =
      objective.firstRandom >= 0 && objective.lastRandom <= vocabulary && objective.firstRandom < objective.lastRandom;
  const bool onlyMask =
      objective.lastRandom - objective.firstRandom == 1 && objective.firstRandom == objective.maskToken;
  if (!fits || onlyMask)
    return fail(ErrorKind::Usage, "objective: random replacements are to come from the tokens [" +
                                      text(objective.firstRandom) + ", " + text(objective.lastRandom) + ") of " +
                                      text(vocabulary) +
                                      ", among which there is none; hide every chosen place plainly");
  return {};
}

void makeBatch(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
               std::span<const std::int32_t> lengths, RandomStream& random, Batch& out) {
  assert(tokens.size() == static_cast<std::size_t>(sequences) * static_cast<std::size_t>(length));
  assert(lengths.empty() || lengths.size() == static_cast<std::size_t>(sequences));
  out.sequences = sequences;
  out.length = length;
  out.targets.clear();
  out.allowed.clear();
  out.lengths.assign(lengths.begin(), lengths.end());
  if (objective.kind != ObjectiveKind::LeaveOneOut) out.tokens.assign(tokens.begin(), tokens.end());
  switch (objective.kind) {
    case ObjectiveKind::NextToken:
      return makeNextToken(tokens, sequences, length, lengths, out);
    case ObjectiveKind::Masked:
      return makeMasked(objective, sequences, length, lengths, random, out);
    case ObjectiveKind::LeaveOneOut:
      return makeLeaveOneOut(objective, tokens, sequences, length, lengths, out);
    case ObjectiveKind::Diffusion:
      return makeDiffusion(objective, sequences, length, lengths, random, out);
  }
}

}  // namespace sepx::nn
