// SPDX-License-Identifier: Apache-2.0
// Attention of many heads with what published families add to the scores, and with the probabilities kept:
//   s_ij = scale (q_i . k_j) + bias(h, j - i);  s_ij <- cap tanh(s_ij / cap);  P_i = softmax of s_ij over the j that i
//   sees;  o_i = sum_j P_ij v_j.
// A key j is seen where j <= i (causal) and i - j < window; not causal: where |i - j| <= window. A query that sees no
// key gives 0. Query head h uses key head h / (heads / kvHeads). The same bits on any number of threads.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/checkpoint/model_plan.h"
#include "engine/core/result.h"
#include "engine/core/thread_pool.h"
#include "engine/forward/tensor_reader.h"

namespace sepx::forward {

/// The scores' symmetric and skew part, where they are scaled (Intervention::Target::Symmetric, Skew). Between the
/// vectors x_i, x_j that query and key are projected from, without the projections' biases, and with the denominators
/// d of norms of queries and keys kept as they are at query i and key j:
///   S_ij = x_i^T W_Q R(j - i) W_K^T x_j / (d_i d_j),   S'_ij = x_j^T W_Q R(j - i) W_K^T x_i / (d_i d_j)
///   symmetric (S + S')/2, skew (S - S')/2;  score + scale ((f_sym - 1) symmetric + (f_skew - 1) skew)
/// S' is of the transposed matrix between the same vectors; with R_i^T R_j = R_{j-i} it is
/// (R_{-j} q_j) . (R_{-i} k_i). Without rotation and norms S' is S transposed.
template <class T>
struct FormParts {
  std::vector<T> q, k;                  ///< without biases, turned by R_n; layout of AttentionRows, own ld
  std::vector<T> qBack, kBack;          ///< turned by R_{-n}
  std::vector<T> qScale, kScale;        ///< 1/d, [n, heads] and [n, kvHeads]; empty: ones
  std::vector<double> symmetric, skew;  ///< factors, [heads, n] by query
};

template <class T>
struct AttentionTask {  ///< one layer's attention
  int positions = 0;    ///< of keys
  int first = 0;        ///< position of the first query; the last is that of the last key
  int heads = 1, kvHeads = 1, d_h = 0;
  int d_v = 0;  ///< 0: probabilities alone
  bool causal = true;
  int window = 0;
  double scale = 1, cap = 0;
  const T* q = nullptr;                 ///< first head's first number of position `first`
  const T *k = nullptr, *v = nullptr;   ///< of position 0
  std::size_t ldq = 0, ldk = 0;         ///< from one position to the next, of queries; of keys and of values
  std::vector<T> bias;                  ///< [heads, 2 n - 1] by j - i + n - 1; empty: none
  const FormParts<T>* parts = nullptr;  ///< null: scores as they are; with `first` 0 alone
};

/// Biases of the distance (ALiBi; T5's table). BadInput as of TensorReader::values.
template <class T>
Result<std::vector<T>> distanceBiases(TensorReader& reader, const checkpoint::ScoreRule& rule, int heads, int positions,
                                      bool causal, double scale);

/// context [queries, heads d_v]; `probabilities` [heads, queries, positions], zeros before, or null. Interrupted.
template <class T>
Result<void> attend(TensorReader& reader, ThreadPool& pool, const AttentionTask<T>& task, T* probabilities, T* context);

}  // namespace sepx::forward
