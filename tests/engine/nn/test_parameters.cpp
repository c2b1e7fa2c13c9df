// SPDX-License-Identifier: Apache-2.0
// The layout covers the flat array without gaps, agrees with the closed formula for every combination of options, and
// places the parameters of one product side by side.
#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

#include "engine/nn/parameters.h"

using namespace sepx::nn;

namespace {

/// One of 2^13 combinations of the options that determine the parameters. The sizes are fixed and all different.
ModelConfig combination(unsigned bits) {
  const auto bit = [&bits] {
    const bool set = (bits & 1U) != 0;
    bits >>= 1U;
    return set;
  };
  ModelConfig c;
  c.vocabulary = 11;
  c.length = 7;
  c.layers = 2;
  c.d_model = 12;
  c.heads = 4;
  c.kvHeads = bit() ? 2 : 0;
  c.headDim = bit() ? 5 : 0;
  c.d_ff = bit() ? 0 : 10;
  c.positions = bit() ? Positions::Learned : Positions::Sinusoidal;
  c.norm = bit() ? Norm::Rms : Norm::Layer;
  c.normBias = bit();
  c.placement = bit() ? Placement::Pre : Placement::Post;
  c.finalNorm = bit();
  c.activation = bit() ? Activation::SwiGlu : Activation::Relu;
  c.attentionBias = bit();
  c.feedForwardBias = bit();
  c.output = bit() ? Output::Tied : Output::Untied;
  c.headTransform = c.outputBias = c.projectionBias = bit();
  c.segments = c.embeddingNorm = c.outputBias;
  if (c.headTransform) c.activation = Activation::Relu;
  return c;
}

/// Checks that there are no gaps and no duplicate names, and that the number agrees with the formula.
bool sound(const ModelConfig& config) {
  const ParameterLayout layout(config);
  std::set<std::string> names;
  std::size_t next = 0;
  for (const Parameter& p : layout.all()) {
    if (p.offset != next || p.rows < 1 || p.columns < 1 || !names.insert(p.name).second) return false;
    if (layout.find(p.name) != &p || layout.find(p.role, p.kind, p.layer) != &p) return false;
    next += p.size();
  }
  return layout.size() == next && static_cast<std::int64_t>(next) == parameterCount(config);
}

}  // namespace

TEST_CASE("parameters: layout and closed formula agree for every combination of options") {
  for (unsigned bits = 0; bits < 1U << 13U; ++bits) {
    const ModelConfig config = combination(bits);
    REQUIRE(check(config));
    if (!sound(config)) FAIL("combination " << bits);
  }
  ModelConfig bare;
  bare.norm = Norm::None;
  CHECK(sound(bare));
  bare.input = Input::Bit;
  bare.output = Output::Untied;
  bare.outputBias = true;
  CHECK(sound(bare));
  CHECK(ParameterLayout(bare).find("output.weight")->rows == 1);
  CHECK(ParameterLayout(bare).find("embedding.weight")->rows == 1);
}

TEST_CASE("parameters: the parameters of one product are stored side by side") {
  ModelConfig config;
  config.activation = Activation::SwiGlu;
  config.heads = 4;
  config.kvHeads = 2;
  const ParameterLayout layout(config);
  const std::vector<std::string> runs[] = {{"attention.W_Q.weight", "attention.W_K.weight", "attention.W_V.weight"},
                                           {"attention.W_Q.bias", "attention.W_K.bias", "attention.W_V.bias"},
                                           {"feed_forward.W_1.weight", "feed_forward.W_gate.weight"},
                                           {"feed_forward.W_1.bias", "feed_forward.W_gate.bias"}};
  for (const auto& run : runs)
    for (std::size_t i = 1; i < run.size(); ++i) {
      const Parameter* before = layout.find("layers.0." + run[i - 1]);
      const Parameter* after = layout.find("layers.0." + run[i]);
      REQUIRE((before && after));
      CHECK(before->offset + before->size() == after->offset);
      CHECK(before->columns == after->columns);
    }
}

TEST_CASE("parameters: they are found by role, and absent ones are null") {
  ModelConfig config;
  config.attentionBias = false;
  config.layers = 2;
  const ParameterLayout layout(config);
  CHECK(layout.find(ParameterRole::Query, ParameterKind::Weight, 1)->name == "layers.1.attention.W_Q.weight");
  CHECK(layout.find(ParameterRole::Query, ParameterKind::Bias, 1) == nullptr);
  CHECK(layout.find(ParameterRole::Query, ParameterKind::Weight, 2) == nullptr);
  CHECK(layout.find("layers.0.attention.W_Z.weight") == nullptr);
  CHECK(layout.find(ParameterRole::Output, ParameterKind::Embedding) == nullptr);
  CHECK(ParameterLayout{}.size() == 0);
}
