// SPDX-License-Identifier: Apache-2.0
// What a family's export is built from: tensors taken from the model under the family's names, constants where the
// family has a tensor and the model has none, and the clauses of the deviation. Names and layout come from the family's
// description, the one that its checkpoints are read by. Private to the family export. One thread.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "engine/checkpoint/family_rule.h"
#include "engine/train/family_export.h"
#include "engine/train/family_export_config.h"

namespace sepx::train {

class FamilyBuilder {  ///< the tensors of one family, from a run's
 public:
  using Kind = nn::ParameterKind;  ///< for families
  using Role = nn::ParameterRole;  ///< for families

  FamilyBuilder(const nn::ModelConfig& config, const nn::ParameterLayout& layout, std::span<const float> theta,
                const FamilyCode& code);

  const nn::ModelConfig& config() const { return config_; }
  bool has(Role role, Kind kind, int layer = -1) const { return layout_.find(role, kind, layer) != nullptr; }

  /// `name`.weight as it is or transposed and, where `biased`, `name`.bias: zeros where the model has none.
  void linear(const std::string& name, Role role, int layer, bool biased, bool transposed = false);
  /// `name`.weight and .bias of a norm; a family that wants a bias has zeros where the model has none. Nothing for a
  /// model without that norm.
  void norm(const std::string& name, Role role, int layer = -1);
  void constant(std::string name, std::vector<std::int64_t> shape, float fill);
  void own(std::string name, std::vector<std::int64_t> shape, std::vector<float> values);
  /// Width of a feed-forward part that adds nothing, for a model without one.
  static constexpr int kNoFeedForward = 1;

  /// Token embedding and, when untied, the head, with one row a token: a model of bits has the rows 0 and e.
  void embedding(const std::string& name);
  void untiedHead(const std::string& name);
  void outputBias(const std::vector<std::string>& names);
  /// Learned, sinusoidal or no positions as a table, [length, d_model] with `rank` 3 behind a dimension of 1.
  void positions(const std::string& name, int rank = 2);
  /// Class token, the projection of patches as a convolution [d_model, channels, patch, patch], positions.
  void images(const std::string& classToken, const std::string& patches, const std::string& positionTable);
  /// Queries, keys and values one after the other as the model has them (shared key heads are written out).
  void fused(const std::string& name, bool biased, int layer, bool transposed);
  /// The same, head by head.
  void fusedByHead(const std::string& name, bool biased, int layer);
  /// act(first half) * second half: the gate over W_1, or W_1 over the constant 1.
  void gateAndUp(const std::string& name, int layer);
  /// One row of zeros where the model has none.
  void segments(const std::string& name);
  void keyOrValue(const std::string& name, Role role, int layer, bool biased);

  void deviate(std::string clause) { clauses_.push_back(std::move(clause)); }  ///< where it differs from that family
  FamilyExport finish(std::string family, nlohmann::ordered_json json);        ///< once, at the end

 private:
  std::span<const float> valuesOf(const nn::Parameter& parameter) const;
  void view(std::string name, std::vector<std::int64_t> shape, const nn::Parameter& parameter);
  const nn::Parameter* take(Role role, Kind kind, int layer);
  /// Rows of a key or value matrix (or bias) with each shared head written out for its query heads.
  std::vector<float> writtenOut(const nn::Parameter& parameter) const;
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
  std::vector<TensorOut> tensors_;
  std::vector<std::string> clauses_;
};

}  // namespace sepx::train
