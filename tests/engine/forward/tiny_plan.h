// SPDX-License-Identifier: Apache-2.0
// Small models with random weights for tests of the forward pass: a plan, the tensors that it names, and a safetensors
// file with them. The weights are floats, so that a pass in double precision uses exactly the numbers of the plain
// computation (naive_pass.h).
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/core/random.h"
#include "engine/forward/forward_pass.h"
#include "tests/engine/checkpoint/file_makers.h"

namespace sepx::forward::tiny {

namespace files = sepx::checkpoint::made;
using checkpoint::BlockPlan;
using checkpoint::FeedForwardActivation;
using checkpoint::FeedForwardSource;
using checkpoint::LinearSource;
using checkpoint::ModelPlan;
using checkpoint::NormSource;
using checkpoint::ProjectionSource;

struct Table {
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

struct PlannedModel {
  ModelPlan plan;
  std::map<std::string, Table> tables;
  RandomStream random{7};

  /// Random numbers with the standard deviation `size`, rounded to floats.
  std::string table(const std::string& name, std::vector<std::int64_t> shape, double size, double mean = 0) {
    std::int64_t count = 1;
    for (const std::int64_t length : shape)
      count *= length;
    Table& made = tables[name];
    made.shape = std::move(shape);
    made.values.clear();
    for (std::int64_t i = 0; i < count; ++i)
      made.values.push_back(static_cast<double>(static_cast<float>(mean + size * random.normal())));
    return name;
  }
  LinearSource linear(const std::string& name, int out, int in, bool transposed = false, bool bias = true) {
    LinearSource made;
    made.tensor =
        table(name + ".weight", transposed ? std::vector<std::int64_t>{in, out} : std::vector<std::int64_t>{out, in},
              1 / std::sqrt(in));
    made.transposed = transposed;
    made.out = out;
    made.in = in;
    if (bias) made.bias = table(name + ".bias", {out}, 0.3);
    return made;
  }
  NormSource norm(const std::string& name, int width, NormSource::Kind kind = NormSource::Kind::Layer) {
    NormSource made;
    made.kind = kind;
    made.gain = table(name + ".weight", {width}, 0.3, 1);
    if (kind == NormSource::Kind::Layer) made.bias = table(name + ".bias", {width}, 0.3);
    return made;
  }
  FeedForwardSource feedForward(const std::string& name, FeedForwardActivation activation, bool gated) {
    FeedForwardSource made;
    const int d = plan.d_model, inner = 3 * d;
    made.activation = activation;
    made.up = linear(name + ".up", inner, d);
    if (gated) made.gate = linear(name + ".gate", inner, d);
    made.down = linear(name + ".down", d, inner);
    return made;
  }

  std::string bytes(const std::string& dtype = "F32") const {
    std::vector<files::Tensor> list;
    for (const auto& [name, one] : tables) {
      std::string data;
      for (const double value : one.values)
        data += dtype == "F64" ? files::raw(value) : files::raw(static_cast<float>(value));
      list.push_back({name, dtype, one.shape, data});
    }
    return files::safetensors(list);
  }
  /// Opens the model from a file in the folder, with the result of ForwardModel::open.
  Result<std::shared_ptr<const ForwardModel>> tryOpen(const files::Folder& folder,
                                                      const std::string& dtype = "F32") const {
    auto model = std::make_shared<checkpoint::Model>();
    auto opened = checkpoint::Checkpoint::open(folder.write("tiny.safetensors", bytes(dtype)));
    INFO((opened ? "" : opened.error().message));
    REQUIRE(opened);
    model->checkpoint = *opened;
    return ForwardModel::open(model, plan);
  }
  std::shared_ptr<const ForwardModel> open(const files::Folder& folder, const std::string& dtype = "F32") const {
    auto model = tryOpen(folder, dtype);
    INFO((model ? "" : model.error().message));
    REQUIRE(model);
    return *model;
  }
};

/// The properties of the base model that families vary.
struct Shape {
  int layers = 2, d_model = 24, heads = 4, kvHeads = 4, d_h = 6, d_v = 6;
  int vocabulary = 19, positions = 100;
  bool fused = false;   ///< Q, K and V of a layer in one transposed tensor
  bool learned = true;  ///< position embeddings
  bool causal = true;
  NormSource::Kind norm = NormSource::Kind::Layer;
};

inline BlockPlan blockOf(PlannedModel& model, const Shape& shape, int layer) {
  const std::string name = "h." + std::to_string(layer);
  BlockPlan block;
  auto& attention = block.attention;
  attention.layer = layer;
  attention.d_model = attention.d_key = shape.d_model;
  attention.heads = shape.heads;
  attention.kvHeads = shape.kvHeads;
  attention.d_h = shape.d_h;
  attention.scale = 1 / std::sqrt(shape.d_h);
  attention.causal = shape.causal;
  attention.norm = model.norm(name + ".ln1", shape.d_model, shape.norm);
  block.d_v = shape.d_v;
  const int queries = shape.heads * shape.d_h, keys = shape.kvHeads * shape.d_h, values = shape.kvHeads * shape.d_v;
  if (shape.fused) {
    const LinearSource all = model.linear(name + ".qkv", queries + keys + values, shape.d_model, true);
    attention.W_Q = {all.tensor, true, 0, shape.d_h, 0, 0, false};
    attention.W_K = {all.tensor, true, queries, shape.d_h, 0, 0, false};
    block.W_V = {all.tensor, true, queries + keys, shape.d_v, 0, 0, false};
    attention.b_Q = {all.bias, false, 0, shape.d_h, 0, 0, false};
    attention.b_K = {all.bias, false, queries, shape.d_h, 0, 0, false};
    block.b_V = {all.bias, false, queries + keys, shape.d_v, 0, 0, false};
  } else {
    const auto projection = [&](const char* which, int out, int width, ProjectionSource& W,
                                std::optional<ProjectionSource>& b) {
      const LinearSource made = model.linear(name + which, out, shape.d_model);
      W = {made.tensor, false, 0, width, 0, 0, false};
      b = ProjectionSource{made.bias, false, 0, width, 0, 0, false};
    };
    projection(".q", queries, shape.d_h, attention.W_Q, attention.b_Q);
    projection(".k", keys, shape.d_h, attention.W_K, attention.b_K);
    projection(".v", values, shape.d_v, block.W_V, block.b_V);
  }
  block.W_O = model.linear(name + ".o", shape.d_model, shape.heads * shape.d_v);
  block.feedForwardNorm = model.norm(name + ".ln2", shape.d_model, shape.norm);
  block.feedForward = model.feedForward(name + ".mlp", FeedForwardActivation::GeluTanh, false);
  return block;
}

inline PlannedModel tinyModel(const Shape& shape = {}) {
  PlannedModel model;
  ModelPlan& plan = model.plan;
  plan.d_model = shape.d_model;
  plan.vocabulary = shape.vocabulary;
  plan.causal = shape.causal;
  plan.tokenEmbedding = model.table("wte", {shape.vocabulary, shape.d_model}, 1);
  if (shape.learned) {
    plan.positions = shape.positions;
    plan.positionEmbedding = model.table("wpe", {shape.positions, shape.d_model}, 0.5);
  }
  for (int layer = 0; layer < shape.layers; ++layer)
    plan.blocks.push_back(blockOf(model, shape, layer));
  plan.head.emplace();
  plan.head->finalNorm = model.norm("ln_f", shape.d_model, shape.norm);
  plan.head->logits.tensor = plan.tokenEmbedding;
  plan.head->logits.out = shape.vocabulary;
  plan.head->logits.in = shape.d_model;
  return model;
}

inline Input tokens(int count, int vocabulary = 19, std::uint64_t seed = 1) {
  Input input;
  RandomStream random(seed);
  for (int i = 0; i < count; ++i)
    input.ids.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(vocabulary))));
  return input;
}

/// Runs a pass that must succeed.
template <class T>
Activations<T> passOf(const ForwardModel& model, const Input& input, const Request& request = {}, int threads = 2) {
  ThreadPool pool(threads);
  auto pass = model.run<T>(input, request, pool);
  INFO((pass ? "" : pass.error().message));
  REQUIRE(pass);
  return *std::move(pass);
}

template <class T, class U>
double worstDifference(const std::vector<T>& a, const std::vector<U>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    worst = std::isnan(difference) ? INFINITY : std::max(worst, difference);
  }
  return worst;
}

}  // namespace sepx::forward::tiny
