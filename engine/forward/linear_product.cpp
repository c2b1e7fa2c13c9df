// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/linear_product.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/core/try.h"

namespace sepx::forward {

namespace {

using checkpoint::LinearSource;
using checkpoint::ProjectionSource;
using checkpoint::TensorInfo;

/// Approximate number of weights of a slice: packed, they stay in the L2 cache of a thread.
constexpr std::size_t kSliceValues = 1 << 17;
/// Approximate number of slices of a run of outputs in a product of one row.
constexpr std::size_t kSinglePieces = 8;
/// For weights that need no decoding: approximate number of slices per run and thread, and most multiplications of a
/// slice.
constexpr std::size_t kPiecesOfThread = 3;
constexpr std::size_t kSliceWork = 1 << 30;
/// The outputs of a slice are a multiple of this, so that a slice is whole panels on every machine.
constexpr std::size_t kSliceUnit = 32;

tl::unexpected<Error> wrongShape(const TensorReader& reader, const TensorInfo& tensor, std::int64_t out,
                                 std::int64_t in) {
  return fail(ErrorKind::BadInput,
              fmt::format("{}: tensor {} has the shape [{}], it should hold {} outputs of {} inputs", reader.path(),
                          inQuotes(tensor.name), fmt::join(tensor.shape, ", "), out, in));
}

/// Outputs [first, first + count) of a tensor seen as [all, in], or transposed as [in, all].
Result<OutputRun> runOf(const TensorReader& reader, const TensorInfo& tensor, bool transposed, std::int64_t first,
                        std::int64_t count, std::int64_t in) {
  const auto values = static_cast<std::int64_t>(tensor.values());
  if (first < 0 || count < 1 || in < 1 || values % in != 0 || first > values / in || count > values / in - first)
    return wrongShape(reader, tensor, first + count, in);
  const std::int64_t all = values / in;
  return OutputRun{&tensor, transposed, static_cast<std::uint64_t>(transposed ? first : first * in),
                   static_cast<std::size_t>(transposed ? all : in), static_cast<std::size_t>(count)};
}

/// Appends a run, or extends the last run if `run` continues it.
void addRun(std::vector<OutputRun>& runs, const OutputRun& run) {
  if (!runs.empty()) {
    OutputRun& last = runs.back();
    const std::uint64_t next = last.base + last.count * (last.transposed ? 1 : last.ld);
    if (last.tensor == run.tensor && last.transposed == run.transposed && last.ld == run.ld && next == run.base) {
      last.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

/// A part of a run, and the column of y where its outputs begin.
struct Slice {
  const OutputRun* run = nullptr;
  std::size_t first = 0, count = 0, column = 0;
};

/// The slices of a product of `rows` rows on `threads` threads. Weights that must be decoded get slices that stay in
/// the cache. Weights that are read in place, and those of a product of a single row, get long slices. The division
/// into slices does not change a bit of y.
template <class T>
std::vector<Slice> slicesOf(const TensorReader& reader, const Linear<T>& linear, std::size_t rows, int threads) {
  const auto units = [](std::size_t outputs) { return std::max<std::size_t>(outputs / kSliceUnit, 1) * kSliceUnit; };
  const std::size_t pieces = rows == 1 ? kSinglePieces : kPiecesOfThread * static_cast<std::size_t>(threads);
  const std::size_t longest = units(kSliceWork / std::max<std::size_t>(rows, 1) / linear.in);
  std::vector<Slice> slices;
  std::size_t column = 0;
  for (const OutputRun& run : linear.runs) {
    std::size_t most = units(kSliceValues / linear.in);
    if (rows == 1 || reader.inPlace<T>(*run.tensor) != nullptr)
      most = std::max(most, std::min(longest, units(run.count / pieces) + kSliceUnit));
    for (std::size_t first = 0; first < run.count; first += most)
      slices.push_back({&run, first, std::min(most, run.count - first), column + first});
    column += run.count;
  }
  return slices;
}

/// Weights of a slice: [count, in], transposed [in, count], with rows `ld` values apart.
template <class T>
struct SliceWeights {
  const T* at = nullptr;
  std::size_t ld = 0;
  std::unique_ptr<T[]> decoded;  ///< owns the weights if they cannot be read in place
};

template <class T>
Result<SliceWeights<T>> sliceWeights(const TensorReader& reader, const Slice& slice, std::size_t in) {
  const OutputRun& run = *slice.run;
  const std::uint64_t base = run.base + slice.first * (run.transposed ? 1 : run.ld);
  SliceWeights<T> weights;
  if (const T* const there = reader.inPlace<T>(*run.tensor)) {
    weights.at = there + base;
    weights.ld = run.ld;
    return weights;
  }
  weights.decoded = std::make_unique_for_overwrite<T[]>(slice.count * in);
  T* const out = weights.decoded.get();
  weights.at = out;
  weights.ld = run.transposed ? slice.count : in;
  SEPX_TRY(reader.readRows(*run.tensor, base, run.ld, run.transposed ? in : slice.count, weights.ld, out));
  return weights;
}

/// Adds in a fixed order that lets the compiler vectorise the loop.
template <class T>
T dotProduct(std::size_t count, const T* a, const T* b) {
  std::array<T, 32> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size())
    for (std::size_t j = 0; j < sums.size(); ++j)
      sums[j] += a[i + j] * b[i + j];
  for (std::size_t j = 0; i < count; ++i, ++j)
    sums[j] += a[i] * b[i];
  for (std::size_t half = sums.size() / 2; half > 0; half /= 2)
    for (std::size_t j = 0; j < half; ++j)
      sums[j] += sums[j + half];
  return sums[0];
}

/// Computes the outputs of a slice for one row. Each is a sum over k in a fixed order.
template <class T>
void multiplyRow(const T* x, std::size_t in, const SliceWeights<T>& weights, const Slice& slice, const T* bias, T* y) {
  if (!slice.run->transposed) {
    for (std::size_t o = 0; o < slice.count; ++o)
      y[o] = (bias == nullptr ? T(0) : bias[o]) + dotProduct(in, x, weights.at + o * weights.ld);
    return;
  }
  if (bias == nullptr)
    std::fill_n(y, slice.count, T(0));
  else
    std::copy_n(bias, slice.count, y);
  for (std::size_t k = 0; k < in; ++k) {
    const T* const row = weights.at + k * weights.ld;
    const T factor = x[k];
    for (std::size_t o = 0; o < slice.count; ++o)
      y[o] += factor * row[o];
  }
}

template <class T>
Result<void> multiplySlice(const TensorReader& reader, const Factor<T>& x, const Linear<T>& linear, const Slice& slice,
                           T* y, std::size_t ldy) {
  SEPX_ASSIGN(const SliceWeights<T> weights, sliceWeights<T>(reader, slice, linear.in));
  const T* const bias = linear.bias.empty() ? nullptr : linear.bias.data() + slice.column;
  if (x.row() != nullptr) {
    multiplyRow(x.row(), linear.in, weights, slice, bias, y + slice.column);
    return {};
  }
  gemm(x.panels(), {weights.at, weights.ld, slice.count, slice.run->transposed}, bias, y + slice.column, ldy);
  return {};
}

}  // namespace

template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const LinearSource& source) {
  SEPX_ASSIGN(const TensorInfo* tensor, reader.find(source.tensor));
  SEPX_ASSIGN(const OutputRun run, runOf(reader, *tensor, source.transposed, source.first, source.out, source.in));
  Linear<T> linear{static_cast<std::size_t>(source.in), run.count, {run}, {}};
  if (source.bias.empty()) return linear;
  SEPX_ASSIGN(linear.bias, reader.values<T>(source.bias, static_cast<std::uint64_t>(source.biasFirst), run.count));
  return linear;
}

template <class T>
Result<Linear<T>> linearOf(TensorReader& reader, const ProjectionSource& source,
                           const std::optional<ProjectionSource>& bias, int heads, int width, int in) {
  SEPX_ASSIGN(const TensorInfo* tensor, reader.find(source.tensor));
  Linear<T> linear;
  linear.in = static_cast<std::size_t>(in);
  linear.out = static_cast<std::size_t>(heads) * static_cast<std::size_t>(width);
  const std::int64_t ofHead = std::int64_t{in} * width;
  for (int head = 0; head < heads; ++head) {
    if (source.perHead) {
      if (ofHead < 1 || tensor->values() < static_cast<std::uint64_t>(ofHead * (head + 1)))
        return wrongShape(reader, *tensor, std::int64_t{heads} * width, in);
      addRun(linear.runs, {tensor, true, static_cast<std::uint64_t>(ofHead * head), static_cast<std::size_t>(width),
                           static_cast<std::size_t>(width)});
      continue;
    }
    SEPX_ASSIGN(const OutputRun run, runOf(reader, *tensor, source.transposed, source.firstOf(head), width, in));
    addRun(linear.runs, run);
  }
  if (!bias) return linear;
  SEPX_ASSIGN(const TensorInfo* values, reader.find(bias->tensor));
  linear.bias.resize(linear.out);
  for (int head = 0; head < heads; ++head) {
    const std::int64_t first = bias->perHead ? std::int64_t{head} * width : bias->firstOf(head);
    SEPX_TRY(reader.read(*values, static_cast<std::uint64_t>(first), static_cast<std::size_t>(width),
                         linear.bias.data() + static_cast<std::size_t>(head) * static_cast<std::size_t>(width)));
  }
  return linear;
}

template <class T>
Linear<T> sideBySide(Linear<T> first, Linear<T> second) {
  assert(first.in == second.in);
  if (!first.bias.empty() || !second.bias.empty()) {
    first.bias.resize(first.out);
    second.bias.resize(second.out);
    first.bias.insert(first.bias.end(), second.bias.begin(), second.bias.end());
  }
  first.out += second.out;
  for (const OutputRun& run : second.runs)
    addRun(first.runs, run);
  return first;
}

template <class T>
Factor<T>::Factor(ThreadPool& pool, std::size_t m, std::size_t in, const T* x) {
  if (m == 1) {
    row_.assign(x, x + in);
    return;
  }
  panels_ = GemmPanels<T>(GemmSide::Left, m, in);
  panels_.template fill<T>([=](std::size_t i) { return x + i * in; }, &pool);
}

template <class T>
Result<void> multiply(TensorReader& reader, ThreadPool& pool, const Factor<T>& x, const Linear<T>& linear, T* y,
                      std::size_t ldy) {
  assert(x.depth() == linear.in);
  const std::vector<Slice> slices = slicesOf(reader, linear, x.rows(), pool.size());
  const double all = static_cast<double>(x.rows()) * static_cast<double>(linear.in) * static_cast<double>(linear.out);
  return reader.forEach(pool, slices.size(), all / static_cast<double>(std::max<std::size_t>(slices.size(), 1)),
                        [&](std::size_t i) { return multiplySlice(reader, x, linear, slices[i], y, ldy); });
}

#define SEPX_INSTANTIATE(T)                                                                      \
  template Result<Linear<T>> linearOf<T>(TensorReader&, const LinearSource&);                    \
  template Result<Linear<T>> linearOf<T>(TensorReader&, const ProjectionSource&,                 \
                                         const std::optional<ProjectionSource>&, int, int, int); \
  template Linear<T> sideBySide(Linear<T>, Linear<T>);                                           \
  template class Factor<T>;                                                                      \
  template Result<void> multiply(TensorReader&, ThreadPool&, const Factor<T>&, const Linear<T>&, T*, std::size_t);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
