// SPDX-License-Identifier: Apache-2.0
// Where each parameter of a transformer stands in one flat array, so that optimiser, clipping, averages and files treat
// a model as a span. Names are ours ("layers.0.attention.W_Q.weight"); the checkpoint writer maps them to a family's.
// Weights are [out, in], row-major: y = x W^T + b. Fused where the kernels want it: W_Q, W_K and W_V of a layer are
// three tensors that stand one after the other, [d_qkv, d_model] together, likewise W_1 and the gate of SwiGLU.
// Plain data; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nn/model_config.h"

namespace sepx::nn {

enum class ParameterKind {  ///< what initial values depend on
  Embedding,                ///< E, U
  Position,
  Segment,
  Weight,  ///< matrices of the blocks and of the head's transform
  Bias,
  NormGain,
  NormBias,
};
/// What a matrix does; initialisations and metrics pick by it.
enum class ParameterRole {
  Embedding,
  Position,
  Segment,
  Output,
  OutputBias,
  ClassToken,       ///< of images: c
  PatchProjection,  ///< of images: E [d_model, numbers of a patch] and b_E
  HeadTransform,
  EmbeddingNorm,
  AttentionNorm,
  FeedForwardNorm,
  FinalNorm,
  HeadNorm,
  Query,
  Key,
  Value,
  Projection,
  Up,
  Gate,
  Down,
};

struct Parameter {                             ///< one tensor of the vector theta
  std::string name;                            ///< "layers.0.attention.W_Q.weight"
  ParameterKind kind = ParameterKind::Weight;  ///< matrix, bias or gain
  ParameterRole role = ParameterRole::Query;   ///< which part of the model it belongs to
  int layer = -1;                              ///< -1: of no block
  int rows = 0, columns = 0;                   ///< a bias or gain: rows x 1
  std::size_t offset = 0;                      ///< of its first element in the flat array
  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }  ///< elements
};

class ParameterLayout {  ///< where each tensor lies in theta
 public:
  ParameterLayout() = default;
  explicit ParameterLayout(const ModelConfig& config);

  const std::vector<Parameter>& all() const { return parameters_; }  ///< in the order of theta
  std::size_t size() const { return size_; }                         ///< elements of the flat array, without padding
  /// nullptr when this model has none.
  const Parameter* find(ParameterRole role, ParameterKind kind, int layer = -1) const;
  const Parameter* find(std::string_view name) const;

 private:
  std::vector<Parameter> parameters_;
  std::size_t size_ = 0;
};

}  // namespace sepx::nn
