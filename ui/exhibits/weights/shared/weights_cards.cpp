// SPDX-License-Identifier: Apache-2.0
// The cards of the Weights exhibit: formulas as corrected (SCIENCE, errata att-1 to att-5), the same with the present
// numbers, and which of the paper's errors a person should know there. Getters compute no more than a formula.
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/weights/shared/weights_declare.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

std::string n(double value) {
  return formulaNumber(value, 4);
}

constexpr const char* kForm = "W_{qk} = \\sum_{h=1}^{H} W_Q^h\\,(W_K^h)^\\top";
constexpr const char* kSymmetry =
    "s = \\frac{\\mathrm{Tr}(MM)}{\\Vert M\\Vert_F^2} = "
    "\\frac{\\Vert M_s\\Vert_F^2-\\Vert M_n\\Vert_F^2}{\\Vert M\\Vert_F^2},\\quad "
    "M_{s,n} = \\frac{M\\pm M^\\top}{2}";
constexpr const char* kOutlying = "\\Vert m_{i,\\cdot}\\Vert>\\tau_r";
constexpr const char* kTail = " \\\\ \\tau &= \\mu+\\gamma\\,\\sigma";

/// `term`: what an outlying row adds to r.
std::string directionalityOf(const std::string& term) {
  std::string formula = "d &= \\frac{r-c}{r+c},\\quad r = \\sum_{";
  formula += kOutlying;
  formula += "}";
  formula += term;
  formula += ",\\quad c\\text{ ";
  formula += tr("likewise of columns");
  formula += "}";
  return formula += kTail;
}

/// Both variants: which one is meant is a choice.
std::string directionalityFormula() {
  std::string term = "\\begin{cases}\\Vert m_{i,\\cdot}\\Vert-\\tau_r & \\text{";
  term += tr("excess");
  term += "} \\\\ \\Vert m_{i,\\cdot}\\Vert & \\text{";
  term += tr("sum");
  return directionalityOf(term += "}\\end{cases}");
}

std::string excessFormula() {
  return directionalityOf("\\left(\\Vert m_{i,\\cdot}\\Vert-\\tau_r\\right)");
}

std::string sumFormula() {
  return directionalityOf("\\Vert m_{i,\\cdot}\\Vert");
}

std::string symmetryNumbers(const WeightsShared& live) {
  if (!live.moments || !std::isfinite(live.scores.symmetry)) return {};
  return fmt::format("s = \\frac{{{}}}{{{}}} = {}", n(live.moments->traceMM), n(live.moments->frobenius2),
                     formulaFixed(live.scores.symmetry));
}

/// `excess`: that variant; the parts are of the variant that is chosen.
std::string directionalityNumbers(const WeightsShared& live, bool excess) {
  if (!live.moments) return {};
  const auto variant = excess ? attention::Directionality::Excess : attention::Directionality::Sum;
  attention::ScoreOptions options = live.state.score;
  if (options.variant != variant) options = {options.gamma, variant, attention::ScoreOptions::usualDdof(variant)};
  const attention::DirectionalityParts parts = attention::directionality(*live.moments, options);
  if (!std::isfinite(parts.value)) return {};
  const double r = excess ? parts.rows.excess : parts.rows.sum, c = excess ? parts.columns.excess : parts.columns.sum;
  return fmt::format(
      "\\tau_r &= {}+{}\\cdot{} = {},\\quad \\tau_c = {}+{}\\cdot{} = {} \\\\ r &= {},\\quad c = {} \\\\ d &= "
      "\\frac{{{}-{}}}{{{}+{}}} = {}",
      n(parts.rows.mean), formulaFactor(options.gamma, 3), n(parts.rows.deviation), n(parts.rows.threshold),
      n(parts.columns.mean), formulaFactor(options.gamma, 3), n(parts.columns.deviation), n(parts.columns.threshold),
      n(r), n(c), n(r), n(c), n(r), n(c), formulaFixed(parts.value));
}

std::string bandNumbers(const WeightsShared& live, const attention::Band& band, const char* symbol) {
  if (live.band.samples == 0 || !live.factors) return {};
  return fmt::format("n = {},\\quad {}\\le {}\\le {}", live.factors->rows(), n(band.low), symbol, n(band.high));
}

std::string thresholdNumbers(const attention::Side& side) {
  return fmt::format("\\tau = {}+{}\\cdot\\sigma = {}", n(side.mean),
                     n(side.deviation > 0 ? (side.threshold - side.mean) / side.deviation : 0), n(side.threshold));
}

}  // namespace

void declareWeightsCards(PropertyRegistry& registry, const WeightsShared& live) {
  const auto add = [&](std::string_view key, std::string formula, std::function<std::string(int)> numbers,
                       std::vector<std::string> errata) {
    registry.explain(key, {std::move(formula), std::move(numbers), std::move(errata), {}});
  };
  add("weights.symmetry", kSymmetry, [&live](int) { return symmetryNumbers(live); }, {"att-1", "att-2", "att-3"});
  add("weights.directionality", directionalityFormula(),
      [&live](int) {
        return directionalityNumbers(live, live.state.score.variant == attention::Directionality::Excess);
      },
      {"att-4", "att-5"});
  add("weights.directionality.excess", excessFormula(), [&live](int) { return directionalityNumbers(live, true); },
      {"att-4", "att-5"});
  add("weights.directionality.sum", sumFormula(), [&live](int) { return directionalityNumbers(live, false); },
      {"att-4", "att-5"});
  add("weights.median.symmetry", kSymmetry, {}, {"att-1"});
  add("weights.median.directionality", directionalityFormula(), {}, {"att-4"});
  add("weights.board[].symmetry", kSymmetry, {}, {"att-1"});
  add("weights.board[].directionality", directionalityFormula(), {}, {"att-4"});
  for (const char* key : {"weights.band.symmetry.low", "weights.band.symmetry.high"})
    add(key, "\\mathrm{E}[s] &= \\frac1n \\\\ \\mathrm{sd}[s] &\\approx \\frac{\\sqrt2}{n}",
        [&live](int) { return bandNumbers(live, live.band.symmetry, "s"); }, {"att-3"});
  for (const char* key : {"weights.band.directionality.low", "weights.band.directionality.high"})
    add(key, "\\mathrm{E}[d] = 0", [&live](int) { return bandNumbers(live, live.band.directionality, "d"); },
        {"att-5"});
  add("weights.threshold.row", "\\tau_r = \\mu_r+\\gamma\\,\\sigma_r",
      [&live](int) { return live.moments ? thresholdNumbers(live.parts.rows) : std::string(); }, {"att-4"});
  add("weights.threshold.column", "\\tau_c = \\mu_c+\\gamma\\,\\sigma_c",
      [&live](int) { return live.moments ? thresholdNumbers(live.parts.columns) : std::string(); }, {"att-4"});
  add("weights.outliers.rows", "\\sum_i\\mathbb{1}\\left[\\Vert m_{i,\\cdot}\\Vert>\\tau_r\\right]", {}, {"att-4"});
  add("weights.outliers.columns", "\\sum_j\\mathbb{1}\\left[\\Vert m_{\\cdot,j}\\Vert>\\tau_c\\right]", {}, {"att-4"});
  add("weights.score.gamma", "\\tau = \\mu+\\gamma\\,\\sigma", {}, {"att-4"});
  add("weights.score.variant", directionalityFormula(), {}, {"att-4"});
  add("weights.head", kForm, {}, {});
  add("weights.part", "M = M_s+M_n,\\quad M_{s,n} = \\frac{M\\pm M^\\top}{2}", {}, {"att-1"});
}

}  // namespace sepx::ui
