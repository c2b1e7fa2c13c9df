// SPDX-License-Identifier: Apache-2.0
// See study_times.h.
#include "ui/published/study_times.h"

namespace sepx::ui {

namespace {

/// CPU time in seconds, measured in November 2026 with `sepx reproduce ID --quick --threads 1`.
constexpr std::pair<std::string_view, double> kSeconds[] = {
    {"attention-structure-theorem-2-3", 0.5},
    {"attention-structure-theorem-2-4", 8.0},
    {"attention-structure-figure-3", 34},
    {"attention-structure-table-1", 33},
    {"attention-structure-corollary-a-8", 0.9},
    {"attention-structure-corollary-a-12", 11.7},
    {"attention-structure-proposition-a-16", 0.9},
    {"attention-structure-table-3", 14},
    {"attention-structure-figure-s3", 74},
    {"attention-structure-figure-s4", 75},
    {"attention-structure-figure-s5", 16},
    {"local-to-global-figure-3", 2.7},
    {"local-to-global-figure-4", 3.7},
    {"local-to-global-figure-6", 2.6},
    {"local-to-global-appendix-c", 1.7},
    {"local-to-global-order-k", 1.8},
    {"reversal-proposition-4-1", 0.4},
    {"reversal-proposition-4-5", 0.4},
    {"reversal-figure-3", 26},
    {"reversal-table-1", 7.3},
    {"reversal-table-2", 8.5},
};

}  // namespace

std::span<const std::pair<std::string_view, double>> studySeconds() {
  return kSeconds;
}

double quickSeconds(const studies::Study& study) {
  for (const auto& [id, seconds] : kSeconds)
    if (id == study.id) return seconds;
  return 0;
}

}  // namespace sepx::ui
