// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/block.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/forward/attention_scores.h"
#include "engine/forward/feed_forward.h"
#include "engine/forward/interventions.h"
#include "engine/forward/large_array.h"
#include "engine/forward/linear_product.h"
#include "engine/forward/stored_norm.h"

namespace sepx::forward {

namespace {

using checkpoint::AttentionLayer;
using checkpoint::BlockPlan;
using checkpoint::NormSource;
using Target = Intervention::Target;

/// Rows Q | K | V of a block, and the columns where the parts begin.
template <class T>
struct Projected {
  std::size_t q = 0, k = 0, v = 0, ld = 0;
  std::vector<T>& rows;
};

/// First column and number of the heads of queries or keys, and their norm.
struct HeadsOf {
  std::size_t first = 0;
  int heads = 0;
  const std::optional<NormSource>* norm = nullptr;
};

/// Applies the norm of each head (or of all heads at once) to rows, in place. `scales` [n, heads] receives 1/deviation.
/// `linear` (the same heads without biases, in separate rows) is centred and multiplied by the gain, but not divided.
template <class T>
Result<void> normHeads(BlockPass<T>& pass, const BlockPlan& block, const HeadsOf& side, Projected<T>& projected,
                       std::vector<T>* linear, std::vector<T>* scales) {
  if (!*side.norm) return {};
  const std::size_t n = asSize(pass.positions), d_h = asSize(block.attention.d_h), heads = asSize(side.heads);
  const std::size_t groups = block.normOfAllHeads ? 1 : heads, width = heads * d_h / groups;
  // One gain for all heads, or a separate gain for each head.
  std::size_t gains = width;
  if (!(*side.norm)->gain.empty()) {
    SEPX_ASSIGN(const checkpoint::TensorInfo* tensor, pass.reader.find((*side.norm)->gain));
    if (tensor->values() == heads * d_h) gains = heads * d_h;
  }
  SEPX_ASSIGN(const StoredNorm<T> norm, normOf<T>(pass.reader, **side.norm, gains));
  std::vector<T> group(n * width), stats(2 * n);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = side.first + g * width, gain = gains == width ? 0 : g * width;
    for (std::size_t i = 0; i < n; ++i)
      std::copy_n(projected.rows.data() + i * projected.ld + first, width, group.data() + i * width);
    nn::normForward(pass.pool, n, width, group.data(), static_cast<const T*>(nullptr), norm.weights(gain), group.data(),
                    stats.data());
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(group.data() + i * width, width, projected.rows.data() + i * projected.ld + first);
      if (linear == nullptr) continue;
      T* const row = linear->data() + i * heads * d_h + g * width;
      T mean = 0;
      for (std::size_t j = 0; norm.kind == nn::Norm::Layer && j < width; ++j)
        mean += row[j] / static_cast<T>(width);
      for (std::size_t j = 0; j < width; ++j)
        row[j] = (row[j] - mean) * norm.gain[gain + j];
      std::fill_n(scales->data() + i * heads + g * (heads / groups), heads / groups, stats[2 * i + 1]);
    }
  }
  return {};
}

template <class T>
const Rotation<T>& rotationOf(BlockPass<T>& pass, const BlockPlan& block) {
  const checkpoint::RopeSource source = block.attention.rope.value_or(checkpoint::RopeSource{});
  for (const Rotation<T>& one : pass.rotations)
    if (one.isOf(source, block.ropeScaling, pass.first, pass.positions, block.attention.d_h)) return one;
  return pass.rotations.emplace_back(source, block.ropeScaling, pass.first, pass.positions, block.attention.d_h);
}

/// Copies heads [n, heads d_h] from rows and subtracts their bias.
template <class T>
std::vector<T> withoutBias(const Projected<T>& projected, std::size_t first, std::size_t width, std::size_t n,
                           const std::vector<T>& bias) {
  std::vector<T> out(n * width);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < width; ++j)
      out[i * width + j] = projected.rows[i * projected.ld + first + j] - (bias.empty() ? T(0) : bias[first + j]);
  return out;
}

/// Queries and keys for the symmetric and skew part; empty if no intervention scales one of these parts in this layer.
template <class T>
std::optional<FormParts<T>> partsOf(const BlockPass<T>& pass, const BlockPlan& block, int layer,
                                    const Projected<T>& projected, const std::vector<T>& bias) {
  const AttentionLayer& attention = block.attention;
  FormParts<T> parts;
  const auto factors = [&](Target part) {
    return partFactors(pass.request.interventions, part, layer, attention.heads, pass.positions);
  };
  parts.symmetric = factors(Target::Symmetric);
  parts.skew = factors(Target::Skew);
  if (parts.symmetric.empty() && parts.skew.empty()) return std::nullopt;
  const std::size_t n = asSize(pass.positions), heads = asSize(attention.heads), kvHeads = asSize(attention.kvHeads);
  parts.symmetric.resize(heads * n, 1);
  parts.skew.resize(heads * n, 1);
  parts.q = withoutBias(projected, projected.q, heads * asSize(attention.d_h), n, bias);
  parts.k = withoutBias(projected, projected.k, kvHeads * asSize(attention.d_h), n, bias);
  if (attention.q_norm) parts.qScale.resize(n * heads, 1);
  if (attention.k_norm) parts.kScale.resize(n * kvHeads, 1);
  return parts;
}

/// Applies the norms and the rotation of queries and keys, in place.
template <class T>
Result<void> placeHeads(BlockPass<T>& pass, const BlockPlan& block, Projected<T>& projected, FormParts<T>* parts) {
  const AttentionLayer& attention = block.attention;
  const auto of = [&](std::vector<T> FormParts<T>::*member) { return parts == nullptr ? nullptr : &(parts->*member); };
  SEPX_TRY(normHeads(pass, block, {projected.q, attention.heads, &attention.q_norm}, projected, of(&FormParts<T>::q),
                     of(&FormParts<T>::qScale)));
  SEPX_TRY(normHeads(pass, block, {projected.k, attention.kvHeads, &attention.k_norm}, projected, of(&FormParts<T>::k),
                     of(&FormParts<T>::kScale)));
  if (parts != nullptr) parts->qBack = parts->q, parts->kBack = parts->k;
  if (!attention.rope) return {};
  const Rotation<T>& rotation = rotationOf(pass, block);
  rotation.turn(pass.pool, attention.heads, projected.rows.data() + projected.q, projected.ld);
  rotation.turn(pass.pool, attention.kvHeads, projected.rows.data() + projected.k, projected.ld);
  if (parts == nullptr) return {};
  const std::size_t ldq = asSize(attention.heads * attention.d_h), ldk = asSize(attention.kvHeads * attention.d_h);
  rotation.turn(pass.pool, attention.heads, parts->q.data(), ldq);
  rotation.turn(pass.pool, attention.kvHeads, parts->k.data(), ldk);
  rotation.turn(pass.pool, attention.heads, parts->qBack.data(), ldq, true);
  rotation.turn(pass.pool, attention.kvHeads, parts->kBack.data(), ldk, true);
  return {};
}

/// Keys and values of all positions.
template <class T>
struct KeyValueRows {
  const T *k = nullptr, *v = nullptr;
  std::size_t ld = 0;
};

/// The rows just projected or, with a KeyValueCache, its rows with the new ones appended.
template <class T>
KeyValueRows<T> keyValueRows(BlockPass<T>& pass, int layer, const Projected<T>& projected) {
  const T* const rows = projected.rows.data();
  if (pass.past == nullptr) return {rows + projected.k, rows + projected.v, projected.ld};
  const std::size_t width = projected.ld - projected.k, values = projected.v - projected.k;
  std::vector<T>& all = pass.past->blocks[asSize(layer)];
  all.resize(asSize(pass.first) * width);
  for (std::size_t i = 0; i < asSize(pass.positions); ++i) {
    const T* const row = rows + i * projected.ld + projected.k;
    all.insert(all.end(), row, row + width);
  }
  return {all.data(), all.data() + values, width};
}

/// Computes pass.context [n, heads d_v] from the input of the attention.
template <class T>
Result<void> makeContext(BlockPass<T>& pass, const BlockPlan& block, int layer, const Factor<T>& input,
                         BlockActivations<T>& keep) {
  const AttentionLayer& attention = block.attention;
  const std::size_t n = asSize(pass.positions);
  SEPX_ASSIGN(Linear<T> q,
              linearOf<T>(pass.reader, attention.W_Q, attention.b_Q, attention.heads, attention.d_h, pass.d_model));
  SEPX_ASSIGN(Linear<T> k,
              linearOf<T>(pass.reader, attention.W_K, attention.b_K, attention.kvHeads, attention.d_h, pass.d_model));
  Linear<T> v{k.in, 0, {}, {}};  // for a file without values only the patterns are computed
  const int d_v = block.W_V.tensor.empty() ? 0 : block.d_v;
  if (d_v > 0) {
    SEPX_ASSIGN(v, linearOf<T>(pass.reader, block.W_V, block.b_V, attention.kvHeads, d_v, pass.d_model));
  }
  Projected<T> projected{0, q.out, q.out + k.out, q.out + k.out + v.out, pass.projected};
  const Linear<T> all = sideBySide(sideBySide(std::move(q), std::move(k)), std::move(v));
  resizeLarge(pass.pool, projected.rows, n * projected.ld);
  SEPX_TRY(multiply(pass.reader, pass.pool, input, all, projected.rows.data(), projected.ld));
  std::optional<FormParts<T>> parts = partsOf(pass, block, layer, projected, all.bias);
  FormParts<T>* const wanted = parts ? &*parts : nullptr;
  SEPX_TRY(placeHeads(pass, block, projected, wanted));
  const int positions = pass.first + pass.positions;
  SEPX_ASSIGN(std::vector<T> bias, distanceBiases<T>(pass.reader, block.score, attention.heads, positions,
                                                     attention.causal, attention.scale));
  const KeyValueRows<T> seen = keyValueRows(pass, layer, projected);
  const AttentionTask<T> task{positions,
                              pass.first,
                              attention.heads,
                              attention.kvHeads,
                              attention.d_h,
                              d_v,
                              attention.causal,
                              block.score.window,
                              attention.scale,
                              block.score.cap,
                              projected.rows.data() + projected.q,
                              seen.k,
                              seen.v,
                              projected.ld,
                              seen.ld,
                              std::move(bias),
                              wanted};
  resizeLarge(pass.pool, pass.context, n * asSize(attention.heads) * asSize(block.d_v));
  if (d_v == 0) std::ranges::fill(pass.context, T(0));
  if (pass.request.attention) resizeLarge(pass.pool, keep.attention, asSize(attention.heads) * n * asSize(positions));
  return attend(pass.reader, pass.pool, task, pass.request.attention ? keep.attention.data() : nullptr,
                pass.context.data());
}

/// Multiplies each row by the tensor `gain` (DINOv2's layer scale); an empty name changes nothing.
template <class T>
Result<void> multiplyRows(BlockPass<T>& pass, const std::string& gain, std::vector<T>& rows) {
  if (gain.empty()) return {};
  const std::size_t d = asSize(pass.d_model);
  SEPX_ASSIGN(const std::vector<T> factors, pass.reader.template values<T>(gain, 0, d));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] *= factors[i % d];
  return {};
}

/// Finishes a branch before it is added: its norm, the factors of the model and the interventions on it.
template <class T>
Result<void> finishBranch(BlockPass<T>& pass, const BlockPlan& block, int layer, const std::optional<NormSource>& norm,
                          const std::string& gain, Target target, std::vector<T>& branch) {
  const std::size_t n = asSize(pass.positions), d = asSize(pass.d_model);
  SEPX_TRY(applyNorm(pass.reader, pass.pool, norm, n, d, branch.data()));
  SEPX_TRY(multiplyRows(pass, gain, branch));
  if (block.residualScale != 1)
    for (T& one : branch)
      one *= static_cast<T>(block.residualScale);
  intervene(pass.request.interventions, target, layer, -1, pass.positions, d, branch.data(), d);
  return {};
}

/// Computes pass.branch [n, d_model], which the attention adds.
template <class T>
Result<void> attentionBranch(BlockPass<T>& pass, const BlockPlan& block, int layer, const Factor<T>& input,
                             BlockActivations<T>& keep) {
  const std::size_t n = asSize(pass.positions), d = asSize(pass.d_model), d_v = asSize(block.d_v);
  const std::size_t heads = asSize(block.attention.heads);
  SEPX_TRY(makeContext(pass, block, layer, input, keep));
  std::vector<T>& context = pass.context;
  for (std::size_t head = 0; head < heads; ++head)
    intervene(pass.request.interventions, Target::Head, layer, static_cast<int>(head), pass.positions, d_v,
              context.data() + head * d_v, heads * d_v);
  if (pass.request.writes) keep.context = context;
  if (block.W_O.tensor.empty()) {  // for a file without an output projection only the patterns are computed
    pass.branch.assign(n * d, T(0));
  } else {
    pass.branch.resize(n * d);
    SEPX_ASSIGN(const Linear<T> out, linearOf<T>(pass.reader, block.W_O));
    SEPX_TRY(multiply(pass.reader, pass.pool, Factor<T>(pass.pool, n, heads * d_v, context.data()), out,
                      pass.branch.data(), d));
    SEPX_TRY(finishBranch(pass, block, layer, block.attentionOut, block.attentionGain, Target::Attention, pass.branch));
  }
  if (pass.request.writes) keep.attentionWrite = pass.branch;
  return {};
}

template <class T>
void addTo(std::vector<T>& x, const std::vector<T>& branch) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += branch[i];
}

/// x after the norm, if there is one, packed for products.
template <class T>
Result<Factor<T>> inputOf(BlockPass<T>& pass, const std::optional<NormSource>& norm, std::vector<T>& x) {
  const std::size_t n = asSize(pass.positions), d = asSize(pass.d_model);
  if (!norm) return Factor<T>(pass.pool, n, d, x.data());
  pass.normed.resize(n * d);
  SEPX_TRY(applyNorm(pass.reader, pass.pool, *norm, n, d, x.data(), pass.normed.data()));
  return Factor<T>(pass.pool, n, d, pass.normed.data());
}

tl::unexpected<Error> doesNotFit(const std::string& path, int layer, const char* what) {
  return fail(ErrorKind::BadInput,
              fmt::format("{}: the attention of layer {} cannot be computed: {}", path, layer, what));
}

}  // namespace

Result<void> checkBlock(const BlockPlan& block, int layer, int d_model, const std::string& path) {
  const AttentionLayer& attention = block.attention;
  const checkpoint::ScoreRule& score = block.score;
  if (attention.heads < 1 || attention.kvHeads < 1 || attention.heads % attention.kvHeads != 0)
    return doesNotFit(path, layer, "its query heads do not share the key heads evenly");
  if (attention.d_h < 1 || block.d_v < 1) return doesNotFit(path, layer, "its heads have no width");
  if (attention.d_model != d_model || attention.d_key != d_model)
    return doesNotFit(path, layer, "it does not read the stream of its own model");
  const bool patternOnly = block.W_O.tensor.empty();
  if (!patternOnly && block.W_V.tensor.empty()) return doesNotFit(path, layer, "it has no values");
  if (!patternOnly && (block.W_O.in != std::int64_t{attention.heads} * block.d_v || block.W_O.out != d_model))
    return doesNotFit(path, layer, "the output projection does not fit the heads");
  if (!score.slopes.empty() && score.slopes.size() != asSize(attention.heads))
    return doesNotFit(path, layer, "it has another number of slopes than heads");
  if (score.window < 0 || (!score.distanceBias.empty() &&
                           (score.distanceBuckets < 4 || score.distanceFarthest <= score.distanceBuckets / 2)))
    return doesNotFit(path, layer, "its window or its buckets of distances are out of range");
  if (attention.rope) {
    const int turned = attention.rope->dimensions;
    const std::size_t factors = block.ropeScaling.factors.size();
    if (turned < 0 || turned > attention.d_h || turned % 2 != 0 || (factors != 0 && factors != asSize(turned / 2)))
      return doesNotFit(path, layer, "its rotary encoding does not fit the heads");
  }
  return {};
}

template <class T>
Result<void> runBlock(BlockPass<T>& pass, const BlockPlan& block, int layer, std::vector<T>& x,
                      BlockActivations<T>& keep) {
  const std::size_t n = asSize(pass.positions), d = asSize(pass.d_model);
  keep.heads = block.attention.heads;
  SEPX_ASSIGN(Factor<T> input, inputOf(pass, block.attention.norm, x));
  SEPX_TRY(attentionBranch(pass, block, layer, input, keep));
  // In parallel: the feed-forward part reads the stream before the sum through its own norm, or the input of the
  // attention.
  const bool parallel = block.parallel && block.feedForward;
  if (parallel && block.feedForwardNorm) {
    SEPX_ASSIGN(input, inputOf(pass, block.feedForwardNorm, x));
  }
  addTo(x, pass.branch);
  SEPX_TRY(applyNorm(pass.reader, pass.pool, block.attentionAfter, n, d, x.data()));
  if (pass.request.writes) keep.middle = x;
  if (!block.feedForward) return {};
  if (!parallel) {
    SEPX_ASSIGN(input, inputOf(pass, block.feedForwardNorm, x));
  }
  SEPX_TRY(feedForward(pass.reader, pass.pool, *block.feedForward, input, d, pass.feedForward, pass.branch.data()));
  SEPX_TRY(
      finishBranch(pass, block, layer, block.feedForwardOut, block.feedForwardGain, Target::FeedForward, pass.branch));
  addTo(x, pass.branch);
  if (pass.request.writes) keep.feedForwardWrite = pass.branch;
  return applyNorm(pass.reader, pass.pool, block.feedForwardAfter, n, d, x.data());
}

#define SEPX_INSTANTIATE(T) \
  template Result<void> runBlock(BlockPass<T>&, const BlockPlan&, int, std::vector<T>&, BlockActivations<T>&);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
