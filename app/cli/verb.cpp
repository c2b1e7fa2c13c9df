// SPDX-License-Identifier: Apache-2.0
// The list of verbs, in the order of --help.
#include "app/cli/verb.h"

// clang-format off
#define SEPX_VERBS(VERB) \
  VERB(Doctor) \
  VERB(Flow) \
  VERB(Trajectory) \
  VERB(Basin) \
  VERB(Critical) \
  VERB(Gauss) \
  VERB(Optimisers) \
  VERB(Inspect) \
  VERB(Scores) \
  VERB(Heatmap) \
  VERB(Compare) \
  VERB(Tokens) \
  VERB(Forward) \
  VERB(ScoreParts) \
  VERB(Theory) \
  VERB(Train) \
  VERB(Sweep) \
  VERB(Runs) \
  VERB(Reversal) \
  VERB(Reproduce) \
  VERB(Render) \
  VERB(State) \
  VERB(Play) \
  VERB(Lesson) \
  VERB(Grade) \
  VERB(Thumb) \
  VERB(Verify)
// clang-format on

namespace sepx::app::cli {

#define SEPX_DECLARE(NAME) VerbEntry make##NAME();
SEPX_VERBS(SEPX_DECLARE)
#undef SEPX_DECLARE

std::vector<VerbEntry> makeVerbs() {
  std::vector<VerbEntry> all;
#define SEPX_ADD(NAME) all.push_back(make##NAME());
  SEPX_VERBS(SEPX_ADD)
#undef SEPX_ADD
  return all;
}

}  // namespace sepx::app::cli
