// SPDX-License-Identifier: Apache-2.0
// Shapes, numbers and an independent slow attention for the tests of engine/nn/layers/attention.h: whole matrices in
// long double, directly from the definition.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/nn/layers/attention.h"
#include "engine/nn/layers/dropout.h"
#include "tests/engine/nn/gradient_check.h"

namespace sepx::test {

/// An attention problem together with the arrays to which its shape points. Rows of q | k | v are followed by a gap.
struct AttentionCase {
  int sequences = 2, length = 6, heads = 2, kvHeads = 2, headDim = 3;
  bool linear = false, causal = true, alibi = false, alibiSigned = false, padded = false, masked = false,
       hidden = false;
  double dropout = 0, scale = 0.7;
  std::uint64_t seed = 5;

  std::vector<double> slopes{};
  std::vector<std::int32_t> lengths{};
  std::vector<std::uint8_t> allowed{}, readable{};

  std::size_t tokens() const { return static_cast<std::size_t>(sequences * length); }
  std::size_t ld() const { return static_cast<std::size_t>((heads + 2 * kvHeads) * headDim + 3); }
  std::size_t ldo() const { return static_cast<std::size_t>(heads * headDim + 1); }
  std::size_t kColumn() const { return static_cast<std::size_t>(heads * headDim); }
  std::size_t vColumn() const { return static_cast<std::size_t>((heads + kvHeads) * headDim); }
  std::size_t logSums() const { return tokens() * static_cast<std::size_t>(heads); }

  nn::AttentionShape shape() {
    nn::AttentionShape s;
    s.sequences = sequences;
    s.length = length;
    s.heads = heads;
    s.kvHeads = kvHeads;
    s.headDim = headDim;
    s.kind = linear ? nn::AttentionKind::Linear : nn::AttentionKind::Softmax;
    s.causal = causal;
    s.scale = scale;
    slopes.clear();
    for (int h = 0; alibi && h < heads; ++h)
      slopes.push_back(0.3 / (h + 1));
    s.slopes = slopes;
    s.alibiSigned = alibiSigned;
    lengths.clear();
    for (int b = 0; padded && b < sequences; ++b)
      lengths.push_back(b == 0 ? length - length / 3 : b == 1 ? length : 0);
    s.lengths = lengths;
    allowed.clear();
    RandomStream random(seed, 9);
    for (int e = 0; masked && e < length * length; ++e)
      allowed.push_back(e / length == 2 ? 0 : random.uniform() < 0.6 ? 1 : 0);  // query 2 sees no key at all
    s.allowed = allowed;
    readable.clear();
    for (int e = 0; hidden && e < sequences * length; ++e)
      readable.push_back(e / length == 1 ? e % 3 == 0 : random.uniform() < 0.7 ? 1 : 0);
    s.readable = readable;
    s.dropout = dropout;
    s.dropoutSeed = 11;
    s.dropoutStream = 3;
    return s;
  }
  std::string name() const {
    return "length " + std::to_string(length) + " heads " + std::to_string(heads) + "/" + std::to_string(kvHeads) +
           " of " + std::to_string(headDim) + (linear ? " linear" : "") + (causal ? " causal" : "") +
           (alibi ? alibiSigned ? " alibi+" : " alibi" : "") + (padded ? " padded" : "") + (masked ? " masked" : "") +
           (hidden ? " hidden" : "") + (dropout > 0 ? " dropout" : "");
  }
};

template <class T>
nn::AttentionInput<T> inputOf(const AttentionCase& c, const std::vector<T>& qkv) {
  return {qkv.data(), qkv.data() + c.kColumn(), qkv.data() + c.vColumn(), c.ld()};
}

/// Returns out with NaN in its gaps. P is without dropout, [sequences, heads, length, length] (linear: S/n).
inline std::vector<double> slowAttention(AttentionCase& c, const std::vector<double>& qkv, std::vector<double>& P,
                                         std::vector<double>& logSum) {
  const nn::AttentionShape s = c.shape();
  const int n = c.length, group = c.heads / c.kvHeads;
  const auto number = [&](int b, int i, std::size_t column, int head, int x) {
    return static_cast<long double>(
        qkv[static_cast<std::size_t>(b * n + i) * c.ld() + column + static_cast<std::size_t>(head * c.headDim + x)]);
  };
  std::vector<double> out(c.tokens() * c.ldo(), std::nan(""));
  P.assign(c.logSums() * static_cast<std::size_t>(n), 0);
  logSum.assign(c.logSums(), 0);
  for (int b = 0; b < c.sequences; ++b)
    for (int h = 0; h < c.heads; ++h)
      for (int i = 0; i < n; ++i) {
        std::vector<long double> score, weight(static_cast<std::size_t>(n), 0);
        long double most = -std::numeric_limits<long double>::infinity(), sum = 0;
        int seen = 0;
        for (int j = 0; j < n; ++j) {
          long double x = 0;
          for (int e = 0; e < c.headDim; ++e)
            x += number(b, i, 0, h, e) * number(b, j, c.kColumn(), h / group, e);
          x *= c.scale;
          if (c.alibi && !c.linear)
            x += s.slopes[static_cast<std::size_t>(h)] * (c.alibiSigned ? j - i : -std::abs(i - j));
          const bool hidden = (c.causal && j > i) || (c.padded && j >= s.lengths[static_cast<std::size_t>(b)]) ||
                              (c.masked && s.allowed[static_cast<std::size_t>(i * n + j)] == 0) ||
                              (c.hidden && s.readable[static_cast<std::size_t>(b * n + j)] == 0);
          score.push_back(hidden ? -std::numeric_limits<long double>::infinity() : x);
          if (hidden) continue;
          ++seen;
          most = std::max(most, x);
        }
        for (std::size_t j = 0; j < score.size() && seen > 0; ++j) {
          if (!c.linear) weight[j] = std::exp(score[j] - most);
          if (c.linear && std::isfinite(static_cast<double>(score[j]))) weight[j] = score[j];
          sum += weight[j];
        }
        const auto row = static_cast<std::size_t>((b * c.heads + h) * n + i);
        if (seen > 0) logSum[row] = static_cast<double>(most + std::log(sum));
        for (int e = 0; e < c.headDim; ++e)
          out[static_cast<std::size_t>(b * n + i) * c.ldo() + static_cast<std::size_t>(h * c.headDim + e)] = 0;
        for (int j = 0; j < n && seen > 0; ++j) {
          const long double p = weight[static_cast<std::size_t>(j)] / (c.linear ? static_cast<long double>(seen) : sum);
          const std::size_t element = row * static_cast<std::size_t>(n) + static_cast<std::size_t>(j);
          P[element] = static_cast<double>(p);
          const bool kept = nn::dropoutBits(s.dropoutSeed, s.dropoutStream, element) >= s.dropout * 65536;
          for (int e = 0; e < c.headDim && kept; ++e)
            out[static_cast<std::size_t>(b * n + i) * c.ldo() + static_cast<std::size_t>(h * c.headDim + e)] +=
                static_cast<double>(p / (1 - c.dropout) * number(b, j, c.vColumn(), h / group, e));
        }
      }
  return out;
}

/// Every combination of kind, mask, bias, grouped queries and dropout, at one length and head dimension. Half of them
/// have hidden keys, so that every other option occurs with and without them.
inline std::vector<AttentionCase> attentionMatrix(int length, int headDim) {
  std::vector<AttentionCase> cases;
  for (int bits = 0; bits < 256; ++bits) {
    AttentionCase c;
    c.length = length;
    c.headDim = headDim;
    c.linear = (bits & 1) != 0;
    c.causal = (bits & 2) != 0;
    c.padded = (bits & 4) != 0;
    c.masked = (bits & 8) != 0;
    c.alibi = (bits & 16) != 0;
    c.alibiSigned = (bits & 32) != 0;
    c.kvHeads = (bits & 64) != 0 ? 1 : 2;
    c.dropout = (bits & 128) != 0 ? 0.25 : 0;
    c.hidden = std::popcount(static_cast<unsigned>(bits)) % 2 == 1;
    if (c.alibiSigned && !c.alibi) continue;
    if (c.linear && c.alibi) continue;
    cases.push_back(c);
  }
  return cases;
}

}  // namespace sepx::test
