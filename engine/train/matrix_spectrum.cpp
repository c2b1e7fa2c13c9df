// SPDX-License-Identifier: Apache-2.0
// All singular values come from attention::singularValues, which is accurate for small ones too. The leading vectors
// come from the smaller of W^T W and W W^T, whose first eigenvector is as accurate as its gap allows. Eigen's
// decomposition that gives both would take half a minute to compile.
#include "engine/train/matrix_spectrum.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "engine/attention/factors.h"
#include "engine/attention/spectrum_steps.h"

namespace sepx::train {

double MatrixSpectrum::ratio() const {
  if (singular.size() < 2 || singular[0] == 0) return std::numeric_limits<double>::quiet_NaN();
  return singular[0] / singular[1];
}

MatrixSpectrum matrixSpectrum(std::span<const float> values, int rows, int columns) {
  assert(values.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
  MatrixSpectrum spectrum;
  if (values.empty()) return spectrum;
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(values.begin(), values.end(), finite)) return spectrum;
  const Eigen::MatrixXd W = Eigen::Map<const attention::MatrixF>(values.data(), rows, columns).cast<double>();
  auto singular = attention::singularValues(W, [](double) { return true; });
  if (!singular) return spectrum;
  spectrum.singular = *std::move(singular);
  const bool tall = rows >= columns;
  const double scale = std::max(spectrum.singular[0], std::numeric_limits<double>::min());
  const Eigen::MatrixXd part = W / scale;
  const Eigen::MatrixXd gram =
      tall ? Eigen::MatrixXd(part.transpose() * part) : Eigen::MatrixXd(part * part.transpose());
  Eigen::VectorXd inner = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(gram).eigenvectors().rightCols(1);
  Eigen::VectorXd outer = tall ? Eigen::VectorXd(part * inner) : Eigen::VectorXd(part.transpose() * inner);
  if (outer.norm() > 0)
    outer.normalize();
  else
    outer = Eigen::VectorXd::Unit(outer.size(), 0);
  spectrum.left = tall ? outer : inner;
  spectrum.right = tall ? inner : outer;
  Eigen::Index largest = 0;
  spectrum.right.cwiseAbs().maxCoeff(&largest);
  if (spectrum.right[largest] < 0) {
    spectrum.left = -spectrum.left;
    spectrum.right = -spectrum.right;
  }
  return spectrum;
}

}  // namespace sepx::train
