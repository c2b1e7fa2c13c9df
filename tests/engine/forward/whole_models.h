// SPDX-License-Identifier: Apache-2.0
// Whole models of two small layers that the tests of forward passes write themselves: a family's names, a config, and
// random weights of a size at which no softmax saturates.
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

inline constexpr int kTokens = 11;  ///< vocabulary of every one

/// GPT-2: norms with biases before the branches, learned positions, biases everywhere. d_model 12, 3 heads.
TinyModel gpt2();
/// LLaMA: RMS norms, rotary encoding, 4 query heads on 2 key heads. d_model 16, heads of 4.
TinyModel llama();
/// The same as Qwen 3: norms of each head's query and key.
TinyModel qwen3();
/// The same as OLMo 2: norms of what a branch adds, and of all queries and keys at once.
TinyModel olmo2();
/// BERT: norms of the sums, segments, an encoder. d_model 12, 3 heads.
TinyModel bert();
/// Gemma 2: four norms with 1 + gain, soft caps, a window of 3 in every second layer, another scale.
TinyModel gemma2();

/// Every value of a tensor becomes `change(its place in row-major order, the value)`.
void alter(TinyModel& model, const std::string& name, const std::function<float(std::size_t, float)>& change);

/// Written, opened and planned; fails the test with the sentence if it cannot be.
std::shared_ptr<const ForwardModel> openedModel(const Folder& folder, const TinyModel& model);
std::shared_ptr<const ForwardModel> openedModel(const std::string& path);

}  // namespace sepx::forward::made
