// SPDX-License-Identifier: Apache-2.0
#include "engine/train/family_export_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/nn/layers/positions.h"
#include "engine/train/family_export.h"
#include "engine/train/family_export_config.h"

namespace sepx::train {

using nn::Norm;
using nn::Placement;
using nn::Positions;

FamilyBuilder::FamilyBuilder(const nn::ModelConfig& config, const nn::ParameterLayout& layout,
                             std::span<const float> theta, const FamilyCode& code)
    : config_(config), layout_(layout), theta_(theta), code_(code) {
  compare();
  compareNorms();
  compareScale();
  const bool normed = config_.norm != Norm::None;
  if (code_.placement == Placement::Post && config_.ff() == 0 && normed)
    deviate("it normalises once more where the model has no feed-forward part");
  if (code_.bareFirstLayer && normed && config_.placement == Placement::Pre)
    deviate("its first layer does not normalise before the attention, that of the model does");
}

std::span<const float> FamilyBuilder::valuesOf(const nn::Parameter& parameter) const {
  return theta_.subspan(parameter.offset, parameter.size());
}

const nn::Parameter* FamilyBuilder::take(Role role, Kind kind, int layer) {
  const nn::Parameter* const found = layout_.find(role, kind, layer);
  if (found != nullptr) taken_.insert(found);
  return found;
}

void FamilyBuilder::view(std::string name, std::vector<std::int64_t> shape, const nn::Parameter& parameter) {
  ExportedTensor& tensor = tensors_.emplace_back();
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.values = valuesOf(parameter);
}

void FamilyBuilder::constant(std::string name, std::vector<std::int64_t> shape, float fill) {
  ExportedTensor& tensor = tensors_.emplace_back();
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.fill = fill;
}

void FamilyBuilder::own(std::string name, std::vector<std::int64_t> shape, std::vector<float> values) {
  ExportedTensor& tensor = tensors_.emplace_back();
  tensor.name = std::move(name);
  tensor.shape = std::move(shape);
  tensor.own = std::move(values);
}

void FamilyBuilder::linear(const std::string& name, Role role, int layer, bool biased, bool transposed) {
  const nn::Parameter* const weight = take(role, Kind::Weight, layer);
  if (weight == nullptr) return;
  view(name + ".weight", {weight->rows, weight->columns}, *weight);
  if (transposed) std::swap(tensors_.back().shape[0], tensors_.back().shape[1]);
  tensors_.back().transposed = transposed;
  if (!biased) return;
  if (const nn::Parameter* const bias = take(role, Kind::Bias, layer)) {
    view(name + ".bias", {bias->rows}, *bias);
  } else {
    constant(name + ".bias", {weight->rows}, 0);
  }
}

void FamilyBuilder::norm(const std::string& name, Role role, int layer) {
  const nn::Parameter* const gain = take(role, Kind::NormGain, layer);
  if (gain == nullptr) return;
  view(name + ".weight", {gain->rows}, *gain);
  if (code_.norm == Norm::Rms) return;
  if (const nn::Parameter* const bias = take(role, Kind::NormBias, layer)) {
    view(name + ".bias", {bias->rows}, *bias);
  } else {
    constant(name + ".bias", {gain->rows}, 0);
  }
}

void FamilyBuilder::perToken(const std::string& name, Role role) {
  const nn::Parameter* const table = take(role, Kind::Embedding, -1);
  if (table == nullptr) return;
  if (config_.input != nn::Input::Bit) {
    view(name, {table->rows, table->columns}, *table);
    return;
  }
  // A bit t has the vector t e and the logits (0, <h, e>): the softmax of two logits is the logistic function of their
  // difference.
  std::vector<float> rows(2 * static_cast<std::size_t>(config_.d_model), 0.0f);
  std::copy_n(valuesOf(*table).begin(), config_.d_model, rows.begin() + config_.d_model);
  own(name, {2, config_.d_model}, std::move(rows));
}

void FamilyBuilder::embedding(const std::string& name) {
  perToken(name, Role::Embedding);
}
void FamilyBuilder::untiedHead(const std::string& name) {
  if (config_.output == nn::Output::Untied) perToken(name, Role::Output);
}

void FamilyBuilder::outputBias(const std::vector<std::string>& names) {
  const std::size_t rows = config_.input == nn::Input::Bit ? 2 : static_cast<std::size_t>(config_.vocabulary);
  std::vector<float> values(rows, 0.0f);
  if (const nn::Parameter* const bias = take(Role::OutputBias, Kind::Bias, -1))
    std::copy_n(valuesOf(*bias).begin(), bias->size(), values.end() - bias->rows);
  for (const std::string& name : names)
    own(name, {static_cast<std::int64_t>(rows)}, values);
}

void FamilyBuilder::positions(const std::string& name, int rank) {
  std::vector<std::int64_t> shape{config_.length, config_.d_model};
  if (rank == 3) shape.insert(shape.begin(), 1);
  if (const nn::Parameter* const table = take(Role::Position, Kind::Position, -1)) {
    view(name, shape, *table);
  } else if (config_.positions == Positions::Sinusoidal) {
    own(name, shape, nn::sinusoidal<float>(config_.length, config_.d_model));
  } else {
    constant(name, shape, 0);
  }
}

void FamilyBuilder::images(const std::string& classToken, const std::string& patches,
                           const std::string& positionTable) {
  const int d = config_.d_model;
  view(classToken, {1, 1, d}, *take(Role::ClassToken, Kind::Embedding, -1));
  positions(positionTable, 3);
  view(patches + ".weight", {d, config_.channels, config_.patch, config_.patch},
       *take(Role::PatchProjection, Kind::Weight, -1));
  view(patches + ".bias", {d}, *take(Role::PatchProjection, Kind::Bias, -1));
}

std::vector<float> FamilyBuilder::expandedValues(const nn::Parameter& parameter) const {
  const std::span<const float> values = valuesOf(parameter);
  const std::size_t block = static_cast<std::size_t>(config_.d_h()) * static_cast<std::size_t>(parameter.columns);
  const auto heads = static_cast<std::size_t>(config_.heads), groups = static_cast<std::size_t>(config_.kv());
  std::vector<float> out;
  out.reserve(heads * block);
  for (std::size_t head = 0; head < heads; ++head) {
    const auto from = values.subspan(head * groups / heads * block, block);
    out.insert(out.end(), from.begin(), from.end());
  }
  return out;
}

std::vector<float> FamilyBuilder::queriesKeysValues(Kind kind, int layer) {
  std::vector<float> all;
  for (const Role role : {Role::Query, Role::Key, Role::Value}) {
    const nn::Parameter* const parameter = take(role, kind, layer);
    if (parameter == nullptr) return std::vector<float>(3 * static_cast<std::size_t>(config_.d_q()), 0.0f);
    if (role == Role::Query) {
      all.assign(valuesOf(*parameter).begin(), valuesOf(*parameter).end());
    } else {
      const std::vector<float> rows = expandedValues(*parameter);
      all.insert(all.end(), rows.begin(), rows.end());
    }
  }
  return all;
}

void FamilyBuilder::fused(const std::string& name, bool biased, int layer, bool transposed) {
  const int rows = 3 * config_.d_q(), d = config_.d_model;
  const nn::Parameter* const query = layout_.find(Role::Query, Kind::Weight, layer);
  const nn::Parameter* const value = layout_.find(Role::Value, Kind::Weight, layer);
  const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(d);
  ExportedTensor tensor;
  tensor.name = name + ".weight";
  tensor.shape = transposed ? std::vector<std::int64_t>{d, rows} : std::vector<std::int64_t>{rows, d};
  tensor.transposed = transposed;
  if (config_.kv() == config_.heads && value->offset + value->size() == query->offset + size) {
    tensor.values = theta_.subspan(query->offset, size);  // contiguous: no copy
    for (const Role role : {Role::Query, Role::Key, Role::Value})
      take(role, Kind::Weight, layer);
  } else {
    tensor.own = queriesKeysValues(Kind::Weight, layer);
  }
  tensors_.push_back(std::move(tensor));
  if (biased) own(name + ".bias", {rows}, queriesKeysValues(Kind::Bias, layer));
}

void FamilyBuilder::fusedByHead(const std::string& name, bool biased, int layer) {
  const auto byHead = [this, layer](Kind kind, std::size_t columns) {
    const std::vector<float> all = queriesKeysValues(kind, layer);
    const auto heads = static_cast<std::size_t>(config_.heads);
    const std::size_t block = static_cast<std::size_t>(config_.d_h()) * columns;
    std::vector<float> out;
    out.reserve(all.size());
    for (std::size_t head = 0; head < heads; ++head)
      for (std::size_t part = 0; part < 3; ++part) {
        const auto from = all.begin() + static_cast<std::ptrdiff_t>((part * heads + head) * block);
        out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(block));
      }
    return out;
  };
  own(name + ".weight", {3 * config_.d_q(), config_.d_model},
      byHead(Kind::Weight, static_cast<std::size_t>(config_.d_model)));
  if (biased) own(name + ".bias", {3 * config_.d_q()}, byHead(Kind::Bias, 1));
}

void FamilyBuilder::keyOrValue(const std::string& name, Role role, int layer, bool biased) {
  if (code_.grouped || config_.kv() == config_.heads) return linear(name, role, layer, biased);
  const nn::Parameter* const weight = take(role, Kind::Weight, layer);
  own(name + ".weight", {config_.d_q(), config_.d_model}, expandedValues(*weight));
  if (!biased) return;
  const nn::Parameter* const bias = take(role, Kind::Bias, layer);
  if (bias != nullptr) {
    own(name + ".bias", {config_.d_q()}, expandedValues(*bias));
  } else {
    constant(name + ".bias", {config_.d_q()}, 0);
  }
}

void FamilyBuilder::gateAndUp(const std::string& name, int layer) {
  const bool gated = config_.activation == nn::Activation::SwiGlu;
  const auto ff = static_cast<std::size_t>(config_.ff()), d = static_cast<std::size_t>(config_.d_model);
  const auto halves = [&](Kind kind, std::size_t columns, float otherwise) {
    std::vector<float> values(2 * ff * columns, 0.0f);
    const nn::Parameter* const first = take(gated ? Role::Gate : Role::Up, kind, layer);
    if (first != nullptr) std::copy_n(valuesOf(*first).begin(), first->size(), values.begin());
    const auto second = values.begin() + static_cast<std::ptrdiff_t>(ff * columns);
    const nn::Parameter* const up = gated ? take(Role::Up, kind, layer) : nullptr;
    if (up != nullptr) std::copy_n(valuesOf(*up).begin(), up->size(), second);
    if (!gated) std::fill(second, values.end(), otherwise);
    return values;
  };
  own(name + ".weight", {2 * config_.ff(), config_.d_model}, halves(Kind::Weight, d, 0));
  own(name + ".bias", {2 * config_.ff()}, halves(Kind::Bias, 1, 1));
}

void FamilyBuilder::segments(const std::string& name) {
  if (const nn::Parameter* const table = take(Role::Segment, Kind::Segment, -1)) {
    view(name, {table->rows, table->columns}, *table);
  } else {
    constant(name, {1, config_.d_model}, 0);
  }
}

void FamilyBuilder::compare() {
  if (config_.causal != code_.causal)
    deviate(code_.causal ? "it lets a place see only those before it, the model all of them"
                         : "it lets a place see all others, the model only those before it");
  if (config_.attention == nn::AttentionKind::Linear)
    deviate("it takes the softmax of the scores, the model the mean of scale (q . k) v without one");
  if (config_.positions == Positions::Alibi) deviate("it adds no bias for the distance (ALiBi) to the scores");
  if (config_.positions == Positions::Rope && !code_.rope) deviate("it does not rotate queries and keys (RoPE)");
  if (config_.positions != Positions::Rope && code_.rope)
    deviate("it rotates queries and keys (RoPE), the model does not");
  const bool table = config_.positions == Positions::Learned || config_.positions == Positions::Sinusoidal;
  if (table && !code_.absolutePositions) deviate("it adds no vectors of the positions");
  if (config_.activation == nn::Activation::SwiGlu && !code_.gated)
    deviate("it has no gate in the feed-forward part: W_gate stands under its own name");
  if (config_.d_q() != config_.d_model && !code_.anyHeadWidth)
    deviate(fmt::format("it knows heads of {} values only and does not load those of {}",
                        config_.d_model / config_.heads, config_.d_h()));
  if (config_.segments > 0 && !code_.segments)
    deviate("it adds no segment vector, the model adds segments.weight[0] to every place");
  if (config_.headTransform && !code_.headTransform) deviate("it has no transform before the logits");
  if (!config_.headTransform && code_.headTransform)
    deviate("it passes the hidden state through an activation and a norm before the logits, the model does not");
  if (config_.outputBias && !code_.outputBias) deviate("it adds no bias to the logits");
}

void FamilyBuilder::compareNorms() {
  if (!config_.residual) deviate("it adds each branch to its input, the model puts the branch in its place");
  if (config_.norm == Norm::None) return deviate("it normalises, the model has no norms");
  if (config_.norm != code_.norm)
    deviate(code_.norm == Norm::Rms ? "it divides by the root mean square only, the model takes the layer norm"
                                    : "it takes the layer norm, the model divides by the root mean square only");
  if (config_.placement != code_.placement)
    deviate(code_.placement == Placement::Pre ? "it normalises before each branch, the model after each sum"
                                              : "it normalises after each sum, the model before each branch");
  if (config_.embeddingNorm && !code_.embeddingNorm) deviate("it does not normalise the embedding");
  if (!config_.embeddingNorm && code_.embeddingNorm) deviate("it normalises the embedding, the model does not");
  if (config_.finalNorm && !code_.finalNorm) deviate("it does not normalise before the logits");
  if (!config_.finalNorm && code_.finalNorm) deviate("it normalises before the logits, the model does not");
}

void FamilyBuilder::compareScale() {
  const double usual = 1 / std::sqrt(static_cast<double>(config_.d_h()));
  if (config_.scale() != usual && !(code_.anyScale && config_.scale() == 1))
    deviate(fmt::format("it divides scores by the root of the head's width, the model multiplies them by {}",
                        config_.scale()));
}

FamilyExport FamilyBuilder::finish(std::string family, nlohmann::ordered_json json) {
  FamilyExport out;
  for (const nn::Parameter& parameter : layout_.all()) {
    if (taken_.count(&parameter) != 0) continue;
    std::vector<std::int64_t> shape{parameter.rows};
    const bool vector =
        parameter.kind == Kind::Bias || parameter.kind == Kind::NormGain || parameter.kind == Kind::NormBias;
    if (!vector) shape.push_back(parameter.columns);
    view(parameter.name, std::move(shape), parameter);
  }
  out.family = std::move(family);
  out.config = std::move(json);
  out.tensors = std::move(tensors_);
  if (!clauses_.empty())
    out.deviation = fmt::format("{}'s code computes differently: {}.", code_.name, fmt::join(clauses_, "; "));
  return out;
}

}  // namespace sepx::train
