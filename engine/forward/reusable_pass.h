// SPDX-License-Identifier: Apache-2.0
// Reuse of a pass for a changed text: under causal attention, the rows before the first changed token stay the same, so
// they are copied and only the others are computed. The results equal those of run(), bit for bit. Immutable once made;
// any thread.
#pragma once

#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/forward_pass.h"

namespace sepx::forward {

template <class T>
struct ReusablePass {  ///< input and results of a pass
  Input input;
  Activations<T> run;
  KeyValueCache<T> past;  ///< of all positions; empty: passes of this kind of model cannot be reused
  int reused = 0;         ///< positions that were copied from another pass
};

/// Computes attention, stream, writes and logits of every position. `before`: a pass of the same model whose rows are
/// reused; null: none. Errors as for ForwardModel::run().
template <class T>
Result<ReusablePass<T>> runReusing(const ForwardModel& model, const Input& input, const ReusablePass<T>* before,
                                   ThreadPool& pool, const checkpoint::Cancelled& cancelled = {},
                                   const Progress& progress = {});

/// Number of positions of `input` that runReusing() copies from `before`.
template <class T>
int reusable(const ForwardModel& model, const Input& input, const ReusablePass<T>& before);

}  // namespace sepx::forward
