// SPDX-License-Identifier: Apache-2.0
// The exact decomposition of one attention score. The stream that a head reads is a sum of what was written into it:
// token and position embeddings, each earlier head, each earlier feed-forward part, biases. Every norm on the way is
// linear if its denominator is fixed at its value in the pass, so query and key are sums over writers and the score is
// a sum over pairs of writers:
//   q_i = sum_a q^a,  k_j = sum_b k^b,  s_ij = scale sum_ab q^a R(j - i) k^b (+ bias of the distance)
// The symmetric and skew parts are those of W_qk (with the rotation at offset j - i) between the same two vectors,
// without biases. In double precision for a pass of any type. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "engine/core/result.h"
#include "engine/forward/forward_pass.h"

namespace sepx::forward {

/// The writer of a part of the stream.
struct Writer {
  enum class Kind {  ///< what wrote a part of the stream
    Embedding,       ///< row of the token table
    Position,        ///< learned position (and segment)
    Head,            ///< head of an earlier layer
    FeedForward,     ///< of an earlier layer
    Biases,          ///< of projections and norms on the way, not of one head
    NormBias,        ///< bias of the norm before the projections
    Projection,      ///< b_Q or b_K
  } kind = Kind::Embedding;
  int layer = -1, head = -1;
};

struct ScoreParts {
  int layer = 0, head = 0, query = 0, key = 0;
  double score = 0;         ///< as in the pass: scaled, with the bias of the distance, before cap and softmax
  double probability = 0;   ///< after cap, mask and softmax
  double cap = 0;           ///< 0: none
  double distanceBias = 0;  ///< ALiBi, T5
  std::vector<Writer> writers;
  std::vector<double> pairs;  ///< [writers of the query, writers of the key]; their sum + distanceBias is `score`
  /// Sums of pairs over kinds: content (embedding, heads, feed-forward) and position on each side, biases.
  struct Named {
    std::string name;  ///< "content to content", "content to position", …
    double value = 0;
  };
  std::vector<Named> byKind;                       ///< their sum is `score`
  double symmetric = 0, skew = 0, withBiases = 0;  ///< between the normed vectors; their sum + distanceBias is `score`
  double gain = 0;      ///< score minus the score with a norm gain of 1 and the same denominators
  double rotation = 0;  ///< score minus the score without the rotary encoding
  /// Sum of pairs + distanceBias - score, relative to the sum of absolute parts: how exact the split is.
  double residue = 0;
};

/// `pass`: a run of `model` with `writes` and no interventions. Usage if the layer, head, query or key does not exist,
/// if the query does not see the key, or if the pass has no writes.
template <class T>
Result<ScoreParts> scoreParts(const ForwardModel& model, const Input& input, const Activations<T>& pass, int layer,
                              int head, int query, int key, const checkpoint::Cancelled& cancelled = {});

}  // namespace sepx::forward
