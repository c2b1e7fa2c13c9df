// SPDX-License-Identifier: Apache-2.0
#include "engine/reversal/rope_planes.h"

#include <cmath>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/reversal/correlation.h"

namespace sepx::reversal {
namespace {

using Keys = Eigen::MatrixXd;

/// q_s of plane s, and its direction; the first axis if q_s is 0.
struct Direction2 {
  Eigen::Vector2d q, along, across;
};
Direction2 directionOf(const Eigen::VectorXd& q, Eigen::Index s) {
  Direction2 out;
  out.q = {q[s], q[s + q.size() / 2]};
  const double norm = out.q.norm();
  out.along = norm > 0 ? Eigen::Vector2d(out.q / norm) : Eigen::Vector2d(1, 0);
  out.across = {-out.along.y(), out.along.x()};
  return out;
}

/// Plane s of the sample's centred keys [samples, D].
RopePlane planeOf(const Keys& centred, const Direction2& direction, Eigen::Index s) {
  Eigen::MatrixX2d block(centred.rows(), 2);
  block << centred.col(s), centred.col(s + centred.cols() / 2);
  const auto along = (block * direction.along).eval(), across = (block * direction.across).eval();
  const auto samples = static_cast<double>(centred.rows());
  RopePlane plane;
  plane.along = along.squaredNorm() / samples;
  plane.across = across.squaredNorm() / samples;
  plane.cross = along.dot(across) / samples;
  return plane;
}

void summarise(RopePlanes& out, const Keys& centred) {
  double trace = 0, squares = 0, tilt = 0, blocks = 0;
  for (const RopePlane& plane : out.planes) {
    trace += plane.trace();
    squares += plane.trace() * plane.trace();
    const double share = plane.trace() > 0 ? 2 * plane.cross / plane.trace() : 0;
    tilt += share * share;
    blocks += plane.along * plane.along + plane.across * plane.across + 2 * plane.cross * plane.cross;
    if (!plane.violates()) continue;
    ++out.violating;
    out.violatingWeight += plane.weight;
  }
  const auto planes = static_cast<double>(out.planes.size());
  const double mean = trace / planes;
  out.traceSpread = std::sqrt(std::max(0.0, squares / planes - mean * mean)) / mean;
  out.tilt = std::sqrt(tilt / planes);
  // |C^T C|_F = |C C^T|_F, so the smaller product is computed.
  const auto samples = static_cast<double>(centred.rows());
  const double whole = (centred.rows() < centred.cols() ? (centred * centred.transpose()).eval().squaredNorm()
                                                        : (centred.transpose() * centred).eval().squaredNorm()) /
                       (samples * samples);
  out.between = 1 - blocks / whole;
}

}  // namespace

std::vector<double> RopePlanes::scoresAt(double distance) const {
  std::vector<double> scores(static_cast<std::size_t>(samples), 0.0);
  for (std::size_t s = 0; s < planes.size(); ++s) {
    const double c = std::cos(planes[s].angle * distance), n = std::sin(planes[s].angle * distance);
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i] += c * cosines[i * planes.size() + s] + n * sines[i * planes.size() + s];
  }
  return scores;
}

double RopePlanes::correlationAt(double forward, double reverse) const {
  return correlation(scoresAt(forward), scoresAt(-reverse));
}

double RopePlanes::assumedCorrelation(double forward, double reverse) const {
  double covariance = 0, first = 0, second = 0;
  for (const RopePlane& plane : planes) {
    const double rho = plane.trace() > 0 ? plane.alignment() : 0, angle = plane.angle;
    covariance += plane.weight * (std::cos((forward + reverse) * angle) + rho * std::cos((forward - reverse) * angle));
    first += plane.weight * (1 + rho * std::cos(2 * forward * angle));
    second += plane.weight * (1 + rho * std::cos(2 * reverse * angle));
  }
  return covariance / std::sqrt(first * second);
}

RopePlanes planesOfHead(const Eigen::VectorXd& query, const Eigen::MatrixXd& keys, std::span<const double> angles,
                        double scale) {
  const Keys centred = keys.rowwise() - keys.colwise().mean();
  RopePlanes out;
  out.samples = static_cast<int>(keys.rows());
  const std::size_t planes = angles.size();
  const auto half = static_cast<Eigen::Index>(planes);
  out.cosines.resize(static_cast<std::size_t>(keys.rows()) * planes);
  out.sines.resize(out.cosines.size());
  for (Eigen::Index s = 0; s < half; ++s) {
    const Direction2 direction = directionOf(query, s);
    RopePlane plane = planeOf(centred, direction, s);
    plane.angle = angles[static_cast<std::size_t>(s)];
    plane.weight = direction.q.squaredNorm() / query.squaredNorm();
    out.planes.push_back(plane);
    for (Eigen::Index i = 0; i < keys.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i) * planes + static_cast<std::size_t>(s);
      const double k1 = keys(i, s), k2 = keys(i, s + half);
      out.cosines[at] = scale * (direction.q.x() * k1 + direction.q.y() * k2);
      out.sines[at] = scale * (direction.q.y() * k1 - direction.q.x() * k2);
    }
  }
  summarise(out, centred);
  return out;
}

template <class T>
Result<RopePlanes> ropePlanes(const nn::ModelConfig& config, std::span<const T> theta, int head, ThreadPool& pool) {
  if (config.positions != nn::Positions::Rope)
    return fail(ErrorKind::Usage, "this model has no rotary encoding, so it has no RoPE planes");
  if (config.d_h() % 2 != 0)
    return fail(ErrorKind::Usage,
                fmt::format("a head of {} dimensions has no whole planes; RoPE needs an even number", config.d_h()));
  SEPX_ASSIGN(const LetterVectors<T> vectors, letterVectors<T>(config, theta, head, pool));
  const Eigen::Index D = vectors.headDim, half = D / 2;
  // At place 0 RoPE is the identity.
  using Row = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
  const Eigen::VectorXd q = Row(vectors.queries.data(), D).template cast<double>();
  Keys keys(Eigen::Index{data::kPairLetters}, D);
  for (int letter = 0; letter < data::kPairLetters; ++letter)
    keys.row(letter) =
        Row(vectors.keys.data() + static_cast<std::ptrdiff_t>(letter) * vectors.length * D, D).template cast<double>();
  std::vector<double> angles;
  for (Eigen::Index s = 0; s < half; ++s)
    angles.push_back(std::pow(config.ropeBase, -2.0 * static_cast<double>(s) / static_cast<double>(D)));
  return planesOfHead(q, keys, angles, config.scale());
}

template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const float>, int, ThreadPool&);
template Result<RopePlanes> ropePlanes(const nn::ModelConfig&, std::span<const double>, int, ThreadPool&);

}  // namespace sepx::reversal
