// SPDX-License-Identifier: Apache-2.0
// The interface of data sources. A source gives sequence i of a split as a pure function of (seed, split, i), so that a
// resumed run sees the same data as an uninterrupted one, for any number of threads. Made by makeSource()
// (source_config.h). One thread at a time; must not depend on models.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/result.h"

namespace sepx::data {

enum class Split { Train, Validation };  ///< data for training and data for evaluation

/// A reference value for the loss, in nats per predicted token (in masked diffusion: per sequence).
struct Bound {
  std::string name;  ///< "H(pi)", "H(x_{n+1} | x_n)"
  double value = 0;  ///< nats
};

class ImageSource;

class Source {
 public:
  virtual ~Source() = default;
  virtual int vocabulary() const = 0;                             ///< special tokens included
  virtual std::int32_t maskToken() const = 0;                     ///< -1: none
  virtual std::int32_t firstWord() const { return 0; }            ///< ordinary tokens are [firstWord, lastWord)
  virtual std::int32_t lastWord() const { return vocabulary(); }  ///< one past the last ordinary token
  virtual std::string word(std::int32_t token) const = 0;         ///< the token as shown to the user
  /// Fills out [length] with sequence `index` and returns its valid length (at most `length`; the rest is padding 0).
  virtual int sequence(Split split, std::uint64_t index, int length, std::span<std::int32_t> out) const = 0;
  virtual std::vector<Bound> bounds() const { return {}; }
  /// Number of distinct sequences of a split; empty if it is unlimited.
  virtual std::optional<std::uint64_t> count(Split) const { return std::nullopt; }
  /// This object if it is a source of images (images.h), otherwise null.
  virtual const ImageSource* images() const { return nullptr; }
};

}  // namespace sepx::data
