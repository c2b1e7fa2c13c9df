// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/engine/checkpoint/opened.h"

using namespace sepx;
using namespace sepx::checkpoint;
using namespace sepx::checkpoint::made;

namespace {

constexpr std::int32_t kDim = 8, kHidden = 12, kLayers = 2, kHeads = 4, kKv = 2, kWords = 5, kPositions = 6;

std::string withMagic(std::int32_t version, bool shared, std::int32_t group, const std::string& data) {
  std::string bytes = raw(std::uint32_t{0x616B3432}) + raw(version) +
                      raw(std::vector<std::int32_t>{kDim, kHidden, kLayers, kHeads, kKv, kWords, kPositions}) +
                      raw(std::uint8_t{shared});
  if (version == 2) bytes += raw(group);
  bytes.resize(256);
  return bytes + data;
}

}  // namespace

TEST_CASE("The first format of llama2.c gives the tensors of a LLaMA in the order of the file") {
  const Folder folder;
  const auto checkpoint =
      opened(folder.write("m.bin", llama2c(kDim, kHidden, kLayers, kHeads, kKv, kWords, kPositions)));
  CHECK(checkpoint->format() == Format::Llama2c);
  CHECK(checkpoint->config().at("num_key_value_heads") == kKv);
  CHECK(checkpoint->config().at("tie_word_embeddings") == true);
  CHECK(checkpoint->tensors().size() == 2 + 2 * 9);
  // The file is a ramp, so that the first value of each tensor is the number of values before it.
  const auto first = [&checkpoint](const std::string& name) { return numbers(*checkpoint, name).front(); };
  double at = 0;
  CHECK(first("model.embed_tokens.weight") == at);
  CHECK(first("model.layers.0.input_layernorm.weight") == (at += kWords * kDim));
  CHECK(first("model.layers.1.input_layernorm.weight") == (at += kDim));
  CHECK(first("model.layers.0.self_attn.q_proj.weight") == (at += kDim));
  CHECK(first("model.layers.1.self_attn.q_proj.weight") == (at += kDim * kDim));
  CHECK(first("model.layers.0.self_attn.k_proj.weight") == (at += kDim * kDim));
  CHECK(checkpoint->find("model.layers.0.self_attn.k_proj.weight")->shape == std::vector<std::int64_t>{4, 8});
  CHECK(first("model.layers.1.self_attn.k_proj.weight") == (at += 4 * kDim));
  CHECK(first("model.layers.0.self_attn.v_proj.weight") == (at += 4 * kDim));
  CHECK(first("model.layers.0.self_attn.o_proj.weight") == (at += 2 * 4 * kDim));
  CHECK(first("model.layers.0.post_attention_layernorm.weight") == (at += 2 * kDim * kDim));
  CHECK(first("model.layers.0.mlp.gate_proj.weight") == (at += 2 * kDim));
  CHECK(first("model.layers.0.mlp.down_proj.weight") == (at += 2 * kHidden * kDim));
  CHECK(first("model.layers.0.mlp.up_proj.weight") == (at += 2 * kHidden * kDim));
  CHECK(first("model.norm.weight") == (at += 2 * kHidden * kDim));
}

TEST_CASE("A negative vocabulary size in a llama2.c file means a separate classifier") {
  const Folder folder;
  const auto checkpoint = opened(folder.write("m.bin", llama2c(kDim, kHidden, 1, kHeads, kKv, -kWords, kPositions)));
  REQUIRE(checkpoint->find("lm_head.weight"));
  CHECK(checkpoint->config().at("tie_word_embeddings") == false);
  CHECK(checkpoint->config().at("vocab_size") == kWords);
  const TensorInfo& head = *checkpoint->find("lm_head.weight");
  CHECK(head.offset + head.bytes == checkpoint->bytes());
}

TEST_CASE("Later formats of llama2.c open: floats are read, and groups of integers are only listed") {
  const Folder folder;
  constexpr std::size_t kLayer = 2 * kDim * kDim + 2 * 4 * kDim + 3 * kHidden * kDim;
  constexpr std::size_t kNorms = 2 * kLayers * kDim + kDim;
  constexpr std::size_t kWeights = kWords * kDim + kLayers * kLayer;
  const auto plain = opened(folder.write("1.bin", withMagic(1, true, 0, ramp(kNorms + kWeights))));
  CHECK(numbers(*plain, "model.norm.weight").front() == 2 * kLayers * kDim);
  CHECK(numbers(*plain, "model.embed_tokens.weight").front() == kNorms);
  CHECK(numbers(*plain, "model.layers.0.self_attn.q_proj.weight").front() == kNorms + kWords * kDim);
  const auto packed = opened(
      folder.write("2.bin", withMagic(2, true, 8, ramp(kNorms) + std::string(kWeights + kWeights / 8 * 4, 'q'))));
  CHECK(packed->find("model.layers.1.self_attn.k_proj.weight")->dtype == Dtype::Unreadable);
  CHECK(numbers(*packed, "model.norm.weight").front() == 2 * kLayers * kDim);
}

TEST_CASE("A llama2.c file whose size disagrees with its header is refused") {
  const std::string whole = llama2c(kDim, kHidden, 1, kHeads, kKv, kWords, 2);
  for (std::size_t length = 0; length < whole.size(); ++length)
    refused("m.bin", whole.substr(0, length));
  CHECK(has(refused("m.bin", whole + "x"), "describes a model of"));
  CHECK(has(refused("m.bin", withMagic(1, true, 0, "")), "describes a model of"));
  CHECK(has(refused("m.bin", withMagic(9, true, 0, "")), "header"));
  const auto header = [](std::vector<std::int32_t> numbers) { return raw(numbers) + std::string(64, '\0'); };
  for (const auto& absurd : std::vector<std::vector<std::int32_t>>{{INT32_MAX, 1, 1, 1, 1, 1, 1},
                                                                   {0, 0, 0, 0, 0, 0, 0},
                                                                   {-8, 12, 1, 4, 2, 5, 6},
                                                                   {8, 12, 1, 0, 0, 5, 6},
                                                                   {8, 12, 1, 3, 3, 5, 6},
                                                                   {8, 12, 1, 4, 2, INT32_MIN, 6}})
    refused("m.bin", header(absurd));
}
