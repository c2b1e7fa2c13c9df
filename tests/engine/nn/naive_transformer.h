// SPDX-License-Identifier: Apache-2.0
// An independent transformer for comparison with the fast one: one number at a time in double, vectors of vectors,
// weights by name, and formulas as in the papers. Shares no code with the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/nn/batch.h"
#include "engine/nn/transformer.h"

namespace sepx::test {

class NaiveTransformer {
 public:
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;

  explicit NaiveTransformer(nn::Transformer<double>& model) : model_(model), c_(model.config()) {}

  /// Logits at all positions of sequence b.
  Rows logits(const nn::Batch& batch, int b) const {
    Rows x;
    for (int n = 0; n < batch.length; ++n)
      x.push_back(embedded(batch.tokens[static_cast<std::size_t>(b * batch.length + n)], n));
    for (int layer = 0; layer < c_.layers; ++layer) {
      const std::string in = "layers." + std::to_string(layer) + ".";
      x = branch(x, in + "attention_norm", [&](const Rows& y) { return attention(y, in + "attention.", batch, b); });
      if (c_.ff() > 0)
        x = branch(x, in + "feed_forward_norm", [&](const Rows& y) { return feedForward(y, in + "feed_forward."); });
    }
    Rows result;
    for (const Row& row : x)
      result.push_back(head(c_.finalNorm ? normed(row, "final_norm") : row));
    return result;
  }

 private:
  double value(const std::string& name, std::size_t i) const {
    const nn::Parameter* p = model_.layout().find(name);
    return p == nullptr ? 0 : model_.theta()[p->offset + i];
  }
  bool has(const std::string& name) const { return model_.layout().find(name) != nullptr; }

  Row embedded(int token, int n) const {
    Row x;
    for (std::size_t i = 0; i < d(); ++i) {
      const double e = c_.input == nn::Input::Bit
                           ? token * value("embedding.weight", i)
                           : value("embedding.weight", static_cast<std::size_t>(token) * d() + i);
      double p = value("positions.weight", static_cast<std::size_t>(n) * d() + i);
      if (c_.positions == nn::Positions::Sinusoidal) {
        const double angle = n * std::pow(10000.0, -2.0 * static_cast<double>(i / 2) / static_cast<double>(d()));
        p = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
      }
      x.push_back(e + p + value("segments.weight", i));
    }
    return has("embedding_norm.gain") ? normed(x, "embedding_norm") : x;
  }

  template <class F>
  Rows branch(const Rows& x, const std::string& norm, const F& f) const {
    const bool pre = c_.placement == nn::Placement::Pre;
    Rows read;
    for (const Row& row : x)
      read.push_back(pre ? normed(row, norm) : row);
    Rows sum = f(read);
    for (std::size_t n = 0; n < x.size(); ++n) {
      for (std::size_t i = 0; i < d(); ++i)
        sum[n][i] += c_.residual ? x[n][i] : 0;
      if (!pre) sum[n] = normed(sum[n], norm);
    }
    return sum;
  }

  Row normed(const Row& x, const std::string& name) const {
    if (c_.norm == nn::Norm::None) return x;
    double mean = 0, square = 0;
    for (const double v : x)
      mean += v / static_cast<double>(x.size());
    if (c_.norm == nn::Norm::Rms) mean = 0;
    for (const double v : x)
      square += (v - mean) * (v - mean) / static_cast<double>(x.size());
    Row y;
    for (std::size_t i = 0; i < x.size(); ++i)
      y.push_back(value(name + ".gain", i) * (x[i] - mean) / std::sqrt(square + c_.normEpsilon) +
                  value(name + ".bias", i));
    return y;
  }

  Row linear(const Row& x, const std::string& name) const {
    const nn::Parameter* W = model_.layout().find(name + ".weight");
    Row y;
    for (std::size_t o = 0; o < static_cast<std::size_t>(W->rows); ++o) {
      double sum = value(name + ".bias", o);
      for (std::size_t i = 0; i < x.size(); ++i)
        sum += model_.theta()[W->offset + o * x.size() + i] * x[i];
      y.push_back(sum);
    }
    return y;
  }

  /// Head h of a row of all heads, rotated by its position if the model is rotary.
  Row headOf(const Row& all, int h, int n, bool turn) const {
    const std::size_t width = static_cast<std::size_t>(c_.d_h()), half = width / 2;
    Row x(all.begin() + h * c_.d_h(), all.begin() + (h + 1) * c_.d_h());
    if (!turn || c_.positions != nn::Positions::Rope) return x;
    Row y(width);
    for (std::size_t s = 0; s < half; ++s) {
      const double angle = n * std::pow(c_.ropeBase, -2.0 * static_cast<double>(s) / static_cast<double>(width));
      y[s] = x[s] * std::cos(angle) - x[s + half] * std::sin(angle);
      y[s + half] = x[s] * std::sin(angle) + x[s + half] * std::cos(angle);
    }
    return y;
  }

  bool sees(const nn::Batch& batch, int b, int i, int j) const {
    if (c_.causal && j > i) return false;
    if (!batch.lengths.empty() && j >= batch.lengths[static_cast<std::size_t>(b)]) return false;
    if (!batch.readable.empty() && batch.readable[static_cast<std::size_t>(b * batch.length + j)] == 0) return false;
    return batch.allowed.empty() || batch.allowed[static_cast<std::size_t>(i * batch.length + j)] != 0;
  }

  double score(const Row& q, const Row& k, int h, int i, int j) const {
    double s = 0;
    for (std::size_t e = 0; e < q.size(); ++e)
      s += q[e] * k[e];
    s *= c_.attentionScale != 0 ? c_.attentionScale : 1 / std::sqrt(static_cast<double>(q.size()));
    if (c_.positions != nn::Positions::Alibi) return s;
    const double slope = c_.alibiSlope != 0 ? c_.alibiSlope : std::pow(2.0, -8.0 * (h + 1) / c_.heads);
    return s + (c_.alibiSigned ? slope * (j - i) : -slope * std::abs(i - j));
  }

  Rows attention(const Rows& x, const std::string& in, const nn::Batch& batch, int b) const {
    Rows Q, K, V, result;
    for (const Row& row : x) {
      Q.push_back(linear(row, in + "W_Q"));
      K.push_back(linear(row, in + "W_K"));
      V.push_back(linear(row, in + "W_V"));
    }
    for (int i = 0; i < batch.length; ++i) {
      Row context;
      for (int h = 0; h < c_.heads; ++h) {
        const int kv = h / (c_.heads / c_.kv());
        const Row q = headOf(Q[static_cast<std::size_t>(i)], h, i, true);
        Row out(q.size(), 0.0);
        double total = 0;
        for (int j = 0; j < batch.length; ++j) {
          if (!sees(batch, b, i, j)) continue;
          const double s = score(q, headOf(K[static_cast<std::size_t>(j)], kv, j, true), h, i, j);
          const double weight = c_.attention == nn::AttentionKind::Softmax ? std::exp(s) : s;
          total += c_.attention == nn::AttentionKind::Softmax ? weight : 1;
          const Row v = headOf(V[static_cast<std::size_t>(j)], kv, j, false);
          for (std::size_t e = 0; e < out.size(); ++e)
            out[e] += weight * v[e];
        }
        for (const double o : out)
          context.push_back(total == 0 ? 0 : o / total);
      }
      result.push_back(linear(context, in + "W_O"));
    }
    return result;
  }

  double activated(double x) const {
    switch (c_.activation) {
      case nn::Activation::Relu:
        return x > 0 ? x : 0;
      case nn::Activation::GeluErf:
        return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
      case nn::Activation::GeluTanh:
        return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
      case nn::Activation::SwiGlu:
        break;
    }
    return x / (1 + std::exp(-x));
  }

  Rows feedForward(const Rows& x, const std::string& in) const {
    Rows result;
    for (const Row& row : x) {
      Row hidden = linear(row, in + "W_1");
      if (c_.activation == nn::Activation::SwiGlu) {
        const Row gate = linear(row, in + "W_gate");
        for (std::size_t i = 0; i < hidden.size(); ++i)
          hidden[i] *= activated(gate[i]);
      } else {
        for (double& v : hidden)
          v = activated(v);
      }
      result.push_back(linear(hidden, in + "W_2"));
    }
    return result;
  }

  Row head(Row x) const {
    if (c_.headTransform) {
      x = linear(x, "head");
      for (double& v : x)
        v = activated(v);
      x = normed(x, "head_norm");
    }
    const std::string U = c_.output == nn::Output::Tied ? "embedding.weight" : "output.weight";
    Row z;
    for (std::size_t o = 0; o < static_cast<std::size_t>(c_.logits()); ++o) {
      z.push_back(value("output.bias", o));
      for (std::size_t i = 0; i < d(); ++i)
        z.back() += value(U, o * d() + i) * x[i];
    }
    return z;
  }

  std::size_t d() const { return static_cast<std::size_t>(c_.d_model); }

  nn::Transformer<double>& model_;
  const nn::ModelConfig& c_;
};

/// -log softmax(z)[token], or the logistic loss if there is a single logit.
inline double naiveLoss(const std::vector<double>& z, int token) {
  const double right = z.size() == 1 ? (2 * token - 1) * z[0] : z[static_cast<std::size_t>(token)];
  if (z.size() == 1) return right < 0 ? -right + std::log1p(std::exp(right)) : std::log1p(std::exp(-right));
  const double most = *std::max_element(z.begin(), z.end());
  double sum = 0;
  for (const double v : z)
    sum += std::exp(v - most);
  return most - right + std::log(sum);
}

}  // namespace sepx::test
