// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit put together: reads the document once a revision, shows the page that `flow.page` names below a
// strip with tabs, and keeps the initial points, which all pages share. It changes the document only through the
// Editor. Frame thread only.
#include "ui/exhibits/flow/flow_exhibit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibit/strip.h"
#include "ui/exhibits/flow/plane/plane_page.h"
#include "ui/exhibits/flow/shared/flow_page.h"
#include "ui/exhibits/flow/shared/flow_panel.h"
#include "ui/exhibits/flow/shared/flow_play.h"
#include "ui/exhibits/flow/shared/flow_results.h"
#include "ui/exhibits/flow/shared/flow_state.h"
#include "ui/exhibits/flow/shared/flow_take.h"
#include "ui/exhibits/flow/shared/points_commands.h"
#include "ui/exhibits/flow/shared/points_panel.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kCompactWidth = 44, kCompactHeight = 26;  // of the page, in sizes of the text

class FlowExhibit final : public Exhibit {
 public:
  FlowExhibit() : fields_(planeFields(allFields())), own_(readTrajectories({})) {
    state_.field = fields_.front();
    state_.own = own_;
    makePages();
  }

  std::string key() const override { return "flow"; }
  std::string name() const override { return tr("Flow"); }
  std::string title() const override;
  std::string about() const override {
    return tr("The plane of a transformer's two numbers: drag where training starts, see which minimum it reaches.");
  }
  Document specimen() const override;
  void declare(PropertyRegistry& registry) override;

  Cursor input(ExhibitContext& context, const CanvasInput& input) override;
  void update(ExhibitContext& context) override;
  const render::Scene& scene(const ExhibitContext& context) override;
  void panel(ExhibitContext& context, bool inspectorShown) override;

  bool animating() const override { return page().animating(); }
  bool complete() const override { return page().complete() && (!showsPlaneEnds() || results_.pointsComplete()); }
  std::string status() const override { return page().status(shared_); }
  void releaseGpu() override;

  std::vector<Command> commands(const Document& document) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override { return page().gestures(); }
  Result<void> run(ExhibitContext& context, std::string_view command) override;
  Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta) override;

  std::optional<ColorLimits> ownLimits() const override { return page().ownLimits(); }
  Numbers numbers() const override { return page().numbers(shared_); }
  std::string caption() const override { return page().caption(shared_); }
  Result<void> take(ExhibitContext& context, const Table& table, const std::string& name) override;
  Document counterpart(const Document& mine) const override;
  double playSeconds() const override;

 private:
  void makePages();
  FlowPage& page() const;
  bool onPlane() const { return page().kind() == FlowPageKind::Plane; }
  bool showsPlaneEnds() const { return !onPlane() && page().kind() != FlowPageKind::Space && page().hasPoints(); }
  /// Reads the document when it has changed, lays the strip out.
  void refresh(const ExhibitContext& context);
  void readDocument(const Editor& editor);
  FlowPageFrame frame(const ExhibitContext& context) const;
  void layStrip(const ExhibitContext& context);
  render::Layer stripLayer(const Theme& theme);
  Cursor pressed(ExhibitContext& context, const StripButton& button);
  bool choosePage(ExhibitContext& context, std::string_view word);
  bool runOnPoints(ExhibitContext& context, std::string_view command);
  void addAt(ExhibitContext& context, const FlowPoint& point);
  void addExamples(ExhibitContext& context);
  void deleteSelected(ExhibitContext& context);
  void selectNext(ExhibitContext& context);

  std::vector<FieldPointer> fields_;
  Trajectories own_;  ///< of `read_`, over whatever field
  std::uint64_t ownRevision_ = 0;
  Document read_;  ///< the document that state_ was read from
  FlowState state_;
  std::optional<std::uint64_t> revision_;
  FlowResults results_;
  FlowPlay play_;
  std::optional<render::Point> hover_;  ///< data of the plane
  FlowShared shared_{state_, results_, play_, fields_};
  std::unique_ptr<PlanePage> plane_;
  std::vector<std::unique_ptr<FlowPage>> pages_;  ///< beside the plane
  FlowPageKind page_ = FlowPageKind::Plane;
  PointMenu pointMenu_;
  Strip strip_;
  PageLayers stripLayers_;
  render::Scene scene_;                   ///< of the pages beside the plane
  std::optional<render::Point> pointer_;  ///< page
  bool gesture_ = false;                  ///< a button that went down over the page is still down
  Cursor cursor_ = Cursor::Arrow;
  double width_ = 1, height_ = 1;
};

void FlowExhibit::makePages() {
  plane_ = makePlanePage({shared_, results_, play_, hover_});
  play_.elsewhere = [this] { return !onPlane() && page().animating(); };
  pages_.push_back(makeSpacePage());
  pages_.push_back(makeBiasPage());
  pages_.push_back(makeOptimiserPage());
  pages_.push_back(makeChainPage());
}

FlowPage& FlowExhibit::page() const {
  for (const auto& page : pages_)
    if (page->kind() == page_) return *page;
  return *plane_;
}

void FlowExhibit::declare(PropertyRegistry& registry) {
  Property page;
  page.key = "flow.page";
  page.label = N_("Page");
  page.kind = Kind::Choice;
  page.fallback = std::string(pageWord(FlowPageKind::Plane));
  page.choices = {pageWord(FlowPageKind::Plane)};
  for (const auto& other : pages_)
    page.choices.emplace_back(pageWord(other->kind()));
  page.choiceLabel = [](const std::string& word) { return pageName(chosenPage(Document{}.with("flow.page", word))); };
  page.help = N_("Which view of the model is shown: the plane, three dimensions, a free bias, optimisers, all chains.");
  registry.declare(page);
  plane_->declare(registry, shared_);
  for (const auto& other : pages_)
    other->declare(registry, shared_);
}

void FlowExhibit::refresh(const ExhibitContext& context) {
  if (revision_ != context.editor.revision()) {
    revision_ = context.editor.revision();
    readDocument(context.editor);
  }
  width_ = std::max(1.0, context.area.width());
  height_ = std::max(1.0, context.area.height());
  layStrip(context);
}

void FlowExhibit::readDocument(const Editor& editor) {
  const Document& document = editor.document();
  // A section that did not change is the same object: `read_` keeps it alive.
  if (&document.at(kOverlaySection) != &read_.at(kOverlaySection)) {
    own_ = readTrajectories(document);
    ++ownRevision_;
  }
  read_ = document;
  state_ = readFlowState(document, editor.properties(), fields_, own_, ownRevision_);
  // The other pages are about the canonical model.
  page_ = state_.canonical ? chosenPage(document) : FlowPageKind::Plane;
  plane_->read(document, editor.properties(), shared_);
  for (const auto& page : pages_)
    page->read(document, editor.properties(), shared_);
}

/// A small pane has none, and neither has a figure.
void FlowExhibit::layStrip(const ExhibitContext& context) {
  strip_ = {};
  const Theme& theme = context.theme;
  if (context.figure || pages_.empty() || height_ < 16 * theme.textSize || width_ < 20 * theme.textSize) return;
  strip_.height = stripRow(theme) + 2;
  std::vector<StripButton> tabs;
  const auto add = [&](FlowPageKind kind) {
    StripButton& tab = tabs.emplace_back();
    tab.key = std::string("flow.page-") + pageWord(kind);
    tab.label = pageName(kind);
    tab.on = page().kind() == kind;
    tab.enabled = state_.canonical || kind == FlowPageKind::Plane;
  };
  add(FlowPageKind::Plane);
  for (const auto& other : pages_)
    add(other->kind());
  StripLine line(strip_, 0, stripRow(theme), theme.space, width_ - theme.space);
  line.tabs(tabs, theme);
  if (const std::string words = title(); line.room() > textWidth(words, theme.smallSize) + 2 * theme.space)
    line.text(words, theme.smallSize, theme.textMuted);
}

FlowPageFrame FlowExhibit::frame(const ExhibitContext& context) const {
  const render::Rect area{{0, strip_.height}, {width_, std::max(height_, strip_.height + 1)}};
  const double unit = context.theme.textSize;
  FlowPageFrame frame(shared_, context.theme, area);
  if (pointer_ && !context.figure && (area.contains(*pointer_) || gesture_)) frame.pointer = pointer_;
  frame.figure = context.figure;
  frame.compact = area.width() < kCompactWidth * unit || area.height() < kCompactHeight * unit;
  return frame;
}

/// Five starts at p = 0.5, q = 0.8: some reach the global minimum, some do not.
Document FlowExhibit::specimen() const {
  constexpr double kStarts[][2] = {{0.4, 0.25}, {0.9, -0.6}, {-1.2, 0.75}, {-0.5, -0.8}, {1.35, 0.9}};
  Document made = Document{}.with("flow.p", 0.5).with("flow.q", 0.8);
  for (const auto& start : kStarts)
    made = withNewPoint(made, start[0], start[1]);
  return withSelected(made, 0);
}

Cursor FlowExhibit::pressed(ExhibitContext& context, const StripButton& button) {
  if (const Result<void> done = run(context, button.key); !done) context.editor.say(done.error().sentence);
  return Cursor::Hand;
}

Cursor FlowExhibit::input(ExhibitContext& context, const CanvasInput& input) {
  refresh(context);
  const auto local = [this, &context](double& x, double& y) {
    x -= context.area.min.x;
    y -= context.area.min.y;
    pointer_ = render::Point{x, y};
  };
  const auto overStrip = [this] { return pointer_ && pointer_->y < strip_.height && !gesture_; };
  for (InputEvent event : input.events) {
    bool toPage = true;
    if (auto* move = std::get_if<PointerMoved>(&event)) {
      local(move->x, move->y);
    } else if (auto* press = std::get_if<PointerPressed>(&event)) {
      local(press->x, press->y);
      toPage = !overStrip();
      const StripButton* const button = toPage || !press->down ? nullptr : strip_.at(*pointer_);
      if (button && press->button == Button::Left) cursor_ = pressed(context, StripButton(*button));
      if (toPage) gesture_ = press->down;
    } else if (std::holds_alternative<PointerLeft>(event)) {
      if (!gesture_) pointer_.reset();
    } else if (std::holds_alternative<Scrolled>(event)) {
      toPage = !overStrip();
    } else if (const auto* focus = std::get_if<FocusChanged>(&event)) {
      if (!focus->focused) gesture_ = false;
    }
    if (toPage) cursor_ = page().input(frame(context), context, event);
    refresh(context);
  }
  if (overStrip()) return strip_.at(*pointer_) ? Cursor::Hand : Cursor::Arrow;
  return onPlane() ? plane_->cursor(state_) : cursor_;
}

void FlowExhibit::update(ExhibitContext& context) {
  refresh(context);
  // Where the list of points says where they end; the space follows them in three dimensions itself.
  if (showsPlaneEnds()) results_.updatePoints(state_, context);
  page().update(frame(context), context);
}

render::Layer FlowExhibit::stripLayer(const Theme& theme) {
  std::vector<render::Layer> made;
  if (strip_.height <= 0) return {};
  const std::optional<render::Point> over =
      pointer_ && pointer_->y < strip_.height ? pointer_ : std::optional<render::Point>();
  const StripButton* const under = over ? strip_.at(*over) : nullptr;
  LayerKey key{bits(width_),
               bits(std::string_view(theme.key)),
               bits(static_cast<double>(theme.textSize)),
               static_cast<std::uint64_t>(page().kind()),
               bits(std::string_view(title())),
               static_cast<std::uint64_t>(under ? under - strip_.buttons.data() + 1 : 0)};
  stripLayers_.add(
      made, "strip", std::move(key),
      [&] {
        std::vector<render::Item> items;
        addStrip(items, strip_, width_, theme, over);
        return items;
      },
      false, false);
  return made.empty() ? render::Layer{} : std::move(made.front());
}

const render::Scene& FlowExhibit::scene(const ExhibitContext& context) {
  const FlowPageFrame now = frame(context);
  if (onPlane()) return plane_->whole(now, width_, height_, stripLayer(context.theme));
  const Camera camera = page().camera(now);
  scene_.width = width_;
  scene_.height = height_;
  scene_.plot = camera.plot;
  scene_.window = camera.window;
  scene_.background = context.theme.plotBackground;
  scene_.layers.clear();
  page().scene(now, scene_.layers);
  if (render::Layer strip = stripLayer(context.theme); !strip.items.empty()) scene_.layers.push_back(std::move(strip));
  return scene_;
}

void FlowExhibit::panel(ExhibitContext& context, bool inspectorShown) {
  reportStrip(strip_, context);
  const auto runCommand = [this, &context](std::string_view command) {
    const Result<void> done = run(context, command);
    if (!done) context.editor.say(done.error().sentence);
  };
  pointMenu_.draw(plane_->takeMenu(), state_, context, runCommand);
  drawFlowPanel({shared_, page(), frame(context), plane_->toggles(), plane_->layout().plot, runCommand}, context,
                inspectorShown);
}

void FlowExhibit::releaseGpu() {
  plane_->releaseGpu();
  for (const auto& page : pages_)
    page->releaseGpu();
}

std::string FlowExhibit::title() const {
  if (!state_.canonical) return tr("Flow") + (" · " + tr(state_.field->info().name));
  const char* const side = state_.degenerate() ? "= 1" : state_.chain.switching() > 0 ? "> 1" : "< 1";
  return fmt::format("{} · p = {}, q = {} · p + q {}", tr("Flow"), shownProbability(state_.chain.p, 3),
                     shownProbability(state_.chain.q, 3), side);
}

double FlowExhibit::playSeconds() const {
  if (!onPlane()) return page().playSeconds();
  return state_.points.empty() ? 0 : FlowPlay::kSeconds / state_.speed;
}

std::vector<Exhibit::Command> FlowExhibit::commands(const Document& document) const {
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
      {"play.toggle", tr("Play or pause"), "Space", tr("Run"), !onPlane() || some},
      {"view.reset", tr("Reset view"), "R", tr("View"), true},
      {"view.zoom-in", tr("Zoom in"), "+", tr("View"), page().zooms()},
      {"view.zoom-out", tr("Zoom out"), "-", tr("View"), page().zooms()},
  };
  if (!pages_.empty()) {
    const auto tab = [&all, &inside, this](FlowPageKind kind) {
      all.push_back({std::string("flow.page-") + pageWord(kind), std::string(tr("Page:")) + " " + pageName(kind),
                     std::to_string(static_cast<int>(kind) + 1), inside(N_("Pages")),
                     state_.canonical || kind == FlowPageKind::Plane});
    };
    tab(FlowPageKind::Plane);
    for (const auto& other : pages_)
      tab(other->kind());
  }
  for (Command& command : pointCommands(document, here))
    all.push_back(std::move(command));
  for (Command& command : page().commands(shared_, document))
    all.push_back(std::move(command));
  return all;
}

void FlowExhibit::addAt(ExhibitContext& context, const FlowPoint& point) {
  context.editor.seal();
  const Document& now = context.editor.document();
  context.editor.commit(withNewPoint(now, bounded(point.e), bounded(point.w), bounded(point.a)),
                        tr("add point") + (" " + nextPointName(now)));
  context.editor.seal();
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

bool FlowExhibit::choosePage(ExhibitContext& context, std::string_view word) {
  const auto here = [word](FlowPageKind kind) { return word == pageWord(kind); };
  const bool known = here(FlowPageKind::Plane) ||
                     std::any_of(pages_.begin(), pages_.end(), [&](const auto& page) { return here(page->kind()); });
  if (!known) return false;
  context.editor.seal();
  if (const Result<void> done = context.editor.set("flow.page", std::string(word)); !done)
    context.editor.say(done.error().sentence);
  context.editor.seal();
  return true;
}

bool FlowExhibit::runOnPoints(ExhibitContext& context, std::string_view command) {
  if (command == "flow.add-point") {
    addAt(context, page().placeForPoint(frame(context)));
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
    return runPointCommand(context, state_, command, page().kind() == FlowPageKind::Space);
  }
  return true;
}

Result<void> FlowExhibit::run(ExhibitContext& context, std::string_view command) {
  refresh(context);
  constexpr std::string_view kPage = "flow.page-";
  const bool done = (command.starts_with(kPage) && choosePage(context, command.substr(kPage.size()))) ||
                    runOnPoints(context, command) || page().run(frame(context), context, command);
  if (!done)
    return fail(ErrorKind::Usage,
                std::string(tr("The Flow exhibit has no command")) + " \"" + std::string(command) + "\".");
  refresh(context);
  return {};
}

Result<void> FlowExhibit::addPoint(ExhibitContext& context, const std::vector<double>& theta) {
  const bool usable = (theta.size() == 2 || theta.size() == 3) &&
                      std::all_of(theta.begin(), theta.end(),
                                  [](double value) { return std::isfinite(value) && std::abs(value) <= kFarthest; });
  if (!usable)
    return fail(ErrorKind::Usage,
                tr("A point has two or three finite coordinates between -1e9 and 1e9, such as 0.3,0.2 or 0.3,0.2,-1."));
  refresh(context);
  addAt(context, {theta[0], theta[1], "", theta.size() == 3 ? theta[2] : 0.0});
  refresh(context);
  return {};
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

Document FlowExhibit::counterpart(const Document& mine) const {
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
