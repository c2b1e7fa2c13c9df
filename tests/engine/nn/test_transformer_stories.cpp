// SPDX-License-Identifier: Apache-2.0
// A third-party trained model (stories260K of llama2.c in the form of Hugging Face: grouped queries, rotary encoding,
// SwiGLU, RMS norms, tied) continues a story with the same words as its authors' program. Skips if the folder is
// absent.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/nn/transformer.h"
#include "tests/folders.h"

using namespace sepx;
using namespace sepx::nn;

namespace {

std::string folder() {
  return tests::sharedFolder() + "/checkpoints/stories260K/";
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
T at(const std::string& bytes, std::size_t place) {
  T value{};
  if (place + sizeof value > bytes.size()) throw std::out_of_range("the file ends too early");
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

ModelConfig storiesConfig() {
  ModelConfig c;
  c.vocabulary = 512;
  c.length = 512;
  c.layers = 5;
  c.d_model = 64;
  c.heads = 8;
  c.kvHeads = 4;
  c.d_ff = 172;
  c.positions = Positions::Rope;
  c.norm = Norm::Rms;
  c.activation = Activation::SwiGlu;
  c.attentionBias = c.projectionBias = c.feedForwardBias = false;
  return c;
}

/// The parameter name in Hugging Face's LLaMA that corresponds to ours.
std::string llamaName(const Parameter& p) {
  const std::string layer = "model.layers." + std::to_string(p.layer) + ".";
  switch (p.role) {
    case ParameterRole::Embedding:
      return "model.embed_tokens.weight";
    case ParameterRole::FinalNorm:
      return "model.norm.weight";
    case ParameterRole::AttentionNorm:
      return layer + "input_layernorm.weight";
    case ParameterRole::FeedForwardNorm:
      return layer + "post_attention_layernorm.weight";
    case ParameterRole::Query:
      return layer + "self_attn.q_proj.weight";
    case ParameterRole::Key:
      return layer + "self_attn.k_proj.weight";
    case ParameterRole::Value:
      return layer + "self_attn.v_proj.weight";
    case ParameterRole::Projection:
      return layer + "self_attn.o_proj.weight";
    case ParameterRole::Up:
      return layer + "mlp.up_proj.weight";
    case ParameterRole::Gate:
      return layer + "mlp.gate_proj.weight";
    case ParameterRole::Down:
      return layer + "mlp.down_proj.weight";
    default:
      return "none";
  }
}

template <class T>
void load(Transformer<T>& model) {
  const std::string bytes = contents(folder() + "model.safetensors");
  const std::size_t header = at<std::uint64_t>(bytes, 0);
  const nlohmann::json tensors = nlohmann::json::parse(bytes.substr(8, header));
  for (const Parameter& p : model.layout().all()) {
    const nlohmann::json& tensor = tensors.at(llamaName(p));
    const std::size_t begin = 8 + header + tensor.at("data_offsets").at(0).get<std::size_t>();
    REQUIRE(tensor.at("data_offsets").at(1).get<std::size_t>() + 8 + header - begin == p.size() * 4);
    for (std::size_t i = 0; i < p.size(); ++i)
      model.of(p)[i] = static_cast<T>(at<float>(bytes, begin + 4 * i));
  }
}

/// The vocabulary of llama2.c: the maximum length, then for each piece a score, its length and its bytes.
std::vector<std::string> vocabulary() {
  const std::string bytes = contents(folder() + "tok512.bin");
  std::vector<std::string> pieces;
  for (std::size_t place = 4; pieces.size() < 512;) {
    const auto length = static_cast<std::size_t>(at<std::int32_t>(bytes, place + 4));
    pieces.push_back(bytes.substr(place + 8, length));
    place += 8 + length;
  }
  return pieces;
}

/// Repeatedly takes the most likely token, from the beginning of a text on.
template <class T>
std::string greedyStory(Transformer<T>& model, int tokens) {
  const std::vector<std::string> pieces = vocabulary();
  Batch batch{1, 1, {1}, {}, {}, {}};
  std::string text;
  std::vector<T> logits(512);
  for (int n = 0; n < tokens; ++n) {
    const std::int32_t last = n;
    model.logits(batch, std::span(&last, 1), logits);
    const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
    batch.tokens.push_back(static_cast<std::int32_t>(best));
    ++batch.length;
    const std::string& piece = pieces[static_cast<std::size_t>(best)];
    text += piece == "<0x0A>" ? "\n" : piece;
  }
  return text.substr(text.find_first_not_of(' '));
}

}  // namespace

TEMPLATE_TEST_CASE("transformer: a third-party trained model tells its known story", "", float, double) {
  if (!std::ifstream(folder() + "model.safetensors")) {
    WARN("skipped: there is no " << folder() << "; SEPX_SHARED says where the shared checkpoints are");
    return;
  }
  ThreadPool pool(1);
  Transformer<TestType> model(storiesConfig(), pool);
  load(model);
  const std::string told =
      "Once upon a time, there was a little girl named Lily. She loved to play outside in the park. One day, she saw a "
      "big, red ball. She wanted to play with it, but it was too high.";
  CHECK(greedyStory(model, 70).substr(0, told.size()) == told);
}
