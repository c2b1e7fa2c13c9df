// SPDX-License-Identifier: Apache-2.0
// Small complete random models in the layouts of LLaDA and Dream: embedding, three blocks, head.
#pragma once

#include <fmt/format.h>

#include "tests/engine/checkpoint/tiny_models.h"

namespace sepx::checkpoint::made {

inline constexpr int kDiffusionWidth = 24, kDiffusionHeads = 4, kDiffusionLayers = 3, kDiffusionHidden = 40,
                     kDiffusionVocabulary = 50, kDiffusionMask = 49;

/// Scales weights by 0.2 and sets gains near 1, so that the residual stream keeps its magnitude.
inline void quieten(TinyTensor& tensor, bool gain) {
  for (float& value : tensor.values)
    value = gain ? 1 + 0.1F * value : 0.2F * value;
}

inline TinyModel llada() {
  TinyModel model;
  constexpr int d = kDiffusionWidth, f = kDiffusionHidden;
  model.config = fmt::format(
      R"({{"model_type":"llada","d_model":{},"n_heads":{},"n_kv_heads":{},"n_layers":{},"mlp_hidden_size":{},
"vocab_size":{},"rope_theta":500000.0,"rms_norm_eps":1e-05,"activation_type":"silu","mask_token_id":{}}})",
      d, kDiffusionHeads, kDiffusionHeads, kDiffusionLayers, f, kDiffusionVocabulary, kDiffusionMask);
  const std::string stem = "model.transformer.";
  model.add(stem + "wte.weight", {kDiffusionVocabulary, d});
  quieten(model.add(stem + "ln_f.weight", {d}), true);
  quieten(model.add(stem + "ff_out.weight", {kDiffusionVocabulary, d}), false);
  for (int layer = 0; layer < kDiffusionLayers; ++layer) {
    const std::string block = fmt::format("{}blocks.{}.", stem, layer);
    for (const char* const part : {"q_proj", "k_proj", "v_proj", "attn_out"})
      quieten(model.add(block + part + ".weight", {d, d}), false);
    for (const char* const part : {"ff_proj", "up_proj"})
      quieten(model.add(block + part + ".weight", {f, d}), false);
    quieten(model.add(block + "ff_out.weight", {d, f}), false);
    for (const char* const part : {"attn_norm", "ff_norm"})
      quieten(model.add(block + part + ".weight", {d}), true);
  }
  return model;
}

/// Grouped keys, and biases of queries, keys and values, as in Qwen 2.
inline TinyModel dream() {
  TinyModel model;
  constexpr int d = kDiffusionWidth, f = kDiffusionHidden, keys = d / 2;
  model.config = fmt::format(
      R"({{"model_type":"Dream","hidden_size":{},"num_attention_heads":{},"num_key_value_heads":{},"num_hidden_layers":{},
"intermediate_size":{},"vocab_size":{},"rope_theta":1000000.0,"rms_norm_eps":1e-06,"hidden_act":"silu","mask_token_id":{}}})",
      d, kDiffusionHeads, kDiffusionHeads / 2, kDiffusionLayers, f, kDiffusionVocabulary, kDiffusionMask);
  model.add("model.embed_tokens.weight", {kDiffusionVocabulary, d});
  quieten(model.add("model.norm.weight", {d}), true);
  quieten(model.add("lm_head.weight", {kDiffusionVocabulary, d}), false);
  for (int layer = 0; layer < kDiffusionLayers; ++layer) {
    const std::string block = fmt::format("model.layers.{}.", layer);
    quieten(model.add(block + "self_attn.q_proj.weight", {d, d}), false);
    quieten(model.add(block + "self_attn.k_proj.weight", {keys, d}), false);
    quieten(model.add(block + "self_attn.v_proj.weight", {keys, d}), false);
    quieten(model.add(block + "self_attn.o_proj.weight", {d, d}), false);
    quieten(model.add(block + "self_attn.q_proj.bias", {d}), false);
    quieten(model.add(block + "self_attn.k_proj.bias", {keys}), false);
    quieten(model.add(block + "self_attn.v_proj.bias", {keys}), false);
    quieten(model.add(block + "mlp.gate_proj.weight", {f, d}), false);
    quieten(model.add(block + "mlp.up_proj.weight", {f, d}), false);
    quieten(model.add(block + "mlp.down_proj.weight", {d, f}), false);
    for (const char* const part : {"input_layernorm", "post_attention_layernorm"})
      quieten(model.add(block + part + ".weight", {d}), true);
  }
  return model;
}

}  // namespace sepx::checkpoint::made
