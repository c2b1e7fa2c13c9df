// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/reusable_pass.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

namespace {

/// At least two rows are computed, because a product of one row adds in another order than one of several.
constexpr int kFewestRows = 2;
/// Keys that a sum of values adds in one block. With a window, the blocks of a longer text depend on where its queries
/// begin.
constexpr int kKeysOfBlock = 256;

bool takesUp(const checkpoint::ModelPlan& plan) {
  return !plan.image && std::ranges::all_of(plan.blocks, [](const auto& block) { return block.attention.causal; });
}

/// The first `rows` rows of `before` followed by all rows of `after`, of `width` values each; empty if `after` is
/// empty.
template <class T>
std::vector<T> joined(const std::vector<T>& before, std::size_t rows, std::size_t width, std::vector<T> after) {
  if (after.empty()) return after;
  const auto first = before.begin();
  after.insert(after.begin(), first, first + static_cast<std::ptrdiff_t>(rows * width));
  return after;
}

/// Patterns [heads, n, n]: the first `rows` queries are from `before` [heads, m, m], the others from `after`
/// [heads, n - rows, n].
template <class T>
std::vector<T> joinedPatterns(const BlockActivations<T>& before, std::size_t m, std::size_t rows, std::size_t n,
                              const std::vector<T>& after) {
  const std::size_t heads = asSize(before.heads), others = n - rows;
  std::vector<T> all(heads * n * n);
  for (std::size_t head = 0; head < heads; ++head) {
    T* const own = all.data() + head * n * n;
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(before.attention.data() + (head * m + i) * m, rows, own + i * n);
    std::copy_n(after.data() + head * others * n, others * n, own + rows * n);
  }
  return all;
}

template <class T>
std::size_t nonfiniteOf(const Activations<T>& run) {
  const auto of = [](const std::vector<T>& values) {
    return static_cast<std::size_t>(std::ranges::count_if(values, [](T x) { return !std::isfinite(x); }));
  };
  std::size_t all = of(run.embedding) + of(run.logits);
  for (const BlockActivations<T>& block : run.blocks)
    all += of(block.hidden);
  return all;
}

/// Inserts the first positions of `before` in front of the positions that `run` has computed.
template <class T>
void putBehind(const Activations<T>& before, Activations<T>& run) {
  const std::size_t rows = asSize(run.first), d = asSize(run.d_model), m = asSize(before.positions);
  const std::size_t n = rows + asSize(run.positions);
  run.embedding = joined(before.embedding, rows, d, std::move(run.embedding));
  for (std::size_t layer = 0; layer < run.blocks.size(); ++layer) {
    BlockActivations<T>& own = run.blocks[layer];
    const BlockActivations<T>& of = before.blocks[layer];
    own.attention = joinedPatterns(of, m, rows, n, own.attention);
    own.context = joined(of.context, rows, of.context.size() / m, std::move(own.context));
    for (auto part : {&BlockActivations<T>::hidden, &BlockActivations<T>::middle, &BlockActivations<T>::attentionWrite,
                      &BlockActivations<T>::feedForwardWrite})
      own.*part = joined(of.*part, rows, d, std::move(own.*part));
  }
  run.logits = joined(before.logits, rows, static_cast<std::size_t>(run.vocabulary), std::move(run.logits));
  if (!run.logits.empty())
    run.logitsAt.insert(run.logitsAt.begin(), before.logitsAt.begin(),
                        before.logitsAt.begin() + static_cast<std::ptrdiff_t>(rows));
  run.positions = static_cast<int>(n);
  run.first = 0;
  run.nonfinite = nonfiniteOf(run);
}

/// Keys and values of the first `positions`.
template <class T>
KeyValueCache<T> beginningOf(const KeyValueCache<T>& past, int positions) {
  KeyValueCache<T> made;
  made.positions = positions;
  for (const std::vector<T>& block : past.blocks) {
    const std::size_t width = block.size() / asSize(past.positions);
    made.blocks.emplace_back(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(asSize(positions) * width));
  }
  return made;
}

}  // namespace

template <class T>
int reusable(const ForwardModel& model, const Input& input, const ReusablePass<T>& before) {
  const int n = static_cast<int>(input.ids.size());
  if (!takesUp(model.plan()) || before.past.positions < 1 || before.past.blocks.size() != model.plan().blocks.size())
    return 0;
  const bool windows =
      std::ranges::any_of(model.plan().blocks, [](const auto& block) { return block.score.window > 0; });
  if (windows && n > kKeysOfBlock) return 0;
  const auto [other, own] = std::ranges::mismatch(before.input.ids, input.ids);
  return std::max(0, std::min(static_cast<int>(own - input.ids.begin()), n - kFewestRows));
}

template <class T>
Result<ReusablePass<T>> runReusing(const ForwardModel& model, const Input& input, const ReusablePass<T>* before,
                                   ThreadPool& pool, const checkpoint::Cancelled& cancelled, const Progress& progress) {
  ReusablePass<T> made;
  Request request;
  request.writes = true;
  request.logits = model.plan().head.has_value();
  try {
    if (!takesUp(model.plan())) {
      SEPX_ASSIGN(made.run, model.run<T>(input, request, pool, cancelled, progress));
      made.input = input;
      return made;
    }
    made.reused = before == nullptr ? 0 : reusable(model, input, *before);
    if (made.reused > 0) made.past = beginningOf(before->past, made.reused);
    SEPX_ASSIGN(made.run, model.goOn<T>(input, request, made.past, pool, cancelled, progress));
    if (made.reused > 0) putBehind(before->run, made.run);
    made.input = input;
    return made;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::BadInput, model.checkpoint().path() + ": " + outOfMemory());
  }
}

#define SEPX_INSTANTIATE(T)                                                                                           \
  template int reusable(const ForwardModel&, const Input&, const ReusablePass<T>&);                                   \
  template Result<ReusablePass<T>> runReusing(const ForwardModel&, const Input&, const ReusablePass<T>*, ThreadPool&, \
                                              const checkpoint::Cancelled&, const Progress&);
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
