// SPDX-License-Identifier: Apache-2.0
// The theorems of Local-to-Global, checked by numbers: gradients, Hessians and losses on the critical sets, integrated
// orbits against what the theorems say of their ends. Where the paper is wrong the corrected statement is checked, and
// the errata that correct it are named. Deterministic for a seed on any number of threads. Main thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/json_out.h"
#include "engine/core/thread_pool.h"

namespace sepx::app::cli {

/// One number and what it must be.
struct TheoremCheck {
  double p = 0, q = 0;
  std::string what;     ///< one line
  std::int64_t points;  ///< that it was taken over
  double value = 0;
  const char* relation = "<";  ///< value relation bound: "<" or "="
  double bound = 0;
  bool passed() const { return std::string_view(relation) == "<" ? value < bound : value == bound; }
};

struct TheoremReport {
  int theorem = 0;
  bool quick = false;
  const char* statement = "";          ///< what was checked, in one sentence, translated
  std::vector<const char*> corrected;  ///< ids of errata (ui/properties/errata.h)
  std::vector<TheoremCheck> checks;
  bool passed() const;
};

struct TheoremEntry {
  int theorem;
  std::string id;  ///< "local-to-global-theorem-2"
  const char* about;
};
const std::vector<TheoremEntry>& theoremEntries();

/// `theorem` is one of theoremEntries(). `quick`: a tenth of the points.
TheoremReport checkTheorem(int theorem, bool quick, std::uint64_t seed, ThreadPool& pool);

Json theoremJson(const TheoremReport& report);
std::string theoremText(const TheoremReport& report);

}  // namespace sepx::app::cli
