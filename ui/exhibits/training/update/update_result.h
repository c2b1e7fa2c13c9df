// SPDX-License-Identifier: Apache-2.0
// The gradient of W_qk of one head at a saved step, taken apart for one sequence: beta, what it says of symmetry, the
// term of one pair. Pure but for the files of the run; any thread.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/pair_terms.h"
#include "engine/core/result.h"
#include "ui/race/run_model.h"

namespace sepx::ui {

struct UpdateRequest {
  ModelRequest model;  ///< all parameters
  int layer = 0, head = 0;
  std::string text;  ///< empty: the first validation sequence
  bool operator==(const UpdateRequest&) const = default;
};

/// A token of the sequence.
struct UpdateToken {
  std::string word;        ///< what stands there
  std::string read;        ///< what the model reads: [MASK], or the same
  std::int32_t id = 0;     ///< of what stands there
  bool predicted = false;  ///< its prediction, or that of the token behind it in a causal model, counts
  /// mu_c/mu_p of Proposition A.9 with the token's frequency at each place of the training sequences; NaN: it is not
  /// in them.
  double exactRatio = std::nan("");
};

/// What one step of gradient descent on W_Q and W_K adds to W_qk of the head, over -eta
/// (engine/attention/token_lines.h).
struct UpdateStep {
  attention::Matrix byTokens;        ///< by the sums over tokens of Proposition 2.2, with the biases
  attention::Matrix ofEngine;        ///< from the gradients of the backward pass
  double eta = 0;                    ///< learning rate of the next step
  double difference = std::nan("");  ///< |byTokens - ofEngine| / |ofEngine|
  double biases = std::nan("");  ///< norm of what the biases add, over |ofEngine|; the formula of the paper lacks it
};

struct UpdateResult {
  std::int64_t step = 0;
  int layer = 0, head = 0;
  bool isForm = true;  ///< as of train::UpdateProbe
  bool masks = false;  ///< the objective hides tokens
  double loss = 0;     ///< nats
  std::vector<UpdateToken> tokens;
  attention::Matrix X, beta;
  attention::BetaSymmetry symmetry;
  attention::MirroredTerms mirrored;
  double paperShare = std::nan("");  ///< of (S111), for the predicted places of this sequence; NaN: nothing is masked
  double rowSum = 0;                 ///< largest modulus of a row sum of beta
  double cosine = std::nan("");      ///< of the change of W_qk to first order with G; NaN where G is not a gradient
  /// Symmetry scores of G and of its parts (attention::GradientParts); NaN where a part is 0, and where G is no
  /// gradient.
  double gradient = std::nan(""), own = std::nan(""), both = std::nan(""), single = std::nan("");
  UpdateStep change;                                  ///< of W_qk of the head; empty where G is not a gradient
  std::vector<attention::Pair> strongest;             ///< none where G is not a gradient
  std::shared_ptr<const std::vector<float>> entries;  ///< beta, row-major
  double limit = 1;                                   ///< 99.5 % of the moduli lie below it
  int places() const { return static_cast<int>(tokens.size()); }
  int predicted() const;
};
using UpdatePointer = std::shared_ptr<const UpdateResult>;

/// Usage or BadInput with one sentence: a text that the data have no tokens for, a layer or head that is not there, a
/// checkpoint that cannot be read.
Result<UpdatePointer> makeUpdate(const UpdateRequest& request);

/// The term of one pair, and what the token of its key adds to a column and a row.
struct PairRequest {
  UpdatePointer of;
  int i = 0, j = 0;
  int column = -1, row = -1;  ///< -1: those that the step changes most
  bool operator==(const PairRequest&) const = default;
};
/// What all places of one token of the sequence add to G, as keys and as queries.
struct TokenResult {
  std::string word;
  std::int64_t context = 0, target = 0;    ///< terms off the diagonal that are there: as key, as query
  double contextNorm = 0, targetNorm = 0;  ///< Frobenius norms of what they add
  double exactRatio = std::nan("");        ///< UpdateToken::exactRatio
  /// NaN where both are 0.
  double ratio() const { return static_cast<double>(context) / static_cast<double>(target); }
};
/// A column or row of W_qk: what the token adds to it (13)-(16), what all tokens add, and the step of W_qk itself over
/// -eta, by the sums over tokens and by the backward pass. [d] each; empty where G is not a gradient.
struct LineResult {
  int at = 0;
  std::vector<double> context, target, whole, byTokens, ofEngine;
};
struct PairResult {
  UpdatePointer of;
  attention::Pair pair;    ///< i: the query of beta_ij
  TokenResult token;       ///< that of the key that was asked for
  LineResult column, row;  ///< of this token
  int side = 0;
  std::shared_ptr<const std::vector<float>> entries;  ///< [side, side], row-major
  double limit = 1;                                   ///< largest modulus
};
using PairPointer = std::shared_ptr<const PairResult>;
/// Places inside the sequence; a column or row that W_qk does not have is the last one.
PairPointer makePair(const PairRequest& request);

}  // namespace sepx::ui
