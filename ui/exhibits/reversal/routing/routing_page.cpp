// SPDX-License-Identifier: Apache-2.0
// See routing_page.h: what the page follows, its input, panel, numbers and words.
#include "ui/exhibits/reversal/routing/routing_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr int kLongest = 1 << 20;  // places that a pair can have where no model says how long it reads

}  // namespace

void RoutingPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared& live) {
  TimedPage::read(document, registry, live);
  registry.read(document, *this);
}

reversal::Pair RoutingPage::pairOf(const Document& document) const {
  const auto number = [&document](const char* key, int fallback) {
    const Json& value = document.at(key);
    return value.is_number() ? static_cast<int>(value.get<double>()) : fallback;
  };
  return {letter_, number("reversal.routing.first", kFirst), number("reversal.routing.second", kSecond),
          opened() ? opened()->length() : kLongest};
}

Result<void> RoutingPage::placesFit(const Document& with) const {
  return reversal::check(pairOf(with));
}

/// The model: of the run shown; where runs ship without their weights, one that ships with them.
void RoutingPage::open(const ReversalFrame& frame, ExhibitContext& context) {
  const ReversalShared& shared = frame.shared;
  if (shared.wantModel) shared.wantModel();
  const RacingRun* const racing = shownRun(shared);
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(shownFolder_, folder) != folder) opening_.clear();
  opening_.refresh(context.jobs);
  if (opening_.pending()) return;  // a run reports faster than a model is opened
  OpenAsk ask;
  ask.positions = switches_.positions;
  std::string none;
  if (racing)
    ask.model = modelRequest(
        *racing, shared, {}, data_,
        opening_.requested() && opening_.requested()->model ? &*opening_.requested()->model : nullptr, none);
  if (!ask.model && (shared.shipped || !racing) && !shared.assets.empty()) {
    const bool causal = racing && racing->run && racing->run->config() && racing->run->config()->model.causal;
    ask.folder = shared.assets + (causal ? "/models/arm" : "/models/mdm");
  }
  if (!ask.model && ask.folder.empty()) return opening_.clear(none.empty() ? noRunsSentence(shared) : none);
  opening_.ask(context.jobs, std::move(ask), tr("opening the model"),
               [](const OpenAsk& asked, auto&) { return openModel(asked); });
}

void RoutingPage::answer(ExhibitContext& context) {
  answering_.refresh(context.jobs);
  if (!opened() || !opened()->masks()) return answering_.clear();
  if (answering_.pending() && answering_.requested()->switches == switches_) return;  // of a step before: it ends first
  answering_.ask(context.jobs, {opening_.value(), switches_}, tr("answers to all pairs"),
                 [](const AnswersAsk& ask, auto& output) {
                   return switchedAnswers(ask, [&output] { return output.cancelled(); });
                 });
}

/// In the frame itself: what is dragged is seen at once.
void RoutingPage::compute() {
  if (!opened()) {
    view_.reset();
    viewOf_ = nullptr;
    return;
  }
  const reversal::Pair pair{letter_, first_, second_, opened()->length()};
  if (viewOf_ == opening_.value() && viewPair_ == pair && viewSwitches_ == switches_) return;
  viewOf_ = opening_.value(), viewPair_ = pair, viewSwitches_ = switches_;
  results_.changed();
  view_.reset();
  misfit_.clear();
  if (const Result<void> fits = reversal::check(pair); !fits)
    misfit_ = fits.error().sentence;
  else
    view_ = makeRouting(*opened(), pair, switches_);
}

void RoutingPage::ask(const ReversalFrame& frame, ExhibitContext& context) {
  open(frame, context);
  answer(context);
  compute();
}

std::string RoutingPage::sentence() const {
  return opened() ? misfit_ : opening_.sentence();
}

std::optional<RoutingPage::End> RoutingPage::endAt(const Hit& hit) const {
  if (!hit.place || !view_) return std::nullopt;
  if (*hit.place == first_) return End::First;
  if (*hit.place == second_) return End::Second;
  return std::nullopt;
}

/// What refuses a place is said once, and all stays as it is.
std::optional<PictureGrip> RoutingPage::gripAt(const ViewPlace& place, render::Point page) const {
  const std::optional<Hit> hit = hitAt(place, page);
  const std::optional<End> end = hit ? endAt(*hit) : std::nullopt;
  if (!end) return std::nullopt;
  const Half half = halvesOf(place.box, place.theme)[static_cast<std::size_t>(hit->direction)];
  const auto drag = [this, first = *end == End::First, left = half.strip.min.x, cell = std::max(half.cell, 1.0),
                     refused = -1](Editor& editor, render::Point at) mutable {
    if (!view_) return;
    const int to = std::clamp(static_cast<int>(std::floor((at.x - left) / cell)), 0, view_->pair.length - 1);
    if (to == (first ? first_ : second_) || to == refused) return;
    const Result<void> done = editor.set(first ? "reversal.routing.first" : "reversal.routing.second",
                                         static_cast<double>(to), "reversal.routing.drag");
    refused = done ? -1 : to;
    if (!done) editor.say(done.error().sentence);
  };
  return PictureGrip{drag};
}

std::int64_t RoutingPage::branchStep(const ReversalShared& shared) const {
  const RacingRun* const racing = shownRun(shared);
  if (!racing || !racing->run || !racing->run->config() || !opened() || opened()->ships) return -1;
  return lastUntil(racing->run->savedSteps(), opened()->step);
}

void RoutingPage::branch(const ReversalFrame& frame, ExhibitContext& context, const std::string& group) const {
  const std::int64_t step = branchStep(frame.shared);
  if (step < 0) return context.editor.say(tr("There is no saved step of a run to train on from."));
  const RacingRun& racing = *shownRun(frame.shared);
  frame.shared.addRun(context, {frozenBranch(*racing.run->config(), group, step), racing.folder, step}, AddTo::Race);
}

std::vector<ReversalPage::Command> RoutingPage::commands(const ReversalShared& shared, const Document& document) {
  std::vector<Command> all = TimedPage::commands(shared, document);
  const char* const menu = tr("Exhibit");
  const bool there = branchStep(shared) >= 0;
  const auto freezing = [this](const char* group) {
    return [this, group](const ReversalFrame& frame, ExhibitContext& context) { branch(frame, context, group); };
  };
  all.push_back(
      {"reversal.routing-freeze-storage", tr("Train on with storage frozen"), "", menu, there, freezing("storage")});
  all.push_back(
      {"reversal.routing-freeze-routing", tr("Train on with routing frozen"), "", menu, there, freezing("routing")});
  return all;
}

void RoutingPage::panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Pair"), "reversal.routing.", {"letter", "first", "second"});
  panel.group(tr("Switches"), "reversal.routing.",
              {"attention", "order", "encoding", "own.forward", "own.reverse", "switched.forward", "switched.reverse"});
  const bool there = branchStep(frame.shared) >= 0;
  if (panel.button(tr("Train on, storage frozen"), "reversal.routing-freeze-storage", there))
    branch(frame, context, "storage");
  if (panel.button(tr("Train on, routing frozen"), "reversal.routing-freeze-routing", there))
    branch(frame, context, "routing");
  for (const reversal::Direction direction : reversal::kDirections) {
    panel.heading(direction == reversal::Direction::Forward ? tr("Forward query") : tr("Reverse query"));
    for (const char* const key : {"answer", "probability", "alpha", "storage", "predicted", "residual", "feed_forward",
                                  "norms", "biases", "logit"})
      panel.row(fmt::format("reversal.routing.{}.{}", reversal::directionWord(direction), key));
  }
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Both queries hide the small letter and show its capital, with the two places exchanged. The model attends from "
      "[M] to all places (routing), and each token it attends to adds its column of Y to the logits (storage). The "
      "sum of their products is an exact part of the logit of the model; the other parts go past the attention."));
  panel.sentence(tr(
      "The paper's layer has no residual stream, no feed-forward part and no norm: there the sum is the whole logit. "
      "Y here holds the norms' gains and W_O, which stand on the same path of the trained model."));
}

std::vector<std::pair<std::string, std::string>> RoutingPage::gestures() const {
  return {{tr("drag [M] or the letter"), tr("move it along the sequence, in both queries")},
          {tr("hover over a bar"), tr("read its value")}};
}

std::string RoutingPage::factsOf() const {
  if (!opened()) return {};
  std::string facts = opened()->ships ? trFormat("{}, which ships with the program", opened()->name) : opened()->name;
  if (opened()->step >= 0) facts += ", " + trFormat("step {}", stepText(opened()->step));
  return facts;
}

std::string RoutingPage::caption(const ReversalShared& shared) const {
  if (!opened() || !view_) return raceCaption(shared);
  return trFormat("{}: attention and storage of both queries of the letter {}, places {} and {}.", factsOf(),
                  tokenWord(view_->pair.small()), first_, second_);
}

Numbers RoutingPage::numbers(const ReversalShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (!view_) return numbers;
  std::vector<std::string> direction, token, output;
  std::vector<std::string> columnDirection;
  std::vector<double> place, alpha, product, Y, predicted, actual;
  for (const reversal::Direction one : reversal::kDirections) {
    const RoutedQuery& of = view_->of(one);
    for (std::size_t k = 0; k < of.query.tokens.size(); ++k) {
      direction.emplace_back(reversal::directionWord(one));
      place.push_back(static_cast<double>(k));
      token.push_back(tokenWord(of.query.tokens[k]));
      alpha.push_back(of.route.alpha[static_cast<Eigen::Index>(k)]);
      product.push_back(of.route.contributions[static_cast<Eigen::Index>(k)]);
    }
    for (Eigen::Index t = 0; t < data::kPairVocabulary; ++t) {
      columnDirection.emplace_back(reversal::directionWord(one));
      output.push_back(tokenWord(static_cast<std::int32_t>(t)));
      Y.push_back(of.route.column[t]);
      predicted.push_back(of.route.predicted[t]);
      actual.push_back(of.route.actual[t]);
    }
  }
  numbers.tables.push_back({"routing",
                            {{"direction", "", std::move(direction)},
                             {"place", "", std::move(place)},
                             {"token", "", std::move(token)},
                             {"alpha", "", std::move(alpha)},
                             {"product", "", std::move(product)}}});
  numbers.tables.push_back({"storage",
                            {{"direction", "", std::move(columnDirection)},
                             {"output", "", std::move(output)},
                             {"Y", "", std::move(Y)},
                             {"predicted", "", std::move(predicted)},
                             {"logit", "", std::move(actual)}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeRoutingPage() {
  return std::make_unique<RoutingPage>();
}

}  // namespace sepx::ui
