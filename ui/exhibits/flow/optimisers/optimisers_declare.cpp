// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the page of optimisers, each with its card.
#include <cmath>

#include "ui/exhibits/flow/optimisers/optimisers_page.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/properties/formula.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

using namespace declaring;

namespace {

using markov::RacePath;
using markov::Racer;

constexpr const char* kPaper = "Local-to-Global, section 3 and A.3";
constexpr const char* kEuler = "\\theta_{k+1} = \\theta_k-\\eta\\,\\nabla L(\\theta_k)";
constexpr const char* kMomentum = "m_{k+1} &= \\mu\\,m_k+g_k \\\\ \\theta_{k+1} &= \\theta_k-\\eta\\,m_{k+1}";
constexpr const char* kAdam =
    "m_k &= \\beta_1m_{k-1}+(1-\\beta_1)\\,g_k \\\\ v_k &= \\beta_2v_{k-1}+(1-\\beta_2)\\,g_k^2 "
    "\\\\ \\theta_{k+1} &= (1-\\eta\\lambda)\\,\\theta_k-\\eta\\,\\frac{m_k}{1-\\beta_1^k}\\,\\frac{1}{\\sqrt{v_k/"
    "(1-\\beta_2^k)}+\\epsilon}";

std::function<bool(const Document&)> here() {
  return onPages({FlowPageKind::Optimisers});
}
/// While this optimiser is shown.
std::function<bool(const Document&)> whenShown(Racer racer) {
  return onPages({FlowPageKind::Optimisers}, [key = racerKey(racer, "show")](const Document& document) {
    const Json& shown = document.at(key);
    return !shown.is_boolean() || shown.get<bool>();
  });
}

Property whole(std::string key, std::string label, std::string symbol, double min, double max, double fallback,
               double step, std::string help) {
  Property property =
      real(std::move(key), std::move(label), std::move(symbol), min, max, fallback, step, 0, std::move(help));
  property.kind = Kind::Integer;
  property.scale = min > 0 && max > 200 ? Scale::Logarithmic : Scale::Linear;
  property.applies = here();
  return property;
}

void declareCommon(PropertyRegistry& registry) {
  registry.declare(
      whole("flow.optimisers.steps", N_("Steps"), "", 1, 20000, 300, 10, N_("How many steps each makes.")));
  registry.declare(
      whole("flow.optimisers.batch", N_("Batch"), "B", 1, 4096, 16, 1,
            N_("Sequences in one batch. Every optimiser that samples sees the same batch at the same step.")));
  registry.declare(
      whole("flow.optimisers.length", N_("Length"), "N", 1, 16384, 64, 1,
            N_("Predictions in one sequence; its first symbol is drawn from the stationary distribution.")));
  registry.declare(whole("flow.optimisers.seed", N_("Seed"), "", 0, 1e6, 0, 1,
                         N_("The same seed draws the same sequences on every machine.")));
  Property bias;
  bias.key = "flow.optimisers.bias";
  bias.label = N_("Bias");
  bias.symbol = "b";
  bias.kind = Kind::Choice;
  bias.choices = {"exact", "1", "2", "5"};
  bias.fallback = std::string("exact");
  bias.help =
      N_("After every step the bias is the best one exactly, as in the theory, or makes so many steps of its own.");
  bias.equation = kPaper;
  bias.errata = {"l2g-16"};
  bias.choiceLabel = [](const std::string& key) {
    return key == "exact" ? std::string(tr("b* exactly")) : key == "1" ? std::string(tr("1 step")) : key + tr(" steps");
  };
  bias.applies = here();
  registry.declare(bias);
  Property log = toggle("flow.optimisers.log-steps", N_("Steps by log"), false,
                        N_("The chart counts steps by powers of ten: what happens first has room."));
  log.applies = here();
  registry.declare(log);
}

void declareShown(PropertyRegistry& registry) {
  constexpr const char* kHelp[] = {
      N_("The gradient flow itself, at time k times the rate of gradient descent after step k."),
      N_("One step of the rate along the gradient of the population's loss."),
      N_("Gradient descent on the loss of sampled sequences."),
      N_("Gradient descent with a memory of earlier gradients."),
      N_("Adam with decoupled weight decay: each coordinate has a step of its own, about the rate in size."),
  };
  for (const Racer racer : kAllRacers) {
    constexpr const char* kNames[] = {N_("Flow"), N_("GD"), N_("SGD"), N_("Momentum"), N_("AdamW")};
    const auto i = static_cast<std::size_t>(racer);
    Property shown = toggle(racerKey(racer, "show"), kNames[i], true, kHelp[i]);
    shown.applies = here();
    registry.declare(shown);
  }
}

void declareRates(PropertyRegistry& registry) {
  for (const markov::Entrant& entrant : markov::usualEntrants()) {
    constexpr const char* kNames[] = {N_("Time of a step"), N_("GD: rate"), N_("SGD: rate"), N_("Momentum: rate"),
                                      N_("AdamW: rate")};
    Property rate =
        real(racerKey(entrant.racer, "rate"), kNames[static_cast<std::size_t>(entrant.racer)], "η", 1e-4, 10,
             entrant.rule.learningRate, 0.01, 4,
             entrant.racer == Racer::Flow ? N_("So much of the flow's time passes in one step of the chart.")
                                          : N_("Learning rate: the size of a step."));
    rate.scale = Scale::Logarithmic;
    rate.applies = whenShown(entrant.racer);
    rate.formula = entrant.racer == Racer::Momentum ? kMomentum : entrant.racer == Racer::AdamW ? kAdam : kEuler;
    registry.declare(rate);
  }
}

void declareRules(PropertyRegistry& registry) {
  Property mu = real(racerKey(Racer::Momentum, "mu"), N_("Momentum"), "μ", 0, 0.999, 0.9, 0.01, 3,
                     N_("How much of the last step is kept."));
  mu.applies = whenShown(Racer::Momentum);
  mu.formula = kMomentum;
  registry.declare(mu);
  Property nesterov = toggle(racerKey(Racer::Momentum, "nesterov"), N_("Nesterov"), false,
                             N_("The gradient counts once more, as if taken ahead."));
  nesterov.applies = whenShown(Racer::Momentum);
  registry.declare(nesterov);
  constexpr const char* kBetas[] = {"beta1", "beta2"};
  for (int i = 0; i < 2; ++i) {
    Property beta =
        real(racerKey(Racer::AdamW, kBetas[i]), N_("AdamW"), i == 0 ? "β₁" : "β₂", 0, 0.99999, i == 0 ? 0.9 : 0.999,
             0.01, i == 0 ? 3 : 4, N_("How slowly AdamW forgets: of the gradient, and of its square."));
    beta.applies = whenShown(Racer::AdamW);
    beta.formula = kAdam;
    registry.declare(beta);
  }
  Property decay = real(racerKey(Racer::AdamW, "decay"), N_("Decay"), "λ", 0, 1, 0, 0.01, 3,
                        N_("Decoupled: both coordinates shrink by this share times the rate at every step."));
  decay.applies = whenShown(Racer::AdamW);
  decay.formula = kAdam;
  registry.declare(decay);
  for (const Racer racer : {Racer::Momentum, Racer::AdamW}) {
    Property sampled = toggle(racerKey(racer, "sampled"),
                              racer == Racer::Momentum ? N_("Momentum: on samples") : N_("AdamW: on samples"), false,
                              N_("It sees the gradient of a batch of sequences instead of the population's."));
    sampled.applies = whenShown(racer);
    registry.declare(sampled);
  }
}

using OfPath = std::function<Value(const RacePath&)>;

struct Reading {
  const char* member;
  const char* label;
  const char* symbol;
  const char* unit;
  const char* help;
  const char* formula;
  int digits;
  OfPath get;
  std::function<std::string(const RacePath&)> withNumbers;
  bool detail = false;
  std::function<std::string(const std::string&)> words = {};
};

std::vector<Reading> readings() {
  const auto point = [](double e, double w) { return "(" + formulaNumber(e) + ",\\," + formulaNumber(w) + ")"; };
  return {
      {"basin",
       N_("in the basin of"),
       "",
       "",
       N_("Where the flow would go from the last point, by Theorems 2 and 8."),
       "",
       0,
       [](const RacePath& path) { return Value(std::string(markov::limitName(path.label.back()))); },
       {},
       false,
       labelWords},
      {"loss", N_("loss"), "L", "nats",
       N_("Loss of the population at the last point, with the bias that the optimiser has there."), "L(e_K,w_K,b_K)", 6,
       [](const RacePath& path) { return valueOf(path.loss.back()); },
       [point](const RacePath& path) {
         return "L" + point(path.last()[0], path.last()[1]) + " = " + formulaNumber(path.loss.back());
       }},
      {"left", N_("leaves at step"), "", "",
       N_("First step whose point lies in another basin than the start; nothing when there is none."),
       "\\min\\left\\{k:\\ (e_k,w_k)\\notin\\mathcal{I}(e_0,w_0)\\right\\}", 0,
       [](const RacePath& path) { return path.leftAt ? Value(static_cast<double>(*path.leftAt)) : Value(); },
       [point](const RacePath& path) -> std::string {
         if (!path.leftAt) return {};
         const markov::State& at = path.theta[static_cast<std::size_t>(*path.leftAt)];
         return "k = " + formulaNumber(*path.leftAt, 0) + ":\\ " + point(at[0], at[1]);
       }},
      {"farthest", N_("off the orbit"), "", "",
       N_("Largest distance of a point of the path from the orbit of the flow."),
       "\\max_k\\,\\min_t\\,|\\theta_k-\\theta(t)|", 4, [](const RacePath& path) { return valueOf(path.farthest); },
       [](const RacePath& path) { return "= " + formulaNumber(path.farthest); }},
      {"behind", N_("off in time"), "", "",
       N_("Largest distance between step k and the flow at time k times the rate: it halves with the rate of gradient "
          "descent. Momentum and AdamW have no such time."),
       "\\max_k\\,|\\theta_k-\\theta(k\\eta)|", 4,
       [](const RacePath& path) { return path.behind ? valueOf(*path.behind) : Value(); },
       [](const RacePath& path) { return path.behind ? "= " + formulaNumber(*path.behind) : std::string(); }, true},
      {"gradient", N_("gradient"), "", "",
       N_("Length of the population's gradient at the last point: what is above 0.0001 is still on its way."),
       "|\\nabla L(e_K,w_K)|", 6, [](const RacePath& path) { return valueOf(path.endGradient); },
       [](const RacePath& path) { return "= " + formulaNumber(path.endGradient, 9); }, true},
  };
}

void declareReadOuts(PropertyRegistry& registry, const OptimiserPage& page) {
  ReadOut basin;
  basin.key = "flow.optimisers.basin";
  basin.label = N_("The flow goes to");
  basin.help = N_("The kind of limit that gradient flow reaches from the start: its basin is the one to leave.");
  basin.equation = "Local-to-Global, Theorems 2 and 8";
  basin.words = labelWords;
  basin.applies = here();
  basin.get = [&page](int) {
    return page.race() ? Value(std::string(markov::limitName(page.race()->basin))) : Value();
  };
  registry.declare(basin);
  for (const Racer racer : kAllRacers)
    for (const Reading& reading : readings()) {
      if (racer == Racer::Flow && std::string_view(reading.member) == "behind") continue;
      ReadOut one;
      one.key = racerKey(racer, reading.member);
      one.label = reading.label;
      one.liveLabel = [racer, label = reading.label](const Document&) {
        return racerWords(racer, true) + ": " + tr(label);
      };
      one.symbol = reading.symbol;
      one.unit = reading.unit;
      one.help = reading.help;
      one.formula = reading.formula;
      one.digits = reading.digits;
      one.detail = reading.detail;
      one.words = reading.words;
      one.applies = whenShown(racer);
      one.get = [&page, racer, get = reading.get](int) {
        const RacePath* const path = page.path(racer);
        return path ? get(*path) : Value();
      };
      if (reading.withNumbers)
        one.withNumbers = [&page, racer, with = reading.withNumbers](int) {
          const RacePath* const path = page.path(racer);
          return path ? with(*path) : std::string();
        };
      registry.declare(one);
    }
}

}  // namespace

void declareOptimisers(PropertyRegistry& registry, const FlowShared&, const OptimiserPage& page) {
  declareShown(registry);
  declareCommon(registry);
  declareRates(registry);
  declareRules(registry);
  declareReadOuts(registry, page);
}

}  // namespace sepx::ui
