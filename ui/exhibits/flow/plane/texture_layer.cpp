// SPDX-License-Identifier: Apache-2.0
// The flow texture as a layer. Frame thread.
#include "ui/exhibits/flow/plane/texture_layer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/plane/texture_results.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kMostTexels = 1920;
constexpr double kTurnSeconds = 1.0;  // of a running texture

/// How much of theme's colours the strongest levels have.
constexpr float kGroundStrength = 0.6f, kTextStrength = 0.35f;

class TextureLayer final : public PlaneLayer {
 public:
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowState&) override {
    shown_ = registry.toggle(document, "flow.show.texture");
    length_ = registry.real(document, "flow.texture.length");
    contrast_ = registry.real(document, "flow.texture.contrast");
    running_ = registry.toggle(document, "flow.texture.running");
  }
  void update(const FlowFrame& frame, ExhibitContext& context) override;
  void parts(const FlowFrame& frame, std::vector<PlanePart>& into) const override;
  std::string toggle() const override { return "flow.show.texture"; }
  void panel(const FlowFrame&, ExhibitContext&, PagePanel& panel) override {
    if (!shown_) return;
    panel.heading(tr("Flow texture"));
    panel.control("flow.texture.length");
    panel.control("flow.texture.contrast");
    panel.control("flow.texture.running");
    panel.readOut("flow.texture.device");
  }
  bool complete() const override { return !shown_ || results_.complete(); }
  bool animating() const override { return shown_ && (results_.advancing() || runs_); }
  std::string status() const override {
    return shown_ && !results_.device().empty() ? std::string(tr("texture")) + ": " + results_.device() : "";
  }
  std::string caption(const FlowState&) const override {
    return shown_ ? tr("streaks: noise drawn out along the flow (line integral convolution)") : "";
  }
  void releaseGpu() override { results_.releaseGpu(); }

 private:
  std::optional<TextureRequest> requestOf(const FlowFrame& frame, float scale) const;

  bool shown_ = false, running_ = false;
  double length_ = 24, contrast_ = 1;
  FlowTextures results_;
  bool runs_ = false;      ///< it moves now
  std::size_t index_ = 0;  ///< of the frame shown
};

void TextureLayer::declare(PropertyRegistry& registry, const FlowShared&) {
  // clang-format off
  declareParameters(registry, {.applies = declaring::onPlane()}, {
      {.key = "flow.show.texture", .label = N_("Flow texture"), .fallback = false,
       .help = N_("Grains of noise drawn out along the lines of the flow: its direction at every place at once, whatever "
                  "its speed.")}});
  const Common common{.prefix = "flow.texture.", .applies = declaring::onPlane(whenOn("flow.show.texture"))};
  declareParameters(registry, common, {
      {.key = "length", .label = N_("Streak length"), .symbol = "l", .unit = "pt", .min = 4, .max = 120, .step = 2,
       .digits = 0, .fallback = 24.0, .help = N_("How far each grain is drawn out along the flow, each way."),
       .formula = "T(x) \\propto \\int_{-l}^{l}\\frac12\\left(1+\\cos\\frac{\\pi s}{l}\\right)\\,n(x_s)\\,ds"},
      {.key = "contrast", .label = N_("Contrast"), .min = 0.1, .max = 4, .scale = Scale::Logarithmic, .step = 0.1,
       .digits = 1, .fallback = 1.0, .help = N_("How strongly the streaks stand out.")},
      {.key = "running", .label = N_("Streaks move"), .fallback = false,
       .help = N_("The streaks run in the direction of the flow, everywhere at the same speed; at half the resolution. "
                  "In a script and in a figure they stand.")}});
  declareReadOuts(registry, common, {
      {.key = "device", .label = N_("Made by"),
       .help = N_("The device that made the texture and how long it took; CPU and GPU are measured once against each "
                  "other."),
       .get = [this](int) { return shown_ ? valueOf(notEmpty(results_.device())) : Value(); }, .detail = true}});
  // clang-format on
}

std::optional<TextureRequest> TextureLayer::requestOf(const FlowFrame& frame, float scale) const {
  const render::Rect &plot = frame.layout.plot, &view = frame.state.view;
  if (!shown_ || plot.width() < 8 || plot.height() < 8) return std::nullopt;
  const int columns = static_cast<int>(std::clamp(plot.width() * static_cast<double>(scale), 8.0, double{kMostTexels}));
  const int rows = std::clamp(static_cast<int>(columns * plot.height() / plot.width()), 8, 2 * kMostTexels);
  TextureRequest request;
  request.model = frame.state;
  request.window = {view.min.x, view.max.x, view.min.y, view.max.y, columns, rows};
  const double pixels = columns / plot.width();  // a point
  request.options.length = length_ * pixels;
  request.options.contrast = contrast_;
  request.options.grain = std::max(1.0, pixels);
  request.running = running_;
  return request;
}

void TextureLayer::update(const FlowFrame& frame, ExhibitContext& context) {
  std::optional<TextureRequest> request = requestOf(frame, context.scale);
  if (request && (context.scripted || context.figure)) request->running = false;
  results_.update(request, context);
  const std::size_t count = results_.frames().size();
  runs_ = request && request->running && count > 1;
  index_ = 0;
  if (!runs_) return;
  const double turn = std::fmod(context.seconds / kTurnSeconds, 1.0);
  index_ = std::min(static_cast<std::size_t>(turn * static_cast<double>(count)), count - 1);
}

void TextureLayer::parts(const FlowFrame& frame, std::vector<PlanePart>& into) const {
  if (!shown_ || results_.frames().empty()) return;
  const TexturePointer texture = results_.frames()[std::min(index_, results_.frames().size() - 1)];
  into.push_back({"texture",
                  PlaneLevel::Ground,
                  {results_.revision(), index_},
                  [texture, &frame]() -> std::vector<render::Item> {
                    const dynamics::BasinWindow& w = texture->window;
                    return {render::LabelMap{{{w.xMin, w.yMin}, {w.xMax, w.yMax}},
                                             w.width,
                                             w.height,
                                             {texture, &texture->levels},
                                             texturePalette(frame.theme),
                                             {}}};
                  },
                  !runs_});
}

}  // namespace

std::vector<render::Color> texturePalette(const Theme& theme) {
  std::vector<render::Color> palette;
  for (int level = 0; level < 256; ++level) {
    const float part = static_cast<float>(level - dynamics::kLicNeutral) / 127;
    palette.push_back(part < 0 ? faded(theme.plotBackground, kGroundStrength * std::min(1.0f, -part))
                               : faded(theme.text, kTextStrength * part));
  }
  return palette;
}

std::unique_ptr<PlaneLayer> makeTextureLayer() {
  return std::make_unique<TextureLayer>();
}

}  // namespace sepx::ui
