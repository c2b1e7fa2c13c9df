// SPDX-License-Identifier: Apache-2.0
// The charts of the bench for Theorem 2.3 of Attention-Structure: theory and measurement in each. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/studies/growth_bench.h"
#include "ui/views/line_chart.h"

namespace sepx::ui {

/// What Lemma A.11 is tried on: one mean, two deviations, a threshold z.
struct LemmaChoice {
  double mean = 10, wide = 4.97, narrow = 1, z = 12.5;
  bool operator==(const LemmaChoice&) const = default;
  /// One sentence; empty: there is a counterexample for these numbers.
  std::string problem() const;
};
/// Two laws of that mean and these deviations; nothing where problem() says why.
std::optional<attention::TailExample> lemmaExample(const LemmaChoice& choice);

struct NormsState {
  studies::GrowthOptions options;
  int column = 1;  ///< k of (S56), from 1
  LemmaChoice lemma;
};

/// The equation that has the mean squared norms: "(S56)".
const char* normsFormula(attention::TokenRole role);

/// Ratio of the mean squared norm of column `k` to that of row m (from 0), measured, with its standard error.
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
