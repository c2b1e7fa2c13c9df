// SPDX-License-Identifier: Apache-2.0
// The plane page. It updates layout, views, input, results, playback and layers in order, and changes the document only
// through the Editor. Frame thread only.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <imgui/imgui.h>

#include "engine/core/number.h"
#include "ui/exhibits/flow/plane/energy_layers.h"
#include "ui/exhibits/flow/plane/flow_numbers.h"
#include "ui/exhibits/flow/plane/plane_legend.h"
#include "ui/exhibits/flow/plane/plane_scene.h"
#include "ui/exhibits/flow/shared/flow_input.h"
#include "ui/exhibits/flow/shared/flow_layout.h"
#include "ui/exhibits/flow/shared/flow_limits.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/plane_ground.h"
#include "ui/properties/language.h"
#include "ui/properties/tr.h"
#include "ui/properties/widgets.h"

namespace sepx::ui {

namespace {

struct Toggle {
  std::string key;
  const Property* property;
  float width;  ///< of its label and the gap behind it
};

/// The switches that apply to the document, in the order of the panel.
std::vector<Toggle> togglesOf(const PlaneLayers& layers, const Editor& editor) {
  std::vector<Toggle> toggles;
  const auto add = [&](const std::string& key) {
    const std::optional<PropertyRegistry::Found> found = editor.properties().find(key);
    if (!found || !found->property) return;
    const std::function<bool(const Document&)>& applies = found->property->applies;
    if (applies && !applies(editor.document())) return;
    const float label = ImGui::CalcTextSize(tr(found->property->label.c_str())).x;
    toggles.push_back({key, found->property, label + ImGui::GetStyle().ItemInnerSpacing.x + 1});
  };
  for (const char* const name : {"basin", "loss", "critical", "separatrix", "paths", "arrows", "cloud", "time"})
    add(std::string("flow.show.") + name);
  for (const auto& layer : layers)
    if (const std::string key = layer->toggle(); !key.empty()) add(key);
  return toggles;
}

/// Draws the switches of the layers in two columns, with the boxes aligned to the widest label that leaves room for a
/// box. Switches with a wider label have their own rows below, with their boxes aligned as well.
void drawToggles(const FlowState& state, const PlaneLayers& layers, ExhibitContext& context, PagePanel& panel) {
  const std::vector<Toggle> toggles = togglesOf(layers, context.editor);
  const float room =
      ImGui::GetContentRegionAvail().x / 2 - 2 * ImGui::GetStyle().CellPadding.x - ImGui::GetFrameHeight();
  float narrow = 0, wide = 0;
  for (const Toggle& toggle : toggles) {
    float& widest = toggle.width <= room ? narrow : wide;
    widest = std::max(widest, toggle.width);
  }
  if (!ImGui::BeginTable("layers", 2, ImGuiTableFlags_SizingStretchSame)) return;
  const float usual = std::exchange(context.controls->labelWidth, narrow);
  for (const Toggle& toggle : toggles) {
    if (toggle.width > room) continue;
    ImGui::TableNextColumn();
    // The arrows of a textbook field are on by default, so the switch shows the state in effect, not the fallback.
    if (toggle.key == "flow.show.arrows")
      panel.control(*toggle.property, state.showArrows, toggle.key);
    else
      panel.row(toggle.key);
  }
  ImGui::EndTable();
  context.controls->labelWidth = wide;
  for (const Toggle& toggle : toggles)
    if (toggle.width > room) panel.row(toggle.key);
  context.controls->labelWidth = usual;
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

/// The handle of the square of (p, q). Its box counts as the plot, so that p and q can be dragged from anywhere in it.
ViewHandle chainHandle() {
  const auto changes = [](render::Point to, bool coarse) -> Changes {
    const double step = coarse ? 0.05 : 0.005;  // so that the numbers stay short; finer values can be typed
    const auto value = [step](double raw) {
      // Rounded to three decimals, so that 0.35 is the double that prints as 0.35.
      return std::clamp(std::round(std::round(raw / step) * step * 1000) / 1000, step, 1 - step);
    };
    return {{"flow.p", value(to.x)}, {"flow.q", value(to.y)}};
  };
  return {.label = tr("move p and q"), .keys = {"flow.p", "flow.q"}, .changes = changes, .follows = true};
}

/// Drags one end of the colour scale with the pointer: the value whose colour was at the new place becomes the end.
PictureGrip scaleGrip(const FlowLayout& layout, render::Point from) {
  const render::Rect bar = *layout.colorBar;
  const ColorScale scale(*layout.limits, layout.byPowers);
  const bool upper = from.y < bar.min.y + bar.height() / 2;
  const auto commit = [](Editor& editor, Document next) {
    editor.commit(std::move(next), tr("move the colour scale"), "flow.limits");
  };
  const auto drag = [=](Editor& editor, render::Point at, bool) {
    constexpr double kLeast = 0.05, kMost = 1.5;          // places on the original scale
    const double moved = (from.y - at.y) / bar.height();  // upwards
    const auto shortened = [&scale](double place) {       // to about a thousandth of the scale, or of the value
      const double value = scale.valueAt(place);
      const double step = roundStep((scale.logarithmic ? value : scale.high - scale.low) / 2000);
      return std::round(std::round(value / step) * step * 1e12) / 1e12;
    };
    ColorLimits limits = scale;
    if (upper)
      limits.high = shortened(std::clamp(1 + moved, kLeast, kMost));
    else
      limits.low = shortened(std::clamp(moved, 1 - kMost, 1 - kLeast));
    if (sound(limits)) commit(editor, withLimits(editor.document(), limits));
  };
  const auto takeBack = [commit](Editor& editor, const Document& before) {
    commit(editor, editor.document().withPartOf(before, "flow.limits"));
  };
  return {.drag = drag, .cursor = Cursor::Hand, .still = kPointerTolerance, .takeBack = takeBack};
}

Digest digestOf(const PlaneLegend& legend, bool open) {
  Digest of = Digest().add(legend.size, legend.place.box, open);
  for (const LegendRow& row : legend.rows)
    of.add(row.swatch, row.color, row.dash, row.shape, row.hatched, row.text, row.bold, row.muted);
  return of;
}

class PlanePage final : public FlowPage {
 public:
  explicit PlanePage(const FlowShared& shared)
      : FlowPage({.key = "plane",
                  .name = N_("Plane"),
                  .groups = {{"texture", N_("Flow texture")},
                             {"particles", N_("Particles")},
                             {"contours", N_("Energy contours")},
                             {"guideline", N_("Data-agnostic initialisation")},
                             {"common", N_("Good for every chain")},
                             {"real", N_("A real transformer")}},
                  .groupsFirst = false,  // they are listed among those of all pages
                  .picture = "plane",
                  .pictureName = N_("plane")},
                 {.plane = true, .backward = true, .cloud = true, .anyField = true, .paths = false, .panelLast = true}),
        shared_(shared),
        layers_(makePlaneLayers()) {}
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    for (const auto& layer : layers_)
      layer->declare(registry, live);
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) override {
    input_.follow(live.state);
    for (const auto& layer : layers_)
      layer->read(document, registry, live.state);
  }
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override {
    drawPlanePanel(frame.state(), layers_, context, panel);
    const FlowFrame now = flowFrame(frame.theme, frame.figure);
    for (const auto& layer : layers_)
      layer->panel(now, context, panel);
  }
  PageFacts facts(const FlowShared& shared) const override {
    const auto done = [](const auto& layer) { return layer->complete(); };
    const auto moves = [](const auto& layer) { return layer->animating(); };
    return {.complete = shared_.results.complete() && std::ranges::all_of(layers_, done),
            .animating = flash_ > 0 || shared_.results.advancing() || std::ranges::any_of(layers_, moves),
            .playing = shared_.play.active(),
            .playSeconds = shared_.state.points.empty() ? 0 : FlowPlay::kSeconds / shared_.state.speed,
            .ownLimits = ownLimits(),
            .status = [this, &shared] { return status(shared); },
            .caption = [this, &shared] { return caption(shared); },
            .leftOut = leftOut(),
            .numbers = [this, &shared] { return numbers(shared); },
            .gestures =
                [] {
                  return Gestures{
                      {tr("drag a point"), tr("move it; Shift snaps, Ctrl copies")},
                      {tr("right-click a point"), tr("its menu: delete, duplicate, colour")},
                      {tr("drag the plane"), tr("pan")},
                      {tr("wheel"), tr("zoom about the pointer")},
                      {tr("double-click"), tr("add a point")},
                      {tr("double-click an axis"), tr("reset the view")},
                      {tr("arrow keys"), tr("nudge the selected point")},
                      {tr("drag the legend"), tr("move it; left of the plot: beside the picture; click: fold")},
                      {tr("drag the time bar, or , and ."), tr("move the markers in time")}};
                }};
  }
  /// What a figure leaves out.
  std::vector<std::string> leftOut() const {
    if (wantsLegend_ && !layout_.legend) return {tr("the legend")};
    const bool cut = layout_.legendBelow && !layout_.legendOpen && shared_.state.legend.open != false;
    return cut ? std::vector<std::string>{tr("the legend entries for curves")} : std::vector<std::string>();
  }
  Numbers numbers(const FlowShared& shared) const {
    Numbers all = flowNumbers(shared.state, shared.results);
    for (const auto& layer : layers_)
      layer->numbers(shared.state, all);
    return all;
  }
  /// The clauses of the layers form one sentence at the end.
  std::string caption(const FlowShared& shared) const {
    std::string clauses;
    for (const auto& layer : layers_)
      if (const std::string clause = layer->caption(shared.state); !clause.empty())
        clauses += (clauses.empty() ? "" : "; ") + clause;
    const std::string first = flowCaption(shared.state, shared.results);
    return clauses.empty() ? first : first + " " + sentenceCase(clauses);
  }
  std::string status(const FlowShared& shared) const {
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
  std::optional<ColorLimits> ownLimits() const {
    if (shared_.state.color != PlaneColor::Loss) return std::nullopt;  // panes share only the scale of the loss
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
                             {"flow.time-on", tr("Step forward in time"), ".", tr("Run"), points, step(1)}};
    for (const auto& layer : layers_)
      for (Command& command : layer->commands(document))
        all.push_back(std::move(command));
    return all;
  }
  FlowMoves moves(const Document& document) override {
    FlowMoves moves{
        .reset = PlaneGround::reset,
        .zoom = [this](const FlowPageFrame& frame, ExhibitContext& context,
                       double factor) { zoomPlane(frame.state(), camera(), input_.pointer(layout_), context, factor); },
        .placeForPoint = [this](const FlowPageFrame&) { return placeIn(camera(), input_.pointer(layout_)); },
        .takeMenu = [this] { return input_.takeMenu(); },
        .transportPlot = layout_.plot};
    if (!document.at("flow.points").empty()) moves.play = [this] { shared_.play.toggle(); };
    return moves;
  }
  void releaseGpu() override {
    for (const auto& layer : layers_)
      layer->releaseGpu();
  }

 private:
  Camera camera() const { return {shared_.state.view, layout_.plot}; }
  void ask(const FlowPageFrame& frame, ExhibitContext& context) override;
  Views views(const FlowPageFrame& frame) const override;
  void layOut(const FlowPageFrame& frame);
  void followResults();
  void addGrips(PlaneViews& made) const;
  PictureGrip legendGrip(render::Point corner, render::Point from) const;
  std::uint64_t layoutDigest(const FlowPageFrame& frame) const {
    return Digest()
        .add(documents(), frame.area, frame.theme.key, languageRevision(), frame.theme.textSize, frame.figure)
        .value();
  }
  /// Whether a press of the left button is for a view over the plane. The handles of points are above these views, but
  /// below the dot of the square.
  bool overView(const FlowPageFrame& frame) const {
    const std::string view = frame.pointer ? board().viewAt(*frame.pointer) : std::string();
    if (view.empty() || !FlowInput::handleAt(*frame.pointer, frame.state(), layout_)) return !view.empty();
    if (view != "square") return false;
    const render::Point dot = squareToPage(*layout_.square, frame.state().chain.p, frame.state().chain.q);
    return std::hypot(frame.pointer->x - dot.x, frame.pointer->y - dot.y) <= kReach;
  }
  FlowFrame flowFrame(const Theme& theme, bool figure) const {
    FlowFrame made{shared_.state,           shared_.results, theme,         layout_, input_.pointer(layout_),
                   shared_.play.headTime(), flash_,          input_.held(), figure};
    if (layout_.timeBar) made.span = span();
    made.audience = audience_;
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
  FlowLayout layout_;
  PlaneLegend legend_;
  std::uint64_t layoutDigest_ = 0;  ///< digest of the inputs of layout_ and legend_
  FlowInput input_;
  bool wantsLegend_ = true, overView_ = false, audience_ = false;
  mutable TimeSpan span_;
  mutable std::optional<std::uint64_t> spanOf_;  ///< the paths' revision for span_
  std::optional<bool> above_;                    ///< p + q > 1 in the last frame
  std::optional<double> flipped_;                ///< host time of the last flip
  double flash_ = 0;
};

void PlanePage::ask(const FlowPageFrame& frame, ExhibitContext& context) {
  const FlowState& state = frame.state();
  wantsLegend_ = context.legend;
  audience_ = frame.audience;
  layout_ = layoutFlow(state, frame.area.max.x, frame.area.max.y, frame.theme, frame.area.min.y, wantsLegend_);
  shared_.results.update(state, layout_.plot, context);
  shared_.play.update(span(), state.speed, context.seconds);
  noticeFlip(state, context.seconds);
  shared_.hover.reset();
  if (const std::optional<render::Point> pointer = input_.pointer(layout_))
    shared_.hover = toData(Camera{state.view, layout_.plot}, *pointer);
  FlowFrame now = flowFrame(frame.theme, frame.figure);
  now.dropped = input_.takeDropped();
  for (const auto& layer : layers_)
    layer->update(now, context);
  layOut(frame);
  followResults();
}

/// `frame.area` begins below the strip; the layout covers the whole area of the exhibit.
void PlanePage::layOut(const FlowPageFrame& frame) {
  layoutDigest_ = layoutDigest(frame);
  const double top = frame.area.min.y;
  layout_ = layoutFlow(frame.state(), frame.area.max.x, frame.area.max.y, frame.theme, top, wantsLegend_);
  if (frame.figure && wantsLegend_) layout_ = figureLayout(flowFrame(frame.theme, true), layers_, top);
  layout_.limits = shared_.results.limits();
  if (layout_.legend) {
    legend_ = legendOf(flowFrame(frame.theme, frame.figure), layers_);
    layout_.legendBox = legend_.place.box;
  }
  layout_.profile = profilePlace(flowFrame(frame.theme, frame.figure));
}

void PlanePage::followResults() {
  const FlowResults& results = shared_.results;
  Digest of = Digest().add(results.pathsRevision(), results.lossRevision(), results.basin().revision,
                           results.cloudRevision(), results.limits().has_value(), input_.pointer(layout_),
                           shared_.play.headTime(), flash_, input_.held(), wantsLegend_);
  of.add(layout_.legendBox, layout_.plot);
  for (const auto& layer : layers_)
    of.add(layer->contentDigest());
  results_.follow(of.value());
}

Views PlanePage::views(const FlowPageFrame& frame) const {
  const FlowFrame now = flowFrame(frame.theme, frame.figure);
  PlaneViews made(now, [this](const ViewPlace& place) { return flowFrame(place.theme, place.figure); });
  addPlaneViews(now, made);
  if (layout_.legendBox)
    made.addAt(*layout_.legendBox, PlaneLevel::Points, "legend", digestOf(legend_, layout_.legendOpen),
               [this](const FlowFrame& plane) { return legendItems(plane, legend_); })
        .hold = [this](const ViewPlace& place, render::Point at) { return legendGrip(place.box.min, at); };
  addWordViews(now, made);
  addGrips(made);
  for (const auto& layer : layers_)
    layer->views(now, made);
  Views all = made.take(frame.area);
  all.camera = [this](const PageArea&) { return camera(); };
  return all;
}

/// Adds what can be dragged besides the legend: the time, p and q, and the ends of the colour scale.
void PlanePage::addGrips(PlaneViews& made) const {
  if (PictureContent* const bar = made.named("time"))
    bar->hold = [this](const ViewPlace& place, render::Point) {
      const auto seek = [this, bar = place.box](Editor&, render::Point at, bool) {
        const double share = std::clamp((at.x - bar.min.x) / bar.width(), 0.0, 1.0);
        shared_.play.seek(span().begin + share * (span().end - span().begin));
      };
      return PictureGrip{.drag = seek, .cursor = Cursor::ResizeHorizontal, .atOnce = true};
    };
  if (PictureContent* const square = made.named("square")) {
    square->handles = {chainHandle()};
    square->camera = [square = *layout_.square](const ViewPlace& place) {
      const render::Rect& box = place.box;
      const render::Point low = pageToSquare(square, {box.min.x, box.max.y}),
                          high = pageToSquare(square, {box.max.x, box.min.y});
      return Camera{{low, high}, box};
    };
  }
  if (!layout_.colorBar || !layout_.limits) return;
  constexpr double kAround = 8;  // points around the bar in which a press takes it
  const render::Rect& bar = *layout_.colorBar;
  PictureContent& scale =
      made.addAt({{bar.min.x - kAround / 2, bar.min.y - kAround}, {bar.max.x + kAround, bar.max.y + kAround}},
                 PlaneLevel::Points, "scale", {}, [](const FlowFrame&) { return std::vector<render::Item>(); });
  scale.hold = [this](const ViewPlace&, render::Point at) { return scaleGrip(layout_, at); };
  scale.twice = [](Editor& editor, const ViewPlace&, render::Point) {
    editor.seal();
    editor.commit(withoutLimits(editor.document()), tr("colour scale from the data"));
    editor.seal();
    return true;
  };
}

/// The legend stays where it is dropped over the plot; dragged to the left of the plot, it goes beside the picture. A
/// click folds or unfolds it.
PictureGrip PlanePage::legendGrip(render::Point corner, render::Point from) const {
  const render::Point held{from.x - corner.x, from.y - corner.y};
  const auto moved = std::make_shared<bool>(false);
  const auto drag = [this, held, moved](Editor& editor, render::Point at, bool) {
    *moved = true;
    if (!layout_.legendBox) return;
    const render::Rect &box = *layout_.legendBox, &plot = layout_.plot;
    if (at.x < plot.min.x) return editor.replace(withLegendBeside(editor.document()));
    const auto share = [](double to, double room) {
      return room > 0 ? std::round(1000 * std::clamp(to / room, 0.0, 1.0)) / 1000 : 0.0;
    };
    const double x = at.x - std::min(held.x, box.width()) - plot.min.x - kBoxInset,
                 y = at.y - std::min(held.y, box.height()) - plot.min.y - kBoxInset;
    editor.replace(withLegendAt(editor.document(), share(x, plot.width() - 2 * kBoxInset - box.width()),
                                share(y, plot.height() - 2 * kBoxInset - box.height())));
  };
  const auto drop = [this, moved](ExhibitContext& context, render::Point) {
    if (!*moved) context.editor.replace(withLegendOpen(context.editor.document(), !layout_.legendOpen));
  };
  const auto takeBack = [](Editor& editor, const Document& before) {
    editor.replace(editor.document().withPartOf(before, "flow.legend"));
  };
  return {.drag = drag,
          .cursor = Cursor::Hand,
          .dragCursor = Cursor::Move,
          .still = kPointerTolerance,
          .drop = drop,
          .takeBack = takeBack};
}

Cursor PlanePage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (layoutDigest_ != layoutDigest(frame)) layOut(frame);
  const auto* const press = std::get_if<PointerPressed>(&event);
  const bool down = press && press->down, held = board().drags();
  overView_ = held || (!input_.holds() && overView(frame));
  const bool forView = held || (overView_ && down && press->button == Button::Left);
  Cursor shown = Cursor::Arrow;
  if (!down || forView) shown = inputViews(frame, context, event);
  if (!down || !forView) input_.handle(event, frame.state(), layout_, context);
  return overView_ ? shown : input_.cursor(frame.state(), layout_);
}

}  // namespace

std::unique_ptr<FlowPage> makePlanePage(const FlowShared& shared) {
  return std::make_unique<PlanePage>(shared);
}

}  // namespace sepx::ui
