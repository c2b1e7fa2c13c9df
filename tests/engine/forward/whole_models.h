// SPDX-License-Identifier: Apache-2.0
// Complete models of two small layers, written by the tests of forward passes: the tensor names of a family, a config,
// and random weights so small that no softmax saturates.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "engine/forward/forward_pass.h"
#include "tests/engine/checkpoint/tiny_models.h"

namespace sepx::forward::made {

using checkpoint::made::Folder;
using checkpoint::made::TinyModel;
using checkpoint::made::TinyTensor;

inline constexpr int kTokens = 11;  ///< the vocabulary of every model

/// GPT-2: norms with biases before the branches, learned positions, biases everywhere. d_model 12, 3 heads.
TinyModel gpt2();
/// LLaMA: RMS norms, rotary encoding, 4 query heads on 2 key heads. d_model 16, heads of 4.
TinyModel llama();
/// The same in the form of Qwen 3: norms of each head's query and key.
TinyModel qwen3();
/// The same in the form of OLMo 2: norms of each branch's output, and of all queries and all keys together.
TinyModel olmo2();
/// BERT: norms after the sums, segments, an encoder. d_model 12, 3 heads.
TinyModel bert();
/// Gemma 2: four norms with 1 + gain, soft caps, a window of 3 in every second layer, a scale of its own.
TinyModel gemma2();

/// Replaces every value of a tensor by `change(its index in row-major order, the value)`.
void alter(TinyModel& model, const std::string& name, const std::function<float(std::size_t, float)>& change);

/// Writes, opens and plans a model. Fails the test with the message if this is not possible.
std::shared_ptr<const ForwardModel> openedModel(const Folder& folder, const TinyModel& model);
std::shared_ptr<const ForwardModel> openedModel(const std::string& path);

}  // namespace sepx::forward::made
