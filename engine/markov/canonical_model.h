// SPDX-License-Identifier: Apache-2.0
// The canonical one-layer transformer: loss, gradient and Hessian in (e,w), (e,w,b), (e,w,a), (e,w,a,b). Theta is
// ordered e, w, then a if the model has it, then b if it is free; without a free bias, b = b*(theta) (Lemma 5). Pure
// functions. Published / corrected: the constant of the free-bias logits keeps |1 + a e^2| (errata 4, 5, 12).
#pragma once

#include <optional>
#include <string_view>

#include "engine/dynamics/vector_field.h"
#include "engine/markov/chain.h"
#include "engine/markov/lambda.h"

namespace sepx::markov {

using dynamics::Jacobian;
using dynamics::State;

enum class Model { EW, EWB, EWA, EWAB };                    ///< the letters are the parameters that move
std::optional<Model> modelFromName(std::string_view name);  ///< "ew" | "ewb" | "ewa" | "ewab"
std::string_view modelName(Model model);                    ///< inverse of modelFromName()
/// Number of parameters that move.
constexpr int dimension(Model model) {
  return model == Model::EW ? 2 : model == Model::EWAB ? 4 : 3;
}
/// Whether the attention strength a moves; otherwise a = 0.
constexpr bool hasAttention(Model model) {
  return model == Model::EWA || model == Model::EWAB;
}
/// Whether b moves; otherwise b = b*(theta).
constexpr bool hasFreeBias(Model model) {
  return model == Model::EWB || model == Model::EWAB;
}

/// S = e^2 (1 + a e^2)(1 + 2 w|w|)
double reducedS(Model model, const State& theta);
/// b* = c(S) + S/2 - e^2 w|w| |1 + a e^2|
double optimalBias(const Chain& chain, Model model, const State& theta);

struct Evaluation {  ///< loss and gradient at a point
  double S = 0;      ///< reducedS()
  double loss = 0;   ///< nats
  double bias = 0;   ///< b* or the free b
  State gradient;    ///< [dimension]
  Jacobian hessian;  ///< [dimension, dimension]
};
/// Finite for every finite theta whose S is finite; components overflow to +-inf only where the true value does.
Evaluation evaluate(const Chain& chain, Model model, const State& theta);
double loss(const Chain& chain, Model model, const State& theta);
State gradient(const Chain& chain, Model model, const State& theta);
/// Eigenvalues in ascending order; all NaN if the Hessian is not finite.
State hessianEigenvalues(const Jacobian& hessian);

}  // namespace sepx::markov
