// SPDX-License-Identifier: Apache-2.0
#include "app/cli/reproduce_theorems.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/cli/text.h"
#include "engine/core/random.h"
#include "engine/markov/attention_basin.h"
#include "engine/markov/critical_points.h"
#include "engine/markov/energy.h"
#include "engine/markov/flow_batch.h"
#include "engine/markov/gaussian.h"
#include "ui/properties/errata.h"

namespace sepx::app::cli {
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
constexpr std::array<Chain, 2> kAbove{Chain{0.5, 0.8}, {0.9, 0.3}};
constexpr std::array<Chain, 2> kBelow{Chain{0.2, 0.3}, {0.1, 0.6}};

/// One theorem being checked.
class Checker {
 public:
  Checker(TheoremReport& report, std::uint64_t seed, ThreadPool& pool) : report_(report), seed_(seed), pool_(pool) {}

  std::size_t many(std::size_t all) const { return report_.quick ? all / 10 : all; }

  void below(const Chain& chain, std::string what, std::size_t points, double value, double bound) {
    report_.checks.push_back({chain.p, chain.q, std::move(what), static_cast<std::int64_t>(points), value, "<", bound});
  }
  void none(const Chain& chain, std::string what, std::size_t points, std::size_t value) {
    report_.checks.push_back(
        {chain.p, chain.q, std::move(what), static_cast<std::int64_t>(points), static_cast<double>(value), "=", 0});
  }

  /// All critical sets of a model: gradients, losses, and with `kinds` the signs of the Hessian and the losses' order.
  void criticalSets(const Chain& chain, Model model, bool kinds) {
    const std::size_t count = many(1000);
    double starLoss = 0, lowestOther = std::numeric_limits<double>::infinity();
    for (const markov::CriticalSetInfo& info : markov::criticalSetsOf(chain, model)) {
      const auto points = markov::criticalPoints(chain, model, info.set, static_cast<int>(count), seed_);
      const markov::CriticalFindings found = markov::examine(chain, model, info, points);
      below(chain, trf(N_("largest |grad L| on {}"), info.name), points.size(), found.largestGradient, kGradient);
      below(chain, trf(N_("loss on {} off its value"), info.name), points.size(), found.largestLossError, kLoss);
      if (kinds)
        none(chain,
             trf(N_("points of {} whose Hessian's signs are not those of a {}"), info.name,
                 markov::limitName(info.kind)),
             points.size(), unlike(chain, model, info, points));
      if (info.set == CriticalSet::Star)
        starLoss = found.highestLoss;
      else
        lowestOther = std::min(lowestOther, found.lowestLoss);
    }
    if (kinds)
      below(chain, tr(N_("loss on the global minima minus the lowest other critical loss")), count,
            starLoss - lowestOther, 0);
    nothingElse(chain, model);
  }

  std::size_t unlike(const Chain& chain, Model model, const markov::CriticalSetInfo& info,
                     const std::vector<State>& points) const {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](const State& at) {
      return !markov::examine(chain, model, info, {at}).asTheorem;
    }));
  }

  /// Off the sets the gradient does not vanish.
  void nothingElse(const Chain& chain, Model model) {
    const std::size_t count = many(10000);
    RandomStream random(seed_, 77);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count; ++i) {
      State theta(markov::dimension(model));
      for (double& value : theta)
        value = random.uniform(-2.5, 2.5);
      found += markov::gradient(chain, model, theta).norm() < kGradient && std::abs(theta[0]) > 1e-6;
    }
    none(chain, tr(N_("random points off the sets where the gradient vanishes")), count, found);
  }

  /// Theorems 2 and 8: where integrated orbits end.
  void planeFlow(const Chain& chain) {
    const std::size_t count = many(10000);
    RandomStream random(seed_, 2);
    std::vector<double> e, w;
    while (e.size() < count) {
      const double e0 = random.uniform(-3, 3), w0 = random.uniform(-3, 3);
      const double off = w0 < 0 ? std::abs(e0 * e0 - markov::separatrixSquared(w0)) : 1.0;
      if (off <= 1e-6 * (1 + e0 * e0)) continue;
      e.push_back(e0);
      w.push_back(w0);
    }
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, pool_);
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
    none(chain, tr(N_("integrated ends of another kind than the theorem says")), count, differ);
    none(chain, tr(N_("orbits that did not come to an end")), count, endless);
    below(chain, tr(N_("integrated end from the end in closed form")), count, apart, 1e-9);
    below(chain, tr(N_("largest |grad L| at the ends")), count, slope, kGradient);
    below(chain, tr(N_("drift of the energy, |E - E0|/(1 + |E0|)")), count, drift, 1e-9);
    separatrix(chain);
    smallCloud(chain);
  }

  /// I_sad divides the kinds: a millionth of |e| to either side of it orbits end differently, as the theorem says.
  void separatrix(const Chain& chain) {
    const std::size_t count = many(1000);
    RandomStream random(seed_, 3);
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
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, pool_);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < batch.label.size(); ++i)
      wrong += batch.label[i] != (i % 2 == 0 ? LimitKind::LocalMin : LimitKind::GlobalMin);
    none(chain, tr(N_("starts a millionth to either side of I_sad that end on the other side")), e.size(), wrong);
  }

  /// The closing claim about the standard initialisation, as corrected: a share and not "will be".
  void smallCloud(const Chain& chain) {
    constexpr double kSigma = 0.2;
    const std::size_t count = many(10000);
    std::vector<double> e, w;
    for (std::size_t i = 0; i < count; ++i) {
      const State start = markov::gaussianStart(Model::EW, kSigma, seed_, i);
      e.push_back(start[0]);
      w.push_back(start[1]);
    }
    const FlowBatch batch = markov::flowBatch(chain, Model::EW, {e, w, {}}, {}, pool_);
    const auto hits = std::count(batch.label.begin(), batch.label.end(), LimitKind::LocalMin);
    const double P = markov::probabilityLocalMinimum(kSigma, chain.switching() > 0);
    const double n = static_cast<double>(count), error = std::sqrt(std::max(P * (1 - P), 1 / n) / n);
    below(chain,
          trf(N_("N(0, {}^2 I): counted share of local minima off {}, in standard errors"), kSigma, forPeople(P)),
          count, std::abs(static_cast<double>(hits) / n - P) / error, 5);
  }

  /// Theorem 3 as corrected.
  void spaceFlow(const Chain& chain) {
    const std::size_t count = many(1000);
    RandomStream random(seed_, 4);
    std::vector<double> e(count), w(count), a(count);
    for (std::size_t i = 0; i < count; ++i)
      for (double* value : {&e[i], &w[i], &a[i]})
        *value = random.uniform(-2, 2);
    const FlowBatch batch = markov::flowBatch(chain, Model::EWA, {e, w, a}, {}, pool_);
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
    below(chain, tr(N_("drift of the energy, |E - E0|/(1 + |E0|)")), count, drift, 1e-8);
    below(chain, tr(N_("drift of the second invariant, the angle of the Airy curve")), count, angle, 1e-8);
    below(chain, tr(N_("largest |grad L| at the ends")), count, slope, kGradient);
    none(chain, tr(N_("orbits that did not come to an end")), count, endless);
    none(chain, tr(N_("integrated ends of another kind than the two invariants say")), count, differ);
    std::fill(w.begin(), w.end(), 0.0);
    const FlowBatch flat = markov::flowBatch(chain, Model::EWA, {e, w, a}, {}, pool_);
    none(chain, tr(N_("orbits that left the plane w = 0")), count,
         static_cast<std::size_t>(std::count_if(flat.w.begin(), flat.w.end(), [](double x) { return x != 0; })));
  }

  /// The two sides of the surface of unbounded orbits at a0 = -1, w0 = 0, and the surface itself.
  void unboundedSurface(const Chain& chain) {
    constexpr double kSurface = 0.689443330325249, kStep = 1e-6;
    const std::vector<double> e{kSurface - kStep, kSurface + kStep, kSurface}, w(3, 0.0), a(3, -1.0);
    const FlowBatch batch = markov::flowBatch(chain, Model::EWA, {e, w, a}, {}, pool_);
    below(chain, trf(N_("a0 = -1, w0 = 0, e0 = {} - 1e-6: |e| at the end"), kSurface), 1,
          batch.label[0] == LimitKind::LocalMin ? std::abs(batch.e[0]) : 1, 1e-9);
    const State end = Eigen::Vector3d(batch.e[1], batch.w[1], batch.a[1]);
    below(chain, trf(N_("the same with + 1e-6: loss at the end above the global minimum's"), kSurface), 1,
          batch.label[1] == LimitKind::GlobalMin ? markov::loss(chain, Model::EWA, end) - chain.entropyRate() : 1,
          kLoss);
    none(chain, tr(N_("the start between them: not recognised as unbounded")), 1,
         batch.status[2] == FlowStatus::Unbounded ? 0 : 1);
  }

 private:
  TheoremReport& report_;
  std::uint64_t seed_;
  ThreadPool& pool_;
};

struct Statement {
  int theorem;
  const char* about;      // in the list
  const char* statement;  // what is checked
  std::vector<const char*> corrected;
};

const std::vector<Statement>& statements() {
  static const std::vector<Statement> all{
      {1,
       N_("critical points of L(e,w): gradients, Hessian signs, ordering of the losses"),
       N_("Theta_star, Theta_min, Theta_max and Theta_sad are the critical points of L(e,w), of the kinds their names "
          "say, and L is least on Theta_star alone."),
       {"l2g-11", "l2g-17"}},
      {2,
       N_("flow for p + q > 1: 10,000 integrated ends against the basins"),
       N_("For p + q > 1 every orbit ends; where is decided by I_min, I_sad, I_max and I_star."),
       {"l2g-14"}},
      {3,
       N_("flow with attention: energy, ends, the surface of unbounded orbits"),
       N_("With attention the energy is conserved and the plane w = 0 invariant; orbits end at critical points except "
          "on one surface, which the paper overlooks."),
       {"l2g-1", "l2g-2"}},
      {6,
       N_("critical points of L(e,w,b): gradients"),
       N_("The critical points of L(e,w,b) are Gamma_star, Gamma_min and Gamma_sad."),
       {"l2g-11"}},
      {7,
       N_("critical points of L(e,w,b): Hessian signs, ordering of the losses"),
       N_("Gamma_star are the global minima of L(e,w,b), Gamma_min its bad local minima, Gamma_sad its saddle points."),
       {"l2g-11"}},
      {8,
       N_("flow for p + q < 1: 10,000 integrated ends against the basins"),
       N_("For p + q < 1 every orbit ends; where is decided by I_min, I_sad, I_max and I_star."),
       {"l2g-14"}},
      {9,
       N_("critical points of L(e,w,a,b): gradients, Hessian signs, ordering of the losses"),
       N_("Gamma_star, Gamma_min, Gamma_sad and Gamma_station are critical points of L(e,w,a,b), with |1 + a e^2| in "
          "the bias of Gamma_star; Gamma_station are strict saddles."),
       {"l2g-3", "l2g-4", "l2g-11"}},
      {10,
       N_("critical points of L(e,w,a): gradients, Hessian signs, ordering of the losses"),
       N_("Theta_star, Theta_min, Theta_max, Theta_sad and Theta_station are critical points of L(e,w,a); "
          "Theta_station are strict saddles."),
       {"l2g-3"}},
  };
  return all;
}

void runChecks(Checker& checker, int theorem) {
  const bool above = theorem != 8, below = theorem != 2;
  for (const auto* chains : {above ? &kAbove : nullptr, below ? &kBelow : nullptr}) {
    if (chains == nullptr) continue;
    for (const Chain& chain : *chains) {
      if (theorem == 2 || theorem == 8)
        checker.planeFlow(chain);
      else if (theorem == 3)
        checker.spaceFlow(chain);
      else
        checker.criticalSets(chain,
                             theorem == 1    ? Model::EW
                             : theorem == 10 ? Model::EWA
                             : theorem == 9  ? Model::EWAB
                                             : Model::EWB,
                             theorem != 6);
      if (theorem == 3 && chain.switching() > 0) checker.unboundedSurface(chain);
    }
  }
}

}  // namespace

bool TheoremReport::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](const TheoremCheck& check) { return check.passed(); });
}

const std::vector<TheoremEntry>& theoremEntries() {
  static const std::vector<TheoremEntry> entries = [] {
    std::vector<TheoremEntry> all;
    for (const Statement& one : statements())
      all.push_back({one.theorem, fmt::format("local-to-global-theorem-{}", one.theorem), one.about});
    return all;
  }();
  return entries;
}

TheoremReport checkTheorem(int theorem, bool quick, std::uint64_t seed, ThreadPool& pool) {
  TheoremReport report;
  report.theorem = theorem;
  report.quick = quick;
  for (const Statement& one : statements())
    if (one.theorem == theorem) {
      report.statement = one.statement;
      report.corrected = one.corrected;
    }
  Checker checker(report, seed, pool);
  runChecks(checker, theorem);
  return report;
}

Json theoremJson(const TheoremReport& report) {
  Json json = beginDocument("reproduce");
  json["id"] = fmt::format("local-to-global-theorem-{}", report.theorem);
  json["quick"] = report.quick;
  json["statement"] = tr(report.statement);
  json["corrected"] = Json::array();
  for (const char* id : report.corrected)
    json["corrected"].push_back(id);
  json["checks"] = Json::array();
  for (const TheoremCheck& check : report.checks)
    json["checks"].push_back(Json::object({{"p", check.p},
                                           {"q", check.q},
                                           {"what", check.what},
                                           {"points", check.points},
                                           {"value", check.value},
                                           {"relation", check.relation},
                                           {"bound", check.bound},
                                           {"passed", check.passed()}}));
  json["passed"] = report.passed();
  return json;
}

std::string theoremText(const TheoremReport& report) {
  std::string text = tr(report.statement);
  text += "\n";
  double p = 0, q = 0;
  for (const TheoremCheck& check : report.checks) {
    if (check.p != p || check.q != q) text += fmt::format("\np = {}, q = {}\n", check.p, check.q);
    p = check.p;
    q = check.q;
    text += fmt::format("  {:>10.3g} {} {:<8.3g} {:<7} {} ({})\n", check.value, check.relation, check.bound,
                        check.passed() ? tr(N_("holds")) : tr(N_("FAILS")), check.what,
                        counted(check.points, N_("{} point"), N_("{} points")));
  }
  for (const char* id : report.corrected)
    if (const ui::Erratum* erratum = ui::findErratum(id))
      text += "\n" + trf(N_("corrected ({}): {}, {}"), id, ui::paperName(erratum->paper), tr(erratum->place));
  if (!report.corrected.empty()) text += "\n";
  return text;
}

}  // namespace sepx::app::cli
