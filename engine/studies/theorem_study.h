// SPDX-License-Identifier: Apache-2.0
// The theorems of Local-to-Global, checked by numbers: gradients, Hessians and losses on the critical sets, integrated
// orbits against what the theorems say of their ends. Where the paper is wrong the corrected statement is checked.
// Deterministic for a seed on any number of threads. Workers only.
#pragma once

#include <vector>

#include "engine/studies/study.h"

namespace sepx::studies {

struct TheoremReport {
  StudyKind kind = StudyKind::Theorem;
  int theorem = 0;
  bool quick = false;
  std::vector<Check> checks;
  const Study& study() const { return studyOf(kind, theorem); }
  bool passed() const { return studies::passed(checks); }
};

/// `theorem`: the number of a study. Quick: a tenth of the points.
Result<TheoremReport> checkTheorem(int theorem, const Work& work);

}  // namespace sepx::studies
