// SPDX-License-Identifier: Apache-2.0
// The configuration of a data source, as written in the config of a run, and makeSource(). Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/core/result.h"
#include "engine/data/augment.h"
#include "engine/data/source.h"

namespace sepx::data {

enum class SourceKind {  ///< where the sequences come from
  Markov,                ///< binary chain of order k; first bits from the stationary distribution
  Pairs,     ///< Reversal: one lower-case and one upper-case letter among placeholders, the lower-case one first
  Repeats,   ///< first set of 002: V = 10, tokens in random order, each 1 to 4 times in a row, length 100
  Mirrored,  ///< second set of 002: V = 48, random tokens, each 1 to 3 times in a row, up to 48, then mirrored to 96
  Text,      ///< .txt, .csv, .jsonl, plain or gzip
  English,   ///< synthetic sentences with agreement over long distances
  Shapes,    ///< synthetic images of eight figures
  Cifar10,   ///< images from the files of CIFAR-10's binary version
  Idx,       ///< images from IDX files, such as MNIST
  ImageNet,  ///< not supported: the error message says what to do instead
};
constexpr bool isOfImages(SourceKind kind) {  ///< the other kinds give tokens
  return kind >= SourceKind::Shapes;
}
enum class Tokens { Bytes, Characters, BytePairs };  ///< units that a text is split into

struct SourceConfig {
  SourceKind kind = SourceKind::Markov;
  std::uint64_t seed = 0;
  // Markov
  int order = 1;
  double p = 0.5, q = 0.8;     ///< P(1 | 0), P(0 | 1) of order 1
  std::vector<double> kernel;  ///< P(next = 1 | the last k bits), [2^k], oldest bit most significant; order > 1
  // Repeats, Mirrored
  double jitter = 0;  ///< probability that a token of the training split is replaced
  // Text
  std::string path, field;       ///< path: also of images; field: column or member that holds the text (csv, jsonl)
  double validationShare = 0.1;  ///< share of the text, at its end, that is the validation split
  // Text, English
  Tokens tokens = Tokens::Characters;
  int vocabulary = 0;              ///< BytePairs: number of tokens to learn, [MASK] included; 0: 1024
  std::int64_t sentences = 20000;  ///< English: number of sentences
  // Shapes
  int side = 16;       ///< pixels
  double noise = 0.1;  ///< standard deviation of the noise added to every value
  // All images, in training
  Augmentation augmentation;

  bool operator==(const SourceConfig&) const = default;
};

/// Checks what can be checked without reading files or solving for a stationary distribution. Usage, with the name of
/// the field, for a value outside its range. makeSource() makes the same checks.
Result<void> checkSource(const SourceConfig& config);

/// Reads the files and learns the vocabulary, which takes seconds for megabytes of text. Errors have one sentence:
/// Usage for a value outside its range (with the name of the field), BadInput for a file that is missing, empty, binary
/// or larger than a quarter of the memory.
Result<std::unique_ptr<Source>> makeSource(const SourceConfig& config);

}  // namespace sepx::data
