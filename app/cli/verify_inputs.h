// SPDX-License-Identifier: Apache-2.0
// Inputs of a reference case as numbers and matrices, and back. A value of another type throws, which fails the case
// with a sentence (verify.h). Any thread.
#pragma once

#include "app/cli/json_out.h"
#include "engine/attention/factors.h"

namespace sepx::app::cli {

double number(const Json& value);
/// A list of rows of the same length.
attention::Matrix matrixOf(const Json& rows, const char* name);
Json listOf(const Eigen::VectorXd& values);
Json rowsOf(const attention::Matrix& matrix);

}  // namespace sepx::app::cli
