// SPDX-License-Identifier: Apache-2.0
// Proposition A.16 of Attention-Structure: the range of the directionality score, and its distribution for random
// matrices. The range and the meaning of +-1 are tested on matrices with planted rows and columns, against outliers
// counted here directly from the definition. For random matrices the mean must be 0 and the spread must decrease with
// the width.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/random.h"
#include "engine/studies/growth_bench.h"
#include "engine/studies/theorem_study.h"

namespace sepx::studies {
namespace {

using attention::Matrix;

constexpr std::array kMatrixWidths{32, 128, 512};
constexpr int kRandomMatrices = 400, kPlantedMatrices = 300;
constexpr double kSpreadErrors = 5, kMeanErrors = 4;

/// How the entries of a random matrix are drawn; all have mean 0 and a variance of order 1/n.
enum class EntryLaw { Gauss, Uniform, Product };
constexpr std::array kEntryLaws{EntryLaw::Gauss, EntryLaw::Uniform, EntryLaw::Product};
constexpr const char* kEntryLawNames[] = {"Gauss", "uniform", "W_q W_k^T, d_h = n/4"};

Matrix gaussMatrix(Eigen::Index rows, Eigen::Index columns, double deviation, RandomStream& random) {
  Matrix M(rows, columns);
  for (double& entry : M.reshaped<Eigen::RowMajor>())
    entry = deviation * random.normal();
  return M;
}

Matrix randomOf(EntryLaw law, Eigen::Index n, RandomStream& random) {
  const double deviation = 1 / std::sqrt(static_cast<double>(n));
  if (law == EntryLaw::Gauss) return gaussMatrix(n, n, deviation, random);
  if (law == EntryLaw::Product) {
    const Matrix W_q = gaussMatrix(n, n / 4, deviation, random), W_k = gaussMatrix(n, n / 4, deviation, random);
    return W_q * W_k.transpose();
  }
  Matrix M(n, n);
  for (double& entry : M.reshaped<Eigen::RowMajor>())
    entry = deviation * std::sqrt(3.0) * random.uniform(-1, 1);
  return M;
}

/// Number of norms above mean + gamma deviation of their own side [Definition 3.2].
int outliersAbove(const Eigen::VectorXd& norms) {
  const double mean = norms.mean(), deviation = std::sqrt((norms.array() - mean).square().mean());
  return static_cast<int>((norms.array() > mean + kPrintedDirectionality.gamma * deviation).count());
}

/// Numbers of planted matrices: with a score outside [-1, 1]; with another score than +1, -1, 0 or strictly between, as
/// the sides with outliers imply; and by the sides that have outliers.
struct PlantedFaults {
  std::int64_t outside = 0, other = 0, rowsAlone = 0, columnsAlone = 0, both = 0, none = 0;
};
PlantedFaults plantedFaults(std::uint64_t seed) {
  PlantedFaults faults;
  RandomStream random(seed);
  for (int i = 0; i < kPlantedMatrices; ++i) {
    const auto n = static_cast<Eigen::Index>(3 + random.below(30));
    // Without noise, in a third of the matrices, only planted rows and columns are outliers; a constant has none.
    Matrix M = Matrix::Ones(n, n) + gaussMatrix(n, n, i % 3 == 0 ? 0 : 0.3, random);
    if (random.uniform() < 0.6) M.row(static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(n)))) *= 6;
    if (random.uniform() < 0.6) M.col(static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(n)))) *= 6;
    const int rows = outliersAbove(M.rowwise().norm()), columns = outliersAbove(M.colwise().norm().transpose());
    const double d = attention::scoresOf(attention::momentsOf(M), kPrintedDirectionality).directionality;
    faults.outside += std::abs(d) <= 1 ? 0 : 1;
    const bool asCounted = rows > 0 && columns > 0 ? std::abs(d) < 1 : d == (rows > 0 ? 1 : columns > 0 ? -1 : 0);
    faults.other += asCounted ? 0 : 1;
    ++(rows > 0 ? columns > 0 ? faults.both : faults.rowsAlone : columns > 0 ? faults.columnsAlone : faults.none);
  }
  return faults;
}

/// Distribution of the directionality over random matrices.
struct ScoreSpread {
  double mean = 0, deviation = 0, extreme = 0;  ///< extreme: share with |d| = 1
  int count = 0;
  double meanError() const { return deviation / std::sqrt(count); }
  /// Standard error of the deviation, from the fourth moment.
  double error = 0;
};
ScoreSpread scoreSpreadOf(EntryLaw law, int n, int count, std::uint64_t seed, const Work& work) {
  std::vector<double> values(static_cast<std::size_t>(count));
  work.pool.parallelFor(0, values.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last && !work.isCancelled(); ++i) {
      RandomStream random(seed, i);
      const attention::Moments moments = attention::momentsOf(randomOf(law, n, random));
      values[i] = attention::scoresOf(moments, kPrintedDirectionality).directionality;
    }
  });
  const Eigen::ArrayXd d = Eigen::Map<const Eigen::ArrayXd>(values.data(), count);
  ScoreSpread spread{d.mean(), 0, (d.abs() == 1).cast<double>().mean(), count};
  const double variance = (d - spread.mean).square().mean(), fourth = (d - spread.mean).square().square().mean();
  spread.deviation = std::sqrt(variance);
  spread.error = std::sqrt((fourth - variance * variance) / count) / (2 * spread.deviation);
  return spread;
}

Result<StudyResult> checkDirectionality(const Work& work) {
  const int count = work.quick ? kRandomMatrices / 10 : kRandomMatrices;
  std::vector<Check> checks;
  const PlantedFaults faults = plantedFaults(work.seed);
  checks.push_back({0, 0, N_("matrices with planted rows and columns whose score is outside [-1, 1]"), kPlantedMatrices,
                    static_cast<double>(faults.outside), "=", 0});
  checks.push_back({0, 0,
                    sentence(N_("matrices with outliers in rows only ({}), in columns only ({}), in both ({}), in "
                                "neither ({}): scores that are not 1, -1, strictly between, 0, respectively"),
                             faults.rowsAlone, faults.columnsAlone, faults.both, faults.none),
                    kPlantedMatrices, static_cast<double>(faults.other), "=", 0});
  std::uint64_t seed = work.seed * 100;
  for (std::size_t law = 0; law < kEntryLaws.size(); ++law) {
    ScoreSpread before;
    for (const int n : kMatrixWidths) {
      work.at(static_cast<double>(seed - work.seed * 100) / (kMatrixWidths.size() * kEntryLaws.size()));
      const ScoreSpread spread = scoreSpreadOf(kEntryLaws[law], n, count, seed++, work);
      if (work.isCancelled()) return interrupted();
      checks.push_back({0, 0,
                        sentence(N_("{}, n = {}: magnitude of the mean score {}, in standard errors (standard "
                                    "deviation {}, |d| = 1 in {} %)"),
                                 kEntryLawNames[law], n, fmt::format("{:+.3f}", spread.mean),
                                 fmt::format("{:.2f}", spread.deviation), fmt::format("{:.0f}", 100 * spread.extreme)),
                        count, std::abs(spread.mean) / spread.meanError(), "<", kMeanErrors});
      if (before.count > 0)
        checks.push_back({0, 0,
                          sentence(N_("{}, n = {}: decrease of the standard deviation from n = {}, in standard errors"),
                                   kEntryLawNames[law], n, n / 4),
                          count, (before.deviation - spread.deviation) / std::hypot(before.error, spread.error),
                          ">=", work.quick ? 2 : kSpreadErrors});
      before = spread;
    }
  }
  return checksOf("attention-structure-proposition-a-16", std::move(checks), work.quick);
}

}  // namespace

std::vector<Study> describeDirection() {
  return {
      {.id = "attention-structure-proposition-a-16",
       .paper = kAttentionStructure,
       .title = N_("The values of the directionality score"),
       .about = N_("range of the score, the meaning of 1 and -1, random matrices of growing width"),
       .claim = N_("The score lies between -1 and 1, and is 1 (-1) where only rows (columns) have outliers. For "
                   "random matrices its mean is 0, and its standard deviation falls slowly with the width: at n = 32 "
                   "many have a score of 1 or -1."),
       .assumptions = N_("Definition 3.2 as printed, γ = 2; independent entries of mean 0 and variance of order 1/n, "
                         "or a product of two such matrices"),
       .corrected = {"att-4", "att-5"},
       .label = N_("Proposition A.16"),
       .says = {N_("The score lies in [-1, 1]; 1 or -1: only rows or only columns have outliers."),
                N_("The score of a random matrix tends to 0 for n → ∞.")},
       .compute = checkDirectionality}};
}

}  // namespace sepx::studies
