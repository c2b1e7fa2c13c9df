// SPDX-License-Identifier: Apache-2.0
// Numbers of a reference case; see verify_inputs.h.
#include "app/cli/verify_inputs.h"

#include <algorithm>
#include <stdexcept>

#include "app/cli/text.h"

namespace sepx::app::cli {

double number(const Json& value) {
  if (!value.is_number()) throw std::invalid_argument(trf(N_("{} is not a number"), value.dump()));
  return value.get<double>();
}

attention::Matrix matrixOf(const Json& rows, const char* name) {
  const auto isRow = [&rows](const Json& row) { return row.is_array() && row.size() == rows[0].size(); };
  if (!rows.is_array() || rows.empty() || !rows[0].is_array() || !std::all_of(rows.begin(), rows.end(), isRow))
    throw std::invalid_argument(trf(N_("{} is not a list of rows of the same length"), name));
  attention::Matrix matrix(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(rows[0].size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      matrix(i, j) = number(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return matrix;
}

Json listOf(const Eigen::VectorXd& values) {
  return Json(std::vector<double>(values.begin(), values.end()));
}

Json rowsOf(const attention::Matrix& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    rows.push_back(listOf(matrix.row(i)));
  return rows;
}

}  // namespace sepx::app::cli
