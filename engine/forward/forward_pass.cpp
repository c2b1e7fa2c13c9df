// SPDX-License-Identifier: Apache-2.0
#include "engine/forward/forward_pass.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/forward/block.h"
#include "engine/forward/embedding.h"
#include "engine/forward/interventions.h"
#include "engine/forward/output_head.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

namespace {

using checkpoint::ModelPlan;

/// The largest number of probabilities, and of logits, that a pass may keep: 4 GiB of floats.
constexpr double kMostKept = 1073741824.0;

template <class T>
std::size_t nonfiniteOf(const std::vector<T>& values) {
  return static_cast<std::size_t>(std::ranges::count_if(values, [](T x) { return !std::isfinite(x); }));
}

/// Number of blocks that a request computes.
Result<int> blocksOf(const ModelPlan& plan, const Request& request) {
  const int all = static_cast<int>(plan.blocks.size());
  if (request.layers < -1 || request.layers > all)
    return fail(ErrorKind::Usage, fmt::format("{} layers cannot be computed: the model has {}", request.layers, all));
  return request.layers < 0 ? all : request.layers;
}

/// Positions of the logits that a request asks for; for images, only that of the class.
Result<std::vector<int>> logitsRows(const ModelPlan& plan, const Request& request, int first, int positions) {
  for (const int at : request.logitsAt)
    if (at < first || at >= positions)
      return fail(ErrorKind::Usage, fmt::format("there is no position {} to predict at: there are positions {} to {}",
                                                at, first, positions - 1));
  if (!request.logitsAt.empty()) return request.logitsAt;
  std::vector<int> all(plan.image ? 1 : static_cast<std::size_t>(positions - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

Result<void> checkMemory(const ModelPlan& plan, const Request& request, int positions, int blocks, std::size_t rows) {
  double probabilities = 0;
  for (int layer = 0; request.attention && layer < blocks; ++layer)
    probabilities +=
        static_cast<double>(plan.blocks[static_cast<std::size_t>(layer)].attention.heads) * positions * positions;
  if (probabilities > kMostKept)
    return fail(ErrorKind::Usage, fmt::format("the attention of all heads over {} tokens is too much to keep; shorten "
                                              "the text",
                                              positions));
  const double columns = request.logits && plan.head ? static_cast<double>(plan.head->logits.out) : 0;
  if (columns * static_cast<double>(rows) > kMostKept)
    return fail(ErrorKind::Usage,
                fmt::format("the logits of {} positions are too much to keep; ask for fewer positions", rows));
  return {};
}

/// The rows of x at positions `at`; the first row of x is at position `first`.
template <class T>
std::vector<T> rowsAt(const std::vector<T>& x, const std::vector<int>& at, int first, std::size_t width) {
  std::vector<T> rows;
  rows.reserve(at.size() * width);
  for (const int position : at) {
    const auto row = x.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(position - first) * width);
    rows.insert(rows.end(), row, row + static_cast<std::ptrdiff_t>(width));
  }
  return rows;
}

/// The first block whose stream or branches an intervention changes; `blocks` if there is none, or if only the stream
/// that leaves the last block changes.
int firstChanged(const Request& request, int blocks) {
  int first = blocks;
  for (const Intervention& one : request.interventions)
    first = std::min(first, std::max(one.layer, 0));
  return first;
}

/// Whether a pass of a text of `positions` tokens can start from the stream of `whole`.
template <class T>
bool hasStream(const Activations<T>& whole, int positions, int blocks) {
  return whole.first == 0 && whole.positions == positions && whole.blocks.size() >= asSize(blocks) &&
         std::all_of(whole.blocks.begin(), whole.blocks.begin() + blocks,
                     [&](const BlockActivations<T>& block) { return block.hidden.size() == whole.embedding.size(); });
}

/// The values of a block that `request` asks for.
template <class T>
BlockActivations<T> requestedValues(const Request& request, const BlockActivations<T>& block) {
  BlockActivations<T> made;
  made.heads = block.heads;
  if (request.attention) made.attention = block.attention;
  if (request.hidden) made.hidden = block.hidden;
  if (!request.writes) return made;
  made.middle = block.middle;
  made.context = block.context;
  made.attentionWrite = block.attentionWrite;
  made.feedForwardWrite = block.feedForwardWrite;
  return made;
}

/// One call of run(), whose request has been checked.
template <class T>
class Pass {
 public:
  /// `positions`: number of positions of the whole input.
  Pass(const ModelPlan& plan, const Request& request, TensorReader& reader, ThreadPool& pool, int positions,
       KeyValueCache<T>* past)
      : plan_(plan), reader_(reader), pool_(pool), shared_{reader,       pool,
                                                           request,      positions,
                                                           plan.d_model, past == nullptr ? 0 : past->positions,
                                                           past,         {}} {
    shared_.positions -= shared_.first;
    out_.positions = shared_.positions;
    out_.first = shared_.first;
    out_.d_model = plan.d_model;
  }

  /// `whole`: null, or see ForwardModel::runChanged.
  Result<Activations<T>> run(const Input& input, int blocks, const std::vector<int>& logitsAt,
                             const Activations<T>* whole, const Progress& progress) {
    const int start = whole == nullptr ? 0 : begin(*whole, blocks);
    if (start == 0) {
      SEPX_ASSIGN(x_, embed<T>(reader_, pool_, plan_, input, out_.positions, out_.first));
      SEPX_TRY(reader_.done());
    }
    enter(start);
    if (start == 0)
      out_.embedding = x_;
    else if (shared_.request.hidden)
      out_.blocks.back().hidden = x_;
    const bool logits = shared_.request.logits && plan_.head && blocks == static_cast<int>(plan_.blocks.size());
    const int steps = blocks + (logits ? 1 : 0);
    for (int layer = start; layer < blocks; ++layer) {
      if (progress) progress(layer, blocks);
      SEPX_TRY(reader_.goOn(static_cast<double>(layer) / steps));
      SEPX_TRY(block(layer));
    }
    if (progress) progress(blocks, blocks);
    if (!logits) return std::move(out_);
    SEPX_TRY(reader_.goOn(static_cast<double>(blocks) / steps));
    out_.logitsAt = logitsAt;
    const auto width = static_cast<std::size_t>(plan_.d_model);
    SEPX_ASSIGN(out_.logits, outputLogits(reader_, pool_, *plan_.head, logitsAt.size(), width,
                                          rowsAt(x_, logitsAt, out_.first, width)));
    SEPX_TRY(reader_.done());
    out_.vocabulary = static_cast<std::int64_t>(out_.logits.size() / logitsAt.size());
    out_.nonfinite += nonfiniteOf(out_.logits);
    return std::move(out_);
  }

 private:
  /// Takes over all values before the first block that changes, and returns that block.
  int begin(const Activations<T>& whole, int blocks) {
    const int start = firstChanged(shared_.request, blocks);
    if (start == 0) return 0;
    out_.embedding = whole.embedding;
    for (int layer = 0; layer < start; ++layer) {
      const BlockActivations<T>& of = whole.blocks[asSize(layer)];
      out_.blocks.push_back(requestedValues(shared_.request, of));
      out_.nonfinite += nonfiniteOf(layer == 0 ? whole.embedding : whole.blocks[asSize(layer - 1)].hidden);
      if (layer + 1 == start) x_ = of.hidden;
    }
    return start;
  }
  Result<void> block(int layer) {
    BlockActivations<T>& keep = out_.blocks.emplace_back();
    SEPX_TRY(runBlock(shared_, plan_.blocks[static_cast<std::size_t>(layer)], layer, x_, keep));
    SEPX_TRY(reader_.done());
    enter(layer + 1);
    if (shared_.request.hidden) keep.hidden = x_;
    return {};
  }
  /// Applies the interventions on the stream before block `layer`.
  void enter(int layer) {
    const auto width = static_cast<std::size_t>(plan_.d_model);
    intervene(shared_.request.interventions, Intervention::Target::Stream, layer, -1, out_.positions, width, x_.data(),
              width);
    out_.nonfinite += nonfiniteOf(x_);
  }

  const ModelPlan& plan_;
  TensorReader& reader_;
  ThreadPool& pool_;
  BlockPass<T> shared_;
  std::vector<T> x_;
  Activations<T> out_;
};

Result<void> checkPlan(const ModelPlan& plan, const std::string& path) {
  const auto odd = [&](const char* what) { return fail(ErrorKind::BadInput, fmt::format("{}: {}", path, what)); };
  if (plan.d_model < 1) return odd("the model has no width");
  if (plan.embeddingProjection && plan.embeddingProjection->in < 1) return odd("the token embedding has no width");
  if (plan.image &&
      (plan.image->channels < 1 || plan.image->patch < 1 || plan.image->image < plan.image->patch ||
       plan.image->channels > 4096 || plan.image->image > 65536 || plan.image->image / plan.image->patch > 256))
    return odd("the sides of the image and of its patches are out of range");
  for (std::size_t layer = 0; layer < plan.blocks.size(); ++layer)
    SEPX_TRY(checkBlock(plan.blocks[layer], static_cast<int>(layer), plan.d_model, path));
  return {};
}

tl::unexpected<Error> noMemory(const std::string& path) {
  return fail(ErrorKind::BadInput, path + ": " + outOfMemory());
}

}  // namespace

Result<std::shared_ptr<const ForwardModel>> ForwardModel::open(std::shared_ptr<const checkpoint::Model> model) {
  SEPX_ASSIGN(ModelPlan plan, checkpoint::planModel(*model->checkpoint, model->map));
  return open(std::move(model), std::move(plan));
}

Result<std::shared_ptr<const ForwardModel>> ForwardModel::open(std::shared_ptr<const checkpoint::Model> model,
                                                               ModelPlan plan) {
  SEPX_TRY(checkPlan(plan, model->checkpoint->path()));
  return std::shared_ptr<const ForwardModel>(new ForwardModel(std::move(model), std::move(plan)));
}

template <class T>
Result<Activations<T>> ForwardModel::run(const Input& input, const Request& request, ThreadPool& pool,
                                         const checkpoint::Cancelled& cancelled, const Progress& progress) const {
  return runFrom<T>(input, request, nullptr, nullptr, pool, cancelled, progress);
}

template <class T>
Result<Activations<T>> ForwardModel::runChanged(const Input& input, const Request& request, const Activations<T>& whole,
                                                ThreadPool& pool, const checkpoint::Cancelled& cancelled) const {
  return runFrom<T>(input, request, nullptr, &whole, pool, cancelled, {});
}

template <class T>
Result<Activations<T>> ForwardModel::goOn(const Input& input, const Request& request, KeyValueCache<T>& past,
                                          ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                                          const Progress& progress) const {
  const auto refuse = [&](const char* why) {
    return fail(ErrorKind::Usage, fmt::format("{}: {}", checkpoint().path(), why));
  };
  if (plan_.image || !std::ranges::all_of(plan_.blocks, [](const auto& block) { return block.attention.causal; }))
    return refuse("in this model later tokens change what is computed of earlier ones, so a pass cannot be continued");
  if (!request.interventions.empty() || request.layers >= 0)
    return refuse("a continued pass computes the whole model without changes");
  if (past.positions < 0 || static_cast<std::size_t>(past.positions) >= input.ids.size())
    return refuse("all tokens of the text were computed before");
  past.blocks.resize(plan_.blocks.size());
  SEPX_ASSIGN(Activations<T> out, runFrom<T>(input, request, &past, nullptr, pool, cancelled, progress));
  past.positions = static_cast<int>(input.ids.size());
  return out;
}

template <class T>
Result<Activations<T>> ForwardModel::runFrom(const Input& input, const Request& request, KeyValueCache<T>* past,
                                             const Activations<T>* whole, ThreadPool& pool,
                                             const checkpoint::Cancelled& cancelled, const Progress& progress) const {
  SEPX_ASSIGN(const int positions, positionsOf(plan_, input));
  SEPX_ASSIGN(const int blocks, blocksOf(plan_, request));
  SEPX_ASSIGN(const std::vector<int> logitsAt,
              logitsRows(plan_, request, past == nullptr ? 0 : past->positions, positions));
  SEPX_TRY(checkInterventions(request.interventions, plan_, positions));
  SEPX_TRY(checkMemory(plan_, request, positions, blocks, logitsAt.size()));
  try {
    TensorReader reader(checkpoint(), cancelled);
    if (whole != nullptr && !hasStream(*whole, positions, blocks)) whole = nullptr;
    return Pass<T>(plan_, request, reader, pool, positions, past).run(input, blocks, logitsAt, whole, progress);
  } catch (const std::bad_alloc&) {
    return noMemory(checkpoint().path());
  }
}

template <class T>
Result<std::vector<T>> ForwardModel::logitsOf(std::size_t m, const T* stream, ThreadPool& pool,
                                              const checkpoint::Cancelled& cancelled) const {
  if (!plan_.head)
    return fail(ErrorKind::Usage, checkpoint().path() + ": has no output layer, so nothing can be predicted");
  if (m == 0) return std::vector<T>();
  try {
    TensorReader reader(checkpoint(), cancelled);
    const auto width = static_cast<std::size_t>(plan_.d_model);
    SEPX_ASSIGN(std::vector<T> logits,
                outputLogits(reader, pool, *plan_.head, m, width, std::vector<T>(stream, stream + m * width)));
    SEPX_TRY(reader.done());
    return logits;
  } catch (const std::bad_alloc&) {
    return noMemory(checkpoint().path());
  }
}

#define SEPX_INSTANTIATE(T)                                                                                           \
  template Result<Activations<T>> ForwardModel::goOn<T>(const Input&, const Request&, KeyValueCache<T>&, ThreadPool&, \
                                                        const checkpoint::Cancelled&, const Progress&) const;         \
  template Result<Activations<T>> ForwardModel::runChanged<T>(const Input&, const Request&, const Activations<T>&,    \
                                                              ThreadPool&, const checkpoint::Cancelled&) const;       \
  template Result<Activations<T>> ForwardModel::run<T>(const Input&, const Request&, ThreadPool&,                     \
                                                       const checkpoint::Cancelled&, const Progress&) const;          \
  template Result<std::vector<T>> ForwardModel::logitsOf<T>(std::size_t, const T*, ThreadPool&,                       \
                                                            const checkpoint::Cancelled&) const;
SEPX_INSTANTIATE(float)
SEPX_INSTANTIATE(double)
#undef SEPX_INSTANTIATE

}  // namespace sepx::forward
