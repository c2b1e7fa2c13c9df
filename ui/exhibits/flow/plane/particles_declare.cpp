// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the particles. Getters compute no more than a formula.
#include "ui/exhibits/flow/plane/particles_declare.h"

#include <cmath>
#include <utility>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_declare_numbers.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using declaring::real;
using declaring::toggle;

constexpr const char* kStart = "flow.particles.start";
constexpr double kLongestSeconds = 60;

bool particlesShown(const Document& document) {
  const Json& value = document.at("flow.show.particles");
  return value.is_boolean() && value.get<bool>();
}

bool gaussian(const Document& document) {
  const Json& value = document.at(kStart);
  return !value.is_string() || value.get<std::string>() == "gauss";
}

void declareCloud(PropertyRegistry& registry) {
  Property show =
      toggle("flow.show.particles", N_("Particles"), false,
             N_("A cloud of particles that follow the flow, as a density: where many starts go at once, and "
                "the share of them that each basin gets."));
  show.applies = onPages({"plane"});
  registry.declare(show);
  Property count =
      real("flow.particles.count", N_("How many"), "N", 1000, 1e6, 1e5, 1000, 0, N_("How many particles there are."));
  count.kind = Kind::Integer;
  count.scale = Scale::Logarithmic;
  count.applies = onPages({"plane"}, particlesShown);
  registry.declare(count);
  Property start;
  start.key = kStart;
  start.label = N_("They start");
  start.kind = Kind::Choice;
  start.choices = {"gauss", "uniform"};
  start.choiceLabel = [](const std::string& key) {
    return std::string(key == "gauss" ? tr("Gaussian") : tr("over the window"));
  };
  start.fallback = std::string("gauss");
  start.help =
      N_("Where a particle begins: drawn from a normal distribution, as an initialisation is, or evenly over "
         "the window in which the cloud was begun.");
  start.applies = onPages({"plane"}, particlesShown);
  registry.declare(start);
  Property sigma = real("flow.particles.sigma", N_("Spread"), "σ", 0.001, 10, 1, 0.01, 3,
                        N_("Standard deviation of both coordinates of a start."));
  sigma.scale = Scale::Logarithmic;
  sigma.applies =
      onPages({"plane"}, [](const Document& document) { return particlesShown(document) && gaussian(document); });
  sigma.formula = "\\theta_0\\sim\\mathcal{N}(0,\\sigma^2 I_2)";
  sigma.errata = {"l2g-14"};
  registry.declare(sigma);
}

void declareMotion(PropertyRegistry& registry) {
  Property clock;
  clock.key = "flow.particles.clock";
  clock.label = N_("They move");
  clock.kind = Kind::Choice;
  clock.choices = {"flow", "unit"};
  clock.choiceLabel = [](const std::string& key) {
    return std::string(key == "flow" ? tr("as the flow") : tr("at one speed"));
  };
  clock.fallback = std::string("flow");
  clock.help =
      N_("The flow's own clock shows where it is slow; at one speed every particle arrives, and the paths stay "
         "the same.");
  clock.applies = onPages({"plane"}, particlesShown);
  registry.declare(clock);
  Property speed = real("flow.particles.speed", N_("Particle speed"), "", 0.05, 50, 4, 0.1, 2,
                        N_("On the flow's clock units of time a second; at one speed fifths of the window's height a "
                           "second."));
  speed.scale = Scale::Logarithmic;
  speed.applies = onPages({"plane"}, particlesShown);
  registry.declare(speed);
  Property trail = real("flow.particles.trail", N_("Trails"), "", 0, 2, 0.15, 0.05, 2,
                        N_("After this time a trail has faded to a third."));
  trail.unit = "s";
  trail.applies = onPages({"plane"}, particlesShown);
  registry.declare(trail);
  Property respawn = toggle("flow.particles.respawn", N_("Begin anew"), true,
                            N_("A particle that came to rest or left begins anew. Only first lives are counted."));
  respawn.applies = onPages({"plane"}, particlesShown);
  registry.declare(respawn);
  Property running =
      toggle("flow.particles.running", N_("Running"), true,
             N_("Off: the cloud stands. In a script and in a figure it stands after the seconds below."));
  running.applies = onPages({"plane"}, particlesShown);
  registry.declare(running);
  Property seconds =
      real("flow.particles.seconds", N_("Seconds run"), "", 0, kLongestSeconds, 1, 0.5, 2,
           N_("How long the cloud has run when it is first seen; a script and a figure show just this."));
  seconds.unit = "s";
  seconds.applies = onPages({"plane"}, particlesShown);
  registry.declare(seconds);
}

/// Of the labels those that a cloud in this plane can end at.
std::size_t labelOf(markov::LimitKind kind) {
  return static_cast<std::size_t>(kind);
}

std::string shareMarkup(const FlowParticles& results, markov::LimitKind kind) {
  const std::optional<double> share = measuredShare(results, kind);
  return share ? shareWithNumbers(*share, static_cast<std::size_t>(results.request()->options.count)) : std::string();
}

bool shownOnCanonical(const Document& document) {
  return particlesShown(document) && canonical(document);
}

struct ShareCard {
  const char *key, *label, *help;
  std::string formula;
  markov::LimitKind kind;
};

void declareShare(PropertyRegistry& registry, const FlowParticles& results, const ShareCard& card) {
  ReadOut share;
  share.key = card.key;
  share.label = card.label;
  share.help = card.help;
  share.applies = onPages({"plane"}, shownOnCanonical);
  share.formula = card.formula;
  share.formulaApplies = canonical;
  share.errata = {"l2g-14"};
  share.numberWords = shownShare;
  share.get = [&results, kind = card.kind](int) { return declaring::valueOf(measuredShare(results, kind)); };
  share.withNumbers = [&results, kind = card.kind](int) { return shareMarkup(results, kind); };
  registry.declare(std::move(share));
}

void declareExact(PropertyRegistry& registry, const FlowParticles& results) {
  ReadOut exact;
  exact.key = "flow.particles.exact";
  exact.label = N_("P(local min.)");
  exact.help = N_("Probability that a start of this cloud ends in a local minimum: an integral over the exact basin.");
  exact.equation = "Local-to-Global, Theorems 2 and 8";
  exact.applies = onPages({"plane"}, shownOnCanonical);
  exact.formula = "P(I_{\\mathrm{min}}) = \\int_{I_{\\mathrm{min}}}\\varphi_\\sigma(e)\\,\\varphi_\\sigma(w)\\,de\\,dw";
  exact.formulaApplies = canonical;
  exact.errata = {"l2g-14", "l2g-19"};
  exact.numberWords = [](double value) { return shownProbability(value, 6); };
  exact.get = [&results](int) { return declaring::valueOf(results.exactLocal()); };
  exact.withNumbers = [&results](int) {
    if (!results.exactLocal()) return std::string();
    const ParticlesRequest& request = *results.request();
    return gaussWithNumbers(request.model.chain, request.options.sigma, *results.exactLocal());
  };
  registry.declare(std::move(exact));
}

void declareReadOuts(PropertyRegistry& registry, const FlowParticles& results) {
  const std::string sum = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[";
  declareShare(registry, results,
               {"flow.particles.global", N_("At global min."),
                N_("Share of the particles whose first life ends, or will certainly end, at a global minimum."),
                sum + "\\theta_i\\in I_\\star\\right]", markov::LimitKind::GlobalMin});
  declareShare(registry, results,
               {"flow.particles.stuck", N_("At local min."),
                N_("Share of the particles whose first life ends, or will certainly end, at a local minimum."),
                sum + "\\theta_i\\in I_{\\mathrm{min}}\\right]", markov::LimitKind::LocalMin});
  declareExact(registry, results);
  declareShare(registry, results,
               {"flow.particles.under-way", N_("Under way"),
                N_("Share of the particles in their first life of which it is not yet certain where they will end."),
                sum + "t < t_i\\right]", markov::LimitKind::Undecided});
  ReadOut device;
  device.key = "flow.particles.device";
  device.label = N_("Moved by");
  device.help =
      N_("The device that moves the particles and how long a step takes; CPU and GPU are measured once "
         "against each other.");
  device.detail = true;
  device.applies = onPages({"plane"}, particlesShown);
  device.get = [&results](int) -> Value {
    if (results.device().empty()) return std::monostate{};
    return results.device();
  };
  registry.declare(std::move(device));
}

}  // namespace

ParticlesState readParticles(const Document& document, const PropertyRegistry& registry) {
  ParticlesState state;
  state.shown = registry.toggle(document, "flow.show.particles");
  state.runs = registry.toggle(document, "flow.particles.running");
  state.options.count = static_cast<int>(registry.real(document, "flow.particles.count"));
  state.options.start =
      registry.text(document, kStart) == "gauss" ? dynamics::ParticleStart::Gauss : dynamics::ParticleStart::Uniform;
  state.options.sigma = registry.real(document, "flow.particles.sigma");
  const double speed = registry.real(document, "flow.particles.speed");
  const bool unit = registry.text(document, "flow.particles.clock") == "unit";
  state.step.clock = unit ? dynamics::ParticleClock::UnitSpeed : dynamics::ParticleClock::Flow;
  state.step.amount = speed * (unit ? 0.2 : 1.0) / FlowParticles::kStepsPerSecond;
  const double trail = registry.real(document, "flow.particles.trail");
  state.step.fade = trail > 0 ? std::exp(-1 / (FlowParticles::kStepsPerSecond * trail)) : 0.0;
  state.step.respawn = registry.toggle(document, "flow.particles.respawn");
  state.seconds = registry.real(document, "flow.particles.seconds");
  return state;
}

std::optional<double> measuredShare(const FlowParticles& results, markov::LimitKind kind) {
  if (!results.counts() || !results.request()) return std::nullopt;
  const auto& ends = results.picture()->ends;
  return static_cast<double>(ends[labelOf(kind)]) / static_cast<double>(results.request()->options.count);
}

std::optional<double> exactShare(const FlowParticles& results, markov::LimitKind kind) {
  const std::optional<double>& local = results.exactLocal();
  if (!local) return std::nullopt;
  if (kind == markov::LimitKind::LocalMin) return local;
  if (kind == markov::LimitKind::GlobalMin) return 1 - *local;
  return std::nullopt;
}

void declareParticles(PropertyRegistry& registry, const ParticlesReadings& readings) {
  declareCloud(registry);
  declareMotion(registry);
  declareReadOuts(registry, readings.results);
}

}  // namespace sepx::ui
