// SPDX-License-Identifier: Apache-2.0
// The declaration of a source, as it stands in a run's config, and the source made from it. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/data/augment.h"
#include "engine/data/source.h"

namespace sepx::data {

enum class SourceKind {  ///< what sequences are made of
  Markov,                ///< binary chain of order k; first bits from the stationary distribution
  Pairs,     ///< Reversal: one lower-case and one upper-case letter among placeholders, the lower-case one first
  Repeats,   ///< 002's first set: V = 10, each token once plus 0 to 3 repeats, in random order, to length 100
  Mirrored,  ///< 002's second: V = 48, a token 1 to 3 times until 48 stand, then mirrored to 96; jitter
  Text,      ///< .txt, .csv, .jsonl, plain or gzip
  English,   ///< sentences made here, with agreement over long distances
  Shapes,    ///< images of eight figures, made here
  Cifar10,   ///< images from the files of CIFAR-10's binary version
  Idx,       ///< images from IDX files: MNIST and its relatives
  ImageNet,  ///< is never made: the refusal says what to do
};
constexpr bool isOfImages(SourceKind kind) {  ///< the others give tokens
  return kind >= SourceKind::Shapes;
}
enum class Tokens { Bytes, Characters, BytePairs };  ///< what a text is cut into

struct SourceConfig {
  SourceKind kind = SourceKind::Markov;
  std::uint64_t seed = 0;
  // Markov
  int order = 1;
  double p = 0.5, q = 0.8;     ///< P(1 | 0), P(0 | 1) of order 1
  std::vector<double> kernel;  ///< P(next = 1 | the last k bits), [2^k], the oldest bit the highest; order > 1
  // Repeats, Mirrored
  double jitter = 0;  ///< probability that a token of the training split is replaced
  // Text
  std::string path, field;       ///< field: column or member that holds the text (csv, jsonl); path: also of images
  double validationShare = 0.1;  ///< the end of the text
  // Text, English
  Tokens tokens = Tokens::Characters;
  int vocabulary = 0;              ///< of BytePairs: merges are learned until there are so many; 0: 1024
  std::int64_t sentences = 20000;  ///< of English
  // Shapes
  int side = 16;       ///< pixels
  double noise = 0.1;  ///< deviation of what is added to every number
  // All images, in training
  Augmentation augmentation;

  bool operator==(const SourceConfig&) const = default;
};

/// What can be said without reading a text or solving a chain: Usage for a value outside its range, with the field's
/// name. makeSource says the same.
Result<void> checkSource(const SourceConfig& config);

/// Usage for a value outside its range (with the field's name), BadInput for a file that is missing, empty, binary or
/// larger than a quarter of memory: one sentence. Text is read and the vocabulary learned here (seconds for megabytes).
Result<std::unique_ptr<Source>> makeSource(const SourceConfig& config);

}  // namespace sepx::data
