// SPDX-License-Identifier: Apache-2.0
// Samples the critical sets from their equations. Star is solved for one coordinate in closed form (e^2 = S_star/v
// without attention, w|w| = (S_star/(e^2 u) - 1)/2 with attention), so every point is exact to rounding. Pure
// functions.
#include "engine/markov/critical_points.h"

#include "engine/markov/energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/random.h"

namespace sepx::markov {

namespace {

constexpr double kSampleReach = 2;  // largest |a|, and range of w
constexpr double kLeastE = 0.25;    // where e is free but not zero
constexpr double kMostE = 1.5;

/// w from w|w|.
double rootOf(double ww) {
  return std::copysign(std::sqrt(std::abs(ww)), ww);
}

/// Appends a (with attention) and b (where free).
State pointOf(Model model, double e, double w, double a, double b) {
  State theta(dimension(model));
  theta[0] = e;
  theta[1] = w;
  if (hasAttention(model)) theta[2] = a;
  if (hasFreeBias(model)) theta[theta.size() - 1] = b;
  return theta;
}

/// b where S = 0: the marginal log odds.
double biasOffStar(const Chain& chain) {
  return std::log(chain.p / chain.q);
}
/// (46) with its missing bars: e^2 w|w| |u| + b = log(p(1-q)/(q(1-p)))/2.
double biasOnStar(const Chain& chain, double e, double w, double a) {
  const double odds = 0.5 * (std::log(chain.p) - std::log(chain.q) + std::log1p(-chain.q) - std::log1p(-chain.p));
  return odds - e * e * w * std::abs(w) * std::abs(1 + a * e * e);
}

double signedDraw(RandomStream& random, double low, double high) {
  const double size = random.uniform(low, high);
  return random.uniform() < 0.5 ? -size : size;
}

/// Without attention: w lies on the side of -1/sqrt 2 where S_star/v is positive, so far from it that |e| <= max(reach,
/// sqrt|S*|).
State starPlane(const Chain& chain, Model model, RandomStream& random) {
  const double S_star = chain.S_star();
  if (chain.degenerate() || S_star == 0) {  // e = 0 or w = -1/sqrt 2
    const bool axis = random.uniform() < 0.5;
    const double e = axis ? 0 : signedDraw(random, kLeastE, kMostE),
                 w = axis ? signedDraw(random, 0, kSampleReach) : kSaddleW;
    return pointOf(model, e, w, 0, biasOnStar(chain, e, w, 0));
  }
  const double farthest = std::max(kSampleReach, std::sqrt(std::abs(S_star)));
  const double nearest = std::copysign(std::abs(S_star) / (farthest * farthest), S_star);  // v
  const double edge = rootOf((nearest - 1) / 2);
  const double w = edge + std::copysign(random.uniform(0, kSampleReach), S_star);
  const double size = std::sqrt(S_star / (1 + 2 * w * std::abs(w)));
  const double e = random.uniform() < 0.5 ? -size : size;
  return pointOf(model, e, w, 0, biasOnStar(chain, e, w, 0));
}

/// With attention: e and a are drawn, w follows from them.
State starSpace(const Chain& chain, Model model, RandomStream& random) {
  constexpr double kLeastU = 0.1;  // w grows beyond all bounds as 1 + a e^2 goes to zero
  double e = 1, a = 0, u = 1;
  do {
    e = signedDraw(random, kLeastE, kMostE);
    a = random.uniform(-kSampleReach, kSampleReach);
    u = 1 + a * e * e;
  } while (std::abs(u) < kLeastU);
  const double w = rootOf((chain.S_star() / (e * e * u) - 1) / 2);
  return pointOf(model, e, w, a, biasOnStar(chain, e, w, a));
}

/// A point with e = 0 and the given sign of (p + q - 1)(1 + 2w|w|); `positive`: the side of the local minima.
State axisPoint(const Chain& chain, Model model, bool positive, RandomStream& random) {
  constexpr double kClear = 0.02;  // distance from -1/sqrt 2, so that the sign of v is certain
  const bool above = positive == (chain.switching() > 0);
  const double w =
      above ? random.uniform(kSaddleW + kClear, kSampleReach) : random.uniform(-kSampleReach, kSaddleW - kClear);
  return pointOf(model, 0, w, random.uniform(-kSampleReach, kSampleReach), biasOffStar(chain));
}

State stationPoint(const Chain& chain, Model model, RandomStream& random) {
  const double e = signedDraw(random, 0.6, kMostE);  // a = -1/e^2 stays of order one
  return pointOf(model, e, kSaddleW, -1 / (e * e), biasOffStar(chain));
}

struct Words {
  std::string_view theta, gamma, plane, planeBias, space, spaceBias;
};

Words wordsOf(CriticalSet set) {
  switch (set) {
    case CriticalSet::Star:
      return {"Theta_star",
              "Gamma_star",
              "e^2 (1 + 2 w|w|) = S_star",
              "e^2 (1 + 2 w|w|) = S_star, e^2 w|w| + b = log(p(1-q)/(q(1-p)))/2",
              "e^2 (1 + a e^2)(1 + 2 w|w|) = S_star",
              "e^2 (1 + a e^2)(1 + 2 w|w|) = S_star, e^2 w|w| |1 + a e^2| + b = log(p(1-q)/(q(1-p)))/2"};
    case CriticalSet::Minima:
      return {"Theta_min",
              "Gamma_min",
              "e = 0, (p+q-1)(1 + 2 w|w|) > 0",
              "e = 0, (p+q-1)(1 + 2 w|w|) > 0, b = log(p/q)",
              "e = 0, (p+q-1)(1 + 2 w|w|) > 0",
              "e = 0, (p+q-1)(1 + 2 w|w|) > 0, b = log(p/q)"};
    case CriticalSet::Maxima:
      return {"Theta_max", "", "e = 0, (p+q-1)(1 + 2 w|w|) < 0", "", "e = 0, (p+q-1)(1 + 2 w|w|) < 0", ""};
    case CriticalSet::Saddles:
      return {"Theta_sad",
              "Gamma_sad",
              "e = 0, w = -1/sqrt(2)",
              "e = 0, (p+q-1)(1 + 2 w|w|) <= 0, b = log(p/q)",
              "e = 0, w = -1/sqrt(2)",
              "e = 0, (p+q-1)(1 + 2 w|w|) <= 0, b = log(p/q)"};
    case CriticalSet::Station:
      return {"Theta_station",
              "Gamma_station",
              "",
              "",
              "e != 0, 1 + a e^2 = 0, w = -1/sqrt(2)",
              "e != 0, 1 + a e^2 = 0, w = -1/sqrt(2), b = log(p/q)"};
  }
  return {};
}

std::string_view degenerateEquation(Model model) {
  switch (model) {
    case Model::EW:
      return "e = 0 or w = -1/sqrt(2)";
    case Model::EWB:
      return "e = 0 or w = -1/sqrt(2), e^2 w|w| + b = log(p/q)";
    case Model::EWA:
      return "e = 0 or w = -1/sqrt(2) or 1 + a e^2 = 0";
    case Model::EWAB:
      return "e = 0 or w = -1/sqrt(2) or 1 + a e^2 = 0, e^2 w|w| |1 + a e^2| + b = log(p/q)";
  }
  return {};
}

LimitKind kindOf(CriticalSet set) {
  switch (set) {
    case CriticalSet::Star:
      return LimitKind::GlobalMin;
    case CriticalSet::Minima:
      return LimitKind::LocalMin;
    case CriticalSet::Maxima:
      return LimitKind::LocalMax;
    case CriticalSet::Saddles:
    case CriticalSet::Station:
      return LimitKind::Saddle;
  }
  return LimitKind::Undecided;
}

/// Dimension of the set in the model's space: the number of coordinates minus the number of equations.
int dimensionsOf(CriticalSet set, Model model) {
  const int axis = hasAttention(model) ? 2 : 1;  // e = 0 and the bias are fixed
  switch (set) {
    case CriticalSet::Saddles:
      return hasFreeBias(model) ? axis : axis - 1;
    case CriticalSet::Station:
      return 1;
    default:
      return axis;
  }
}

CriticalSetInfo infoOf(const Chain& chain, Model model, CriticalSet set) {
  const Words words = wordsOf(set);
  CriticalSetInfo info;
  info.set = set;
  info.kind = kindOf(set);
  info.name = hasFreeBias(model) ? words.gamma : words.theta;
  info.equation = hasAttention(model) ? (hasFreeBias(model) ? words.spaceBias : words.space)
                                      : (hasFreeBias(model) ? words.planeBias : words.plane);
  info.loss = set == CriticalSet::Star ? chain.entropyRate() : chain.marginalEntropy();
  info.dimensions = dimensionsOf(set, model);
  return info;
}

bool allowed(const CriticalSetInfo& info, bool saddlePoint, const Inertia& found) {
  switch (info.set) {
    case CriticalSet::Star:
    case CriticalSet::Minima:
      return found.negative == 0 && found.positive > 0;
    case CriticalSet::Maxima:
      return found.positive == 0 && found.negative > 0;
    case CriticalSet::Saddles:
      return saddlePoint ? found.negative == 0 : found.negative > 0 && found.positive > 0;
    case CriticalSet::Station:
      return found.negative > 0 && found.positive > 0;
  }
  return false;
}

}  // namespace

int criticalTheorem(Model model) {
  switch (model) {
    case Model::EW:
      return 1;
    case Model::EWB:
      return 7;
    case Model::EWA:
      return 10;
    case Model::EWAB:
      return 9;
  }
  return 0;
}

std::vector<CriticalSetInfo> criticalSetsOf(const Chain& chain, Model model) {
  if (chain.degenerate()) {
    CriticalSetInfo star = infoOf(chain, model, CriticalSet::Star);
    star.equation = degenerateEquation(model);
    return {star};
  }
  std::vector<CriticalSetInfo> sets;
  for (const CriticalSet set :
       {CriticalSet::Star, CriticalSet::Minima, CriticalSet::Maxima, CriticalSet::Saddles, CriticalSet::Station}) {
    if (set == CriticalSet::Maxima && hasFreeBias(model)) continue;  // with a free bias they are saddles
    if (set == CriticalSet::Station && !hasAttention(model)) continue;
    sets.push_back(infoOf(chain, model, set));
  }
  return sets;
}

std::vector<State> criticalPoints(const Chain& chain, Model model, CriticalSet set, int count, std::uint64_t seed) {
  RandomStream random(seed, static_cast<std::uint64_t>(set) * 16 + static_cast<std::uint64_t>(model));
  std::vector<State> points;
  const bool single = set == CriticalSet::Saddles && !hasFreeBias(model) && !hasAttention(model);
  for (int i = 0; i < (single ? std::min(count, 1) : count); ++i) {
    switch (set) {
      case CriticalSet::Star:
        points.push_back(hasAttention(model) && !chain.degenerate() ? starSpace(chain, model, random)
                                                                    : starPlane(chain, model, random));
        break;
      case CriticalSet::Minima:
        points.push_back(axisPoint(chain, model, true, random));
        break;
      case CriticalSet::Maxima:
        points.push_back(axisPoint(chain, model, false, random));
        break;
      case CriticalSet::Saddles:
        // With a free bias the set includes the whole side that holds the maxima without it. Its edge comes first.
        points.push_back(
            hasFreeBias(model) && i > 0
                ? axisPoint(chain, model, false, random)
                : pointOf(model, 0, kSaddleW, random.uniform(-kSampleReach, kSampleReach), biasOffStar(chain)));
        break;
      case CriticalSet::Station:
        points.push_back(stationPoint(chain, model, random));
        break;
    }
  }
  return points;
}

Inertia inertiaOf(const State& eigenvalues) {
  constexpr double kShare = 1e-9, kSmall = 1e-3;
  const double zero = kShare * std::max(eigenvalues.cwiseAbs().maxCoeff(), kSmall);
  Inertia inertia;
  for (const double value : eigenvalues)
    ++(value > zero ? inertia.positive : value < -zero ? inertia.negative : inertia.zero);
  return inertia;
}

CriticalFindings examine(const Chain& chain, Model model, const CriticalSetInfo& info,
                         const std::vector<State>& points) {
  constexpr int kMany = 1 << 10;
  CriticalFindings found;
  found.points = static_cast<int>(points.size());
  found.lowestLoss = found.lowestEigenvalue = std::numeric_limits<double>::infinity();
  found.highestLoss = found.highestEigenvalue = -std::numeric_limits<double>::infinity();
  found.least = {kMany, kMany, kMany};
  found.largestGradient = -1;
  for (const State& theta : points) {
    const Evaluation at = evaluate(chain, model, theta);
    const State eigenvalues = hessianEigenvalues(at.hessian);
    const double slope = at.gradient.norm();
    if (!(slope <= found.largestGradient)) found.largestGradient = slope, found.where = theta;
    found.lowestLoss = std::min(found.lowestLoss, at.loss);
    found.highestLoss = std::max(found.highestLoss, at.loss);
    found.largestLossError = std::max(found.largestLossError, std::abs(at.loss - info.loss));
    found.lowestEigenvalue = std::min(found.lowestEigenvalue, eigenvalues.minCoeff());
    found.highestEigenvalue = std::max(found.highestEigenvalue, eigenvalues.maxCoeff());
    const Inertia signs = inertiaOf(eigenvalues);
    found.least = {std::min(found.least.negative, signs.negative), std::min(found.least.zero, signs.zero),
                   std::min(found.least.positive, signs.positive)};
    found.most = {std::max(found.most.negative, signs.negative), std::max(found.most.zero, signs.zero),
                  std::max(found.most.positive, signs.positive)};
    const bool saddlePoint = theta[0] == 0 && theta[1] == kSaddleW;
    // p + q = 1: the whole set is a valley floor, flat in every direction where it crosses itself
    if (!chain.degenerate() && !allowed(info, saddlePoint, signs)) found.asTheorem = false;
    if (chain.degenerate() && signs.negative > 0) found.asTheorem = false;
  }
  return found;
}

}  // namespace sepx::markov
