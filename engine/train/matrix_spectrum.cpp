// SPDX-License-Identifier: Apache-2.0
// The only source that instantiates a singular value decomposition of Eigen, which takes half a minute to compile.
#include "engine/train/matrix_spectrum.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/SVD>

#include "engine/attention/factors.h"

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
  const Eigen::Map<const attention::MatrixF> matrix(values.data(), rows, columns);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix.cast<double>(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  spectrum.singular.assign(svd.singularValues().begin(), svd.singularValues().end());
  spectrum.left = svd.matrixU().col(0);
  spectrum.right = svd.matrixV().col(0);
  Eigen::Index largest = 0;
  spectrum.right.cwiseAbs().maxCoeff(&largest);
  if (spectrum.right[largest] < 0) {
    spectrum.left = -spectrum.left;
    spectrum.right = -spectrum.right;
  }
  return spectrum;
}

}  // namespace sepx::train
