// SPDX-License-Identifier: Apache-2.0
// Tensors of a model by the names of its family's parts, as sources of linear layers and norms whose shapes go
// together. Private to the plan of a model (model_plan.h). Reads headers only; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/checkpoint/family_match.h"
#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/model_config.h"
#include "engine/checkpoint/model_plan.h"

namespace sepx::checkpoint {

/// Wider layers exist nowhere; keeps every product of two within 64 bits.
inline constexpr std::int64_t kWidestLayer = std::int64_t{1} << 26;

/// Rows and columns of a tensor of two dimensions (those of length 1 at the end are dropped); a vector is [n, 1].
/// Nothing for any other, and for one that is empty or wider than kWidestLayer.
std::optional<std::array<std::int64_t, 2>> matrixShape(const TensorInfo& tensor);

/// What the norms of a model have in common.
struct NormKind {
  NormSource::Kind kind = NormSource::Kind::Layer;
  double epsilon = 1e-5;
  bool onePlusGain = false;
};

class PlanNames {
 public:
  /// `rule`: under whose names the tensors stand. Both must outlive this.
  PlanNames(const Checkpoint& checkpoint, const FamilyRule& rule);

  /// Where a layer's tensors stand: names of the layer begin with `prefix`, "{layer}" is `number`.
  struct Place {
    std::string prefix;
    std::int64_t number = 0;
    const StackRule* stack = nullptr;
  };
  /// Null stack where the queries of `layer` are not named as the rule has it.
  Place placeOf(const AttentionLayer& layer) const;

  /// A whole name of the layer, of its model, or beside it: the prefixes of `place` from the longest to none.
  const TensorInfo* find(const Place& place, std::string_view pattern) const;
  /// The weight of a linear layer or norm; also one that has ".gain" behind its name, or nothing.
  const TensorInfo* weight(const Place& place, const std::string& pattern) const;

  /// All outputs of a linear layer; nothing where there is none or its shape is no matrix.
  std::optional<LinearSource> linear(const Place& place, const std::string& pattern, bool transposed) const;
  /// A norm of `width` values.
  std::optional<NormSource> norm(const Place& place, const std::string& pattern, std::int64_t width,
                                 const NormKind& kind) const;
  /// The bias beside a weight, of `outputs` values; empty where there is none.
  std::string biasName(const std::string& weight, std::int64_t outputs) const;

 private:
  const Checkpoint& checkpoint_;
  const FamilyRule& rule_;
};

}  // namespace sepx::checkpoint
