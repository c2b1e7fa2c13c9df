// SPDX-License-Identifier: Apache-2.0
// Queries and keys of one layer of a checkpoint as its model computes them, before the rotary encoding is applied:
// norm, W_Q and W_K with biases, norms of a head's query and key. Immutable after load(); any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::studies {

class HeadProjector {
 public:
  /// Reads W_Q and W_K: d_model x (heads + key heads) x d_h numbers. Usage if the layer has no rotary encoding or an
  /// odd number of dimensions; BadInput as in Checkpoint::read; Interrupted if `cancelled` returns true.
  static Result<HeadProjector> load(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionLayer& layer,
                                    const checkpoint::Cancelled& cancelled = {});

  int heads() const { return factors_.heads; }
  int d_h() const { return factors_.d_h; }
  double scale() const { return omitted_.scale; }
  /// Radians per place of plane s = 0 ... d_h/2 - 1, which has the coordinates s and s + d_h/2 of query() and key(); 0
  /// for planes that are not rotated.
  const std::vector<double>& angles() const { return angles_; }
  /// The input of the projections for a row x of the stream, [d_model].
  Eigen::VectorXd normed(const Eigen::VectorXd& x) const;
  /// The query and the key of a normed row, [d_h].
  Eigen::VectorXd query(int head, const Eigen::VectorXd& normed) const;
  Eigen::VectorXd key(int head, const Eigen::VectorXd& normed) const;
  /// Scaled q . k of a head if the key's token is `distance` places to the right of the query's.
  double score(const Eigen::VectorXd& query, const Eigen::VectorXd& key, double distance) const;

 private:
  /// Applies the norm of a head's query or key, then the order of coordinates of angles().
  Eigen::VectorXd ordered(Eigen::VectorXd x, const Eigen::VectorXd& gain) const;

  attention::LayerFactors factors_;
  attention::OmittedScoreParts omitted_;
  Eigen::VectorXd queryGain_, keyGain_;  ///< empty: no norm of the head's query or key
  double headEpsilon_ = 1e-6;
  std::vector<double> angles_;
  std::vector<Eigen::Index> order_;  ///< for each coordinate of query() and key(), the model's coordinate
};

/// A vector such as the gain of a norm, plus `added` (1 where the model adds it), [n]. BadInput if there is no such
/// tensor.
Result<Eigen::VectorXd> readVector(const checkpoint::Checkpoint& checkpoint, const std::string& name, double added = 0);

}  // namespace sepx::studies
