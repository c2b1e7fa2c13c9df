// SPDX-License-Identifier: Apache-2.0
// The gradient of W_qk of one head at a saved step, taken apart for one sequence: beta, measures of its symmetry, and
// the term of one pair. Pure, except that it reads the files of the run; any thread.
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
  ModelRequest model;  ///< requests all parameters
  int layer = 0, head = 0;
  std::string text;  ///< empty: the first validation sequence
  bool operator==(const UpdateRequest&) const = default;
};

/// A token of the sequence.
struct UpdateToken {
  std::string word;        ///< the token in the text
  std::string read;        ///< the token that the model reads: [MASK], or the same
  std::int32_t id = 0;     ///< of `word`
  bool predicted = false;  ///< its prediction counts, in a causal model that of the token after it
  /// mu_c/mu_p of Proposition A.9, from the token's frequency at each position of the training sequences. NaN: it does
  /// not occur in them.
  double exactRatio = std::nan("");
};

/// The change of W_qk of the head by one step of gradient descent on W_Q and W_K, divided by -eta
/// (engine/attention/token_lines.h).
struct UpdateStep {
  attention::Matrix byTokens;        ///< from the sums over tokens of Proposition 2.2, with the biases
  attention::Matrix ofEngine;        ///< from the gradients of the backward pass
  double eta = 0;                    ///< learning rate of the next step
  double difference = std::nan("");  ///< |byTokens - ofEngine| / |ofEngine|
  double biases = std::nan("");      ///< norm of the part of the biases, over |ofEngine|; the paper has no biases
};

struct UpdateResult {
  std::int64_t step = 0;
  int layer = 0, head = 0;
  bool isForm = true;  ///< train::UpdateProbe::isForm
  bool masks = false;  ///< the objective hides tokens
  double loss = 0;     ///< nats
  std::vector<UpdateToken> tokens;
  attention::Matrix X, beta;
  attention::BetaSymmetry symmetry;
  attention::MirroredTerms mirrored;
  double paperShare = std::nan("");  ///< (S111) for the predicted positions of this sequence; NaN: nothing is masked
  double rowSum = 0;                 ///< largest modulus of a row sum of beta
  double cosine = std::nan("");      ///< of G and the first-order change of W_qk; NaN if G is not a gradient
  /// Symmetry scores of G and of its parts (attention::GradientParts). NaN for a part that is 0, and if G is not a
  /// gradient.
  double gradient = std::nan(""), own = std::nan(""), both = std::nan(""), single = std::nan("");
  UpdateStep change;                                  ///< of W_qk of the head; empty if G is not a gradient
  std::vector<attention::Pair> strongest;             ///< empty if G is not a gradient
  std::shared_ptr<const std::vector<float>> entries;  ///< beta, row-major
  double limit = 1;                                   ///< 99.5 % of the moduli lie below it
  int places() const { return static_cast<int>(tokens.size()); }
  int predicted() const;
};
using UpdatePointer = std::shared_ptr<const UpdateResult>;

/// Fails with Usage or BadInput and a one-sentence message if the data have no tokens for the text, the layer or head
/// does not exist, or the checkpoint cannot be read.
Result<UpdatePointer> makeUpdate(const UpdateRequest& request);

/// The request for the term of one pair, and for what the token of its key adds to a column and a row.
struct PairRequest {
  UpdatePointer of;
  int i = 0, j = 0;
  int column = -1, row = -1;  ///< -1: those that the step changes most
  bool operator==(const PairRequest&) const = default;
};
/// What all positions of one token of the sequence add to G, as keys and as queries.
struct TokenResult {
  std::string word;
  std::int64_t context = 0, target = 0;    ///< off-diagonal terms that are not 0: as key, as query
  double contextNorm = 0, targetNorm = 0;  ///< Frobenius norms of the parts that they add
  double exactRatio = std::nan("");        ///< UpdateToken::exactRatio
  /// NaN if both are 0.
  double ratio() const { return static_cast<double>(context) / static_cast<double>(target); }
};
/// A column or row of W_qk: what the token adds to it (13)-(16), what all tokens add, and the step of W_qk itself
/// divided by -eta, from the sums over tokens and from the backward pass. [d] each; empty if G is not a gradient.
struct LineResult {
  int at = 0;
  std::vector<double> context, target, whole, byTokens, ofEngine;
};
struct PairResult {
  UpdatePointer of;
  attention::Pair pair;    ///< i: the query of beta_ij
  TokenResult token;       ///< the token of the requested key
  LineResult column, row;  ///< for this token
  int side = 0;
  std::shared_ptr<const std::vector<float>> entries;  ///< [side, side], row-major
  double limit = 1;                                   ///< largest modulus
};
using PairPointer = std::shared_ptr<const PairResult>;
/// The positions must be inside the sequence. A column or row beyond the last one of W_qk is replaced by the last one.
PairPointer makePair(const PairRequest& request);

}  // namespace sepx::ui
