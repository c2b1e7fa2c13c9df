// SPDX-License-Identifier: Apache-2.0
// The Flow exhibit put together: reads the document once a revision, keeps results, scene, input and play in step. It
// changes the document only through the Editor. Frame thread only.
#include "ui/exhibits/flow/flow_exhibit.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/markov/basin.h"
#include "ui/exhibits/flow/flow_declare.h"
#include "ui/exhibits/flow/flow_input.h"
#include "ui/exhibits/flow/flow_numbers.h"
#include "ui/exhibits/flow/flow_panel.h"
#include "ui/exhibits/flow/flow_play.h"
#include "ui/exhibits/flow/flow_results.h"
#include "ui/exhibits/flow/flow_scene.h"
#include "ui/exhibits/flow/flow_state.h"
#include "ui/exhibits/flow/flow_take.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kFlashSeconds = 0.7;
constexpr double kFarthest = 1e9;
constexpr double kZoomStep = 1.25;

class FlowExhibit final : public Exhibit {
 public:
  FlowExhibit() : fields_(planeFields(allFields())), own_(readTrajectories({})) {
    state_.field = fields_.front();
    state_.own = own_;
  }

  std::string key() const override { return "flow"; }
  std::string name() const override { return tr("Flow"); }
  std::string title() const override;
  std::string about() const override {
    return tr("The plane of a transformer's two numbers: drag where training starts, see which minimum it reaches.");
  }
  Document specimen() const override;
  void declare(PropertyRegistry& registry) override {
    declareFlow(registry, {state_, results_, play_, hover_, fields_});
  }

  Cursor input(ExhibitContext& context, const CanvasInput& input) override;
  void update(ExhibitContext& context) override;
  const render::Scene& scene(const ExhibitContext& context) override;
  void panel(ExhibitContext& context, bool inspectorShown) override;

  bool animating() const override { return play_.active() || flash_ > 0 || results_.advancing(); }
  bool complete() const override { return results_.complete(); }
  std::string status() const override;
  void releaseGpu() override { results_.releaseGpu(); }

  std::vector<Command> commands(const Document& document) const override;
  std::vector<std::pair<std::string, std::string>> gestures() const override;
  Result<void> run(ExhibitContext& context, std::string_view command) override;
  Result<void> addPoint(ExhibitContext& context, const std::vector<double>& theta) override;

  std::optional<ColorLimits> ownLimits() const override;
  Numbers numbers() const override { return flowNumbers(state_, results_); }
  std::string caption() const override { return flowCaption(state_, results_); }
  Result<void> take(ExhibitContext& context, const Table& table, const std::string& name) override;
  Document counterpart(const Document& mine) const override;
  double playSeconds() const override { return state_.points.empty() ? 0 : FlowPlay::kSeconds / state_.speed; }

 private:
  /// Reads the document when it has changed, lays the page out.
  void refresh(const ExhibitContext& context);
  void readDocument(const Editor& editor);
  void noticeFlip(double seconds);
  void addAt(ExhibitContext& context, render::Point data);
  void addExamples(ExhibitContext& context);
  void deleteSelected(ExhibitContext& context);
  void selectNext(ExhibitContext& context);
  void zoom(ExhibitContext& context, double factor);

  std::vector<FieldPointer> fields_;
  Trajectories own_;  ///< of `read_`, over whatever field
  std::uint64_t ownRevision_ = 0;
  Document read_;  ///< the document that state_ was read from
  FlowState state_;
  std::optional<std::uint64_t> revision_;
  FlowLayout layout_;
  FlowResults results_;
  FlowInput input_;
  FlowPlay play_;
  FlowScene scene_;
  std::optional<render::Point> hover_;  ///< data
  std::optional<bool> legendOpen_;      ///< what the person chose
  std::optional<render::Rect> legendBox_;
  std::optional<bool> above_;      ///< p + q > 1 in the last frame
  std::optional<double> flipped_;  ///< host time of the last flip
  double flash_ = 0;
};

void FlowExhibit::refresh(const ExhibitContext& context) {
  if (revision_ != context.editor.revision()) {
    revision_ = context.editor.revision();
    readDocument(context.editor);
    input_.follow(state_);
  }
  layout_ = layoutFlow(state_, context.area.width(), context.area.height(), context.theme, legendOpen_);
  layout_.legend = layout_.legend && context.legend;
  layout_.legendBox = legendBox_;
  layout_.limits = results_.limits();
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
}

/// Five starts at p = 0.5, q = 0.8: some reach the global minimum, some do not.
Document FlowExhibit::specimen() const {
  constexpr double kStarts[][2] = {{0.4, 0.25}, {0.9, -0.6}, {-1.2, 0.75}, {-0.5, -0.8}, {1.35, 0.9}};
  Document made = Document{}.with("flow.p", 0.5).with("flow.q", 0.8);
  for (const auto& start : kStarts)
    made = withNewPoint(made, start[0], start[1]);
  return withSelected(made, 0);
}

Cursor FlowExhibit::input(ExhibitContext& context, const CanvasInput& input) {
  refresh(context);
  for (const InputEvent& event : input.events) {
    input_.handle(event, state_, layout_, context);
    if (input_.takeLegendClick()) legendOpen_ = !layout_.legendOpen;
    refresh(context);
  }
  return input_.cursor(state_, layout_);
}

void FlowExhibit::noticeFlip(double seconds) {
  const bool above = state_.chain.switching() > 0;
  if (above_ && *above_ != above && state_.canonical) flipped_ = seconds;
  above_ = above;
  flash_ = flipped_ ? std::max(0.0, 1 - (seconds - *flipped_) / kFlashSeconds) : 0;
  if (flash_ == 0) flipped_.reset();
}

void FlowExhibit::update(ExhibitContext& context) {
  refresh(context);
  results_.update(state_, layout_.plot, context);
  play_.update(results_, state_.speed, context.seconds);
  noticeFlip(context.seconds);
  hover_.reset();
  if (const std::optional<render::Point> pointer = input_.pointer(layout_))
    hover_ = toData(Camera{state_.view, layout_.plot}, *pointer);
}

const render::Scene& FlowExhibit::scene(const ExhibitContext& context) {
  const FlowFrame frame{state_,           results_, context.theme, layout_,       input_.pointer(layout_),
                        play_.headTime(), flash_,   input_.held(), context.figure};
  legendBox_.reset();
  if (layout_.legend && !context.figure) legendBox_ = legendPlace(frame).box;
  return scene_.update(frame);
}

void FlowExhibit::panel(ExhibitContext& context, bool inspectorShown) {
  const auto runCommand = [this, &context](std::string_view command) {
    const Result<void> done = run(context, command);
    if (!done) context.editor.say(done.error().sentence);
  };
  drawFlowPanel({state_, results_, play_, layout_.plot, runCommand}, context, inspectorShown);
}

std::vector<std::pair<std::string, std::string>> FlowExhibit::gestures() const {
  return {{tr("drag a point"), tr("move it; Shift snaps")},   {tr("drag the plane"), tr("pan")},
          {tr("wheel"), tr("zoom about the pointer")},        {tr("double-click"), tr("add a point")},
          {tr("double-click an axis"), tr("reset the view")}, {tr("arrow keys"), tr("nudge the selected point")}};
}

std::string FlowExhibit::title() const {
  if (!state_.canonical) return tr("Flow") + (" · " + tr(state_.field->info().name));
  const char* const side = state_.degenerate() ? "= 1" : state_.chain.switching() > 0 ? "> 1" : "< 1";
  return fmt::format("{} · p = {}, q = {} · p + q {}", tr("Flow"), shownProbability(state_.chain.p, 3),
                     shownProbability(state_.chain.q, 3), side);
}

std::string FlowExhibit::status() const {
  std::string text;
  if (!results_.basin().device.empty()) text = std::string(tr("basins")) + ": " + results_.basin().device;
  if (results_.basin().refining) {
    text += text.empty() ? std::string(tr("basins")) + ": " : ", ";
    text += tr("refining ") + std::to_string(*results_.basin().refining) + " %";
  }
  if (!hover_) return text;
  const std::vector<std::string>& names = state_.field->info().variables;
  if (!text.empty()) text += " · ";
  text += std::string(tr("pointer: ")) + names[0] + "=" + shownPlace(hover_->x, state_.view.width()) + " " + names[1] +
          "=" + shownPlace(hover_->y, state_.view.height());
  if (state_.canonical) {
    dynamics::State x(2);
    x << hover_->x, hover_->y;
    const double loss = markov::loss(state_.chain, markov::Model::EW, x);
    if (std::isfinite(loss)) text += " L=" + formatFixed(loss, 4);
  }
  return text;
}

std::vector<Exhibit::Command> FlowExhibit::commands(const Document& document) const {
  const Json& points = document.at("flow.points");
  const bool some = points.is_array() && !points.empty();
  const Json& selected = document.at("flow.selected");
  const bool one = some && selected.is_number() && selected.get<double>() >= 0;
  return {
      {"flow.add-point", tr("Add point"), "A", tr("Exhibit"), true},
      {"flow.delete-point", tr("Delete point"), "Delete", tr("Exhibit"), one},
      {"flow.examples", tr("Add three example points"), "", tr("Exhibit"), !some},
      {"flow.clear-overlays", tr("Remove own trajectories"), "", tr("Exhibit"), document.has(kOverlaySection)},
      {"flow.select-next", tr("Select next point"), "Tab", tr("Exhibit"), some},
      {"play.toggle", tr("Play or pause"), "Space", tr("Run"), some},
      {"view.reset", tr("Reset view"), "R", tr("View"), true},
      {"view.zoom-in", tr("Zoom in"), "+", tr("View"), true},
      {"view.zoom-out", tr("Zoom out"), "-", tr("View"), true},
  };
}

void FlowExhibit::addAt(ExhibitContext& context, render::Point data) {
  context.editor.seal();
  const Document& now = context.editor.document();
  context.editor.commit(
      withNewPoint(now, std::clamp(data.x, -kFarthest, kFarthest), std::clamp(data.y, -kFarthest, kFarthest)),
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

void FlowExhibit::zoom(ExhibitContext& context, double factor) {
  const render::Rect& plot = layout_.plot;
  const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
  const Camera camera = zoomed({state_.view, plot}, input_.pointer(layout_).value_or(centre), factor);
  context.editor.replace(withView(context.editor.document(), state_, camera.window));
}

Result<void> FlowExhibit::run(ExhibitContext& context, std::string_view command) {
  refresh(context);
  if (command == "flow.add-point") {
    const render::Rect& plot = layout_.plot;
    const render::Point centre{plot.min.x + plot.width() / 2, plot.min.y + plot.height() / 2};
    const Camera camera{state_.view, plot};
    addAt(context, tidied(camera, toData(camera, input_.pointer(layout_).value_or(centre))));
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
  } else if (command == "view.reset") {
    context.editor.replace(withoutView(context.editor.document()));
  } else if (command == "view.zoom-in") {
    zoom(context, kZoomStep);
  } else if (command == "view.zoom-out") {
    zoom(context, 1 / kZoomStep);
  } else if (command == "play.toggle") {
    if (!state_.points.empty()) play_.toggle();
  } else {
    return fail(ErrorKind::Usage,
                std::string(tr("The Flow exhibit has no command")) + " \"" + std::string(command) + "\".");
  }
  refresh(context);
  return {};
}

Result<void> FlowExhibit::addPoint(ExhibitContext& context, const std::vector<double>& theta) {
  const bool usable = theta.size() == 2 && std::all_of(theta.begin(), theta.end(), [](double value) {
                        return std::isfinite(value) && std::abs(value) <= kFarthest;
                      });
  if (!usable)
    return fail(ErrorKind::Usage,
                tr("A point of this plane has two finite coordinates between -1e9 and 1e9, such as 0.3,0.2."));
  refresh(context);
  addAt(context, {theta[0], theta[1]});
  refresh(context);
  return {};
}

std::optional<ColorLimits> FlowExhibit::ownLimits() const {
  return state_.locked && results_.ownLimits() ? state_.locked : results_.ownLimits();
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
