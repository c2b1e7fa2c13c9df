// SPDX-License-Identifier: Apache-2.0
// Invalid shapes are refused with a message that names the field as in a config file, and parameter counts agree with
// those of published models.
#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "engine/nn/model_config.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

ModelConfig gpt2() {
  ModelConfig c;
  c.vocabulary = 50257;
  c.length = 1024;
  c.layers = 12;
  c.d_model = 768;
  c.heads = 12;
  return c;
}

/// The message of check() after `change`; empty if the check passes.
std::string sentenceOf(const std::function<void(ModelConfig&)>& change) {
  ModelConfig config;
  change(config);
  const Result<void> result = check(config);
  if (result) return "";
  REQUIRE(result.error().kind == ErrorKind::Usage);
  return result.error().message;
}

bool names(const std::string& sentence, const std::string& field) {
  INFO(sentence);
  return sentence.find(field) != std::string::npos && sentence.back() == '.' &&
         sentence.find('\n') == std::string::npos;
}

}  // namespace

TEST_CASE("model config: invalid shapes are refused with the name of the field") {
  CHECK(check(ModelConfig{}));
  CHECK(sentenceOf([](ModelConfig& c) { c.heads = 3; }) ==
        "model.heads 3 does not divide model.d_model 8; choose a divisor, or give model.head_dim.");
  CHECK(names(sentenceOf([](ModelConfig& c) { c.vocabulary = 1; }), "model.vocabulary"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.length = 0; }), "model.length"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.layers = -4; }), "model.layers"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.d_model = 0; }), "model.d_model"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.heads = std::numeric_limits<int>::min(); }), "model.heads"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.d_ff = -2; }), "model.d_ff"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.segments = -1; }), "model.segments"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.heads = 4, c.kvHeads = 3; }), "model.kv_heads"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.positions = Positions::Rope, c.heads = 8; }), "model.positions"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.input = Input::Bit, c.vocabulary = 3; }), "model.vocabulary"));
  CHECK(names(sentenceOf([](ModelConfig& c) {
                c.attention = AttentionKind::Linear;
                c.positions = Positions::Alibi;
              }),
              "model.positions"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.headTransform = true, c.activation = Activation::SwiGlu; }),
              "model.head_transform"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.embeddingNorm = true, c.norm = Norm::None; }), "model.embedding_norm"));
}

TEST_CASE("model config: invalid numbers and models larger than memory are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.attentionScale = nan; }), "model.attention_scale"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.ropeBase = -1; }), "model.rope_base"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.alibiSlope = HUGE_VAL; }), "model.alibi_slope"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.normEpsilon = 0; }), "model.norm_epsilon"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.normEpsilon = nan; }), "model.norm_epsilon"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.embeddingDropout = 1; }), "model.embedding_dropout"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.attentionDropout = nan; }), "model.attention_dropout"));
  CHECK(names(sentenceOf([&](ModelConfig& c) { c.residualDropout = -0.1; }), "model.residual_dropout"));

  CHECK(names(sentenceOf([](ModelConfig& c) { c.headDim = 1 << 24, c.heads = 1 << 20; }), "model.heads"));
  CHECK(names(sentenceOf([](ModelConfig& c) { c.d_model = 1 << 20; }), "2^40"));
  CHECK(sentenceOf([](ModelConfig& c) { c.d_model = 1 << 14, c.layers = 80; }).empty());
}

TEST_CASE("model config: the closed formula gives the published counts") {
  CHECK(parameterCount(gpt2()) == 124'439'808);

  ModelConfig bert = gpt2();  // the encoder of bert-base-uncased with its masked-language-model head
  bert.vocabulary = 30522;
  bert.length = 512;
  bert.causal = false;
  bert.placement = Placement::Post;
  bert.embeddingNorm = true;
  bert.finalNorm = false;
  bert.activation = Activation::GeluErf;
  bert.headTransform = true;
  bert.outputBias = true;
  bert.segments = 2;
  CHECK(parameterCount(bert) == 109'514'298);

  ModelConfig llama;  // TinyLlama 1.1B
  llama.vocabulary = 32000;
  llama.layers = 22;
  llama.d_model = 2048;
  llama.heads = 32;
  llama.kvHeads = 4;
  llama.d_ff = 5632;
  llama.positions = Positions::Rope;
  llama.norm = Norm::Rms;
  llama.activation = Activation::SwiGlu;
  llama.attentionBias = llama.projectionBias = llama.feedForwardBias = false;
  llama.output = Output::Untied;
  CHECK(parameterCount(llama) == 1'100'048'384);
}

TEST_CASE("model config: the scale of the scores follows from the head width unless it is given") {
  ModelConfig config;
  config.d_model = 64;
  config.heads = 4;
  CHECK(config.scale() == 0.25);
  config.headDim = 4;
  CHECK(config.scale() == 0.5);
  config.attentionScale = 3;
  CHECK(config.scale() == 3);
}
