// SPDX-License-Identifier: Apache-2.0
// The charts of the test bench for Theorem 2.3 of Attention-Structure. They show measured values, and the formulas if
// there are any. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/studies/growth_bench.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// The numbers for a test of Lemma A.11: the common mean, two standard deviations and a threshold z.
struct LemmaChoice {
  double mean = 10, wide = 4.97, narrow = 1, z = 12.5;
  bool operator==(const LemmaChoice&) const = default;
  /// Why there is no counterexample for these numbers, one sentence; empty: there is one.
  std::string problem() const;
};
/// Two distributions with that mean and these deviations. Empty optional if problem() is not empty.
std::optional<attention::TailExample> lemmaExample(const LemmaChoice& choice);

struct NormsState {
  studies::GrowthOptions options;
  int column = 1;  ///< k of (S56), from 1
  LemmaChoice lemma;
};

/// Number of the equation for the ratio of the mean squared norms in this role of t*: "(S56)".
const char* normsFormula(attention::TokenRole role);

/// The measured ratio of the mean squared norm of column `k` to that of row `m` (both from 0), with its standard error.
struct MeasuredRatio {
  double value = 0, error = 0;
};
MeasuredRatio measuredRatio(const attention::NormGrowth& growth, Eigen::Index k, Eigen::Index m);

LineChart squaredNormsChart(const studies::GrowthBench& bench, const Theme& theme);
LineChart ratioChart(const studies::GrowthBench& bench, int column, const Theme& theme);
LineChart survivalChart(const studies::GrowthBench& bench, const Theme& theme);
LineChart directionalityChart(const studies::GrowthBench& bench, const Theme& theme);
LineChart lemmaChart(const LemmaChoice& choice, const Theme& theme);

}  // namespace sepx::ui
