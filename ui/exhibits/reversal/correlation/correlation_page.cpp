// SPDX-License-Identifier: Apache-2.0
// See correlation_page.h.
#include "ui/exhibits/reversal/correlation/correlation_page.h"

#include <algorithm>
#include <utility>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/reversal/correlation/correlation_charts.h"
#include "ui/exhibits/reversal/shared/plane_charts.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"

namespace sepx::ui {

namespace {

constexpr const char* kNames[] = {"sum", "far", "planes", "cantelli"};
constexpr int kUsualLength = 10, kUsualWidth = 256,
              kLongest = 40;  // of sequences whose asymmetric bounds are taken: they take L^2

}  // namespace

void CorrelationPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared& live) {
  TimedPage::read(document, registry, live);
  choice_.dimensions = static_cast<int>(registry.real(document, "reversal.correlation.dimensions"));
  choice_.reach = static_cast<int>(registry.real(document, "reversal.correlation.reach"));
  choice_.threshold = registry.real(document, "reversal.correlation.threshold");
  head_ = static_cast<int>(registry.real(document, "reversal.correlation.head"));
}

void CorrelationPage::measure(const RaceShared& shared, ExhibitContext& context) {
  const RacingRun* const racing = shownRun(shared);
  const std::string folder = racing ? racing->folder : std::string();
  if (std::exchange(folder_, folder) != folder) {
    measure_.clear();
    view_ = nullptr;
    sentence_.clear();
    ++changes_;
  }
  if (measure_.refresh(context.jobs)) {
    const Result<CorrelationPointer>& made = *measure_.result();
    view_ = made ? *made : nullptr;
    sentence_ = made ? std::string() : sentenceCase(made.error().sentence);
    ++changes_;
  }
  if (measure_.pending()) return;  // it ends first: a slider moves faster than models are read
  const std::string before = sentence_;
  std::optional<ShownModel> model =
      shownModel(shared, data_, measure_.requested() ? &measure_.requested()->model : nullptr, sentence_);
  if (!model) {
    view_ = nullptr;
    measure_.clear();
  } else if (measure_.request(context.jobs, {std::move(*model), head_, choice_.reach}, tr("correlating scores"),
                              [](const CorrelationRequest& request, auto&) { return measureCorrelation(request); }) &&
             !view_) {
    sentence_ = tr("The scores are being correlated…");
  }
  if (sentence_ != before) ++changes_;
}

void CorrelationPage::updateContent(const RaceFrame& frame, ExhibitContext& context) {
  measure(frame.shared, context);
  BoundsRequest wanted = choice_;
  wanted.length = std::clamp(view_ ? view_->length : kUsualLength, 2, kLongest);
  if (view_) wanted.base = view_->base;
  // RoPE turns planes: a head of an odd width, which no model with RoPE has, has no bounds of its own.
  if (wanted.dimensions == 0) wanted.dimensions = view_ && view_->dimensions % 2 == 0 ? view_->dimensions : kUsualWidth;
  if (bounds_.refresh(context.jobs)) ++changes_;
  bounds_.request(context.jobs, wanted, tr("bounds of RoPE"), [](const BoundsRequest& request, auto& output) {
    return computeBounds(request, [&output] { return !output.cancelled(); });
  });
  place(frame);
}

void CorrelationPage::placeChart(Slot slot, const RaceFrame& frame, const render::Rect& box,
                                 const std::function<LineChart()>& make) {
  const LayerKey key = keyWith(frameKey(frame), changes_, box);
  if (charts_[slot] && charts_[slot]->key == key) return;
  LineChart chart = make();
  chart.compact = box.width() < 420;
  charts_[slot] = Kept{key, PlacedChart(std::move(chart), box, frame.theme)};
}

void CorrelationPage::place(const RaceFrame& frame) {
  const double pad = 1.5 * frame.theme.space, line = 1.6 * static_cast<double>(frame.theme.smallSize);
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad + line},
                          {frame.area.max.x - pad, frame.area.max.y - pad}};
  const std::vector<render::Rect> boxes =
      frame.compact ? std::vector<render::Rect>{area} : gridOf(area, kSlots, 2, pad);
  const RopeBounds* const known = bounds();
  placeChart(kSum, frame, boxes[kSum], [&] { return sumChart(view_.get(), known, frame.theme); });
  for (const Slot slot : {kFar, kPlanes, kCantelli})
    if (frame.compact || (slot == kPlanes ? !(view_ && view_->planes) : !known)) charts_[slot].reset();
  if (frame.compact) return;
  planesBox_ = boxes[kPlanes];
  if (known) {
    placeChart(kFar, frame, boxes[kFar], [&] { return farChart(view_.get(), known, frame.theme); });
    placeChart(kCantelli, frame, boxes[kCantelli], [&] { return cantelliChart(*known, frame.theme); });
  }
  if (view_ && view_->planes)
    placeChart(kPlanes, frame, boxes[kPlanes], [&] { return planesChart(*view_->planes, frame.theme); });
}

std::string CorrelationPage::title() const {
  if (!view_) return sentence_;
  std::string text = view_->title;
  if (view_->head > 0) text += trFormat(", head {}", view_->head);
  text += trFormat(": mean correlation {}", shownFixed(view_->scores.whole, 3));
  if (view_->planes)
    text += trFormat("; {} of {} planes violate Assumption 4.2 ({} % of |q|²)", view_->planes->violating,
                     view_->planes->planes.size(), shownFixed(100 * view_->planes->violatingWeight, 0));
  return text;
}

void CorrelationPage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  place(frame);
  const LayerKey key = keyWith(keyOf(frame), changes_);
  layers_.add(into, "reversal.correlation.title", key, [&] {
    const Theme& theme = frame.theme;
    std::vector<render::Item> items;
    items.emplace_back(textAt(
        {frame.area.min.x + 2 * theme.space, frame.area.min.y + 1.3 * static_cast<double>(theme.smallSize)},
        elided(title(), theme.smallSize, frame.area.width() - 4 * theme.space), theme.smallSize, theme.textMuted));
    if (!frame.compact && (!view_ || !view_->planes)) {
      const std::string why = !view_ ? sentence_
                                     : std::string(tr("This model has no rotary encoding: there are no planes, and "
                                                      "Assumption 4.2 does not speak of it."));
      addMissing(items, planesBox_, why, frame);
    }
    return items;
  });
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (!charts_[slot]) continue;
    const Kept& kept = *charts_[slot];
    layers_.add(
        into, std::string("reversal.correlation.") + kNames[slot], kept.key,
        [&] {
          std::vector<render::Item> items = kept.chart.items();
          if (slot == kPlanes) addPlaneBars(items, kept.chart, *view_->planes, frame.theme);
          return items;
        },
        true, false);
    if (frame.pointer && !frame.figure && kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, "reversal.correlation.tip", keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
  }
}

Cursor CorrelationPage::inputContent(const RaceFrame& frame, ExhibitContext&, const InputEvent&) {
  const bool over = frame.pointer && std::any_of(std::begin(charts_), std::end(charts_), [&](const auto& kept) {
                      return kept && kept->chart.camera().plot.contains(*frame.pointer);
                    });
  return over ? Cursor::Cross : Cursor::Arrow;
}

void CorrelationPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.heading(tr("Model"));
  panel.control("reversal.run");
  panel.control("reversal.correlation.head");
  for (const char* const key : {"mean", "least", "violating", "weight", "trace_spread", "tilt", "between"})
    panel.readOut(std::string("reversal.correlation.") + key);
  panel.heading(tr("Bounds of RoPE"));
  for (const char* const key : {"dimensions", "reach", "threshold"})
    panel.control(std::string("reversal.correlation.") + key);
  for (const char* const key : {"bound.negative", "bound.least", "bound.asymmetric"})
    panel.readOut(std::string("reversal.correlation.") + key);
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "Measured: Pearson's correlation over the 26 letters of the score that [M] gives to the capital Δ1 places to its "
      "right with the one Δ2 places to its left, in the first layer; for learned positions the mean over all places. "
      "The paper does not print what its correlation is taken over; this is our reading. It says how letters differ, "
      "not how much attention B gets."));
  panel.sentence(tr(
      "The bounds hold for random queries and keys under Assumption 4.2, the trace for Δ1 = Δ2, the asymmetric one in "
      "the mean. A trained model need not keep the assumption: a plane violates it where keys vary more across the "
      "query than along it."));
  if (frame.shared.shipped)
    panel.sentence(tr(
        "The runs that ship with the program have numbers but no weights. A small model that ships too is measured instead."));
}

std::string CorrelationPage::caption(const RaceShared& shared) const {
  if (!view_) return raceCaption(shared);
  return trFormat(
      "{}: correlation of forward and reverse attention scores by distance, with the bounds of "
      "RoPE under Assumption 4.2.",
      view_->title);
}

Numbers CorrelationPage::numbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  if (view_) {
    std::vector<double> forward, reverse, correlation;
    for (int f = 1; f < view_->scores.length; ++f)
      for (int r = 1; r < view_->scores.length; ++r) {
        forward.push_back(f);
        reverse.push_back(r);
        correlation.push_back(view_->scores.at(f, r));
      }
    numbers.tables.push_back({"correlation",
                              {{"forward_distance", "", std::move(forward)},
                               {"reverse_distance", "", std::move(reverse)},
                               {"correlation", "", std::move(correlation)}}});
  }
  if (view_ && view_->planes) {
    std::vector<double> angle, weight, along, across, cross;
    for (const reversal::RopePlane& plane : view_->planes->planes) {
      angle.push_back(plane.angle);
      weight.push_back(plane.weight);
      along.push_back(plane.along);
      across.push_back(plane.across);
      cross.push_back(plane.cross);
    }
    numbers.tables.push_back({"planes",
                              {{"angle", "", std::move(angle)},
                               {"weight", "", std::move(weight)},
                               {"variance_along", "", std::move(along)},
                               {"variance_across", "", std::move(across)},
                               {"covariance", "", std::move(cross)}}});
  }
  if (const RopeBounds* const known = bounds())
    numbers.tables.push_back(
        {"bounds",
         {{"distance", "", known->distances}, {"trace", "", known->trace}, {"cantelli", "", known->cantelli}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeCorrelationPage() {
  return std::make_unique<CorrelationPage>();
}

}  // namespace sepx::ui
