// SPDX-License-Identifier: Apache-2.0
// Processes a batch in shards (memory.h), each in one pass (pass.h). Either the pool's threads share the operations of
// a shard, or each thread takes a lane of shards with its own gradient, and the lanes' gradients are then added in
// order. The choice depends on shapes alone, so that the result is bitwise independent of the number of threads.
#include "engine/nn/transformer.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/nn/arena.h"
#include "engine/nn/memory.h"
#include "engine/nn/pass.h"
#include "engine/nn/weights.h"

namespace sepx::nn {

namespace {

/// What one thread needs to process shards.
template <class T>
struct Workspace {
  Arena<T> arena;
  Batch batch;  ///< the current shard
};

/// Sequences and targets of a shard.
struct Cut {
  std::size_t index = 0;  ///< selects the random numbers of its dropout
  int sequence = 0, sequences = 0;
  std::size_t target = 0, targets = 0;
};

/// Element `index` of `count` + 1 evenly spaced bounds from 0 to `n`.
int evenBound(int n, int index, int count) {
  return static_cast<int>(std::int64_t{n} * index / count);
}

/// Shards of the sequences [first, last).
std::vector<Cut> cutBatch(const Batch& batch, const Shards& shards, int first, int last) {
  std::vector<Cut> cuts;
  const auto before = [&batch](int sequence) {
    const std::int64_t row = std::int64_t{sequence} * batch.length;
    return std::ranges::partition_point(batch.targets, [row](const Target& target) { return target.row < row; });
  };
  auto next = before(first);
  for (int sequence = first; sequence < last; sequence += shards.sequences) {
    Cut cut;
    cut.index = static_cast<std::size_t>(sequence / shards.sequences);
    cut.sequence = sequence;
    cut.sequences = std::min(shards.sequences, last - sequence);
    const std::int64_t end = (std::int64_t{cut.sequence} + cut.sequences) * batch.length;
    const auto after =
        std::partition_point(next, batch.targets.end(), [end](const Target& target) { return target.row < end; });
    cut.target = static_cast<std::size_t>(next - batch.targets.begin());
    cut.targets = static_cast<std::size_t>(after - next);
    next = after;
    cuts.push_back(cut);
  }
  return cuts;
}

void copyCut(const Batch& batch, const Cut& cut, Batch& out) {
  const std::int64_t row = std::int64_t{cut.sequence} * batch.length;
  out.sequences = cut.sequences;
  out.length = batch.length;
  out.tokens.assign(batch.tokens.begin() + row,
                    batch.tokens.begin() + row + std::int64_t{cut.sequences} * batch.length);
  const auto target = batch.targets.begin() + static_cast<std::ptrdiff_t>(cut.target);
  out.targets.assign(target, target + static_cast<std::ptrdiff_t>(cut.targets));
  for (Target& t : out.targets)
    t.row -= static_cast<std::int32_t>(row);
  const std::size_t pixels = batch.pixels.size() / static_cast<std::size_t>(batch.sequences);
  const auto pixel = batch.pixels.begin() + static_cast<std::ptrdiff_t>(pixels) * cut.sequence;
  out.pixels.assign(pixel, pixel + static_cast<std::ptrdiff_t>(pixels) * cut.sequences);
  out.smoothing = batch.smoothing;
  out.lengths.clear();
  if (!batch.lengths.empty())
    out.lengths.assign(batch.lengths.begin() + cut.sequence, batch.lengths.begin() + cut.sequence + cut.sequences);
  out.readable.clear();
  if (!batch.readable.empty())
    out.readable.assign(batch.readable.begin() + row,
                        batch.readable.begin() + row + std::int64_t{cut.sequences} * batch.length);
}

}  // namespace

template <class T>
struct Transformer<T>::Impl {
  /// What a caller requests for a batch.
  struct PassRequest {
    bool gradients = false;
    DropoutKey key;
    double scale = 1;
    std::span<double> losses;
    BatchPart part;
  };

  Impl(const ModelConfig& c, ThreadPool& p)
      : config(c), pool(p), layout(c), constants(c), theta(layout.size()), gradient(layout.size()) {}

  double run(const Batch& batch, const PassRequest& request);
  double runShard(const Batch& batch, const Cut& cut, const ActivationPlan& plan, const PassRequest& request,
                  ThreadPool& threads, Workspace<T>& workspace, T* gradients);
  double runLanes(const Batch& batch, const std::vector<Cut>& cuts, int lanes, const PassRequest& request);
  void logits(const Batch& batch, std::span<const std::int32_t> rows, std::span<T> out);
  /// The plan for the shards of this batch; rebuilt when the shape changes or there are more targets.
  const ActivationPlan& planFor(const Batch& batch, const Shards& shards, const std::vector<Cut>& cuts);
  void holdProbe(const Batch& batch);
  ProbeRows<T> probeOf(const Batch& batch, const Cut& cut);
  /// Holds workspaces for `count` threads, even if fewer run, so that memory does not depend on the machine's load.
  void holdWorkspaces(std::size_t count);
  std::unique_ptr<Workspace<T>> take();
  void putBack(std::unique_ptr<Workspace<T>> workspace);

  ModelConfig config;
  ThreadPool& pool;
  ThreadPool alone{1};  ///< for work on a single thread
  ParameterLayout layout;
  Constants<T> constants;
  std::vector<T> theta, gradient, laneGradients;
  ActivationPlan plan;
  int planSequences = 0, planLength = 0;
  std::size_t planTargets = 0;  ///< largest number in a shard so far
  std::mutex mutex;             ///< guards `workspaces`
  std::vector<std::unique_ptr<Workspace<T>>> workspaces;
  AttentionProbe<T> probe;
  std::vector<T> probed;
  std::function<void()> yield;
  std::function<bool()> cancelled;
};

template <class T>
void Transformer<T>::Impl::holdWorkspaces(std::size_t count) {
  while (workspaces.size() < count)
    workspaces.push_back(std::make_unique<Workspace<T>>());
  for (auto& workspace : workspaces)
    workspace->arena.hold(plan.size);
}

template <class T>
std::unique_ptr<Workspace<T>> Transformer<T>::Impl::take() {
  const std::lock_guard lock(mutex);
  if (workspaces.empty()) return std::make_unique<Workspace<T>>();
  auto workspace = std::move(workspaces.back());
  workspaces.pop_back();
  return workspace;
}

template <class T>
void Transformer<T>::Impl::putBack(std::unique_ptr<Workspace<T>> workspace) {
  const std::lock_guard lock(mutex);
  workspaces.push_back(std::move(workspace));
}

template <class T>
const ActivationPlan& Transformer<T>::Impl::planFor(const Batch& batch, const Shards& shards,
                                                    const std::vector<Cut>& cuts) {
  std::size_t targets = 0;
  for (const Cut& cut : cuts)
    targets = std::max(targets, cut.targets);
  planTargets = std::max(planTargets, targets);
  if (planSequences != shards.sequences || planLength != batch.length || plan.headRows < targets) {
    plan = ActivationPlan(config, shards.sequences, batch.length, targets);
    planSequences = shards.sequences;
    planLength = batch.length;
  }
  return plan;
}

template <class T>
void Transformer<T>::Impl::holdProbe(const Batch& batch) {
  const std::size_t tokens = static_cast<std::size_t>(batch.sequences) * static_cast<std::size_t>(batch.length);
  const std::size_t d = static_cast<std::size_t>(config.d_model), d_q = static_cast<std::size_t>(config.d_q()),
                    d_qkv = static_cast<std::size_t>(config.d_qkv());
  probed.resize(tokens * (d + d_qkv + d_q));
  const std::span<const T> all(probed);
  probe.x = all.subspan(0, tokens * d);
  probe.qkv = all.subspan(tokens * d, tokens * d_qkv);
  probe.contextGradient = all.subspan(tokens * (d + d_qkv), tokens * d_q);
}

template <class T>
ProbeRows<T> Transformer<T>::Impl::probeOf(const Batch& batch, const Cut& cut) {
  if (probe.layer < 0) return {};
  const std::size_t tokens = static_cast<std::size_t>(batch.sequences) * static_cast<std::size_t>(batch.length);
  const std::size_t row = static_cast<std::size_t>(cut.sequence) * static_cast<std::size_t>(batch.length);
  const std::size_t d = static_cast<std::size_t>(config.d_model), d_q = static_cast<std::size_t>(config.d_q()),
                    d_qkv = static_cast<std::size_t>(config.d_qkv());
  T* const start = probed.data();
  return {probe.layer, start + row * d, start + tokens * d + row * d_qkv, start + tokens * (d + d_qkv) + row * d_q};
}

template <class T>
double Transformer<T>::Impl::runShard(const Batch& batch, const Cut& cut, const ActivationPlan& at,
                                      const PassRequest& request, ThreadPool& threads, Workspace<T>& workspace,
                                      T* gradients) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // gives each shard its own dropout seed
  if (cut.targets == 0 && !(request.gradients && probe.layer >= 0)) return 0;
  if (cancelled && cancelled()) return 0;
  workspace.arena.hold(at.size);
  copyCut(batch, cut, workspace.batch);
  const Weights<T> weights(config, layout, theta.data(), request.gradients ? gradients : nullptr);
  Pass<T> pass({config, constants, threads, weights, at, workspace.arena.data(), workspace.batch, batch.allowed,
                request.gradients, &threads == &alone, request.key.seed ^ (kGolden * cut.index), request.key.step,
                request.gradients ? probeOf(batch, cut) : ProbeRows<T>{}, yield});
  pass.forward();
  const std::span<double> losses =
      request.losses.empty() ? request.losses : request.losses.subspan(cut.target, cut.targets);
  const double loss = pass.loss(losses, request.scale, request.gradients);
  if (request.gradients) pass.backward();
  return loss;
}

template <class T>
double Transformer<T>::Impl::runLanes(const Batch& batch, const std::vector<Cut>& cuts, int lanes,
                                      const PassRequest& request) {
  const std::size_t size = layout.size(), count = static_cast<std::size_t>(lanes);
  if (request.gradients && laneGradients.size() < size * count) laneGradients.resize(size * count);
  holdWorkspaces(std::min(count, static_cast<std::size_t>(pool.size())));
  std::vector<double> losses(cuts.size());
  pool.parallelFor(0, count, 1, [&](std::size_t first, std::size_t last) {
    auto workspace = take();
    for (std::size_t lane = first; lane < last; ++lane) {
      T* const mine = request.gradients ? laneGradients.data() + lane * size : nullptr;
      if (mine != nullptr) std::fill_n(mine, size, T(0));
      for (std::size_t s = lane; s < cuts.size(); s += count)
        losses[s] = runShard(batch, cuts[s], plan, request, alone, *workspace, mine);
    }
    putBack(std::move(workspace));
  });
  if (request.gradients)
    pool.parallelFor(0, size, 4096, [&](std::size_t first, std::size_t last) {
      for (std::size_t lane = 0; lane < count; ++lane) {
        const T* const from = laneGradients.data() + lane * size;
        for (std::size_t i = first; i < last; ++i)
          gradient[i] += from[i];
      }
    });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

template <class T>
double Transformer<T>::Impl::run(const Batch& batch, const PassRequest& request) {
  assert(batch.length >= 1 && batch.length <= config.length && batch.sequences >= 1);
  const BatchPart part = request.part;
  const bool drops = config.embeddingDropout > 0 || config.attentionDropout > 0 || config.residualDropout > 0;
  Shards shards = shardsOf(config, batch.sequences, batch.length);
  const auto bound = [&](int index) {
    if (!drops) return evenBound(batch.sequences, index, part.count);
    return std::min(batch.sequences, evenBound(shards.count, index, part.count) * shards.sequences);
  };
  const int first = bound(part.index), last = bound(part.index + 1);
  if (first >= last) return 0;
  if (!drops && part.count > 1) shards = shardsOf(config, last - first, batch.length);
  const std::vector<Cut> cuts = cutBatch(batch, shards, first, last);
  planFor(batch, shards, cuts);
  if (request.gradients && probe.layer >= 0) holdProbe(batch);
  if (shards.lanes > 1) return runLanes(batch, cuts, std::min(shards.lanes, static_cast<int>(cuts.size())), request);
  auto workspace = take();
  double loss = 0;
  for (std::size_t s = 0; s < cuts.size(); ++s)
    loss += runShard(batch, cuts[s], plan, request, pool, *workspace, gradient.data());
  putBack(std::move(workspace));
  return loss;
}

template <class T>
void Transformer<T>::Impl::logits(const Batch& batch, std::span<const std::int32_t> rows, std::span<T> out) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  Batch asked{batch.sequences, batch.length, batch.tokens, {}, batch.lengths, {}, batch.readable, batch.pixels, 0};
  for (const std::size_t i : order)
    asked.targets.push_back({rows[i], 0, 0});
  const Shards shards = shardsOf(config, batch.sequences, batch.length);
  const std::vector<Cut> cuts = cutBatch(asked, shards, 0, batch.sequences);
  planFor(asked, shards, cuts);
  const std::size_t width = static_cast<std::size_t>(config.logits());
  const Weights<T> weights(config, layout, theta.data(), nullptr);
  auto workspace = take();
  std::vector<T> some;
  for (const Cut& cut : cuts) {
    if (cut.targets == 0) continue;
    workspace->arena.hold(plan.size);
    copyCut(asked, cut, workspace->batch);
    Pass<T> pass({config,
                  constants,
                  pool,
                  weights,
                  plan,
                  workspace->arena.data(),
                  workspace->batch,
                  batch.allowed,
                  false,
                  false,
                  0,
                  0,
                  {},
                  yield});
    some.resize(cut.targets * width);
    weights.output.forward(pool, cut.targets, pass.forward(), some.data());
    for (std::size_t i = 0; i < cut.targets; ++i)
      std::copy_n(some.data() + i * width, width, out.data() + order[cut.target + i] * width);
  }
  putBack(std::move(workspace));
}

template <class T>
Transformer<T>::Transformer(const ModelConfig& config, ThreadPool& pool)
    : impl_(std::make_unique<Impl>(config, pool)) {}
template <class T>
Transformer<T>::~Transformer() = default;
template <class T>
Transformer<T>::Transformer(Transformer&&) noexcept = default;
template <class T>
Transformer<T>& Transformer<T>::operator=(Transformer&&) noexcept = default;

template <class T>
const ModelConfig& Transformer<T>::config() const {
  return impl_->config;
}
template <class T>
const ParameterLayout& Transformer<T>::layout() const {
  return impl_->layout;
}
template <class T>
std::span<T> Transformer<T>::theta() {
  return impl_->theta;
}
template <class T>
std::span<const T> Transformer<T>::theta() const {
  return impl_->theta;
}
template <class T>
std::span<T> Transformer<T>::gradient() {
  return impl_->gradient;
}
template <class T>
std::span<const T> Transformer<T>::gradient() const {
  return impl_->gradient;
}
template <class T>
void Transformer<T>::clearGradient() {
  std::fill(impl_->gradient.begin(), impl_->gradient.end(), T(0));
}

template <class T>
double Transformer<T>::accumulate(const Batch& batch, const DropoutKey& key, double scale, BatchPart part) {
  return impl_->run(batch, {true, key, scale, {}, part});
}

template <class T>
double Transformer<T>::evaluate(const Batch& batch) {
  return impl_->run(batch, {});
}

template <class T>
double Transformer<T>::evaluate(const Batch& batch, std::span<double> losses) {
  assert(losses.size() == batch.targets.size());
  return impl_->run(batch, {false, {}, 1, losses, {}});
}

template <class T>
void Transformer<T>::logits(const Batch& batch, std::span<const std::int32_t> rows, std::span<T> out) {
  assert(out.size() == rows.size() * static_cast<std::size_t>(impl_->config.logits()));
  impl_->logits(batch, rows, out);
}

template <class T>
AttentionProbe<T>& Transformer<T>::probe() {
  return impl_->probe;
}

template <class T>
void Transformer<T>::onYield(std::function<void()> yield) {
  impl_->yield = std::move(yield);
}
template <class T>
void Transformer<T>::onCancel(std::function<bool()> cancelled) {
  impl_->cancelled = std::move(cancelled);
}

template <class T>
std::size_t Transformer<T>::bytes() const {
  const Impl& i = *impl_;
  std::size_t elements = i.theta.size() + i.gradient.size() + i.laneGradients.size() + i.probed.size() +
                         i.constants.sinusoids.size() + i.constants.rotary.cosine.size() +
                         i.constants.rotary.sine.size();
  for (const auto& workspace : i.workspaces)
    elements += workspace->arena.size() + kernelScratch(i.config, i.planLength, i.planTargets);
  return elements * sizeof(T);
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace sepx::nn
