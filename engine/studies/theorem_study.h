// SPDX-License-Identifier: Apache-2.0
// Numerical checks of the theorems of Local-to-Global: gradients, Hessians and losses on the critical sets, and
// integrated orbits against what the theorems say about their ends. Where the paper is wrong, the corrected statement
// is checked. The kind of a critical point is checked by the losses of its neighbours, because the signs of a Hessian
// decide nothing where it has zero eigenvalues, as on whole sets of this model. Quantities that vanish by the form of
// their own formula, such as the gradient without a free bias at e = 0 and dw/dt at w = 0, are not checked.
// For Theorems 2, 3 and 8 the orbits of the polynomial field -+grad S are followed up to S = S_star or e = 0, and not
// the flow in time. Two chains on the same side of p + q = 1 have the same orbits, so they are two tests only because
// their initial points differ. A separate integration in time (LSODA, outside this program) found the same kinds for
// 239 initial points in the plane and 300 in the space. Deterministic for a seed on any number of threads. Worker
// threads only.
#pragma once

#include <vector>

#include "engine/studies/study.h"

namespace sepx::studies {

/// The result of a study that has only checks to show, such as a theorem or a bound.
StudyResult checksOf(const char* id, std::vector<Check> checks, bool quick);

/// `theorem`: 1, 2, 3, 6, 7, 8, 9 or 10. Quick: a tenth of the points.
Result<StudyResult> checkTheorem(int theorem, const Work& work);

}  // namespace sepx::studies
