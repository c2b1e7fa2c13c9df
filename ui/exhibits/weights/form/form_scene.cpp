// SPDX-License-Identifier: Apache-2.0
// The views of the form page: two sums shown step by step, and the ranking of keys before and after the softmax.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/weights/form/form_page.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kWide = 760;          // width in points from which the ranking is beside the sums
constexpr double kLow = 1.3;           // width / height: above it, a narrow pane has the sums side by side
constexpr double kMostHead = 0.24;     // largest share of the height of the page
constexpr double kMostRanking = 0.52;  // largest share of the table in the ranking with its title and notes

/// The left and right edge of bar i of `count`, page x.
std::pair<double, double> spanOf(const render::Rect& plot, std::size_t i, std::size_t count) {
  const double width = plot.width() / static_cast<double>(count), pad = std::min(0.16 * width, 8.0);
  const double left = plot.min.x + width * static_cast<double>(i);
  return {left + pad, left + width - pad};
}

/// The title and the axis of the values. barItems() draws the bars.
LineChart barChart(const std::vector<FormBar>& bars, std::string title) {
  LineChart chart;
  chart.title = std::move(title);
  chart.ground = false;
  chart.x = {.bare = true, .from = 0, .to = 1};
  ChartSeries& ends = chart.series.emplace_back();  // invisible, for read-outs
  ends.look.width = 0;
  double low = 0, high = 0;
  for (const FormBar& bar : bars) {
    ends.x.push_back((static_cast<double>(ends.x.size()) + 0.5) / static_cast<double>(bars.size()));
    ends.y.push_back(bar.to);
    for (const double value : {bar.from, bar.to}) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (!(high > low)) high = low + 1;
  const double pad = 0.12 * (high - low);
  chart.y = {.from = low < 0 ? low - pad : low, .to = high > 0 ? high + pad : high};
  return chart;
}

std::vector<render::Item> barItems(const std::vector<FormBar>& bars, const PlacedChart& chart, const ViewPlace& place) {
  std::vector<render::Item> items;
  const Theme& theme = place.theme;
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
    if (bar.chosen && !place.figure)
      items.emplace_back(
          pageFrameLine({{left - 2, std::min(a, b) - 2}, {right + 2, std::max(a, b) + 2}}, theme.selection, 2));
    // A line from the end of a step to the next one.
    if (i + 1 < bars.size())
      items.emplace_back(pageLine({right, b}, {spanOf(plot, i + 1, bars.size()).first, b}, faded(theme.textMuted, 0.7f),
                                  1, render::Dash::Dotted));
    const double value = bar.total ? bar.to : bar.to - bar.from;
    const std::string text = (bar.total || value < 0 ? "" : "+") + formatReading(value);
    const bool upwards = bar.to >= bar.from;
    const double size = std::min<double>(theme.smallSize, each / (0.62 * 7));
    if (size >= 7.5 && plot.height() > 4.5 * size && textWidth(text, size) <= each + 4) {
      const double beyond = upwards ? std::min(a, b) - 0.7 * size : std::max(a, b) + 0.7 * size;
      // At the edge of the plot the text is drawn over its bar, not over the title or the names below.
      const double inside = std::clamp(beyond, plot.min.y + 0.8 * size, plot.max.y - 0.8 * size);
      render::Label label =
          textAt({(left + right) / 2, inside}, text, static_cast<float>(size), theme.text, render::AlignX::Center);
      if (inside != beyond) label.backdrop = faded(theme.plotBackground, 0.9f);
      items.emplace_back(std::move(label));
    }
    const auto every = static_cast<std::size_t>(std::ceil(1.8 * theme.smallSize / each));
    const bool named = bar.total || every <= 1 || (i % every == 0 && i + every < bars.size());
    if (named)
      items.emplace_back(textAt({(left + right) / 2, plot.max.y + 0.9 * theme.smallSize},
                                elided(bar.name, theme.smallSize, std::max(each * static_cast<double>(every), 30.0)),
                                theme.smallSize, bar.total ? theme.text : theme.textMuted, render::AlignX::Center));
  }
  return items;
}

/// `heads`: the bars are heads, and a click selects one or all of them.
std::optional<ChartSpot> barSpot(const std::vector<FormBar>& bars, bool heads, double x) {
  if (bars.empty()) return std::nullopt;
  const auto count = static_cast<double>(bars.size());
  const FormBar& bar = bars[static_cast<std::size_t>(std::clamp(x * count, 0.0, count - 1))];
  const double value = bar.total ? bar.to : bar.to - bar.from;
  ChartSpot spot;
  spot.lines.push_back((heads && bar.head >= 0 ? std::string(tr("head")) + " " : std::string()) + bar.name + ": " +
                       formatReading(value));
  if (!bar.total) spot.lines.push_back(fmt::format("{} {}", tr("sum so far"), formatReading(bar.to)));
  if (!heads) return spot;
  spot.lines.emplace_back(bar.head >= 0 ? tr("click: this head alone") : tr("click: all heads"));
  spot.changes = {{"weights.head", static_cast<double>(bar.head)}};
  return spot;
}

ChartContent barsContent(std::vector<FormBar> bars, std::string title, bool heads) {
  Digest digest;
  for (const FormBar& bar : bars)
    digest.add(bar.name, bar.from, bar.to, bar.total, bar.chosen);
  ChartContent content{barChart(bars, std::move(title)), {}, {}, {}};
  content.over = {digest.value(),
                  [bars](const PlacedChart& chart, const ViewPlace& place) { return barItems(bars, chart, place); }};
  content.spot = [bars, heads](render::Point at, const ChartHit*) { return barSpot(bars, heads, at.x); };
  return content;
}

/// The plot, with room below it for the names of the bars.
Arrangement barsNamed(std::string name, double small) {
  return {.kind = Arrangement::Kind::Column,
          .parts = {viewNamed(std::move(name)), {.kind = Arrangement::Kind::Column, .length = 1.6 * small}}};
}

}  // namespace

std::string FormPage::sentenceOf(const PageFrame& frame) const {
  const WeightsShared& shared = frame.shared;
  if (std::string sentence = modelSentence(shared); !sentence.empty()) return sentence;
  const std::string embedding = embeddingOf(shared);
  if (data_.stream() && data_.result()) return {};
  if (embedding.empty())
    return tr(
        "No token embedding was recognised among the tensors of this file, so there are no x_i and x_j for the form. "
        "The page Mapping lists the tensors; name the embedding there.");
  const checkpoint::TensorInfo* const tensor = shared.model->checkpoint->find(embedding);
  if (!tensor || tensor->shape.size() != 2)
    return trFormat(
        "There is no table called {} in this file with a row for each token. Name another one on the page Mapping.",
        embedding);
  if (std::string failure = data_.failure(); !failure.empty()) return failure;
  if (!data_.result()) return tr("Reading the embeddings…");
  return {};
}

TextContent FormPage::head(const PageFrame& frame) const {
  const WeightsState& state = frame.shared.state;
  const attention::HeadTerms total = data_.result()->total(state.head);
  TextContent text{.lines = {}, .oneLine = true};
  text.lines.push_back(
      {{fmt::format("x_i = {},  x_j = {},  {}", data_.nameOf(state.formQuery), data_.nameOf(state.formKey),
                    placeWords(frame.shared.model->map, state.stack, state.layer, state.head)) +
        (data_.result()->hasRope ? fmt::format(",  {} {}", tr("offset"), state.formOffset) : std::string())}});
  text.lines.push_back({{fmt::format(
      "{} = {} {}  →  {}: {}", state.head < 0 ? "x_i·W_qk x_j = Σ_h x_i·W_{qk,h} x_j" : "x_i·W_{qk,h} x_j",
      formatReading(total.form), tr("from W_qk alone"), tr("the model computes"), formatReading(total.score))}});
  text.lines.push_back(
      {{data_.stream() ? tr("x: the residual stream that enters this layer, for the text on the page Sentence.")
        : state.formStream
            ? tr("x: token embeddings. No residual stream of this layer is stored: open the pair from the page Sentence.")
        : state.layer == 0
            ? tr("x: token embeddings as stored; positions and other steps before the first layer are left out.")
            : tr("x: token embeddings. The actual input of this layer has passed through the layers before it.")},
       NoteLine::Role::Muted});
  const checkpoint::AttentionLayer* const layer = frame.shared.layer;
  if (layer && (layer->q_norm || layer->k_norm))
    text.lines.push_back(
        {{tr("The model normalises a head's query and key before their product; no term here includes this.")},
         NoteLine::Role::Muted});
  return text;
}

/// Keys by falling raw score, with a bar for this score and one for the softmax.
TableContent FormPage::ranking(const PageFrame& frame, double width) const {
  const FormResult& result = *data_.result();
  const Theme& theme = frame.theme;
  TableContent table;
  table.columns = {
      {tr("key"), 0.33}, {tr("raw score"), 0.39, true, 0.15 * width}, {tr("softmax"), 0.28, true, 0.1 * width}};
  using Role = NoteLine::Role;
  TableBars raw{1, {}, true, theme.globalMin, theme.localMin}, softmax{2, {}, false, theme.attractor};
  double most = 1e-300;
  for (const double score : result.ranking.raw)
    if (std::isfinite(score)) most = std::max(most, std::abs(score));
  for (const int place : result.ranking.order) {
    const auto at = static_cast<std::size_t>(place);
    if (result.keys[at] == frame.shared.state.formKey) table.chosen = table.cells.size();
    table.cells.push_back({fmt::format("{}. {}", table.cells.size() + 1, data_.nameOf(result.keys[at])),
                           formatReading(result.ranking.raw[at]), shownProbability(result.ranking.softmax[at], 3)});
    table.roles.push_back({Role::Normal, Role::Muted, Role::Muted});
    raw.lengths.push_back(result.ranking.raw[at] / most);
    softmax.lengths.push_back(result.ranking.softmax[at]);
  }
  table.bars = {std::move(raw), std::move(softmax)};
  return table;
}

TextContent FormPage::rankingNotes() const {
  TextContent text{.lines = {}, .oneLine = true};
  text.lines.push_back({{fmt::format("{} {}", tr("softmax over these keys only, raw score times"),
                                     formatReading(data_.result()->scale))},
                        NoteLine::Role::Muted});
  text.lines.push_back({{others_.empty() ? tr("the key token, and a sample of the vocabulary")
                                         : tr("the key token, and those of \"Other keys\"")},
                        NoteLine::Role::Muted});
  if (std::string unknown = unknownWords(); !unknown.empty())
    text.lines.push_back({{std::move(unknown)}, NoteLine::Role::Error});
  return text;
}

/// The sums of the keys with both kinds of weights (4), (5), and the operators of Remark A.4. The key token is the
/// first of the keys.
TextContent FormPage::reading() const {
  const FormResult& result = *data_.result();
  const attention::FormReading& of = result.reading;
  const auto muted = NoteLine::Role::Muted;
  const auto outside = [](const attention::Combination& sum) {
    return std::isfinite(sum.outside) ? formatReading(sum.outside) : std::string("–");
  };
  TextContent text;
  text.lines.push_back({{tr("Hull and span of these keys")}});
  text.lines.push_back({{trFormat("Σα x_j: weights {} and more, sum {}; outside of the hull by {}",
                                  formatReading(of.softmax.least), formatReading(of.softmax.sum), outside(of.softmax))},
                        muted});
  text.lines.push_back({{trFormat("Σα̂ x_j: weights {} and more, sum {}; outside of the hull by {}",
                                  formatReading(of.raw.least), formatReading(of.raw.sum), outside(of.raw))},
                        muted});
  text.lines.push_back(
      {{trFormat("P_j x = (x·W_qk x_j) x_j: P_j P_j = c P_j, c = x_j·W_qk x_j = {}; a projection has 1",
                 formatReading(of.own.front()))},
       muted});
  text.lines.push_back(
      {{trFormat("S = Σ P_j: |S S x_i − S x_i| / |S x_i| = {}; a projection has 0", formatReading(of.twice))}, muted});
  return text;
}

Views FormPage::views(const PageFrame& frame) const {
  if (std::string text = sentenceOf(frame); !text.empty()) return sentenceAlone(std::move(text));
  Views made;
  const double space = frame.theme.space, small = frame.theme.smallSize, width = frame.area.width() - 2 * space;
  const bool wide = width >= kWide, tall = frame.area.height() >= 38 * small;
  const bool one = frame.shared.state.head >= 0;
  made.views.push_back({"head", head(frame)});
  made.views.push_back({"heads", barsContent(headBars(frame.shared), tr("x_i·W_qk x_j, head by head"), true)});
  made.views.push_back({"rest", barsContent(restBars(frame.shared),
                                            one ? tr("What the form leaves out, this head")
                                                : tr("What the form leaves out, all heads together"),
                                            false)});
  made.views.push_back(
      {"ranking.title",
       TextContent{.lines = {{{tr("Candidate keys (softmax preserves their order)")}}}, .oneLine = true}});
  made.views.push_back({"ranking", ranking(frame, wide ? 0.34 * width : width)});
  made.views.push_back({"ranking.notes", rankingNotes()});
  const bool read = !data_.result()->reading.own.empty();  // empty if W_qk is not square
  if (read) made.views.push_back({"reading", reading()});
  Arrangement ranking{.kind = Arrangement::Kind::Column, .gap = 0.6 * small};
  for (const char* const name : {"ranking.title", "ranking", "ranking.notes"})
    ranking.parts.push_back(asHighAsContent(name));
  ranking.parts[1].mostShare = kMostRanking;
  if (read) ranking.parts.push_back(asHighAsContent("reading"));
  Arrangement rest{.kind = Arrangement::Kind::Column, .parts = {barsNamed("heads", small), barsNamed("rest", small)}};
  // A small pane has only the two sums, side by side if it is low. A larger one has the ranking below or beside them.
  if (!wide && width > kLow * frame.area.height()) rest.kind = Arrangement::Kind::Row, rest.gap = 2 * space;
  if (wide) {
    rest.weight = 0.66;
    ranking.weight = 0.34;
    rest = {.kind = Arrangement::Kind::Row, .parts = {rest, ranking}, .gap = space};
  } else if (tall) {
    const bool row = rest.kind == Arrangement::Kind::Row;
    if (row) rest.weight = 0.8;
    if (row) rest = {.kind = Arrangement::Kind::Column, .parts = {std::move(rest)}};
    rest.parts.push_back(std::move(ranking));
  } else if (!frame.figure) {
    rest = {.kind = Arrangement::Kind::Column, .parts = {std::move(rest), leftOut(tr("the candidate keys"))}};
  }
  Arrangement head = asHighAsContent("head");
  head.mostShare = kMostHead;
  made.arrangement = {
      .kind = Arrangement::Kind::Column, .parts = {std::move(head), rest}, .gap = space, .margin = space};
  return made;
}

}  // namespace sepx::ui
