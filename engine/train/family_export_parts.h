// SPDX-License-Identifier: Apache-2.0
// Builds a family's export: tensors of the model under the family's names, constants where the family has a tensor and
// the model has none, and the clauses of the deviation. Names and layout come from the family's description, which is
// also used to read its checkpoints. Private to the family export. One thread.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/train/family_export.h"
#include "engine/train/family_export_config.h"

namespace sepx::train {

class FamilyBuilder {  ///< builds the tensors of one family from those of a run
 public:
  using Kind = nn::ParameterKind;  ///< for families
  using Role = nn::ParameterRole;  ///< for families

  FamilyBuilder(const nn::ModelConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                const FamilyCode& code);

  const nn::ModelConfig& config() const { return config_; }
  bool has(Role role, Kind kind, int layer = -1) const { return layout_.find(role, kind, layer) != nullptr; }

  /// Writes `name`.weight, transposed if `transposed`. If `biased`, also writes `name`.bias: zeros if the model has
  /// none.
  void linear(const std::string& name, Role role, int layer, bool biased, bool transposed = false);
  /// Writes `name`.weight and .bias of a norm. If the family has a bias and the model has none, it is zeros. No-op for
  /// a model without this norm.
  void norm(const std::string& name, Role role, int layer = -1);
  void constant(std::string name, std::vector<std::int64_t> shape, float fill);
  void own(std::string name, std::vector<std::int64_t> shape, std::vector<float> values);
  /// Width of a feed-forward part that adds nothing, for a model without one.
  static constexpr int kNoFeedForward = 1;

  /// Token embedding and, if untied, the head, with one row per token. A model of bits gives the rows 0 and e.
  void embedding(const std::string& name);
  void untiedHead(const std::string& name);
  void outputBias(const std::vector<std::string>& names);
  /// Learned, sinusoidal or no positions (zeros) as a table [length, d_model], or [1, length, d_model] with `rank` 3.
  void positions(const std::string& name, int rank = 2);
  /// Class token, the projection of patches as a convolution [d_model, channels, patch, patch], positions.
  void images(const std::string& classToken, const std::string& patches, const std::string& positionTable);
  /// Queries, keys and values in one tensor, one block after the other (shared key heads are repeated).
  void fused(const std::string& name, bool biased, int layer, bool transposed);
  /// The same, head by head.
  void fusedByHead(const std::string& name, bool biased, int layer);
  /// One tensor for act(first half) * second half: the gate above W_1, or W_1 above the constant 1.
  void gateAndUp(const std::string& name, int layer);
  /// The segment table; one row of zeros if the model has none.
  void segments(const std::string& name);
  void keyOrValue(const std::string& name, Role role, int layer, bool biased);

  void deviate(std::string clause) { clauses_.push_back(std::move(clause)); }  ///< adds a difference from the family
  FamilyExport finish(std::string family, nlohmann::ordered_json json);        ///< call once, at the end

 private:
  std::span<const float> valuesOf(const nn::Parameter& parameter) const;
  void view(std::string name, std::vector<std::int64_t> shape, const nn::Parameter& parameter);
  const nn::Parameter* take(Role role, Kind kind, int layer);
  /// Rows of a key or value matrix (or bias), with each shared head repeated for its query heads.
  std::vector<float> expandedValues(const nn::Parameter& parameter) const;
  std::vector<float> queriesKeysValues(Kind kind, int layer);
  void perToken(const std::string& name, Role role);
  void compare();
  void compareNorms();
  void compareScale();

  const nn::ModelConfig& config_;
  const nn::ParameterLayout& layout_;
  std::span<const float> theta_;
  FamilyCode code_;
  std::set<const nn::Parameter*> taken_;
  std::vector<ExportedTensor> tensors_;
  std::vector<std::string> clauses_;
};

}  // namespace sepx::train
