// SPDX-License-Identifier: Apache-2.0
// Tables 3, 4 and 5 of Reversal: bounds of the correlation of forward and reverse scores with RoPE, computed without a
// model (engine/reversal/rope_bounds.h). Tables 3 and 4 must agree in every printed digit. Table 5, which the paper
// estimates from 50,000 draws, is computed by exact quadrature; the printed values must agree within their rounding and
// three standard errors of that many draws. The value for D = 256 differs by more (erratum rev-2). Any thread.
#pragma once

#include "engine/studies/theorem_study.h"

namespace sepx::studies {

/// `table`: 3, 4 or 5. Quick has no effect, because none takes long.
Result<StudyResult> checkBounds(int table, const Work& work);

}  // namespace sepx::studies
