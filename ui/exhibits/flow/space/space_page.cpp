// SPDX-License-Identifier: Apache-2.0
// The space page, (e, w, a). It connects document, results, picture, gestures and commands, and changes the document
// only through the Editor. Frame thread only.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/markov/attention_basin.h"
#include "engine/markov/energy.h"
#include "engine/markov/unbounded_surface.h"
#include "ui/canvas/handles.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/exhibits/flow/space/space_axes.h"
#include "ui/exhibits/flow/space/space_input.h"
#include "ui/exhibits/flow/space/space_inset.h"
#include "ui/exhibits/flow/space/space_numbers.h"
#include "ui/exhibits/flow/space/space_overlay.h"
#include "ui/exhibits/flow/space/space_read_outs.h"
#include "ui/exhibits/flow/space/space_results.h"
#include "ui/exhibits/flow/space/space_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr int kSliceCells = 24;  // more than one, because translucent triangles are sorted by their centres

/// A box that contains all points with some room, and at least -0.5 to 0.5 along each axis.
markov::Box3 fittingBox(const std::vector<FlowPoint>& points) {
  markov::Box3 box{placeOf(points.front()), placeOf(points.front())};
  for (const FlowPoint& point : points)
    for (std::size_t i = 0; i < 3; ++i) {
      box.low[i] = std::min(box.low[i], placeOf(point)[i]);
      box.high[i] = std::max(box.high[i], placeOf(point)[i]);
    }
  for (std::size_t i = 0; i < 3; ++i) {
    // The origin and the sheets closest to it are always shown.
    box.low[i] = std::min(box.low[i], -0.5);
    box.high[i] = std::max(box.high[i], 0.5);
    const double step = roundStep((box.high[i] - box.low[i]) / 8);
    box.low[i] = std::floor(box.low[i] / step - 0.25) * step + 0.0;
    box.high[i] = std::ceil(box.high[i] / step + 0.25) * step + 0.0;
  }
  return box;
}

class SpacePage final : public FlowPage {
 public:
  explicit SpacePage(const FlowShared& shared)
      : FlowPage({"space", N_("Space")}, {.third = true, .attention = true, .backward = true, .paths = false}),
        shared_(shared) {}
  void declare(PropertyRegistry& registry, const FlowShared& live) override {
    readings_.emplace(SpaceReadings{live, space_, computed_, play_});
    declareSpace(registry);
    declareSpaceReadOuts(registry, *readings_);
  }
  void read(const Document& document, const PropertyRegistry& registry, const FlowShared&) override {
    space_ = readSpaceState(document, registry);
  }
  Cursor input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  void panel(const FlowPageFrame& frame, ExhibitContext& context, PagePanel& panel) override {
    const auto along = [&](const char* label, const char* key, int axis) {
      if (panel.button(tr(label), key)) lookAlong(axis, context);
    };
    const int selected = frame.state().selected;
    if (selected >= 0) {
      const auto index = static_cast<std::size_t>(selected);
      panel.heading(tr("The selected point in space"));
      Value said;  // so that no text is shown twice in a row
      for (const char* member : {"space.words", "space.reason", "space.plane", "space.S", "space.energy", "space.angle",
                                 "space.drift.energy", "space.drift.angle", "space.distance"}) {
        // A read-out without a value is not listed.
        const std::string key = pointKey(index, member);
        const auto found = context.editor.properties().find(key);
        if (!found || !found->readOut) continue;
        const Value value = found->readOut->get(found->index);
        if (!std::holds_alternative<std::monostate>(value) && value != said) panel.row(key);
        if (std::holds_alternative<std::string>(value)) said = value;
      }
      if (panel.button(tr("Onto the unbounded surface"), "flow.space.onto-surface",
                       frame.state().chain.switching() > 0))
        putOntoSurface(frame.state(), context);
    }
    panel.group(tr("Surfaces and curves"), "flow.",
                {"space.show.theta_star", "space.show.minima", "space.show.separatrix", "space.show.energy",
                 "space.show.curves", "space.show.paths", "show.backward", "space.opacity"});
    panel.group(tr("Slice plane"), "flow.space.slice.", {"show", "axis", "at", "shade", "method", "disagreements"});
    panel.heading(tr("Clip planes"));
    for (const char* axis : kSpaceAxes)
      panel.rows(std::string("flow.space.clip.") + axis, {".keep", ".at"});
    panel.heading(tr("View and box"));
    along(N_("Along e"), "flow.space.view-e", 0);
    panel.sameLine();
    along(N_("Along w"), "flow.space.view-w", 1);
    panel.sameLine();
    along(N_("Along a"), "flow.space.view-a", 2);
    panel.sameLine();
    if (panel.button(tr("Fit"), "flow.space.fit")) fit(frame.state(), context);
    panel.rows("flow.space.", {"perspective", "yaw", "pitch", "distance"});
    for (const char* axis : kSpaceAxes)
      panel.rows(std::string("flow.space.box.") + axis, {".low", ".high"});
  }
  PageFacts facts(const FlowShared& shared) const override {
    return {
        .complete = computed_.complete(),
        .playing = play_.active(),
        .playSeconds = computed_.points() == 0 ? 0 : FlowPlay::kSeconds / space_.speed,
        .status = [this, &shared] { return status(shared); },
        .caption = [this] { return readings_ ? spaceCaption(*readings_, layout_.inset.has_value()) : std::string(); },
        .leftOut = legend_ && !layout_.legend ? std::vector<std::string>{tr("the legend")} : std::vector<std::string>(),
        .numbers = [this] { return readings_ ? spaceNumbers(*readings_) : Numbers{}; },
        .gestures =
            [] {
              return Gestures{{tr("drag a point"), tr("move it in the view plane; Shift snaps")},
                              {tr("drag an arrow"), tr("move the selected point along that axis")},
                              {tr("drag elsewhere"), tr("turn the view")},
                              {tr("right button, or Shift"), tr("pan")},
                              {tr("wheel"), tr("zoom")},
                              {tr("double-click"), tr("reset the view; in the section: add a point")},
                              {tr("drag a corner of the slice, or its slider"), tr("move the slice plane")},
                              {tr("click the axis gizmo"), tr("look along that axis")},
                              {tr("drag the legend"), tr("move it; click: fold")},
                              {tr("arrow keys, Page Up, Page Down"),
                               tr("move the selected point in e, w, a; with no point selected: turn and zoom")}};
            }};
  }
  std::string status(const FlowShared& shared) const {
    const auto words = [&shared](const markov::Place3& at) {
      std::string text =
          fmt::format("e={} w={} a={}", shownFixed(at[0], 3), shownFixed(at[1], 3), shownFixed(at[2], 3));
      const double loss = markov::loss(shared.state.chain, markov::Model::EWA, markov::stateOf(at));
      return std::isfinite(loss) ? text + " L=" + shownFixed(loss, 4) : text;
    };
    if (hover_) {
      const markov::LimitKind kind = markov::basinLabel3(shared.state.chain, (*hover_)[0], (*hover_)[1], (*hover_)[2]);
      return std::string(tr("pointer: ")) + words(*hover_) + ", " + kindWords(kind);
    }
    const int selected = shared.state.selected;
    if (selected < 0 || static_cast<std::size_t>(selected) >= shared.state.points.size()) return {};
    return words(placeOf(shared.state.points[static_cast<std::size_t>(selected)]));
  }
  std::vector<Command> commands(const FlowShared& shared, const Document&) override {
    const FlowState& flow = shared.state;
    const bool one = flow.selected >= 0, some = !flow.points.empty();
    const std::string view = tr("View"), exhibit = tr("Exhibit");
    const auto along = [this](int axis) { return [this, axis](ExhibitContext& context) { lookAlong(axis, context); }; };
    const auto step = [this, &flow](int by) {
      return [this, &flow, by] {
        if (!flow.points.empty()) play_.step(span(), by);
      };
    };
    const auto with = [this, &flow](void (SpacePage::*act)(const FlowState&, ExhibitContext&)) {
      return [this, &flow, act](ExhibitContext& context) { (this->*act)(flow, context); };
    };
    return {
        {"flow.space.view-e", tr("Look along e"), "Shift+E", view, true, along(0)},
        {"flow.space.view-w", tr("Look along w"), "Shift+W", view, true, along(1)},
        {"flow.space.view-a", tr("Look along a"), "Shift+A", view, true, along(2)},
        {"flow.space.perspective", tr("Perspective or parallel"), "Shift+P", view, true,
         [this](ExhibitContext& context) {
           setAsStep(context.editor, "flow.space.perspective", !space_.camera.perspective);
         }},
        {"flow.time-back", tr("Step back in time"), ",", tr("Run"), some, step(-1)},
        {"flow.time-on", tr("Step forward in time"), ".", tr("Run"), some, step(1)},
        {"flow.space.fit", tr("Fit the box to the points"), "Shift+F", view, some, with(&SpacePage::fit)},
        {"flow.space.slice", tr("Show or hide the section"), "Shift+S", exhibit, true,
         [this](ExhibitContext& context) { setAsStep(context.editor, "flow.space.slice.show", !space_.slice); }},
        {"flow.space.slice-next", tr("Turn the slice plane to the next axis"), "Shift+T", exhibit, true,
         with(&SpacePage::turnSlice)},
        {"flow.space.slice-here", tr("Slice through the selected point"), "Shift+X", exhibit, one,
         with(&SpacePage::sliceHere)},
        {"flow.space.onto-surface", tr("Put the point onto the unbounded surface"), "", exhibit,
         one && flow.chain.switching() > 0, with(&SpacePage::putOntoSurface)},
    };
  }
  FlowMoves moves(const Document&) override {
    return {.play =
                [this](const FlowPageFrame& frame, ExhibitContext&) {
                  if (!frame.state().points.empty()) play_.toggle();
                },
            .reset = [](ExhibitContext& context) { context.editor.replace(withoutCamera(context.editor.document())); },
            .zoom = [this](const FlowPageFrame&, ExhibitContext& context,
                           double factor) { look(context, nearer(space_.camera, factor)); },
            .placeForPoint = [this](const FlowPageFrame& frame) { return placeForPoint(frame); },
            .kindOf =
                [this](std::size_t point) {
                  return point < computed_.points() ? computed_.point(point).kind : markov::LimitKind::Undecided;
                }};
  }
  FlowPoint placeForPoint(const FlowPageFrame& frame) const {
    layOut(frame);
    FlowPoint point;
    const auto set = [&point](const markov::Place3& at) { point.e = at[0], point.w = at[1], point.a = at[2]; };
    const std::optional<render::Point>& pointer = frame.pointer;
    if (layout_.inset && pointer && layout_.inset->contains(*pointer)) {
      const Camera camera = insetCamera(spaceFrame(frame));
      const render::Point data = tidied(camera, toData(camera, *pointer));
      set(space_.section.place(data.x, data.y));
      return point;
    }
    const auto inBox = [this](const render::Point3& at) {
      const double place[] = {at.x, at.y, at.z};
      markov::Place3 kept{};
      for (std::size_t i = 0; i < 3; ++i) {
        const double step = roundStep((space_.box.high[i] - space_.box.low[i]) / 400);
        kept[i] = std::round(std::clamp(place[i], space_.box.low[i], space_.box.high[i]) / step) * step + 0.0;
      }
      return kept;
    };
    // On the slice plane under the pointer; else at the depth of the view's centre, under the pointer or in the middle.
    if (pointer && space_.slice && layout_.plot.contains(*pointer))
      if (const auto at = view_->onPlane(*pointer, space_.section.axis, space_.section.at)) {
        set(inBox(*at));
        return point;
      }
    const render::Rect& plot = layout_.plot;
    const render::Point centre{0.5 * (plot.min.x + plot.max.x), 0.5 * (plot.min.y + plot.max.y)};
    // Not the origin itself, where nothing moves.
    markov::Place3 at =
        inBox(view_->atDepth(pointer && plot.contains(*pointer) ? *pointer : centre, space_.camera.distance));
    if (at == markov::Place3{0, 0, 0}) at = {0.5, 0.5, 0};
    set(at);
    return point;
  }

 private:
  /// Data coordinates for scripts and hosts are those of the view plane. In a view along an axis they are the two
  /// visible coordinates (exact without perspective; with perspective, exact in the middle of the box). In any other
  /// view they are distances from the target, in half sides of the box.
  Camera dataCamera() const {
    const render::Rect& plot = layout_.plot;
    if (!(plot.width() > 0) || !(plot.height() > 0)) return {{{-1, -1}, {1, 1}}, plot};
    const double scale = view_->scaleAt(space_.camera.distance);
    const render::Point half{0.5 * plot.width() / scale, 0.5 * plot.height() / scale};
    render::Rect window{{-half.x, -half.y}, {half.x, half.y}};
    if (viewingAxis(space_.camera)) {
      const auto along = [&](const std::array<double, 3>& direction, double& low, double& high) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          // Seen from behind, an axis points the other way, so its coordinate changes sign.
          if (std::abs(direction[axis]) < 0.5) continue;
          const double centre = 0.5 * (space_.box.low[axis] + space_.box.high[axis]),
                       side = 0.5 * (space_.box.high[axis] - space_.box.low[axis]);
          const double middle = (centre + side * space_.camera.target[axis]) * direction[axis];
          low = middle + side * low;
          high = middle + side * high;
          return;
        }
      };
      along(view_->right(), window.min.x, window.max.x);
      along(view_->up(), window.min.y, window.max.y);
    }
    return {window, plot};
  }
  TimeSpan span() const {
    TimeSpan span;
    for (std::size_t i = 0; i < computed_.points(); ++i)
      span.end = std::max(span.end, settlingTime(computed_.point(i)));
    return span;
  }
  void ask(const FlowPageFrame& frame, ExhibitContext& context) override;
  Views views(const FlowPageFrame& frame) const override;
  void followResults(const FlowPageFrame& frame) {
    results_.follow(Digest().add(base(), frame.pointer, play_.headTime(), computed_.sectionRevision()).value());
  }
  /// Digest of the inputs of all views.
  std::uint64_t base() const {
    return Digest()
        .add(documents(), legend_, computed_.pathsRevision(), computed_.surfacesRevision(), traceOf_, hot_.has_value(),
             hot_ ? static_cast<int>(hot_->kind) : 0, hot_ ? hot_->index : 0)
        .value();
  }
  SpaceFrame spaceFrame(const PageArea& page) const {
    return {shared_.state, space_,      computed_,        page,         layout_,
            *view_,        slicePlane_, play_.headTime(), energyTrace_, page.figure || !hot_ ? nullptr : &*hot_};
  }
  /// In a figure the legend is outside the picture, so that the layout depends on its rows.
  void layOut(const FlowPageFrame& frame) const {
    const auto look = [this] { view_.emplace(space_.camera, space_.box.low, space_.box.high, layout_.plot); };
    page_.emplace(frame);
    layout_ = layoutSpace(frame, space_, legend_);
    look();
    if (!frame.figure || !legend_) return;
    layout_ = figureLayout(spaceFrame(frame));
    look();
  }
  void updateSlice(const FlowState& flow) {
    const std::pair of{space_.section, space_.box};
    if (sliceOf_ != of) {
      sliceOf_ = of;
      slicePlane_ = meshOf(markov::flatSheet(space_.section.axis, space_.section.at, space_.box, kSliceCells, {}));
    }
    const bool wanted = space_.slice && space_.show.energy && flow.selected >= 0;
    Digest key = Digest().add(wanted, space_.section.axis, space_.section.at);
    if (wanted)
      for (std::size_t i = 0; i < 3; ++i)
        key.add(placeOf(flow.points[static_cast<std::size_t>(flow.selected)])[i], space_.box.low[i],
                space_.box.high[i]);
    if (std::exchange(traceOf_, key.value()) == key.value()) return;
    energyTrace_.clear();
    if (!wanted) return;
    constexpr int kCells = 64;
    const markov::Place3 at = placeOf(flow.points[static_cast<std::size_t>(flow.selected)]);
    const std::optional<double> energy = markov::energy(markov::Model::EWA, markov::stateOf(at));
    if (energy && std::isfinite(*energy))
      energyTrace_ =
          traceOf(markov::energyLevel(flow.chain, at), space_.section, markov::sideOf(space_.box, at[1]), kCells);
  }
  static void look(ExhibitContext& context, const OrbitCamera& camera) {
    context.editor.replace(withCamera(context.editor.document(), camera));
  }
  /// Looks along an axis. Along w, e is to the right; along e, w is to the right; along a, the view is from above. The
  /// same command again looks from the other end.
  void lookAlong(int axis, ExhibitContext& context) {
    const OrbitCamera near = alongAxis(space_.camera, axis, axis != 1);
    const bool there = near.yaw == space_.camera.yaw && near.pitch == space_.camera.pitch;
    look(context, there ? alongAxis(space_.camera, axis, axis == 1) : near);
  }
  void fit(const FlowState& flow, ExhibitContext& context) {
    if (flow.points.empty()) return;
    commitStep(context, withBox(context.editor.document(), fittingBox(flow.points)), tr("fit the box"));
  }
  void turnSlice(const FlowState& flow, ExhibitContext& context) {
    const auto axis = static_cast<std::size_t>((space_.section.axis + 1) % 3);
    const double at = flow.selected >= 0 ? placeOf(flow.points[static_cast<std::size_t>(flow.selected)])[axis] : 0;
    commitStep(context,
               withSlice(context.editor.document(), static_cast<int>(axis),
                         std::clamp(at, space_.box.low[axis], space_.box.high[axis])),
               tr("turn the slice plane"));
  }
  void sliceHere(const FlowState& flow, ExhibitContext& context) {
    if (flow.selected < 0) return;
    const double at = placeOf(flow.points[static_cast<std::size_t>(flow.selected)])[space_.section.across()];
    commitStep(context,
               withSlice(context.editor.document(), space_.section.axis, at).with("flow.space.slice.show", true),
               tr("move the slice plane"));
  }
  void putOntoSurface(const FlowState& flow, ExhibitContext& context) {
    if (flow.selected < 0) return;
    if (flow.chain.switching() <= 0) return context.editor.say(tr("Unbounded orbits exist only for p + q > 1."));
    const auto index = static_cast<std::size_t>(flow.selected);
    const FlowPoint& point = flow.points[index];
    const double e = std::copysign(markov::unboundedSurfaceE(point.a), point.e);
    commitStep(context, withPoint(context.editor.document(), index, e, std::max(point.w, 0.0), point.a),
               tr("put a point onto the unbounded surface"));
  }

  SpaceState space_;
  SpaceResults computed_;
  FlowPlay play_;
  bool legend_ = true;
  std::optional<SpaceReadings> readings_;

  MeshPointer slicePlane_;
  std::optional<std::pair<markov::SectionPlane, markov::Box3>> sliceOf_;
  std::vector<markov::SectionLine> energyTrace_;
  std::uint64_t traceOf_ = 0;            ///< digest of the inputs of energyTrace_
  std::optional<markov::Place3> hover_;  ///< in the section
  FlowShared shared_;
  mutable SpaceLayout layout_;
  mutable std::optional<OrbitView> view_;
  mutable std::optional<PageArea> page_;                    ///< of the current call
  std::optional<SpaceHandle> hot_;                          ///< the handle under the pointer or held
  bool holdsHandle_ = false, pan_ = false, other_ = false;  ///< what the last press took, and how
};

void SpacePage::ask(const FlowPageFrame& frame, ExhibitContext& context) {
  legend_ = context.legend;
  computed_.update(frame.state(), space_, context);
  updateSlice(frame.state());
  if (play_.active()) play_.update(span(), space_.speed, context.seconds);
  layOut(frame);
  followResults(frame);
  hover_.reset();
  if (!frame.pointer || !layout_.inset || !layout_.inset->contains(*frame.pointer)) return;
  const render::Point at = toData(insetCamera(spaceFrame(frame)), *frame.pointer);
  hover_ = space_.section.place(at.x, at.y);
}

Views SpacePage::views(const FlowPageFrame& frame) const {
  Views made;
  made.arrangement.kind = Arrangement::Kind::Stack;
  made.camera = [this](const PageArea&) { return dataCamera(); };
  const auto add = [&](const char* name, std::uint64_t of, auto draw, bool still, bool clipped = false) {
    PictureContent picture;
    picture.of = Digest().add(base(), of).value();
    picture.draw = [this, draw](const ViewPlace& place) {
      return draw(
          spaceFrame({place.theme, page_->area, page_->pointer, place.figure, page_->compact, false, page_->audience}));
    };
    picture.still = still;
    picture.clipped = clipped;
    made.addAt(frame.area, {name, std::move(picture)});
  };
  const auto scene = [](const SpaceFrame& all) {
    return std::vector<render::Item>{render::Solid{std::make_shared<render::Scene3>(spaceScene(all))}};
  };
  const auto section = [this](const SpaceFrame& all) { return insetItems(all, dataCamera()); };
  add("space", Digest().add(play_.headTime(), computed_.sectionRevision()).value(), scene, true, true);
  auto& space = std::get<PictureContent>(made.views.back().content);
  const SpaceNow now = [this] { return spaceFrame(*page_); };
  space.hold = [this, now](const ViewPlace&, render::Point at) { return spaceGrip(now, at, pan_, other_); };
  space.wheel = [now](Editor& editor, const ViewPlace&, render::Point at, double notches) {
    spaceWheel(editor, now(), at, notches);
  };
  space.twice = [now](Editor& editor, const ViewPlace&, render::Point at) {
    return spaceDoubleClick(editor, now(), at);
  };
  add("space.axes", 0, spaceAxisItems, true);
  add("space.names", 0, spaceNameItems, false);
  if (!frame.figure) add("space.gizmo", Digest().add(frame.pointer).value(), gizmoItems, false);
  add("space.section", computed_.sectionRevision(), section, true);
  add("space.legend", 0, spaceLegendItems, true);
  add("space.readout", 0, spaceReadOutItems, true);
  return made;
}

Cursor SpacePage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  layOut(frame);
  const auto under = [&] { return frame.pointer ? spaceHandleAt(spaceFrame(frame), *frame.pointer) : std::nullopt; };
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (press && press->down && !board().drags()) {
    other_ = press->button != Button::Left;
    pan_ = press->modifiers.shift;
    hot_ = under();
    holdsHandle_ = hot_ && !other_;
  }
  followResults(frame);
  const Cursor cursor = inputViews(frame, context, event);
  if (!board().drags()) other_ = pan_ = holdsHandle_ = false;
  if (!holdsHandle_) hot_ = under();
  if (const auto* const key = std::get_if<KeyPressed>(&event)) spaceKey(*key, spaceFrame(frame), context.editor);
  return cursor;
}

}  // namespace

std::unique_ptr<FlowPage> makeSpacePage(const FlowShared& shared) {
  return std::make_unique<SpacePage>(shared);
}

}  // namespace sepx::ui
