// SPDX-License-Identifier: Apache-2.0
// Multi-head attention with the terms that published families add to the scores, and with the probabilities kept:
//   s_ij = scale (q_i . k_j) + bias(h, j - i);  s_ij <- cap tanh(s_ij / cap);  P_i = softmax of s_ij over the j that i
//   sees;  o_i = sum_j P_ij v_j.
// Query i sees key j if j <= i (causal) and i - j < window; not causal: if |i - j| <= window. A query that sees no key
// gives 0. Query head h uses key head h / (heads / kvHeads). The same bits for any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// The symmetric and skew parts of the scores, if they are scaled (Intervention::Target::Symmetric, Skew). They are
/// taken between the vectors x_i, x_j from which query and key are projected, without the biases of the projections,
/// and with the denominators d of the norms of queries and keys fixed at query i and key j:
///   S_ij = x_i^T W_Q R(j - i) W_K^T x_j / (d_i d_j),   S'_ij = x_j^T W_Q R(j - i) W_K^T x_i / (d_i d_j)
///   symmetric (S + S')/2, skew (S - S')/2;  score + scale ((f_sym - 1) symmetric + (f_skew - 1) skew)
/// S' has the transposed matrix between the same vectors; with R_i^T R_j = R_{j-i} it is (R_{-j} q_j) . (R_{-i} k_i).
/// Without rotation and norms S' is S transposed.
template <class T>
struct FormParts {
  std::vector<T> q, k;                  ///< without biases, rotated by R_n; [n, heads d_h] and [n, kvHeads d_h]
  std::vector<T> qBack, kBack;          ///< rotated by R_{-n}
  std::vector<T> qScale, kScale;        ///< 1/d, [n, heads] and [n, kvHeads]; empty: ones
  std::vector<double> symmetric, skew;  ///< factors, [heads, n] by query
};

template <class T>
struct AttentionTask {  ///< one layer's attention
  int positions = 0;    ///< number of keys
  int first = 0;        ///< position of the first query; the last query is at the last key
  int heads = 1, kvHeads = 1, d_h = 0;
  int d_v = 0;  ///< 0: only probabilities
  bool causal = true;
  int window = 0;
  double scale = 1, cap = 0;
  const T* q = nullptr;                 ///< first value of the first head at position `first`
  const T *k = nullptr, *v = nullptr;   ///< at position 0
  std::size_t ldq = 0, ldk = 0;         ///< values from one position to the next: of queries; of keys and values
  std::vector<T> bias;                  ///< [heads, 2 n - 1] by j - i + n - 1; empty: none
  const FormParts<T>* parts = nullptr;  ///< null: unchanged scores; requires `first` = 0
};

/// Biases of the distance (ALiBi; T5's table). BadInput as for TensorReader::values().
template <class T>
Result<std::vector<T>> distanceBiases(TensorReader& reader, const checkpoint::ScoreRule& rule, int heads, int positions,
                                      bool causal, double scale);

/// Computes `context` [queries, heads d_v] and, unless it is null, `probabilities` [heads, queries, positions], which
/// must be zero before. Interrupted.
template <class T>
Result<void> attend(TensorReader& reader, ThreadPool& pool, const AttentionTask<T>& task, T* probabilities, T* context);

}  // namespace sepx::forward
