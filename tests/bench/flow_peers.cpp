// SPDX-License-Identifier: Apache-2.0
// Boost.odeint and SciPy solve two problems: the gradient flow in time until it is at rest, in its usual form, and the
// orbit equation of sepx (the polynomial field, stopped at S = S_star or e = 0), which is the fastest form for a peer.
// Their tolerance is the loosest of a few at which 99 of 100 end points are within 1e-9. XPPAUT solves the first
// problem at a fixed tolerance. sepx runs with its default tolerance, and again with a tolerance at which its error is
// as large as that of the peers.
#include "tests/bench/flow_peers.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "engine/core/number.h"
#include "engine/core/random.h"
#include "engine/markov/flow_batch.h"
#include "tests/bench/child.h"

namespace sepx::bench {

namespace {

using Json = nlohmann::ordered_json;
using Point = std::array<double, 2>;  // e, w
namespace odeint = boost::numeric::odeint;
namespace fs = std::filesystem;

constexpr markov::Chain kChain{0.5, 0.8};
constexpr std::size_t kTrajectories = 10000;
constexpr int kThreads = 2;
constexpr double kAtRest = 1e-11;  // |d theta/dt| at which a trajectory in time has converged
constexpr double kMostTime = 1e4;
constexpr double kWanted = 1e-9;  // the largest end error allowed for 99 of 100 trajectories

struct Problem {
  std::vector<double> e, w;
  std::vector<Point> end;  // in closed form
};

/// Starts from N(0, I). Starts with e near 0 or a limit near the saddle are left out, because they converge too slowly.
Problem makeProblem() {
  Problem problem;
  RandomStream random(2024);
  while (problem.e.size() < kTrajectories) {
    const double e = random.normal(), w = random.normal();
    const auto limit = markov::exactLimit(kChain, e, w);
    if (!limit) continue;
    const double v = 1 + 2 * limit->theta[1] * std::abs(limit->theta[1]);
    if (std::abs(v) < 0.1 || std::abs(e) < 1e-3) continue;
    problem.e.push_back(e);
    problem.w.push_back(w);
    problem.end.push_back({limit->theta[0], limit->theta[1]});
  }
  return problem;
}

/// d theta/dt = -Lambda'(S) grad S.
void flowInTime(const Point& x, Point& dx, double) {
  const double p = kChain.p, q = kChain.q, v = 1 + 2 * x[1] * std::abs(x[1]), S = x[0] * x[0] * v;
  const double c = -S / 2 + std::log(p / q) / 2 + std::asinh((p - q) * std::exp(-S / 2) / (2 * std::sqrt(p * q)));
  const double slope = -kChain.pi0() * (1 / (1 + std::exp(-c)) - p);
  dx[0] = -slope * 2 * x[0] * v;
  dx[1] = -slope * 4 * x[0] * x[0] * std::abs(x[1]);
}

struct Orbit {
  double direction;
  void operator()(const Point& x, Point& dx, double) const {
    dx[0] = direction * 2 * (1 + 2 * x[1] * std::abs(x[1]));
    dx[1] = direction * 4 * x[0] * std::abs(x[1]);
  }
};

double reduced(const Point& x) {
  return x[0] * x[0] * (1 + 2 * x[1] * std::abs(x[1]));
}

Point timeByOdeint(Point x, double tolerance) {
  auto stepper = odeint::make_controlled<odeint::runge_kutta_fehlberg78<Point>>(tolerance, tolerance);
  double t = 0, h = 0.1;
  Point slope;
  for (int i = 0; i < 1000000 && t < kMostTime; ++i) {
    if (stepper.try_step(flowInTime, x, t, h) != odeint::success) continue;
    flowInTime(x, slope, t);
    if (std::hypot(slope[0], slope[1]) < kAtRest) break;
  }
  return x;
}

Point orbitByOdeint(Point x, double tolerance) {
  const double target = kChain.S_star(), side = reduced(x) > target ? 1 : -1, sign = x[0] < 0 ? -1 : 1;
  const Orbit orbit{-side * sign};
  // Not positive once the orbit has ended.
  const auto left = [target, side, sign](const Point& y) {
    return std::min((reduced(y) - target) * side, side * target > 0 ? 1.0 : y[0] * sign);
  };
  auto stepper = odeint::make_dense_output(tolerance, tolerance, odeint::runge_kutta_dopri5<Point>());
  stepper.initialize(x, 0.0, 0.01);
  for (int i = 0; i < 100000; ++i) {
    auto [low, high] = stepper.do_step(orbit);
    if (left(stepper.current_state()) > 0) continue;
    Point y = x;
    for (int k = 0; k < 60 && high - low > 1e-16 * std::abs(high); ++k) {
      const double middle = 0.5 * (low + high);
      stepper.calc_state(middle, y);
      (left(y) > 0 ? low : high) = middle;
    }
    stepper.calc_state(high, x);
    break;
  }
  return x;
}

double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Errors {
  double median = 0, most99 = 0, most = 0;
};
Errors errorsOf(std::vector<double> apart) {
  std::sort(apart.begin(), apart.end());
  if (apart.empty()) return {};
  return {apart[apart.size() / 2], apart[apart.size() * 99 / 100], apart.back()};
}
Errors errorsOf(const Problem& problem, const std::vector<Point>& ends) {
  std::vector<double> apart;
  for (std::size_t i = 0; i < ends.size(); ++i)
    apart.push_back(std::hypot(ends[i][0] - problem.end[i][0], ends[i][1] - problem.end[i][1]));
  return errorsOf(std::move(apart));
}

Json row(double perSecond, double tolerance, const Errors& errors) {
  return {{"trajectories_per_second", perSecond},
          {"tolerance", tolerance},
          {"median end error", errors.median},
          {"end error, 99 of 100", errors.most99},
          {"largest end error", errors.most}};
}

Json ours(const Problem& problem, double tolerance, ThreadPool& pool, double& perSecond) {
  markov::FlowBatchOptions options;
  options.tolerance = tolerance;
  markov::FlowBatch batch;
  std::vector<double> seconds;
  for (int i = 0; i < 25; ++i)
    seconds.push_back(secondsOf([&] {
      batch = markov::flowBatch(kChain, markov::Model::EW, {problem.e, problem.w, {}}, options, pool);
    }));
  std::sort(seconds.begin(), seconds.end());
  std::vector<Point> ends;
  for (std::size_t i = 0; i < batch.e.size(); ++i)
    ends.push_back({batch.e[i], batch.w[i]});
  perSecond = static_cast<double>(kTrajectories) / seconds[seconds.size() / 2];
  Json result = row(perSecond, tolerance, errorsOf(problem, ends));
  result["largest energy drift"] = *std::max_element(batch.energyDrift.begin(), batch.energyDrift.end());
  return result;
}

/// Finds the loosest tolerance at which the end error of `solve` is within kWanted, and measures the speed there.
Json peer(const Problem& problem, const std::function<Point(Point, double)>& solve, ThreadPool& pool,
          double& perSecond) {
  constexpr std::size_t kSample = 1000;
  for (const double tolerance : {1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    std::vector<Point> ends(kSample);
    const auto some = [&](std::vector<Point>& out) {
      pool.parallelFor(0, out.size(), 64, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
          out[i] = solve({problem.e[i], problem.w[i]}, tolerance);
      });
    };
    some(ends);
    if (errorsOf(problem, ends).most99 > kWanted && tolerance > 1e-13) continue;
    std::vector<Point> all(kTrajectories);
    const double seconds = secondsOf([&] { some(all); });
    perSecond = static_cast<double>(kTrajectories) / seconds;
    return row(perSecond, tolerance, errorsOf(problem, all));
  }
  return nullptr;
}

/// Writes the starts and end points for the scripts and returns the path: a line of p q S_star, then lines of
/// e w e_end w_end.
std::string writeStarts(const Problem& problem) {
  const std::string path = (fs::temp_directory_path() / ("sepx-starts-" + std::to_string(getpid()))).string();
  std::ofstream out(path);
  out << formatShortest(kChain.p) << " " << formatShortest(kChain.q) << " " << formatShortest(kChain.S_star()) << "\n";
  for (std::size_t i = 0; i < problem.e.size(); ++i)
    out << formatShortest(problem.e[i]) << " " << formatShortest(problem.w[i]) << " "
        << formatShortest(problem.end[i][0]) << " " << formatShortest(problem.end[i][1]) << "\n";
  return path;
}

Json script(const std::string& path, const std::string& starts) {
  Json result = Json::parse(Child({"/usr/bin/python3", path, starts}, "warn", true).rest(), nullptr, false);
  return result.is_object() ? result : Json("not measured: " + fs::path(path).filename().string() + " did not run");
}

}  // namespace

Json measureFlowPeers(const std::string& folder) {
  const Problem problem = makeProblem();
  ThreadPool pool(kThreads);
  Json result{{"problem", "(e,w) from N(0, I), p 0.5, q 0.8, to the limit"},
              {"trajectories", kTrajectories},
              {"threads", kThreads}};
  double before = 0, loose = 0, after = 0, inTime = 0, orbit = 0;
  result["sepx"] = ours(problem, 1e-16, pool, before);
  result["sepx, as loose as the peers"] = ours(problem, 1e-9, pool, loose);
  result["odeint, flow in time, Fehlberg 7(8)"] = peer(problem, timeByOdeint, pool, inTime);
  result["odeint, our orbit equation, Dormand-Prince 5"] = peer(problem, orbitByOdeint, pool, orbit);
  const std::string starts = writeStarts(problem);
  result["SciPy"] = script(folder + "/flow_scipy.py", starts);
  result["XPPAUT"] = script(folder + "/flow_xppaut.py", starts);
  std::error_code ignored;
  fs::remove(starts, ignored);
  ours(problem, 1e-16, pool, after);
  const double own = (before + after) / 2;
  Json ratios{{"odeint, flow in time, Fehlberg 7(8)", own / inTime},
              {"odeint, our orbit equation, Dormand-Prince 5", own / orbit}};
  for (const char* name : {"SciPy", "XPPAUT"})
    if (result[name].is_object())
      for (const auto& [key, value] : result[name].items())
        if (value.is_object() && value.contains("trajectories_per_second"))
          ratios[std::string(name) + ", " + key] = own / value["trajectories_per_second"].get<double>();
  result["sepx over the peer, times as many trajectories a second"] = std::move(ratios);
  return result;
}

}  // namespace sepx::bench
