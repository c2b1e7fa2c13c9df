// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit put together: what its pages share, which is the model and the initial points. It changes the
// document only through the Editor. Frame thread only.
#include "ui/exhibits/flow/flow_exhibit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibit/paged_exhibit.h"
#include "ui/exhibits/flow/flow_pages.h"
#include "ui/exhibits/flow/shared/flow_declare.h"
#include "ui/exhibits/flow/shared/flow_declare_kit.h"
#include "ui/exhibits/flow/shared/flow_panel.h"
#include "ui/exhibits/flow/shared/flow_scene.h"
#include "ui/exhibits/flow/shared/flow_take.h"
#include "ui/exhibits/flow/shared/points_commands.h"
#include "ui/exhibits/flow/shared/points_panel.h"
#include "ui/properties/number_words.h"

namespace sepx::ui {

namespace {

class FlowExhibit final : public PagedExhibit<FlowPage> {
 public:
  FlowExhibit() : PagedExhibit("flow"), fields_(planeFields(allFields())), own_(readTrajectories({})) {
    state_.field = fields_.front();
    state_.own = own_;
    setPages(makeFlowPages(shared_));
    play_.elsewhere = [this] { return page().playing(); };
  }

  std::string name() const override { return tr("Flow"); }
  std::string title() const override;
  std::string about() const override {
    return tr("The plane of a transformer's two numbers: drag where training starts, see which minimum it reaches.");
  }
  Document exampleState() const override;
  Document contrastState(const Document& mine) const override;
  Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta) override;
  Result<void> take(ExhibitContext& context, const Table& table, const std::string& name) override;
  std::optional<PlacedList> placed() const override;
  std::vector<std::vector<std::string>> numbersToCopy(const Document& document) const override;
  std::vector<std::string> pictureCommands() const override {
    return {"flow.add-point", "flow.delete-point", "flow.select-next"};
  }
  std::string viewSection() const override { return "flow.view"; }
  std::optional<bool> playing() const override { return play_.anywhere(); }

 private:
  const FlowShared& shared() const override { return shared_; }
  void declareShared(PropertyRegistry& registry, Property page) override;
  void readShared(const Document& document, const PropertyRegistry& registry) override;
  void updateShared(ExhibitContext& context) override {
    if (page().wantsPaths()) results_.updatePoints(state_, context);
  }
  bool sharedComplete() const override { return !page().wantsPaths() || results_.pointsComplete(); }
  std::vector<PropertyGroup> sharedGroups() const override;
  void drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) override;
  std::vector<Command> sharedCommands(const Document& document) const override;
  bool runShared(ExhibitContext& context, std::string_view command) override;
  bool offers(const FlowPage& page) const override { return state_.canonical || page.anyField(); }
  Strip layStrip(const std::vector<StripButton>& tabs, double width, double height, const Theme& theme) const override;
  std::string pagesMenu() const override { return tr("Exhibit") + std::string("/") + tr("Pages"); }

  Result<void> addAt(ExhibitContext& context, const FlowPoint& point);
  void addExamples(ExhibitContext& context);
  void deleteSelected(ExhibitContext& context);
  void selectNext(ExhibitContext& context);

  std::vector<FieldPointer> fields_;
  Trajectories own_;  ///< of `read_`, over whatever field
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

void FlowExhibit::declareShared(PropertyRegistry& registry, Property page) {
  page.help = N_("Which view of the model is shown: the plane, three dimensions, a free bias, optimisers, all chains.");
  registry.declare(page);
  declareFlow(registry, shared_);
}

void FlowExhibit::readShared(const Document& document, const PropertyRegistry& registry) {
  // A section that did not change is the same object: `read_` keeps it alive.
  if (&document.at(kOverlaySection) != &read_.at(kOverlaySection)) {
    own_ = readTrajectories(document);
    ++ownRevision_;
  }
  read_ = document;
  state_ = readFlowState(document, registry, fields_, own_, ownRevision_);
}

/// A small pane has none.
Strip FlowExhibit::layStrip(const std::vector<StripButton>& tabs, double width, double height,
                            const Theme& theme) const {
  Strip strip;
  if (height < 16 * theme.textSize || width < 20 * theme.textSize) return strip;
  strip.height = stripRow(theme) + 2;
  StripLine line(strip, 0, stripRow(theme), theme.space, width - theme.space);
  line.tabs(tabs, theme);
  if (const std::string words = title(); line.room() > textWidth(words, theme.smallSize) + 2 * theme.space)
    line.text(words, theme.smallSize, theme.textMuted);
  return strip;
}

/// Five starts at p = 0.5, q = 0.8: some reach the global minimum, some do not.
Document FlowExhibit::exampleState() const {
  constexpr double kStarts[][2] = {{0.4, 0.25}, {0.9, -0.6}, {-1.2, 0.75}, {-0.5, -0.8}, {1.35, 0.9}};
  Document made = Document{}.with("flow.p", 0.5).with("flow.q", 0.8);
  for (const auto& start : kStarts)
    made = withNewPoint(made, start[0], start[1]);
  return withSelected(made, 0);
}

void FlowExhibit::drawPanel(const Frame& frame, ExhibitContext& context, bool inspectorShown) {
  const auto runCommand = [this, &context](std::string_view command) {
    const Result<void> done = run(context, command);
    if (!done) context.editor.say(done.error().sentence);
  };
  pointMenu_.draw(page().takeMenu(), state_, context, runCommand);
  drawFlowPanel({shared_, page(), frame, runCommand}, context, inspectorShown);
}

std::string FlowExhibit::title() const {
  if (!state_.canonical) return tr("Flow") + (" · " + tr(state_.field->info().name));
  const char* const side = state_.degenerate() ? "= 1" : state_.chain.switching() > 0 ? "> 1" : "< 1";
  return fmt::format("{} · p = {}, q = {} · p + q {}", tr("Flow"), shownProbability(state_.chain.p, 3),
                     shownProbability(state_.chain.q, 3), side);
}

std::vector<Exhibit::Command> FlowExhibit::sharedCommands(const Document& document) const {
  const bool here = page().hasPoints();
  const bool some = !document.list("flow.points").empty();
  const Json& selected = document.at("flow.selected");
  const bool one = some && selected.is_number() && selected.get<double>() >= 0;
  const auto inside = [](const char* menu) { return tr("Exhibit") + std::string("/") + tr(menu); };
  const std::string menu = inside(N_("Points"));
  std::vector<Command> all{
      {"flow.add-point", tr("Add point"), "A", menu, here},
      {"flow.delete-point", tr("Delete point"), "Delete", menu, here && one},
      {"flow.examples", tr("Add three example points"), "", menu, here && !some},
      {"flow.clear-overlays", tr("Remove own trajectories"), "", menu, document.has(kOverlaySection)},
      {"flow.select-next", tr("Select next point"), "Tab", menu, here && some},
      {"play.toggle", tr("Play or pause"), "Space", tr("Run"), page().canPlay(document)},
      {"view.reset", tr("Reset view"), "R", tr("View"), true},
      {"view.zoom-in", tr("Zoom in"), "+", tr("View"), page().zooms()},
      {"view.zoom-out", tr("Zoom out"), "-", tr("View"), page().zooms()},
  };
  for (Command& command : pointCommands(document, here))
    all.push_back(std::move(command));
  return all;
}

Result<void> FlowExhibit::addAt(ExhibitContext& context, const FlowPoint& point) {
  const Document& now = context.editor.document();
  if (now.list("flow.points").size() >= kMostPoints) {
    return fail(ErrorKind::Usage, filled(tr("There are {most} points already; delete some first."), "{most}",
                                         std::to_string(kMostPoints)));
  }
  // The names of a list that is the one of before need not be collected again.
  if (!namesOf_.shares(now, "flow.points")) names_ = FreeNames(now.list("flow.points"));
  const FlowPoint named{bounded(point.e), bounded(point.w), names_.next(), bounded(point.a), {}};
  namesOf_ = withPointAppended(now, named);
  context.editor.seal();
  context.editor.commit(namesOf_, tr("add point") + (" " + named.name));
  context.editor.seal();
  return {};
}

/// Of the canonical plane at p + q > 1 one of each kind, and one that a short drag takes to the other.
void FlowExhibit::addExamples(ExhibitContext& context) {
  const std::vector<FlowPoint> examples{{0.5, 0.6, ""}, {1.4, -1.3, ""}, {-0.9, -0.35, ""}};
  context.editor.seal();
  context.editor.commit(withNewPoints(context.editor.document(), examples), tr("add example points"));
  context.editor.seal();
}

void FlowExhibit::deleteSelected(ExhibitContext& context) {
  if (state_.selected < 0) return;
  context.editor.seal();
  const auto index = static_cast<std::size_t>(state_.selected);
  const std::string& name = state_.points[index].name;
  context.editor.commit(withoutPoint(context.editor.document(), index),
                        tr("delete point") + (name.empty() ? name : " " + name));
  context.editor.seal();
}

void FlowExhibit::selectNext(ExhibitContext& context) {
  if (state_.points.empty()) return;
  const int next = (state_.selected + 1) % static_cast<int>(state_.points.size());
  context.editor.replace(withSelected(context.editor.document(), next));
}

bool FlowExhibit::runShared(ExhibitContext& context, std::string_view command) {
  if (command == "flow.add-point") {
    if (const auto added = addAt(context, page().placeForPoint(frame(context))); !added)
      context.editor.say(added.error().sentence);
  } else if (command == "flow.delete-point") {
    deleteSelected(context);
  } else if (command == "flow.examples") {
    addExamples(context);
  } else if (command == "flow.clear-overlays") {
    context.editor.seal();
    context.editor.commit(withoutTrajectories(context.editor.document()), tr("remove own trajectories"));
    context.editor.seal();
  } else if (command == "flow.select-next") {
    selectNext(context);
  } else {
    return runPointCommand(context, state_, command, page().hasThird());
  }
  return true;
}

Result<void> FlowExhibit::addPoint(ExhibitContext& context, const std::vector<double>& theta) {
  const bool usable = (theta.size() == 2 || theta.size() == 3) &&
                      std::all_of(theta.begin(), theta.end(),
                                  [](double value) { return std::isfinite(value) && std::abs(value) <= kFarthest; });
  if (!usable)
    return fail(ErrorKind::Usage,
                tr("A point has two or three finite coordinates between -1e9 and 1e9, such as 0.3,0.2 or 0.3,0.2,-1."));
  auto added = addAt(context, {theta[0], theta[1], "", theta.size() == 3 ? theta[2] : 0.0});
  if (!context.scripted) refresh(context);  // a script sees what follows in its next frame: thousands come before it
  return added;
}

Result<void> FlowExhibit::take(ExhibitContext& context, const Table& table, const std::string& name) {
  refresh(context);
  const Result<TakenTable> taken = readTaken(table, name, state_);
  if (!taken) return tl::unexpected(taken.error());
  const bool points = taken->trajectories.empty();
  const std::size_t count = points ? taken->points.size() : taken->trajectories.size();
  std::string label = points       ? (count == 1 ? tr("add a point from {file}") : tr("add {n} points from {file}"))
                      : count == 1 ? tr("lay a trajectory over the theory: {file}")
                                   : tr("lay {n} trajectories over the theory: {file}");
  const auto fill = [&label](const std::string& mark, const std::string& value) {
    if (const std::size_t at = label.find(mark); at != std::string::npos) label.replace(at, mark.size(), value);
  };
  fill("{n}", std::to_string(count));
  fill("{file}", name.substr(name.find_last_of('/') + 1));
  const Document& now = context.editor.document();
  context.editor.seal();
  context.editor.commit(points ? withNewPoints(now, taken->points) : withTrajectories(now, taken->trajectories), label);
  context.editor.seal();
  refresh(context);
  return {};
}

std::optional<PlacedList> FlowExhibit::placed() const {
  const auto mark = [](std::string_view word, const Theme& theme) -> std::optional<Mark> {
    for (const markov::LimitKind kind :
         {markov::LimitKind::GlobalMin, markov::LimitKind::LocalMin, markov::LimitKind::Saddle,
          markov::LimitKind::LocalMax, markov::LimitKind::Attractor, markov::LimitKind::Undecided})
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

/// What is under the pointer, else the selected point.
std::vector<std::vector<std::string>> FlowExhibit::numbersToCopy(const Document& document) const {
  std::vector<std::vector<std::string>> all{{"flow.hover.e", "flow.hover.w"}};
  const PlacedList points = *placed();
  if (const std::optional<std::size_t> at = points.chosen(document))
    all.push_back({points.key(*at, points.x), points.key(*at, points.y)});
  return all;
}

std::vector<PropertyGroup> FlowExhibit::sharedGroups() const {
  return {{"", N_("Parameters")},
          {"points", N_("Points"), {}, true},
          {"points[]", N_("Selected point")},
          {"show", N_("What is shown")},
          {"basin", N_("Basins")},
          {"gauss", N_("Gaussian initialisation")},
          {"entropy", N_("Entropies")},
          {"play", N_("Playback")},
          {"limits", N_("Colour scale")},
          {"scale", "", "limits"},  // what is shown, beside what was asked for
          {"sampling",
           N_("Placing points"),
           {},
           false,
           {{"flow.sample-grid", N_("Grid")}, {"flow.sample-ring", N_("Ring")}, {"flow.sample-gauss", N_("Gaussian")}}},
          {"view", "", {}, true},
          {"hover", "", {}, true}};
}

Document FlowExhibit::contrastState(const Document& mine) const {
  if (chosenField(mine) != kCanonicalField) return mine;
  const auto probability = [&mine](const char* key, double fallback) {
    const Json& value = mine.at(key);
    return value.is_number() ? value.get<double>() : fallback;
  };
  // Rounded in decimals: 1 − 0.8 is the double that prints as 0.2.
  const auto across = [](double value) { return std::clamp(std::round((1 - value) * 1e12) / 1e12, 1e-12, 1 - 1e-12); };
  const double p = probability("flow.p", kDefaultP), q = probability("flow.q", kDefaultQ);
  return mine.with("flow.p", across(q)).with("flow.q", across(p));
}

}  // namespace

std::unique_ptr<Exhibit> makeFlowExhibit() {
  return std::make_unique<FlowExhibit>();
}

}  // namespace sepx::ui
