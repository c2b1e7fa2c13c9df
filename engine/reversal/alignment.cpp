// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/alignment.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/reversal/letter_scores.h"

namespace sepx::reversal {
namespace {

template <class T>
GradientProduct productOf(std::span<const T> forward, std::span<const T> reverse) {
  GradientProduct out;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const auto f = static_cast<double>(forward[i]), r = static_cast<double>(reverse[i]);
    out.product += f * r;
    out.forward2 += f * f;
    out.reverse2 += r * r;
  }
  return out;
}

void add(const GradientProduct& part, GradientProduct& to) {
  to.product += part.product;
  to.forward2 += part.forward2;
  to.reverse2 += part.reverse2;
}

template <class T>
double gradientInto(nn::Transformer<T>& model, std::span<const Pair> pairs, Direction direction, std::vector<T>& out) {
  model.clearGradient();
  const double loss = model.accumulate(queryBatch(pairs, direction), {});
  out.assign(model.gradient().begin(), model.gradient().end());
  return loss;
}

}  // namespace

double GradientProduct::cosine() const {
  const double norms = std::sqrt(forward2) * std::sqrt(reverse2);
  return norms > 0 ? product / norms : std::nan("");
}

nn::Batch queryBatch(std::span<const Pair> pairs, Direction direction) {
  nn::Batch batch;
  batch.sequences = static_cast<int>(pairs.size());
  batch.length = pairs.front().length;
  const auto weight = static_cast<float>(1.0 / static_cast<double>(pairs.size()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Query query = maskedQuery(pairs[i], direction);
    batch.tokens.insert(batch.tokens.end(), query.tokens.begin(), query.tokens.end());
    batch.targets.push_back({static_cast<std::int32_t>(i) * batch.length + query.hidden, query.target, weight});
  }
  return batch;
}

Result<void> checkPairs(const nn::ModelConfig& config, std::span<const Pair> pairs) {
  SEPX_TRY(checkReadsPairs(config));
  if (pairs.empty()) return fail(ErrorKind::Usage, "no pair was given; a gradient needs at least one pair");
  for (const Pair& pair : pairs) {
    SEPX_TRY(check(pair));
    if (pair.length > config.length)
      return fail(ErrorKind::Usage,
                  fmt::format("a pair has {} tokens, but this model reads at most {}", pair.length, config.length));
    if (pair.length != pairs.front().length)
      return fail(ErrorKind::Usage,
                  fmt::format("a pair of {} tokens cannot be averaged with one of {}: the pairs of one mean must have "
                              "the same length",
                              pair.length, pairs.front().length));
  }
  return {};
}

template <class T>
QueryGradients<T> queryGradients(nn::Transformer<T>& model, std::span<const Pair> pairs) {
  QueryGradients<T> out;
  out.forwardLoss = gradientInto(model, pairs, Direction::Forward, out.forward);
  out.reverseLoss = gradientInto(model, pairs, Direction::Reverse, out.reverse);
  return out;
}

template <class T>
Alignment alignmentOf(const nn::ParameterLayout& layout, const QueryGradients<T>& gradients) {
  Alignment out;
  out.forwardLoss = gradients.forwardLoss;
  out.reverseLoss = gradients.reverseLoss;
  for (const nn::Parameter& parameter : layout.all()) {
    const GradientProduct part =
        productOf(std::span<const T>(gradients.forward).subspan(parameter.offset, parameter.size()),
                  std::span<const T>(gradients.reverse).subspan(parameter.offset, parameter.size()));
    add(part, out.groups[static_cast<std::size_t>(nn::groupOf(parameter))]);
    add(part, out.all);
  }
  return out;
}

template <class T>
StepEffect stepEffect(nn::Transformer<T>& model, std::span<const Pair> pairs, const QueryGradients<T>& gradients,
                      double rate) {
  const GradientProduct whole = productOf(std::span<const T>(gradients.forward), std::span<const T>(gradients.reverse));
  const nn::Batch forward = queryBatch(pairs, Direction::Forward), reverse = queryBatch(pairs, Direction::Reverse);
  const std::vector<T> before(model.theta().begin(), model.theta().end());
  StepEffect out;
  out.rate = rate;
  out.forwardPredicted = -rate * whole.forward2;
  out.reversePredicted = -rate * whole.product;
  const double forwardBefore = model.evaluate(forward), reverseBefore = model.evaluate(reverse);
  for (std::size_t i = 0; i < before.size(); ++i)
    model.theta()[i] =
        static_cast<T>(static_cast<double>(before[i]) - rate * static_cast<double>(gradients.forward[i]));
  out.forward = model.evaluate(forward) - forwardBefore;
  out.reverse = model.evaluate(reverse) - reverseBefore;
  std::copy(before.begin(), before.end(), model.theta().begin());
  return out;
}

template QueryGradients<float> queryGradients(nn::Transformer<float>&, std::span<const Pair>);
template QueryGradients<double> queryGradients(nn::Transformer<double>&, std::span<const Pair>);
template Alignment alignmentOf(const nn::ParameterLayout&, const QueryGradients<float>&);
template Alignment alignmentOf(const nn::ParameterLayout&, const QueryGradients<double>&);
template StepEffect stepEffect(nn::Transformer<float>&, std::span<const Pair>, const QueryGradients<float>&, double);
template StepEffect stepEffect(nn::Transformer<double>&, std::span<const Pair>, const QueryGradients<double>&, double);

}  // namespace sepx::reversal
