// SPDX-License-Identifier: Apache-2.0
// A family as stored in its files: the tensors of a layer and of the model, the config, and the expected values of its
// stacks.
#pragma once

#include <string>
#include <vector>

#include "tests/engine/checkpoint/family_truth.h"

namespace sepx::checkpoint::made {

inline constexpr int d = 24, H = 4, d_h = 6;  ///< the defaults

struct Tensor2 {
  const char* name;
  std::vector<std::int64_t> shape;
};

/// One family as stored in its files.
struct Family {
  const char* key;             ///< the expected key
  const char* type;            ///< model_type of config.json
  const char* shape;           ///< the rest of the config
  std::vector<Tensor2> layer;  ///< tensors of each layer
  std::vector<Tensor2> once;   ///< tensors of the model
  std::vector<Truth> truths;
  const char*
      byNames;  ///< the key expected without a model_type in the config; nullptr if another family has the same names
};

inline TinyModel modelOf(const Family& family, bool typed) {
  TinyModel model;
  model.config =
      "{" + (typed ? "\"model_type\":\"" + std::string(family.type) + "\"," : std::string()) + family.shape + "}";
  for (const Tensor2& tensor : family.once)
    model.add(tensor.name, tensor.shape);
  for (int layer = 0; layer < 2; ++layer)
    for (const Tensor2& tensor : family.layer)
      if (has(tensor.name, "{layer}") || layer == 0) model.add(named(tensor.name, layer), tensor.shape);
  return model;
}

inline const char* const kHf = "\"hidden_size\":24,\"num_attention_heads\":4,\"num_hidden_layers\":2";
inline const char* const kGrouped =
    "\"hidden_size\":24,\"num_attention_heads\":4,\"num_key_value_heads\":2,\"num_hidden_layers\":2";
inline const char* const kGpt = "\"n_embd\":24,\"n_head\":4,\"n_layer\":2";

inline std::vector<Tensor2> pair(const char* query, const char* key, std::int64_t queries = d, std::int64_t keys = d,
                                 std::int64_t in = d) {
  return {{query, {queries, in}}, {key, {keys, in}}};
}

inline void check(const std::vector<Family>& families) {
  for (const Family& family : families) {
    INFO("family " << family.key << ", type " << family.type);
    const std::string type = family.type;
    if (!type.empty()) {
      const TinyModel model = modelOf(family, true);
      const Mapped mapped(model);
      CHECK(mapped.map.family == family.key);
      CHECK(mapped.map.recognisedBy == "config.json (model_type " + type + ")");
      CHECK_FALSE(mapped.map.familyName.empty());
      for (const Truth& truth : family.truths)
        compare(truth, model, *mapped.checkpoint, mapped.map);
    }
    if (family.byNames == nullptr) continue;
    const TinyModel model = modelOf(family, false);
    const Mapped mapped(model);
    CHECK(mapped.map.family == family.byNames);
    CHECK(mapped.map.recognisedBy == "names of tensors");
    for (const Truth& truth : family.truths)
      compare(truth, model, *mapped.checkpoint, mapped.map);
  }
}

}  // namespace sepx::checkpoint::made
