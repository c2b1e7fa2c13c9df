// SPDX-License-Identifier: Apache-2.0
// Multi-head attention, softmax or linear, that never stores all scores: a block of queries walks over the key blocks
// it may attend to (causal: the lower half only) with a running maximum and sum. The backward pass recomputes the
// probabilities from the stored log sums.
//   S_ij = scale q_i . k_j + bias_ij,  P_ij = exp(S_ij - lse_i) over the allowed j,  o_i = sum_j P_ij v_j
//   Linear: o_i = (1/n_i) sum over the n_i allowed j of S_ij v_j, bias 0
//   dV_j = sum_i P_ij do_i;  dS_ij = P_ij (do_i . v_j - do_i . o_i);  dq_i = scale sum_j dS_ij k_j;  dk_j = ...
// A row without an allowed key gives 0. Query head h uses key head h / (heads / kvHeads). Any thread; bitwise the same
// result on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/core/thread_pool.h"
#include "engine/nn/model_config.h"

namespace sepx::nn {

struct AttentionShape {  ///< sizes and rules of one call
  int sequences = 1, length = 1;
  int heads = 1, kvHeads = 1, headDim = 1;
  AttentionKind kind = AttentionKind::Softmax;
  bool causal = true;
  double scale = 1;
  std::span<const double> slopes;  ///< [heads] with ALiBi; empty: no bias
  bool alibiSigned = false;
  std::span<const std::int32_t> lengths;  ///< [sequences]: keys from this index on are hidden; empty: none are
  std::span<const std::uint8_t> allowed;  ///< [length, length]; empty: all
  std::span<const std::uint8_t>
      readable;        ///< [sequences, length]: 0 for keys that no query of the sequence may attend to; empty: all 1
  double dropout = 0;  ///< of P, after the softmax; entries that stay are divided by 1 - dropout
  std::uint64_t dropoutSeed = 0, dropoutStream = 0;
  /// With few sequences and key heads, the backward pass is split into about this many tasks; 1 where one thread works
  /// anyway. Decides the order of sums, so it must not depend on the number of threads.
  int tasks = 16;
};
/// The shape for a model: everything but sequences, lengths and dropout. `slopes` is filled for ALiBi and must outlive
/// the result.
AttentionShape attentionShape(const ModelConfig& config, std::span<double> slopes);

/// Rows b * length + n of a fused matrix; q, k, v point to the first head's first column.
template <class T>
struct AttentionInput {
  const T* q = nullptr;
  const T* k = nullptr;
  const T* v = nullptr;
  std::size_t ld = 0;
};

/// `out` [tokens, heads * headDim] with row stride `ldo`; `logSum` [sequences, heads, length] (unused by Linear).
template <class T>
void attentionForward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, T* out,
                      std::size_t ldo, T* logSum);

/// dq, dk, dv have the layout of the input with row stride `ldg` and are overwritten.
template <class T>
void attentionBackward(ThreadPool& pool, const AttentionShape& shape, const AttentionInput<T>& in, const T* out,
                       const T* outGradient, std::size_t ldo, const T* logSum, T* dq, T* dk, T* dv, std::size_t ldg);

/// P of one sequence and head, [length, length], 0 where not allowed; for pictures of attention.
template <class T>
void attentionProbabilities(const AttentionShape& shape, const AttentionInput<T>& in, int sequence, int head,
                            std::span<T> P);
/// beta_ij = dL/d(q_i . k_j) of one sequence and head, [length, length] [Attention-Structure, (S25), corrected].
template <class T>
void attentionBetas(const AttentionShape& shape, const AttentionInput<T>& in, const T* outGradient, std::size_t ldo,
                    int sequence, int head, std::span<T> beta);

}  // namespace sepx::nn
