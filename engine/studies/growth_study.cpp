// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/growth_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/studies/growth_bench.h"

namespace sepx::studies {
namespace {

using attention::NormGrowth;
using attention::NormModel;

constexpr int kWidth = 64;
constexpr int kMatrices = 10;         // number of sums for the mean directionality
constexpr std::int64_t kShorter = 4;  // these sums have this many times fewer updates

void addCase(std::vector<Check>& checks, GrowthCase which, const NormModel& model, const NormGrowth& growth,
             const MeanOf& d) {
  const bool rows = which == GrowthCase::EqualContext;
  const char* name = rows ? "Gamma = I, Sigma_mm ~ 1/m" : "Sigma = I, Gamma_kk ~ 1/k";
  const auto add = [&](const char* what, double value, const char* relation, double bound) {
    checks.push_back({0, 0, sentence(what, name), growth.updates, value, relation, bound});
  };
  add(N_("(S56), {}: largest distance of a mean squared norm from its formula, in standard errors"),
      worstNorm(model, growth), "<", 5);
  checks.push_back(
      {0, 0,
       sentence(N_("{}: mean directionality {} of {} sums of {} updates (above 0, rows dominate), in standard errors"),
                name, fmt::format("{:.3f}", d.mean), kMatrices, growth.updates / kShorter),
       kMatrices, d.inErrors(), rows ? ">=" : "<=", rows ? 5.0 : -5.0});
  const double wide = rows ? growth.rowVariance : growth.columnVariance,
               narrow = rows ? growth.columnVariance : growth.rowVariance;
  add(rows ? N_("{}: variance of the norms of rows over that of columns")
           : N_("{}: variance of the norms of columns over that of rows"),
      wide / narrow, ">=", 1);
  // (18) at the outlier threshold of the side that dominates.
  const auto sides = attention::directionality(growth.moments, kPrintedDirectionality);
  const double w = rows ? sides.rows.threshold : sides.columns.threshold;
  add(N_("(18), {}: share of columns above the threshold minus that of rows"), growth.columns.at(w) - growth.rows.at(w),
      rows ? "<" : ">=", rows ? 0 : 1.0 / kWidth);
}

}  // namespace

attention::NormModel growthModel(GrowthCase which, int d, int predicted) {
  const double sigma = which == GrowthCase::EqualContext ? 1 : 0, gamma = 1 - sigma;
  return {attention::powerVariances(d, sigma), attention::powerVariances(d, gamma), predicted};
}

SumsOf sumsOf(const NormModel& model, std::int64_t updates, int matrices, std::uint64_t seed, const Work& work) {
  const auto count = static_cast<std::size_t>(matrices);
  std::vector<double> directionality(count), spread(count);
  work.pool.parallelFor(0, count, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const NormGrowth growth = attention::growNorms(model, updates, seed + i, work.cancelled);
      directionality[i] = attention::scoresOf(growth.moments, kPrintedDirectionality).directionality;
      spread[i] = std::log(growth.rowVariance / growth.columnVariance);
    }
  });
  const auto meanOf = [matrices](const std::vector<double>& values) {
    double sum = 0, squares = 0;
    for (const double value : values) {
      sum += value;
      squares += value * value;
    }
    const double mean = sum / matrices, variance = (squares - sum * mean) / (matrices - 1);
    return MeanOf{mean, std::sqrt(variance / matrices)};
  };
  return {meanOf(directionality), meanOf(spread)};
}

Result<StudyResult> checkNormGrowth(const Work& work) {
  std::vector<Check> checks;
  const std::int64_t updates = work.quick ? 2000 : 20000;
  constexpr std::array kCases{GrowthCase::EqualContext, GrowthCase::EqualPredicted};
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    work.at(static_cast<double>(i) / kCases.size());
    const NormModel model = growthModel(kCases[i], kWidth);
    const std::uint64_t seed = (work.seed * kCases.size() + i) * std::uint64_t{kMatrices + 1};
    const NormGrowth growth = attention::growNorms(model, updates, seed, work.cancelled);
    const MeanOf d = sumsOf(model, updates / kShorter, kMatrices, seed + 1, work).directionality;
    if (work.isCancelled()) return interrupted();
    addCase(checks, kCases[i], model, growth, d);
  }
  return checksOf("attention-structure-theorem-2-3", std::move(checks), work.quick);
}

std::vector<Study> describeGrowth() {
  return {
      {.id = "attention-structure-theorem-2-3",
       .paper = kAttentionStructure,
       .title = N_("Norms of rows and columns of the update of W_qk"),
       .about = N_("sampled updates: (S56), which side dominates"),
       .claim = N_("(S56) holds. (18) does not follow from it: with the context that Proposition A.7 assumes, rows "
                   "dominate; columns dominate where the context's variances differ."),
       .assumptions =
           N_("d = 64, 16 predicted tokens per update, Gaussian embeddings with diagonal covariances, Gaussian beta"),
       .corrected = {"att-8", "att-9"},
       .label = N_("Theorem 2.3"),
       .says = {N_("(17): the mean squared norm of every column is larger than that of the rows m with Σ_mm < Tr "
                   "Σ/d."),
                N_("(18): for every norm above some γ, more columns than rows exceed it, so that columns dominate."),
                N_("Ours: (S56) holds, (18) does not follow from it. The page Norms shows it.")},
       .compute = checkNormGrowth}};
}

}  // namespace sepx::studies
