// SPDX-License-Identifier: Apache-2.0
// RODAS (Hairer, Wanner, Solving ODEs II, IV.7): a Rosenbrock method of order 4(3) with six stages, L-stable and
// stiffly accurate, autonomous form. Stage i solves (1/(gamma h) - J) k_i = f(x + sum a_ij k_j) + sum c_ij k_j / h. Any
// thread; every attempt is counted.
#include "engine/markov/stiff_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/LU>

namespace sepx::markov {

namespace {

using dynamics::IntegrationEnd;
using dynamics::IntegratorOptions;
using dynamics::Segment;
using dynamics::State;

constexpr int kStages = 6;
constexpr double kGamma = 0.25;
using Row = std::array<double, kStages - 1>;
constexpr std::array<Row, kStages> kA{{
    {},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
}};
constexpr std::array<Row, kStages> kC{{
    {},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
}};

struct Attempt {
  State x1, error;
};

Attempt attempt(const StiffProblem& problem, const State& x, const State& slope, const Eigen::MatrixXd& jacobian,
                double h) {
  const Eigen::Index n = x.size();
  const Eigen::MatrixXd system = Eigen::MatrixXd::Identity(n, n) / (kGamma * h) - jacobian;
  const Eigen::PartialPivLU<Eigen::MatrixXd> factors(system);
  std::array<State, kStages> k;
  State at = x;
  for (std::size_t i = 0; i < kStages; ++i) {
    at = x;
    State pull = State::Zero(n);
    for (std::size_t j = 0; j < i; ++j) {
      at += kA[i][j] * k[j];
      pull += kC[i][j] / h * k[j];
    }
    const Eigen::VectorXd right = (i == 0 ? slope : problem.velocity(at)) + pull;
    k[i] = factors.solve(right);
  }
  return {at + k[kStages - 1], k[kStages - 1]};  // the last stage point is the embedded solution, its k the difference
}

double scaledNorm(const State& error, const State& x, const State& y, const IntegratorOptions& options) {
  double sum = 0;
  for (Eigen::Index i = 0; i < error.size(); ++i) {
    const double scale =
        options.absoluteTolerance + options.relativeTolerance * std::max(std::abs(x[i]), std::abs(y[i]));
    sum += (error[i] / scale) * (error[i] / scale);
  }
  return std::sqrt(sum / static_cast<double>(error.size()));
}

/// The cubic Hermite interpolant of both ends and slopes, in the form of Segment::at(). Where a fast decay makes a
/// slope far larger than the change over the whole step, the cubic would overshoot, so the chord is used.
Segment segmentOf(double t, double h, const State& x0, const State& f0, const State& x1, const State& f1) {
  Segment segment;
  segment.t0 = t;
  segment.t1 = t + h;
  segment.h = h;
  segment.x0 = x0;
  segment.x1 = x1;
  const Eigen::Index n = x0.size();
  const State difference = x1 - x0;
  segment.dense.col(0).head(n) = x0;
  segment.dense.col(1).head(n) = difference;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double first = h * f0[i], second = h * f1[i];
    constexpr double kTame = 3;  // up to here the cubic is monotonic
    if (std::max(std::abs(first), std::abs(second)) > kTame * std::abs(difference[i])) continue;
    segment.dense(i, 2) = first - difference[i];
    segment.dense(i, 3) = 2 * difference[i] - first - second;
  }
  return segment;
}

}  // namespace

void continueStiff(const StiffProblem& problem, const IntegratorOptions& options, dynamics::Solution& solution) {
  constexpr double kSafety = 0.9, kLeast = 0.2, kMost = 6;
  State slope = problem.velocity(solution.x);
  double h = solution.segments.empty() ? 1e-6 : std::abs(solution.segments.back().h);
  Eigen::MatrixXd jacobian;
  bool fresh = false;
  solution.end = IntegrationEnd::TooManySteps;
  for (int i = 0; i < options.maxSteps; ++i) {
    const double left = options.tEnd - solution.t;
    const bool last = h >= left * (1 - 1e-12);
    if (last) h = left;
    if (!(h > 4e-16 * solution.t)) {
      solution.end = last ? IntegrationEnd::ReachedEnd : IntegrationEnd::StepTooSmall;
      return;
    }
    if (!fresh) jacobian = problem.jacobian(solution.x);
    fresh = true;
    const Attempt tried = attempt(problem, solution.x, slope, jacobian, h);
    solution.statistics.evaluations += kStages;
    const double error = scaledNorm(tried.error, solution.x, tried.x1, options);
    const State next = problem.velocity(tried.x1);
    if (!std::isfinite(error) || !tried.x1.allFinite() || !next.allFinite() || error > 1) {
      ++solution.statistics.rejected;
      h *= std::isfinite(error) ? std::clamp(kSafety * std::pow(error, -0.25), 0.1, 0.5) : 0.1;
      continue;
    }
    ++solution.statistics.steps;
    solution.segments.push_back(segmentOf(solution.t, h, solution.x, slope, tried.x1, next));
    if (last) solution.segments.back().t1 = options.tEnd;
    solution.t = solution.segments.back().t1;
    solution.x = tried.x1;
    slope = next;
    fresh = false;
    h *= std::clamp(kSafety * std::pow(std::max(error, 1e-10), -0.25), kLeast, kMost);
    if (problem.rest(solution.x) || last) {
      solution.end = last ? IntegrationEnd::ReachedEnd : IntegrationEnd::EventHit;
      return;
    }
  }
}

}  // namespace sepx::markov
