// SPDX-License-Identifier: Apache-2.0
// The forward pass of a checkpoint, block by block from the mapped file: only one layer in T and the stream are held in
// memory. The layers are those of engine/nn (products, norms, activations); what only published families have (windows,
// caps, ALiBi of their kind, norms of queries and keys) is in attention_scores.h. Immutable after open(); any thread;
// each call uses the thread pool. The same bits for any number of threads.
#pragma once

#include <functional>
#include <memory>

#include "engine/checkpoint/model_cache.h"
#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/activations.h"

namespace sepx::forward {

/// Progress of a pass: `done` of `all` blocks. May be empty.
using Progress = std::function<void(int done, int all)>;

class ForwardModel {  ///< a checkpoint that can be run
 public:
  /// BadInput as for planModel().
  static Result<std::shared_ptr<const ForwardModel>> open(std::shared_ptr<const checkpoint::Model> model);
  /// With a plan made elsewhere. BadInput if its heads, widths and tables do not fit each other.
  static Result<std::shared_ptr<const ForwardModel>> open(std::shared_ptr<const checkpoint::Model> model,
                                                          checkpoint::ModelPlan plan);

  const checkpoint::ModelPlan& plan() const { return plan_; }
  const checkpoint::Checkpoint& checkpoint() const { return *model_->checkpoint; }
  const checkpoint::AttentionMap& map() const { return model_->map; }

  /// Runs the model. Usage for an id outside the vocabulary, more positions than the model has, no input, or an
  /// intervention on a layer or head that does not exist. BadInput if a tensor cannot be read (the file shrank).
  /// Interrupted soon after `cancelled`. For an image, only the logits of its first row are computed, unless `logitsAt`
  /// is set.
  template <class T>
  Result<Activations<T>> run(const Input& input, const Request& request, ThreadPool& pool,
                             const checkpoint::Cancelled& cancelled = {}, const Progress& progress = {}) const;

  /// run() with the interventions of `request`, starting at the first block that they change. The stream that enters
  /// it, and the requested values of the blocks before it, are taken from `whole`, a pass of the same input without
  /// interventions that kept its stream. The results equal those of run(), bit for bit. Without such a stream in
  /// `whole`, the pass starts at the beginning.
  template <class T>
  Result<Activations<T>> runChanged(const Input& input, const Request& request, const Activations<T>& whole,
                                    ThreadPool& pool, const checkpoint::Cancelled& cancelled = {}) const;

  /// Computes the positions of `input` after those of `past` and appends them to `past`, so that each token of a
  /// continuation costs one position. `past` is initially empty, or of the same model and of a beginning of `input`.
  /// Positions in the request are those of the whole input. Usage as for run(), and for a model that is not causal or
  /// reads images, an intervention, or no new position. An error leaves `past` unchanged.
  template <class T>
  Result<Activations<T>> goOn(const Input& input, const Request& request, KeyValueCache<T>& past, ThreadPool& pool,
                              const checkpoint::Cancelled& cancelled = {}, const Progress& progress = {}) const;

  /// Logits of rows [m, d_model] of the stream through final norm and head (the lens). Usage if plan().head is empty.
  template <class T>
  Result<std::vector<T>> logitsOf(std::size_t m, const T* stream, ThreadPool& pool,
                                  const checkpoint::Cancelled& cancelled = {}) const;

 private:
  template <class T>
  Result<Activations<T>> runFrom(const Input& input, const Request& request, KeyValueCache<T>* past,
                                 const Activations<T>* whole, ThreadPool& pool, const checkpoint::Cancelled& cancelled,
                                 const Progress& progress) const;
  explicit ForwardModel(std::shared_ptr<const checkpoint::Model> model, checkpoint::ModelPlan plan)
      : model_(std::move(model)), plan_(std::move(plan)) {}

  std::shared_ptr<const checkpoint::Model> model_;
  checkpoint::ModelPlan plan_;
};

}  // namespace sepx::forward
