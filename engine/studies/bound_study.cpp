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
/// Rows: Delta = 10 ... 50. Columns: the number of planes, then c.
constexpr double kPrintedCantelli[5][6] = {{0.978, 0.966, 0.941, 0.989, 0.983, 0.970},
                                           {0.959, 0.930, 0.859, 0.982, 0.969, 0.938},
                                           {0.947, 0.905, 0.791, 0.977, 0.958, 0.906},
                                           {0.942, 0.893, 0.753, 0.974, 0.952, 0.885},
                                           {0.956, 0.922, 0.828, 0.973, 0.949, 0.874}};
constexpr int kTraceReach = 50, kSurrogateReach = 30;
constexpr int kDraws = 50000;         ///< number of draws in the paper
constexpr double kRounding = 0.0005;  ///< rounding error of its printed values
constexpr double kErrors = 3;
constexpr std::uint64_t kDrawSeed = 0;

double asPrinted(double value) {
  return std::round(1000 * value) / 1000;
}

std::string sixDigits(double value) {
  return fmt::format("{:.6f}", value);
}

/// The checks of a table, and its rows on a page: the printed numbers next to ours, which have more digits.
struct Bounds {
  std::vector<Check> checks;
  StudyTable rows;
  Bounds() {
    rows.name = "verdicts";
    rows.inText = false;
    rows.onPage = true;
    rows.columns = {{.key = "number", .title = N_("number"), .share = 5},
                    {.key = "published", .title = N_("published"), .share = 1.2},
                    {.key = "here", .title = N_("here"), .share = 1.2}};
  }
  void add(Check check, Sentence number, double printed, std::string here) {
    Row& row = rows.rows.emplace_back();
    row.cells = {Cell(std::move(number)), Cell(fmt::format("{:.3f}", printed)), Cell(std::move(here))};
    row.verdict = check.verdict();
    row.observed = true;
    checks.push_back(std::move(check));
  }
};

Bounds leastTraces() {
  Bounds bounds;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    const int D = kDimensions[i];
    const reversal::LeastTrace least = reversal::leastTrace(reversal::ropeAngles(D, kBase), kTraceReach);
    const std::string trace = sixDigits(least.trace);
    Check check{0,
                0,
                sentence(N_("minimum trace {} at Delta = {}, rounded as printed"), trace, least.distance),
                kTraceReach,
                asPrinted(least.trace),
                "=",
                kPrintedTrace[i]};
    check.about = sentence("D = {}", D);
    bounds.add(std::move(check), sentence(N_("D = {}, at Δ = {}"), D, least.distance), kPrintedTrace[i], trace);
  }
  return bounds;
}

Bounds cantelliBounds() {
  Bounds bounds;
  for (std::size_t m = 0; m < kPlanes.size(); ++m) {
    const auto angles = reversal::ropeAngles(2 * kPlanes[m], kBase);
    for (int row = 0; row < 5; ++row)
      for (std::size_t c = 0; c < kThresholds.size(); ++c) {
        const int delta = 10 * (row + 1);
        const double bound = reversal::cantelliBound(angles, delta, kThresholds[c]).value_or(std::nan("")),
                     printed = kPrintedCantelli[row][3 * m + c];
        Check check{0,   0,      sentence(N_("bound {}, rounded as printed"), sixDigits(bound)), 1, asPrinted(bound),
                    "=", printed};
        check.about = sentence(N_("m = {} planes, Delta = {}, c = {}"), kPlanes[m], delta, kThresholds[c]);
        bounds.add(std::move(check), sentence(N_("m = {} planes, Δ = {}, c = {}"), kPlanes[m], delta, kThresholds[c]),
                   printed, sixDigits(bound));
      }
  }
  return bounds;
}

Result<Bounds> leastSurrogates(const Work& work) {
  Bounds bounds;
  for (std::size_t i = 0; i < kDimensions.size(); ++i) {
    if (work.isCancelled()) return interrupted();
    const int D = kDimensions[i];
    const auto angles = reversal::ropeAngles(D, kBase);
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
    Check check{
        0,
        0,
        sentence(N_("minimum mean surrogate {} at Delta1 = {}, Delta2 = {}; published {}: their difference, compared "
                    "with rounding and 3 standard errors of 50,000 draws"),
                 sixDigits(least), at[0], at[1], kPrintedSurrogate[i]),
        (kSurrogateReach + 1) * (kSurrogateReach + 1),
        std::abs(least - kPrintedSurrogate[i]),
        "<=",
        kRounding + kErrors * error};
    check.about = sentence("D = {}", D);
    bounds.add(std::move(check), sentence(N_("D = {}, at Δ1 = {}, Δ2 = {}"), D, at[0], at[1]), kPrintedSurrogate[i],
               sixDigits(least));
    work.at(static_cast<double>(i + 1) / static_cast<double>(kDimensions.size()));
  }
  return bounds;
}

template <int Table>
Study boundStudy(Study study) {
  study.form = StudyForm::Table;
  study.paper = kReversal;
  study.assumptions = N_("RoPE with base 10,000; plane weights are Dirichlet(1, …, 1); Assumption 4.2");
  study.compute = [](const Work& work) { return checkBounds(Table, work); };
  study.atOnce = true;
  return study;
}

}  // namespace

Result<StudyResult> checkBounds(int table, const Work& work) {
  const auto made = table == 3   ? Result<Bounds>(leastTraces())
                    : table == 4 ? Result<Bounds>(cantelliBounds())
                                 : leastSurrogates(work);
  if (!made) return tl::unexpected(made.error());
  StudyResult result = checksOf(fmt::format("reversal-table-{}", table).c_str(), made->checks, work.quick);
  result.tables = {made->rows};
  const Study& study = *result.study;
  result.setting = study.corrected.empty()
                       ? sentence(N_("Judged: {}"), study.claim)
                       : sentence(N_("Judged: {} See {} among the errata."), study.claim, study.corrected.front());
  return result;
}

std::vector<Study> describeBounds() {
  return {
      boundStudy<3>(
          {.id = "reversal-table-3",
           .title = N_("The minimum normalised trace of RoPE"),
           .about = N_("minimum trace of RoPE over distances up to 50, D = 64, 128, 256"),
           .claim =
               N_("The minimum of Tr R(2 Delta)/D over Delta = 1 … 50 equals the printed value, which is positive."),
           .label = N_("Table 3"),
           .says = {N_("The minimum of Tr R(2Δ)/D over Δ = 1 … 50 is positive.")}}),
      boundStudy<4>(
          {.id = "reversal-table-4",
           .title = N_("Cantelli's bound on the correlation"),
           .about = N_("Cantelli's bound for 64 and 128 planes, Delta = 10 … 50"),
           .claim = N_(
               "Cantelli's lower bound on the probability that the correlation is at least c equals the printed value."),
           .label = N_("Table 4"),
           .says = {N_("Cantelli's lower bound on the probability that the correlation is at least c.")}}),
      boundStudy<5>(
          {.id = "reversal-table-5",
           .title = N_("The minimum surrogate for unequal distances"),
           .about = N_("minimum mean surrogate over distances up to 30, by quadrature"),
           .claim = N_("The minimum of the mean over plane weights, by exact quadrature, equals the printed "
                       "estimate within its rounding and three standard errors of its 50,000 draws."),
           .corrected = {"rev-2"},
           .label = N_("Table 5"),
           .says = {
               N_("The minimum over Δ1, Δ2 ≤ 30 of the mean of the bound for unequal distances, estimated from random draws."),
               N_("Ours: by exact quadrature, without sampling error.")}})};
}

}  // namespace sepx::studies
