// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/ideal_pair.h"

#include <cmath>

#include <fmt/format.h>

namespace sepx::reversal {
namespace {

Eigen::VectorXd softmax(const Eigen::VectorXd& z) {
  const Eigen::VectorXd e = (z.array() - z.maxCoeff()).exp();
  return e / e.sum();
}

}  // namespace

Result<IdealPass> idealPass(const Eigen::MatrixXd& Y, std::span<const std::int32_t> tokens,
                            std::span<const double> scores, int target, int dimensions) {
  if (tokens.empty() || tokens.size() != scores.size())
    return fail(ErrorKind::Usage, fmt::format("there are {} tokens and {} scores; give one score per token",
                                              tokens.size(), scores.size()));
  if (target < 0 || target >= Y.rows() || dimensions < 1)
    return fail(ErrorKind::Usage, fmt::format("target {} is not one of {} tokens", target, Y.rows()));
  for (const std::int32_t token : tokens)
    if (token < 0 || token >= Y.cols())
      return fail(ErrorKind::Usage, fmt::format("token {} has no column in Y, which has {}", token, Y.cols()));
  const auto length = static_cast<Eigen::Index>(tokens.size());
  const double scale = 1 / std::sqrt(static_cast<double>(dimensions));
  IdealPass pass;
  pass.alpha = softmax(scale * Eigen::Map<const Eigen::VectorXd>(scores.data(), length));
  pass.mass = Eigen::VectorXd::Zero(Y.cols());
  for (Eigen::Index k = 0; k < length; ++k)
    pass.mass[tokens[static_cast<std::size_t>(k)]] += pass.alpha[k];
  pass.p = softmax(Y * pass.mass);
  pass.error = pass.p;
  pass.error[target] = 0;
  pass.error[target] = -pass.error.sum();
  pass.loss = -std::log(pass.p[target]);
  Eigen::VectorXd mu(length);
  for (Eigen::Index k = 0; k < length; ++k)
    mu[k] = pass.error.dot(Y.col(tokens[static_cast<std::size_t>(k)]));
  pass.scoreGradient = scale * pass.alpha.array() * (mu.array() - pass.alpha.dot(mu));
  return pass;
}

}  // namespace sepx::reversal
