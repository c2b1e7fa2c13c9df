// SPDX-License-Identifier: Apache-2.0
// The form page as items: two sums built up step by step, and the ranking of keys before and after the softmax.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/form/form_page.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 760;  // points from which the plots stand side by side

/// Where bar i of `count` is, page x.
std::pair<double, double> spanOf(const render::Rect& plot, std::size_t i, std::size_t count) {
  const double width = plot.width() / static_cast<double>(count), pad = std::min(0.16 * width, 8.0);
  const double left = plot.min.x + width * static_cast<double>(i);
  return {left + pad, left + width - pad};
}

/// Ground, title and axis of the values; the bars are the page's own.
PlacedChart chartOf(const render::Rect& box, const std::vector<FormBar>& bars, const std::string& title,
                    const Theme& theme) {
  LineChart chart;
  chart.title = title;
  chart.ground = false;
  chart.x = {.bare = true, .from = 0, .to = 1};
  double low = 0, high = 0;
  for (const FormBar& bar : bars) {
    for (const double value : {bar.from, bar.to}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(high > low)) high = low + 1;
  const double pad = 0.12 * (high - low);
  chart.y = {.from = low < 0 ? low - pad : low, .to = high > 0 ? high + pad : high};
  // Below it stand the names of the bars.
  return PlacedChart(std::move(chart), {box.min, {box.max.x, box.max.y - 1.6 * theme.smallSize}}, theme);
}

}  // namespace

std::string FormPage::sentenceOf(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (std::string sentence = modelSentence(shared); !sentence.empty()) return sentence;
  const std::string embedding = embeddingOf(shared);
  if (embedding.empty())
    return tr(
        "No token embedding was recognised among the tensors of this file, so there are no x_i and x_j to put into the "
        "form. The page Mapping lists the tensors; name the embedding there.");
  const checkpoint::TensorInfo* const tensor = shared.model->checkpoint->find(embedding);
  if (!tensor || tensor->shape.size() != 2)
    return trFormat(
        "There is no table called {} in this file with a row for each token. Name another one on the page Mapping.",
        embedding);
  if (data_.result() && !data_.result()->failure.empty()) return data_.result()->failure;
  if (!data_.result()) return tr("Reading the embeddings…");
  return {};
}

FormPage::Layout FormPage::layoutOf(const PageFrame& frame) const {
  Layout layout;
  const double space = frame.theme.space, small = frame.theme.smallSize;
  const render::Rect area{{frame.area.min.x + 2 * space, frame.area.min.y + space},
                          {frame.area.max.x - 2 * space, frame.area.max.y - space}};
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  const int lines = layer && (layer->q_norm || layer->k_norm) ? 4 : 3;
  layout.head = {area.min, {area.max.x, area.min.y + (0.2 + 1.6 * lines) * small}};
  const render::Rect rest{{area.min.x, layout.head.max.y + space}, area.max};
  layout.heads = layout.rest = layout.ranking = rest;
  if (rest.width() >= kWide) {
    layout.ranking.min.x = rest.max.x - 0.34 * rest.width();
    layout.heads.max.x = layout.rest.max.x = layout.ranking.min.x - space;
    layout.heads.max.y = layout.rest.min.y = rest.min.y + 0.5 * rest.height();
  } else {
    // A small pane has the two sums, a larger one the ranking below them.
    const double share = rest.height() / (rest.height() < 33 * small ? 2 : 3);
    layout.heads.max.y = layout.rest.min.y = rest.min.y + share;
    layout.rest.max.y = layout.ranking.min.y = rest.min.y + 2 * share;
  }
  return layout;
}

std::vector<render::Item> FormPage::headItems(const PageFrame& frame, const Layout& layout) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const WeightsState& state = frame.shared.state;
  const double small = theme.smallSize, width = layout.head.width();
  const auto line = [&](int row, const std::string& text, render::Color color) {
    items.emplace_back(textAt({layout.head.min.x, layout.head.min.y + (0.8 + 1.6 * row) * small},
                              elided(text, small, width), theme.smallSize, color));
  };
  const attention::HeadTerms total = data_.result()->total(state.head);
  line(0,
       fmt::format("x_i = {},  x_j = {},  {}", data_.nameOf(state.formQuery), data_.nameOf(state.formKey),
                   placeWords(frame.shared.model->map, state.stack, state.layer, state.head)) +
           (data_.result()->hasRope ? fmt::format(",  {} {}", tr("offset"), state.formOffset) : std::string()),
       theme.text);
  line(1,
       fmt::format("{} = {} {}  →  {}: {}", state.head < 0 ? "x_i·W_qk x_j = Σ_h x_i·W_qk,h x_j" : "x_i·W_qk,h x_j",
                   formatReading(total.form), tr("is what W_qk says"), tr("the model computes"),
                   formatReading(total.score)),
       theme.text);
  line(2,
       state.layer == 0 ? tr("x: token embeddings as they are stored; positions and what stands before the first layer "
                             "are left out.")
                        : tr("x: token embeddings. What really reaches this layer has passed the layers before it."),
       theme.textMuted);
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  if (layer && (layer->q_norm || layer->k_norm))
    line(3, tr("The model normalises a head's query and key before they meet; no term here has that."),
         theme.textMuted);
  return items;
}

std::vector<render::Item> FormPage::barItems(const PageFrame& frame, const render::Rect& box,
                                             const std::vector<FormBar>& bars, const std::string& title) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const PlacedChart chart = chartOf(box, bars, title, theme);
  append(items, chart.items());
  const Camera& camera = chart.camera();
  const render::Rect& plot = camera.plot;
  const double each = plot.width() / static_cast<double>(std::max<std::size_t>(1, bars.size()));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const FormBar& bar = bars[i];
    if (!std::isfinite(bar.from) || !std::isfinite(bar.to)) continue;
    const auto [left, right] = spanOf(plot, i, bars.size());
    const double a = toPage(camera, {0, bar.from}).y, b = toPage(camera, {0, bar.to}).y;
    const render::Color color = bar.total ? theme.text : bar.to >= bar.from ? theme.globalMin : theme.localMin;
    items.emplace_back(pageFill({{left, std::min(a, b)}, {right, std::max({a, b, std::min(a, b) + 1})}},
                                faded(color, bar.total ? 0.55f : 0.9f)));
    if (bar.chosen && !frame.figure)
      items.emplace_back(
          pageFrameLine({{left - 2, std::min(a, b) - 2}, {right + 2, std::max(a, b) + 2}}, theme.accent, 2));
    // From the end of a step to the next one.
    if (i + 1 < bars.size())
      items.emplace_back(pageLine({right, b}, {spanOf(plot, i + 1, bars.size()).first, b}, faded(theme.textMuted, 0.7f),
                                  1, render::Dash::Dotted));
    const double value = bar.total ? bar.to : bar.to - bar.from;
    const std::string text = (bar.total || value < 0 ? "" : "+") + formatReading(value);
    const bool upwards = bar.to >= bar.from;
    const double size = std::min<double>(theme.smallSize, each / (0.62 * 7));
    if (size >= 7.5 && plot.height() > 4.5 * size && textWidth(text, size) <= each + 4)
      items.emplace_back(
          textAt({(left + right) / 2, upwards ? std::min(a, b) - 0.7 * size : std::max(a, b) + 0.7 * size}, text,
                 static_cast<float>(size), theme.text, render::AlignX::Center));
    const auto every = static_cast<std::size_t>(std::ceil(1.8 * theme.smallSize / each));
    const bool named = bar.total || every <= 1 || (i % every == 0 && i + every < bars.size());
    if (named)
      items.emplace_back(textAt({(left + right) / 2, plot.max.y + 0.9 * theme.smallSize},
                                elided(bar.name, theme.smallSize, std::max(each * static_cast<double>(every), 30.0)),
                                theme.smallSize, bar.total ? theme.text : theme.textMuted, render::AlignX::Center));
  }
  return items;
}

std::optional<FormBar> FormPage::barAt(const PageFrame& frame, const render::Rect& box,
                                       const std::vector<FormBar>& bars, render::Point page) const {
  const render::Rect plot = chartOf(box, bars, {}, frame.theme).camera().plot;
  if (!plot.contains(page) || bars.empty()) return std::nullopt;
  const auto i = static_cast<std::size_t>((page.x - plot.min.x) / plot.width() * static_cast<double>(bars.size()));
  return bars[std::min(i, bars.size() - 1)];
}

/// Keys by raw score, with a bar from 0 for it and one for what the softmax makes of it.
TableView FormPage::rankingTable(const PageFrame& frame, const render::Rect& box) const {
  const FormResult& result = *data_.result();
  const attention::Ranking& ranking = result.ranking;
  const auto at = [&ranking](std::size_t row) { return static_cast<std::size_t>(ranking.order[row]); };
  TableView table;
  table.columns = {{tr("key"), 0.33},
                   {tr("raw score"), 0.39, true, 0.15 * box.width()},
                   {tr("softmax"), 0.28, true, 0.1 * box.width()}};
  table.rows = ranking.order.size();
  table.text = [&, at](std::size_t row, std::size_t column) -> std::string {
    if (column == 0) return fmt::format("{}. {}", row + 1, data_.nameOf(result.keys[at(row)]));
    return column == 1 ? formatReading(ranking.raw[at(row)]) : shownProbability(ranking.softmax[at(row)], 3);
  };
  const Theme& theme = frame.theme;
  table.color = [&, at, key = frame.shared.state.formKey](std::size_t row, std::size_t column) {
    return column > 0 ? theme.textMuted : result.keys[at(row)] == key ? theme.accent : theme.text;
  };
  double most = 1e-300;
  for (const double raw : ranking.raw)
    if (std::isfinite(raw)) most = std::max(most, std::abs(raw));
  table.drawMark = [&, at, most, columns = table.columns](std::vector<render::Item>& items, std::size_t row,
                                                          std::size_t column, render::Point left) {
    const double thick = 0.32 * TableView::rowHeight(theme), raw = ranking.raw[at(row)];
    if (!std::isfinite(raw)) return;
    const double room = columns[column].mark - 4, zero = column == 1 ? left.x + room / 2 : left.x;
    const double end = zero + (column == 1 ? raw / most * room / 2 : ranking.softmax[at(row)] * room);
    const render::Color color = column == 2 ? theme.attractor : raw >= 0 ? theme.globalMin : theme.localMin;
    items.emplace_back(
        pageFill({{std::min(zero, end), left.y - thick}, {std::max(zero, end) + 0.5, left.y + thick}}, color));
    if (column == 1)
      items.emplace_back(pageLine({zero, left.y - 1.5 * thick}, {zero, left.y + 1.5 * thick}, theme.axisZero));
  };
  return table;
}

std::vector<render::Item> FormPage::rankingItems(const PageFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const double small = theme.smallSize;
  if (box.height() < 8 * small) return items;
  const auto line = [&](double y, const std::string& text, double size, render::Color color) {
    items.emplace_back(textAt({box.min.x, y}, elided(text, size, box.width()), static_cast<float>(size), color));
  };
  line(box.min.y + 1.2 * small, tr("Candidate keys (softmax preserves their order)"), small, theme.text);
  const render::Rect rows{{box.min.x, box.min.y + 2.4 * small}, {box.max.x, box.max.y - 5.5 * small}};
  const TableView table = rankingTable(frame, rows);
  table.draw(items, {&theme, rows, std::nullopt, std::nullopt, frame.figure}, 0);
  const double below = std::min(rows.max.y, rows.min.y + table.height(theme)) + small;
  line(below,
       fmt::format("{} {}", tr("softmax of these keys alone, raw score times"), formatReading(data_.result()->scale)),
       0.9 * small, theme.textMuted);
  line(below + 1.5 * small,
       others_.empty() ? tr("the key token, and some from all over the vocabulary")
                       : tr("the key token, and those of \"Other keys\""),
       0.9 * small, theme.textMuted);
  if (const std::string unknown = unknownWords(); !unknown.empty())
    line(below + 3 * small, unknown, 0.9 * small, theme.error);
  return items;
}

std::vector<render::Item> FormPage::tipItems(const PageFrame& frame, const Layout& layout) const {
  std::vector<render::Item> items;
  const auto tip = [&](const FormBar& bar, bool heads) {
    const double value = bar.total ? bar.to : bar.to - bar.from;
    std::vector<std::string> lines{(heads && bar.head >= 0 ? std::string(tr("head")) + " " : std::string()) + bar.name +
                                   ": " + formatReading(value)};
    if (!bar.total) lines.push_back(fmt::format("{} {}", tr("sum so far"), formatReading(bar.to)));
    if (heads && bar.head >= 0) lines.emplace_back(tr("click: this head alone"));
    if (heads && bar.head < 0) lines.emplace_back(tr("click: all heads"));
    addTip(items, *frame.pointer, lines, frame.area, frame.theme);
  };
  if (const auto bar = barAt(frame, layout.heads, headBars(frame.shared), *frame.pointer))
    tip(*bar, true);
  else if (const auto rest = barAt(frame, layout.rest, restBars(frame.shared), *frame.pointer))
    tip(*rest, false);
  return items;
}

void FormPage::scene(const PageFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = sentenceOf(frame); !text.empty()) {
    layers_.addSentence(into, "form.sentence", frame, text);
    return;
  }
  const Layout layout = layoutOf(frame);
  const WeightsState& state = frame.shared.state;
  const LayerKey key = keyWith(frameKey(frame), data_.revision(), frame.shared.modelRevision, state.head, state.layer,
                               state.stack, unknownWords());
  layers_.add(into, "form.head", key, [&] { return headItems(frame, layout); });
  layers_.add(into, "form.heads", key,
              [&] { return barItems(frame, layout.heads, headBars(frame.shared), tr("x_i·W_qk x_j, head by head")); });
  layers_.add(into, "form.rest", key, [&] {
    return barItems(frame, layout.rest, restBars(frame.shared),
                    state.head < 0 ? tr("What the form leaves out, all heads together")
                                   : tr("What the form leaves out, this head"));
  });
  layers_.add(into, "form.ranking", key, [&] { return rankingItems(frame, layout.ranking); });
  if (!frame.pointer || frame.figure) return;
  layers_.add(
      into, "form.tip", keyWith(key, *frame.pointer), [&] { return tipItems(frame, layout); }, false);
}

}  // namespace sepx::ui
