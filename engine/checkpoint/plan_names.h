// SPDX-License-Identifier: Apache-2.0
// Finds tensors of a model by the names of its family's parts, and returns linear layers and norms whose shapes fit.
// Private to the plan of a model (model_plan.h). Reads headers only; any thread.
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

/// No model has wider layers; the limit keeps every product of two within 64 bits.
inline constexpr std::int64_t kWidestLayer = std::int64_t{1} << 26;

/// Rows and columns of a tensor of two dimensions (trailing dimensions of length 1 are dropped); a vector is [n, 1].
/// Empty for any other tensor, and for one that is empty or wider than kWidestLayer.
std::optional<std::array<std::int64_t, 2>> matrixShape(const TensorInfo& tensor);

/// Properties that the norms of a model share.
struct NormKind {
  NormSource::Kind kind = NormSource::Kind::Layer;
  double epsilon = 1e-5;
  bool onePlusGain = false;
};

class PlanNames {
 public:
  /// `rule`: the family whose names the tensors have. Both must outlive this.
  PlanNames(const Checkpoint& checkpoint, const FamilyRule& rule);

  /// Where a layer's tensors are: the names of the layer begin with `prefix`, and "{layer}" is `number`.
  struct Place {
    std::string prefix;
    std::int64_t number = 0;
    const StackRule* stack = nullptr;
  };
  /// The stack is null if the queries of `layer` are not named as in the rule.
  Place placeOf(const AttentionLayer& layer) const;

  /// Looks up a whole name behind the prefix of `place`, then behind ever shorter prefixes, and last without one.
  const TensorInfo* find(const Place& place, std::string_view pattern) const;
  /// The weight of a linear layer or norm: `pattern` with ".weight", with ".gain", or as it is. Null if there is none.
  const TensorInfo* weight(const Place& place, const std::string& pattern) const;

  /// A linear layer with all its outputs; empty if there is none or its shape is not a matrix.
  std::optional<LinearSource> linear(const Place& place, const std::string& pattern, bool transposed) const;
  /// A norm of `width` values; empty if there is none.
  std::optional<NormSource> norm(const Place& place, const std::string& pattern, std::int64_t width,
                                 const NormKind& kind) const;
  /// Name of the bias that belongs to a weight and has `outputs` values; empty if there is none.
  std::string biasName(const std::string& weight, std::int64_t outputs) const;

 private:
  const Checkpoint& checkpoint_;
  const FamilyRule& rule_;
};

}  // namespace sepx::checkpoint
