// SPDX-License-Identifier: Apache-2.0
// The flow of the canonical (e,w) model, -grad L = -Lambda'(S) (2 e v, 4 e^2 |w|) with S = e^2 v, v = 1 + 2 w|w|, at
// many points at once: a loop over lanes with one exponential and one square root per point, for images that need
// millions of points. Any thread.
#pragma once

#include <span>

#include "engine/core/gemm.h"
#include "engine/markov/chain.h"

namespace sepx::markov {

/// (fe[i], fw[i]) at (e[i], w[i]); all spans have the same size. Agrees with -gradient() of canonical_model.h within
/// 1e-12 (1 + |f|). `level`: the instruction set, as for matrix products; a level that the machine does not support is
/// lowered.
void canonicalMany(const Chain& chain, std::span<const double> e, std::span<const double> w, std::span<double> fe,
                   std::span<double> fw, GemmLevel level = gemmLevel());

}  // namespace sepx::markov
