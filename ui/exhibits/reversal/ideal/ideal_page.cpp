// SPDX-License-Identifier: Apache-2.0
// See ideal_page.h.
#include "ui/exhibits/reversal/ideal/ideal_page.h"

#include <algorithm>
#include <cmath>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/reversal/shared/choice_rows.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"

namespace sepx::ui {

namespace {

constexpr const char* kNames[] = {"probability", "attention", "storage", "geometry"};
constexpr IdealChart kShown[] = {IdealChart::Probability, IdealChart::Attention, IdealChart::Storage,
                                 IdealChart::Geometry};
constexpr double kCompactIdeal = 420;  // points of width
constexpr const char* kViolate = "reversal.ideal-violate";
constexpr double kSentenceLine = 1.4;  // of the size of the text
constexpr double kMostWords = 0.25;    // of the height

float sentenceSize(const ReversalFrame& frame) {
  return frame.compact ? frame.theme.smallSize : frame.theme.textSize;
}

/// No room for a legend and names: the title says which line is which, the panel how far the places are.
void makeSmall(LineChart& chart, IdealChart which, bool remaining) {
  chart.legend = false;
  if (which == IdealChart::Probability)
    chart.title = remaining ? tr("1 − p of A, reverse dashed") : tr("p of A, reverse dashed");
  for (ChartReference& line : chart.references)
    line.name.clear();
}

/// Three significant digits: a dragged time is a short number.
double shortTime(double t) {
  const double unit = std::pow(10.0, std::floor(std::log10(t)) - 2);
  return std::round(t / unit) * unit;
}

}  // namespace

void IdealPage::compute() {
  if (followed_ == request_) return;
  followed_ = request_;
  Result<IdealPointer> made = computeIdeal(request_);
  failure_ = made ? std::string() : sentenceCase(made.error().sentence);
  if (made) view_ = *std::move(made);
  ++changes_;
}

void IdealPage::update(const ReversalFrame& frame, ExhibitContext&) {
  compute();
  place(frame);
}

Strip IdealPage::controls(const ReversalFrame& frame) const {
  if (frame.figure) return {};
  ChoiceRows rows(frame.area, frame.theme);
  rows.add("reversal.ideal.kind", frame.compact ? "" : tr("positions:"),
           {{"rope", tr("RoPE, key trains"), request_.kind == reversal::TransferKind::Rope},
            {"alibi-fixed", tr("ALiBi, fixed scores"), request_.kind == reversal::TransferKind::AlibiFixed},
            {"alibi-trained", tr("ALiBi, q and k train"), request_.kind == reversal::TransferKind::AlibiTrained}});
  return rows.strip();
}

std::vector<std::string> IdealPage::wrappedWords(const ReversalFrame& frame, const std::string& text) const {
  return wrapped(text, sentenceSize(frame), frame.area.width() - 4 * frame.theme.space);
}

/// A small picture is for the charts; the panel and the caption have the whole sentence.
bool IdealPage::hasRoomForWords(const ReversalFrame& frame) const {
  const auto lines = static_cast<double>(wrappedWords(frame, idealSentence(*view_)).size());
  return !frame.compact && kSentenceLine * sentenceSize(frame) * lines <= kMostWords * frame.area.height();
}

std::vector<std::string> IdealPage::sentenceLines(const ReversalFrame& frame) const {
  if (!failure_.empty()) return wrappedWords(frame, failure_);
  if (!view_) return {};
  return wrappedWords(frame, hasRoomForWords(frame) ? idealSentence(*view_) : idealShortSentence(*view_));
}

void IdealPage::place(const ReversalFrame& frame) {
  const double pad = 1.5 * frame.theme.space;
  const double words = kSentenceLine * sentenceSize(frame) * static_cast<double>(sentenceLines(frame).size());
  const render::Rect area{
      {frame.area.min.x + pad, frame.area.min.y + pad + rowsHeight(controls(frame), frame.area.min.y) + words},
      {frame.area.max.x - pad, frame.area.max.y - pad}};
  // A small pane shows what is decided and where it is dragged.
  const std::vector<render::Rect> boxes = gridOf(area, frame.compact ? 2 : kCharts, frame.compact ? 1 : 2, pad);
  for (std::size_t i = 0; i < kCharts; ++i) {
    const bool shown = view_ && (!frame.compact || i == 0 || i + 1 == kCharts);
    if (!shown) {
      charts_[i].reset();
      continue;
    }
    const render::Rect& box = boxes[frame.compact ? std::min<std::size_t>(i, 1) : i];
    const LayerKey key = keyWith(frameKey(frame), changes_, box);
    if (charts_[i] && charts_[i]->key == key) continue;
    LineChart chart = idealChart(*view_, kShown[i], remaining_, frame.theme);
    chart.compact = box.width() < kCompactIdeal;
    if (frame.compact) makeSmall(chart, kShown[i], remaining_);
    charts_[i] = Kept{key, PlacedChart(std::move(chart), box, frame.theme)};
  }
}

void IdealPage::scene(const ReversalFrame& frame, std::vector<render::Layer>& into) {
  place(frame);
  const Strip strip = controls(frame);
  if (!strip.buttons.empty())
    layers_.add(
        into, "reversal.ideal.choices", stripKey(strip, frame.area.width(), frame.theme, frame.pointer),
        [&] {
          std::vector<render::Item> items;
          addButtons(items, strip, frame.theme, frame.pointer);
          return items;
        },
        false, false);
  layers_.add(into, "reversal.ideal.words", keyWith(frameKey(frame), changes_), [&] {
    const Theme& theme = frame.theme;
    std::vector<render::Item> items;
    const double line = kSentenceLine * sentenceSize(frame);
    const bool violated = view_ && view_->condition <= 0;
    double y = frame.area.min.y + rowsHeight(strip, frame.area.min.y) + theme.space + line / 2;
    for (const std::string& text : sentenceLines(frame)) {
      items.emplace_back(textAt({frame.area.min.x + 2 * theme.space, y}, text, sentenceSize(frame),
                                !failure_.empty() || violated ? theme.error : theme.text));
      y += line;
    }
    return items;
  });
  for (std::size_t i = 0; i < kCharts; ++i) {
    if (!charts_[i]) continue;
    const Kept& kept = *charts_[i];
    layers_.add(
        into, std::string("reversal.ideal.") + kNames[i], kept.key,
        [&] {
          std::vector<render::Item> items = kept.chart.items();
          if (overTime(i)) append(items, kept.chart.cursor(time_));
          return items;
        },
        true, false);
    if (frame.pointer && !frame.figure && !held_ && kept.chart.camera().plot.contains(*frame.pointer))
      layers_.add(
          into, "reversal.ideal.tip", keyWith(kept.key, *frame.pointer),
          [&] { return kept.chart.tip(*frame.pointer, frame.area); }, false, false);
  }
}

std::optional<std::size_t> IdealPage::chartAt(render::Point page) const {
  for (std::size_t i = 0; i < kCharts; ++i)
    if (charts_[i] && charts_[i]->chart.camera().plot.contains(page)) return i;
  return std::nullopt;
}

IdealPage::Held IdealPage::holdAt(render::Point page, std::size_t chart) const {
  if (overTime(chart)) return Held::Time;
  if (request_.kind == reversal::TransferKind::Rope) return Held::Sum;
  return charts_[chart]->chart.data(page).x < 0 ? Held::Reverse : Held::Forward;
}

void IdealPage::drag(ExhibitContext& context, render::Point page) {
  if (!charts_[heldIn_]) return;
  const PlacedChart& chart = charts_[heldIn_]->chart;
  const render::Rect& plot = chart.camera().plot;
  const double x = chart.data({std::clamp(page.x, plot.min.x, plot.max.x), plot.min.y}).x;
  if (!std::isfinite(x)) return;
  const auto set = [&](const char* key, double value) {
    if (const auto done = context.editor.set(key, value, "reversal.ideal.drag"); !done)
      context.editor.say(done.error().sentence);
  };
  const auto places = [](double value) { return std::clamp(std::round(value), 1.0, double(kMostIdealDistance)); };
  switch (*held_) {
    case Held::Time:
      return set("reversal.ideal.time", std::clamp(shortTime(x), kFirstIdealTime, kLastIdealTime));
    case Held::Forward:
      return set("reversal.ideal.forward", places(x));
    case Held::Reverse:
      return set("reversal.ideal.reverse", places(-x));
    case Held::Sum: {
      // Δ2 takes the change as far as it can; Δ1 the rest.
      const double sum = std::clamp(std::round(x), 2.0, 2.0 * kMostIdealDistance);
      const double reverse = places(sum - request_.forward), forward = places(sum - reverse);
      if (reverse != request_.reverse) set("reversal.ideal.reverse", reverse);
      if (forward != request_.forward) set("reversal.ideal.forward", forward);
    }
  }
}

Cursor IdealPage::input(const ReversalFrame& frame, ExhibitContext& context, const InputEvent& event) {
  const auto* const press = std::get_if<PointerPressed>(&event);
  const auto* const focus = std::get_if<FocusChanged>(&event);
  if (held_ && ((press && !press->down && press->button == Button::Left) || (focus && !focus->focused))) {
    held_.reset();
    context.editor.seal();
  }
  if (!frame.pointer) return Cursor::Arrow;
  const Strip strip = controls(frame);
  const StripButton* const over = held_ ? nullptr : strip.at(*frame.pointer);
  const bool pressed = press && press->down && press->button == Button::Left;
  if (over && pressed) setAsStep(context.editor, over->key, over->value);
  if (over) return Cursor::Hand;
  const std::optional<std::size_t> chart = chartAt(*frame.pointer);
  if (pressed && chart) {
    context.editor.seal();
    heldIn_ = *chart;
    held_ = holdAt(*frame.pointer, *chart);
  }
  if (held_) drag(context, *frame.pointer);
  return held_ || chart ? Cursor::ResizeHorizontal : Cursor::Arrow;
}

void IdealPage::violate(ExhibitContext& context) const {
  if (!view_ || view_->geometry.empty()) return context.editor.say(tr("ALiBi has no condition to violate."));
  const std::vector<double>& conditions = view_->geometry;
  const auto least = std::min_element(conditions.begin() + 2, conditions.end());
  if (*least > 0)
    return context.editor.say(
        trFormat("No sum of distances up to {} violates the condition: choose another seed, or a smaller base.",
                 2 * kMostIdealDistance));
  const auto sum = static_cast<int>(least - conditions.begin());
  const int reverse = std::clamp(sum - request_.forward, 1, kMostIdealDistance);
  context.editor.seal();
  context.editor.commit(
      context.editor.document().with("reversal.ideal.forward", sum - reverse).with("reversal.ideal.reverse", reverse),
      tr("Violate the condition"));
}

std::vector<ReversalPage::Command> IdealPage::commands(const ReversalShared&, const Document&) {
  return {{kViolate, tr("Distances that violate the condition of RoPE most"), "", tr("Exhibit"),
           request_.kind == reversal::TransferKind::Rope, [this](ExhibitContext& context) { violate(context); }}};
}

void IdealPage::report(const ReversalFrame& frame, const ExhibitContext& context) const {
  reportStrip(controls(frame), context);
}

void IdealPage::panel(const ReversalFrame& frame, ExhibitContext& context, PagePanel& panel) {
  panel.group(tr("Setting"), "reversal.ideal.",
              {"kind", "forward", "reverse", "dimensions", "base", "slope", "vocabulary", "seed"});
  panel.heading(tr("What decides"));
  if (view_ && !hasRoomForWords(frame)) panel.sentence(idealSentence(*view_));
  panel.rows("reversal.ideal.", {"condition", "holds", "end.forward", "end.reverse"});
  if (panel.button(tr("Violate the condition"), kViolate, request_.kind == reversal::TransferKind::Rope))
    violate(context);
  panel.heading(tr("At the time shown"));
  panel.row("reversal.ideal.time");
  panel.rows("reversal.ideal.", {"p_forward", "p_reverse", "alpha_forward", "alpha_reverse", "storage"});
  panel.heading(tr("Charts"));
  panel.row("reversal.ideal.remaining");
  panel.heading(tr("What is shown"));
  panel.sentence(tr(
      "An idealised layer [appendix C.3]: one token B of evidence, attention between [M] and B alone, logits α Y, "
      "Y = 0 at the start, and gradient flow with rate 1 on the loss of the forward query. Forward and reverse share "
      "the column Y; only the attention depends on the direction."));
  panel.sentence(
      tr("With more tokens the reverse probability need not approach 1: the paper says so, and real models do not "
         "reach it (page Race)."));
}

std::vector<std::pair<std::string, std::string>> IdealPage::gestures() const {
  return {{tr("drag in the chart of the geometry"), tr("the distances; under RoPE their sum")},
          {tr("drag in a chart over time"), tr("the time whose numbers are listed")}};
}

std::string IdealPage::caption(const ReversalShared&) const {
  return view_ ? trFormat("Reversal, appendix C.3, an idealised layer: {}", idealSentence(*view_)) : std::string();
}

Numbers IdealPage::numbers(const ReversalShared&) const {
  Numbers numbers;
  if (!view_) return numbers;
  using State = reversal::TransferState;
  constexpr std::pair<const char*, double State::*> columns[] = {
      {"t", &State::t},
      {"p_forward", &State::forward},
      {"p_reverse", &State::reverse},
      {"alpha_forward", &State::forwardAlpha},
      {"alpha_reverse", &State::reverseAlpha},
      {"Y_A", &State::target},
      {"Y_other", &State::other},
      {"one_minus_p_forward", &State::forwardMiss},
      {"one_minus_p_reverse", &State::reverseMiss},
  };
  Table& flow = numbers.tables.emplace_back();
  flow.name = "flow";
  for (const auto& [name, member] : columns) {
    std::vector<double> values;
    for (const State& state : view_->states)
      values.push_back(state.*member);
    flow.columns.push_back({name, "", std::move(values)});
  }
  if (view_->geometry.empty()) return numbers;
  std::vector<double> sums;
  for (std::size_t sum = 0; sum < view_->geometry.size(); ++sum)
    sums.push_back(static_cast<double>(sum));
  numbers.tables.push_back({"geometry", {{"distance_sum", "", std::move(sums)}, {"condition", "", view_->geometry}}});
  return numbers;
}

std::unique_ptr<ReversalPage> makeIdealPage() {
  return std::make_unique<IdealPage>();
}

}  // namespace sepx::ui
