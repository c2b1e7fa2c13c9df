// SPDX-License-Identifier: Apache-2.0
// The particle layer: its properties, density picture, legend rows and commands. Frame thread.
#include "ui/exhibits/flow/plane/particles_layer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/particles_results.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/table_rows.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

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
      {.key = "particles", .into = &ParticlesState::shown, .label = N_("Particles"), .fallback = false,
       .help = N_("A cloud of particles that follow the flow, drawn as a density, and the share of them in each "
                  "basin.")}});
  declareParameters(registry, {.prefix = "flow.particles.", .applies = declaring::onPlane(particlesShown)}, {
      {.key = "count",
       .into = {&ParticlesState::options, &dynamics::ParticleOptions::count},
       .label = N_("Number"), .symbol = "N", .kind = Kind::Integer, .min = 1000, .max = 1e6,
       .scale = Scale::Logarithmic, .step = 1000, .fallback = 1e5, .help = N_("Number of particles.")},
      {.key = "start", .label = N_("Distribution"),
       .options = {{"gauss", N_("Gaussian")}, {"uniform", N_("uniform")}},
       .help = N_("Distribution of the initial points: normal, like an initialisation, or uniform over the window in "
                  "which the cloud was started.")},
      {.key = "sigma",
       .into = {&ParticlesState::options, &dynamics::ParticleOptions::sigma},
       .label = N_("Spread"), .symbol = "σ", .min = 0.001, .max = 10, .scale = Scale::Logarithmic,
       .fallback = 1.0, .help = N_("Standard deviation of both coordinates of an initial point."),
       .formula = "\\theta_0\\sim\\mathcal{N}(0,\\sigma^2 I_2)", .errata = {"l2g-14"}, .applies = gaussian},
      {.key = "clock", .label = N_("Motion"),
       .options = {{"flow", N_("flow time")}, {"unit", N_("constant speed")}},
       .help = N_("With flow time, slow regions are visible. With constant speed, every particle arrives; the paths "
                  "are the same.")},
      {.key = "speed", .label = N_("Particle speed"), .min = 0.05, .max = 50, .scale = Scale::Logarithmic, .step = 0.1,
       .digits = 2, .fallback = 4.0,
       .help = N_("With flow time: units of time per second. With constant speed: fifths of the window's height per "
                  "second.")},
      {.key = "trail", .label = N_("Trails"), .unit = "s", .max = 2, .step = 0.05, .digits = 2, .fallback = 0.15,
       .help = N_("Time in which a trail fades to about a third.")},
      {.key = "respawn",
       .into = {&ParticlesState::step, &dynamics::ParticleStep::respawn}, .label = N_("Respawn"), .fallback = true,
       .help = N_("A particle that has converged or left the window starts again. Shares count only the first run of "
                  "each.")},
      {.key = "running", .into = &ParticlesState::runs, .label = N_("Running"), .fallback = true,
       .help = N_("Off: the cloud does not move. Scripts and figures show it after the number of seconds below.")},
      {.key = "seconds",
       .into = &ParticlesState::seconds,
       .label = N_("Run time"), .unit = "s", .max = kLongestSeconds, .step = 0.5, .digits = 2,
       .fallback = 1.0,
       .help = N_("Time that the cloud has run when it is first shown. Scripts and figures show the cloud at this time.")}});
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
            N_("Share of the particles whose first run ends, or will certainly end, at a global minimum."),
            "\\theta_i\\in I_\\star", markov::LimitKind::GlobalMin),
      share("stuck", N_("At local min."),
            N_("Share of the particles whose first run ends, or will certainly end, at a local minimum."),
            "\\theta_i\\in I_{\\mathrm{min}}", markov::LimitKind::LocalMin),
      {.key = "exact", .label = N_("P(local min.)"),
       .help = N_("Probability that an initial point of this cloud ends in a local minimum: an integral over the exact basin."),
       .equation = "Local-to-Global, Theorems 2 and 8",
       .formula = "P(I_{\\mathrm{min}}) = \\int_{I_{\\mathrm{min}}}\\varphi_\\sigma(e)\\,\\varphi_\\sigma(w)\\,de\\,dw",
       .withNumbers = exact.text([](const FlowParticles& of) {
         const ParticlesRequest& request = *of.request();
         return gaussWithNumbers(request.model.chain, request.options.sigma, *of.exactLocal());
       }),
       .errata = {"l2g-14", "l2g-19"}, .get = exact(&FlowParticles::exactLocal),
       .numberWords = declaring::shownProbability6},
      share("under-way", N_("Under way"),
            N_("Share of the particles in their first run whose limit is not yet certain."),
            "t < t_i", markov::LimitKind::Undecided)});
  declareReadOuts(registry, {.prefix = "flow.particles.", .applies = declaring::onPlane(particlesShown)}, {
      {.key = "device", .label = N_("Device"),
       .help = N_("The device that moves the particles and how long a step takes; the speeds of CPU and GPU are "
                  "compared once."),
       .get = all([](const FlowParticles& of) { return notEmpty(of.device()); }), .detail = true}});
}
// clang-format on

}  // namespace

ParticlesState readParticles(const Document& document, const PropertyRegistry& registry) {
  ParticlesState state;
  registry.read(document, state);
  state.options.start =
      registry.text(document, kStart) == "gauss" ? dynamics::ParticleStart::Gauss : dynamics::ParticleStart::Uniform;
  const double speed = registry.real(document, "flow.particles.speed");
  const bool unit = registry.text(document, "flow.particles.clock") == "unit";
  state.step.clock = unit ? dynamics::ParticleClock::UnitSpeed : dynamics::ParticleClock::Flow;
  state.step.amount = speed * (unit ? 0.2 : 1.0) / FlowParticles::kStepsPerSecond;
  const double trail = registry.real(document, "flow.particles.trail");
  state.step.fade = trail > 0 ? std::exp(-1 / (FlowParticles::kStepsPerSecond * trail)) : 0.0;
  return state;
}

std::optional<double> measuredShare(const FlowParticles& results, markov::LimitKind kind) {
  if (!results.counts() || !results.request()) return std::nullopt;
  const auto& ends = results.picture()->ends;
  return static_cast<double>(ends[static_cast<std::size_t>(kind)]) /
         static_cast<double>(results.request()->options.count);
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

namespace {

using markov::LimitKind;

constexpr int kMostTrailColumns = 1920;
constexpr const char* kRestart = "flow.particles-restart";
constexpr const char* kPause = "flow.particles-pause";

/// "particles: 61.8 % (exact 61.9 %)". While more than 1 % of the particles are still moving, the exact share is given
/// as the final one: "17.2 % (in the end 61.9 %)".
std::string shareText(const FlowParticles& results, LimitKind kind, const char* words) {
  constexpr double kSome = 0.01;
  std::string text = tr(words) + shownShare(*measuredShare(results, kind));
  const std::optional<double> exact = exactShare(results, kind);
  if (!exact) return text;
  const bool ended = measuredShare(results, LimitKind::Undecided).value_or(0) <= kSome;
  return text + (ended ? tr(" (exact ") : tr(" (in the end ")) + shownShare(*exact) + ")";
}

class ParticlesLayer final : public PlaneLayer {
 public:
  ParticlesLayer() : PlaneLayer("flow.show.particles") {}
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    declareParticles(registry, {state_, results_});
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState&) override {
    state_ = readParticles(document, registry);
  }
  void update(const FlowFrame& frame, ExhibitContext& context) override {
    results_.update(requestOf(frame, context), context);
  }
  void views(const FlowFrame&, PlaneViews& into) const override {
    if (!state_.shown || !results_.picture()) return;
    const auto draw = [picture = results_.picture()](const FlowFrame& plane) -> std::vector<render::Item> {
      return {labelMapOf(picture->window, {picture, &picture->levels}, densityPalette(plane.theme), {})};
    };
    into.add(PlaneLevel::Ground, "particles", Digest().add(results_.revision()), draw, !results_.moving());
  }
  std::uint64_t contentDigest() const override {
    return Digest().add(results_.revision(), results_.counts(), results_.moving(), results_.exactLocal()).value();
  }
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override {
    if (!state_.shown || !results_.picture() || frame.layout.tiny) return;
    const bool open = frame.layout.legendOpen;
    if (open) {
      LegendRow row =
          overlay::glyphRow(frame.theme, LimitKind::GlobalMin,
                            filled(tr("{n} particles"), "{n}", grouped(std::to_string(state_.options.count))));
      row.color = frame.theme.text;
      rows.push_back(std::move(row));
    }
    if (!results_.counts()) return;
    if (!frame.state.canonical && open) attractorRows(frame, rows);
    if (!frame.state.canonical || frame.state.degenerate()) return;
    if (open)
      rows.push_back(
          overlay::glyphRow(frame.theme, LimitKind::GlobalMin,
                            shareText(results_, LimitKind::GlobalMin, N_("particles at a global minimum: "))));
    rows.push_back(overlay::glyphRow(
        frame.theme, LimitKind::LocalMin,
        shareText(results_, LimitKind::LocalMin, open ? N_("particles at a local minimum: ") : N_("particles: "))));
    const double rest = measuredShare(results_, LimitKind::Undecided).value_or(0);
    if (open && rest > 0)
      rows.push_back(overlay::glyphRow(frame.theme, LimitKind::Undecided, tr("still moving: ") + shownShare(rest)));
  }
  void panel(const FlowFrame&, ExhibitContext&, PagePanel& panel) override {
    if (!state_.shown) return;
    panel.group(tr("Particles"), "flow.particles.",
                {"count", "start", "sigma", "clock", "speed", "trail", "respawn", "running", "seconds"});
    if (panel.button(tr("Start them again"), kRestart)) ++again_;
    panel.rows("flow.particles.", {"global", "stuck", "exact", "under-way", "device"});
  }
  bool complete() const override { return results_.complete(); }
  bool animating() const override { return state_.shown && (results_.moving() || results_.advancing()); }
  void numbers(const FlowState& state, Numbers& numbers) const override {
    if (!state_.shown || !results_.counts()) return;
    Table table{"particles",
                {textColumn("end"), numberColumn("particles"), numberColumn("share"), numberColumn("exact")}};
    for (std::size_t label = 0; label < results_.picture()->ends.size(); ++label) {
      const std::uint32_t count = results_.picture()->ends[label];
      const auto kind = static_cast<LimitKind>(std::min(label, static_cast<std::size_t>(LimitKind::Attractor)));
      if (count == 0) continue;
      std::string name(markov::limitName(kind));
      if (kind == LimitKind::Attractor) name = fmt::format("attractor {}", label - static_cast<std::size_t>(kind) + 1);
      addRow(table, name, static_cast<double>(count), static_cast<double>(count) / state_.options.count,
             state.canonical ? exactShare(results_, kind) : std::nullopt);
    }
    numbers.tables.push_back(std::move(table));
  }
  std::vector<FlowPage::Command> commands(const Document&) override {
    const auto pause = [this](ExhibitContext& context) {
      const Result<void> done = context.editor.set("flow.particles.running", !state_.runs);
      if (!done) context.editor.say(done.error().message);
    };
    return {{kPause, state_.runs ? tr("Pause the particles") : tr("Resume the particles"), "Shift+Space", tr("Exhibit"),
             state_.shown, pause},
            {kRestart, tr("Start the particles again"), "", tr("Exhibit"), state_.shown, [this] { ++again_; }}};
  }
  std::string status() const override {
    return results_.device().empty() ? "" : std::string(tr("particles")) + ": " + results_.device();
  }
  std::string caption(const FlowState&) const override {
    if (!state_.shown) return {};
    const std::string seconds = shownFixed(state_.seconds, 1), count = grouped(std::to_string(state_.options.count));
    if (state_.options.start == dynamics::ParticleStart::Uniform)
      return trFormat("density: {} particles from all over the window, {} s after their start", count, seconds);
    return trFormat("density: {} particles from N(0, {}² I), {} s after their start", count,
                    shownFixed(state_.options.sigma, 2), seconds);
  }
  void releaseGpu() override { results_.releaseGpu(); }

 private:
  void attractorRows(const FlowFrame& frame, std::vector<LegendRow>& rows) const {
    const std::vector<std::string>& names = frame.state.field->info().variables;
    std::size_t label = static_cast<std::size_t>(LimitKind::Attractor);
    for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
      if (fixed.kind != LimitKind::Attractor || label + 1 >= results_.picture()->ends.size()) continue;
      const double share = static_cast<double>(results_.picture()->ends[label++]) / state_.options.count;
      rows.push_back(overlay::glyphRow(
          frame.theme, LimitKind::Attractor,
          fmt::format("{}{} = {}, {} = {}: {}", tr("particles at "), names[0], shownFixed(fixed.x[0], 2), names[1],
                      shownFixed(fixed.x[1], 2), shownShare(share))));
    }
  }
  std::optional<ParticlesRequest> requestOf(const FlowFrame& frame, const ExhibitContext& context) const {
    const render::Rect &plot = frame.layout.plot, &view = frame.state.view;
    if (!state_.shown || plot.width() < 8 || plot.height() < 8) return std::nullopt;
    const double wanted = plot.width() * static_cast<double>(context.scale);
    const int columns = static_cast<int>(std::clamp(wanted, 8.0, double{kMostTrailColumns}));
    const int rows = std::clamp(static_cast<int>(columns * plot.height() / plot.width()), 8, 2 * kMostTrailColumns);
    ParticlesRequest request;
    request.model = frame.state;
    request.window = {view.min.x, view.max.x, view.min.y, view.max.y, columns, rows};
    request.options = state_.options;
    request.options.seed = context.seed;
    request.step = state_.step;
    request.steps = static_cast<int>(std::lround(state_.seconds * FlowParticles::kStepsPerSecond));
    request.runs = state_.runs;
    request.again = again_;
    return request;
  }

  ParticlesState state_;
  FlowParticles results_;
  std::uint64_t again_ = 0;
};

}  // namespace

std::vector<render::Color> densityPalette(const Theme& theme) {
  constexpr float kLeast = 0.12f;  // so that one particle of a million is visible
  std::vector<render::Color> palette{faded(theme.text, 0)};
  for (int level = 1; level < 256; ++level)
    palette.push_back(faded(theme.text, kLeast + (1 - kLeast) * static_cast<float>(level) / 255));
  return palette;
}

std::unique_ptr<PlaneLayer> makeParticlesLayer() {
  return std::make_unique<ParticlesLayer>();
}

}  // namespace sepx::ui
