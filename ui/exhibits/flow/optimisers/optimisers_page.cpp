// SPDX-License-Identifier: Apache-2.0
// The page of optimisers put together: what it reads, the job of the race, play, panel, numbers. What it draws is in
// optimisers_scene.cpp.
#include "ui/exhibits/flow/optimisers/optimisers_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/exhibits/flow/shared/flow_paths.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kOtherBatches = "flow.optimisers.reseed";
constexpr double kMostSeed = 1e6;
constexpr double kPlaySeconds = 8;  // of a whole race at speed 1

}  // namespace

OptimiserPage::OptimiserPage() : ground_("flow.optimisers.ground") {}

std::unique_ptr<FlowPage> makeOptimiserPage(const FlowShared&) {
  return std::make_unique<OptimiserPage>();
}

void OptimiserPage::declare(PropertyRegistry& registry, const FlowShared& live) {
  declareOptimisers(registry, live, *this);
}

void OptimiserPage::read(const Document& document, const PropertyRegistry& registry, const FlowShared& live) {
  ground_.follow(document, live.state);
  state_ = readOptimisersState(document, registry, live.state, seed_);
}

void OptimiserPage::updateRace(ExhibitContext& context) {
  race_.refresh(context.jobs);
  if (!state_.request) {
    race_.clear();
    return;
  }
  race_.request(context.jobs, *state_.request, tr("race of optimisers"), [](const RaceRequest& request, auto& output) {
    markov::State theta0(2);
    theta0 << request.e, request.w;
    return markov::raceOptimisers({request.p, request.q}, theta0, request.options, [&output](double share) {
      output.progress(share);
      return !output.cancelled();
    });
  });
}

void OptimiserPage::advance(double speed, double seconds) {
  if (!playing_) {
    last_.reset();
    return;
  }
  const double passed = last_ ? std::max(0.0, seconds - *last_) : 0;
  last_ = seconds;
  played_ = played_.value_or(0) + passed * speed / kPlaySeconds;
  if (*played_ < 1) return;
  played_ = 1;
  playing_ = false;
}

/// Again when a point was let go: while it is held nothing moves.
void OptimiserPage::fit() {
  if (!race()) return ground_.fit(std::nullopt);
  std::vector<render::Point> places;
  if (fitOf_ != race_.revision()) {
    for (const markov::RacePath& path : race()->paths)
      for (const markov::State& theta : path.theta)
        places.push_back({theta[0], theta[1]});
    fitted_ = PlaneGround::around({raceRequest().e, raceRequest().w}, places);
    fitOf_ = race_.revision();
  }
  ground_.fit(fitted_);
}

void OptimiserPage::update(const FlowPageFrame& frame, ExhibitContext& context) {
  if (seed_ != context.seed) {
    seed_ = context.seed;
    state_ = readOptimisersState(context.editor.document(), context.editor.properties(), frame.state(), seed_);
  }
  updateRace(context);
  speed_ = frame.state().speed;
  advance(speed_, context.seconds);
  fit();
  refresh(frame);
  ground_.update(frame, layout_.plane, context);
}

Camera OptimiserPage::camera(const FlowPageFrame&) const {
  return ground_.camera(layout_.plane);
}

Cursor OptimiserPage::input(const FlowPageFrame& frame, ExhibitContext& context, const InputEvent& event) {
  refresh(frame);
  return ground_.input(frame, layout_.plane, context, event);
}

const markov::RacePath* OptimiserPage::path(markov::Racer racer) const {
  if (!race()) return nullptr;
  for (const markov::RacePath& path : race()->paths)
    if (path.entrant.racer == racer) return &path;
  return nullptr;
}

void OptimiserPage::panel(const FlowPageFrame&, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Race"));
  for (const char* key : {"steps", "batch", "length", "seed", "bias", "log-steps", "basin"}) {
    panel.control(std::string("flow.optimisers.") + key);
    panel.readOut(std::string("flow.optimisers.") + key);
  }
  for (const markov::Racer racer : kAllRacers) {
    panel.heading(racerWords(racer));
    for (const char* member : {"show", "rate", "mu", "nesterov", "beta1", "beta2", "decay", "sampled"})
      panel.control(racerKey(racer, member));
    for (const char* member : {"basin", "loss", "left", "farthest"})
      panel.readOut(racerKey(racer, member));
  }
  if (const std::string why = failure(); !why.empty()) panel.sentence(sentenceCase(why));
  panel.heading(tr("Plane"));
  for (const char* key : {"flow.show.basin", "flow.show.critical", "flow.show.separatrix"})
    panel.control(key);
}

Numbers OptimiserPage::numbers(const FlowShared&) const {
  Numbers numbers;
  if (!race()) return numbers;
  std::vector<std::string> name, basin, ends, kind;
  std::vector<double> step, e, w, b, loss, energy, left, farthest;
  for (const markov::RacePath& path : race()->paths) {
    for (std::size_t k = 0; k < path.theta.size(); ++k) {
      name.emplace_back(markov::racerName(path.entrant.racer));
      step.push_back(static_cast<double>(k));
      e.push_back(path.theta[k][0]);
      w.push_back(path.theta[k][1]);
      b.push_back(path.bias[k]);
      loss.push_back(path.loss[k]);
      energy.push_back(path.energy[k]);
      basin.emplace_back(markov::limitName(path.label[k]));
    }
    ends.emplace_back(markov::racerName(path.entrant.racer));
    kind.emplace_back(markov::limitName(path.label.back()));
    left.push_back(path.leftAt ? *path.leftAt : std::nan(""));
    farthest.push_back(path.farthest);
  }
  numbers.tables.push_back({"race",
                            {{"optimiser", "", name},
                             {"step", "", step},
                             {"e", "", e},
                             {"w", "", w},
                             {"b", "", b},
                             {"loss", "nats", loss},
                             {"energy", "", energy},
                             {"basin", "", basin}}});
  numbers.tables.push_back({"ends",
                            {{"optimiser", "", ends},
                             {"basin", "", kind},
                             {"left_basin_at_step", "", left},
                             {"farthest_from_orbit", "", farthest}}});
  return numbers;
}

std::string OptimiserPage::caption(const FlowShared&) const {
  if (!race()) return tr("Optimisers from one point: no start is chosen.");
  std::string text =
      fmt::format("{} ({}, {}), p = {}, q = {}: {}.", tr("Optimisers from"), shownFixed(raceRequest().e, 3),
                  shownFixed(raceRequest().w, 3), shownProbability(raceRequest().p, 3),
                  shownProbability(raceRequest().q, 3), kindWords(race()->basin));
  for (const markov::RacePath& path : race()->paths) {
    text += " " + racerWords(path.entrant.racer) + " (η = " + formatShortest(path.entrant.rule.learningRate) + "): " +
            (path.end == markov::RaceEnd::Diverged ? std::string(tr("diverged")) : kindWords(path.label.back()));
    text += path.leftAt ? fmt::format(", {} {}.", tr("leaves the basin of the flow at step"), *path.leftAt) : ".";
  }
  return text;
}

std::string OptimiserPage::status(const FlowShared&) const {
  if (race_.pending()) return tr("optimisers: running");
  return race() ? fmt::format("{}: {} {}", tr("optimisers"), raceRequest().options.steps, tr("steps")) : std::string();
}

std::vector<Exhibit::Command> OptimiserPage::commands(const FlowShared&, const Document&) const {
  return {{kOtherBatches, tr("Draw other batches"), "N", tr("Exhibit"), race() != nullptr}};
}

bool OptimiserPage::run(const FlowPageFrame&, ExhibitContext& context, std::string_view command) {
  if (command == kOtherBatches) {
    const double seed = context.editor.properties().real(context.editor.document(), "flow.optimisers.seed");
    context.editor.seal();
    const Result<void> done = context.editor.set("flow.optimisers.seed", std::fmod(seed + 1, kMostSeed));
    if (!done) context.editor.say(done.error().sentence);
    context.editor.seal();
    return true;
  }
  if (command != "play.toggle") return ground_.run(layout_.plane, context, command);
  if (!playing_ && played_ && *played_ >= 1) played_ = 0;
  playing_ = !playing_ && race() != nullptr;
  return true;
}

std::vector<std::pair<std::string, std::string>> OptimiserPage::gestures() const {
  auto all = PlaneGround::gestures();
  all.emplace_back(tr("point at the chart"), tr("where each one is at that step"));
  return all;
}

FlowPoint OptimiserPage::placeForPoint(const FlowPageFrame&) const {
  return ground_.placeForPoint(layout_.plane);
}

double OptimiserPage::playSeconds() const {
  return race() ? kPlaySeconds / speed_ : 0;
}

}  // namespace sepx::ui
