// SPDX-License-Identifier: Apache-2.0
// The two long computations behind spectrum.h, one column or one sweep at a time, so that the user can cancel them:
// singular values by Householder bidiagonalisation, eigenvalues by Hessenberg form and shifted QR sweeps. Internal to
// engine/attention. Finite matrices only. Any thread.
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <vector>

#include "engine/attention/factors.h"

namespace sepx::attention {

/// Receives the completed share, 0 to 1. Returns false to cancel.
using Proceed = std::function<bool(double share)>;

/// Householder's reflector of a column x: (I - beta v v^T) x = alpha e_1 with v_1 = 1. beta = 0: x already has this
/// form.
struct Reflector {
  Eigen::VectorXd v;
  double beta = 0, alpha = 0;
};

/// The reflector of x, which has at least one element.
Reflector reflectorOf(const Eigen::VectorXd& x);

/// min(rows, columns) singular values, descending, accurate to a few epsilon times the largest. Empty optional if
/// cancelled or not converged.
std::optional<std::vector<double>> singularValues(Matrix matrix, const Proceed& proceed);

/// Eigenvalues of a square matrix, by descending modulus, conjugates side by side (positive imaginary part first).
/// Empty optional if cancelled or not converged.
std::optional<std::vector<std::complex<double>>> eigenvaluesOf(Matrix matrix, const Proceed& proceed);

}  // namespace sepx::attention
