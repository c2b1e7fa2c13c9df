// SPDX-License-Identifier: Apache-2.0
// Explains a score: bars that add up to it, and pairs of writers whose sum it is.
#include "ui/sentence/parts_view.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kBarRow = 1.75, kThinnestRow = 1.15;  // in sizes of small text
constexpr std::size_t kLargestPairs = 5;
constexpr double kNegligible = 1e-9;                   // share of the sum of the moduli of the parts: a rounding error
constexpr double kNameShare = 0.36, kValueRoom = 4.6;  // share of the width; in sizes of small text

/// One bar of the waterfall chart. A total begins at 0.
struct SumStep {
  std::string name;
  double from = 0, to = 0;
  bool total = false;
};

std::vector<SumStep> stepsOf(const std::vector<forward::ScoreParts::Named>& parts, double score) {
  std::vector<SumStep> steps;
  double sum = 0;
  for (const forward::ScoreParts::Named& part : parts) {
    steps.push_back({tr(part.name), sum, sum + part.value, false});
    sum += part.value;
  }
  steps.push_back({tr("score"), 0, score, true});
  return steps;
}

struct StepsLayout {
  double low = 0, high = 0, left = 0, right = 0, row = 0;
  double x(double value) const { return left + (right - left) * (value - low) / (high - low); }
};

StepsLayout layOutSteps(const std::vector<SumStep>& steps, const render::Rect& box, const Theme& theme) {
  StepsLayout laid;
  for (const SumStep& step : steps)
    for (const double value : {step.from, step.to}) {
      if (!std::isfinite(value)) continue;
      laid.low = std::min(laid.low, value);
      laid.high = std::max(laid.high, value);
    }
  if (!(laid.high > laid.low)) laid.high = laid.low + 1;
  const double small = theme.smallSize;
  laid.left = box.min.x + std::min(kNameShare * box.width(), 13 * small);
  laid.right = box.max.x - kValueRoom * small;
  laid.row = std::min(kBarRow * small, box.height() / static_cast<double>(std::max<std::size_t>(1, steps.size())));
  return laid;
}

std::vector<render::Item> stepItems(const std::vector<SumStep>& steps, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
  const StepsLayout laid = layOutSteps(steps, place.box, theme);
  const double zero = laid.x(0), bottom = place.box.min.y + laid.row * static_cast<double>(steps.size());
  items.emplace_back(pageLine({zero, place.box.min.y}, {zero, bottom}, theme.border, 1));
  double y = place.box.min.y;
  const float size = static_cast<float>(std::min<double>(theme.smallSize, 0.8 * laid.row));
  for (std::size_t i = 0; i < steps.size(); ++i, y += laid.row) {
    const SumStep& step = steps[i];
    const double middle = y + laid.row / 2, value = step.total ? step.to : step.to - step.from;
    items.emplace_back(textAt({place.box.min.x, middle}, elided(step.name, size, laid.left - place.box.min.x - 4), size,
                              step.total ? theme.text : theme.textMuted));
    items.emplace_back(textAt({place.box.max.x, middle}, (step.total || !(value > 0) ? "" : "+") + formatReading(value),
                              size, theme.text, render::AlignX::Right));
    if (!std::isfinite(step.from) || !std::isfinite(step.to)) continue;
    const double a = laid.x(std::min(step.from, step.to)), b = laid.x(std::max(step.from, step.to));
    const render::Color color = step.total ? theme.text : value >= 0 ? theme.globalMin : theme.localMin;
    items.emplace_back(pageFill({{a, y + 0.18 * laid.row}, {std::max(b, a + 1), y + 0.82 * laid.row}},
                                faded(color, step.total ? 0.6f : 0.9f)));
    if (i + 1 < steps.size())
      items.emplace_back(pageLine({laid.x(step.to), y + 0.82 * laid.row}, {laid.x(step.to), y + 1.18 * laid.row},
                                  faded(theme.textMuted, 0.7f), 1, render::Dash::Dotted));
  }
  return items;
}

PictureContent stepsPicture(std::vector<SumStep> steps, std::string label) {
  PictureContent content;
  Digest digest;
  for (const SumStep& step : steps)
    digest.add(step.name, step.from, step.to, step.total);
  content.of = digest.value();
  content.draw = [steps](const ViewPlace& place) { return stepItems(steps, place); };
  const auto words = [steps](std::size_t row) {
    const SumStep& step = steps[row];
    return fmt::format("{}: {}", step.name, formatReading(step.total ? step.to : step.to - step.from));
  };
  const auto rowAt = [steps](const ViewPlace& place, render::Point at) -> std::optional<std::size_t> {
    const StepsLayout laid = layOutSteps(steps, place.box, place.theme);
    const double row = std::floor((at.y - place.box.min.y) / laid.row);
    return row >= 0 && row < static_cast<double>(steps.size()) ? std::optional(static_cast<std::size_t>(row))
                                                               : std::nullopt;
  };
  content.tip = [steps, rowAt, words](const ViewPlace& place, render::Point at, const render::Rect& area) {
    std::vector<render::Item> items;
    const auto row = rowAt(place, at);
    if (!row) return items;
    std::vector<std::string> lines{words(*row)};
    if (!steps[*row].total) lines.push_back(trFormat("sum so far {}", formatReading(steps[*row].to)));
    addTip(items, at, lines, area, place.theme);
    return items;
  };
  content.read = [steps, words, label = std::move(label)](const ViewPlace& place) {
    ReadableView view{.role = ReadableView::Role::Table, .label = label};
    view.rows = steps.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [words](std::size_t row, std::size_t) { return words(row); };
    const StepsLayout laid = layOutSteps(steps, place.box, place.theme);
    view.place = [laid, box = place.box](std::size_t row, std::size_t) {
      return std::optional(
          render::Point{(laid.left + laid.right) / 2, box.min.y + laid.row * (static_cast<double>(row) + 0.5)});
    };
    return view;
  };
  return content;
}

}  // namespace

std::string writerWords(const forward::Writer& writer) {
  using Wrote = forward::Writer::Kind;
  switch (writer.kind) {
    case Wrote::Embedding:
      return tr("token");
    case Wrote::Position:
      return tr("position");
    case Wrote::Head:
      return fmt::format("{}·{}", writer.layer, writer.head);
    case Wrote::FeedForward:
      return fmt::format("MLP {}", writer.layer);
    case Wrote::Biases:
      return tr("biases");
    case Wrote::NormBias:
      return tr("norm's bias");
    case Wrote::Projection:
      return tr("b_Q, b_K");
  }
  return {};
}

std::string scoreTitle(const SentenceShown& shown) {
  const std::optional<ScorePlace>& at = shown.results.score();
  if (!at) return {};
  const SentenceTokens& tokens = *shown.pass().tokens;
  const auto name = [&tokens](int place) { return tokens.tokens[static_cast<std::size_t>(place)].shown; };
  std::string text = trFormat("Why this score: “{}” → “{}”", name(at->query), name(at->key));
  if (const auto& parts = shown.results.parts())
    text +=
        trFormat(", {} (weight {})", formatReading(parts->parts.score), shownProbability(parts->parts.probability, 3));
  if (shown.results.changed())
    text += " · " + (shown.state.second.empty() ? std::string(tr("whole model"))
                                                : trFormat("whole model {}", shown.source().title));
  if (!shown.frame.figure && shown.tall())
    text += std::string(" · ") + tr("a click on a cell of the pattern selects another score");
  return text;
}

PictureContent scoreBars(const SentenceShown& shown) {
  const forward::ScoreParts& parts = shown.results.parts()->parts;
  return stepsPicture(stepsOf(parts.byKind, parts.score), tr("What the score is made of"));
}

PictureContent scoreHalves(const SentenceShown& shown) {
  const forward::ScoreParts& parts = shown.results.parts()->parts;
  std::vector<forward::ScoreParts::Named> halves{{N_("symmetric part"), parts.symmetric},
                                                 {N_("skew part"), parts.skew}};
  if (parts.withBiases != 0) halves.push_back({N_("with biases"), parts.withBiases});
  if (parts.distanceBias != 0) halves.push_back({N_("bias of the distance"), parts.distanceBias});
  return stepsPicture(stepsOf(halves, parts.score), tr("Symmetric and skew part"));
}

MatrixContent scorePairs(const SentenceShown& shown) {
  const std::shared_ptr<const SentenceParts> parts = shown.results.parts();
  MatrixContent made;
  made.rows = made.columns = static_cast<int>(parts->parts.writers.size());
  made.values = parts->pairs;
  const double limit = parts->largest > 0 ? parts->largest : 1;
  made.scale = {ScaleKind::Diverging, {-limit, limit}};
  for (const forward::Writer& writer : parts->parts.writers)
    made.rowTexts.push_back(writerWords(writer));
  made.rowName = tr("query side");
  made.columnName = tr("key side");
  made.tip = [parts](MatrixCell cell) {
    const auto& writers = parts->parts.writers;
    const auto row = static_cast<std::size_t>(cell.row), column = static_cast<std::size_t>(cell.column);
    return std::vector<std::string>{
        trFormat("query side: {}", writerWords(writers[row])), trFormat("key side: {}", writerWords(writers[column])),
        trFormat("adds {}", formatReading(parts->parts.pairs[row * writers.size() + column]))};
  };
  made.pick = [parts, keys = shown.keys()](MatrixCell cell) -> Changes {
    // Shows the head that wrote to the query side, otherwise the one that wrote to the key side.
    for (const int at : {cell.row, cell.column}) {
      const forward::Writer& writer = parts->parts.writers[static_cast<std::size_t>(at)];
      if (writer.kind == forward::Writer::Kind::Head)
        return {{keys.shared("layer"), static_cast<double>(writer.layer)},
                {keys.shared("head"), static_cast<double>(writer.head)}};
    }
    return {};
  };
  return made;
}

TableContent largestPairs(const SentenceShown& shown) {
  const forward::ScoreParts& parts = shown.results.parts()->parts;
  std::vector<std::size_t> order(parts.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto size = [&parts](std::size_t i) { return std::isnan(parts.pairs[i]) ? 0.0 : std::abs(parts.pairs[i]); };
  const auto count = std::min(kLargestPairs, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  TableContent table;
  table.columns = {{.title = tr("query side"), .share = 1.2},
                   {.title = tr("key side"), .share = 1.2},
                   {.title = tr("adds"), .share = 1, .right = true}};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = order[i] / parts.writers.size(), column = order[i] % parts.writers.size();
    table.cells.push_back(
        {writerWords(parts.writers[row]), writerWords(parts.writers[column]), formatReading(parts.pairs[order[i]])});
  }
  return table;
}

TextContent scoreNotes(const SentenceShown& shown) {
  const forward::ScoreParts& parts = shown.results.parts()->parts;
  TextContent text;
  const auto muted = NoteLine::Role::Muted;
  std::string line = trFormat("With a norm gain of 1 the score would be {}.", formatReading(parts.score - parts.gain));
  double sum = 0;
  for (const forward::ScoreParts::Named& part : parts.byKind)
    sum += std::abs(part.value);
  if (std::abs(parts.rotation) > kNegligible * sum)
    line += " " + trFormat("Without the rotary encoding it would be {}.", formatReading(parts.score - parts.rotation));
  text.lines.push_back({{std::move(line)}, muted});
  text.lines.push_back({{tr("The denominators of the norms are kept at their values in this pass, as usual: with them "
                            "fixed, a score is a sum over pairs of writers.")},
                        muted});
  if (parts.cap > 0)
    text.lines.push_back(
        {{trFormat("After the sum, the model caps the score at ±{}.", formatReading(parts.cap))}, muted});
  return text;
}

}  // namespace sepx::ui
