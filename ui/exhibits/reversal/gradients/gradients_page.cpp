// SPDX-License-Identifier: Apache-2.0
// See gradients_page.h.
#include "ui/exhibits/reversal/gradients/gradients_page.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/reversal/gradients/gradients_scene.h"
#include "ui/properties/declarations.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/views/left_out.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

void GradientsPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, choice_);
}

void GradientsPage::measure(const RaceShared& shared, ExhibitContext& context) {
  measured_.refresh(context.jobs);
  singles_.refresh(context.jobs);
  if (measured_.pending()) return;  // it ends first: a slider moves faster than gradients are computed
  std::string missing;
  std::optional<ShownModel> model =
      shownModel(shared, data_, measured_.requested() ? &measured_.requested()->model : nullptr, missing);
  if (!model) return measured_.clear(std::move(missing));
  if (!singles_.pending())
    singles_.ask(context.jobs, {*model, choice_.rate}, tr("counting signs"),
                 [](const SinglesRequest& request, auto& output) {
                   return measureSingles(request, [&output](double share) {
                     output.progress(share);
                     return !output.cancelled();
                   });
                 });
  GradientsRequest wanted = choice_;
  wanted.model = *std::move(model);
  measured_.ask(context.jobs, std::move(wanted), tr("computing gradients"),
                [](const GradientsRequest& request, auto& output) {
                  return measureGradients(request, [&output](double share) {
                    output.progress(share);
                    return !output.cancelled();
                  });
                });
}

void GradientsPage::follow(const RacingRun& racing, ExhibitContext& context) {
  history_.refresh(context.jobs);
  if (!racing.run || !racing.run->config() || racing.run->savedSteps().empty() || history_.pending()) return;
  CosineHistoryRequest wanted{racing.folder, *racing.run->config(), racing.run->savedSteps(), data_, history_.value()};
  history_.ask(context.jobs, std::move(wanted), tr("computing gradients at the saved steps"),
               [](const CosineHistoryRequest& request, auto& output) -> Result<void> {
                 const Result<void> made =
                     measureHistory(request, [&output](HistoryPointer history, double share, bool last) {
                       output.progress(share);
                       return output.publish(std::move(history), last);
                     });
                 if (!made && !output.cancelled()) output.finish(tl::unexpected(made.error()));
                 return {};
               });
}

void GradientsPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  const RacingRun* const racing = shownRun(frame.shared);
  if (std::exchange(folder_, racing ? racing->folder : std::string()) != folder_) {
    measured_.clear();
    singles_.clear();
    history_.clear();
  }
  measure(frame.shared, context);
  if (racing) follow(*racing, context);
}

std::string GradientsPage::failure() const {
  if (result()) return {};
  return measured_.pending() ? std::string(tr("The gradients are being computed…")) : measured_.sentence();
}

std::string GradientsPage::historySentence() const {
  const CosineHistory* const past = history_.value().get();
  if (!past || past->steps.empty())
    return history_.sentence().empty() ? std::string(tr("Gradients at the saved steps are being computed…"))
                                       : history_.sentence();
  return trFormat(
      "Weights of this run are saved at one step, {}: the gradients of the mean loss of {} pairs have a cosine of {} "
      "there. A run with more saved steps has a curve here.",
      stepText(past->steps.front()), kMeanPairs, shownFixed(past->alignments.front().all.cosine(), 3));
}

std::string GradientsPage::title() const {
  if (result()->pairs > 1) return trFormat("{}: mean loss of {} pairs", result()->title, result()->pairs);
  return trFormat("{}: {} and {} in {} tokens, letter at {}, capital at {}", result()->title,
                  std::string(1, static_cast<char>('a' + result()->pair.letter)),
                  std::string(1, static_cast<char>('A' + result()->pair.letter)), result()->length,
                  result()->pair.lower, result()->pair.upper);
}

/// Adds the curve over the steps if more than one step is saved. Returns whether it did.
bool GradientsPage::addSteps(Views& made, const RaceFrame& frame) const {
  const CosineHistory* const past = history_.value().get();
  if (!history_.requested() || history_.requested()->steps.size() == 1 || !past || past->steps.empty()) return false;
  ChartContent steps{historyChart(*past, static_cast<double>(frame.shared.end), frame.theme), {}, {}, {}};
  showSteps(steps, frame);
  made.views.push_back({"steps", std::move(steps)});
  return true;
}

/// `stepsShown`: whether the curve over the steps is shown.
TextContent GradientsPage::facts(const RaceFrame& frame, double width, bool stepsShown) const {
  constexpr double kRoomyHeight = 46, kRoomyWidth = 30, kNames = 0.52, kMostNames = 15;  // text sizes; kNames: share
  const Theme& theme = frame.theme;
  TextContent facts{.lines = factLines(*result(), singles_.value().get())};
  facts.large = frame.area.height() > kRoomyHeight * theme.textSize && width > kRoomyWidth * theme.textSize;
  facts.columns = std::min(kMostNames, kNames * width / (facts.large ? theme.textSize : theme.smallSize));
  facts.scrolls = !frame.figure;
  if (!stepsShown && history_.requested() && !frame.figure) {
    facts.lines.push_back({{tr("Over the steps")}, NoteLine::Role::Heading});
    facts.lines.push_back({{historySentence()}, NoteLine::Role::Muted});
  }
  return facts;
}

Views GradientsPage::views(const RaceFrame& frame) const {
  if (!result()) return sentenceAlone(failure());
  Views made;
  const double pad = 1.5 * frame.theme.space;
  const GradientsPointer shown = measured_.value();
  made.views.push_back({"title", TextContent{.lines = {{{title()}, NoteLine::Role::Muted}}, .oneLine = true}});
  made.views.push_back({"bars", PictureContent{.of = results_.revision(), .draw = [shown](const ViewPlace& place) {
                                                 return groupBars(*shown, place);
                                               }}});
  Arrangement title = viewNamed("title"), bars = viewNamed("bars");
  title.length = 1.5 * static_cast<double>(frame.theme.smallSize);
  made.arrangement = {.kind = Arrangement::Kind::Column, .parts = {title, bars}, .margin = pad};
  if (frame.compact) {
    if (!frame.figure) made.arrangement.parts.push_back(leftOut(tr("the charts and the numbers")));
    return made;
  }
  Arrangement charts{.kind = Arrangement::Kind::Row, .gap = pad, .weight = 0.46};
  const bool steps = addSteps(made, frame);
  if (steps) charts.parts.push_back(viewNamed("steps"));
  if (!shown->effects.empty()) {
    const auto choose = [](double rate) { return Changes{{"reversal.gradients.rate", rate}}; };
    made.views.push_back({"rates", ChartContent{ratesChart(*shown, frame.theme), {}, choose, {}}});
    charts.parts.push_back(viewNamed("rates"));
  }
  bars.weight = 0.54;
  bars.leastHeight = 18 * static_cast<double>(frame.theme.smallSize);  // ten rows, heading and axis
  charts.leastHeight = 7 * static_cast<double>(frame.theme.textSize);
  charts.order = 1;
  charts.called = tr("the charts");
  Arrangement pictures{.kind = Arrangement::Kind::Column, .parts = {bars, charts}, .gap = pad};
  Arrangement facts = viewNamed("facts");
  facts.length = std::clamp(0.36 * (frame.area.width() - 2 * pad), 250.0, 460.0);
  made.views.push_back({"facts", this->facts(frame, facts.length, steps)});
  // If the facts leave room below them, the charts use it.
  constexpr double kMostOfFacts = 0.66;  // of the height
  const double high = frame.area.height() - 3 * pad - title.length;
  const double needed = heightOf(made.views.back(), facts.length, frame.theme, frame.figure);
  if (!charts.parts.empty() && needed <= kMostOfFacts * high) {
    Arrangement upper{.kind = Arrangement::Kind::Row, .parts = {bars, std::move(facts)}, .gap = 2 * pad};
    upper.length = std::max(needed, bars.weight * high);
    charts.weight = 1;
    made.arrangement.parts.back() = {
        .kind = Arrangement::Kind::Column, .parts = {std::move(upper), std::move(charts)}, .gap = pad};
    return made;
  }
  made.arrangement.parts.back() = {.kind = Arrangement::Kind::Row, .parts = {pictures, facts}, .gap = 2 * pad};
  return made;
}

void GradientsPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Queries"), "reversal.gradients.", {"of", "letter", "lower", "upper"});
  panel.row("reversal.run");
  panel.heading(tr("A step down the forward loss"));
  panel.row("reversal.gradients.rate");
  panel.rows("reversal.gradients.", {"step.predicted", "step.measured", "cosine", "single"});
  panel.group(tr("Storage"), "reversal.gradients.",
              {"storage.cosine", "storage.errors", "storage.masses", "storage.column"});
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Both queries ask for the small letter A at [M] from the capital B: in the forward query B is to the right of "
      "[M], as in training, in the reverse query to the left. Gradients are those of the trained model without "
      "dropout; the diamonds show what the appendix of the paper gives for an idealised layer with this attention and "
      "these vectors. It says nothing about W_O, the MLP and the norms, which that layer does not have. The last "
      "column is what a group contributes to the cosine over all parameters."));
  panel.sentence(
      tr("A click in the chart of rates selects η. The prediction is of first order: where the measured changes "
         "depart from it, the step is too long for it."));
  if (frame.shared.shipped)
    panel.sentence(
        tr("The runs that ship with the program have numbers but no weights. Instead, a small model that also ships "
           "is measured. Train one to follow its gradients."));
}

std::string GradientsPage::caption(const RaceShared& shared) const {
  if (!result()) return raceCaption(shared);
  return trFormat("{}: cosine of the gradients of the forward and the reverse loss by group of parameters.",
                  result()->title);
}

Numbers GradientsPage::numbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (const GradientsResult* const shown = result()) {
    std::vector<std::string> names;
    std::vector<double> cosines, ideal, products;
    for (std::size_t i = 0; i < nn::kParameterGroups; ++i) {
      const auto group = static_cast<nn::ParameterGroup>(i);
      names.emplace_back(nn::groupWord(group));
      cosines.push_back(shown->alignment.of(group).cosine());
      ideal.push_back(idealisedCosine(*shown, group));
      products.push_back(shown->alignment.of(group).product);
    }
    numbers.tables.push_back({"gradients",
                              {{"group", "", std::move(names)},
                               {"cosine", "", std::move(cosines)},
                               {"idealised_cosine", "", std::move(ideal)},
                               {"product", "", std::move(products)}}});
  }
  const CosineHistory* const past = history_.value().get();
  if (!past) return numbers;
  std::vector<double> steps, cosines;
  for (std::size_t i = 0; i < past->steps.size(); ++i) {
    steps.push_back(static_cast<double>(past->steps[i]));
    cosines.push_back(past->alignments[i].all.cosine());
  }
  numbers.tables.push_back({"cosine_by_step", {{"step", "", std::move(steps)}, {"cosine", "", std::move(cosines)}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeGradientsPage() {
  return std::make_unique<GradientsPage>();
}

// The properties and read-outs of the page Gradients.

namespace {

constexpr const char *kFirstOrder = "Reversal, section 4.3", *kTheorem = "Reversal, Theorem 4.6",
                     *kCosine = "Reversal, C.1", *kSigns = "Reversal, Proposition 4.1";

double shareOf(std::int64_t count, std::int64_t of) {
  return of > 0 ? static_cast<double>(count) / static_cast<double>(of) : std::nan("");
}

}  // namespace

// clang-format off
void GradientsPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const auto apart = [](const Document&, const Document& with) -> Result<Document> {
    const Json &lower = with.at("reversal.gradients.lower"), &upper = with.at("reversal.gradients.upper");
    const double first = lower.is_number() ? lower.get<double>() : 0, last = upper.is_number() ? upper.get<double>() : 4;
    if (first < last) return with;
    return fail(ErrorKind::Usage, tr("the small letter comes before its capital, as in training: its position must be "
                                     "the smaller one"));
  };
  declareParameters(registry, {.prefix = "reversal.gradients.", .applies = here}, {
      {.key = "of",
       .into = &GradientsRequest::of,
       .label = N_("Loss of"), .options = {{"pair", N_("one pair")}, {"mean", N_("mean of 52 pairs")}},
       .help = N_("Whose loss is differentiated: that of the selected pair, or the mean over 52 pairs, in which every "
                  "letter occurs twice and the positions vary. A mean hides that single pairs may be less aligned.")},
      {.key = "letter",
       .into = &GradientsRequest::letter,
       .label = N_("Letter"), .kind = Kind::Integer, .min = 0, .max = 25, .step = 1, .fallback = 3.0,
       .help = N_("The letter of the selected pair: 0 is a, 25 is z.")},
      {.key = "lower",
       .into = &GradientsRequest::lower,
       .label = N_("Letter at"), .kind = Kind::Integer, .min = 0, .max = 4095, .step = 1,
       .fallback = 0.0, .help = N_("The position of the small letter in training, counted from 0: that of [M] in the forward query."),
       .follow = apart},
      {.key = "upper",
       .into = &GradientsRequest::upper,
       .label = N_("Capital at"), .kind = Kind::Integer, .min = 1, .max = 4095, .step = 1,
       .fallback = 4.0, .help = N_("The position of the capital in training, counted from 0: that of [M] in the reverse query."),
       .follow = apart},
      {.key = "rate",
       .into = &GradientsRequest::rate,
       .label = N_("Step"), .symbol = "η", .min = 1e-8, .max = 10, .scale = Scale::Logarithmic,
       .digits = 6, .fallback = 1e-3,
       .help = N_("The step length: the parameters move by −η times the gradient of the forward loss. It is a plain "
                  "gradient step, not a step of the optimiser; the run is not changed."),
       .equation = kFirstOrder}});
  declareResults(registry);
  declareGroups(registry);
}

void GradientsPage::declareResults(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const Getters of([this](int) { return result(); });
  const Getters storage([this](int) { return result() && result()->factors ? &*result()->factors : nullptr; });
  const Getters singles([this](int) { return singles_.value().get(); });
  const Getters signs([this](int) {
    return singles_.value() && singles_.value()->signs ? &*singles_.value()->signs : nullptr;
  });
  using reversal::StorageSigns;
  declareReadOuts(registry, {.prefix = "reversal.gradients.", .applies = here}, {
      {.key = "at", .label = N_("Step of the gradients"), .help = N_("The saved or live step whose model is shown."),
       .digits = 0, .get = of(&GradientsResult::step)},
      {.key = "pairs", .label = N_("Pairs"), .help = N_("The pairs whose mean loss is differentiated."), .digits = 0,
       .get = of(&GradientsResult::pairs)},
      {.key = "cosine", .label = N_("Cosine"),
       .help = N_("The cosine of the gradients of the forward and of the reverse loss over all parameters. The paper measures "
                  "more than 0.6 during training."),
       .equation = "Reversal, Figure 3", .formula = "\\cos(\\nabla L_{fwd},\\,\\nabla L_{rev})", .digits = 4,
       .get = of([](const GradientsResult& result) { return result.alignment.all.cosine(); })},
      {.key = "single", .label = N_("Single pairs"),
       .help = N_("The mean over 52 pairs of the cosine of each pair's own gradients."), .digits = 4,
       .get = singles(&SinglePairs::cosine)},
      {.key = "forward_loss", .label = N_("Forward loss"), .unit = N_("nats"), .help = N_("−log p(A) of the forward query."),
       .digits = 4, .get = of([](const GradientsResult& result) { return result.alignment.forwardLoss; })},
      {.key = "reverse_loss", .label = N_("Reverse loss"), .unit = N_("nats"), .help = N_("−log p(A) of the reverse query."),
       .digits = 4, .get = of([](const GradientsResult& result) { return result.alignment.reverseLoss; })},
      {.key = "step.predicted", .label = N_("Predicted"), .unit = N_("nats"),
       .help = N_("The change of the reverse loss by a step down the forward loss, to first order."), .equation = kFirstOrder,
       .formula = "-\\eta\\langle\\nabla L_{rev},\\,\\nabla L_{fwd}\\rangle",
       .get = of([](const GradientsResult& result) { return result.effect.reversePredicted; }), .numberWords = formatReading},
      {.key = "step.measured", .label = N_("Measured"), .unit = N_("nats"),
       .help = N_("The reverse loss after the step minus that before it, for the selected η."), .equation = kFirstOrder,
       .get = of([](const GradientsResult& result) { return result.effect.reverse; }), .numberWords = formatReading},
      {.key = "storage.cosine", .label = N_("Cosine w.r.t. Y"),
       .help = N_("The cosine of both gradients with respect to Y, with the attention and the predictions of this "
                  "model: exactly the product of the two cosines below."),
       .equation = kCosine, .formula = "\\cos(p-e_A,\\,p'-e_A)\\,\\cos(m,\\,m')", .digits = 4,
       .get = storage(&reversal::StorageFactors::cosine)},
      {.key = "storage.errors", .label = N_("Cosine of the errors"),
       .help = N_("The cosine of p − e_A in both queries. Ours: it is never below 1/2."), .equation = kCosine,
       .errata = {"rev-9"}, .digits = 4,
       .get = storage(&reversal::StorageFactors::errorCosine)},
      {.key = "storage.masses", .label = N_("Cosine of the masses"),
       .help = N_("The cosine of the attention by token in both queries."), .equation = kCosine, .digits = 4,
       .get = storage(&reversal::StorageFactors::massCosine)},
      {.key = "storage.column", .label = N_("Column of B"),
       .help = N_("The inner product of both gradients with respect to the column of Y that belongs to the capital: always above 0."),
       .equation = kTheorem, .formula = "m_B\\,m'_B\\,\\langle p-e_A,\\,p'-e_A\\rangle",
       .get = storage(&reversal::StorageFactors::columnProduct), .numberWords = formatReading},
      {.key = "signs.rises", .label = N_("Y_AB rises"),
       .help = N_("The share of 52 pairs in which a step down the forward loss raises Y_AB. Where Y itself is the parameter it is "
                  "1; here all parameters of a trained model move."),
       .equation = kSigns, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.rises, s.pairs); })},
      {.key = "signs.falls", .label = N_("Y_CB falls"),
       .help = N_("The share of the entries Y_CB, C ≠ A, that such a step lowers."), .equation = kSigns, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.falls, s.others); })},
      {.key = "signs.forward", .label = N_("More attention to B helps, forward"),
       .help = N_("The share of the pairs with ∂L/∂S_B below 0 in the forward query."), .equation = kCosine, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.forwardHelps, s.pairs); })},
      {.key = "signs.reverse", .label = N_("More attention to B helps, reverse"),
       .help = N_("The share of the pairs with ∂L/∂S_B below 0 in the reverse query."), .equation = kCosine, .digits = 3,
       .get = signs([](const StorageSigns& s) { return shareOf(s.reverseHelps, s.pairs); })},
      {.key = "signs.same", .label = N_("Same sign in both"),
       .help = N_("The share of the pairs in which ∂L/∂S_B has the same sign in both queries. C.1 argues that it "
                  "does, once B is useful in both."),
       .equation = kCosine, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.sameSign, s.pairs); })},
      {.key = "signs.formula", .label = N_("∂L/∂S as in the formula"),
       .help = N_("The share of all ∂L/∂S_k, over positions and both queries, whose sign is that of α_k (μ_k − Σ α μ) "
                  "with the storage of this model. The formula leaves out the residual path, the MLP and the norms."),
       .equation = kCosine, .digits = 3, .get = signs([](const StorageSigns& s) { return shareOf(s.agrees, s.scores); })},
      {.key = "failure", .label = N_("Why there are no gradients"), .help = N_("Why nothing can be measured; empty if there is a result."),
       .get = [this](int) { return Value(failure()); }}});
}

/// Declares the cosine of each group of parameters, measured and idealised.
void GradientsPage::declareGroups(PropertyRegistry& registry) {
  const Condition here = onPages("reversal.page", "race", {"gradients"});
  const Getters of([this](int) { return result(); });
  std::vector<ReadOut> rows;
  for (std::size_t i = 0; i < nn::kParameterGroups; ++i) {
    const auto group = static_cast<nn::ParameterGroup>(i);
    rows.push_back({.key = "cosine." + std::string(nn::groupWord(group)), .label = N_("Cosine of a group"),
                    .help = N_("The cosine of both gradients over the parameters of this group alone."),
                    .equation = "Reversal, Figure 3", .digits = 4,
                    .get = of([group](const GradientsResult& result) { return result.alignment.of(group).cosine(); }), .detail = true});
    rows.push_back({.key = "idealised." + std::string(nn::groupWord(group)), .label = N_("Cosine of a group, idealised"),
                    .help = N_("The cosine that the idealised layer of the appendix gives with the attention and the "
                               "vectors of this model. That layer has one evidence token, no norm and no MLP."),
                    .equation = "Reversal, C.1, Proposition C.1", .errata = {"rev-7"}, .digits = 4,
                    .get = of([group](const GradientsResult& result) { return idealisedCosine(result, group); }), .detail = true});
  }
  declareReadOuts(registry, {.prefix = "reversal.gradients.", .applies = here}, std::move(rows));
}
// clang-format on

}  // namespace sepx::ui
