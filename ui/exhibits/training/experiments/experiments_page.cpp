// SPDX-License-Identifier: Apache-2.0
// The page Experiments: a card for each experiment, with a sketch of what will be seen, a sentence and the number of
// runs. A click or Enter trains the runs and shows the curves. Frame thread.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/train/run_config.h"
#include "engine/train/run_estimate.h"
#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/shared/experiments.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/tr_plural.h"
#include "ui/race/race_page.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

constexpr int kSide = 12;  // rows and columns of a sketched matrix

/// A pseudorandom number between -1 and 1 that depends only on i and j.
double noise(int i, int j) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 374761393u + static_cast<std::uint32_t>(j) * 668265263u + 97u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return static_cast<double>((h ^ (h >> 16)) & 0xffffu) / 32767.5 - 1;
}

using Entry = std::function<double(int, int)>;

double symmetricEntry(int i, int j) {
  return noise(std::min(i, j), std::max(i, j));
}
double skewEntry(int i, int j) {
  return i == j ? 0 : (i < j ? 1 : -1) * noise(std::min(i, j), std::max(i, j));
}
double columnEntry(int i, int j) {
  return (j == 3 || j == 8 ? 1 : 0.22) * noise(i, j);
}
double rankOneEntry(int i, int j) {
  return noise(i, 91) * noise(92, j) * 1.6;
}

void addMatrix(std::vector<render::Item>& items, const render::Rect& box, const Entry& entry, const Theme& theme) {
  auto values = std::make_shared<std::vector<float>>();
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      values->push_back(static_cast<float>(entry(i, j)));
  items.emplace_back(render::Heatmap{.extent = flipped(box),
                                     .width = kSide,
                                     .height = kSide,
                                     .values = std::move(values),
                                     .map = render::ColorMap::Diverging,
                                     .low = -1,
                                     .high = 1,
                                     .smooth = false});
  items.emplace_back(pageFrameLine(box, theme.border));
}

/// Two squares side by side in the middle.
std::pair<render::Rect, render::Rect> twoSquares(const render::Rect& box) {
  const double gap = 14, side = std::min(box.height(), (box.width() - gap) / 2);
  const double left = (box.min.x + box.max.x) / 2 - side - gap / 2, top = (box.min.y + box.max.y - side) / 2;
  return {{{left, top}, {left + side, top + side}}, {{left + side + gap, top}, {left + 2 * side + gap, top + side}}};
}

/// Draws y = curve(x), with x and y in [0, 1].
void addCurve(std::vector<render::Item>& items, const render::Rect& box, const std::function<double(double)>& curve,
              render::Color color, render::Dash dash) {
  constexpr int kPoints = 48;
  render::Polyline line;
  line.stroke = {color, 2, dash};
  line.space = render::Space::Page;
  for (int i = 0; i <= kPoints; ++i) {
    const double x = static_cast<double>(i) / kPoints;
    line.points.push_back({box.min.x + x * box.width(), box.max.y - curve(x) * box.height()});
  }
  items.emplace_back(std::move(line));
}

double falling(double x, double middle, double high, double low) {
  return low + (high - low) / (1 + std::exp((x - middle) * 16));
}

void addStarts(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  addCurve(
      items, box, [](double x) { return falling(x, 0.35, 0.9, 0.12); }, theme.localMin, render::Dash::Solid);
  addCurve(
      items, box, [](double x) { return falling(x, 0.65, 0.9, 0.12); }, theme.globalMin, render::Dash::Dashed);
}

void addEntropies(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  for (const double y : {0.55, 0.15})
    items.emplace_back(pageLine({box.min.x, box.max.y - y * box.height()}, {box.max.x, box.max.y - y * box.height()},
                                theme.textMuted, 1, render::Dash::Dashed));
  addCurve(
      items, box, [](double x) { return 0.57 + 0.38 * std::exp(-9 * x); }, theme.localMin, render::Dash::Solid);
  addCurve(
      items, box, [](double x) { return 0.17 + 0.78 * std::exp(-7 * x); }, theme.globalMin, render::Dash::Dashed);
}

/// A sequence and its mirror image.
void addMirror(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  constexpr int kHalf = 6;
  const double side = std::min(box.width() / (2 * kHalf), box.height() / 2.5), y = (box.min.y + box.max.y - side) / 2;
  const double left = (box.min.x + box.max.x) / 2 - kHalf * side;
  const render::Color colors[] = {theme.globalMin, theme.localMin, theme.saddle, theme.localMax};
  for (int i = 0; i < 2 * kHalf; ++i) {
    const int k = i < kHalf ? i : 2 * kHalf - 1 - i;
    items.emplace_back(pageFill({{left + i * side + 1, y}, {left + (i + 1) * side - 1, y + side}}, colors[k * k % 4]));
  }
  items.emplace_back(pageLine({left + kHalf * side, y - 8}, {left + kHalf * side, y + side + 8}, theme.text, 1.5f,
                              render::Dash::Dashed));
}

/// An image cut into patches.
void addPatches(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  constexpr int kAcross = 4;
  const double side = std::min(box.height(), box.width()), patch = side / kAcross;
  const double left = (box.min.x + box.max.x - side) / 2, top = (box.min.y + box.max.y - side) / 2;
  for (int i = 0; i < kAcross; ++i)
    for (int j = 0; j < kAcross; ++j) {
      const double r = std::hypot(i - 1.5, j - 1.5);
      const render::Rect place{{left + j * patch + 1.5, top + i * patch + 1.5},
                               {left + (j + 1) * patch - 1.5, top + (i + 1) * patch - 1.5}};
      items.emplace_back(pageFill(place, r < 1 ? theme.globalMin : r < 1.8 ? theme.localMin : theme.border));
    }
}

void addSliders(std::vector<render::Item>& items, const render::Rect& box, const Theme& theme) {
  for (int i = 0; i < 4; ++i) {
    const double y = box.min.y + (i + 0.5) * box.height() / 4, at = 0.3 + 0.5 * std::abs(noise(i, 5));
    items.emplace_back(pageLine({box.min.x, y}, {box.max.x, y}, theme.border, 3));
    items.emplace_back(render::Marker{{box.min.x + at * box.width(), y},
                                      render::Shape::Circle,
                                      12,
                                      theme.accent,
                                      theme.text,
                                      1,
                                      render::Space::Page});
  }
}

/// The sketch on the card of an experiment: what will be seen, drawn from formulas. It is not data and has no numbers.
void addSketch(std::vector<render::Item>& items, const render::Rect& box, ExperimentSketch sketch, const Theme& theme) {
  const auto [left, right] = twoSquares(box);
  switch (sketch) {
    case ExperimentSketch::Objectives:
      addMatrix(items, left, symmetricEntry, theme);
      return addMatrix(items, right, columnEntry, theme);
    case ExperimentSketch::Constraints:
      addMatrix(items, left, symmetricEntry, theme);
      return addMatrix(items, right, skewEntry, theme);
    case ExperimentSketch::RankOne:
      addMatrix(items, left, noise, theme);
      return addMatrix(items, right, rankOneEntry, theme);
    case ExperimentSketch::Starts:
      return addStarts(items, box, theme);
    case ExperimentSketch::Linear:
      return addMirror(items, box, theme);
    case ExperimentSketch::Entropies:
      return addEntropies(items, box, theme);
    case ExperimentSketch::Patches:
      return addPatches(items, box, theme);
    case ExperimentSketch::Own:
      return addSliders(items, box, theme);
  }
}

/// By experiment: seconds that all its runs take. NaN: not measured yet, or not measurable.
using Estimates = std::vector<double>;

Estimates measured(const std::string& assets, LaneOutput<Estimates>& output) {
  Estimates made(experiments().size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < made.size(); ++i) {
    double seconds = 0;
    for (const char* const name : experiments()[i].configs) {
      const auto config = train::readRunConfig(assets + "/configs/" + name + ".json");
      const auto estimate = config ? train::estimateRun(*config, 0, true, [&output] { return output.cancelled(); })
                                   : Result<train::RunEstimate>(tl::unexpected(config.error()));
      seconds += estimate ? estimate->seconds : std::numeric_limits<double>::quiet_NaN();
    }
    made[i] = seconds;
    if (!output.publish(made)) break;
  }
  return made;
}

class ExperimentsPage final : public RacePage {
 public:
  ExperimentsPage()
      : RacePage({"experiments", N_("Experiments"), "training.experiments."},
                 {.explainsExperiment = true, .failures = false}) {
    pressed_ = [this](const RaceFrame& frame, ExhibitContext& context, const ViewPress& press) {
      chosen_ = press.index;
      frame.shared.start(context, experiments()[press.index]);
    };
  }
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  PageFacts facts(const RaceShared& shared) const override {
    PageFacts now = RacePage::facts(shared);
    now.gestures = [] {
      return Gestures{{tr("click a card"), tr("train its runs and show the curves")},
                      {tr("arrow keys, Enter"), tr("choose a card and start it")},
                      {tr("wheel"), tr("scroll the cards")}};
    };
    return now;
  }
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;

 protected:
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;

 private:
  std::size_t chosen(const RaceShared& shared) const {
    return chosen_.value_or(static_cast<std::size_t>(shared.experiment - experiments().data()));
  }
  Card card(std::size_t index, const Theme& theme) const;
  std::string timeText(std::size_t index) const;

  Lane<std::string, Estimates> estimates_{"training.estimates"};  ///< by the folder of shipped files
  std::optional<std::size_t> chosen_;                             ///< by key or click
};

/// Measures the estimates in the background while no run trains, because each would slow down the other. Scripts do not
/// measure, so that their pictures are the same on every machine.
void ExperimentsPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  estimates_.refresh(context.jobs);
  results_.follow(Digest().add(chosen_.has_value(), chosen_.value_or(0), estimates_.revision()).value());
  if (context.scripted || context.figure || context.assets.empty()) return;
  if (frame.shared.trains())
    estimates_.cancel();
  else if (!estimates_.pending() && !estimates_.finished())
    estimates_.start(context.jobs, context.assets, "",
                     [](const std::string& assets, auto& output) { return measured(assets, output); });
}

Views ExperimentsPage::views(const RaceFrame& frame) const {
  const std::size_t chosen = this->chosen(frame.shared);
  CardsContent cards;
  cards.count = experiments().size();
  cards.of = Digest().add(chosen, estimates_.revision()).value();
  cards.card = [this](std::size_t index, const ViewPlace& place) { return card(index, place.theme); };
  cards.chosen = [chosen](std::size_t index) { return index == chosen; };
  cards.key = [](std::size_t index) { return std::string("training.card.") + experiments()[index].key; };
  cards.width = 16;
  cards.height = 12.5;
  cards.mostHeight = 36;
  cards.mostInRow = 4;
  cards.pictureFirst = cards.onRelease = true;
  Arrangement place = viewNamed("cards");
  place.margin = 1.5 * frame.theme.space;
  return {{{"cards", std::move(cards)}}, std::move(place)};
}

Card ExperimentsPage::card(std::size_t index, const Theme& theme) const {
  const Experiment& one = experiments()[index];
  const auto sketch = [&one, &theme](std::vector<render::Item>& items, const render::Rect& box) {
    addSketch(items, box, one.sketch, theme);
  };
  return {.title = tr(one.title),
          .picture = sketch,
          .lines = {{{tr(one.about)}, NoteLine::Role::Muted}},  // the panel shows the whole sentence
          .wraps = true,
          .foot = timeText(index)};
}

std::string ExperimentsPage::timeText(std::size_t index) const {
  const std::size_t runs = experiments()[index].configs.size();
  if (runs == 0) return {};
  std::string text = trPlural("{} run", "{} runs", runs);
  const Estimates* const known = estimates_.result();
  if (known && std::isfinite((*known)[index])) text += " · " + trFormat("about {}", durationWords((*known)[index]));
  return text;
}

std::vector<RacePage::Command> ExperimentsPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  /// Chooses the card `by` places further on, if there is one.
  const auto move = [this](std::ptrdiff_t by) {
    return [this, by](const RaceFrame& frame, ExhibitContext&) {
      const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(chosen(frame.shared)) + by;
      if (to < 0 || to >= std::ssize(experiments())) return;
      chosen_ = static_cast<std::size_t>(to);
      board().reveal("cards", *chosen_);
    };
  };
  const auto across = static_cast<std::ptrdiff_t>(board().inRow("cards"));
  return {{"training.card-start", tr("Start the selected experiment"), "Enter", menu, true,
           [this](const RaceFrame& frame, ExhibitContext& context) {
             frame.shared.start(context, experiments()[chosen(frame.shared)]);
           }},
          {"training.card-next", tr("Next experiment"), "Right", menu, true, move(1)},
          {"training.card-previous", tr("Previous experiment"), "Left", menu, true, move(-1)},
          {"training.card-below", tr("Experiment below"), "Down", menu, true, move(across)},
          {"training.card-above", tr("Experiment above"), "Up", menu, true, move(-across)}};
}

void ExperimentsPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  const Experiment& one = experiments()[chosen(frame.shared)];
  panel.heading(tr(one.title));
  panel.sentence(tr(one.about));
  panel.sentence(tr(one.text));
}

}  // namespace

std::unique_ptr<RacePage> makeExperimentsPage() {
  return std::make_unique<ExperimentsPage>();
}

}  // namespace sepx::ui
