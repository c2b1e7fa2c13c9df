// SPDX-License-Identifier: Apache-2.0
// Rank-one parameters along one direction alpha; see initialise.h for the formulas. Local-to-Global, App. A.1, D, H.1
// and A.3.2, with alpha of norm 1 (remark l2g-13).
#include "engine/nn/initialise_canonical.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace sepx::nn {
namespace {

constexpr double kProposedE = 0.5, kProposedW1 = 1, kProposedW2 = -1;

Result<void> needs(bool fulfilled, const std::string& scheme, const char* what) {
  if (fulfilled) return {};
  return fail(ErrorKind::Usage, "initial.scheme \"" + scheme + "\" needs " + what);
}

Result<void> firstOf(std::initializer_list<Result<void>> results) {
  for (const Result<void>& result : results)
    if (!result) return result;
  return {};
}

const char* wordOf(InitialScheme scheme) {
  switch (scheme) {
    case InitialScheme::Canonical:
      return "canonical";
    case InitialScheme::Bigram:
      return "bigram";
    case InitialScheme::Unigram:
      return "unigram";
    default:
      return "proposed";
  }
}

Result<void> checkExact(const Initial& initial, const ModelConfig& config) {
  const bool given = initial.scheme == InitialScheme::Canonical;  // otherwise a is 0 and b is the chain's
  const auto want = [&](bool fulfilled, const char* what) { return needs(fulfilled, wordOf(initial.scheme), what); };
  return firstOf(
      {want(config.heads == 1, "one head: set model.heads to 1"),
       want(config.norm == Norm::None, "no norms: set model.norm to \"none\""),
       want(!config.headTransform, "no transform before the logits: set model.head_transform to false"),
       want(config.positions == Positions::Learned, "learned positions: set model.positions to \"learned\""),
       want(!given || initial.a == 0 || (config.attention == AttentionKind::Linear && config.scale() != 0),
            "linear attention where a is not 0: set model.attention to \"linear\" or initial.a to 0"),
       want((given && initial.b == 0) || config.outputBias,
            "a bias of the logits where b is not 0: set model.output_bias to true or initial.b to 0"),
       want(initial.queryKey == QueryKeyStart::Free, "initial.query_key \"free\": its W_Q and W_K are given")});
}

std::vector<double> hypercube(std::size_t d, RandomStream& random) {
  std::vector<double> alpha(d);
  const double entry = 1 / std::sqrt(static_cast<double>(d));
  for (double& value : alpha)
    value = (random.next32() & 1) != 0 ? entry : -entry;
  return alpha;
}

std::vector<double> constant(int length, double value) {
  return std::vector<double>(static_cast<std::size_t>(length), value);
}

/// Writes into the tensors of one model.
template <class T>
class Writer {
 public:
  Writer(const ModelConfig& config, const ParameterLayout& layout, std::span<T> theta)
      : config_(config), layout_(layout), theta_(theta) {}

  /// Writes factor * left right^T. A no-op where the model has no such parameter.
  void outer(ParameterRole role, double factor, const std::vector<double>& left, const std::vector<double>& right,
             int layer = 0, ParameterKind kind = ParameterKind::Weight) {
    const Parameter* parameter = layout_.find(role, kind, layer);
    if (parameter == nullptr) return;
    const std::span<T> values = theta_.subspan(parameter->offset, parameter->size());
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; j < right.size(); ++j)
        values[i * right.size() + j] = static_cast<T>(factor * left[i] * right[j]);
  }
  void embedding(const std::vector<double>& e) {
    // One row: the vector of the bit. Two rows: those of 0 and of 1.
    const std::vector<double> rows = config_.input == Input::Bit ? std::vector{1.0} : std::vector{0.0, 1.0};
    outer(ParameterRole::Embedding, 1, rows, e, -1, ParameterKind::Embedding);
    outer(ParameterRole::Output, 1, rows, e, -1, ParameterKind::Embedding);
  }
  void positions(double factor, const std::vector<double>& alpha) {
    const Parameter* parameter = layout_.find(ParameterRole::Position, ParameterKind::Position);
    if (parameter == nullptr) return;
    outer(ParameterRole::Position, factor, constant(parameter->rows, 1), alpha, -1, ParameterKind::Position);
  }
  void outputBias(double b) {
    const Parameter* parameter = layout_.find(ParameterRole::OutputBias, ParameterKind::Bias);
    if (parameter != nullptr) theta_[parameter->offset + parameter->size() - 1] = static_cast<T>(b);
  }
  void feedForward(double w, const std::vector<double>& alpha) {
    const double each = 2 / std::sqrt(static_cast<double>(config_.ff()));
    const std::vector<double> ones = constant(config_.ff(), 1);
    outer(ParameterRole::Up, each * std::abs(w), ones, alpha);
    outer(ParameterRole::Down, each * w, alpha, ones);
  }

 private:
  const ModelConfig& config_;
  const ParameterLayout& layout_;
  std::span<T> theta_;
};

}  // namespace

Result<void> checkCanonical(const Initial& initial, const ModelConfig& config) {
  const bool canonical = initial.scheme == InitialScheme::Canonical || initial.scheme == InitialScheme::Bigram ||
                         initial.scheme == InitialScheme::Unigram;
  if (!canonical && initial.scheme != InitialScheme::Proposed) return {};
  const std::string scheme = wordOf(initial.scheme);
  const auto want = [&](bool fulfilled, const char* what) { return needs(fulfilled, scheme, what); };
  const auto common =
      firstOf({want(config.layers == 1, "one layer: set model.layers to 1"),
               want(config.input == Input::Bit || (config.input == Input::Table && config.vocabulary == 2),
                    "a binary chain: set model.input to \"bit\" or model.vocabulary to 2"),
               want(config.ff() > 0, "a feed-forward part: set model.d_ff to 4 model.d_model"),
               want(config.activation == Activation::Relu, "ReLU: set model.activation to \"relu\"")});
  if (!common || !canonical) return common;
  return checkExact(initial, config);
}

template <class T>
void fillCanonical(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                   RandomStream& random, std::span<T> theta) {
  std::fill(theta.begin(), theta.end(), T{0});
  const std::vector<double> alpha = hypercube(static_cast<std::size_t>(config.d_model), random);
  std::vector<double> e = alpha;
  for (double& value : e)
    value *= initial.e;
  Writer<T> writer(config, layout, theta);
  writer.embedding(e);
  writer.positions(-initial.e / 2, alpha);
  const double scale = config.scale();
  const std::vector<double> u = constant(config.d_h(), 1 / std::sqrt(static_cast<double>(config.d_h())));
  const double root = scale == 0 ? 1 : 2 / std::sqrt(std::abs(scale));
  writer.outer(ParameterRole::Query, root, u, alpha);
  writer.outer(ParameterRole::Key, root, u, alpha);
  writer.outer(ParameterRole::Value, scale < 0 ? -initial.a : initial.a, u, alpha);
  writer.outer(ParameterRole::Projection, 1, alpha, u);
  writer.feedForward(initial.w, alpha);
  writer.outputBias(initial.b);
}

template <class T>
void fillProposed(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout,
                  RandomStream& random, std::span<T> theta) {
  Writer<T> writer(config, layout, theta);
  writer.outputBias(initial.b);
  if (initial.reading == ProposedReading::Literal) {
    const std::vector<double> width = constant(config.ff(), 1), model = constant(config.d_model, 1);
    writer.embedding(constant(config.d_model, kProposedE));
    writer.outer(ParameterRole::Up, kProposedW1, width, model);
    writer.outer(ParameterRole::Down, kProposedW2, model, width);
    return;
  }
  const std::vector<double> alpha = hypercube(static_cast<std::size_t>(config.d_model), random);
  std::vector<double> e = alpha;
  for (double& value : e)
    value *= kProposedE;
  writer.embedding(e);
  writer.positions(-kProposedE / 2, alpha);
  writer.feedForward(kProposedW2, alpha);
}

template void fillCanonical<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                   std::span<float>);
template void fillCanonical<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                    std::span<double>);
template void fillProposed<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                  std::span<float>);
template void fillProposed<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                   std::span<double>);

}  // namespace sepx::nn
