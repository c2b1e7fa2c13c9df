// SPDX-License-Identifier: Apache-2.0
// Models of two small layers for tests: tensors with values that depend on their names and positions, and a config,
// written as safetensors. The test knows all values, so that a literal loop over them gives the expected result.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/random.h"
#include "tests/engine/checkpoint/file_makers.h"

namespace sepx::checkpoint::made {

struct TinyTensor {
  std::vector<std::int64_t> shape;
  std::vector<float> values;

  double at(std::int64_t i) const { return values.at(static_cast<std::size_t>(i)); }
  double at(std::int64_t i, std::int64_t j) const { return at(i * shape.at(1) + j); }
  double at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return at((i * shape.at(1) + j) * shape.at(2) + k);
  }
};

class TinyModel {
 public:
  std::string config;  ///< the text of config.json; empty to write none

  /// Adds a tensor of random normal numbers, with a separate stream for each name.
  TinyTensor& add(const std::string& name, std::vector<std::int64_t> shape) {
    std::uint64_t stream = 1469598103934665603u;
    for (const char c : name)
      stream = (stream ^ static_cast<unsigned char>(c)) * 1099511628211u;
    RandomStream random(7, stream);
    TinyTensor& tensor = tensors_[name];
    tensor.shape = std::move(shape);
    tensor.values.clear();
    std::int64_t count = 1;
    for (const std::int64_t length : tensor.shape)
      count *= length;
    for (std::int64_t i = 0; i < count; ++i)
      tensor.values.push_back(static_cast<float>(random.normal()));
    return tensor;
  }
  const TinyTensor& operator[](const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) throw std::runtime_error("the test asks for " + name + ", which it did not make");
    return found->second;
  }
  /// Writes folder/name with model.safetensors and config.json. Returns the path to open.
  std::string write(const Folder& folder, const std::string& name = "model") const {
    std::vector<Tensor> all;
    for (const auto& [key, tensor] : tensors_)
      all.push_back({key, "F32", tensor.shape, raw(tensor.values)});
    folder.write(name + "/model.safetensors", safetensors(all));
    if (!config.empty()) folder.write(name + "/config.json", config);
    return (folder.path / name).string();
  }

 private:
  std::map<std::string, TinyTensor> tensors_;
};

/// The pattern "h.{layer}.attn" and layer 1 give "h.1.attn".
inline std::string named(std::string pattern, int layer) {
  const std::size_t at = pattern.find("{layer}");
  if (at != std::string::npos) pattern.replace(at, 7, std::to_string(layer));
  return pattern;
}

/// LLaMA with grouped keys: d_model 16, heads of 4, an embedding of 10 tokens.
inline TinyModel tinyLlama(int layers = 2, int heads = 4, int kvHeads = 2) {
  TinyModel model;
  const int d = 16, d_h = 4;
  model.config =
      "{\"model_type\":\"llama\",\"hidden_size\":16,\"head_dim\":4,\"num_hidden_layers\":" + std::to_string(layers) +
      ",\"num_attention_heads\":" + std::to_string(heads) + ",\"num_key_value_heads\":" + std::to_string(kvHeads) +
      ",\"rms_norm_eps\":1e-5}";
  model.add("model.embed_tokens.weight", {10, d});
  for (int layer = 0; layer < layers; ++layer) {
    const std::string prefix = named("model.layers.{layer}.", layer);
    model.add(prefix + "self_attn.q_proj.weight", {heads * d_h, d});
    model.add(prefix + "self_attn.k_proj.weight", {kvHeads * d_h, d});
    model.add(prefix + "self_attn.v_proj.weight", {kvHeads * d_h, d});
    model.add(prefix + "input_layernorm.weight", {d});
  }
  return model;
}

/// BERT: d_model 12, 3 heads, biases, an embedding of 10 tokens.
inline TinyModel tinyBert(int layers = 2) {
  TinyModel model;
  model.config = "{\"model_type\":\"bert\",\"hidden_size\":12,\"num_hidden_layers\":" + std::to_string(layers) +
                 ",\"num_attention_heads\":3}";
  model.add("bert.embeddings.word_embeddings.weight", {10, 12});
  for (int layer = 0; layer < layers; ++layer)
    for (const char* part : {"query", "key", "value"}) {
      const std::string prefix = named("bert.encoder.layer.{layer}.attention.self.", layer) + part;
      model.add(prefix + ".weight", {12, 12});
      model.add(prefix + ".bias", {12});
    }
  return model;
}

}  // namespace sepx::checkpoint::made
