// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/forward/whole_models.h"

#include <catch2/catch.hpp>

namespace sepx::forward::made {

namespace {

using checkpoint::made::named;

constexpr int kLayers = 2;

/// Adds normal numbers times `size` around `centre`.
void add(TinyModel& model, const std::string& name, std::vector<std::int64_t> shape, float size, float centre = 0) {
  for (float& value : model.add(name, std::move(shape)).values)
    value = centre + size * value;
}

/// Adds a weight [rows, columns], which is [out, in], or [in, out] as in Conv1D.
void addLinear(TinyModel& model, const std::string& name, std::int64_t rows, std::int64_t columns,
               std::int64_t biases) {
  add(model, name + ".weight", {rows, columns}, 0.35F);
  if (biases > 0) add(model, name + ".bias", {biases}, 0.2F);
}

void addNorm(TinyModel& model, const std::string& name, std::int64_t width, bool bias, float centre = 1) {
  add(model, name + ".weight", {width}, 0.3F, centre);
  if (bias) add(model, name + ".bias", {width}, 0.2F);
}

/// The tensors that LLaMA and its relatives share, without norms.
TinyModel llamaWithoutNorms(const std::string& type, const std::string& more) {
  TinyModel model;
  model.config = "{\"model_type\":\"" + type +
                 "\",\"hidden_size\":16,\"head_dim\":4,\"num_hidden_layers\":2,\"num_attention_heads\":4,"
                 "\"num_key_value_heads\":2,\"intermediate_size\":20,\"rms_norm_eps\":1e-5,\"rope_theta\":100.0,"
                 "\"max_position_embeddings\":64,\"vocab_size\":11" +
                 more + "}";
  add(model, "model.embed_tokens.weight", {kTokens, 16}, 0.7F);
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string prefix = named("model.layers.{layer}.", layer);
    addLinear(model, prefix + "self_attn.q_proj", 16, 16, 0);
    addLinear(model, prefix + "self_attn.k_proj", 8, 16, 0);
    addLinear(model, prefix + "self_attn.v_proj", 8, 16, 0);
    addLinear(model, prefix + "self_attn.o_proj", 16, 16, 0);
    addLinear(model, prefix + "mlp.gate_proj", 20, 16, 0);
    addLinear(model, prefix + "mlp.up_proj", 20, 16, 0);
    addLinear(model, prefix + "mlp.down_proj", 16, 20, 0);
  }
  addLinear(model, "lm_head", kTokens, 16, 0);
  return model;
}

TinyModel llamaLike(const std::string& type) {
  TinyModel model = llamaWithoutNorms(type, ",\"hidden_act\":\"silu\",\"tie_word_embeddings\":false");
  addNorm(model, "model.norm", 16, false);
  for (int layer = 0; layer < kLayers; ++layer)
    for (const char* norm : {"input_layernorm", "post_attention_layernorm"})
      addNorm(model, named("model.layers.{layer}.", layer) + norm, 16, false);
  return model;
}

}  // namespace

TinyModel gpt2() {
  TinyModel model;
  model.config =
      "{\"model_type\":\"gpt2\",\"n_embd\":12,\"n_layer\":2,\"n_head\":3,\"n_positions\":16,\"n_ctx\":16,"
      "\"vocab_size\":11,\"layer_norm_epsilon\":1e-5,\"activation_function\":\"gelu_new\"}";
  add(model, "wte.weight", {kTokens, 12}, 0.7F);
  add(model, "wpe.weight", {16, 12}, 0.5F);
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string prefix = named("h.{layer}.", layer);
    addNorm(model, prefix + "ln_1", 12, true);
    addLinear(model, prefix + "attn.c_attn", 12, 36, 36);
    addLinear(model, prefix + "attn.c_proj", 12, 12, 12);
    addNorm(model, prefix + "ln_2", 12, true);
    addLinear(model, prefix + "mlp.c_fc", 12, 48, 48);
    addLinear(model, prefix + "mlp.c_proj", 48, 12, 12);
  }
  addNorm(model, "ln_f", 12, true);
  return model;
}

TinyModel llama() {
  return llamaLike("llama");
}

TinyModel qwen3() {
  TinyModel model = llamaLike("qwen3");
  for (int layer = 0; layer < kLayers; ++layer)
    for (const char* norm : {"self_attn.q_norm", "self_attn.k_norm"})
      addNorm(model, named("model.layers.{layer}.", layer) + norm, 4, false);
  return model;
}

TinyModel olmo2() {
  TinyModel model = llamaWithoutNorms("olmo2", ",\"hidden_act\":\"silu\",\"tie_word_embeddings\":false");
  addNorm(model, "model.norm", 16, false);
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string prefix = named("model.layers.{layer}.", layer);
    addNorm(model, prefix + "self_attn.q_norm", 16, false);
    addNorm(model, prefix + "self_attn.k_norm", 8, false);
    addNorm(model, prefix + "post_attention_layernorm", 16, false);
    addNorm(model, prefix + "post_feedforward_layernorm", 16, false);
  }
  return model;
}

TinyModel bert() {
  TinyModel model;
  model.config =
      "{\"model_type\":\"bert\",\"hidden_size\":12,\"num_hidden_layers\":2,\"num_attention_heads\":3,"
      "\"intermediate_size\":20,\"vocab_size\":11,\"max_position_embeddings\":16,\"type_vocab_size\":2,"
      "\"layer_norm_eps\":1e-12,\"hidden_act\":\"gelu\"}";
  const std::string embeddings = "bert.embeddings.";
  add(model, embeddings + "word_embeddings.weight", {kTokens, 12}, 0.7F);
  add(model, embeddings + "position_embeddings.weight", {16, 12}, 0.5F);
  add(model, embeddings + "token_type_embeddings.weight", {2, 12}, 0.3F);
  addNorm(model, embeddings + "LayerNorm", 12, true);
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string prefix = named("bert.encoder.layer.{layer}.", layer);
    for (const char* part : {"query", "key", "value"})
      addLinear(model, prefix + "attention.self." + part, 12, 12, 12);
    addLinear(model, prefix + "attention.output.dense", 12, 12, 12);
    addNorm(model, prefix + "attention.output.LayerNorm", 12, true);
    addLinear(model, prefix + "intermediate.dense", 20, 12, 20);
    addLinear(model, prefix + "output.dense", 12, 20, 12);
    addNorm(model, prefix + "output.LayerNorm", 12, true);
  }
  addLinear(model, "cls.predictions.transform.dense", 12, 12, 12);
  addNorm(model, "cls.predictions.transform.LayerNorm", 12, true);
  add(model, "cls.predictions.bias", {kTokens}, 0.2F);
  return model;
}

TinyModel gemma2() {
  TinyModel model = llamaWithoutNorms(
      "gemma2",
      ",\"hidden_activation\":\"gelu_pytorch_tanh\",\"query_pre_attn_scalar\":9,\"attn_logit_softcapping\":2.5,"
      "\"final_logit_softcapping\":8.0,\"sliding_window\":3");
  addNorm(model, "model.norm", 16, false, 0);
  for (int layer = 0; layer < kLayers; ++layer)
    for (const char* norm :
         {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"})
      addNorm(model, named("model.layers.{layer}.", layer) + norm, 16, false, 0);
  return model;
}

void alter(TinyModel& model, const std::string& name, const std::function<float(std::size_t, float)>& change) {
  const TinyTensor before = model[name];
  TinyTensor& after = model.add(name, before.shape);
  for (std::size_t i = 0; i < before.values.size(); ++i)
    after.values[i] = change(i, before.values[i]);
}

std::shared_ptr<const ForwardModel> openedModel(const std::string& path) {
  const auto model = checkpoint::openModel(path);
  INFO((model ? std::string() : model.error().message));
  REQUIRE(model);
  const auto opened = ForwardModel::open(*model);
  INFO((opened ? std::string() : opened.error().message));
  REQUIRE(opened);
  INFO((opened.value()->plan().missing.empty() ? std::string() : opened.value()->plan().missing.front()));
  REQUIRE(opened.value()->plan().missing.empty());
  return *opened;
}

std::shared_ptr<const ForwardModel> openedModel(const Folder& folder, const TinyModel& model) {
  static int count = 0;
  return openedModel(model.write(folder, "model" + std::to_string(count++)));
}

}  // namespace sepx::forward::made
