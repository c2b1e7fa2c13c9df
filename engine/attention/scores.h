// SPDX-License-Identifier: Apache-2.0
// Symmetry and directionality of W_qk [Attention-Structure, Definitions 3.1 and 3.2, corrected: remarks att-1
// and att-4]. Double precision throughout. Sums have a fixed order, so that results have the same bits for every thread
// count.
//   s = (|M_s|^2 - |M_n|^2) / |M|^2 = Tr(MM) / |M|^2        in [-1, 1]
//   d = (r - c) / (r + c)                                    in [-1, 1]; 0/0 is 0
// r, c: over the rows (columns) whose norm exceeds mean + gamma * deviation, the sum of norms (`Sum`, as printed in the
// text) or of their excess over the threshold (`Excess`, used for the published tables). Any thread; `pool` may be
// null.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "engine/attention/factors.h"
#include "engine/core/thread_pool.h"

namespace sepx::attention {

enum class Directionality { Excess, Sum };  ///< Excess: as in the authors' code; Sum: as printed in the text

struct ScoreOptions {  ///< how scores are computed
  double gamma = 2;    ///< a norm is an outlier above mean + gamma * deviation
  /// Excess: sums the part of each outlying norm above the threshold; Sum: sums the whole norms.
  Directionality variant = Directionality::Excess;
  int ddof = 1;  ///< delta degrees of freedom of the deviation; by convention 1 for Excess, 0 for Sum
  /// The conventional ddof.
  static int usualDdof(Directionality variant) { return variant == Directionality::Excess ? 1 : 0; }
  bool operator==(const ScoreOptions&) const = default;
};

/// The result of one pass over W_qk, sufficient for every score at every gamma.
struct Moments {
  Eigen::VectorXd rowNorms, columnNorms;  ///< 2-norms, [rows], [columns]
  double traceMM = 0;                     ///< Tr(MM); NaN if W_qk is not square
  double frobenius2 = 0;                  ///< |M|_F^2
  std::size_t nonfinite = 0;  ///< number of NaN or infinite entries of the factors; the norms that they affect are NaN
};

/// Moments of a matrix [n, m] that is given explicitly.
Moments momentsOf(const Eigen::Ref<const Matrix>& M);
/// Moments from the factors: without forming the matrix if that is cheaper (one head), otherwise by tiles of the
/// product. `cancelled` is called between tiles; empty optional if cancelled.
std::optional<Moments> momentsOf(const LayerFactors& factors, ThreadPool* pool = nullptr,
                                 const std::function<bool()>& cancelled = {});
/// The same for all heads; element h equals momentsOf(headOf(factors, h)).
std::optional<std::vector<Moments>> momentsOfHeads(const LayerFactors& factors, ThreadPool* pool = nullptr,
                                                   const std::function<bool()>& cancelled = {});

/// NaN for a matrix that is not square, is zero, or has non-finite entries.
double symmetry(const Moments& moments);
/// (1 + s) / 2: the scale of the published code.
double symmetryCode(double s);

/// The norms of rows or of columns above mean + gamma * deviation.
struct OutlyingNorms {
  double threshold = 0;            ///< mean + gamma * deviation
  double mean = 0, deviation = 0;  ///< mean and deviation of all norms
  std::size_t outliers = 0;        ///< number of norms above the threshold
  double sum = 0, excess = 0;      ///< sum of the outlying norms, and of their parts above the threshold
};
struct DirectionalityParts {    ///< the components of directionality
  OutlyingNorms rows, columns;  ///< of W_qk
  double value = 0;             ///< directionality, -1 (columns) to 1 (rows); NaN: non-finite entries
};
DirectionalityParts directionality(const Moments& moments, const ScoreOptions& options);
/// Directionality with explicit thresholds, dragged by the user, in place of mean + gamma * deviation.
double directionalityAt(const Moments& moments, double rowThreshold, double columnThreshold, Directionality variant);
/// The gamma that yields this threshold of rows or columns.
double gammaAt(const OutlyingNorms& side, double threshold);

struct Scores {
  double symmetry = 0, directionality = 0;  ///< -1 to 1; NaN: undefined
};
Scores scoresOf(const Moments& moments, const ScoreOptions& options);  ///< symmetry and directionality of one matrix

/// Median and quartiles by linear interpolation (type 7); NaN values are ignored; all NaN if no value is left.
struct Quartiles {
  double median = 0, q1 = 0, q3 = 0;  ///< of the values that are not NaN
};
Quartiles quartiles(std::vector<double> values);

}  // namespace sepx::attention
