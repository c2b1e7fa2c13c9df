// SPDX-License-Identifier: Apache-2.0
// The experiments as cards: a sketch of what will be seen, a sentence, the runs. A click or Enter trains them and shows
// the curves. Frame thread.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/train/run_config.h"
#include "engine/train/run_estimate.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibit/lane.h"
#include "ui/exhibits/training/experiments/experiment_sketch.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/timed_page.h"

namespace sepx::ui {

namespace {

constexpr double kCardWidth = 17, kCardHeight = 14;  // sizes of the text: the least
constexpr double kSketchShare = 0.36;                // of a card's height
// A window manager makes a window active when it is clicked, and delivers the same click right afterwards.
constexpr double kActivationSeconds = 0.2;

/// By experiment: seconds of all its runs; NaN: not measured yet, or it cannot be.
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

class ExperimentsPage final : public TimedPage {
 public:
  PageLabel label() const override { return {"experiments", N_("Experiments")}; }
  RaceTraits traits() const override { return {.tells = true}; }
  void declare(PropertyRegistry&, const RaceShared&) override {}
  void panel(const RaceFrame& frame, ExhibitContext& context, PagePanel& panel) override;
  std::vector<Command> commands(const RaceShared& shared, const Document& document) override;
  std::vector<std::pair<std::string, std::string>> gestures() const override {
    return {{tr("click a card"), tr("train its runs and show the curves")},
            {tr("arrow keys, Enter"), tr("choose a card and start it")},
            {tr("wheel"), tr("scroll the cards")}};
  }

 protected:
  void updateContent(const RaceFrame& frame, ExhibitContext& context) override;
  void drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) override;
  Cursor inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) override;
  bool showsRuns() const override { return false; }
  Strip controls(const RaceFrame& frame) const override;

 private:
  std::vector<render::Rect> cards(const RaceFrame& frame) const;
  std::optional<std::size_t> cardAt(const RaceFrame& frame, render::Point at) const;
  std::size_t chosen(const RaceShared& shared) const;
  std::vector<render::Item> items(const RaceFrame& frame, std::optional<std::size_t> over) const;
  void addCard(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t index, const render::Rect& box,
               bool over) const;
  static std::size_t columns(const RaceFrame& frame);

  std::string timeText(std::size_t index) const;

  Lane<std::string, Estimates> estimates_{"training.estimates"};  ///< by the folder of configs
  std::optional<std::size_t> chosen_;                             ///< by keys
  std::optional<std::size_t> pressed_;                            ///< the card under the press that is held
  double focusedAt_ = -kActivationSeconds;                        ///< when the window became the active one
  double scroll_ = 0;
  mutable std::size_t columns_ = 1;  ///< of the last layout
  PageLayers layers_;
};

std::size_t ExperimentsPage::columns(const RaceFrame& frame) {
  const double least = kCardWidth * frame.theme.textSize;
  return std::clamp<std::size_t>(static_cast<std::size_t>(frame.area.width() / least), 1, 4);
}

std::vector<render::Rect> ExperimentsPage::cards(const RaceFrame& frame) const {
  const double pad = 1.5 * frame.theme.space;
  const std::size_t count = experiments().size();
  columns_ = columns(frame);
  const std::size_t rows = (count + columns_ - 1) / columns_;
  render::Rect box{{frame.area.min.x + pad, frame.area.min.y + pad}, {frame.area.max.x - pad, frame.area.max.y - pad}};
  const double least = static_cast<double>(rows) * (kCardHeight * frame.theme.textSize + pad) - pad;
  const double most = static_cast<double>(rows) * (22.0 * frame.theme.textSize + pad) - pad;
  const double height = std::clamp(box.height(), least, most);
  box.min.y -= std::clamp(scroll_, 0.0, std::max(0.0, height - box.height()));
  box.max.y = box.min.y + height;
  return gridOf(box, count, columns_, pad);
}

std::optional<std::size_t> ExperimentsPage::cardAt(const RaceFrame& frame, render::Point at) const {
  if (!frame.area.contains(at)) return std::nullopt;
  const std::vector<render::Rect> boxes = cards(frame);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].contains(at)) return i;
  return std::nullopt;
}

std::size_t ExperimentsPage::chosen(const RaceShared& shared) const {
  return chosen_.value_or(static_cast<std::size_t>(shared.experiment - experiments().data()));
}

void ExperimentsPage::addCard(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t index,
                              const render::Rect& box, bool over) const {
  const Experiment& one = experiments()[index];
  const Theme& theme = frame.theme;
  const bool chosen = index == this->chosen(frame.shared) && !frame.figure;
  const double pad = 1.25 * theme.space, line = 1.35 * theme.smallSize;
  addBox(items, box, theme.radius, over ? theme.surfaceRaised : theme.surface, chosen ? theme.accent : theme.border);
  const double bottom = box.min.y + kSketchShare * box.height();
  addSketch(items, {{box.min.x + 2 * pad, box.min.y + pad}, {box.max.x - 2 * pad, bottom}}, one.sketch, theme);
  const double width = box.width() - 2 * pad;
  double y = bottom + pad + 0.6 * theme.textSize;
  render::Label title =
      textAt({box.min.x + pad, y}, elided(tr(one.title), theme.textSize, 0.9 * width), theme.textSize, theme.text);
  title.bold = true;
  items.emplace_back(std::move(title));
  y += 0.7 * theme.textSize + line;
  const double end = box.max.y - 1.9 * line;
  items.emplace_back(textAt({box.min.x + pad, box.max.y - 0.9 * line}, timeText(index), theme.smallSize, theme.text));
  std::vector<std::string> lines = wrapped(tr(one.about), theme.smallSize, width);
  for (std::size_t i = 0; i < lines.size() && y <= end; ++i) {
    const bool cut = i + 1 < lines.size() && y + line > end;  // the whole sentence stands at the right
    const std::string text = cut ? lines[i] + " …" : lines[i];
    items.emplace_back(
        textAt({box.min.x + pad, y}, elided(text, theme.smallSize, width + pad), theme.smallSize, theme.textMuted));
    y += line;
  }
}

std::vector<render::Item> ExperimentsPage::items(const RaceFrame& frame, std::optional<std::size_t> over) const {
  std::vector<render::Item> items;
  const std::vector<render::Rect> boxes = cards(frame);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    addCard(items, frame, i, boxes[i], over == i);
  return items;
}

/// Measured in the background while nothing trains: two things at once would each seem slow. Not for scripts, whose
/// pictures are the same on every machine.
void ExperimentsPage::updateContent(const RaceFrame& frame, ExhibitContext& context) {
  estimates_.refresh(context.jobs);
  if (context.scripted || context.figure || context.assets.empty()) return;
  if (frame.shared.trains())
    estimates_.cancel();
  else if (!estimates_.pending() && !estimates_.finished())
    estimates_.start(context.jobs, context.assets, "",
                     [](const std::string& assets, auto& output) { return measured(assets, output); });
}

std::string ExperimentsPage::timeText(std::size_t index) const {
  const std::size_t runs = experiments()[index].configs.size();
  if (runs == 0) return {};
  std::string text = runs == 1 ? std::string(tr("1 run")) : trFormat("{} runs", runs);
  const Estimates* const known = estimates_.result();
  if (known && std::isfinite((*known)[index])) text += " · " + trFormat("about {}", durationWords((*known)[index]));
  return text;
}

void ExperimentsPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  const std::optional<std::size_t> over = frame.pointer ? cardAt(frame, *frame.pointer) : std::nullopt;
  layers_.add(into, "training.cards",
              keyWith(frameKey(frame), chosen(frame.shared), over.value_or(experiments().size()), scroll_,
                      estimates_.revision()),
              [&] { return items(frame, over); });
}

Cursor ExperimentsPage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (const auto* wheel = std::get_if<Scrolled>(&event)) scroll_ = std::max(0.0, scroll_ - 40 * wheel->dy);
  // The click that brings the window to the front starts nothing: its press comes just after the focus, or before it.
  if (const auto* focus = std::get_if<FocusChanged>(&event)) {
    pressed_.reset();
    if (focus->focused) focusedAt_ = context.seconds;
  }
  if (const auto* press = std::get_if<PointerPressed>(&event); press && press->button == Button::Left) {
    const auto card = cardAt(frame, {press->x, press->y});
    const auto held = std::exchange(pressed_, std::nullopt);
    if (press->down) {
      if (context.seconds - focusedAt_ >= kActivationSeconds) pressed_ = card;
    } else if (card && card == held) {
      chosen_ = *card;
      frame.shared.start(context, experiments()[*card]);
    }
  }
  return frame.pointer && cardAt(frame, *frame.pointer) ? Cursor::Hand : Cursor::Arrow;
}

Strip ExperimentsPage::controls(const RaceFrame& frame) const {
  Strip strip;
  const std::vector<render::Rect> boxes = cards(frame);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    strip.buttons.push_back(
        {.key = std::string("training.card.") + experiments()[i].word, .label = {}, .box = boxes[i]});
  return strip;
}

std::vector<RacePage::Command> ExperimentsPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  /// So many cards further on, where there is one.
  const auto move = [this](std::ptrdiff_t by) {
    return [this, by](const RaceFrame& frame, ExhibitContext&) {
      const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(chosen(frame.shared)) + by;
      if (to >= 0 && to < std::ssize(experiments())) chosen_ = static_cast<std::size_t>(to);
    };
  };
  const auto across = static_cast<std::ptrdiff_t>(columns_);
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
