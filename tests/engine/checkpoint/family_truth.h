// SPDX-License-Identifier: Apache-2.0
// The expected values for a family of models: where its own forward pass reads entry (a, i) of the query and key
// projections of a head in its tensors, and the comparison of these entries with the factors that the map loads.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/checkpoint/family_rule.h"
#include "engine/checkpoint/load_factors.h"
#include "tests/engine/checkpoint/opened.h"
#include "tests/engine/checkpoint/tiny_models.h"

namespace sepx::checkpoint::made {

/// The number by which input i is multiplied in output a of query head h of a layer.
using Entry = std::function<double(const TinyModel& model, int layer, int head, int a, int i)>;

struct Truth {
  Stack stack = Stack::Self;
  int heads = 0, kvHeads = 0, d_h = 0, d_model = 0, d_key = 0;
  Entry query, key;  ///< `key` takes a query head and applies the family's own pairing of heads
  int layers = 2;
};

/// x_i^T W_qk^h x_j as the model computes it: the sum over a of query(a, i) key(a, j).
inline double literal(const Truth& truth, const TinyModel& model, int layer, int queryHead, int keyHead, int i, int j) {
  double sum = 0;
  for (int a = 0; a < truth.d_h; ++a)
    sum += truth.query(model, layer, queryHead, a, i) * truth.key(model, layer, keyHead, a, j);
  return sum;
}

inline void compareHead(const Truth& truth, const TinyModel& model, const Checkpoint& checkpoint,
                        const AttentionLayer& layer, int head) {
  const auto factors = loadFactors(checkpoint, layer, {HeadPairing::Grouped, head, false});
  INFO((factors ? std::string() : factors.error().message));
  REQUIRE(factors);
  const attention::Matrix W = factors->query(0) * factors->key(0).transpose();
  double worst = 0, apart = 0;
  const int other = (head + std::max(1, truth.heads / truth.kvHeads)) % truth.heads;
  for (int i = 0; i < truth.d_model; ++i)
    for (int j = 0; j < truth.d_key; ++j) {
      worst = std::max(worst, std::abs(W(i, j) - literal(truth, model, layer.layer, head, head, i, j)));
      apart = std::max(apart, std::abs(W(i, j) - literal(truth, model, layer.layer, head, other, i, j)));
    }
  CHECK(worst < 1e-12);
  if (truth.kvHeads > 1) CHECK(apart > 0.1);  // ensures that a wrong pairing of heads would be detected
}

inline void compareLayer(const Truth& truth, const TinyModel& model, const Checkpoint& checkpoint,
                         const AttentionLayer& layer) {
  const auto factors = loadFactors(checkpoint, layer);
  REQUIRE(factors);
  const attention::Matrix W = factors->W_Q * attention::keysOfHeads(*factors).transpose();
  double worst = 0;
  for (int i = 0; i < truth.d_model; ++i)
    for (int j = 0; j < truth.d_key; ++j) {
      double sum = 0;
      for (int h = 0; h < truth.heads; ++h)
        sum += literal(truth, model, layer.layer, h, h, i, j);
      worst = std::max(worst, std::abs(W(i, j) - sum));
    }
  CHECK(worst < 1e-11);
}

inline void compare(const Truth& truth, const TinyModel& model, const Checkpoint& checkpoint, const AttentionMap& map) {
  INFO("stack " << toString(truth.stack) << ": " << map.noQkReason);
  REQUIRE(map.layersOf(truth.stack) == truth.layers);
  for (int at = 0; at < truth.layers; ++at) {
    const AttentionLayer& layer = *map.find(truth.stack, at);
    INFO("layer " << at);
    REQUIRE(layer.heads == truth.heads);
    REQUIRE(layer.kvHeads == truth.kvHeads);
    REQUIRE(layer.d_h == truth.d_h);
    REQUIRE(layer.d_model == truth.d_model);
    REQUIRE(layer.d_key == truth.d_key);
    for (int head = 0; head < truth.heads; ++head) {
      INFO("head " << head);
      compareHead(truth, model, checkpoint, layer, head);
    }
    compareLayer(truth, model, checkpoint, layer);
  }
  CHECK(map.mapping.size() >= 2);
}

/// Writes a model, opens it and maps its attention.
struct Mapped {
  Folder folder;
  std::shared_ptr<const Checkpoint> checkpoint;
  AttentionMap map;
  explicit Mapped(const TinyModel& model, const std::vector<FamilyRule>& own = {})
      : checkpoint(opened(model.write(folder))), map(mapAttention(*checkpoint, own)) {}
};

inline bool noted(const AttentionMap& map, const std::string& words) {
  for (const std::string& note : map.notes)
    if (has(note, words)) return true;
  return false;
}

inline std::string fromOf(const AttentionMap& map, const std::string& what) {
  for (const MappingRow& row : map.mapping)
    if (row.what == what) return row.from;
  return {};
}

// Layouts that families share. Weights are [out, in]: output n of a tensor multiplies input i by W[n][i].

/// One tensor each for queries and keys; query head h uses key head h / (H/K).
inline Truth separateTruth(Stack stack, const std::string& query, const std::string& key, int heads, int kvHeads,
                           int d_h, int d_model, int d_key = 0) {
  Truth truth{stack, heads, kvHeads, d_h, d_model, d_key == 0 ? d_model : d_key, {}, {}};
  truth.query = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(query, layer)].at(h * d_h + a, i);
  };
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(key, layer)].at(h / (heads / kvHeads) * d_h + a, i);
  };
  return truth;
}

/// Queries, then keys, then values, in the rows of one tensor.
inline Truth blocksTruth(Stack stack, const std::string& all, int heads, int kvHeads, int d_h, int d_model) {
  Truth truth = separateTruth(stack, all, all, heads, kvHeads, d_h, d_model);
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(heads * d_h + h / (heads / kvHeads) * d_h + a, i);
  };
  return truth;
}

/// The same blocks as columns of a tensor [in, out].
inline Truth conv1dTruth(const std::string& all, int heads, int d_h, int d_model) {
  Truth truth{Stack::Self, heads, heads, d_h, d_model, d_model, {}, {}};
  truth.query = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(i, h * d_h + a);
  };
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(i, heads * d_h + h * d_h + a);
  };
  return truth;
}

/// For each head its query, its key and its value.
inline Truth perHeadTruth(const std::string& all, int heads, int d_h, int d_model) {
  Truth truth{Stack::Self, heads, heads, d_h, d_model, d_model, {}, {}};
  truth.query = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(h * 3 * d_h + a, i);
  };
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(h * 3 * d_h + d_h + a, i);
  };
  return truth;
}

/// For each group its queries, its key and its value.
inline Truth groupsTruth(const std::string& all, int heads, int kvHeads, int d_h, int d_model) {
  Truth truth{Stack::Self, heads, kvHeads, d_h, d_model, d_model, {}, {}};
  const int shared = heads / kvHeads;
  truth.query = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(h / shared * (shared + 2) * d_h + h % shared * d_h + a, i);
  };
  truth.key = [=](const TinyModel& model, int layer, int h, int a, int i) {
    return model[named(all, layer)].at(h / shared * (shared + 2) * d_h + shared * d_h + a, i);
  };
  return truth;
}

}  // namespace sepx::checkpoint::made
