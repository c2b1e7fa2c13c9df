// SPDX-License-Identifier: Apache-2.0
// The plane put together: layout, input, results, play and layers in step. It changes the document only through the
// Editor. Frame thread only.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

#include "engine/core/number.h"
#include "ui/exhibits/flow/plane/flow_numbers.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/plane/plane_scene.h"
#include "ui/exhibits/flow/plane/time_bar.h"
#include "ui/exhibits/flow/shared/flow_input.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

/// Switches of the layers in two columns; one with a longer name has a row of its own below.
void drawToggles(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel) {
  constexpr float kToggleLabel = 7.2f;  // sizes of the text
  std::vector<std::string> keys;
  for (const char* const name : {"basin", "loss", "critical", "separatrix", "paths", "arrows", "cloud", "time"})
    keys.push_back(std::string("flow.show.") + name);
  for (const auto& layer : layers)
    if (const std::string key = layer->toggle(); !key.empty()) keys.push_back(key);
  if (!ImGui::BeginTable("layers", 2, ImGuiTableFlags_SizingStretchSame)) return;
  std::vector<std::string> longer;
  const PropertyRegistry& registry = context.editor.properties();
  const float width = kToggleLabel * context.theme.textSize * context.uiScale;
  const float labelWidth = std::exchange(context.controls->labelWidth, width);
  for (const std::string& key : keys) {
    const std::optional<PropertyRegistry::Found> found = registry.find(key);
    if (!found || !found->property) continue;
    const std::function<bool(const Document&)>& applies = found->property->applies;
    if (applies && !applies(context.editor.document())) continue;
    if (ImGui::CalcTextSize(tr(found->property->label.c_str())).x > width) {
      longer.push_back(key);
      continue;
    }
    ImGui::TableNextColumn();
    // Arrows of a field are on until someone says otherwise: what is shown counts, not the fallback.
    if (key == "flow.show.arrows")
      panel.control(*found->property, state.showArrows, key);
    else
      panel.row(key);
  }
  context.controls->labelWidth = labelWidth;
  ImGui::EndTable();
  for (const std::string& key : longer)
    panel.row(key);
}

void drawColorScale(const FlowState& state, PagePanel& panel) {
  if (state.canonical) panel.row("flow.color");
  if (state.color == PlaneColor::Basin) return;
  panel.rows(limitsKey(state.color, ""), {"mode", "low", "high"});
}

void drawPlanePanel(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel) {
  panel.heading(tr("What is shown"));
  drawToggles(state, layers, context, panel);
  if (state.showLoss && hasLoss(state)) drawColorScale(state, panel);
  if (!state.canonical) return;
  if (state.showBasin) panel.row("flow.basin.method");
  if (!state.showCloud) return;
  panel.rows("flow.gauss.", {"sigma", "samples", "measured", "probability"});
}

constexpr double kFlashSeconds = 0.7;

class PlanePage final : public FlowPage {
 public:
  explicit PlanePage(const FlowShared& shared) : shared_(shared), layers_(makePlaneLayers()) {}

  PageLabel label() const override { return {"plane", N_("Plane")}; }
  std::vector<PropertyGroup> groups() const override {
    return {{"texture", N_("Flow texture")},        {"particles", N_("Particles")},
            {"contours", N_("Energy contours")},    {"guideline", N_("Data-agnostic initialisation")},
            {"common", N_("Good for every chain")}, {"real", N_("A real transformer")}};
  }
  std::vector<std::string> firstGroups() const override { return {}; }  // they go with those of all pages
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    for (const auto& layer : layers_)
      layer->declare(registry, live);
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override {
    input_.follow(live.state);
    for (const auto& layer : layers_)
      layer->read(document, registry, live.state);
  }
  void update(const FlowPageFrame& frame, ExhibitContext& context) override {
    const FlowState& state = frame.state();
    legend_ = context.legend;
    layOut(frame);
    shared_.results.update(state, layout_.plot, context);
    shared_.play.update(span(), state.speed, context.seconds);
    noticeFlip(state, context.seconds);
    layout_.limits = shared_.results.limits();
    shared_.hover.reset();
    if (const std::optional<render::Point> pointer = input_.pointer(layout_))
      shared_.hover = toData(Camera{state.view, layout_.plot}, *pointer);
    FlowFrame now = flowFrame(frame);
    now.dropped = input_.takeDropped();
    for (const auto& layer : layers_)
      layer->update(now, context);
  }
  Camera camera(const FlowPageFrame& frame) const override { return {frame.state().view, layout_.plot}; }
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override {
    layOut(frame);
    if (frame.figure && legend_) {
      layout_ = figureLayout(flowFrame(frame), frame.area.min.y);
      layout_.limits = shared_.results.limits();
    }
    const FlowFrame now = flowFrame(frame);
    legendBox_.reset();
    if (layout_.legend && !frame.figure) legendBox_ = legendPlace(now).box;
    scene_.update(now, into);
  }
  void reclaim(std::vector<render::Layer>& layers) override { scene_.reclaim(layers); }
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override {
    legend_ = context.legend;
    layOut(frame);
    if (!scrub_.handle(event, layout_, span(), shared_.play)) input_.handle(event, frame.state(), layout_, context);
    return cursor(frame, Cursor::Arrow);
  }
  Cursor cursor(const FlowPageFrame& frame, Cursor) const override {
    return scrub_.near() ? Cursor::ResizeHorizontal : input_.cursor(frame.state(), layout_);
  }
  void panel(const FlowPageFrame&, ExhibitContext&, PagePanel&) override {}
  void panelBelow(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override {
    drawPlanePanel(frame.state(), layers_, context, panel);
    const FlowFrame now = flowFrame(frame);
    for (const auto& layer : layers_)
      layer->panel(now, context, panel);
  }
  bool complete() const override {
    return shared_.results.complete() &&
           std::all_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->complete(); });
  }
  bool animating() const override {
    return shared_.play.active() || flash_ > 0 || shared_.results.advancing() ||
           std::any_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->animating(); });
  }
  Numbers numbers(const FlowShared& shared) const override {
    Numbers all = flowNumbers(shared.state, shared.results);
    for (const auto& layer : layers_)
      layer->numbers(shared.state, all);
    return all;
  }
  /// What the layers add stands in one sentence at the end.
  std::string caption(const FlowShared& shared) const override {
    std::string clauses;
    for (const auto& layer : layers_)
      if (const std::string clause = layer->caption(shared.state); !clause.empty())
        clauses += (clauses.empty() ? "" : "; ") + clause;
    const std::string first = flowCaption(shared.state, shared.results);
    return clauses.empty() ? first : first + " " + sentenceCase(clauses);
  }
  std::string status(const FlowShared& shared) const override {
    const FlowState& state = shared.state;
    std::string text;
    const auto add = [&text](const std::string& part) {
      if (!part.empty()) text += (text.empty() ? "" : " · ") + part;
    };
    const BasinPicture& basin = shared_.results.basin();
    if (!basin.device.empty()) add(std::string(tr("basins")) + ": " + basin.device);
    if (basin.refining)
      add((basin.device.empty() ? std::string(tr("basins")) + ": " : std::string()) + tr("refining ") +
          std::to_string(*basin.refining) + " %");
    for (const auto& layer : layers_)
      add(layer->status());
    if (!shared_.hover) return text;
    const std::vector<std::string>& names = state.field->info().variables;
    const render::Point at = *shared_.hover;
    std::string pointer = std::string(tr("pointer: ")) + names[0] + "=" + shownPlace(at.x, state.view.width()) + " " +
                          names[1] + "=" + shownPlace(at.y, state.view.height());
    if (state.canonical) {
      const double loss = markov::loss(state.chain, markov::Model::EW, Eigen::Vector2d(at.x, at.y));
      if (std::isfinite(loss)) pointer += " L=" + formatFixed(loss, 4);
    }
    add(pointer);
    return text;
  }
  std::optional<ColorLimits> ownLimits() const override {
    if (shared_.state.color != PlaneColor::Loss) return std::nullopt;  // nothing that panes could share
    const std::optional<ColorLimits>& own = shared_.results.ownLimits();
    return shared_.state.locked && own ? shared_.state.locked : own;
  }
  std::vector<Command> commands(const FlowShared&, const Document& document) override {
    const bool points = !document.at("flow.points").empty();
    const auto step = [this](int by) {
      return [this, by] {
        if (!shared_.state.points.empty()) shared_.play.step(span(), by);
      };
    };
    std::vector<Command> all{{"flow.time-back", tr("Step back in time"), ",", tr("Run"), points, step(-1)},
                             {"flow.time-on", tr("Step on in time"), ".", tr("Run"), points, step(1)}};
    for (const auto& layer : layers_)
      for (Command& command : layer->commands(document))
        all.push_back(std::move(command));
    return all;
  }
  FlowMoves moves(const Document& document) override {
    FlowMoves moves{.reset = PlaneGround::reset,
                    .zoom = [this](const FlowPageFrame& frame, ExhibitContext& context, double factor) {
                      zoomPlane(frame.state(), camera(frame), input_.pointer(layout_), context, factor);
                    }};
    if (!document.at("flow.points").empty()) moves.play = [this] { shared_.play.toggle(); };
    return moves;
  }
  std::vector<std::pair<std::string, std::string>> gestures() const override {
    return {{tr("drag a point"), tr("move it; Shift snaps, Ctrl takes a copy")},
            {tr("right click a point"), tr("its menu: delete, duplicate, colour")},
            {tr("drag the plane"), tr("pan")},
            {tr("wheel"), tr("zoom about the pointer")},
            {tr("double-click"), tr("add a point")},
            {tr("double-click an axis"), tr("reset the view")},
            {tr("arrow keys"), tr("nudge the selected point")},
            {tr("drag the legend"), tr("move it; left of the plot it stands beside; click: fold")},
            {tr("drag the time bar, or , and ."), tr("move the markers in time")}};
  }
  FlowPoint placeForPoint(const FlowPageFrame& frame) const override {
    return placeIn(camera(frame), input_.pointer(layout_));
  }
  void releaseGpu() override {
    shared_.results.releaseGpu();
    for (const auto& layer : layers_)
      layer->releaseGpu();
  }
  FlowTraits traits() const override { return {.plane = true, .backward = true, .cloud = true, .anyField = true}; }
  bool wantsPaths() const override { return false; }  // they are part of its own results
  bool playing() const override { return shared_.play.active(); }
  double playSeconds() const override {
    return shared_.state.points.empty() ? 0 : FlowPlay::kSeconds / shared_.state.speed;
  }
  std::optional<int> takeMenu() override { return input_.takeMenu(); }
  std::optional<render::Rect> transportPlot() const override { return layout_.plot; }

 private:
  /// `frame.area` begins below the strip; the layout is of the exhibit's whole area.
  void layOut(const FlowPageFrame& frame) {
    layout_ = kept_.of(frame.state(), frame.area.max.x, frame.area.max.y, frame.theme, frame.area.min.y, legend_);
    layout_.legendBox = legendBox_;
    layout_.limits = shared_.results.limits();
  }
  FlowFrame flowFrame(const FlowPageFrame& frame) const {
    FlowFrame made{frame.state(),           shared_.results, frame.theme,   layout_,     input_.pointer(layout_),
                   shared_.play.headTime(), flash_,          input_.held(), frame.figure};
    made.layers = &layers_;
    if (layout_.timeBar) made.span = span();
    return made;
  }
  TimeSpan span() const {
    const FlowResults& results = shared_.results;
    if (spanOf_ == results.pathsRevision()) return span_;
    spanOf_ = results.pathsRevision();
    span_ = {};
    for (std::size_t i = 0; i < results.points(); ++i)
      span_ = {std::min(span_.begin, beginningTime(results.point(i))),
               std::max(span_.end, settlingTime(results.point(i)))};
    return span_;
  }
  void noticeFlip(const FlowState& state, double seconds) {
    const bool above = state.chain.switching() > 0;
    if (above_ && *above_ != above && state.canonical) flipped_ = seconds;
    above_ = above;
    flash_ = flipped_ ? std::max(0.0, 1 - (seconds - *flipped_) / kFlashSeconds) : 0;
    if (flash_ == 0) flipped_.reset();
  }
  FlowShared shared_;
  PlaneLayers layers_;
  KeptLayout kept_;
  FlowLayout layout_;  ///< that, with what was drawn in it last
  FlowInput input_;
  PlaneScene scene_;
  bool legend_ = true;
  std::optional<render::Rect> legendBox_;
  TimeScrub scrub_;
  mutable TimeSpan span_;
  mutable std::optional<std::uint64_t> spanOf_;  ///< the revision of the paths that it is of
  std::optional<bool> above_;                    ///< p + q > 1 in the last frame
  std::optional<double> flipped_;                ///< host time of the last flip
  double flash_ = 0;
};

}  // namespace

std::unique_ptr<FlowPage> makePlanePage(const FlowShared& shared) {
  return std::make_unique<PlanePage>(shared);
}

}  // namespace sepx::ui
