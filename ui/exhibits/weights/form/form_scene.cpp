// SPDX-License-Identifier: Apache-2.0
// The form page as items: two sums built up step by step, and the ranking of keys before and after the softmax.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/form/form_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 760;  // points from which the plots stand side by side

/// Where bar i of `count` is, page x.
std::pair<double, double> spanOf(const render::Rect& plot, std::size_t i, std::size_t count) {
  const double width = plot.width() / static_cast<double>(count), pad = std::min(0.16 * width, 8.0);
  const double left = plot.min.x + width * static_cast<double>(i);
  return {left + pad, left + width - pad};
}

Camera cameraOf(const render::Rect& box, const std::vector<FormBar>& bars, const Theme& theme) {
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
  const Margins m = axisMargins(theme, false);
  render::Rect plot{{box.min.x + m.left - theme.textSize, box.min.y + 2.0 * theme.textSize},
                    {box.max.x - m.right, box.max.y - 2.4 * theme.smallSize}};
  plot.max.x = std::max(plot.max.x, plot.min.x + 20);
  plot.max.y = std::max(plot.max.y, plot.min.y + 20);
  return {{{0, low < 0 ? low - pad : low}, {1, high > 0 ? high + pad : high}}, plot};
}

}  // namespace

std::string FormPage::sentenceOf(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (!shared.model) return shared.failure.empty() ? tr("Opening the checkpoint …") : shared.failure;
  if (shared.model->map.layers.empty()) return shared.model->map.noForm;
  if (shared.model->map.tokenEmbedding.empty())
    return tr(
        "This file holds no token embedding, so there are no x_i and x_j to put into the form. W_qk itself and "
        "its scores are on the other pages.");
  if (data_.result() && !data_.result()->failure.empty()) return data_.result()->failure;
  if (!data_.result()) return tr("Reading the embeddings …");
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
  const Camera camera = cameraOf(box, bars, theme);
  const render::Rect& plot = camera.plot;
  const Ticks y = fittingTicks(camera.window.min.y, camera.window.max.y, plot.height(), theme.smallSize, false);
  items.emplace_back(textAt({plot.min.x, plot.min.y - 0.5 * theme.textSize},
                            elided(title, theme.smallSize, plot.width()), theme.smallSize, theme.text,
                            render::AlignX::Left, render::AlignY::Bottom));
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const double at = toPage(camera, {0, y.values[i]}).y;
    items.emplace_back(pageLine({plot.min.x, at}, {plot.max.x, at}, y.values[i] == 0 ? theme.axisZero : theme.grid));
    items.emplace_back(textAt({plot.min.x - 6, at}, y.labels[i], theme.smallSize, theme.tick, render::AlignX::Right));
  }
  const double each = plot.width() / static_cast<double>(std::max<std::size_t>(1, bars.size()));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const FormBar& bar = bars[i];
    if (!std::isfinite(bar.from) || !std::isfinite(bar.to)) continue;
    const auto [left, right] = spanOf(plot, i, bars.size());
    const double a = toPage(camera, {0, bar.from}).y, b = toPage(camera, {0, bar.to}).y;
    const render::Color color = bar.total ? theme.text : bar.to >= bar.from ? theme.globalMin : theme.localMin;
    items.emplace_back(pageFill({{left, std::min(a, b)}, {right, std::max({a, b, std::min(a, b) + 1})}},
                                faded(color, bar.total ? 0.55f : 0.9f)));
    if (bar.chosen)
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
  items.emplace_back(pageFrameLine(plot, theme.border));
  return items;
}

std::optional<FormBar> FormPage::barAt(const PageFrame& frame, const render::Rect& box,
                                       const std::vector<FormBar>& bars, render::Point page) const {
  const render::Rect plot = cameraOf(box, bars, frame.theme).plot;
  if (!plot.contains(page) || bars.empty()) return std::nullopt;
  const auto i = static_cast<std::size_t>((page.x - plot.min.x) / plot.width() * static_cast<double>(bars.size()));
  return bars[std::min(i, bars.size() - 1)];
}

std::vector<render::Item> FormPage::rankingItems(const PageFrame& frame, const render::Rect& box) const {
  std::vector<render::Item> items;
  const Theme& theme = frame.theme;
  const FormResult& result = *data_.result();
  const attention::Ranking& ranking = result.ranking;
  const double small = theme.smallSize;
  if (box.height() < 8 * small) return items;
  items.emplace_back(textAt({box.min.x, box.min.y + 1.5 * theme.textSize},
                            elided(tr("Keys of this query: the softmax keeps their order"), small, box.width()),
                            theme.smallSize, theme.text, render::AlignX::Left, render::AlignY::Bottom));
  double most = 1e-300;
  for (const double raw : ranking.raw)
    if (std::isfinite(raw)) most = std::max(most, std::abs(raw));
  const double top = box.min.y + 2.0 * theme.textSize + 1.7 * small, names = 0.36 * box.width();
  const double each = std::min(
      (box.max.y - top - 4 * small) / static_cast<double>(std::max<std::size_t>(1, result.keys.size())), 2.6 * small);
  if (each < 0.9 * small) return items;
  const double rawLeft = box.min.x + names, half = 0.30 * box.width(), softLeft = rawLeft + half + 0.03 * box.width();
  const double softWidth = std::max(10.0, box.max.x - softLeft - 6.6 * small), zero = rawLeft + half / 2;
  items.emplace_back(textAt({zero, top - 0.7 * small}, tr("raw score"), 0.9f * theme.smallSize, theme.textMuted,
                            render::AlignX::Center));
  items.emplace_back(textAt({softLeft, top - 0.7 * small}, tr("softmax"), 0.9f * theme.smallSize, theme.textMuted));
  items.emplace_back(textAt(
      {box.min.x, top + each * static_cast<double>(result.keys.size()) + small},
      elided(fmt::format("{} {}", tr("softmax of these keys alone, raw score times"), formatReading(result.scale)),
             0.9 * small, box.width()),
      0.9f * theme.smallSize, theme.textMuted));
  items.emplace_back(textAt({box.min.x, top + each * static_cast<double>(result.keys.size()) + 2.5 * small},
                            elided(others_.empty() ? tr("the key token, and some from all over the vocabulary")
                                                   : tr("the key token, and those of \"Other keys\""),
                                   0.9 * small, box.width()),
                            0.9f * theme.smallSize, theme.textMuted));
  for (std::size_t place = 0; place < ranking.order.size(); ++place) {
    const auto i = static_cast<std::size_t>(ranking.order[place]);
    const double y = top + each * (static_cast<double>(place) + 0.5), thick = std::min(0.32 * each, 9.0);
    const bool mine = result.keys[i] == frame.shared.state.formKey;
    items.emplace_back(textAt({box.min.x, y},
                              elided(fmt::format("{}. {}", place + 1, data_.nameOf(result.keys[i])), small, names - 6),
                              theme.smallSize, mine ? theme.accent : theme.text));
    if (!std::isfinite(ranking.raw[i])) continue;
    const double reach = ranking.raw[i] / most * (half / 2 - 2);
    items.emplace_back(
        pageFill({{std::min(zero, zero + reach), y - thick}, {std::max(zero, zero + reach) + 0.5, y + thick}},
                 ranking.raw[i] >= 0 ? theme.globalMin : theme.localMin));
    std::string raw = formatReading(ranking.raw[i]);
    if (textWidth(raw, 0.85 * small) >= half / 2) raw = shownFixed(ranking.raw[i], 2);
    const bool right = ranking.raw[i] < 0;
    if (textWidth(raw, 0.85 * small) < half / 2)
      items.emplace_back(textAt({right ? zero + 4 : zero - 4, y}, raw, 0.85f * theme.smallSize, theme.textMuted,
                                right ? render::AlignX::Left : render::AlignX::Right));
    const double share = ranking.softmax[i];
    items.emplace_back(pageFill({{softLeft, y - thick}, {softLeft + std::max(0.5, share * softWidth), y + thick}},
                                faded(theme.attractor, 0.95f)));
    items.emplace_back(textAt({softLeft + share * softWidth + 5, y}, shownProbability(share, 3),
                              0.85f * theme.smallSize, theme.textMuted));
  }
  items.emplace_back(
      pageLine({zero, top}, {zero, top + each * static_cast<double>(result.keys.size())}, theme.axisZero));
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
  LayerKey key = frameKey(frame);
  const std::string text = sentenceOf(frame);
  if (!text.empty()) {
    key.push_back(bits(std::string_view(text)));
    layers_.add(into, "form.sentence", std::move(key), [&] {
      std::vector<render::Item> items;
      addSentence(items, frame.area, sentenceCase(text), frame.theme);
      return items;
    });
    return;
  }
  const Layout layout = layoutOf(frame);
  const WeightsState& state = frame.shared.state;
  key.insert(key.end(), {data_.revision(), frame.shared.modelRevision, static_cast<std::uint64_t>(state.head),
                         static_cast<std::uint64_t>(state.layer), static_cast<std::uint64_t>(state.stack)});
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
  key.insert(key.end(), {bits(frame.pointer->x), bits(frame.pointer->y)});
  layers_.add(
      into, "form.tip", std::move(key), [&] { return tipItems(frame, layout); }, false);
}

}  // namespace sepx::ui
