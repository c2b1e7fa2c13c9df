// SPDX-License-Identifier: Apache-2.0
// The plane put together: layout, input, results, play and layers in step. It changes the document only through the
// Editor. Frame thread only.
#include "ui/exhibits/flow/plane/plane_page.h"

#include <algorithm>
#include <cmath>

#include "engine/core/number.h"
#include "ui/exhibits/flow/plane/flow_numbers.h"
#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_input.h"
#include "ui/exhibits/flow/shared/plane_layer.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFlashSeconds = 0.7;
constexpr double kZoomStep = 1.25;

class Plane final : public PlanePage {
 public:
  explicit Plane(const PlaneOwned& owned)
      : owned_(owned),
        readings_{owned.shared.state, owned.results, owned.play, owned.hover, owned.shared.fields},
        layers_(makePlaneLayers()) {}

  FlowPageKind kind() const override { return FlowPageKind::Plane; }
  void declare(PropertyRegistry& registry, const FlowShared& live) override;
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override;
  void update(const FlowPageFrame& frame, ExhibitContext& context) override;
  Camera camera(const FlowPageFrame& frame) const override { return {frame.state().view, layout_.plot}; }
  void scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) override;
  const render::Scene& whole(const FlowPageFrame& frame, double width, double height,
                             const render::Layer& strip) override;
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override;
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

  const FlowLayout& layout() const override { return layout_; }
  Cursor cursor(const FlowState& state) const override { return input_.cursor(state, layout_); }
  std::optional<int> takeMenu() override { return input_.takeMenu(); }
  std::vector<std::string> toggles() const override;

 private:
  void layOut(const FlowPageFrame& frame, double width, double height);
  FlowFrame flowFrame(const FlowPageFrame& frame) const;
  void noticeFlip(const FlowState& state, double seconds);
  void zoom(const FlowPageFrame& frame, ExhibitContext& context, double factor);

  PlaneOwned owned_;
  FlowReadings readings_;
  PlaneLayers layers_;
  KeptLayout kept_;
  FlowLayout layout_;  ///< that, with what was drawn in it last
  FlowInput input_;
  FlowScene scene_;
  bool legend_ = true;
  std::optional<bool> legendOpen_;  ///< what the person chose
  std::optional<render::Rect> legendBox_;
  std::optional<bool> above_;      ///< p + q > 1 in the last frame
  std::optional<double> flipped_;  ///< host time of the last flip
  double flash_ = 0;
};

void Plane::declare(PropertyRegistry& registry, const FlowShared&) {
  declareFlow(registry, readings_);
  for (const auto& layer : layers_)
    layer->declare(registry, readings_);
}

void Plane::read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) {
  input_.follow(live.state);
  for (const auto& layer : layers_)
    layer->read(document, registry, live.state);
}

/// `frame.area` begins below the strip; the layout is of the exhibit's whole area.
void Plane::layOut(const FlowPageFrame& frame, double width, double height) {
  layout_ = kept_.of(frame.state(), width, height, frame.theme, legendOpen_, frame.area.min.y);
  layout_.legend = layout_.legend && legend_;
  layout_.legendBox = legendBox_;
  layout_.limits = owned_.results.limits();
}

FlowFrame Plane::flowFrame(const FlowPageFrame& frame) const {
  FlowFrame made{frame.state(),          owned_.results, frame.theme,   layout_,     input_.pointer(layout_),
                 owned_.play.headTime(), flash_,         input_.held(), frame.figure};
  made.layers = &layers_;
  return made;
}

Cursor Plane::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  legend_ = context.legend;
  layOut(frame, frame.area.max.x, frame.area.max.y);
  input_.handle(event, frame.state(), layout_, context);
  if (input_.takeLegendClick()) legendOpen_ = !layout_.legendOpen;
  return input_.cursor(frame.state(), layout_);
}

void Plane::noticeFlip(const FlowState& state, double seconds) {
  const bool above = state.chain.switching() > 0;
  if (above_ && *above_ != above && state.canonical) flipped_ = seconds;
  above_ = above;
  flash_ = flipped_ ? std::max(0.0, 1 - (seconds - *flipped_) / kFlashSeconds) : 0;
  if (flash_ == 0) flipped_.reset();
}

void Plane::update(const FlowPageFrame& frame, ExhibitContext& context) {
  const FlowState& state = frame.state();
  legend_ = context.legend;
  layOut(frame, frame.area.max.x, frame.area.max.y);
  owned_.results.update(state, layout_.plot, context);
  owned_.play.update(owned_.results, state.speed, context.seconds);
  noticeFlip(state, context.seconds);
  layout_.limits = owned_.results.limits();
  owned_.hover.reset();
  if (const std::optional<render::Point> pointer = input_.pointer(layout_))
    owned_.hover = toData(Camera{state.view, layout_.plot}, *pointer);
  const FlowFrame now = flowFrame(frame);
  for (const auto& layer : layers_)
    layer->update(now, context);
}

const render::Scene& Plane::whole(const FlowPageFrame& frame, double width, double height, const render::Layer& strip) {
  layOut(frame, width, height);
  const FlowFrame now = flowFrame(frame);
  legendBox_.reset();
  if (layout_.legend && !frame.figure) legendBox_ = legendPlace(now).box;
  return scene_.update(now, strip);
}

void Plane::scene(const FlowPageFrame& frame, std::vector<render::Layer>& into) {
  into = whole(frame, frame.area.max.x, frame.area.max.y, {}).layers;
}

void Plane::panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) {
  const FlowFrame now = flowFrame(frame);
  for (const auto& layer : layers_)
    layer->panel(now, context, panel);
}

bool Plane::complete() const {
  return owned_.results.complete() &&
         std::all_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->complete(); });
}

bool Plane::animating() const {
  return owned_.play.active() || flash_ > 0 || owned_.results.advancing() ||
         std::any_of(layers_.begin(), layers_.end(), [](const auto& layer) { return layer->animating(); });
}

Numbers Plane::numbers(const FlowShared& shared) const {
  Numbers all = flowNumbers(shared.state, shared.results);
  for (const auto& layer : layers_)
    layer->numbers(shared.state, all);
  return all;
}

/// What the layers add stands in one sentence at the end.
std::string Plane::caption(const FlowShared& shared) const {
  std::string clauses;
  for (const auto& layer : layers_)
    if (const std::string clause = layer->caption(shared.state); !clause.empty())
      clauses += (clauses.empty() ? "" : "; ") + clause;
  const std::string first = flowCaption(shared.state, shared.results);
  return clauses.empty() ? first : first + " " + sentenceCase(clauses);
}

std::optional<ColorLimits> Plane::ownLimits() const {
  if (owned_.shared.state.color != PlaneColor::Loss) return std::nullopt;  // nothing that panes could share
  const std::optional<ColorLimits>& own = owned_.results.ownLimits();
  return owned_.shared.state.locked && own ? owned_.shared.state.locked : own;
}

std::string Plane::status(const FlowShared& shared) const {
  const FlowState& state = shared.state;
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : " · ") + part;
  };
  const BasinPicture& basin = owned_.results.basin();
  if (!basin.device.empty()) add(std::string(tr("basins")) + ": " + basin.device);
  if (basin.refining)
    add((basin.device.empty() ? std::string(tr("basins")) + ": " : std::string()) + tr("refining ") +
        std::to_string(*basin.refining) + " %");
  for (const auto& layer : layers_)
    add(layer->status());
  if (!owned_.hover) return text;
  const std::vector<std::string>& names = state.field->info().variables;
  const render::Point at = *owned_.hover;
  std::string pointer = std::string(tr("pointer: ")) + names[0] + "=" + shownPlace(at.x, state.view.width()) + " " +
                        names[1] + "=" + shownPlace(at.y, state.view.height());
  if (state.canonical) {
    const double loss = markov::loss(state.chain, markov::Model::EW, Eigen::Vector2d(at.x, at.y));
    if (std::isfinite(loss)) pointer += " L=" + formatFixed(loss, 4);
  }
  add(pointer);
  return text;
}

std::vector<std::pair<std::string, std::string>> Plane::gestures() const {
  return {{tr("drag a point"), tr("move it; Shift snaps, Ctrl takes a copy")},
          {tr("right click a point"), tr("its menu: delete, duplicate, colour")},
          {tr("drag the plane"), tr("pan")},
          {tr("wheel"), tr("zoom about the pointer")},
          {tr("double-click"), tr("add a point")},
          {tr("double-click an axis"), tr("reset the view")},
          {tr("arrow keys"), tr("nudge the selected point")}};
}

std::vector<Exhibit::Command> Plane::commands(const FlowShared&, const Document& document) const {
  std::vector<Exhibit::Command> all;
  for (const auto& layer : layers_)
    for (Exhibit::Command& command : layer->commands(document))
      all.push_back(std::move(command));
  return all;
}

void Plane::zoom(const FlowPageFrame& frame, ExhibitContext& context, double factor) {
  const render::Rect& plot = layout_.plot;
  const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const Camera camera = zoomed({frame.state().view, plot}, input_.pointer(layout_).value_or(centre), factor);
  context.editor.replace(withView(context.editor.document(), frame.state(), camera.window));
}

FlowPoint Plane::placeForPoint(const FlowPageFrame& frame) const {
  const render::Rect& plot = layout_.plot;
  const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const Camera camera{frame.state().view, plot};
  const render::Point at = tidied(camera, toData(camera, input_.pointer(layout_).value_or(centre)));
  return {at.x, at.y, ""};
}

bool Plane::run(const FlowPageFrame& frame, ExhibitContext& context, std::string_view command) {
  if (command == "view.reset") {
    context.editor.replace(withoutView(context.editor.document()));
  } else if (command == "view.zoom-in") {
    zoom(frame, context, kZoomStep);
  } else if (command == "view.zoom-out") {
    zoom(frame, context, 1 / kZoomStep);
  } else if (command == "play.toggle") {
    if (!frame.state().points.empty()) owned_.play.toggle();
  } else {
    const FlowFrame now = flowFrame(frame);
    return std::any_of(layers_.begin(), layers_.end(),
                       [&](const auto& layer) { return layer->run(now, context, command); });
  }
  return true;
}

std::vector<std::string> Plane::toggles() const {
  std::vector<std::string> keys;
  for (const auto& layer : layers_)
    if (const std::string key = layer->toggle(); !key.empty()) keys.push_back(key);
  return keys;
}

void Plane::releaseGpu() {
  owned_.results.releaseGpu();
  for (const auto& layer : layers_)
    layer->releaseGpu();
}

}  // namespace

std::unique_ptr<PlanePage> makePlanePage(const PlaneOwned& owned) {
  return std::make_unique<Plane>(owned);
}

}  // namespace sepx::ui
