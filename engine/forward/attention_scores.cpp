// SPDX-License-Identifier: Apache-2.0
// A task is a head and a few queries. It computes their scores against the keys that any of them sees, the softmax, and
// the sum of values.
#include "engine/forward/attention_scores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>

#include "engine/core/gemm.h"
#include "engine/core/simd.h"
#include "engine/core/try.h"
#include "engine/forward/soft_cap.h"

namespace sepx::forward {

namespace {

constexpr std::size_t kQueries = 64;  ///< queries of a task

/// T5: distances up to half the number of buckets have one each, and larger ones share buckets by their logarithm. In
/// float, as in the training of the models.
int bucketOf(int offset, bool causal, int buckets, int farthest) {
  int bucket = 0;
  if (!causal) {
    buckets /= 2;
    if (offset > 0) bucket = buckets;
  }
  const int distance = causal ? std::max(-offset, 0) : std::abs(offset), exact = buckets / 2;
  if (distance < exact || exact < 1) return bucket + std::min(distance, std::max(buckets - 1, 0));
  const float share = std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
                      std::log(static_cast<float>(farthest) / static_cast<float>(exact));
  const int far = exact + static_cast<int>(std::min(share, 1.0F) * static_cast<float>(buckets - exact));
  return bucket + std::min(far, buckets - 1);
}

/// Keys [first, last) that query i sees.
struct KeyRange {
  std::size_t first = 0, last = 0;
};
template <class T>
KeyRange visibleKeys(const AttentionTask<T>& task, std::size_t i) {
  const auto n = static_cast<std::size_t>(task.positions), window = static_cast<std::size_t>(task.window);
  if (task.causal) return {task.window > 0 && i + 1 > window ? i + 1 - window : 0, i + 1};
  if (task.window <= 0) return {0, n};
  return {i > window ? i - window : 0, std::min(n, i + window + 1)};
}

/// Adds in a fixed order that lets the compiler vectorise the loop.
template <class T, class Value>
T sumOver(std::size_t count, const Value& value) {
  std::array<T, 16> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += value(i + j);
  for (std::size_t j = 0; i < count; ++i, ++j)
    sums[j] += value(i);
  T sum = 0;
  for (const T one : sums)
    sum += one;
  return sum;
}

void exponentials(std::span<float> x) {
  simdMap(SimdFloatFunction::Exp, x, x);
}
void exponentials(std::span<double> x) {
  simdMap(SimdFunction::Exp, x, x);
}

/// A row with NaN becomes NaN as a whole.
template <class T>
void softmax(std::span<T> row) {
  T most = -std::numeric_limits<T>::infinity();
  for (const T x : row)
    most = x > most ? x : most;
  for (T& x : row)
    x -= most;
  exponentials(row);
  const T over = T(1) / sumOver<T>(row.size(), [&](std::size_t i) { return row[i]; });
  for (T& x : row)
    x *= over;
}

/// Queries [first, last) of head `head` against the keys [begin, end).
template <class T>
struct Tile {
  const AttentionTask<T>& task;
  std::size_t head = 0, first = 0, last = 0, begin = 0, end = 0;

  std::size_t rows() const { return last - first; }
  std::size_t row() const { return first - static_cast<std::size_t>(task.first); }  ///< row of the first query
  std::size_t keys() const { return end - begin; }
  std::size_t keyHead() const {
    return head / (static_cast<std::size_t>(task.heads) / static_cast<std::size_t>(task.kvHeads));
  }
};

/// Adds (f_sym - 1) symmetric + (f_skew - 1) skew, not yet scaled, to the scores of a tile, in rows of `ld`.
template <class T>
void addParts(const Tile<T>& tile, T* scores, std::size_t ld) {
  const AttentionTask<T>& task = tile.task;
  const FormParts<T>& parts = *task.parts;
  const std::size_t n = static_cast<std::size_t>(task.positions), heads = static_cast<std::size_t>(task.heads);
  const std::size_t kvHeads = static_cast<std::size_t>(task.kvHeads), width = static_cast<std::size_t>(task.d_h);
  const std::size_t ldq = heads * width, ldk = kvHeads * width, rows = tile.rows(), keys = tile.keys();
  const std::size_t q = tile.head * width, k = tile.keyHead() * width;
  std::vector<T> own(rows * keys), turned(rows * keys);
  gemmABt(rows, keys, width, parts.q.data() + tile.first * ldq + q, ldq, parts.k.data() + tile.begin * ldk + k, ldk,
          own.data(), keys);
  gemmABt(rows, keys, width, parts.kBack.data() + tile.first * ldk + k, ldk, parts.qBack.data() + tile.begin * ldq + q,
          ldq, turned.data(), keys);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t i = tile.first + r;
    const double symmetric = parts.symmetric[tile.head * n + i] - 1, skew = parts.skew[tile.head * n + i] - 1;
    const T ofOwn = static_cast<T>((symmetric + skew) / 2), ofTurned = static_cast<T>((symmetric - skew) / 2);
    const T qScale = parts.qScale.empty() ? T(1) : parts.qScale[i * heads + tile.head];
    for (std::size_t j = 0; j < keys; ++j) {
      const T kScale = parts.kScale.empty() ? T(1) : parts.kScale[(tile.begin + j) * kvHeads + tile.keyHead()];
      const T part = ofOwn * own[r * keys + j] + ofTurned * turned[r * keys + j];
      scores[r * ld + j] += part * (qScale * kScale);
    }
  }
}

/// Turns products into probabilities, row by row.
template <class T>
void weigh(const Tile<T>& tile, T* scores, std::size_t ld) {
  const AttentionTask<T>& task = tile.task;
  const auto n = static_cast<std::size_t>(task.positions);
  const T scale = static_cast<T>(task.scale), cap = static_cast<T>(task.cap);
  for (std::size_t r = 0; r < tile.rows(); ++r) {
    T* const row = scores + r * ld;
    const std::size_t i = tile.first + r;
    const KeyRange seen = visibleKeys(task, i);
    std::fill(row, row + (seen.first - tile.begin), T(0));
    std::fill(row + (seen.last - tile.begin), row + tile.keys(), T(0));
    const std::span<T> own(row + (seen.first - tile.begin), seen.last - seen.first);
    for (T& x : own)
      x *= scale;
    if (!task.bias.empty()) {
      const T* const bias = task.bias.data() + tile.head * (2 * n - 1) + (n - 1) + seen.first - i;
      for (std::size_t j = 0; j < own.size(); ++j)
        own[j] += bias[j];
    }
    softCap(own, cap);
    softmax(own);
  }
}

/// Sums the values of the keys that a query sees, one after the other. A matrix product also adds the values of unseen
/// keys with weight 0, which gives NaN for values that are not finite.
template <class T>
void sumSeenValues(const Tile<T>& tile, std::size_t row, const T* weights, T* out) {
  const AttentionTask<T>& task = tile.task;
  const auto values = static_cast<std::size_t>(task.d_v);
  const KeyRange seen = visibleKeys(task, tile.first + row);
  std::fill_n(out, values, T(0));
  for (std::size_t j = seen.first; j < seen.last; ++j)
    for (std::size_t a = 0; a < values; ++a)
      out[a] += weights[j - tile.begin] * task.v[j * task.ldk + tile.keyHead() * values + a];
}

template <class T>
void attendTile(const Tile<T>& tile, T* probabilities, T* context) {
  const AttentionTask<T>& task = tile.task;
  const auto n = static_cast<std::size_t>(task.positions), width = static_cast<std::size_t>(task.d_h);
  const auto values = static_cast<std::size_t>(task.d_v), ldo = static_cast<std::size_t>(task.heads) * values;
  const std::size_t rows = tile.rows(), keys = tile.keys(), queries = n - static_cast<std::size_t>(task.first);
  // If the probabilities are kept, they are computed in place from the scores.
  std::unique_ptr<T[]> own;
  if (probabilities == nullptr) own = std::make_unique_for_overwrite<T[]>(rows * keys);
  T* const scores = own ? own.get() : probabilities + (tile.head * queries + tile.row()) * n + tile.begin;
  const std::size_t ld = own ? keys : n;
  gemmABt(rows, keys, width, task.q + tile.row() * task.ldq + tile.head * width, task.ldq,
          task.k + tile.begin * task.ldk + tile.keyHead() * width, task.ldk, scores, ld);
  if (task.parts != nullptr) addParts(tile, scores, ld);
  weigh(tile, scores, ld);
  if (values == 0) return;
  GemmPanels<T> left(GemmSide::Left, rows, keys), right(GemmSide::Right, values, keys);
  left.template fill<T>([&](std::size_t i) { return scores + i * ld; });
  right.fillTransposed(task.v + tile.begin * task.ldk + tile.keyHead() * values, task.ldk);
  T* const out = context + tile.row() * ldo + tile.head * values;
  gemm(left, 0, rows, right, 0, values, out, ldo);
  for (std::size_t r = 0; r < rows; ++r)
    if (std::any_of(out + r * ldo, out + r * ldo + values, [](T x) { return !std::isfinite(x); }))
      sumSeenValues(tile, r, scores + r * ld, out + r * ldo);
}

}  // namespace

template <class T>
Result<std::vector<T>> distanceBiases(TensorReader& reader, const checkpoint::ScoreRule& rule, int heads, int positions,
                                      bool causal, double scale) {
  std::vector<T> bias;
  if (rule.slopes.empty() && rule.distanceBias.empty()) return bias;
  const auto all = static_cast<std::size_t>(heads);
  std::vector<double> table;
  if (!rule.distanceBias.empty()) {
    SEPX_ASSIGN(table, reader.values<double>(rule.distanceBias, 0,
                                             static_cast<std::size_t>(std::max(rule.distanceBuckets, 0)) * all));
  }
  bias.reserve(all * static_cast<std::size_t>(2 * positions - 1));
  for (std::size_t head = 0; head < all; ++head) {
    const double slope = rule.slopes.empty() ? 0 : rule.slopes[head] * (rule.slopesScaled ? scale : 1);
    for (int offset = 1 - positions; offset < positions; ++offset) {
      double value = slope * (rule.slopesSigned ? offset : -std::abs(offset));
      if (!table.empty()) {
        const int bucket = bucketOf(offset, causal, rule.distanceBuckets, rule.distanceFarthest);
        value += table[static_cast<std::size_t>(bucket) * all + head];
      }
      bias.push_back(static_cast<T>(value));
    }
  }
  return bias;
}

template <class T>
Result<void> attend(TensorReader& reader, ThreadPool& pool, const AttentionTask<T>& task, T* probabilities,
                    T* context) {
  const auto n = static_cast<std::size_t>(task.positions), heads = static_cast<std::size_t>(task.heads);
  const auto before = static_cast<std::size_t>(task.first);
  const std::size_t tiles = (n - before + kQueries - 1) / kQueries;
  const double work = static_cast<double>(kQueries) * static_cast<double>(n) * (task.d_h + task.d_v);
  return reader.forEach(pool, heads * tiles, work, [&](std::size_t item) -> Result<void> {
    const std::size_t first = before + item % tiles * kQueries, last = std::min(n, first + kQueries);
    const Tile<T> tile{
        task, item / tiles, first, last, visibleKeys(task, first).first, visibleKeys(task, last - 1).last};
    attendTile(tile, probabilities, context);
    return {};
  });
}

#define SEPX_INSTANTIATE(T)                                                                                      \
  template Result<std::vector<T>> distanceBiases<T>(TensorReader&, const checkpoint::ScoreRule&, int, int, bool, \
                                                    double);                                                     \
  template Result<void> attend(TensorReader&, ThreadPool&, const AttentionTask<T>&, T*, T*);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
