// SPDX-License-Identifier: Apache-2.0
// Symmetry and directionality of W_qk [Attention-Structure, Definitions 3.1 and 3.2, corrected: remarks att-1
// and att-4]. Everything in double precision; sums in a fixed order, so that the thread count does not change a bit.
//   s = (|M_s|^2 - |M_n|^2) / |M|^2 = Tr(MM) / |M|^2        in [-1, 1]
//   d = (r - c) / (r + c)                                    in [-1, 1]; 0/0 is 0
// r, c: over the rows (columns) whose norm exceeds mean + gamma * deviation, the sum of norms (`Sum`, as printed) or of
// their excess over the threshold (`Excess`, behind the published tables). Any thread; `pool` may be null.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

enum class Directionality { Excess, Sum };  ///< as printed in the text, or as the authors' code sums it

struct ScoreOptions {  ///< how scores are counted
  double gamma = 2;    ///< deviations above the mean from which a norm counts as outlying
  /// Excess: what of an outlying norm lies above the threshold is summed; Sum: the whole norm.
  Directionality variant = Directionality::Excess;
  int ddof = 1;  ///< of the deviation: 1 for Excess, 0 for Sum by convention
  /// ddof as the convention has it.
  static int usualDdof(Directionality variant) { return variant == Directionality::Excess ? 1 : 0; }
  bool operator==(const ScoreOptions&) const = default;
};

/// What one pass over W_qk gives: enough for every score at every gamma.
struct Moments {
  Eigen::VectorXd rowNorms, columnNorms;  ///< 2-norms, [rows], [columns]
  double traceMM = 0;                     ///< Tr(MM); NaN where W_qk is not square
  double frobenius2 = 0;                  ///< |M|_F^2
  std::size_t nonfinite = 0;  ///< entries of the factors that are NaN or infinite; norms are then NaN where they enter
};

/// From the matrix itself, [n, m].
Moments momentsOf(const Eigen::Ref<const Matrix>& M);
/// From the factors: without forming the matrix where that is cheaper (one head), by tiles of the product otherwise.
/// `cancelled` is asked between tiles; an empty answer then.
std::optional<Moments> momentsOf(const LayerFactors& factors, ThreadPool* pool = nullptr,
                                 const std::function<bool()>& cancelled = {});
/// The same for every head at once; element h equals momentsOf(headOf(factors, h)).
std::optional<std::vector<Moments>> momentsOfHeads(const LayerFactors& factors, ThreadPool* pool = nullptr,
                                                   const std::function<bool()>& cancelled = {});

/// NaN for a matrix that is not square, is zero, or has non-finite entries.
double symmetry(const Moments& moments);
/// (1 + s) / 2: the scale of the published code.
double symmetryCode(double s);

/// Of rows or of columns: the norms above mean + gamma * deviation.
struct OutlyingNorms {
  double threshold = 0;            ///< mean + gamma * deviation
  double mean = 0, deviation = 0;  ///< of all norms
  std::size_t outliers = 0;        ///< norms above the threshold
  double sum = 0, excess = 0;      ///< of the outlying norms; of what of them lies above the threshold
};
struct DirectionalityParts {    ///< the norms of which directionality is made
  OutlyingNorms rows, columns;  ///< of W_qk
  double value = 0;             ///< directionality, -1 (columns) to 1 (rows); NaN: entries that are not finite
};
DirectionalityParts directionality(const Moments& moments, const ScoreOptions& options);
/// With thresholds that a person has dragged, in place of mean + gamma * deviation.
double directionalityAt(const Moments& moments, double rowThreshold, double columnThreshold, Directionality variant);
/// The gamma that puts the threshold of rows or columns there.
double gammaAt(const OutlyingNorms& side, double threshold);

struct Scores {
  double symmetry = 0, directionality = 0;  ///< -1 to 1; NaN: not defined
};
Scores scoresOf(const Moments& moments, const ScoreOptions& options);  ///< symmetry and directionality of one matrix

/// Median and quartiles by linear interpolation (type 7); NaN values are left out, all NaN when nothing is left.
struct Quartiles {
  double median = 0, q1 = 0, q3 = 0;  ///< of the values that are not NaN
};
Quartiles quartiles(std::vector<double> values);

}  // namespace sepx::attention
