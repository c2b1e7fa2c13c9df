// SPDX-License-Identifier: Apache-2.0
// The experiments as cards: a sketch of what will be seen, a sentence, the runs. A click or Enter trains them and shows
// the curves. Frame thread.
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/train/run_config.h"
#include "engine/train/run_estimate.h"
#include "ui/exhibits/training/experiments/experiment_sketch.h"
#include "ui/page/lane.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/view_page.h"

namespace sepx::ui {

namespace {

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

class ExperimentsPage final : public ViewPage {
 public:
  ExperimentsPage() : ViewPage("training.experiments") {}
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
  void ask(const RaceFrame& frame, ExhibitContext& context) override;
  Views views(const RaceFrame& frame) const override;
  std::uint64_t madeOf(const RaceFrame& frame) const override {
    return Digest().add(frameKey(frame), chosen(frame.shared), estimates_.revision()).value();
  }
  void pressed(const RaceFrame& frame, ExhibitContext& context, const ViewPress& press) override {
    chosen_ = press.index;
    frame.shared.start(context, experiments()[press.index]);
  }
  bool showsRuns() const override { return false; }

 private:
  std::size_t chosen(const RaceShared& shared) const {
    return chosen_.value_or(static_cast<std::size_t>(shared.experiment - experiments().data()));
  }
  Card card(std::size_t index, const Theme& theme) const;
  std::string timeText(std::size_t index) const;

  Lane<std::string, Estimates> estimates_{"training.estimates"};  ///< by the folder of configs
  std::optional<std::size_t> chosen_;                             ///< by keys
};

/// Measured in the background while nothing trains: two things at once would each seem slow. Not for scripts, whose
/// pictures are the same on every machine.
void ExperimentsPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  estimates_.refresh(context.jobs);
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
  cards.key = [](std::size_t index) { return std::string("training.card.") + experiments()[index].word; };
  cards.width = 16;
  cards.mostHeight = 22;
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
          .lines = {{{tr(one.about)}, NoteLine::Role::Muted}},  // the whole sentence stands at the right
          .wraps = true,
          .foot = timeText(index)};
}

std::string ExperimentsPage::timeText(std::size_t index) const {
  const std::size_t runs = experiments()[index].configs.size();
  if (runs == 0) return {};
  std::string text = runs == 1 ? std::string(tr("1 run")) : trFormat("{} runs", runs);
  const Estimates* const known = estimates_.result();
  if (known && std::isfinite((*known)[index])) text += " · " + trFormat("about {}", durationWords((*known)[index]));
  return text;
}

std::vector<RacePage::Command> ExperimentsPage::commands(const RaceShared&, const Document&) {
  const char* const menu = tr("Run");
  /// So many cards further on, where there is one.
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
