// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/one_layer.h"

#include <cassert>
#include <cmath>
#include <string>

#include "engine/core/thread_pool.h"
#include "engine/core/try.h"
#include "engine/nn/layers/activation.h"
#include "engine/nn/layers/positions.h"

namespace sepx::reversal {
namespace {

using Index = Eigen::Index;
using nn::ParameterKind;
using nn::ParameterRole;

/// Reads parameters by their role.
struct Reader {
  const nn::ParameterLayout& layout;
  std::span<const float> theta;

  Rows matrix(ParameterRole role, ParameterKind kind, int layer = -1) const {
    const nn::Parameter* found = layout.find(role, kind, layer);
    if (found == nullptr) return {};
    using Stored = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Stored>(theta.data() + found->offset, found->rows, found->columns).cast<double>();
  }
  Vector vector(ParameterRole role, ParameterKind kind, int layer, Index size) const {
    const Rows column = matrix(role, kind, layer);
    return column.size() == 0 ? Vector(Vector::Zero(size)) : Vector(column.col(0));
  }
  NormParts norm(const nn::ModelConfig& config, ParameterRole role, int layer = -1) const {
    NormParts parts;
    const Rows gain = matrix(role, ParameterKind::NormGain, layer);
    if (gain.size() == 0) return parts;
    parts.kind = config.norm;
    parts.epsilon = config.normEpsilon;
    parts.gain = gain.col(0);
    const Rows bias = matrix(role, ParameterKind::NormBias, layer);
    if (bias.size() > 0) parts.bias = bias.col(0);
    return parts;
  }
};

Rows normed(const NormParts& norm, const Rows& x) {
  if (norm.kind == nn::Norm::None) return x;
  Rows y(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i)
    y.row(i) = norm(x.row(i)).transpose();
  return y;
}

Rows linear(const Rows& x, const Rows& W, const Vector& b) {
  return (x * W.transpose()).rowwise() + b.transpose();
}

ThreadPool& alone() {
  thread_local ThreadPool pool{1};  // one per thread, because a pool serves one caller at a time
  return pool;
}

}  // namespace

Result<void> checkOneLayer(const nn::ModelConfig& config) {
  const auto refuse = [](std::string sentence) { return fail(ErrorKind::Usage, std::move(sentence)); };
  const std::string what = "Storage and routing are those of a model of one layer and one head; ";
  if (config.layers != 1) return refuse(what + "this one has " + std::to_string(config.layers) + " layers.");
  if (config.heads != 1) return refuse(what + "this one has " + std::to_string(config.heads) + " heads.");
  if (config.norm != nn::Norm::None && config.placement == nn::Placement::Post)
    return refuse(what + "this one normalises the sum after the attention (model.placement \"post\").");
  if (config.attention != nn::AttentionKind::Softmax) return refuse(what + "this one has linear attention.");
  if (config.readsImages()) return refuse(what + "this one reads images.");
  if (config.input != nn::Input::Table) return refuse(what + "this one reads bits.");
  if (config.headTransform) return refuse(what + "this one transforms its output before the logits.");
  if (!config.residual && config.ff() > 0)
    return refuse(what + "in this one all goes through the feed-forward part, because it has no residual stream.");
  return {};
}

double NormParts::deviation(const Vector& x) const {
  if (kind == nn::Norm::None) return 1;
  const double mean = kind == nn::Norm::Rms ? 0 : x.mean();
  return std::sqrt((x.array() - mean).square().mean() + epsilon);
}

Vector NormParts::linear(const Vector& x) const {
  if (kind == nn::Norm::None) return x;
  const double mean = kind == nn::Norm::Rms ? 0 : x.mean();
  return gain.array() * (x.array() - mean);
}

Vector NormParts::shift(Index d) const {
  return bias.size() > 0 ? bias : Vector(Vector::Zero(d));
}

Result<OneLayer> OneLayer::make(const nn::ModelConfig& config, std::span<const float> theta) {
  return make(config, theta, config.positions);
}

Result<OneLayer> OneLayer::make(const nn::ModelConfig& config, std::span<const float> theta, nn::Positions positions) {
  SEPX_TRY(checkOneLayer(config));
  if (positions == nn::Positions::Learned && config.positions != nn::Positions::Learned)
    return fail(ErrorKind::Usage, "This model has no table of positions; choose rope, alibi, sinusoidal or none.");
  const nn::ParameterLayout layout(config);
  assert(theta.size() == layout.size());
  OneLayer made;
  made.config_ = config;
  made.config_.positions = positions;
  SEPX_TRY(nn::check(made.config_));
  const Reader read{layout, theta};
  const Index d = config.d_model, wide = config.d_h(), ff = config.ff();
  made.E_ = read.matrix(ParameterRole::Embedding, ParameterKind::Embedding);
  if (config.segments > 0) made.E_.rowwise() += read.matrix(ParameterRole::Segment, ParameterKind::Segment).row(0);
  made.embeddingNorm_ = read.norm(config, ParameterRole::EmbeddingNorm);
  made.norm1_ = read.norm(config, ParameterRole::AttentionNorm, 0);
  made.norm2_ = read.norm(config, ParameterRole::FeedForwardNorm, 0);
  made.finalNorm_ = read.norm(config, ParameterRole::FinalNorm);
  const auto weight = [&](ParameterRole role) { return read.matrix(role, ParameterKind::Weight, 0); };
  const auto bias = [&](ParameterRole role, Index size) { return read.vector(role, ParameterKind::Bias, 0, size); };
  made.W_Q_ = weight(ParameterRole::Query), made.b_Q_ = bias(ParameterRole::Query, wide);
  made.W_K_ = weight(ParameterRole::Key), made.b_K_ = bias(ParameterRole::Key, wide);
  made.W_V_ = weight(ParameterRole::Value), made.b_V_ = bias(ParameterRole::Value, wide);
  made.W_O_ = weight(ParameterRole::Projection), made.b_O_ = bias(ParameterRole::Projection, d);
  if (ff > 0) {
    made.W_1_ = weight(ParameterRole::Up), made.b_1_ = bias(ParameterRole::Up, ff);
    if (config.activation == nn::Activation::SwiGlu) {
      const Rows gate = weight(ParameterRole::Gate), up = made.W_1_;
      const Vector gateBias = bias(ParameterRole::Gate, ff), upBias = made.b_1_;
      made.W_1_.resize(2 * ff, d), made.W_1_ << up, gate;
      made.b_1_.resize(2 * ff), made.b_1_ << upBias, gateBias;
    }
    made.W_2_ = weight(ParameterRole::Down), made.b_2_ = bias(ParameterRole::Down, d);
  }
  made.U_ = config.output == nn::Output::Tied ? read.matrix(ParameterRole::Embedding, ParameterKind::Embedding)
                                              : read.matrix(ParameterRole::Output, ParameterKind::Embedding);
  made.b_U_ = read.vector(ParameterRole::OutputBias, ParameterKind::Bias, -1, config.vocabulary);
  if (positions == nn::Positions::Learned) made.P_ = read.matrix(ParameterRole::Position, ParameterKind::Position);
  made.fillTables();
  return made;
}

void OneLayer::fillTables() {
  const Index d = config_.d_model, length = config_.length;
  if (config_.positions == nn::Positions::Sinusoidal) {
    const std::vector<double> table = nn::sinusoidal<double>(config_.length, config_.d_model);
    P_ = Eigen::Map<const Rows>(table.data(), length, d);
  }
  if (config_.positions == nn::Positions::Rope) {
    const nn::RotaryTable<double> table = nn::rotaryTable<double>(config_.length, config_.d_h(), config_.ropeBase);
    cosine_ = Eigen::Map<const Rows>(table.cosine.data(), length, table.half);
    sine_ = Eigen::Map<const Rows>(table.sine.data(), length, table.half);
  }
  constexpr double kOneHead = 1.0 / 256;  // 2^(-8 h / heads), h = heads = 1
  if (config_.positions == nn::Positions::Alibi) slope_ = config_.alibiSlope != 0 ? config_.alibiSlope : kOneHead;
  absolute_ = P_.size() > 0;
  const Index tokens = config_.vocabulary;
  streams_ = E_.replicate(absolute_ ? length : 1, 1);
  for (Index place = 0; absolute_ && place < length; ++place)
    streams_.middleRows(place * tokens, tokens).rowwise() += P_.row(place);
  streams_ = normed(embeddingNorm_, streams_);
  const Rows read = normed(norm1_, streams_);
  queries_ = linear(read, W_Q_, b_Q_);
  keys_ = linear(read, W_K_, b_K_);
  values_ = linear(read, W_V_, b_V_);
}

Vector OneLayer::turned(const Vector& x, int place) const {
  if (config_.positions != nn::Positions::Rope) return x;
  const Index half = x.size() / 2;
  const auto c = cosine_.row(place).transpose().array(), s = sine_.row(place).transpose().array();
  Vector y(x.size());
  y.head(half) = x.head(half).array() * c - x.tail(half).array() * s;
  y.tail(half) = x.head(half).array() * s + x.tail(half).array() * c;
  return y;
}

double OneLayer::score(const Vector& query, std::int32_t token, int place, int from, int to) const {
  const double content = config_.scale() * query.dot(turned(keys_.row(entry(token, place)), to));
  return content + slope_ * (config_.alibiSigned ? to - from : -std::abs(from - to));
}

Vector OneLayer::alpha(std::span<const std::int32_t> tokens, int row, std::span<const int> places) const {
  const auto placeOf = [places](int k) { return places.empty() ? k : places[static_cast<std::size_t>(k)]; };
  const auto length = static_cast<int>(tokens.size()), seen = config_.causal ? row + 1 : length;
  const int from = placeOf(row);
  const Vector query = turned(queries_.row(entry(tokens[static_cast<std::size_t>(row)], from)), from);
  Vector scores = Vector::Zero(length);
  for (int k = 0; k < seen; ++k)
    scores[k] = score(query, tokens[static_cast<std::size_t>(k)], placeOf(k), from, placeOf(k));
  const double most = scores.head(seen).maxCoeff();
  Vector shares = Vector::Zero(length);
  shares.head(seen) = (scores.head(seen).array() - most).exp();
  return shares / shares.sum();
}

Vector OneLayer::read(std::int32_t token, int place) const {
  const Vector x = stream(token, place);
  return norm1_.linear(x) / norm1_.deviation(x);
}

Vector OneLayer::context(std::span<const std::int32_t> tokens, const Vector& alpha, std::span<const int> places) const {
  Vector sum = Vector::Zero(config_.d_h());
  for (std::size_t k = 0; k < tokens.size(); ++k)
    sum += alpha[static_cast<Index>(k)] *
           values_.row(entry(tokens[k], places.empty() ? static_cast<int>(k) : places[k])).transpose();
  return sum;
}

Rows OneLayer::logits(const Rows& contexts, const Rows& streams) const {
  Rows h = linear(contexts, W_O_, b_O_);
  if (config_.residual) h += streams;
  if (config_.ff() > 0) {
    const Rows pre = linear(normed(norm2_, h), W_1_, b_1_);
    Rows hidden(h.rows(), config_.ff());
    nn::activationForward<double>(alone(), config_.activation, static_cast<std::size_t>(h.rows()),
                                  static_cast<std::size_t>(config_.ff()), pre.data(),
                                  static_cast<std::size_t>(pre.cols()), hidden.data());
    h += linear(hidden, W_2_, b_2_);
  }
  return linear(normed(finalNorm_, h), U_, b_U_);
}

Vector OneLayer::attended(const Vector& context, const Vector& stream) const {
  const Vector branch = W_O_ * context + b_O_;
  return config_.residual ? Vector(branch + stream) : branch;
}

Vector OneLayer::feedForwardOutput(const Vector& attended) const {
  if (config_.ff() == 0) return Vector::Zero(config_.d_model);
  const Vector pre = W_1_ * norm2_(attended) + b_1_;
  Vector hidden(config_.ff());
  nn::activationForward<double>(alone(), config_.activation, 1, static_cast<std::size_t>(config_.ff()), pre.data(),
                                static_cast<std::size_t>(pre.size()), hidden.data());
  return W_2_ * hidden + b_2_;
}

}  // namespace sepx::reversal
