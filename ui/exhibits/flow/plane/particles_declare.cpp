// SPDX-License-Identifier: Apache-2.0
// Parameters and read-outs of the particles. Getters compute no more than a formula.
#include "ui/exhibits/flow/plane/particles_declare.h"

#include <cmath>

#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_declare_numbers.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

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

bool shownOnCanonical(const Document& document) {
  return particlesShown(document) && canonical(document);
}

// clang-format off
void declareCloud(PropertyRegistry& registry) {
  declareParameters(registry, {.prefix = "flow.show.", .applies = declaring::onPlane()}, {
      {.key = "particles", .label = N_("Particles"), .fallback = false,
       .help = N_("A cloud of particles that follow the flow, as a density: where many starts go at once, and the share "
                  "of them that each basin gets.")}});
  declareParameters(registry, {.prefix = "flow.particles.", .applies = declaring::onPlane(particlesShown)}, {
      {.key = "count", .label = N_("How many"), .symbol = "N", .kind = Kind::Integer, .min = 1000, .max = 1e6,
       .scale = Scale::Logarithmic, .step = 1000, .fallback = 1e5, .help = N_("How many particles there are.")},
      {.key = "start", .label = N_("They start"),
       .options = {{"gauss", N_("Gaussian")}, {"uniform", N_("over the window")}},
       .help = N_("Where a particle begins: drawn from a normal distribution, as an initialisation is, or evenly over "
                  "the window in which the cloud was begun.")},
      {.key = "sigma", .label = N_("Spread"), .symbol = "σ", .min = 0.001, .max = 10, .scale = Scale::Logarithmic,
       .fallback = 1.0, .help = N_("Standard deviation of both coordinates of a start."),
       .formula = "\\theta_0\\sim\\mathcal{N}(0,\\sigma^2 I_2)", .errata = {"l2g-14"}, .applies = gaussian},
      {.key = "clock", .label = N_("They move"),
       .options = {{"flow", N_("as the flow")}, {"unit", N_("at one speed")}},
       .help = N_("The flow's own clock shows where it is slow; at one speed every particle arrives, and the paths stay "
                  "the same.")},
      {.key = "speed", .label = N_("Particle speed"), .min = 0.05, .max = 50, .scale = Scale::Logarithmic, .step = 0.1,
       .digits = 2, .fallback = 4.0,
       .help = N_("On the flow's clock units of time a second; at one speed fifths of the window's height a second.")},
      {.key = "trail", .label = N_("Trails"), .unit = "s", .max = 2, .step = 0.05, .digits = 2, .fallback = 0.15,
       .help = N_("After this time a trail has faded to a third.")},
      {.key = "respawn", .label = N_("Begin anew"), .fallback = true,
       .help = N_("A particle that came to rest or left begins anew. Only first lives are counted.")},
      {.key = "running", .label = N_("Running"), .fallback = true,
       .help = N_("Off: the cloud stands. In a script and in a figure it stands after the seconds below.")},
      {.key = "seconds", .label = N_("Seconds run"), .unit = "s", .max = kLongestSeconds, .step = 0.5, .digits = 2,
       .fallback = 1.0,
       .help = N_("How long the cloud has run when it is first seen; a script and a figure show just this.")}});
}

/// Of the labels those that a cloud in this plane can end at.
std::size_t labelOf(markov::LimitKind kind) {
  return static_cast<std::size_t>(kind);
}

void declareResults(PropertyRegistry& registry, const FlowParticles& results) {
  const auto share = [&results](const char* key, const char* label, const char* help, const char* set,
                                markov::LimitKind kind) {
    return ReadOut{
        .key = key, .label = label, .help = help,
        .formula = "\\frac1N\\sum_{i=1}^{N}\\mathbb{1}\\left[" + std::string(set) + "\\right]",
        .withNumbers = [&results, kind](int) {
          const std::optional<double> measured = measuredShare(results, kind);
          return measured ? shareWithNumbers(*measured, static_cast<std::size_t>(results.request()->options.count)) : "";
        },
        .errata = {"l2g-14"}, .get = [&results, kind](int) { return valueOf(measuredShare(results, kind)); },
        .numberWords = shownShare};
  };
  const auto all = gettersOf(results);
  const Getters exact([&results](int) { return results.exactLocal() ? &results : nullptr; });
  declareReadOuts(registry, {.prefix = "flow.particles.", .applies = declaring::onPlane(shownOnCanonical),
                             .formulaApplies = canonical}, {
      share("global", N_("At global min."),
            N_("Share of the particles whose first life ends, or will certainly end, at a global minimum."),
            "\\theta_i\\in I_\\star", markov::LimitKind::GlobalMin),
      share("stuck", N_("At local min."),
            N_("Share of the particles whose first life ends, or will certainly end, at a local minimum."),
            "\\theta_i\\in I_{\\mathrm{min}}", markov::LimitKind::LocalMin),
      {.key = "exact", .label = N_("P(local min.)"),
       .help = N_("Probability that a start of this cloud ends in a local minimum: an integral over the exact basin."),
       .equation = "Local-to-Global, Theorems 2 and 8",
       .formula = "P(I_{\\mathrm{min}}) = \\int_{I_{\\mathrm{min}}}\\varphi_\\sigma(e)\\,\\varphi_\\sigma(w)\\,de\\,dw",
       .withNumbers = exact.text([](const FlowParticles& of) {
         const ParticlesRequest& request = *of.request();
         return gaussWithNumbers(request.model.chain, request.options.sigma, *of.exactLocal());
       }),
       .errata = {"l2g-14", "l2g-19"}, .get = exact(&FlowParticles::exactLocal),
       .numberWords = declaring::shownProbability6},
      share("under-way", N_("Under way"),
            N_("Share of the particles in their first life of which it is not yet certain where they will end."),
            "t < t_i", markov::LimitKind::Undecided)});
  declareReadOuts(registry, {.prefix = "flow.particles.", .applies = declaring::onPlane(particlesShown)}, {
      {.key = "device", .label = N_("Moved by"),
       .help = N_("The device that moves the particles and how long a step takes; CPU and GPU are measured once "
                  "against each other."),
       .get = all([](const FlowParticles& of) { return notEmpty(of.device()); }), .detail = true}});
}
// clang-format on

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
  declareResults(registry, readings.results);
}

}  // namespace sepx::ui
