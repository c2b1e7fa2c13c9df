// SPDX-License-Identifier: Apache-2.0
// The list of objectives, and the code that they share. The random draws of a batch come from one stream in the order
// of the positions, so that a seed determines the sequence of batches. Any thread.
#include "engine/nn/objective.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "engine/nn/objectives/parts.h"

namespace sepx::nn {

std::size_t Sequences::valid(int b) const {
  if (lengths.empty()) return static_cast<std::size_t>(length);
  return static_cast<std::size_t>(std::clamp(lengths[static_cast<std::size_t>(b)], 0, length));
}

void weighMean(Batch& out) {
  for (Target& target : out.targets)
    target.weight = static_cast<float>(1.0 / static_cast<double>(out.targets.size()));
}

const std::array<ObjectiveInfo, kObjectiveCount>& objectives() {
#define OBJECTIVE(Name) describe##Name(),
  static const std::array<ObjectiveInfo, kObjectiveCount> all{
#include "engine/nn/objectives/list.inc"
  };
#undef OBJECTIVE
  return all;
}

const ObjectiveInfo& objectiveInfo(ObjectiveKind kind) {
  return objectives()[static_cast<std::size_t>(kind)];
}

std::array<std::string_view, kObjectiveCount> objectiveWords() {
  std::array<std::string_view, kObjectiveCount> words;
  std::ranges::transform(objectives(), words.begin(), &ObjectiveInfo::word);
  return words;
}

std::string wordsWithoutMask() {
  std::string words;
  for (const ObjectiveInfo& described : objectives())
    if (!described.masks && !described.classifies)
      words += (words.empty() ? "\"" : " or \"") + std::string(described.word) + "\"";
  return words;
}

Result<void> check(const Objective& objective, int vocabulary) {
  if (static_cast<std::size_t>(objective.kind) >= kObjectiveCount)
    return fail(ErrorKind::Usage, "objective.kind is not one of the objectives");
  const ObjectiveInfo& described = objectiveInfo(objective.kind);
  if (described.masks && (objective.maskToken < 0 || objective.maskToken >= vocabulary))
    return fail(ErrorKind::Usage,
                "objective: this loss hides tokens behind a mask token, and the data has none among its " +
                    std::to_string(vocabulary) + " (mask token " + std::to_string(objective.maskToken) +
                    "); choose data with a mask token, or the objective of the next token");
  return described.check != nullptr ? described.check(objective, vocabulary) : Result<void>{};
}

void makeBatch(const Objective& objective, std::span<const std::int32_t> tokens, int sequences, int length,
               std::span<const std::int32_t> lengths, RandomStream& random, Batch& out) {
  assert(tokens.size() == static_cast<std::size_t>(sequences) * static_cast<std::size_t>(length));
  assert(lengths.empty() || lengths.size() == static_cast<std::size_t>(sequences));
  out.sequences = sequences;
  out.length = length;
  out.tokens.assign(tokens.begin(), tokens.end());
  out.targets.clear();
  out.pixels.clear();
  out.smoothing = 0;
  out.allowed.clear();
  out.readable.clear();
  out.lengths.assign(lengths.begin(), lengths.end());
  objectiveInfo(objective.kind).make(objective, {tokens, sequences, length, lengths}, random, out);
}

}  // namespace sepx::nn
