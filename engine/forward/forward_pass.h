// SPDX-License-Identifier: Apache-2.0
// The forward pass of a checkpoint, block by block from the mapped file: what is held is one layer in T and the stream.
// The layers are those of engine/nn (products, norms, activations); what only published families have (windows, caps,
// ALiBi of their kind, norms of queries and keys) is in attention_scores.h. Immutable after open; any thread; one call
// uses the pool. The same bits on any number of threads.
#pragma once

#include <functional>
#include <memory>

#include "engine/checkpoint/model_cache.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/activations.h"

namespace sepx::forward {

/// How far a pass is: blocks done of all. May be empty.
using Progress = std::function<void(int done, int all)>;

class ForwardModel {  ///< a checkpoint that can be run
 public:
  /// BadInput as of planModel.
  static Result<std::shared_ptr<const ForwardModel>> open(std::shared_ptr<const checkpoint::Model> model);
  /// With a plan that was made otherwise. BadInput: its heads, widths and tables do not fit each other.
  static Result<std::shared_ptr<const ForwardModel>> open(std::shared_ptr<const checkpoint::Model> model,
                                                          checkpoint::ModelPlan plan);

  const checkpoint::ModelPlan& plan() const { return plan_; }
  const checkpoint::Checkpoint& checkpoint() const { return *model_->checkpoint; }
  const checkpoint::AttentionMap& map() const { return model_->map; }

  /// Usage: an id outside the vocabulary, more positions than the model has, no input, an intervention that names no
  /// such layer or head. BadInput: a tensor that cannot be read (the file shrank). Interrupted soon after `cancelled`.
  /// Logits of an image are those of its first row alone, unless `logitsAt` says otherwise.
  template <class T>
  Result<Activations<T>> run(const Input& input, const Request& request, ThreadPool& pool,
                             const checkpoint::Cancelled& cancelled = {}, const Progress& progress = {}) const;

  /// run() with the interventions of `request`, from the first block that they change on: the stream that enters it,
  /// and what is asked for of the blocks before, are of `whole`, a pass of the same input without interventions that
  /// kept its stream. The same numbers, bit for bit; where `whole` is of another kind the pass begins at the start.
  template <class T>
  Result<Activations<T>> runChanged(const Input& input, const Request& request, const Activations<T>& whole,
                                    ThreadPool& pool, const checkpoint::Cancelled& cancelled = {}) const;

  /// The positions of `input` behind those of `past`, which takes them: each token of a continuation costs one
  /// position. `past` is empty at first, or of the same model and of a beginning of `input`. Positions in the request
  /// are those of the whole input. Usage: as of run; a model that is not causal, or reads images; an intervention; no
  /// position is new. An error leaves `past` as it was.
  template <class T>
  Result<Activations<T>> goOn(const Input& input, const Request& request, Past<T>& past, ThreadPool& pool,
                              const checkpoint::Cancelled& cancelled = {}, const Progress& progress = {}) const;

  /// Logits of rows [m, d_model] of the stream through final norm and head (the lens). Empty plan().head: Usage.
  template <class T>
  Result<std::vector<T>> logitsOf(std::size_t m, const T* stream, ThreadPool& pool,
                                  const checkpoint::Cancelled& cancelled = {}) const;

 private:
  template <class T>
  Result<Activations<T>> runFrom(const Input& input, const Request& request, Past<T>* past, const Activations<T>* whole,
                                 ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                                 const Progress& progress) const;
  explicit ForwardModel(std::shared_ptr<const checkpoint::Model> model, checkpoint::ModelPlan plan)
      : model_(std::move(model)), plan_(std::move(plan)) {}

  std::shared_ptr<const checkpoint::Model> model_;
  checkpoint::ModelPlan plan_;
};

}  // namespace sepx::forward
