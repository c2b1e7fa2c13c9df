// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/theorem_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "engine/core/random.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/critical_points.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"
#include "engine/markov/gaussian_count.h"

namespace sepx::studies {
namespace {

using markov::Chain;
using markov::CriticalSet;
using markov::FlowBatch;
using markov::FlowStatus;
using markov::LimitKind;
using markov::Model;
using markov::State;

constexpr double kGradient = 1e-10;  // largest |grad L| on a critical set
constexpr double kLoss = 1e-12;      // nats
constexpr std::array<Chain, 2> kChainsAbove{Chain{0.5, 0.8}, {0.9, 0.3}};
constexpr std::array<Chain, 2> kChainsBelow{Chain{0.2, 0.3}, {0.1, 0.6}};

/// Lowest and highest loss of the neighbours minus that of the point.
struct Neighbours {
  double lowest = 0, highest = 0;
};

/// Steps both ways along every coordinate, then in random directions. At some saddles only directions close to a
/// coordinate go up (the bias) or down (e). With a free bias, half of the random steps keep it fixed, because a change
/// of the bias hides third-order changes.
Neighbours neighboursOf(const Chain& chain, Model model, const State& at, bool saddle, RandomStream& random) {
  constexpr int kDirections = 64;
  constexpr double kNear = 0.02;  // a third-order change, 1e-6 times a curvature, is far above rounding
  const double loss = markov::loss(chain, model, at);
  // At e = 0 the kind changes with the sign of 1 + 2w|w|. Neighbours keep the sign unless the point is a saddle.
  const double v = std::abs(1 + 2 * at[1] * std::abs(at[1])), reach = saddle ? kNear : kNear * std::min(1.0, v);
  Neighbours found;
  const auto visit = [&](const State& step) {
    const double change = markov::loss(chain, model, State(at + step)) - loss;
    found.lowest = std::min(found.lowest, change);
    found.highest = std::max(found.highest, change);
  };
  for (int i = 0; i < at.size(); ++i)
    for (const double length : {-reach, reach})
      visit(length * State::Unit(at.size(), i));
  for (int i = 0; i < kDirections; ++i) {
    State step(at.size());
    for (double& value : step)
      value = random.uniform(-1, 1);
    if (markov::hasFreeBias(model) && i % 2 == 1) step[step.size() - 1] = 0;
    visit(step * (reach / std::max(step.norm(), 1e-3)));
  }
  return found;
}

/// A zero of the gradient by Levenberg-Marquardt steps on its square; empty if they find none.
std::optional<State> zeroOfGradient(const Chain& chain, Model model, State theta) {
  constexpr int kSteps = 300;
  constexpr double kMostDamping = 1e12;
  markov::Evaluation at = markov::evaluate(chain, model, theta);
  double damping = 1e-2;
  for (int i = 0; i < kSteps && damping < kMostDamping; ++i) {
    if (at.gradient.norm() < kGradient) return theta;
    const markov::Jacobian curvature = at.hessian.transpose() * at.hessian;
    const markov::Jacobian damped =
        curvature + damping * curvature.norm() * markov::Jacobian::Identity(theta.size(), theta.size());
    const State next = theta - damped.ldlt().solve(State(at.hessian.transpose() * at.gradient));
    const markov::Evaluation there = markov::evaluate(chain, model, next);
    if (there.gradient.norm() < at.gradient.norm()) {
      theta = next;
      at = there;
      damping = std::max(damping / 10, 1e-12);
    } else {
      damping *= 10;
    }
  }
  return std::nullopt;
}

/// Whether theta satisfies the equations of Theorems 1, 6, 9 and 10 for this model within 1e-4.
bool onListedSets(const Chain& chain, Model model, const State& theta) {
  constexpr double kClose = 1e-4;
  const auto close = [](double x) { return std::abs(x) < kClose; };
  const double e = theta[0], w = theta[1], u = markov::hasAttention(model) ? 1 + theta[2] * e * e : 1,
               v = 1 + 2 * w * std::abs(w);
  const bool star = close(markov::reducedS(model, theta) - chain.S_star());
  if (!markov::hasFreeBias(model)) return star || close(e) || (close(u) && close(v));
  const double b = theta[theta.size() - 1], logOdds = std::log(chain.p / chain.q);
  // (46) with its missing absolute value bars.
  const double starBias =
      0.5 * (logOdds + std::log1p(-chain.q) - std::log1p(-chain.p)) - e * e * w * std::abs(w) * std::abs(u);
  return (star && close(b - starBias)) || ((close(e) || (close(u) && close(v))) && close(b - logOdds));
}

/// The random stream for a purpose, so that every chain has different initial points.
std::uint64_t stream(const Chain& chain, std::uint64_t purpose) {
  return purpose + 1000 * static_cast<std::uint64_t>(std::lround(1000 * (chain.p + 10 * chain.q)));
}

/// Checks one theorem.
class Checker {
 public:
  Checker(std::vector<Check>& checks, const Work& work) : checks_(checks), work_(work) {}

  std::size_t many(std::size_t all) const { return work_.quick ? all / 10 : all; }

  void below(const Chain& chain, Sentence what, std::size_t points, double value, double bound) {
    checks_.push_back({chain.p, chain.q, std::move(what), static_cast<std::int64_t>(points), value, "<", bound});
  }
  void none(const Chain& chain, Sentence what, std::size_t points, std::size_t value) {
    checks_.push_back(
        {chain.p, chain.q, std::move(what), static_cast<std::int64_t>(points), static_cast<double>(value), "=", 0});
  }

  /// Checks all critical sets of a model: gradients, losses, and with `kinds` neighbours' losses and the order of
  /// losses.
  void criticalSets(const Chain& chain, Model model, bool kinds) {
    const std::size_t count = many(1000);
    double starLoss = 0, lowestOther = std::numeric_limits<double>::infinity();
    for (const markov::CriticalSetInfo& info : markov::criticalSetsOf(chain, model)) {
      if (work_.isCancelled()) return;
      const auto points = markov::criticalPoints(chain, model, info.set, static_cast<int>(count), work_.seed);
      const markov::CriticalFindings found = markov::examine(chain, model, info, points);
      const bool off = info.set == CriticalSet::Star || info.set == CriticalSet::Station;  // e is not 0
      if (off || markov::hasFreeBias(model))
        below(chain, sentence(N_("largest |grad L| on {}"), info.name), points.size(), found.largestGradient,
              kGradient);
      below(chain, sentence(N_("distance of the loss on {} from its formula"), info.name), points.size(),
            found.largestLossError, kLoss);
      if (kinds) neighbours(chain, model, info, points);
      if (kinds && info.set == CriticalSet::Station)
        none(chain, sentence(N_("points of {} whose Hessian lacks a positive or a negative eigenvalue"), info.name),
             points.size(), unlike(chain, model, info, points));
      if (info.set == CriticalSet::Star)
        starLoss = found.highestLoss;
      else
        lowestOther = std::min(lowestOther, found.lowestLoss);
    }
    if (kinds)
      below(chain, N_("loss on the global minima minus the lowest other critical loss"), count, starLoss - lowestOther,
            0);
    nothingElse(chain, model);
  }

  std::size_t unlike(const Chain& chain, Model model, const markov::CriticalSetInfo& info,
                     const std::vector<State>& points) const {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](const State& at) {
      return !markov::examine(chain, model, info, {at}).asTheorem;
    }));
  }

  /// A minimum has no lower neighbour, a maximum has no higher one, and a saddle has both.
  void neighbours(const Chain& chain, Model model, const markov::CriticalSetInfo& info,
                  const std::vector<State>& points) {
    RandomStream random(work_.seed, stream(chain, 7));
    double lowest = 0, highest = 0;
    std::size_t oneSided = 0;
    for (const State& at : points) {
      const Neighbours around = neighboursOf(chain, model, at, info.kind == LimitKind::Saddle, random);
      lowest = std::max(lowest, -around.lowest);
      highest = std::max(highest, around.highest);
      oneSided += around.lowest > -kLoss || around.highest < kLoss;
    }
    if (info.kind == LimitKind::Saddle)
      none(chain, sentence(N_("points of {} without a lower and a higher neighbour"), info.name), points.size(),
           oneSided);
    else if (info.kind == LimitKind::LocalMax)
      below(chain, sentence(N_("largest loss of a neighbour of {} minus that of the point"), info.name), points.size(),
            highest, kLoss);
    else
      below(chain, sentence(N_("loss of a point of {} minus the lowest loss of its neighbours"), info.name),
            points.size(), lowest, kLoss);
  }

  /// Zeros of the gradient, found by minimising its square from random initial points, lie on the listed sets.
  void nothingElse(const Chain& chain, Model model) {
    RandomStream random(work_.seed, stream(chain, 77));
    std::size_t zeros = 0, elsewhere = 0;
    for (std::size_t i = 0; i < many(1000); ++i) {
      if (work_.isCancelled()) return;
      State theta(markov::dimension(model));
      for (double& value : theta)
        value = random.uniform(-2.5, 2.5);
      const std::optional<State> zero = zeroOfGradient(chain, model, theta);
      if (!zero) continue;
      ++zeros;
      elsewhere += !onListedSets(chain, model, *zero);
    }
    const auto count = static_cast<double>(elsewhere);
    checks_.push_back({chain.p, chain.q,
                       N_("zeros of the gradient, found from random initial points, that lie on none of the sets"),
                       static_cast<std::int64_t>(zeros), zeros > 0 ? count : std::nan(""), "=", 0});
  }

  /// Theorems 2 and 8: where integrated orbits end.
  void planeFlow(const Chain& chain) {
    const std::size_t count = many(10000);
    RandomStream random(work_.seed, stream(chain, 2));
    std::vector<double> e, w;
    while (e.size() < count) {
      const double e0 = random.uniform(-3, 3), w0 = random.uniform(-3, 3);
      const double off = w0 < 0 ? std::abs(e0 * e0 - markov::separatrixSquared(w0)) : 1.0;
      if (off <= 1e-6 * (1 + e0 * e0)) continue;
      e.push_back(e0);
      w.push_back(w0);
    }
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, work_.pool, work_.cancelled);
    std::size_t differ = 0, endless = 0;
    double apart = 0, drift = 0, slope = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto limit = markov::exactLimit(chain, e[i], w[i]);
      differ += !limit || limit->kind != batch.label[i];
      endless += batch.status[i] != FlowStatus::Reached;
      const State end = Eigen::Vector2d(batch.e[i], batch.w[i]);
      if (limit) apart = std::max(apart, (limit->theta - end).norm());
      drift = std::max(drift, batch.energyDrift[i]);
      slope = std::max(slope, markov::gradient(chain, Model::EW, end).norm());
    }
    none(chain, N_("integrated ends of another kind than the theorem says"), count, differ);
    none(chain, N_("orbits that did not converge"), count, endless);
    below(chain, N_("distance of an integrated end from its closed form"), count, apart, 1e-9);
    below(chain, N_("largest |grad L| at the ends"), count, slope, kGradient);
    below(chain, N_("drift of the energy, |E - E0|/(1 + |E0|)"), count, drift, 1e-9);
    separatrix(chain);
    smallCloud(chain);
  }

  /// I_sad separates the kinds: orbits that start a millionth of |e| to either side of it end as the theorem says.
  void separatrix(const Chain& chain) {
    const std::size_t count = many(1000);
    RandomStream random(work_.seed, stream(chain, 3));
    constexpr double kRoot = 1 / std::numbers::sqrt2, kStep = 1e-6;
    std::vector<double> e, w;
    for (std::size_t i = 0; i < count; ++i) {
      const double w0 = chain.switching() > 0 ? -kRoot * random.uniform(0.01, 0.95) : -kRoot * random.uniform(1.05, 3);
      const double g = std::sqrt(markov::separatrixSquared(w0)) * (random.uniform() < 0.5 ? -1 : 1);
      for (const double factor : {1 - kStep, 1 + kStep}) {
        e.push_back(factor * g);
        w.push_back(w0);
      }
    }
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, work_.pool, work_.cancelled);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < batch.label.size(); ++i)
      wrong += batch.label[i] != (i % 2 == 0 ? LimitKind::LocalMin : LimitKind::GlobalMin);
    none(chain, N_("initial points a millionth to either side of I_sad whose orbits end on the wrong side"), e.size(),
         wrong);
  }

  /// The closing claim about the standard initialisation in its corrected form: a probability, and not "will be".
  void smallCloud(const Chain& chain) {
    constexpr double kSigma = 0.2;
    const std::size_t count = many(10000);
    std::vector<double> e, w;
    for (std::size_t i = 0; i < count; ++i) {
      const State start = markov::gaussianStart(Model::EW, kSigma, work_.seed, stream(chain, 0) * count + i);
      e.push_back(start[0]);
      w.push_back(start[1]);
    }
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, work_.pool, work_.cancelled);
    const auto hits = std::count(batch.label.begin(), batch.label.end(), LimitKind::LocalMin);
    const double P = markov::probabilityLocalMinimum(kSigma, chain.switching() > 0);
    const double n = static_cast<double>(count), error = std::sqrt(std::max(P * (1 - P), 1 / n) / n);
    below(chain,
          sentence(N_("N(0, {}^2 I): distance of the counted share of local minima from {}, in standard errors"),
                   kSigma, fmt::format("{:.6g}", P)),
          count, std::abs(static_cast<double>(hits) / n - P) / error, 5);
  }

  /// Theorem 3 as corrected.
  void spaceFlow(const Chain& chain) {
    const std::size_t count = many(1000);
    RandomStream random(work_.seed, stream(chain, 4));
    std::vector<double> e(count), w(count), a(count);
    for (std::size_t i = 0; i < count; ++i)
      for (double* value : {&e[i], &w[i], &a[i]})
        *value = random.uniform(-2, 2);
    const FlowBatch batch = markov::flowBatch(chain, Model::EWA, {e, w, a}, {}, work_.pool, work_.cancelled);
    std::size_t differ = 0, endless = 0;
    double drift = 0, slope = 0, angle = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const State start = Eigen::Vector3d(e[i], w[i], a[i]), end = Eigen::Vector3d(batch.e[i], batch.w[i], batch.a[i]);
      differ += markov::basinLabel3(chain, e[i], w[i], a[i]) != batch.label[i];
      endless += batch.status[i] != FlowStatus::Reached;
      drift = std::max(drift, batch.energyDrift[i]);
      slope = std::max(slope, markov::gradient(chain, Model::EWA, end).norm());
      const double turned = std::abs(markov::airyAngle(end) - markov::airyAngle(start));
      angle = std::max(angle, std::min(turned, std::abs(turned - std::numbers::pi)));
    }
    below(chain, N_("drift of the energy, |E - E0|/(1 + |E0|)"), count, drift, 1e-8);
    below(chain, N_("drift of the second invariant, the angle of the Airy curve"), count, angle, 1e-8);
    below(chain, N_("largest |grad L| at the ends"), count, slope, kGradient);
    none(chain, N_("orbits that did not converge"), count, endless);
    none(chain, N_("integrated ends of another kind than the two invariants say"), count, differ);
  }

  /// The two sides of the surface of unbounded orbits at a0 = -1, w0 = 0. No double lies on the surface itself.
  void unboundedSurface(const Chain& chain) {
    constexpr double kSurface = 0.689443330325249, kStep = 1e-6;
    const std::vector<double> e{kSurface - kStep, kSurface + kStep}, w(2, 0.0), a(2, -1.0);
    const FlowBatch batch = markov::flowBatch(chain, Model::EWA, {e, w, a}, {}, work_.pool, work_.cancelled);
    below(chain, sentence(N_("a0 = -1, w0 = 0, e0 = {} - 1e-6: |e| at the end"), kSurface), 1,
          batch.label[0] == LimitKind::LocalMin ? std::abs(batch.e[0]) : 1, 1e-9);
    const State end = Eigen::Vector3d(batch.e[1], batch.w[1], batch.a[1]);
    below(chain, sentence(N_("the same with + 1e-6: loss at the end minus that of the global minimum"), kSurface), 1,
          batch.label[1] == LimitKind::GlobalMin ? markov::loss(chain, Model::EWA, end) - chain.entropyRate() : 1,
          kLoss);
  }

 private:
  std::vector<Check>& checks_;
  const Work& work_;
};

void checkChain(Checker& checker, const Chain& chain, int theorem) {
  if (theorem == 2 || theorem == 8) {
    checker.planeFlow(chain);
  } else if (theorem == 3) {
    checker.spaceFlow(chain);
    if (chain.switching() > 0) checker.unboundedSurface(chain);
  } else {
    const Model model = theorem == 1 ? Model::EW : theorem == 10 ? Model::EWA : theorem == 9 ? Model::EWAB : Model::EWB;
    checker.criticalSets(chain, model, theorem != 6);
  }
}

constexpr const char* kPlane =
    N_("optimal bias, e and w alone; two chains on each side of p + q = 1 that the theorem covers");
constexpr const char* kPlaneFlow =
    N_("optimal bias, e and w alone; two chains, whose orbits are the same curves, with initial points of their own; "
       "orbits of the polynomial field of S up to S_star or e = 0, not the flow in time");
constexpr const char* kSpaceFlow =
    N_("optimal bias, with attention a; two chains with p + q above 1 and two below, with initial points of their own; "
       "orbits of the polynomial field of S up to S_star or e = 0, not the flow in time");
constexpr const char* kSpace = N_("optimal bias, with attention a; two chains with p + q above 1 and two below");
constexpr const char* kFreeBias = N_("free bias b; two chains with p + q above 1 and two below");

template <int Theorem>
Study theoremStudy(const char* id, const char* title, const char* about, const char* claim, const char* assumptions,
                   std::vector<const char*> corrected) {
  return {.id = id,
          .paper = kLocalToGlobal,
          .title = title,
          .about = about,
          .claim = claim,
          .assumptions = assumptions,
          .corrected = std::move(corrected),
          .compute = [](const Work& work) { return checkTheorem(Theorem, work); },
          .atOnce = true};
}

}  // namespace

StudyResult checksOf(const char* id, std::vector<Check> checks, bool quick) {
  StudyResult result;
  result.study = &studyOf(id);
  result.quick = quick;
  result.head = {result.study->claim, result.study->assumptions};
  result.checks = std::move(checks);
  result.onlyChecks = true;
  result.numbers["statement"] = result.study->claim;
  result.numbers["corrected"] = result.study->corrected;
  return result;
}

Result<StudyResult> checkTheorem(int theorem, const Work& work) {
  std::vector<Check> checks;
  Checker checker(checks, work);
  std::vector<Chain> chains;
  if (theorem != 8) chains.insert(chains.end(), kChainsAbove.begin(), kChainsAbove.end());
  if (theorem != 2) chains.insert(chains.end(), kChainsBelow.begin(), kChainsBelow.end());
  for (std::size_t i = 0; i < chains.size() && !work.isCancelled(); ++i) {
    work.at(static_cast<double>(i) / static_cast<double>(chains.size()));
    checkChain(checker, chains[i], theorem);
  }
  if (work.isCancelled()) return interrupted();
  return checksOf(fmt::format("local-to-global-theorem-{}", theorem).c_str(), std::move(checks), work.quick);
}

std::vector<Study> describeTheorems() {
  return {
      theoremStudy<1>(
          "local-to-global-theorem-1", N_("Critical points of L(e,w)"),
          N_("critical points of L(e,w): gradients, losses of neighbours, ordering of the losses"),
          N_("Theta_star, Theta_min, Theta_max and Theta_sad are the critical points of L(e,w), of the kinds that "
             "their names say, and L is smallest only on Theta_star."),
          kPlane, {"l2g-11", "l2g-17"}),
      theoremStudy<2>(
          "local-to-global-theorem-2", N_("Ends of the flow for p + q > 1"),
          N_("flow for p + q > 1: 10,000 integrated ends against the basins"),
          N_("For p + q > 1 orbits from random initial points end where I_min and I_star say, and so do orbits that "
             "begin a millionth to either side of I_sad."),
          kPlaneFlow, {"l2g-14"}),
      theoremStudy<3>(
          "local-to-global-theorem-3", N_("Ends of the flow with attention"),
          N_("flow with attention: energy, ends, the surface of unbounded orbits"),
          N_("With attention the energy and a second invariant are conserved, and orbits from random initial points "
             "end at critical points of the kinds that the two invariants say. Orbits that begin a millionth inside "
             "and outside the surface of unbounded orbits, which Theorem 3 does not exclude, end at a local and at a "
             "global minimum, respectively."),
          kSpaceFlow, {"l2g-1", "l2g-2"}),
      theoremStudy<6>(
          "local-to-global-theorem-6", N_("Critical points of L(e,w,b)"), N_("critical points of L(e,w,b): gradients"),
          N_("The critical points of L(e,w,b) are Gamma_star, Gamma_min and Gamma_sad."), kFreeBias, {"l2g-11"}),
      theoremStudy<7>(
          "local-to-global-theorem-7", N_("Kinds of the critical points of L(e,w,b)"),
          N_("critical points of L(e,w,b): losses of neighbours, ordering of the losses"),
          N_("Gamma_star are the global minima of L(e,w,b), Gamma_min its bad local minima, Gamma_sad its saddle "
             "points."),
          kFreeBias, {"l2g-11"}),
      theoremStudy<8>(
          "local-to-global-theorem-8", N_("Ends of the flow for p + q < 1"),
          N_("flow for p + q < 1: 10,000 integrated ends against the basins"),
          N_("For p + q < 1 orbits from random initial points end where I_min and I_star say, and so do orbits that "
             "begin a millionth to either side of I_sad."),
          kPlaneFlow, {"l2g-14"}),
      theoremStudy<9>("local-to-global-theorem-9", N_("Critical points of L(e,w,a,b)"),
                      N_("critical points of L(e,w,a,b): gradients, losses of neighbours, ordering of the losses"),
                      N_("Gamma_star, Gamma_min, Gamma_sad and Gamma_station are critical points of L(e,w,a,b), with "
                         "|1 + a e^2| in the bias of Gamma_star; Gamma_station are strict saddles."),
                      kFreeBias, {"l2g-3", "l2g-4", "l2g-11"}),
      theoremStudy<10>(
          "local-to-global-theorem-10", N_("Critical points of L(e,w,a)"),
          N_("critical points of L(e,w,a): gradients, losses of neighbours, ordering of the losses"),
          N_("Theta_star, Theta_min, Theta_max, Theta_sad and Theta_station are critical points of L(e,w,a); "
             "Theta_station are strict saddles."),
          kSpace, {"l2g-3"}),
  };
}

}  // namespace sepx::studies
