// SPDX-License-Identifier: Apache-2.0
#include "engine/train/chain_start.h"

#include <cmath>

namespace sepx::train {
namespace {

bool isOfChain(const nn::Initial& initial) {
  return initial.scheme == nn::InitialScheme::Bigram || initial.scheme == nn::InitialScheme::Unigram;
}

struct Chain {
  double p = 0, q = 0;
  /// log((1-p)(1-q)/(pq)), exactly 0 where p + q is 1.
  double leastPoint() const { return std::log1p((1 - p - q) / (p * q)); }
};

Chain chainOf(const data::SourceConfig& data) {
  if (data.kernel.size() == 2) return {data.kernel[0], 1 - data.kernel[1]};
  return {data.p, data.q};
}

}  // namespace

nn::Initial initialOf(const RunConfig& config) {
  nn::Initial initial = config.initial;
  if (!isOfChain(initial)) return initial;
  const Chain chain = chainOf(config.data);
  const bool bigram = initial.scheme == nn::InitialScheme::Bigram;
  initial.scheme = nn::InitialScheme::Canonical;
  initial.a = 0;
  initial.w = std::abs(initial.w);
  if (!bigram) {
    initial.e = 0;
    initial.b = std::log(chain.p / chain.q);
    return initial;
  }
  const double S = chain.leastPoint();
  if (S < 0) initial.w = -initial.w;
  initial.e = std::sqrt(S / (1 + 2 * initial.w * std::abs(initial.w)));
  initial.b = std::log(chain.p) - std::log1p(-chain.p) + initial.e * initial.e / 2;
  return initial;
}

Result<void> checkChainStart(const RunConfig& config) {
  if (!isOfChain(config.initial)) return {};
  const data::SourceConfig& data = config.data;
  if (data.kind != data::SourceKind::Markov || data.order != 1)
    return fail(ErrorKind::Usage,
                "initial.scheme \"bigram\" and \"unigram\" are built from p and q: data.kind must be \"markov\" and "
                "data.order 1");
  const Chain chain = chainOf(data);
  const auto [p, q] = chain;
  if (!(p > 0 && p < 1 && q > 0 && q < 1))
    return fail(ErrorKind::Usage,
                "initial.scheme \"bigram\" and \"unigram\" need a chain with 0 < p < 1 and 0 < q < 1");
  const double w = config.initial.w;
  if (config.initial.scheme == nn::InitialScheme::Bigram && chain.leastPoint() < 0 && !(2 * w * w > 1))
    return fail(ErrorKind::Usage,
                "initial.scheme \"bigram\" with p + q above 1 needs initial.w above 0.7072 or below -0.7072");
  return {};
}

}  // namespace sepx::train
