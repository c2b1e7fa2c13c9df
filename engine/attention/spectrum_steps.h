// SPDX-License-Identifier: Apache-2.0
// The two long computations behind spectrum.h, one column or one sweep at a time so that a person can stop them:
// singular values by Householder bidiagonalisation, eigenvalues by Hessenberg form and shifted QR sweeps. Inner to
// engine/attention. Finite matrices only. Any thread.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

/// Share done, 0 to 1; false: stop.
using Proceed = std::function<bool(double share)>;

/// Householder's reflector of a column x: (I - beta v v^T) x = alpha e_1 with v_1 = 1. beta = 0: x is that already.
struct Reflector {
  Eigen::VectorXd v;
  double beta = 0, alpha = 0;
};

/// Of at least one number.
Reflector reflectorOf(const Eigen::VectorXd& x);

/// Descending, min(rows, columns) of them, good to a few epsilon times the largest. Nothing: stopped.
std::optional<std::vector<double>> singularValues(Matrix matrix, const Proceed& proceed);

/// Of a square matrix, by falling modulus, conjugates side by side (positive imaginary part first). Nothing: stopped,
/// or the sweeps did not converge.
std::optional<std::vector<std::complex<double>>> eigenvaluesOf(Matrix matrix, const Proceed& proceed);

}  // namespace sepx::attention
