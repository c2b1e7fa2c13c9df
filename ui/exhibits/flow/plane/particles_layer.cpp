// SPDX-License-Identifier: Apache-2.0
// The particles as a layer: their density, rows of the legend, commands. Frame thread.
#include "ui/exhibits/flow/plane/particles_layer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/particles_declare.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

using markov::LimitKind;

constexpr int kMostTrailColumns = 1920;
constexpr const char* kRestart = "flow.particles-restart";
constexpr const char* kPause = "flow.particles-pause";

class ParticlesLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared&) override {
    declareParticles(registry, {state_, results_});
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowState&) override {
    state_ = readParticles(document, registry);
  }
  void update(const FlowFrame& frame, ExhibitContext& context) override;
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override;
  void legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const override;
  LayerKey legendKey(const FlowFrame& frame) const override;
  std::string toggle() const override { return "flow.show.particles"; }
  void panel(const FlowFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override { return results_.complete(); }
  bool animating() const override { return state_.shown && (results_.moving() || results_.advancing()); }
  void numbers(const FlowState& state, Numbers& numbers) const override;
  std::vector<Exhibit::Command> commands(const Document& document) const override;
  bool run(const FlowFrame& frame, ExhibitContext& context, std::string_view command) override;
  std::string status() const override {
    return results_.device().empty() ? "" : std::string(tr("particles")) + ": " + results_.device();
  }
  std::string caption(const FlowState& state) const override;
  void releaseGpu() override { results_.releaseGpu(); }

 private:
  void attractorRows(const FlowFrame& frame, std::vector<LegendRow>& rows) const;
  std::optional<ParticlesRequest> requestOf(const FlowFrame& frame, const ExhibitContext& context) const;

  ParticlesState state_;
  FlowParticles results_;
  std::uint64_t again_ = 0;
};

std::optional<ParticlesRequest> ParticlesLayer::requestOf(const FlowFrame& frame, const ExhibitContext& context) const {
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

void ParticlesLayer::update(const FlowFrame& frame, ExhibitContext& context) {
  results_.update(requestOf(frame, context), context);
}

void ParticlesLayer::parts(const FlowFrame& frame, std::vector<PlanePart>& into) const {
  if (!state_.shown || !results_.picture()) return;
  const ParticlesPointer picture = results_.picture();
  into.push_back({"particles",
                  PlaneLevel::Ground,
                  {results_.revision()},
                  [picture, &frame]() -> std::vector<render::Item> {
                    const dynamics::BasinWindow& w = picture->window;
                    return {render::LabelMap{{{w.xMin, w.yMin}, {w.xMax, w.yMax}},
                                             w.width,
                                             w.height,
                                             {picture, &picture->levels},
                                             densityPalette(frame.theme),
                                             {}}};
                  },
                  !results_.moving()});
}

LayerKey ParticlesLayer::legendKey(const FlowFrame&) const {
  LayerKey key{state_.shown, results_.counts(), static_cast<std::uint64_t>(state_.options.count)};
  if (state_.shown && results_.picture())
    key.insert(key.end(), results_.picture()->ends.begin(), results_.picture()->ends.end());
  key.push_back(bits(results_.exactLocal().value_or(-1)));
  return key;
}

/// "100 000"
std::string grouped(int count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;)
    text.insert(at -= 3, "\u202f");
  return text;
}

/// "particles: 61.8 % (exact 61.9 %)"; while more than some are under way, what it comes to: "17.2 % (in the end 61.9
/// %)".
std::string shareText(const FlowParticles& results, LimitKind kind, const char* words) {
  constexpr double kSome = 0.01;
  std::string text = tr(words) + shownShare(*measuredShare(results, kind));
  const std::optional<double> exact = exactShare(results, kind);
  if (!exact) return text;
  const bool ended = measuredShare(results, LimitKind::Undecided).value_or(0) <= kSome;
  return text + (ended ? tr(" (exact ") : tr(" (in the end ")) + shownShare(*exact) + ")";
}

void ParticlesLayer::legend(const FlowFrame& frame, std::vector<LegendRow>& rows) const {
  if (!state_.shown || !results_.picture() || frame.layout.tiny) return;
  const bool open = frame.layout.legendOpen;
  if (open) {
    std::string text = tr("{n} particles");
    text.replace(text.find("{n}"), 3, grouped(state_.options.count));
    LegendRow row = overlay::glyphRow(frame, LimitKind::GlobalMin, std::move(text));
    row.color = frame.theme.text;
    rows.push_back(std::move(row));
  }
  if (!results_.counts()) return;
  if (!frame.state.canonical && open) attractorRows(frame, rows);
  if (!frame.state.canonical || frame.state.degenerate()) return;
  if (open)
    rows.push_back(overlay::glyphRow(frame, LimitKind::GlobalMin,
                                     shareText(results_, LimitKind::GlobalMin, N_("of them at a global minimum: "))));
  rows.push_back(overlay::glyphRow(
      frame, LimitKind::LocalMin,
      shareText(results_, LimitKind::LocalMin, open ? N_("of them at a local minimum: ") : N_("particles: "))));
  const double rest = measuredShare(results_, LimitKind::Undecided).value_or(0);
  if (open && rest > 0)
    rows.push_back(overlay::glyphRow(frame, LimitKind::Undecided, tr("of them under way: ") + shownShare(rest)));
}

void ParticlesLayer::attractorRows(const FlowFrame& frame, std::vector<LegendRow>& rows) const {
  const std::vector<std::string>& names = frame.state.field->info().variables;
  std::size_t label = static_cast<std::size_t>(LimitKind::Attractor);
  for (const dynamics::FixedPoint& fixed : frame.state.field->fixedPoints(frame.state.parameters)) {
    if (fixed.kind != LimitKind::Attractor || label + 1 >= results_.picture()->ends.size()) continue;
    const double share = static_cast<double>(results_.picture()->ends[label++]) / state_.options.count;
    rows.push_back(
        overlay::glyphRow(frame, LimitKind::Attractor,
                          fmt::format("{}{} = {}, {} = {}: {}", tr("of them at "), names[0], shownFixed(fixed.x[0], 2),
                                      names[1], shownFixed(fixed.x[1], 2), shownShare(share))));
  }
}

std::string ParticlesLayer::caption(const FlowState&) const {
  if (!state_.shown) return {};
  const std::string seconds = shownFixed(state_.seconds, 1), count = grouped(state_.options.count);
  if (state_.options.start == dynamics::ParticleStart::Uniform)
    return fmt::format(fmt::runtime(tr("density: {} particles from all over the window, {} s after their start")),
                       count, seconds);
  return fmt::format(fmt::runtime(tr("density: {} particles from N(0, {}² I), {} s after their start")), count,
                     shownFixed(state_.options.sigma, 2), seconds);
}

void ParticlesLayer::panel(const FlowFrame& frame, ExhibitContext& context, PagePanel& panel) {
  if (!state_.shown) return;
  panel.heading(tr("Particles"));
  for (const char* key : {"count", "start"})
    panel.control(std::string("flow.particles.") + key);
  if (state_.options.start == dynamics::ParticleStart::Gauss) panel.control("flow.particles.sigma");
  for (const char* key : {"clock", "speed", "trail", "respawn", "running", "seconds"})
    panel.control(std::string("flow.particles.") + key);
  if (panel.button(tr("Start them again"), kRestart)) run(frame, context, kRestart);
  if (frame.state.canonical)
    for (const char* key : {"global", "stuck", "exact", "under-way"})
      panel.readOut(std::string("flow.particles.") + key);
  panel.readOut("flow.particles.device");
}

void ParticlesLayer::numbers(const FlowState& state, Numbers& numbers) const {
  if (!state_.shown || !results_.counts()) return;
  std::vector<std::string> names;
  std::vector<double> counts, shares, exact;
  for (std::size_t label = 0; label < results_.picture()->ends.size(); ++label) {
    const std::uint32_t count = results_.picture()->ends[label];
    const auto kind = static_cast<LimitKind>(std::min(label, static_cast<std::size_t>(LimitKind::Attractor)));
    if (count == 0) continue;
    std::string name(markov::limitName(kind));
    if (kind == LimitKind::Attractor) name = fmt::format("attractor {}", label - static_cast<std::size_t>(kind) + 1);
    names.push_back(std::move(name));
    counts.push_back(count);
    shares.push_back(static_cast<double>(count) / state_.options.count);
    exact.push_back(state.canonical ? exactShare(results_, kind).value_or(std::nan("")) : std::nan(""));
  }
  numbers.tables.push_back(
      {"particles", {{"end", "", names}, {"particles", "", counts}, {"share", "", shares}, {"exact", "", exact}}});
}

std::vector<Exhibit::Command> ParticlesLayer::commands(const Document&) const {
  return {{kPause, state_.runs ? tr("Pause the particles") : tr("Let the particles run"), "Shift+Space", tr("Exhibit"),
           state_.shown},
          {kRestart, tr("Start the particles again"), "", tr("Exhibit"), state_.shown}};
}

bool ParticlesLayer::run(const FlowFrame&, ExhibitContext& context, std::string_view command) {
  if (command == kRestart) {
    ++again_;
  } else if (command == kPause) {
    const Result<void> done = context.editor.set("flow.particles.running", !state_.runs);
    if (!done) context.editor.say(done.error().sentence);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::vector<render::Color> densityPalette(const Theme& theme) {
  constexpr float kLeast = 0.12f;  // that one particle of a million is seen
  std::vector<render::Color> palette{faded(theme.text, 0)};
  for (int level = 1; level < 256; ++level)
    palette.push_back(faded(theme.text, kLeast + (1 - kLeast) * static_cast<float>(level) / 255));
  return palette;
}

std::unique_ptr<PlaneLayer> makeParticlesLayer() {
  return std::make_unique<ParticlesLayer>();
}

}  // namespace sepx::ui
