// SPDX-License-Identifier: Apache-2.0
// See gradients_page.h.
#include "ui/exhibits/reversal/gradients/gradients_page.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/reversal/gradients/gradients_scene.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

void GradientsPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) {
  TimedPage::read(document, registry, live);
  registry.read(document, choice_);
}

void GradientsPage::measure(const RaceShared& shared, ExhibitContext& context) {
  measured_.refresh(context.jobs);
  singles_.refresh(context.jobs);
  if (measured_.pending()) return;  // it ends first: a slider moves faster than gradients are taken
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
  measured_.ask(context.jobs, std::move(wanted), tr("taking gradients"),
                [](const GradientsRequest& request, auto&) { return measureGradients(request); });
}

void GradientsPage::follow(const RacingRun& racing, ExhibitContext& context) {
  history_.refresh(context.jobs);
  if (!racing.run || !racing.run->config() || racing.run->savedSteps().empty() || history_.pending()) return;
  CosineHistoryRequest wanted{racing.folder, *racing.run->config(), racing.run->savedSteps(), data_, history_.value()};
  history_.ask(context.jobs, std::move(wanted), tr("taking gradients at the saved steps"),
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
  if (view()) return {};
  return measured_.pending() ? std::string(tr("The gradients are being taken…")) : measured_.sentence();
}

std::string GradientsPage::historySentence() const {
  const CosineHistory* const past = history_.value().get();
  if (!past || past->steps.empty())
    return history_.sentence().empty() ? std::string(tr("Gradients at the saved steps are being taken…"))
                                       : history_.sentence();
  return trFormat(
      "Weights of this run are saved at one step, {}: the gradients of the mean loss of {} pairs have a cosine of {} "
      "there. A run with more saved steps has a curve here.",
      stepText(past->steps.front()), kMeanPairs, shownFixed(past->alignments.front().all.cosine(), 3));
}

std::string GradientsPage::title() const {
  if (view()->pairs > 1) return trFormat("{}: mean loss of {} pairs", view()->title, view()->pairs);
  return trFormat("{}: {} and {} in {} tokens, letter at {}, capital at {}", view()->title,
                  std::string(1, static_cast<char>('a' + view()->pair.letter)),
                  std::string(1, static_cast<char>('A' + view()->pair.letter)), view()->length, view()->pair.lower,
                  view()->pair.upper);
}

/// Of the curve over the steps; false: there is nothing to say of saved steps.
bool GradientsPage::addSteps(Views& made, const RaceFrame& frame) const {
  const bool oneStep = history_.requested() && history_.requested()->steps.size() == 1;
  if (!history_.requested() || (oneStep && frame.figure)) return false;
  const CosineHistory* const past = history_.value().get();
  if (!past || past->steps.empty() || oneStep) {
    made.views.push_back({"steps.sentence", TextContent{.lines = {{{historySentence()}}}, .centred = true}});
    return true;
  }
  ChartContent steps{historyChart(*past, static_cast<double>(frame.shared.end), frame.theme), {}, {}, {}};
  showSteps(steps, frame);
  made.views.push_back({"steps", std::move(steps)});
  return true;
}

Views GradientsPage::views(const RaceFrame& frame) const {
  if (!view()) return sentenceAlone(failure());
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
  if (frame.compact) return made;
  Arrangement charts{.kind = Arrangement::Kind::Row, .gap = pad, .weight = 0.46};
  if (addSteps(made, frame)) charts.parts.push_back(viewNamed(made.views.back().name));
  if (!shown->effects.empty()) {
    const auto choose = [](double rate) { return Changes{{"reversal.gradients.rate", rate}}; };
    made.views.push_back({"rates", ChartContent{ratesChart(*shown, frame.theme), {}, choose, {}}});
    charts.parts.push_back(viewNamed("rates"));
  }
  made.views.push_back({"facts", PictureContent{.of = results_.revision(),
                                                .draw = [shown, singles = singles_.value()](const ViewPlace& place) {
                                                  return factItems(*shown, singles.get(), place);
                                                }}});
  bars.weight = 0.54;
  Arrangement pictures{.kind = Arrangement::Kind::Column, .parts = {bars, charts}, .gap = pad};
  Arrangement facts = viewNamed("facts");
  facts.length = std::clamp(0.36 * (frame.area.width() - 2 * pad), 250.0, 460.0);
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
      "Both queries ask for the small letter A at [M] from the capital B: forward B stands to the right, as in "
      "training, reverse to the left. Gradients are those of the trained model without dropout; the diamonds are what "
      "the appendix of the paper says of an idealised layer with this attention and these vectors. It says nothing of "
      "W_O, the MLP and the norms, which that layer does not have. The last column is what a group adds to the cosine "
      "of all."));
  panel.sentence(
      tr("A click in the chart of rates chooses η. The prediction is of first order: where the curves leave it, the "
         "step is too long for it."));
  if (frame.shared.shipped)
    panel.sentence(
        tr("The runs that ship with the program have numbers but no weights. A small model that ships too is measured "
           "instead. Train one to follow its gradients."));
}

std::string GradientsPage::caption(const RaceShared& shared) const {
  if (!view()) return raceCaption(shared);
  return trFormat("{}: cosine of the gradients of the forward and the reverse loss by group of parameters.",
                  view()->title);
}

Numbers GradientsPage::numbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (const GradientsView* const shown = view()) {
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

}  // namespace sepx::ui
