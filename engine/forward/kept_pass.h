// SPDX-License-Identifier: Apache-2.0
// A pass that a pass of a changed text takes up: under causal attention what stands before the first changed token is
// computed as it was, so its rows are copied and the others alone are computed. The numbers of run(), bit for bit.
// Immutable once made; any thread.
#pragma once

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/forward_pass.h"

namespace sepx::forward {

template <class T>
struct KeptPass {  ///< what a pass read and left behind
  Input input;
  Activations<T> run;
  Past<T> past;    ///< of all positions; empty: the model is of a kind that takes nothing up
  int reused = 0;  ///< positions that were copied from another pass
};

/// Attention, stream, writes and logits of every position. `before`: a pass of the same model whose rows are taken;
/// null: none. Errors as of ForwardModel::run.
template <class T>
Result<KeptPass<T>> runKept(const ForwardModel& model, const Input& input, const KeptPass<T>* before, ThreadPool& pool,
                            const checkpoint::Cancelled& cancelled = {}, const Progress& progress = {});

/// Positions of `input` that runKept takes from `before`.
template <class T>
int reusable(const ForwardModel& model, const Input& input, const KeptPass<T>& before);

}  // namespace sepx::forward
