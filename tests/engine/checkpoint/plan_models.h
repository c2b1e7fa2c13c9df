// SPDX-License-Identifier: Apache-2.0
// Small complete models with the tensor names of their families, for tests of plans: two blocks, d_model 24, four heads
// of 6, a vocabulary of 10. Only the shapes matter.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "tests/engine/checkpoint/family_files.h"

namespace sepx::checkpoint::made {

/// The tensors of a block and of the whole model, each with its name and shape.
struct WholeModel {
  std::vector<Tensor2> layer, once;
  std::string config;  ///< without braces and model_type
  std::string type;    ///< model_type; empty if there is none
  int layers = 2;

  WholeModel& with(const std::vector<Tensor2>& more) {
    once.insert(once.end(), more.begin(), more.end());
    return *this;
  }
  WholeModel& set(const std::string& words) {
    config += "," + words;
    return *this;
  }
  WholeModel& named(const char* other) {
    type = other;
    return *this;
  }
  /// Removes the tensors whose names contain `words`.
  WholeModel& without(const std::string& words) {
    for (std::vector<Tensor2>* list : {&layer, &once})
      std::erase_if(*list, [&](const Tensor2& tensor) { return has(tensor.name, words); });
    return *this;
  }
  TinyModel tiny() const {
    TinyModel model;
    model.config = "{" + (type.empty() ? std::string() : "\"model_type\":\"" + type + "\",") + config + "}";
    for (const Tensor2& tensor : once)
      model.add(tensor.name, tensor.shape);
    for (int at = 0; at < layers; ++at)
      for (const Tensor2& tensor : layer)
        model.add(made::named(tensor.name, at), tensor.shape);
    return model;
  }
};

/// The plan of a model written by the test. Keeps the checkpoint alive.
struct Planned {
  Mapped mapped;
  Result<ModelPlan> plan;

  explicit Planned(const WholeModel& model) : mapped(model.tiny()), plan(planModel(*mapped.checkpoint, mapped.map)) {}
  const ModelPlan* operator->() const {
    if (!plan) throw std::runtime_error(plan.error().message);
    return &*plan;
  }
  const BlockPlan& block(std::size_t at) const { return (*this)->blocks.at(at); }
  /// Empty if there is a plan.
  std::string refusal() const { return plan ? std::string() : plan.error().message; }
};

/// LLaMA tensors with two key heads.
inline WholeModel llamaModel(const char* type = "llama") {
  WholeModel model;
  model.type = type;
  model.config = std::string(kGrouped) + ",\"head_dim\":6,\"max_position_embeddings\":64,\"tie_word_embeddings\":true";
  model.layer = {{"model.layers.{layer}.input_layernorm.weight", {d}},
                 {"model.layers.{layer}.self_attn.q_proj.weight", {d, d}},
                 {"model.layers.{layer}.self_attn.k_proj.weight", {d / 2, d}},
                 {"model.layers.{layer}.self_attn.v_proj.weight", {d / 2, d}},
                 {"model.layers.{layer}.self_attn.o_proj.weight", {d, d}},
                 {"model.layers.{layer}.post_attention_layernorm.weight", {d}},
                 {"model.layers.{layer}.mlp.gate_proj.weight", {40, d}},
                 {"model.layers.{layer}.mlp.up_proj.weight", {40, d}},
                 {"model.layers.{layer}.mlp.down_proj.weight", {d, 40}}};
  model.once = {{"model.embed_tokens.weight", {10, d}}, {"model.norm.weight", {d}}};
  return model;
}

/// Adds the weight and the bias of a linear layer or norm.
inline void addBoth(std::vector<Tensor2>& list, const char* weight, std::vector<std::int64_t> shape, const char* bias,
                    std::int64_t values) {
  list.push_back({weight, std::move(shape)});
  list.push_back({bias, {values}});
}

/// GPT-2 tensors, stored [in, out].
inline WholeModel gpt2Model() {
  WholeModel model;
  model.type = "gpt2";
  model.config = kGpt;
  addBoth(model.layer, "transformer.h.{layer}.ln_1.weight", {d}, "transformer.h.{layer}.ln_1.bias", d);
  addBoth(model.layer, "transformer.h.{layer}.attn.c_attn.weight", {d, 3 * d}, "transformer.h.{layer}.attn.c_attn.bias",
          3 * d);
  addBoth(model.layer, "transformer.h.{layer}.attn.c_proj.weight", {d, d}, "transformer.h.{layer}.attn.c_proj.bias", d);
  addBoth(model.layer, "transformer.h.{layer}.ln_2.weight", {d}, "transformer.h.{layer}.ln_2.bias", d);
  addBoth(model.layer, "transformer.h.{layer}.mlp.c_fc.weight", {d, 4 * d}, "transformer.h.{layer}.mlp.c_fc.bias",
          4 * d);
  addBoth(model.layer, "transformer.h.{layer}.mlp.c_proj.weight", {4 * d, d}, "transformer.h.{layer}.mlp.c_proj.bias",
          d);
  model.once = {{"transformer.wte.weight", {10, d}},
                {"transformer.wpe.weight", {16, d}},
                {"transformer.ln_f.weight", {d}},
                {"transformer.ln_f.bias", {d}}};
  return model;
}

/// BLOOM and Falcon tensors: fused by head, with `rows` outputs.
inline WholeModel bloomModel(const char* type, std::int64_t rows = 3 * d) {
  WholeModel model;
  model.type = type;
  model.config = kHf;
  model.layer = {{"transformer.h.{layer}.input_layernorm.weight", {d}},
                 {"transformer.h.{layer}.input_layernorm.bias", {d}},
                 {"transformer.h.{layer}.self_attention.query_key_value.weight", {rows, d}},
                 {"transformer.h.{layer}.self_attention.dense.weight", {d, d}},
                 {"transformer.h.{layer}.mlp.dense_h_to_4h.weight", {4 * d, d}},
                 {"transformer.h.{layer}.mlp.dense_4h_to_h.weight", {d, 4 * d}}};
  model.once = {{"transformer.word_embeddings.weight", {10, d}},
                {"transformer.ln_f.weight", {d}},
                {"transformer.ln_f.bias", {d}}};
  return model;
}

/// BERT tensors with the prefix "bert.".
inline WholeModel bertModel() {
  WholeModel model;
  model.type = "bert";
  model.config = kHf;
  const char* const layer[] = {"bert.encoder.layer.{layer}.attention.self.query.weight",
                               "bert.encoder.layer.{layer}.attention.self.key.weight",
                               "bert.encoder.layer.{layer}.attention.self.value.weight",
                               "bert.encoder.layer.{layer}.attention.output.dense.weight"};
  for (const char* name : layer)
    model.layer.push_back({name, {d, d}});
  addBoth(model.layer, "bert.encoder.layer.{layer}.attention.output.LayerNorm.weight", {d},
          "bert.encoder.layer.{layer}.attention.output.LayerNorm.bias", d);
  model.layer.push_back({"bert.encoder.layer.{layer}.intermediate.dense.weight", {40, d}});
  model.layer.push_back({"bert.encoder.layer.{layer}.output.dense.weight", {d, 40}});
  addBoth(model.layer, "bert.encoder.layer.{layer}.output.LayerNorm.weight", {d},
          "bert.encoder.layer.{layer}.output.LayerNorm.bias", d);
  model.once = {{"bert.embeddings.word_embeddings.weight", {10, d}},
                {"bert.embeddings.position_embeddings.weight", {16, d}},
                {"bert.embeddings.token_type_embeddings.weight", {2, d}},
                {"bert.embeddings.LayerNorm.weight", {d}},
                {"bert.embeddings.LayerNorm.bias", {d}},
                {"cls.predictions.transform.dense.weight", {d, d}},
                {"cls.predictions.transform.dense.bias", {d}},
                {"cls.predictions.transform.LayerNorm.weight", {d}},
                {"cls.predictions.transform.LayerNorm.bias", {d}},
                {"cls.predictions.bias", {10}}};
  return model;
}

}  // namespace sepx::checkpoint::made
