// SPDX-License-Identifier: Apache-2.0
// See routing_page.h: background work, input, panel, numbers and texts of the page.
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

constexpr int kLongest = 1 << 20;  // places of a pair while no model gives the length

}  // namespace

void RoutingPage::read(const Document& document, const PropertyRegistry& registry, const ReversalShared&) {
  registry.read(document, *this);
}

reversal::Pair RoutingPage::pairOf(const Document& document) const {
  const auto number = [&document](const char* key, int fallback) {
    const Json& value = document.at(key);
    constexpr double kFar = 2.0 * kLongest;  // no overflow, and a place out of range stays out of range
    return value.is_number() ? static_cast<int>(std::clamp(value.get<double>(), -kFar, kFar)) : fallback;
  };
  return {letter_, number("reversal.routing.first", kFirst), number("reversal.routing.second", kSecond),
          opened() ? opened()->length() : kLongest};
}

Result<void> RoutingPage::placesFit(const Document& with) const {
  return reversal::check(pairOf(with));
}

/// Opens the model of the run shown, or a shipped model if the shipped runs come without weights or no run is open.
void RoutingPage::open(const ReversalFrame& frame, ExhibitContext& context) {
  const ReversalShared& shared = frame.shared;
  if (shared.requestModel) shared.requestModel();
  const RacingRun* const racing = shownRun(shared);
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(shownFolder_, folder) != folder) opening_.clear();
  opening_.refresh(context.jobs);
  if (opening_.pending()) return;  // a run may report faster than a model is opened
  OpenModelRequest ask;
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
               [](const OpenModelRequest& asked, auto&) { return openModel(asked); });
}

void RoutingPage::answer(ExhibitContext& context) {
  answering_.refresh(context.jobs);
  if (!opened() || !opened()->masks()) return answering_.clear();
  if (answering_.pending() && answering_.requested()->switches == switches_) return;  // of an older step; it ends first
  answering_.ask(context.jobs, {opening_.value(), switches_}, tr("answers to all pairs"),
                 [](const AnswersRequest& ask, auto& output) {
                   return switchedAnswers(ask, [&output] { return output.cancelled(); });
                 });
}

/// Computed on the frame thread, so that a drag is visible at once.
void RoutingPage::compute() {
  if (!opened()) {
    result_.reset();
    viewOf_ = nullptr;
    return;
  }
  const reversal::Pair pair{letter_, first_, second_, opened()->length()};
  if (viewOf_ == opening_.value() && viewPair_ == pair && viewSwitches_ == switches_) return;
  viewOf_ = opening_.value(), viewPair_ = pair, viewSwitches_ = switches_;
  results_.changed();
  result_.reset();
  mismatch_.clear();
  if (const Result<void> fits = reversal::check(pair); !fits)
    mismatch_ = fits.error().message;
  else
    result_ = makeRouting(*opened(), pair, switches_);
}

void RoutingPage::ask(const ReversalFrame& frame, ExhibitContext& context) {
  open(frame, context);
  answer(context);
  compute();
}

std::string RoutingPage::sentence() const {
  return opened() ? mismatch_ : opening_.sentence();
}

std::optional<RoutingPage::End> RoutingPage::endAt(const Hit& hit) const {
  if (!hit.place || !result_) return std::nullopt;
  if (*hit.place == first_) return End::First;
  if (*hit.place == second_) return End::Second;
  return std::nullopt;
}

/// A refused place is reported once, and nothing changes.
std::optional<PictureGrip> RoutingPage::gripAt(const ViewPlace& place, reversal::Direction direction,
                                               render::Point page) const {
  const std::optional<Hit> hit = hitAt(place, direction, page);
  const std::optional<End> end = hit ? endAt(*hit) : std::nullopt;
  if (!end) return std::nullopt;
  const Half half = halfOf(place.box, place.theme);
  const auto drag = [this, first = *end == End::First, left = half.strip.min.x, cell = std::max(half.cell, 1.0),
                     refused = -1](Editor& editor, render::Point at, bool) mutable {
    if (!result_) return;
    const int to = std::clamp(static_cast<int>(std::floor((at.x - left) / cell)), 0, result_->pair.length - 1);
    if (to == (first ? first_ : second_) || to == refused) return;
    const Result<void> done = editor.set(first ? "reversal.routing.first" : "reversal.routing.second",
                                         static_cast<double>(to), "reversal.routing.drag");
    refused = done ? -1 : to;
    if (!done) editor.say(done.error().message);
  };
  return PictureGrip{drag};
}

std::int64_t RoutingPage::branchStep(const ReversalShared& shared) const {
  const RacingRun* const racing = shownRun(shared);
  if (!racing || !racing->run || !racing->run->config() || !opened() || opened()->ships) return -1;
  return lastAtOrBefore(racing->run->savedSteps(), opened()->step);
}

void RoutingPage::branch(const ReversalFrame& frame, ExhibitContext& context, const std::string& group) const {
  const std::int64_t step = branchStep(frame.shared);
  if (step < 0) return context.editor.say(tr("There is no saved step from which training could continue."));
  const RacingRun& racing = *shownRun(frame.shared);
  frame.shared.addRun(context, {frozenBranch(*racing.run->config(), group, step), racing.folder, step}, AddTo::Race);
}

std::vector<ReversalPage::Command> RoutingPage::commands(const ReversalShared& shared, const Document& document) {
  std::vector<Command> all = RacePage::commands(shared, document);
  const char* const menu = tr("Exhibit");
  const bool there = branchStep(shared) >= 0;
  const auto freezing = [this](const char* group) {
    return [this, group](const ReversalFrame& frame, ExhibitContext& context) { branch(frame, context, group); };
  };
  all.push_back(
      {"reversal.routing-freeze-storage", tr("Continue with storage frozen"), "", menu, there, freezing("storage")});
  all.push_back(
      {"reversal.routing-freeze-routing", tr("Continue with routing frozen"), "", menu, there, freezing("routing")});
  return all;
}

void RoutingPage::panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Pair"), "reversal.routing.", {"letter", "first", "second"});
  panel.group(tr("Switches"), "reversal.routing.",
              {"attention", "order", "encoding", "own.forward", "own.reverse", "switched.forward", "switched.reverse"});
  const bool there = branchStep(frame.shared) >= 0;
  if (panel.button(tr("Continue, storage frozen"), "reversal.routing-freeze-storage", there))
    branch(frame, context, "storage");
  if (panel.button(tr("Continue, routing frozen"), "reversal.routing-freeze-routing", there))
    branch(frame, context, "routing");
  for (const reversal::Direction direction : reversal::kDirections) {
    panel.heading(direction == reversal::Direction::Forward ? tr("Forward query") : tr("Reverse query"));
    for (const char* const key : {"answer", "probability", "alpha", "storage", "predicted", "residual", "feed_forward",
                                  "norms", "biases", "logit"})
      panel.row(fmt::format("reversal.routing.{}.{}", reversal::directionWord(direction), key));
  }
  panel.heading(tr("What is shown"));
  panel.sentence(
      tr("Both queries hide the small letter and show its capital, with the two positions exchanged. The model attends "
         "from [M] to all positions (routing), and each token it attends to adds its column of Y to the logits "
         "(storage). The sum of their products is an exact part of the logit of the model; the other parts bypass the "
         "attention."));
  panel.sentence(tr(
      "The paper's layer has no residual stream, no feed-forward part and no norm: there the sum is the whole logit. "
      "Here Y includes the norms' gains and W_O, which are on the same path of the trained model."));
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
  if (!opened() || !result_) return raceCaption(shared);
  return trFormat("{}: attention and storage of both queries of the letter {}, positions {} and {}.", factsOf(),
                  tokenWord(result_->pair.small()), first_, second_);
}

Numbers RoutingPage::numbers(const ReversalShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (!result_) return numbers;
  std::vector<std::string> direction, token, output;
  std::vector<std::string> columnDirection;
  std::vector<double> place, alpha, product, Y, predicted, actual;
  for (const reversal::Direction one : reversal::kDirections) {
    const RoutedQuery& of = result_->of(one);
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

// The properties and read-outs of the page Routing.

// clang-format off
void RoutingPage::declare(PropertyRegistry& registry, const ReversalShared&) {
  const Condition here = onPages("reversal.page", "race", {"routing"});
  constexpr const char* kPaper = "Reversal, section 3";
  Options letters;
  for (char c = 'a'; c <= 'z'; ++c)
    letters.emplace_back(std::string(1, c), std::string(1, c));
  const auto fits = [this](const Document&, const Document& with) -> Result<Document> {
    if (const Result<void> fine = placesFit(with); !fine) return fail(fine.error().kind, fine.error().message);
    return with;
  };
  const auto encode = [](RoutingPage& page, const Value& word) {
    std::optional<nn::Positions>& positions = page.switches_.positions;
    positions.reset();
    for (const auto& [known, meant] : {std::pair{"none", nn::Positions::None}, std::pair{"rope", nn::Positions::Rope},
                                       std::pair{"alibi", nn::Positions::Alibi}, std::pair{"sinusoidal", nn::Positions::Sinusoidal}})
      if (toString(word) == known) positions = meant;
  };
  declareParameters(registry, {.prefix = "reversal.routing.", .applies = here}, {
      {.key = "letter", .into = &RoutingPage::letter_, .label = N_("Letter"), .options = letters, .fallback = "d",
       .help = N_("The letter of the pair. Both queries hide the small letter and show the capital.")},
      {.key = "first",
       .into = &RoutingPage::first_,
       .label = N_("First position"), .kind = Kind::Integer, .min = 0, .max = 1e6, .step = 1, .fallback = static_cast<double>(kFirst),
       .help = N_("The first position, counted from 0: that of [M] in the forward query, that of the capital in the reverse query. Drag it in the picture."),
       .follow = fits},
      {.key = "second",
       .into = &RoutingPage::second_,
       .label = N_("Second position"), .kind = Kind::Integer, .min = 0, .max = 1e6, .step = 1, .fallback = static_cast<double>(kSecond),
       .help = N_("The second position: that of the capital in the forward query, that of [M] in the reverse query. Drag it in the picture."),
       .follow = fits},
      {.key = "attention",
       .into = {&RoutingPage::switches_, &reversal::Switches::transplant},
       .label = N_("Attention"), .options = {{"own", N_("its own")}, {"other", N_("of the other query")}},
       .help = N_("With “of the other query”, each query attends as the other one does, token by token. Under a "
                  "relative encoding only the attention depends on the direction, so the two queries then exchange "
                  "their answers.")},
      {.key = "order",
       .into = {&RoutingPage::switches_, &reversal::Switches::shuffle},
       .label = N_("Positions"), .options = {{"kept", N_("in order")}, {"shuffled", N_("shuffled")}},
       .help = N_("Shuffled: the position encoding treats the tokens of each sequence as if they were in a random order.")},
      {.key = "encoding", .into = Into::by<RoutingPage>(encode), .label = N_("Encoding"),
       .options = {{"trained", N_("as trained")}, {"none", N_("none")}, {"rope", N_("RoPE")}, {"alibi", N_("ALiBi")}, {"sinusoidal", N_("sinusoidal")}},
       .help = N_("Encodes positions in the trained model differently than in training; nothing is trained again."),
       .errata = {"rev-6"}}});

  const auto ofModel = Getters([this](int) { return opened(); });
  declareReadOuts(registry, {.prefix = "reversal.routing.", .applies = here}, {
      {.key = "model", .label = N_("Model"), .help = N_("The model that answers: that of the run shown, or one that ships with the program if no run has weights."),
       .get = ofModel(&OpenedModel::name)},
      {.key = "step", .label = N_("Step of the model"), .help = N_("The step of the live run, or of the newest checkpoint at or before the step shown; none for a model that ships with the program."),
       .digits = 0, .get = ofModel([](const OpenedModel& model) { return model.step < 0 ? std::nan("") : static_cast<double>(model.step); })},
      {.key = "length", .label = N_("Length"), .symbol = "L", .help = N_("Tokens of a sequence."), .digits = 0, .get = ofModel(&OpenedModel::length)},
      {.key = "failure", .label = N_("Why nothing is shown"), .help = N_("Why there is no model, or why the pair does not fit it; empty if there is a result."),
       .get = Getters([this](int) { return this; })([](const RoutingPage& page) { return page.result_ ? std::string() : page.sentence(); })}});

  const auto measured = [this](reversal::AccuracyReport SwitchedAnswers::*which, reversal::Direction direction, double reversal::Answers::*what) {
    return Getters([this](int) { return answering_.value().get(); })(
        [=](const SwitchedAnswers& answers) { return (answers.*which).of(direction).*what; });
  };
  struct Measured { const char *prefix, *forward, *reverse, *help; reversal::AccuracyReport SwitchedAnswers::*which; };
  for (const Measured& row : {Measured{"own", N_("Forward"), N_("Reverse"), N_("Share of the pairs, at most 1,170 of them, that the model answers correctly as it was trained."), &SwitchedAnswers::own},
                              Measured{"switched", N_("Forward, switched"), N_("Reverse, switched"), N_("Share of the pairs that the model answers correctly with the switches above."), &SwitchedAnswers::switched}}) {
    using reversal::Answers, reversal::Direction;
    declareReadOuts(registry, {.prefix = std::string("reversal.routing.") + row.prefix + ".", .applies = here}, {
        {.key = "forward", .label = row.forward, .help = row.help, .digits = 4, .get = measured(row.which, Direction::Forward, &Answers::accuracy)},
        {.key = "reverse", .label = row.reverse, .help = row.help, .digits = 4, .get = measured(row.which, Direction::Reverse, &Answers::accuracy)},
        {.key = "forward_letters", .label = N_("Forward, letters only"), .help = N_("The same where only small letters may be the answer."), .digits = 4,
         .get = measured(row.which, Direction::Forward, &Answers::letters), .detail = true},
        {.key = "reverse_letters", .label = N_("Reverse, letters only"), .help = N_("The same where only small letters may be the answer."), .digits = 4,
         .get = measured(row.which, Direction::Reverse, &Answers::letters), .detail = true}});
  }

  for (const reversal::Direction direction : reversal::kDirections) {
    const auto of = Getters([this, direction](int) { return result_ ? &result_->of(direction) : nullptr; });
    const auto part = [of](double reversal::LogitParts::*member) {
      return of([member](const RoutedQuery& one) { return one.route.target.*member; });
    };
    std::vector<ReadOut> rows{
        {.key = "answer", .label = N_("Answer"), .help = N_("The token of the largest logit other than [M]."), .get = of([](const RoutedQuery& one) { return tokenWord(one.answer); })},
        {.key = "probability", .label = N_("Probability of the target"), .help = N_("The probability of the right answer, by the softmax over all logits."), .digits = 4,
         .get = of([](const RoutedQuery& one) { return one.route.probability; })},
        {.key = "alpha", .label = N_("Attention to the letter"), .symbol = "α", .help = N_("The share of its attention that the position of [M] gives to the visible letter."),
         .formula = "\\alpha_{i,j}", .digits = 4, .get = of(&RoutedQuery::evidence)},
        {.key = "storage", .label = N_("Storage of the pair"), .symbol = "Y", .help = N_("What the visible letter adds to the logit of the target if all attention is on it, before the division by the deviation of the last norm."),
         .formula = "Y_{A,B}=(W_UW_VW_E)_{A,B}", .digits = 4, .get = of(&RoutedQuery::storage), .numberWords = formatReading},
        {.key = "predicted", .label = N_("Storage and routing"), .help = N_("The part of the target's logit that storage and routing predict: the sum over all positions."),
         .formula = "\\frac{1}{s}\\sum_k\\alpha_{i,k}Y_{A,x_k}", .digits = 4, .get = part(&reversal::LogitParts::storage), .numberWords = formatReading},
        {.key = "residual", .label = N_("Residual stream"), .help = N_("The part of the target's logit that bypasses the attention: what the last norm makes of the embedding of [M]."),
         .digits = 4, .get = part(&reversal::LogitParts::residual), .numberWords = formatReading},
        {.key = "feed_forward", .label = N_("Feed-forward part"), .help = N_("The part of the target's logit that the feed-forward part adds."), .digits = 4,
         .get = part(&reversal::LogitParts::feedForward), .numberWords = formatReading},
        {.key = "norms", .label = N_("Norms"), .help = N_("The part of the target's logit that comes from the biases of the norms."), .digits = 4, .get = part(&reversal::LogitParts::norms), .numberWords = formatReading},
        {.key = "biases", .label = N_("Biases"), .help = N_("The part of the target's logit that comes from the biases of W_V, W_O and the output layer."), .digits = 4,
         .get = part(&reversal::LogitParts::biases), .numberWords = formatReading},
        {.key = "logit", .label = N_("Logit"), .help = N_("The logit of the target as the model computes it: the sum of the parts."), .digits = 4, .get = of(&RoutedQuery::actual), .numberWords = formatReading}};
    // The numbers of both directions are in one table, so their labels name the direction.
    for (ReadOut& row : rows)
      row.liveLabel = [forward = direction == reversal::Direction::Forward, label = row.label, symbol = row.symbol](const Document&) {
        const std::string name = trEither(forward, "{}, forward", "{}, reverse", tr(label));
        return symbol.empty() ? name : name + "  " + symbol;
      };
    declareReadOuts(registry, {.prefix = std::string("reversal.routing.") + reversal::directionWord(direction) + ".", .applies = here, .equation = kPaper}, std::move(rows));
  }
}
// clang-format on

}  // namespace sepx::ui
