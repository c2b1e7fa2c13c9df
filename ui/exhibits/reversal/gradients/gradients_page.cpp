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

void GradientsPage::takeOver(const ExhibitContext& context) {
  if (measure_.refresh(context.jobs)) {
    const Result<GradientsPointer>& made = *measure_.result();
    view_ = made ? *made : nullptr;
    sentence_ = made ? std::string() : sentenceCase(made.error().sentence);
    ++changes_;
  }
  if (count_.refresh(context.jobs)) {
    const Result<SinglesPointer>& made = *count_.result();
    singles_ = made ? *made : nullptr;
    ++changes_;
  }
  if (history_.refresh(context.jobs)) {
    const Result<HistoryPointer>& made = *history_.result();
    past_ = made ? *made : nullptr;
    historySentence_ = made ? std::string() : sentenceCase(made.error().sentence);
    ++changes_;
  }
}

void GradientsPage::ask(const RaceShared& shared, ExhibitContext& context) {
  if (measure_.pending()) return;  // it ends first: a slider moves faster than gradients are taken
  const std::string before = sentence_;
  std::optional<ShownModel> model =
      shownModel(shared, data_, measure_.requested() ? &measure_.requested()->model : nullptr, sentence_);
  if (!model) {
    view_ = nullptr;
    measure_.clear();
    if (sentence_ != before) ++changes_;
    return;
  }
  askSingles(*model, context);
  GradientsRequest wanted = choice_;
  wanted.model = std::move(*model);
  if (measure_.request(context.jobs, std::move(wanted), tr("taking gradients"),
                       [](const GradientsRequest& request, auto&) { return measureGradients(request); }) &&
      !view_)
    sentence_ = tr("The gradients are being taken…");
  if (sentence_ != before) ++changes_;
}

void GradientsPage::askSingles(const ShownModel& model, ExhibitContext& context) {
  if (count_.pending()) return;
  count_.request(context.jobs, {model, choice_.rate}, tr("counting signs"),
                 [](const SinglesRequest& request, auto& output) {
                   return measureSingles(request, [&output](double share) {
                     output.progress(share);
                     return !output.cancelled();
                   });
                 });
}

void GradientsPage::askHistory(const RacingRun& racing, ExhibitContext& context) {
  if (!racing.run || !racing.run->config() || racing.run->savedSteps().empty() || history_.pending()) return;
  CosineHistoryRequest wanted{racing.folder, *racing.run->config(), racing.run->savedSteps(), data_, past_};
  history_.request(context.jobs, std::move(wanted), tr("taking gradients at the saved steps"),
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

void GradientsPage::updateContent(const RaceFrame& frame, ExhibitContext& context) {
  const RacingRun* const racing = shownRun(frame.shared);
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(folder_, folder) != folder) {
    measure_.clear();
    count_.clear();
    history_.clear();
    view_ = nullptr;
    singles_ = nullptr;
    past_ = nullptr;
    sentence_.clear();
    historySentence_.clear();
    ++changes_;
  }
  takeOver(context);
  ask(frame.shared, context);
  if (racing) askHistory(*racing, context);
  place(frame);
}

bool GradientsPage::oneStep() const {
  return history_.requested() && history_.requested()->steps.size() == 1;
}

std::string GradientsPage::historySentence() const {
  if (!history_.requested()) return {};
  if (!past_ || past_->steps.empty())
    return historySentence_.empty() ? std::string(tr("Gradients at the saved steps are being taken…"))
                                    : historySentence_;
  if (!oneStep()) return {};
  return trFormat(
      "Weights of this run are saved at one step, {}: the gradients of the mean loss of {} pairs have a cosine of {} "
      "there. A run with more saved steps has a curve here.",
      stepText(past_->steps.front()), kMeanPairs, shownFixed(past_->alignments.front().all.cosine(), 3));
}

GradientsPage::Boxes GradientsPage::boxesOf(const RaceFrame& frame) const {
  const double pad = 1.5 * frame.theme.space, line = 1.5 * static_cast<double>(frame.theme.smallSize);
  render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad + line},
                    {frame.area.max.x - pad, frame.area.max.y - pad}};
  Boxes boxes;
  if (frame.compact) {
    boxes.bars = area;
    return boxes;
  }
  const double factsWidth = std::clamp(0.36 * area.width(), 250.0, 460.0);
  const double left = area.max.x - factsWidth - pad;
  boxes.facts = {{left + pad, area.min.y}, area.max};
  const double split = area.min.y + 0.54 * area.height();
  boxes.bars = {area.min, {left, split}};
  const double middle = (area.min.x + left) / 2;
  boxes.steps = {{area.min.x, split + pad}, {middle - pad / 2, area.max.y}};
  boxes.rates = {{middle + pad / 2, split + pad}, {left, area.max.y}};
  if (!history_.requested() || (oneStep() && frame.figure)) {  // nothing to say of saved steps
    boxes.steps = {};
    boxes.rates.min.x = area.min.x;
  }
  return boxes;
}

void GradientsPage::place(const RaceFrame& frame) {
  const Boxes boxes = boxesOf(frame);
  const LayerKey key = keyWith(keyOf(frame), changes_);
  std::vector<ChartPlacing> places;
  if (past_ && !past_->steps.empty() && !oneStep() && boxes.steps.width() > 40)
    places.push_back({.box = boxes.steps,
                      .compact = boxes.steps.width() < 420,
                      .name = "gradients.steps",
                      .make = [this, &frame, wide = boxes.steps.width()] {
                        return historyChart(*past_, static_cast<double>(frame.shared.end), frame.theme, wide < 420);
                      }});
  steps_.update(frame, places, key);
  if (!view_ || view_->effects.empty() || !(boxes.rates.width() > 40)) {
    rates_.reset();
    return;
  }
  if (const LayerKey now = keyWith(frameKey(frame), changes_, boxes.rates); !rates_ || ratesKey_ != now) {
    rates_.emplace(ratesChart(*view_, frame.theme, boxes.rates.width() < 420), boxes.rates, frame.theme);
    ratesKey_ = now;
  }
}

std::vector<render::Item> GradientsPage::words(const RaceFrame& frame, const render::Rect& box) const {
  const Theme& theme = frame.theme;
  std::vector<render::Item> items;
  const std::vector<GradientsFact> facts = factsOf(*view_, singles_.get());
  constexpr double kSpacing = 1.5, lines = 28;
  const bool roomy = lines * kSpacing * static_cast<double>(theme.textSize) < box.height() && box.width() > 400;
  const float small = roomy ? theme.textSize : theme.smallSize;
  const double line = std::min(kSpacing * static_cast<double>(small), box.height() / lines);
  double y = box.min.y + line / 2;
  for (const GradientsFact& fact : facts) {
    if (fact.heading) {
      if (y > box.min.y + line) y += 0.5 * line;
      render::Label label =
          textAt({box.min.x, y}, elided(fact.name, small, box.width() / kBoldType), small, theme.text);
      label.bold = true;
      items.emplace_back(std::move(label));
    } else {
      const double column = box.min.x + 0.52 * box.width();
      items.emplace_back(textAt({box.min.x, y}, elided(fact.name, small, 0.5 * box.width()), small, theme.textMuted));
      items.emplace_back(textAt({column, y}, elided(fact.value, small, box.max.x - column), small, theme.text));
    }
    y += line;
  }
  std::string note = view_->storageSentence;
  if (view_->factors && !singles_) note = tr("The signs are being counted…");
  if (note.empty()) return items;
  y += 0.5 * line;
  for (const std::string& part : wrapped(sentenceCase(note), static_cast<double>(small), box.width())) {
    if (y > box.max.y) break;
    items.emplace_back(textAt({box.min.x, y}, part, small, theme.textMuted));
    y += line;
  }
  return items;
}

void GradientsPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (!view_) {
    layers_.addSentence(into, "reversal.gradients.sentence", frame, sentence_);
    return;
  }
  place(frame);
  const Boxes boxes = boxesOf(frame);
  const LayerKey key = keyWith(keyOf(frame), changes_);
  layers_.add(into, "reversal.gradients", key, [&] {
    std::vector<render::Item> items;
    const Theme& theme = frame.theme;
    const std::string title = view_->pairs == 1
                                  ? trFormat("{}: {} and {} in {} tokens, letter at {}, capital at {}", view_->title,
                                             std::string(1, static_cast<char>('a' + view_->pair.letter)),
                                             std::string(1, static_cast<char>('A' + view_->pair.letter)), view_->length,
                                             view_->pair.lower, view_->pair.upper)
                                  : trFormat("{}: mean loss of {} pairs", view_->title, view_->pairs);
    items.emplace_back(textAt({boxes.bars.min.x, frame.area.min.y + 1.2 * static_cast<double>(theme.smallSize)},
                              elided(title, theme.smallSize, frame.area.width() - 4 * theme.space), theme.smallSize,
                              theme.textMuted));
    addGroupBars(items, boxes.bars, *view_, theme);
    if (boxes.facts.width() > 40) append(items, words(frame, boxes.facts));
    return items;
  });
  steps_.scene(frame, into);
  if (const std::string text = historySentence(); !text.empty() && boxes.steps.width() > 40) {
    layers_.add(into, "reversal.gradients.steps.sentence", key, [&] {
      std::vector<render::Item> items;
      addMissing(items, boxes.steps, text, frame);
      return items;
    });
  }
  if (!rates_) return;
  layers_.add(
      into, "reversal.gradients.rates", ratesKey_, [&] { return rates_->items(); }, true, false);
  if (frame.pointer && !frame.figure && rates_->camera().plot.contains(*frame.pointer))
    layers_.add(
        into, "reversal.gradients.tip", keyWith(ratesKey_, *frame.pointer),
        [&] { return rates_->tip(*frame.pointer, frame.area); }, false, false);
}

Cursor GradientsPage::inputContent(const RaceFrame& frame, ExhibitContext& context, const InputEvent& event) {
  if (const std::optional<Cursor> cursor = steps_.input(frame, context, event)) return *cursor;
  if (!rates_ || !frame.pointer || !rates_->camera().plot.contains(*frame.pointer)) return Cursor::Arrow;
  const auto* const press = std::get_if<PointerPressed>(&event);
  if (press && press->down && press->button == Button::Left)
    if (const std::optional<double> rate = rates_->xAt(*frame.pointer))
      setAsStep(context.editor, "reversal.gradients.rate", *rate);
  return Cursor::Cross;
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
  if (!view_) return raceCaption(shared);
  return trFormat("{}: cosine of the gradients of the forward and the reverse loss by group of parameters.",
                  view_->title);
}

Numbers GradientsPage::numbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (view_) {
    std::vector<std::string> names;
    std::vector<double> cosines, ideal, products;
    for (std::size_t i = 0; i < nn::kParameterGroups; ++i) {
      const auto group = static_cast<nn::ParameterGroup>(i);
      names.emplace_back(nn::groupWord(group));
      cosines.push_back(view_->alignment.of(group).cosine());
      ideal.push_back(idealisedCosine(*view_, group));
      products.push_back(view_->alignment.of(group).product);
    }
    numbers.tables.push_back({"gradients",
                              {{"group", "", std::move(names)},
                               {"cosine", "", std::move(cosines)},
                               {"idealised_cosine", "", std::move(ideal)},
                               {"product", "", std::move(products)}}});
  }
  if (!past_) return numbers;
  std::vector<double> steps, cosines;
  for (std::size_t i = 0; i < past_->steps.size(); ++i) {
    steps.push_back(static_cast<double>(past_->steps[i]));
    cosines.push_back(past_->alignments[i].all.cosine());
  }
  numbers.tables.push_back({"cosine_by_step", {{"step", "", std::move(steps)}, {"cosine", "", std::move(cosines)}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeGradientsPage() {
  return std::make_unique<GradientsPage>();
}

}  // namespace sepx::ui
