// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit. It owns what its pages share (the model and the initial points) and declares the shared properties
// and commands. It changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/flow/flow_exhibit.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/flow_pages.h"
#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_import.h"
#include "ui/exhibits/flow/shared/flow_layers.h"
#include "ui/exhibits/flow/shared/flow_panel.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/points_sampling.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/page_kit.h"
#include "ui/views/paged_exhibit.h"

namespace sepx::ui {

namespace {

std::string stepName(SampleShape shape, std::size_t count) {
  const std::string text = shape == SampleShape::Grid   ? tr("place a grid of {n} points")
                           : shape == SampleShape::Ring ? tr("place a ring of {n} points")
                                                        : tr("place a Gaussian cloud of {n} points");
  return filled(text, "{n}", std::to_string(count));
}

void sample(ExhibitContext& context, const FlowState& state, SampleShape shape, bool threeD) {
  const Document& now = context.editor.document();
  const PropertyRegistry& registry = context.editor.properties();
  const std::vector<FlowPoint> points = sampledPoints(readSampling(now, registry, state, shape, threeD, context.seed));
  const bool replace = registry.text(now, "flow.sampling.mode") == "replace";
  if (!replace && state.points.size() + points.size() > kMostPoints) {
    const std::string text =
        tr("With {n} more there would be more than {most} points; place fewer, or replace the existing points.");
    context.editor.say(
        filled(filled(text, "{n}", std::to_string(points.size())), "{most}", std::to_string(kMostPoints)));
    return;
  }
  commitStep(context, replace ? withOnlyPoints(now, points) : withNewPoints(now, points),
             stepName(shape, points.size()));
}

void duplicate(ExhibitContext& context, const FlowState& state) {
  if (state.selected < 0) return;
  if (state.points.size() >= kMostPoints) {
    context.editor.say(
        filled(tr("There are {most} points already; delete some first."), "{most}", std::to_string(kMostPoints)));
    return;
  }
  const Document& now = context.editor.document();
  const std::string name = nextPointName(now);
  // The copy goes to the lower right of the original, so that it is visible; at an edge of the window, the other way.
  constexpr double kTipOffset = 0.04;  // share of the window
  const auto index = static_cast<std::size_t>(state.selected);
  const FlowPoint& of = state.points[index];
  const render::Rect& view = state.view;
  const auto beside = [](double from, double away, double low, double high) {
    return from + away < low || from + away > high ? from - away : from + away;
  };
  commitStep(context,
             withPoint(withDuplicate(now, index), state.points.size(),
                       beside(of.e, kTipOffset * view.width(), view.min.x, view.max.x),
                       beside(of.w, -kTipOffset * view.height(), view.min.y, view.max.y)),
             tr("duplicate point") + (" " + name));
}

void deleteAll(ExhibitContext& context, const FlowState& state) {
  if (state.points.empty()) return;
  commitStep(context, withoutPoints(context.editor.document()), tr("delete all points"));
}

class FlowExhibit final : public PagedExhibit<FlowPage> {
 public:
  FlowExhibit() : PagedExhibit("flow"), fields_(planeFields(allFields())), own_(readTrajectories({})) {
    state_.field = fields_.front();
    state_.own = own_;
    shared_.traits = [this](const Document& document) { return pageIn(document).traits(); };
    setPages(makeFlowPages(shared_));
    play_.elsewhere = [this] { return facts().playing; };
  }

  std::string name() const override { return tr("Flow"); }
  std::string title() const override {
    if (!state_.canonical) return tr("Flow") + (" · " + tr(state_.field->info().name));
    const char* const side = state_.degenerate() ? "= 1" : state_.chain.switching() > 0 ? "> 1" : "< 1";
    return fmt::format("{} · p = {}, q = {} · p + q {}", tr("Flow"), shownProbability(state_.chain.p, 3),
                       shownProbability(state_.chain.q, 3), side);
  }
  std::string about() const override {
    return tr(
        "The plane of a transformer's two parameters: drag an initial point and see which minimum training reaches.");
  }
  /// Five initial points at p = 0.5, q = 0.8: some reach the global minimum, some do not.
  Document exampleState() const override {
    constexpr double kStarts[][2] = {{0.4, 0.25}, {0.9, -0.6}, {-1.2, 0.75}, {-0.5, -0.8}, {1.35, 0.9}};
    Document made = Document{}.with("flow.p", 0.5).with("flow.q", 0.8);
    for (const auto& start : kStarts)
      made = withNewPoint(made, start[0], start[1]);
    return withSelected(made, 0);
  }
  Document contrastState(const Document& mine) const override {
    if (chosenField(mine) != kCanonicalField) return mine;
    // Rounded to 12 decimals, so that 1 − 0.8 becomes the double that prints as 0.2.
    const auto across = [](double value) {
      return std::clamp(std::round((1 - value) * 1e12) / 1e12, 1e-12, 1 - 1e-12);
    };
    const markov::Chain chain = chainOf(mine);
    return mine.with("flow.p", across(chain.q)).with("flow.q", across(chain.p));
  }
  Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta) override {
    const bool usable = (theta.size() == 2 || theta.size() == 3) &&
                        std::all_of(theta.begin(), theta.end(),
                                    [](double value) { return std::isfinite(value) && std::abs(value) <= kFarthest; });
    if (!usable)
      return fail(
          ErrorKind::Usage,
          tr("A point must have two or three finite coordinates between -1e9 and 1e9, such as 0.3,0.2 or 0.3,0.2,-1."));
    auto added = addAt(context, {theta[0], theta[1], "", theta.size() == 3 ? theta[2] : 0.0});
    if (!context.scripted) refresh(context);  // a script may add thousands before its next frame, which refreshes
    return added;
  }
  Result<void> importTable(ExhibitContext& context, const Table& table, const std::string& name) override {
    refresh(context);
    const Result<ImportedTable> taken = readImported(table, name, state_);
    if (!taken) return tl::unexpected(taken.error());
    const bool points = taken->trajectories.empty();
    const std::size_t count = points ? taken->points.size() : taken->trajectories.size();
    const std::string label = points ? (count == 1 ? tr("add a point from {file}") : tr("add {n} points from {file}"))
                              : count == 1 ? tr("add an imported trajectory: {file}")
                                           : tr("add {n} imported trajectories: {file}");
    const Document& now = context.editor.document();
    commitStep(context, points ? withNewPoints(now, taken->points) : withTrajectories(now, taken->trajectories),
               filled(filled(label, "{n}", std::to_string(count)), "{file}", name.substr(name.find_last_of('/') + 1)));
    refresh(context);
    return {};
  }
  std::optional<PlacedList> placed() const override {
    const auto mark = [](std::string_view word, const Theme& theme) -> std::optional<Mark> {
      for (const markov::LimitKind kind : kLimitKinds)
        if (word == declaring::labelOf(kind)) return Mark{kindShape(kind), kindColor(theme, kind)};
      return std::nullopt;
    };
    return PlacedList{
        "flow.points",
        "flow.selected",
        "e",
        "w",
        "color",
        "limit.kind",
        {"basin", "space.kind", "limit.e", "limit.w", "limit.loss", "time99", "drift", "rate", "rate.theory"},
        {"basin", "space.kind"},
        mark};
  }
  /// The coordinates under the pointer, else those of the selected point.
  std::vector<std::vector<std::string>> numbersToCopy(const Document& document) const override {
    std::vector<std::vector<std::string>> all{{"flow.hover.e", "flow.hover.w"}};
    const PlacedList points = *placed();
    if (const std::optional<std::size_t> at = points.chosen(document))
      all.push_back({points.key(*at, points.x), points.key(*at, points.y)});
    return all;
  }
  std::vector<std::string> pictureCommands() const override {
    return {"flow.add-point", "flow.delete-point", "flow.select-next"};
  }
  std::string viewSection() const override { return "flow.view"; }
  std::optional<bool> playing() const override { return play_.anywhere(); }
  void releaseGpu() override {
    results_.releaseGpu();
    for (const auto& page : pages())
      page->releaseGpu();
  }

 private:
  const FlowShared& shared() const override { return shared_; }
  void declareShared(PropertyRegistry& registry, Property page) override {
    page.help =
        N_("Which view of the model is shown: the plane, three dimensions, a free bias, optimisers, all chains.");
    registry.declare(page);
    declareFlow(registry, shared_);
  }
  void readShared(const Document& document, const PropertyRegistry& registry) override {
    // An unchanged section is still the same object, which `read_` keeps alive.
    if (&document.at(kOverlaySection) != &read_.at(kOverlaySection)) {
      own_ = readTrajectories(document);
      ++ownRevision_;
    }
    read_ = document;
    state_ = readFlowState(document, registry, fields_, own_, ownRevision_);
  }
  void updateShared(ExhibitContext& context) override {
    if (page().traits().paths) results_.updatePoints(state_, context);
  }
  bool sharedComplete() const override { return !page().traits().paths || results_.pointsComplete(); }
  std::vector<PropertyGroup> sharedGroups() const override {
    return {
        {"", N_("Parameters")},
        {"entropy", N_("Entropies")},
        {"points", N_("Points"), {}, true},
        {"points[]", N_("Selected point")},
        {"show", N_("What is shown")},
        {"legend", N_("Legend")},
        {"basin", N_("Basins")},
        {"gauss", N_("Gaussian initialisation")},
        {"play", N_("Playback")},
        {"limits", N_("Colour scale")},
        {"scale", "", "limits"},  // the ends in effect, beside the requested ones
        {"sampling",
         N_("Placing points"),
         {},
         false,
         {{"flow.sample-grid", N_("Grid")}, {"flow.sample-ring", N_("Ring")}, {"flow.sample-gauss", N_("Gaussian")}}},
        {"view", "", {}, true},
        {"hover", "", {}, true}};
  }
  void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) override {
    const auto runCommand = [this, &context](std::string_view command) {
      const Result<void> done = run(context, command);
      if (!done) context.editor.say(done.error().message);
    };
    const FlowMoves moves = page().moves(context.editor.document());
    pointMenu_.draw(moves.takeMenu ? moves.takeMenu() : std::nullopt, state_, context, runCommand);
    drawFlowPanel({shared_, page(), moves, frame, runCommand}, context, inspectorShown);
  }
  std::vector<Command> sharedCommands(const Document& document) override {
    constexpr double kZoomStep = 1.25;
    FlowPage& shown = pageIn(document);
    const FlowMoves moves = shown.moves(document);
    const auto zoom = [this, &moves](double factor) -> std::function<void(ExhibitContext&)> {
      if (!moves.zoom) return {};
      return [this, act = moves.zoom, factor](ExhibitContext& context) { act(frame(context), context, factor); };
    };
    const auto placing = [this](SampleShape shape) {
      return [this, shape](ExhibitContext& context) { sample(context, state_, shape, page().traits().third); };
    };
    const bool here = shown.traits().points;
    const bool some = !document.list("flow.points").empty(), one = some && hasSelected(document);
    const std::string menu = tr("Exhibit") + std::string("/") + tr("Points"), view = tr("View");
    return {
        {"flow.add-point", tr("Add point"), "A", menu, here, [this](ExhibitContext& context) { addOne(context); }},
        {"flow.delete-point", tr("Delete point"), "Delete", menu, here && one,
         [this](ExhibitContext& context) { deleteSelected(context); }},
        {"flow.examples", tr("Add three example points"), "", menu, here && !some, addExamples},
        {"flow.clear-overlays", tr("Remove imported trajectories"), "", menu, document.has(kOverlaySection),
         [](ExhibitContext& context) {
           commitStep(context, withoutTrajectories(context.editor.document()), tr("remove imported trajectories"));
         }},
        {"flow.select-next", tr("Select next point"), "Tab", menu, here && some,
         [this](ExhibitContext& context) { selectNext(context); }},
        {"play.toggle", tr("Play or pause"), "Space", tr("Run"), static_cast<bool>(moves.play), withFrame(moves.play)},
        {"view.reset", tr("Reset view"), "R", view, static_cast<bool>(moves.reset), withFrame(moves.reset)},
        {"view.zoom-in", tr("Zoom in"), "+", view, static_cast<bool>(moves.zoom), zoom(kZoomStep)},
        {"view.zoom-out", tr("Zoom out"), "-", view, static_cast<bool>(moves.zoom), zoom(1 / kZoomStep)},
        {"flow.duplicate-point", tr("Duplicate point"), "Ctrl+D", menu, here && one,
         [this](ExhibitContext& context) { duplicate(context, state_); }},
        {"flow.delete-points", tr("Delete all points"), "", menu, here && some,
         [this](ExhibitContext& context) { deleteAll(context, state_); }},
        {"flow.sample-grid", tr("Place a grid of points"), "", menu, here, placing(SampleShape::Grid)},
        {"flow.sample-ring", tr("Place a ring of points"), "", menu, here, placing(SampleShape::Ring)},
        {"flow.sample-gauss", tr("Place a Gaussian cloud of points"), "", menu, here, placing(SampleShape::Gauss)},
    };
  }
  bool offers(const FlowPage& page) const override { return state_.canonical || page.traits().anyField; }
  std::string pagesMenu() const override { return tr("Exhibit") + std::string("/") + tr("Pages"); }

  Result<void> addAt(ExhibitContext& context, const FlowPoint& point) {
    const Document& now = context.editor.document();
    if (now.list("flow.points").size() >= kMostPoints) {
      return fail(ErrorKind::Usage, filled(tr("There are {most} points already; delete some first."), "{most}",
                                           std::to_string(kMostPoints)));
    }
    // If the list of points has not changed since the last call, its names need not be collected again.
    if (!namesOf_.shares(now, "flow.points")) names_ = FreeNames(now.list("flow.points"));
    const FlowPoint named{bounded(point.e), bounded(point.w), names_.next(), bounded(point.a), {}};
    namesOf_ = withPointAppended(now, named);
    commitStep(context, namesOf_, tr("add point") + (" " + named.name));
    return {};
  }
  void addOne(ExhibitContext& context) {
    const FlowMoves moves = page().moves(context.editor.document());
    if (const auto added = addAt(context, moves.placeForPoint ? moves.placeForPoint(frame(context)) : FlowPoint{});
        !added)
      context.editor.say(added.error().message);
  }
  /// In the canonical plane at p + q > 1: a point in each basin, and one that a short drag moves to the other basin.
  static void addExamples(ExhibitContext& context) {
    const std::vector<FlowPoint> examples{{0.5, 0.6, ""}, {1.4, -1.3, ""}, {-0.9, -0.35, ""}};
    commitStep(context, withNewPoints(context.editor.document(), examples), tr("add example points"));
  }
  void deleteSelected(ExhibitContext& context) {
    if (state_.selected < 0) return;
    const auto index = static_cast<std::size_t>(state_.selected);
    const std::string& name = state_.points[index].name;
    commitStep(context, withoutPoint(context.editor.document(), index),
               tr("delete point") + (name.empty() ? name : " " + name));
  }
  void selectNext(ExhibitContext& context) {
    if (state_.points.empty()) return;
    const int next = (state_.selected + 1) % static_cast<int>(state_.points.size());
    context.editor.replace(withSelected(context.editor.document(), next));
  }

  std::vector<FieldPointer> fields_;
  Trajectories own_;  ///< imported trajectories of `read_`, over any field
  std::uint64_t ownRevision_ = 0;
  Document read_;  ///< the document that state_ was read from
  FlowState state_;
  FlowResults results_;
  FlowPlay play_;
  std::optional<render::Point> hover_;
  FlowShared shared_{state_, results_, play_, hover_, fields_};
  PointMenu pointMenu_;
  Document namesOf_;  ///< the document whose names names_ holds
  FreeNames names_{ListView(nullptr)};
};

}  // namespace

std::unique_ptr<Exhibit> makeFlowExhibit() {
  return std::make_unique<FlowExhibit>();
}

}  // namespace sepx::ui
