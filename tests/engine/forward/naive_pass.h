// SPDX-License-Identifier: Apache-2.0
// The meaning of a plan, computed in the simplest way: doubles, one loop per index, one matrix entry at a time. Shares
// no code with the forward pass.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/engine/forward/tiny_plan.h"

namespace sepx::forward::tiny {

using Rows = std::vector<std::vector<double>>;

struct NaivePass {
  Rows embedding;
  std::vector<Rows> hidden;                  ///< of each block
  std::vector<std::vector<Rows>> attention;  ///< [layer][head], query by key
  Rows logits;
};

class Naive {
 public:
  explicit Naive(const PlannedModel& model) : model_(model), plan_(model.plan) {}

  NaivePass run(const Input& input) const {
    NaivePass pass;
    Rows x = plan_.image ? image(input) : words(input);
    pass.embedding = x;
    for (const BlockPlan& block : plan_.blocks) {
      block_(block, x, pass.attention.emplace_back());
      pass.hidden.push_back(x);
    }
    if (plan_.head)
      for (const auto& row : x)
        pass.logits.push_back(head(row));
    return pass;
  }

 private:
  double at(const std::string& name, std::int64_t index) const {
    return model_.tables.at(name).values.at(static_cast<std::size_t>(index));
  }
  std::vector<double> linear(const LinearSource& source, const std::vector<double>& x) const {
    REQUIRE(static_cast<std::int64_t>(x.size()) == source.in);
    const std::int64_t all = static_cast<std::int64_t>(model_.tables.at(source.tensor).values.size()) / source.in;
    std::vector<double> y;
    for (std::int64_t o = 0; o < source.out; ++o) {
      double sum = source.bias.empty() ? 0 : at(source.bias, source.biasFirst + o);
      for (std::int64_t i = 0; i < source.in; ++i)
        sum += x[static_cast<std::size_t>(i)] *
               at(source.tensor, source.transposed ? i * all + source.first + o : (source.first + o) * source.in + i);
      y.push_back(sum);
    }
    return y;
  }
  /// The output of head `h` of a projection.
  std::vector<double> projection(const ProjectionSource& source, const std::optional<ProjectionSource>& bias, int h,
                                 int width, const std::vector<double>& x) const {
    const auto in = static_cast<std::int64_t>(x.size());
    const std::int64_t all = static_cast<std::int64_t>(model_.tables.at(source.tensor).values.size()) / in;
    std::vector<double> y;
    for (int a = 0; a < width; ++a) {
      const auto place = [&](const ProjectionSource& of) {
        const std::int64_t group = of.groupHeads == 0 ? 0 : h / of.groupHeads;
        const std::int64_t within = of.groupHeads == 0 ? h : h % of.groupHeads;
        return of.offset + group * of.groupStride + within * of.headStride + a;
      };
      double sum = 0;
      if (bias) sum = at(bias->tensor, bias->perHead ? h * width + a : place(*bias));
      for (std::int64_t i = 0; i < in; ++i) {
        const std::int64_t index = source.perHead      ? (h * in + i) * width + a
                                   : source.transposed ? i * all + place(source)
                                                       : place(source) * in + i;
        sum += x[static_cast<std::size_t>(i)] * at(source.tensor, index);
      }
      y.push_back(sum);
    }
    return y;
  }
  std::vector<double> norm(const NormSource& source, const std::vector<double>& x, std::size_t first = 0) const {
    const auto count = static_cast<double>(x.size());
    double mean = 0, square = 0;
    for (const double one : x)
      mean += one / count;
    if (source.kind == NormSource::Kind::Rms) mean = 0;
    for (const double one : x)
      square += (one - mean) * (one - mean) / count;
    std::vector<double> y;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto index = static_cast<std::int64_t>(first + i);
      const double gain = source.gain.empty() ? 1 : at(source.gain, index) + (source.onePlusGain ? 1 : 0);
      y.push_back((x[i] - mean) / std::sqrt(square + source.epsilon) * gain +
                  (source.bias.empty() ? 0 : at(source.bias, index)));
    }
    return y;
  }
  std::vector<double> normed(const std::optional<NormSource>& source, const std::vector<double>& x) const {
    return source ? norm(*source, x) : x;
  }

  static double act(FeedForwardActivation kind, double x) {
    switch (kind) {
      case FeedForwardActivation::Relu:
        return std::max(x, 0.0);
      case FeedForwardActivation::ReluSquared:
        return std::max(x, 0.0) * std::max(x, 0.0);
      case FeedForwardActivation::GeluErf:
        return x / 2 * (1 + std::erf(x / std::numbers::sqrt2));
      case FeedForwardActivation::GeluTanh:
        return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
      case FeedForwardActivation::QuickGelu:
        return x / (1 + std::exp(-1.702 * x));
      case FeedForwardActivation::Silu:
        break;
    }
    return x / (1 + std::exp(-x));
  }
  std::vector<double> feedForward(const FeedForwardSource& source, const std::vector<double>& x) const {
    std::vector<double> up = linear(source.up, x);
    if (source.gate) {
      const std::vector<double> gate = linear(*source.gate, x);
      for (std::size_t i = 0; i < up.size(); ++i)
        up[i] *= act(source.activation, gate[i]);
    } else {
      for (double& one : up)
        one = act(source.activation, one);
    }
    return linear(source.down, up);
  }

  /// A head's query or key at position n after norm and rotation.
  std::vector<double> placed(const BlockPlan& block, const std::optional<NormSource>& heads, int h, int count, int n,
                             const Rows& all) const {
    const std::size_t width = all[0].size(), own = static_cast<std::size_t>(h);
    std::vector<double> x = all[own];
    if (heads && block.normOfAllHeads) {
      std::vector<double> joined;
      for (const auto& one : all)
        joined.insert(joined.end(), one.begin(), one.end());
      joined = norm(*heads, joined);
      x.assign(joined.begin() + static_cast<std::ptrdiff_t>(own * width),
               joined.begin() + static_cast<std::ptrdiff_t>((own + 1) * width));
    } else if (heads) {
      const bool each = model_.tables.at(heads->gain).values.size() == width * static_cast<std::size_t>(count);
      x = norm(*heads, x, each ? own * width : 0);
    }
    if (!block.attention.rope) return x;
    const auto& rope = *block.attention.rope;
    for (int s = 0; s < rope.dimensions / 2; ++s) {
      const auto a = static_cast<std::size_t>(rope.interleaved ? 2 * s : s);
      const auto b = static_cast<std::size_t>(rope.interleaved ? 2 * s + 1 : s + rope.dimensions / 2);
      const double factor =
          block.ropeScaling.factors.empty() ? 1 : block.ropeScaling.factors[static_cast<std::size_t>(s)];
      const double angle = n * std::pow(rope.base, -2.0 * s / rope.dimensions) / factor;
      const double c = block.ropeScaling.amplitude * std::cos(angle),
                   sn = block.ropeScaling.amplitude * std::sin(angle);
      const double first = x[a], second = x[b];
      x[a] = c * first - sn * second;
      x[b] = sn * first + c * second;
    }
    return x;
  }
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    return sum;
  }
  double score(const BlockPlan& block, int h, int i, int j, double product) const {
    const ScoreRuleOf& rule = block.score;
    const double slope = rule.slopes.empty() ? 0 : rule.slopes[static_cast<std::size_t>(h)];
    const double bias = rule.slopesSigned ? slope * (j - i) : -slope * std::abs(i - j);
    double s = block.attention.scale * (product + (rule.slopesScaled ? bias : 0)) + (rule.slopesScaled ? 0 : bias);
    if (!rule.distanceBias.empty()) s += at(rule.distanceBias, bucket(block, j - i) * block.attention.heads + h);
    return rule.cap > 0 ? rule.cap * std::tanh(s / rule.cap) : s;
  }
  /// Buckets of T5, from the description in the paper: a half for each sign if both are visible, and half of those
  /// exact.
  static std::int64_t bucket(const BlockPlan& block, int offset) {
    const int each = block.attention.causal ? block.score.distanceBuckets : block.score.distanceBuckets / 2;
    const int side = !block.attention.causal && offset > 0 ? each : 0;
    const int distance = block.attention.causal ? std::max(0, -offset) : std::abs(offset), exact = each / 2;
    if (distance < exact) return side + distance;
    const double octave = std::log(static_cast<double>(distance) / exact) /
                          std::log(static_cast<double>(block.score.distanceFarthest) / exact);
    return side + std::min(each - 1, exact + static_cast<int>(octave * (each - exact) + 1e-9));
  }
  static bool seen(const BlockPlan& block, int i, int j) {
    const int window = block.score.window;
    if (block.attention.causal) return j <= i && (window == 0 || i - j < window);
    return window == 0 || std::abs(i - j) <= window;
  }

  Rows attend(const BlockPlan& block, const Rows& x, std::vector<Rows>& patterns) const {
    const int n = static_cast<int>(x.size()), heads = block.attention.heads, keyHeads = block.attention.kvHeads;
    Rows out(x.size());
    std::vector<Rows> q, k, v;  // [position][head]
    for (const auto& row : x) {
      Rows& queries = q.emplace_back();
      for (int h = 0; h < heads; ++h)
        queries.push_back(projection(block.attention.W_Q, block.attention.b_Q, h, block.attention.d_h, row));
      Rows &keys = k.emplace_back(), &values = v.emplace_back();
      for (int h = 0; h < keyHeads; ++h) {
        keys.push_back(projection(block.attention.W_K, block.attention.b_K, h, block.attention.d_h, row));
        values.push_back(projection(block.W_V, block.b_V, h, block.d_v, row));
      }
    }
    for (int h = 0; h < heads; ++h) {
      const int shared = h / (heads / keyHeads);
      Rows& pattern = patterns.emplace_back(x.size(), std::vector<double>(x.size()));
      for (int i = 0; i < n; ++i) {
        auto& row = pattern[static_cast<std::size_t>(i)];
        const auto query = placed(block, block.attention.q_norm, h, heads, i, q[static_cast<std::size_t>(i)]);
        double sum = 0;
        for (int j = 0; j < n; ++j) {
          if (!seen(block, i, j)) continue;
          const auto key = placed(block, block.attention.k_norm, shared, keyHeads, j, k[static_cast<std::size_t>(j)]);
          sum += row[static_cast<std::size_t>(j)] = std::exp(score(block, h, i, j, dot(query, key)));
        }
        for (double& p : row)
          p /= sum;
        for (int a = 0; a < block.d_v; ++a) {
          double o = 0;
          for (std::size_t j = 0; j < row.size(); ++j)
            o += row[j] * v[j][static_cast<std::size_t>(shared)][static_cast<std::size_t>(a)];
          out[static_cast<std::size_t>(i)].push_back(o);
        }
      }
    }
    for (auto& row : out)
      row = linear(block.W_O, row);
    return out;
  }

  void block_(const BlockPlan& block, Rows& x, std::vector<Rows>& patterns) const {
    const Rows before = x;
    Rows read;
    for (const auto& row : x)
      read.push_back(normed(block.attention.norm, row));
    Rows written = attend(block, read, patterns);
    const auto add = [&](std::vector<double>& row, const std::vector<double>& branch, const std::string& gain) {
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] += block.residualScale * branch[i] * (gain.empty() ? 1 : at(gain, static_cast<std::int64_t>(i)));
    };
    for (std::size_t n = 0; n < x.size(); ++n) {
      add(x[n], normed(block.attentionOut, written[n]), block.attentionGain);
      x[n] = normed(block.attentionAfter, x[n]);
      if (!block.feedForward) continue;
      std::vector<double> in = normed(block.feedForwardNorm, block.parallel ? before[n] : x[n]);
      if (block.parallel && !block.feedForwardNorm) in = read[n];
      add(x[n], normed(block.feedForwardOut, feedForward(*block.feedForward, in)), block.feedForwardGain);
      x[n] = normed(block.feedForwardAfter, x[n]);
    }
  }

  Rows words(const Input& input) const {
    Rows x;
    const bool narrow = plan_.embeddingProjection.has_value();
    const std::int64_t width = narrow ? plan_.embeddingProjection->in : plan_.d_model;
    const bool wide =
        narrow && !plan_.positionEmbedding.empty() && model_.tables.at(plan_.positionEmbedding).shape[1] != width;
    for (std::size_t n = 0; n < input.ids.size(); ++n) {
      std::vector<double> row;
      for (std::int64_t i = 0; i < width; ++i)
        row.push_back(plan_.embeddingScale * at(plan_.tokenEmbedding, input.ids[n] * width + i));
      if (wide) row = linear(*plan_.embeddingProjection, row);
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto size = static_cast<std::int64_t>(row.size()), number = static_cast<std::int64_t>(i);
        if (!plan_.positionEmbedding.empty())
          row[i] += at(plan_.positionEmbedding, (static_cast<std::int64_t>(n) + plan_.positionOffset) * size + number);
        if (!plan_.segments.empty()) row[i] += at(plan_.segments, number);
      }
      row = normed(plan_.embeddingNorm, row);
      x.push_back(narrow && !wide ? linear(*plan_.embeddingProjection, row) : row);
    }
    return x;
  }

  Rows image(const Input& input) const {
    const checkpoint::ImagePlan& of = *plan_.image;
    Rows x;
    for (const std::string& name : {of.classToken, of.secondToken})
      if (!name.empty()) x.push_back(model_.tables.at(name).values);
    const int across = of.image / of.patch;
    for (int down = 0; down < across; ++down)
      for (int right = 0; right < across; ++right) {
        std::vector<double> patch;
        const auto pixel = [&](int c, int i, int j) {
          const int row = down * of.patch + i, column = right * of.patch + j;
          patch.push_back(
              static_cast<double>(input.pixels[static_cast<std::size_t>((c * of.image + row) * of.image + column)]));
        };
        if (of.patchFirst) {
          for (int i = 0; i < of.patch; ++i)
            for (int j = 0; j < of.patch; ++j)
              for (int c = 0; c < of.channels; ++c)
                pixel(c, i, j);
        } else {
          for (int c = 0; c < of.channels; ++c)
            for (int i = 0; i < of.patch; ++i)
              for (int j = 0; j < of.patch; ++j)
                pixel(c, i, j);
        }
        x.push_back(normed(of.patchedNorm, linear(of.patches, normed(of.patchNorm, patch))));
      }
    for (std::size_t n = 0; n < x.size(); ++n)
      for (std::size_t i = 0; i < x[n].size(); ++i)
        x[n][i] += at(of.positions, static_cast<std::int64_t>(n * x[n].size() + i));
    return x;
  }

  std::vector<double> head(std::vector<double> x) const {
    const checkpoint::HeadPlan& of = *plan_.head;
    x = normed(of.finalNorm, x);
    if (of.transform) {
      x = linear(*of.transform, x);
      for (double& one : x)
        one = act(of.transformActivation, one);
      x = normed(of.transformNorm, x);
    }
    LinearSource table = of.logits;
    table.bias.clear();
    std::vector<double> logits = linear(table, x);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      logits[i] *= of.scale;
      const std::string& bias = of.outputBias.empty() ? of.logits.bias : of.outputBias;
      if (!bias.empty()) logits[i] += at(bias, static_cast<std::int64_t>(i));
      if (of.cap > 0) logits[i] = of.cap * std::tanh(logits[i] / of.cap);
    }
    return logits;
  }

  using ScoreRuleOf = checkpoint::ScoreRule;
  const PlannedModel& model_;
  const ModelPlan& plan_;
};

inline std::vector<double> flat(const Rows& rows) {
  std::vector<double> all;
  for (const auto& row : rows)
    all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace sepx::forward::tiny
