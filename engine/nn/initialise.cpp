// SPDX-License-Identifier: Apache-2.0
// Initialisation: the schemes without structure, and the changes made after a scheme has run. Numbers are drawn in
// double and in the order of the layout, so that float and double start from the same model.
#include "engine/nn/initialise.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "engine/core/try.h"
#include "engine/nn/initialise_canonical.h"

namespace sepx::nn {
namespace {

bool isNorm(const Parameter& parameter) {
  return parameter.kind == ParameterKind::NormGain || parameter.kind == ParameterKind::NormBias;
}

/// Number of input entries that an output of this layer sums over; for a bias, that of its weight.
int fanIn(const Parameter& parameter, const ModelConfig& config) {
  switch (parameter.role) {
    case ParameterRole::Projection:
      return config.d_q();
    case ParameterRole::Down:
      return config.ff();
    case ParameterRole::PatchProjection:
      return config.patchValues();
    default:
      return config.d_model;
  }
}

/// N(0, 1) truncated at two deviations.
double cutNormal(RandomStream& random) {
  for (;;) {
    const double z = random.normal();
    if (std::abs(z) <= 2) return z;
  }
}

double sign(RandomStream& random) {
  return (random.next32() & 1) != 0 ? 1 : -1;
}

template <class T, class Draw>
void fill(std::span<T> values, const Draw& draw) {
  for (T& value : values)
    value = static_cast<T>(draw());
}

template <class T>
void fillRankOne(const Parameter& parameter, double sigma, RandomStream& random, std::span<T> values) {
  std::vector<double> left(static_cast<std::size_t>(parameter.rows)),
      right(static_cast<std::size_t>(parameter.columns));
  fill(std::span<double>(left), [&] { return sigma * random.normal(); });
  fill(std::span<double>(right), [&] { return random.normal(); });
  for (std::size_t i = 0; i < left.size(); ++i)
    for (std::size_t j = 0; j < right.size(); ++j)
      values[i * right.size() + j] = static_cast<T>(left[i] * right[j]);
}

/// Draws like a linear layer or an embedding of torch.
template <class T>
void fillUniform(const Parameter& parameter, const ModelConfig& config, RandomStream& random, std::span<T> values) {
  const bool linear = parameter.kind == ParameterKind::Weight || parameter.kind == ParameterKind::Bias ||
                      parameter.role == ParameterRole::Output;
  const double bound = 1 / std::sqrt(static_cast<double>(fanIn(parameter, config)));
  if (linear)
    fill(values, [&] { return random.uniform(-bound, bound); });
  else
    fill(values, [&] { return random.normal(); });
}

template <class T>
void fillMatrix(const Initial& initial, const ModelConfig& config, const Parameter& parameter, RandomStream& random,
                std::span<T> values) {
  const double sigma = initial.sigma;
  const bool intoResidual = parameter.role == ParameterRole::Projection || parameter.role == ParameterRole::Down;
  switch (initial.scheme) {
    case InitialScheme::Gpt2: {
      const double smaller = intoResidual ? sigma / std::sqrt(2.0 * config.layers) : sigma;
      return fill(values, [&] { return smaller * random.normal(); });
    }
    case InitialScheme::Bert:
      return fill(values, [&] { return sigma * cutNormal(random); });
    case InitialScheme::RankOne:
      if (parameter.kind == ParameterKind::Weight) return fillRankOne(parameter, sigma, random, values);
      return fill(values, [&] { return sigma * sign(random); });
    default:
      return fill(values, [&] { return sigma * random.normal(); });
  }
}

template <class T>
void fillParameter(const Initial& initial, const ModelConfig& config, const Parameter& parameter, RandomStream& random,
                   std::span<T> values) {
  if (isNorm(parameter)) {
    const bool gain = parameter.kind == ParameterKind::NormGain;
    std::fill(values.begin(), values.end(), static_cast<T>(gain ? 1 : initial.normBiasStart));
  } else if (initial.scheme == InitialScheme::Uniform) {
    fillUniform(parameter, config, random, values);
  } else if (parameter.kind == ParameterKind::Bias) {
    std::fill(values.begin(), values.end(), T{0});
  } else {
    fillMatrix(initial, config, parameter, random, values);
  }
}

/// The values from which the key heads of a layer are made: the query heads of each key head, summed over their group
/// of n and divided by sqrt(n). A head has d_h rows of `columns` numbers. Returns [kv d_h, columns].
template <class T>
std::vector<T> groupedQueries(const ModelConfig& config, std::span<const T> query, std::size_t columns) {
  const std::size_t block = static_cast<std::size_t>(config.d_h()) * columns;
  const auto kv = static_cast<std::size_t>(config.kv()), group = static_cast<std::size_t>(config.heads) / kv;
  std::vector<T> keys(kv * block);
  for (std::size_t g = 0; g < kv; ++g)
    for (std::size_t i = 0; i < block; ++i) {
      double sum = 0;
      for (std::size_t h = g * group; h < (g + 1) * group; ++h)
        sum += static_cast<double>(query[h * block + i]);
      keys[g * block + i] = group == 1 ? query[g * block + i]  // exact copy
                                       : static_cast<T>(sum / std::sqrt(static_cast<double>(group)));
    }
  return keys;
}

template <class T>
void tieKeys(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout, int layer,
             RandomStream& random, std::span<T> theta) {
  const auto d_h = static_cast<std::size_t>(config.d_h());
  const bool skew = initial.queryKey == QueryKeyStart::Skew;
  std::vector<T> A(skew ? static_cast<std::size_t>(config.kv()) * d_h * d_h : 0);
  const double sigmaA = 1 / std::sqrt(2 * static_cast<double>(d_h));
  fill(std::span<T>(A), [&] { return sigmaA * random.normal(); });
  for (const ParameterKind kind : {ParameterKind::Weight, ParameterKind::Bias}) {
    const Parameter* query = layout.find(ParameterRole::Query, kind, layer);
    const Parameter* key = layout.find(ParameterRole::Key, kind, layer);
    if (query == nullptr || key == nullptr) continue;
    const auto columns = static_cast<std::size_t>(query->columns);
    const std::vector<T> from = groupedQueries<T>(config, theta.subspan(query->offset, query->size()), columns);
    const std::span<T> into = theta.subspan(key->offset, key->size());
    assert(into.size() == from.size());
    if (!skew) {
      std::copy(from.begin(), from.end(), into.begin());
      continue;
    }
    const std::size_t block = d_h * columns;
    for (std::size_t g = 0; g * block < from.size(); ++g)
      skewKeys<T>(std::span<const T>(A).subspan(g * d_h * d_h, d_h * d_h),
                  std::span<const T>(from).subspan(g * block, block), config.d_h(), into.subspan(g * block, block));
  }
}

Result<void> checkNumbers(const Initial& initial) {
  if (!std::isfinite(initial.sigma) || initial.sigma < 0)
    return fail(ErrorKind::Usage, "initial.sigma must be 0 or more");
  for (const auto& [name, value] : {std::pair{"e", initial.e}, {"w", initial.w}, {"a", initial.a}, {"b", initial.b}})
    if (!std::isfinite(value))
      return fail(ErrorKind::Usage, std::string("initial.") + name + " must be a finite number");
  if (!std::isfinite(initial.normBiasStart))
    return fail(ErrorKind::Usage, "initial.norm_bias_start must be a finite number");
  return {};
}

}  // namespace

template <class T>
void skewKeys(std::span<const T> A, std::span<const T> W_Q, int d_h, std::span<T> W_K) {
  const auto n = static_cast<std::size_t>(d_h);
  assert(A.size() == n * n && W_Q.size() % n == 0 && W_K.size() == W_Q.size());
  const std::size_t columns = W_Q.size() / n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += (static_cast<double>(A[i * n + j]) - static_cast<double>(A[j * n + i])) *
               static_cast<double>(W_Q[j * columns + c]);
      W_K[i * columns + c] = static_cast<T>(sum);
    }
}

Result<void> check(const Initial& initial, const ModelConfig& config) {
  SEPX_TRY(checkNumbers(initial));
  if (initial.queryKey == QueryKeyStart::Skew && config.d_h() % 2 != 0)
    return fail(ErrorKind::Usage, "initial.query_key \"skew\" needs an even head dimension, this model has " +
                                      std::to_string(config.d_h()) + "; change model.d_model or model.heads");
  if (initial.zeroOutput && config.output == Output::Tied)
    return fail(ErrorKind::Usage,
                "initial.zero_output is true, but model.output \"tied\" takes the logits from the embedding; choose "
                "model.output \"untied\"");
  return checkCanonical(initial, config);
}

template <class T>
void initialise(const Initial& initial, const ModelConfig& config, const ParameterLayout& layout, RandomStream& random,
                std::span<T> theta) {
  assert(theta.size() == layout.size());
  assert(initial.scheme != InitialScheme::Bigram && initial.scheme != InitialScheme::Unigram);
  if (initial.scheme == InitialScheme::Canonical) {
    fillCanonical(initial, config, layout, random, theta);
  } else {
    for (const Parameter& parameter : layout.all())
      fillParameter(initial, config, parameter, random, theta.subspan(parameter.offset, parameter.size()));
    if (initial.scheme == InitialScheme::Proposed) fillProposed(initial, config, layout, random, theta);
  }
  if (initial.zeroOutput)
    for (const Parameter& parameter : layout.all())
      if (parameter.role == ParameterRole::Output || parameter.role == ParameterRole::OutputBias)
        std::ranges::fill(theta.subspan(parameter.offset, parameter.size()), T{0});
  if (initial.queryKey == QueryKeyStart::Free) return;
  for (int layer = 0; layer < config.layers; ++layer)
    tieKeys(initial, config, layout, layer, random, theta);
}

template void initialise<float>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                std::span<float>);
template void initialise<double>(const Initial&, const ModelConfig&, const ParameterLayout&, RandomStream&,
                                 std::span<double>);
template void skewKeys<float>(std::span<const float>, std::span<const float>, int, std::span<float>);
template void skewKeys<double>(std::span<const double>, std::span<const double>, int, std::span<double>);

}  // namespace sepx::nn
