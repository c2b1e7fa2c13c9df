// SPDX-License-Identifier: Apache-2.0
// The conditions on the shape of a transformer, and its number of parameters by the closed formula
//   V d (images: (values of a patch + 2) d) + N d + S d + sum over blocks ((h + 2 h_kv) d_h d + h d_h d + (2 or 3)
//   d d_ff) + biases + norms + head.
// Pure; any thread. Must not use the layout (parameters.h), because a test compares the two.
#include "engine/nn/model_config.h"

#include <array>
#include <cmath>
#include <string_view>

#include "engine/core/try.h"

namespace sepx::nn {

namespace {

constexpr std::int64_t kLargestSide = std::int64_t{1} << 24;   // limit of any single dimension
constexpr std::int64_t kLargestBytes = std::int64_t{1} << 40;  // limit of the parameters, as float

tl::unexpected<Error> wrong(std::string sentence) {
  return fail(ErrorKind::Usage, std::move(sentence));
}

Result<void> checkSizes(const ModelConfig& c) {
  struct Size {
    std::string_view name;
    std::int64_t value, least;
  };
  const std::array sizes{
      Size{"model.vocabulary", c.vocabulary, 2}, Size{"model.length", c.length, 1},
      Size{"model.layers", c.layers, 1},         Size{"model.d_model", c.d_model, 1},
      Size{"model.heads", c.heads, 1},           Size{"model.kv_heads", c.kvHeads, 0},
      Size{"model.head_dim", c.headDim, 0},      Size{"model.d_ff", c.d_ff, -1},
      Size{"model.segments", c.segments, 0},
  };
  for (const Size& size : sizes)
    if (size.value < size.least || size.value > kLargestSide)
      return wrong(std::string(size.name) + " is " + std::to_string(size.value) + "; it may be " +
                   std::to_string(size.least) + " to " + std::to_string(kLargestSide) + ".");
  return {};
}

Result<void> checkHeads(const ModelConfig& c) {
  if (c.headDim == 0 && c.d_model % c.heads != 0)
    return wrong("model.heads " + std::to_string(c.heads) + " does not divide model.d_model " +
                 std::to_string(c.d_model) + "; choose a divisor, or give model.head_dim.");
  if (c.heads % c.kv() != 0)
    return wrong("model.kv_heads " + std::to_string(c.kv()) + " does not divide model.heads " +
                 std::to_string(c.heads) + "; choose a divisor, or 0 for as many as heads.");
  const std::int64_t width = (std::int64_t{c.heads} + 2 * std::int64_t{c.kv()}) * std::int64_t{c.d_h()};
  if (width > kLargestSide)
    return wrong("model.heads " + std::to_string(c.heads) + " of model.head_dim " + std::to_string(c.d_h()) +
                 " make rows of " + std::to_string(width) + " numbers; at most " + std::to_string(kLargestSide) +
                 " are possible.");
  if (c.positions == Positions::Rope && c.d_h() % 2 != 0)
    return wrong("model.positions \"rope\" turns pairs of dimensions, but the head dimension is " +
                 std::to_string(c.d_h()) + "; choose model.d_model, model.heads or model.head_dim so that it is even.");
  return {};
}

Result<void> checkCombinations(const ModelConfig& c) {
  if (c.input == Input::Bit && c.vocabulary != 2)
    return wrong("model.vocabulary is " + std::to_string(c.vocabulary) +
                 ", but model.input \"bit\" reads binary chains; set it to 2, or choose model.input \"table\".");
  if (c.attention == AttentionKind::Linear && c.positions == Positions::Alibi)
    return wrong(
        "model.positions \"alibi\" biases scores before a softmax, and model.attention \"linear\" has none; choose "
        "other positions or \"softmax\".");
  if (c.headTransform && c.activation == Activation::SwiGlu)
    return wrong(
        "model.head_transform applies model.activation to d_model numbers, and \"swiglu\" wants twice as many; choose "
        "another activation.");
  if (c.embeddingNorm && c.norm == Norm::None)
    return wrong(
        "model.embedding_norm is true, but model.norm is \"none\"; choose \"layer\" or \"rms\", or switch it off.");
  return {};
}

Result<void> checkPatches(const ModelConfig& c) {
  constexpr int kLargestImage = 4096, kMostChannels = 64;
  if (!c.readsImages()) return {};
  if (c.image < 1 || c.image > kLargestImage)
    return wrong("model.image is " + std::to_string(c.image) + "; the side of an image may be 1 to " +
                 std::to_string(kLargestImage) + " pixels.");
  if (c.channels < 1 || c.channels > kMostChannels)
    return wrong("model.channels is " + std::to_string(c.channels) + "; it may be 1 to " +
                 std::to_string(kMostChannels) + ".");
  if (c.patch < 1 || c.image % c.patch != 0)
    return wrong("model.patch is " + std::to_string(c.patch) + " and does not divide model.image " +
                 std::to_string(c.image) + "; choose a divisor.");
  if (c.length != c.patches() + 1)
    return wrong("model.length is " + std::to_string(c.length) + "; an image of " + std::to_string(c.image) +
                 " pixels in patches of " + std::to_string(c.patch) + " and the class token are " +
                 std::to_string(c.patches() + 1) + ".");
  if (c.output == Output::Tied)
    return wrong(
        "model.output \"tied\" takes the logits from the table of tokens, which images do not have; choose "
        "\"untied\".");
  if (c.causal)
    return wrong(
        "model.causal is true, and the class token of model.input \"patches\" stands before what it is to "
        "read; set it to false.");
  if (c.segments > 0) return wrong("model.segments belongs to sequences of tokens; set it to 0 for images.");
  return {};
}

Result<void> checkNumbers(const ModelConfig& c) {
  struct Number {
    std::string_view name;
    double value;
    bool good;
    std::string_view range;
  };
  const auto chance = [](double p) { return p >= 0 && p < 1; };
  const std::array numbers{
      Number{"model.attention_scale", c.attentionScale, std::isfinite(c.attentionScale),
             "any number, 0 for 1/sqrt(head_dim)"},
      Number{"model.rope_base", c.ropeBase, std::isfinite(c.ropeBase) && c.ropeBase > 0, "above 0"},
      Number{"model.alibi_slope", c.alibiSlope, std::isfinite(c.alibiSlope), "any number, 0 for 2^(-8 h/heads)"},
      Number{"model.norm_epsilon", c.normEpsilon, c.normEpsilon > 0 && c.normEpsilon <= 1, "above 0 and at most 1"},
      Number{"model.embedding_dropout", c.embeddingDropout, chance(c.embeddingDropout), "from 0 to below 1"},
      Number{"model.attention_dropout", c.attentionDropout, chance(c.attentionDropout), "from 0 to below 1"},
      Number{"model.residual_dropout", c.residualDropout, chance(c.residualDropout), "from 0 to below 1"},
  };
  for (const Number& number : numbers)
    if (!number.good)
      return wrong(std::string(number.name) + " is " + std::to_string(number.value) + "; it may be " +
                   std::string(number.range) + ".");
  return {};
}

/// A template, so that check() can count in double: a config file may hold sizes whose count overflows 64 bits.
template <class Count>
Count countParameters(const ModelConfig& c) {
  const Count d = static_cast<Count>(c.d_model), q = static_cast<Count>(c.heads) * static_cast<Count>(c.d_h());
  const Count kv = static_cast<Count>(c.kv()) * static_cast<Count>(c.d_h());
  const Count ff = c.d_ff < 0 ? 4 * d : static_cast<Count>(c.d_ff);
  const Count ups = c.activation == Activation::SwiGlu ? 2 : 1;
  const Count norm = c.norm == Norm::None ? 0 : c.norm == Norm::Layer && c.normBias ? 2 * d : d;

  Count block = (q + 2 * kv) * d + d * q + norm;
  if (c.attentionBias) block += q + 2 * kv;
  if (c.projectionBias) block += d;
  if (ff > 0) {
    block += (ups + 1) * d * ff + norm;
    if (c.feedForwardBias) block += ups * ff + d;
  }
  const Count rows = c.input == Input::Bit ? 1 : static_cast<Count>(c.vocabulary);
  const Count logits = static_cast<Count>(c.logits());
  const Count read = c.readsImages() ? (static_cast<Count>(c.patchValues()) + 2) * d : rows * d;
  Count whole = read + static_cast<Count>(c.segments) * d + static_cast<Count>(c.layers) * block;
  if (c.positions == Positions::Learned) whole += static_cast<Count>(c.length) * d;
  if (c.embeddingNorm) whole += norm;
  if (c.finalNorm) whole += norm;
  if (c.headTransform) whole += d * d + d + norm;
  if (c.output == Output::Untied) whole += logits * d;
  if (c.outputBias) whole += logits;
  return whole;
}

}  // namespace

double ModelConfig::scale() const {
  return attentionScale != 0 ? attentionScale : 1 / std::sqrt(static_cast<double>(d_h()));
}

Result<void> check(const ModelConfig& config) {
  SEPX_TRY(checkSizes(config));
  SEPX_TRY(checkHeads(config));
  SEPX_TRY(checkCombinations(config));
  SEPX_TRY(checkPatches(config));
  SEPX_TRY(checkNumbers(config));
  const double bytes = countParameters<double>(config) * sizeof(float);
  if (bytes > static_cast<double>(kLargestBytes))
    return wrong("The parameters of this model would take " + std::to_string(static_cast<std::int64_t>(bytes / 1e9)) +
                 " GB; at most 2^40 bytes are possible: make model.d_model, model.layers, model.d_ff or "
                 "model.vocabulary smaller.");
  return {};
}

std::int64_t parameterCount(const ModelConfig& config) {
  return countParameters<std::int64_t>(config);
}

}  // namespace sepx::nn
