// SPDX-License-Identifier: Apache-2.0
// Where each parameter of a transformer lies in one flat array, so that optimisers, clipping, averages and files can
// treat a model as a span. Names are our own ("layers.0.attention.W_Q.weight"); the checkpoint writer maps them to
// those of a model family. Weights are [out, in], row-major: y = x W^T + b. Tensors that the kernels use as one matrix
// are adjacent: W_Q, W_K and W_V of a layer, together [d_qkv, d_model], and W_1 and the gate of SwiGLU. Plain data; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nn/model_config.h"

namespace sepx::nn {

enum class ParameterKind {  ///< what the initialisation depends on
  Embedding,                ///< E, U
  Position,
  Segment,
  Weight,  ///< matrices of the blocks and of the head's transform
  Bias,
  NormGain,
  NormBias,
};
/// What a matrix does; initialisations and metrics select parameters by it.
enum class ParameterRole {
  Embedding,
  Position,
  Segment,
  Output,
  OutputBias,
  ClassToken,       ///< images: the class token c
  PatchProjection,  ///< images: E [d_model, values of a patch] and b_E
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
  int layer = -1;                              ///< -1: not in a block
  int rows = 0, columns = 0;                   ///< a bias or gain: rows x 1
  std::size_t offset = 0;                      ///< index of its first element in the flat array
  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }  ///< elements
};

class ParameterLayout {  ///< where each tensor lies in theta
 public:
  ParameterLayout() = default;
  explicit ParameterLayout(const ModelConfig& config);

  const std::vector<Parameter>& all() const { return parameters_; }  ///< in the order of theta
  std::size_t size() const { return size_; }                         ///< elements of the flat array, without padding
  /// Return nullptr when the model has no such parameter.
  const Parameter* find(ParameterRole role, ParameterKind kind, int layer = -1) const;
  const Parameter* find(std::string_view name) const;

 private:
  std::vector<Parameter> parameters_;
  std::size_t size_ = 0;
};

}  // namespace sepx::nn
