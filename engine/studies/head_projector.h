// SPDX-License-Identifier: Apache-2.0
// Queries and keys of one layer of a checkpoint as its model forms them, before the rotary encoding turns them: norm,
// W_Q and W_K with biases, norms of a head's query and key. Immutable after load(); any thread.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/checkpoint/attention_map.h"
#include "engine/core/result.h"

namespace sepx::studies {

class HeadProjector {
 public:
  /// Reads W_Q and W_K: d_model x (heads + key heads) x d_h numbers. Usage where the layer has no rotary encoding or an
  /// odd number of dimensions; BadInput as Checkpoint::read; Interrupted when `cancelled` said yes.
  static Result<HeadProjector> load(const checkpoint::Checkpoint& checkpoint, const checkpoint::AttentionLayer& layer,
                                    const checkpoint::Cancelled& cancelled = {});

  int heads() const { return factors_.heads; }
  int d_h() const { return factors_.d_h; }
  double scale() const { return leftOut_.scale; }
  /// Radians a place of plane s = 0 ... d_h/2 - 1, coordinates s and s + d_h/2 of query() and key(); 0 where a part of
  /// the head is not turned.
  const std::vector<double>& angles() const { return angles_; }
  /// The input of the projections for a row x of the stream, [d_model].
  Eigen::VectorXd normed(const Eigen::VectorXd& x) const;
  /// Of a normed row, [d_h].
  Eigen::VectorXd query(int head, const Eigen::VectorXd& normed) const;
  Eigen::VectorXd key(int head, const Eigen::VectorXd& normed) const;
  /// q . k of the head where the key's token stands `distance` places to the right of the query's, scaled.
  double score(const Eigen::VectorXd& query, const Eigen::VectorXd& key, double distance) const;

 private:
  /// Of a head's query or key: its norm, then the order of coordinates that angles() says.
  Eigen::VectorXd ordered(Eigen::VectorXd x, const Eigen::VectorXd& gain) const;

  attention::LayerFactors factors_;
  attention::LeftOut leftOut_;
  Eigen::VectorXd queryGain_, keyGain_;  ///< empty: no norm of the head's query or key
  double headEpsilon_ = 1e-6;
  std::vector<double> angles_;
  std::vector<Eigen::Index> order_;  ///< coordinate of the model that stands at each place
};

/// The gain of a norm with 1 added where the model adds it, [n]. BadInput: no such tensor.
Result<Eigen::VectorXd> readVector(const checkpoint::Checkpoint& checkpoint, const std::string& name, double added = 0);

}  // namespace sepx::studies
