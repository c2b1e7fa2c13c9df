// SPDX-License-Identifier: Apache-2.0
// The plane put together: layout, input, results, play and layers in step. It changes the document only through the
// Editor. Frame thread only.
#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "ui/exhibits/flow/plane/flow_numbers.h"
#include "ui/exhibits/flow/plane/plane_layer.h"
#include "ui/exhibits/flow/plane/plane_panel.h"
#include "ui/exhibits/flow/plane/plane_scene.h"
#include "ui/exhibits/flow/shared/flow_input.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFlashSeconds = 0.7;
constexpr double kZoomStep = 1.25;

class PlanePage final : public FlowPage {
 public:
  explicit PlanePage(const FlowShared& shared) : shared_(shared), layers_(makePlaneLayers()) {}

  PageLabel label() const override { return {"plane", N_("Plane"), "1"}; }
  std::vector<PropertyGroup> groups() const override;
  std::vector<std::string> firstGroups() const override { return {}; }  // they go with those of all pages
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override;
  void update(const FlowPageFrame& frame, ExhibitContext& context) override;
  Camera camera(const FlowPageFrame& frame) const override { return {frame.state().view, layout_.plot}; }
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override;
  void reclaim(std::vector<render::Layer>& layers) override { scene_.reclaim(layers); }
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  Cursor cursor(const FlowPageFrame& frame, Cursor) const override { return input_.cursor(frame.state(), layout_); }
  void panel(const FlowPageFrame&, ExhibitContext&, PagePanel&) override {}
  void panelBelow(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  bool complete() const override;
  bool animating() const override;
  Numbers numbers(const FlowShared& shared) const override;
  std::string caption(const FlowShared& shared) const override;
  std::string status(const FlowShared& shared) const override;
  std::optional<ColorLimits> ownLimits() const override;
  std::vector<Exhibit::Command> commands(const FlowShared& shared, const Document& document) const override;
  bool run(const FlowPageFrame& frame, ExhibitContext& context, std::string_view command) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  FlowPoint placeForPoint(const FlowPageFrame& frame) const override;
  void releaseGpu() override;
  bool anyField() const override { return true; }
  bool wantsPaths() const override { return false; }  // they are part of its own results
  bool canPlay(const Document& document) const override { return !document.at("flow.points").empty(); }
  bool playing() const override { return shared_.play.active(); }
  double playSeconds() const override;
  std::optional<int> takeMenu() override { return input_.takeMenu(); }
  std::optional<render::Rect> transportPlot() const override { return layout_.plot; }

 private:
  void layOut(const FlowPageFrame& frame);
  FlowFrame flowFrame(const FlowPageFrame& frame) const;
  void noticeFlip(const FlowState& state, double seconds);
  void zoom(const FlowPageFrame& frame, ExhibitContext& context, double factor);

  FlowShared shared_;
  PlaneLayers layers_;
  KeptLayout kept_;
  FlowLayout layout_;  ///< that, with what was drawn in it last
  FlowInput input_;
  PlaneScene scene_;
  bool legend_ = true;
  std::optional<bool> legendOpen_;  ///< what the person chose
  std::optional<render::Rect> legendBox_;
  std::optional<bool> above_;      ///< p + q > 1 in the last frame
  std::optional<double> flipped_;  ///< host time of the last flip
  double flash_ = 0;
};

std::vector<PropertyGroup> PlanePage::groups() const {
  return {{"texture", N_("Flow texture")},
          {"particles", N_("Particles")},
          {"contours", N_("Energy contours")},
          {"guideline", N_("Data-agnostic initialisation")},
          {"common", N_("Good for every chain")}};
}

void PlanePage::declare(PropertyRegistry& registry, const FlowShared& live) {
  for (const auto& layer : layers_)
    layer->declare(registry, live);
}

void PlanePage::read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) {
  input_.follow(live.state);
  for (const auto& layer : layers_)
    layer->read(document, registry, live.state);
}

/// `frame.area` begins below the strip; the layout is of the exhibit's whole area.
void PlanePage::layOut(const FlowPageFrame& frame) {
  layout_ = kept_.of(frame.state(), frame.area.max.x, frame.area.max.y, frame.theme, legendOpen_, frame.area.min.y);
  layout_.legend = layout_.legend && legend_;
  layout_.legendBox = legendBox_;
  layout_.limits = shared_.results.limits();
}

FlowFrame PlanePage::flowFrame(const FlowPageFrame& frame) const {
  FlowFrame made{frame.state(),           shared_.results, frame.theme,   layout_,     input_.pointer(layout_),
                 shared_.play.headTime(), flash_,          input_.held(), frame.figure};
  made.layers = &layers_;
  return made;
}

Cursor PlanePage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  legend_ = context.legend;
  layOut(frame);
  input_.handle(event, frame.state(), layout_, context);
  if (input_.takeLegendClick()) legendOpen_ = !layout_.legendOpen;
  return input_.cursor(frame.state(), layout_);
}

void PlanePage::noticeFlip(const FlowState& state, double seconds) {
  const bool above = state.chain.switching() > 0;
  if (above_ && *above_ != above && state.canonical) flipped_ = seconds;
  above_ = above;
  flash_ = flipped_ ? std::max(0.0, 1 - (seconds - *flipped_) / kFlashSeconds) : 0;
  if (flash_ == 0) flipped_.reset();
}

void PlanePage::update(const FlowPageFrame& frame, ExhibitContext& context) {
  const FlowState& state = frame.state();
  legend_ = context.legend;
  layOut(frame);
  shared_.results.update(state, layout_.plot, context);
  double begin = 0, horizon = 0;
  for (std::size_t i = 0; shared_.play.active() && i < shared_.results.points(); ++i) {
    begin = std::min(begin, beginningTime(shared_.results.point(i)));
    horizon = std::max(horizon, settlingTime(shared_.results.point(i)));
  }
  shared_.play.update(begin, horizon, state.speed, context.seconds);
  noticeFlip(state, context.seconds);
  layout_.limits = shared_.results.limits();
  shared_.hover.reset();
  if (const std::optional<render::Point> pointer = input_.pointer(layout_))
    shared_.hover = toData(Camera{state.view, layout_.plot}, *pointer);
  const FlowFrame now = flowFrame(frame);
  for (const auto& layer : layers_)
    layer->update(now, context);
}

void PlanePage::scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) {
  layOut(frame);
  const FlowFrame now = flowFrame(frame);
  legendBox_.reset();
  if (layout_.legend && !frame.figure) legendBox_ = legendPlace(now).box;
  scene_.update(now, into);
}

void PlanePage::panelBelow(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  drawPlanePanel(frame.state(), layers_, context, panel);
  const FlowFrame now = flowFrame(frame);
  for (const auto& layer : layers_)
    layer->panel(now, context, panel);
}

bool PlanePage::complete() const {
  return shared_.results.complete() &&
         std::all_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->complete(); });
}

bool PlanePage::animating() const {
  return shared_.play.active() || flash_ > 0 || shared_.results.advancing() ||
         std::any_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->animating(); });
}

Numbers PlanePage::numbers(const FlowShared& shared) const {
  Numbers all = flowNumbers(shared.state, shared.results);
  for (const auto& layer : layers_)
    layer->numbers(shared.state, all);
  return all;
}

/// What the layers add stands in one sentence at the end.
std::string PlanePage::caption(const FlowShared& shared) const {
  std::string clauses;
  for (const auto& layer : layers_)
    if (const std::string clause = layer->caption(shared.state); !clause.empty())
      clauses += (clauses.empty() ? "" : "; ") + clause;
  const std::string first = flowCaption(shared.state, shared.results);
  return clauses.empty() ? first : first + " " + sentenceCase(clauses);
}

std::optional<ColorLimits> PlanePage::ownLimits() const {
  if (shared_.state.color != PlaneColor::Loss) return std::nullopt;  // nothing that panes could share
  const std::optional<ColorLimits>& own = shared_.results.ownLimits();
  return shared_.state.locked && own ? shared_.state.locked : own;
}

std::string PlanePage::status(const FlowShared& shared) const {
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

std::vector<std::pair<std::string, std::string>> PlanePage::gestures() const {
  return {{tr("drag a point"), tr("move it; Shift snaps, Ctrl takes a copy")},
          {tr("right click a point"), tr("its menu: delete, duplicate, colour")},
          {tr("drag the plane"), tr("pan")},
          {tr("wheel"), tr("zoom about the pointer")},
          {tr("double-click"), tr("add a point")},
          {tr("double-click an axis"), tr("reset the view")},
          {tr("arrow keys"), tr("nudge the selected point")}};
}

std::vector<Exhibit::Command> PlanePage::commands(const FlowShared&, const Document& document) const {
  std::vector<Exhibit::Command> all;
  for (const auto& layer : layers_)
    for (Exhibit::Command& command : layer->commands(document))
      all.push_back(std::move(command));
  return all;
}

void PlanePage::zoom(const FlowPageFrame& frame, ExhibitContext& context, double factor) {
  const render::Rect& plot = layout_.plot;
  const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const Camera camera = zoomed({frame.state().view, plot}, input_.pointer(layout_).value_or(centre), factor);
  context.editor.replace(withView(context.editor.document(), frame.state(), camera.window));
}

FlowPoint PlanePage::placeForPoint(const FlowPageFrame& frame) const {
  const render::Rect& plot = layout_.plot;
  const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const Camera camera{frame.state().view, plot};
  const render::Point at = tidied(camera, toData(camera, input_.pointer(layout_).value_or(centre)));
  return {at.x, at.y, ""};
}

bool PlanePage::run(const FlowPageFrame& frame, ExhibitContext& context, std::string_view command) {
  if (command == "view.reset") {
    context.editor.replace(withoutView(context.editor.document()));
  } else if (command == "view.zoom-in") {
    zoom(frame, context, kZoomStep);
  } else if (command == "view.zoom-out") {
    zoom(frame, context, 1 / kZoomStep);
  } else if (command == "play.toggle") {
    if (!frame.state().points.empty()) shared_.play.toggle();
  } else {
    const FlowFrame now = flowFrame(frame);
    return std::any_of(layers_.begin(), layers_.end(),
                       [&](const auto& layer) { return layer->run(now, context, command); });
  }
  return true;
}

double PlanePage::playSeconds() const {
  return shared_.state.points.empty() ? 0 : FlowPlay::kSeconds / shared_.state.speed;
}

void PlanePage::releaseGpu() {
  shared_.results.releaseGpu();
  for (const auto& layer : layers_)
    layer->releaseGpu();
}

}  // namespace

std::unique_ptr<FlowPage> makePlanePage(const FlowShared& shared) {
  return std::make_unique<PlanePage>(shared);
}

}  // namespace sepx::ui
