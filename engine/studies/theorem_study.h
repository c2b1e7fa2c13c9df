// SPDX-License-Identifier: Apache-2.0
// The theorems of Local-to-Global, checked by numbers: gradients, Hessians and losses on the critical sets, integrated
// orbits against what the theorems say of their ends. Where the paper is wrong the corrected statement is checked.
// Kinds of critical points are checked by the losses of neighbours: signs of a Hessian decide nothing where it has
// zeros, as on whole sets of this model. What vanishes by the form of its own formula, as the gradient without a free
// bias at e = 0 and dw/dt at w = 0, is not checked.
//
// Theorems 2, 3 and 8 follow the orbits of the polynomial field -+grad S up to S = S_star or e = 0 and not the flow in
// time: two chains on one side of p + q = 1 have the same orbits, so that only other starts make them two tests. A
// separate integration in time (LSODA, outside this program) found the same kinds for 239 starts of the plane and 300
// of the space. Deterministic for a seed on any number of threads. Workers only.
#pragma once

#include <vector>

#include "engine/studies/study.h"

namespace sepx::studies {

/// Checks that are all that there is to show of a study: of a theorem, of a bound.
StudyResult checksOf(const char* id, std::vector<Check> checks, bool quick);

/// `theorem`: 1, 2, 3, 6, 7, 8, 9 or 10. Quick: a tenth of the points.
Result<StudyResult> checkTheorem(int theorem, const Work& work);

}  // namespace sepx::studies
