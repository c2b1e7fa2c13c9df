// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/bound_study.h"

#include <array>
#include <cmath>

#include "engine/reversal/rope_bounds.h"
#include "engine/reversal/rope_correlation.h"

namespace sepx::studies {
namespace {

constexpr double kBase = 10000;
constexpr std::array kDimensions{64, 128, 256};
constexpr std::array kPrintedTrace{0.337, 0.384, 0.410};
constexpr std::array kPrintedSurrogate{0.275, 0.363, 0.395};
constexpr std::array kPlanes{64, 128};
constexpr std::array kThresholds{0.1, 0.2, 0.3};
/// By Delta = 10 ... 50; c within the number of planes.
constexpr double kPrintedCantelli[5][6] = {{0.978, 0.966, 0.941, 0.989, 0.983, 0.970},
                                           {0.959, 0.930, 0.859, 0.982, 0.969, 0.938},
                                           {0.947, 0.905, 0.791, 0.977, 0.958, 0.906},
                                           {0.942, 0.893, 0.753, 0.974, 0.952, 0.885},
                                           {0.956, 0.922, 0.828, 0.973, 0.949, 0.874}};
constexpr int kTraceReach = 50, kSurrogateReach = 30;
constexpr int kDraws = 50000;         ///< of the paper
constexpr double kRounding = 0.0005;  ///< of its print
constexpr double kErrors = 3;
constexpr std::uint64_t kDrawSeed = 0;

double asPrinted(double value) {
  return std::round(1000 * value) / 1000;
}

std::vector<Check> leastTraces() {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    const reversal::LeastTrace least = reversal::leastTrace(reversal::ropeAngles(kDimensions[i], kBase), kTraceReach);
    checks.push_back({0, 0,
                      sentence(N_("D = {}: least trace {} at Delta = {}, rounded as printed"), kDimensions[i],
                               fmt::format("{:.6f}", least.trace), least.distance),
                      kTraceReach, asPrinted(least.trace), "=", kPrintedTrace[i]});
  }
  return checks;
}

std::vector<Check> cantelliBounds() {
  std::vector<Check> checks;
  for (std::size_t m = 0; m < kPlanes.size(); ++m) {
    const auto angles = reversal::ropeAngles(2 * kPlanes[m], kBase);
    for (int row = 0; row < 5; ++row)
      for (std::size_t c = 0; c < kThresholds.size(); ++c) {
        const int delta = 10 * (row + 1);
        const double bound = reversal::cantelliBound(angles, delta, kThresholds[c]).value_or(std::nan(""));
        checks.push_back({0, 0,
                          sentence(N_("m = {} planes, Delta = {}, c = {}: bound {}, rounded as printed"), kPlanes[m],
                                   delta, kThresholds[c], fmt::format("{:.6f}", bound)),
                          1, asPrinted(bound), "=", kPrintedCantelli[row][3 * m + c]});
      }
  }
  return checks;
}

Result<std::vector<Check>> leastSurrogates(const Work& work) {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    if (work.isCancelled()) return interrupted();
    const auto angles = reversal::ropeAngles(kDimensions[i], kBase);
    double least = 0;
    int at[2] = {0, 0};
    for (int forward = 0; forward <= kSurrogateReach; ++forward)
      for (int reverse = forward; reverse <= kSurrogateReach; ++reverse) {  // the mean is symmetric in both
        const double mean = reversal::asymmetricBound(angles, forward, reverse);
        if ((forward != 0 || reverse != 0) && mean >= least) continue;
        least = mean;
        at[0] = forward;
        at[1] = reverse;
      }
    const double error = reversal::sampledAsymmetricBound(angles, at[0], at[1], kDraws, kDrawSeed).error;
    checks.push_back({0, 0,
                      sentence(N_("D = {}: least mean surrogate {} at Delta1 = {}, Delta2 = {}; published {}: their "
                                  "distance, against rounding and 3 standard errors of 50,000 draws"),
                               kDimensions[i], fmt::format("{:.6f}", least), at[0], at[1], kPrintedSurrogate[i]),
                      (kSurrogateReach + 1) * (kSurrogateReach + 1), std::abs(least - kPrintedSurrogate[i]),
                      "<=", kRounding + kErrors * error});
    work.at(static_cast<double>(i + 1) / static_cast<double>(kDimensions.size()));
  }
  return checks;
}

}  // namespace

Result<TheoremReport> checkBounds(int table, const Work& work) {
  TheoremReport report;
  report.kind = StudyKind::Bounds;
  report.theorem = table;
  report.quick = work.quick;
  if (table == 3) report.checks = leastTraces();
  if (table == 4) report.checks = cantelliBounds();
  if (table != 5) return report;
  auto checks = leastSurrogates(work);
  if (!checks) return tl::unexpected(checks.error());
  report.checks = std::move(*checks);
  return report;
}

}  // namespace sepx::studies
