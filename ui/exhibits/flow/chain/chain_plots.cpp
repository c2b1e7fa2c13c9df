// SPDX-License-Identifier: Apache-2.0
// The plots beside the square: four small ones of what varies along the path, with the crossing of p + q = 1; P(I_min)
// against sigma on either side of p + q = 1, quadrature as lines, counts of integrated starts with their 95 % intervals
// beside them; and the words. Pure.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibit/page_kit.h"
#include "ui/exhibits/flow/chain/chain_items.h"
#include "ui/plots/line_chart.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

struct Small {
  const char* title;
  std::optional<double> (*value)(const ChainReading&);
};

constexpr std::array kSmall{
    Small{N_("loss gap (nats)"), [](const ChainReading& at) { return std::optional<double>(at.gap); }},
    Small{N_("P(local minimum)"), [](const ChainReading& at) { return at.probability; }},
    Small{N_("expected excess loss (nats)"), [](const ChainReading& at) { return at.excess; }},
    Small{N_("time to 99 %"), [](const ChainReading& at) { return at.time; }},
};
constexpr std::size_t kTime = 3;

/// The plot of quantity i: two by two.
render::Rect plotOf(const render::Rect& box, std::size_t i, const Theme& theme) {
  const double left = 3.6 * theme.smallSize + 0.8 * theme.textSize, top = 1.9 * theme.smallSize;
  const double bottom = 1.7 * theme.smallSize;
  const double width = box.width() / 2, height = (box.height() - bottom) / 2;
  const render::Point corner{box.min.x + static_cast<double>(i % 2) * width,
                             box.min.y + static_cast<double>(i / 2) * height};
  return {{corner.x + left, corner.y + top},
          {corner.x + std::max(width - 1.5 * theme.space, left + 20), corner.y + std::max(height - 4.0, top + 12)}};
}

/// Quantity i along the path. A quantity that a place does not have is a gap.
PlacedChart placedAlong(const ChainView& view, std::size_t i) {
  const Theme& theme = view.theme;
  const ChainAlong& along = view.results.along();
  LineChart chart;
  chart.title = tr(kSmall[i].title);
  chart.compact = true;
  chart.plot = plotOf(*view.layout.along, i, theme);
  chart.x = {.bare = true, .from = 0, .to = 1};
  ChartSeries line{"", {theme.text, render::Dash::Solid, theme.lineWidth}, along.t};
  double low = HUGE_VAL, high = 0;
  for (const ChainReading& at : along.at) {
    const double value = kSmall[i].value(at).value_or(std::nan(""));
    line.y.push_back(value);
    if (!std::isfinite(value) || (i == kTime && !(value > 0))) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (i == 1) {
    chart.y = {.from = -0.03, .to = 1.03};
  } else if (i == kTime && low <= high) {
    const double first = std::floor(std::log10(low)), last = std::max(std::ceil(std::log10(high)), first + 1);
    chart.y = {.logarithmic = true, .from = std::pow(10.0, first), .to = std::pow(10.0, last)};
  } else {
    chart.y = {.from = 0, .to = high > 0 ? 1.08 * high : 1};
  }
  if (const std::optional<double> crossing = along.path.crossing())
    chart.references.push_back({*crossing, "", {theme.separatrix, render::Dash::Dashed, theme.lineWidth}, true});
  chart.series.push_back(std::move(line));
  return PlacedChart(std::move(chart), *view.layout.along, theme);
}

std::string placeWords(const markov::Chain& chain) {
  return "(" + shownProbability(chain.p, 2) + ", " + shownProbability(chain.q, 2) + ")";
}

/// Below the lower plots: where the path starts and ends, where it meets the line.
void addFoot(std::vector<render::Item>& items, const ChainView& view, std::size_t i) {
  const Theme& theme = view.theme;
  const render::Rect plot = plotOf(*view.layout.along, i, theme);
  const ChainPath& path = view.results.along().path;
  const double y = plot.max.y + 4;
  const auto words = [&](double x, const std::string& text, render::AlignX align) {
    items.emplace_back(textAt({x, y}, text, 0.9f * theme.smallSize, theme.textMuted, align, render::AlignY::Top));
  };
  const std::string first = placeWords(path.at(0)), last = placeWords(path.at(1));
  const std::optional<double> crossing = path.crossing();
  const std::string middle = crossing ? std::string("p + q = 1") : std::string();
  const double size = 0.9 * theme.smallSize, half = textWidth(middle, size) / 2 + size;
  const double at = plot.min.x + crossing.value_or(0) * plot.width();
  if (i < 2) return;
  if (plot.min.x + textWidth(first, size) < at - half || !crossing) words(plot.min.x, first, render::AlignX::Left);
  if (plot.max.x - textWidth(last, size) > at + half || !crossing) words(plot.max.x, last, render::AlignX::Right);
  if (crossing) words(at, middle, render::AlignX::Center);
}

void addLines(std::vector<render::Item>& items, const ChainView& view, render::Rect box,
              const std::vector<std::pair<std::string, render::Color>>& lines) {
  const double room = box.height() / std::max<double>(1, static_cast<double>(lines.size()));
  const double leading = std::clamp(room, kTightest * view.theme.smallSize, 1.45 * view.theme.smallSize);
  double y = box.min.y + leading / 2;
  for (const auto& [text, color] : lines) {
    if (y + leading / 2 > box.max.y + 0.1 * leading) return;  // where they fill the box, sums round
    items.emplace_back(textAt({box.min.x, y}, text, view.theme.smallSize, color));
    y += leading;
  }
}

}  // namespace

std::vector<render::Item> alongItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.along || view.results.along().at.empty()) return items;
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    append(items, placedAlong(view, i).items());
    addFoot(items, view, i);
  }
  return items;
}

std::vector<render::Item> alongHeadItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.along || view.results.along().at.empty()) return items;
  const ChainReading head = view.results.reading(view.state.path.at(view.state.head));
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    const PlacedChart chart = placedAlong(view, i);
    const render::Rect& plot = chart.camera().plot;
    const double x = plot.min.x + view.state.head * plot.width();
    items.emplace_back(pageLine({x, plot.min.y}, {x, plot.max.y}, view.theme.accent, 1.25f));
    const double y = chart.page({view.state.head, kSmall[i].value(head).value_or(std::nan(""))}).y;
    if (!(y >= plot.min.y - 4 && y <= plot.max.y + 4)) continue;
    items.emplace_back(render::Marker{
        {x, y}, render::Shape::Diamond, 10, view.theme.plotBackground, view.theme.accent, 2, render::Space::Page});
  }
  return items;
}

std::optional<double> pathPlaceAt(const ChainView& view, render::Point page) {
  if (!view.layout.along) return std::nullopt;
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    const render::Rect plot = plotOf(*view.layout.along, i, view.theme);
    if (!plot.contains(page)) continue;
    return std::round(std::clamp((page.x - plot.min.x) / plot.width(), 0.0, 1.0) * 200) / 200;
  }
  return std::nullopt;
}

std::vector<render::Item> wordItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.words) return items;
  const Theme& theme = view.theme;
  const render::Rect& box = *view.layout.words;
  std::vector<std::pair<std::string, render::Color>> lines;
  const auto add = [&](const std::string& text, render::Color color) {
    for (const std::string& line : wrapped(text, theme.smallSize, box.width()))
      lines.emplace_back(line, color);
  };
  const std::vector<std::string> here = readingWords(view.results.reading(view.state.chain));
  for (std::size_t i = 0; i < here.size(); ++i)
    add(here[i], i == 0 ? theme.text : theme.textMuted);
  const std::size_t ours = lines.size();
  lines.emplace_back("", theme.textMuted);
  add(tr("The same on the whole of either side of the line:"), theme.text);
  add(tr("Orbits as curves and energy contours do not depend on p and q, basins on the sign of p + q − 1 alone, so "
         "P(local minimum) depends on σ and that sign alone. p and q set the direction of the flow, its clock, and "
         "where on its orbit the global minimum lies."),
      theme.textMuted);
  // All of the paragraph or a word that there is one.
  if (static_cast<double>(lines.size()) * kTightest * theme.smallSize > box.height()) {
    lines.resize(ours);
    add(tr("In a larger pane: the explanation."), theme.textMuted);
  }
  addLines(items, view, box, lines);
  return items;
}

std::vector<render::Item> noteItems(const ChainView& view) {
  if (!view.layout.note) return {};
  const Theme& theme = view.theme;
  std::string parts;
  const auto add = [&parts](const char* part) { parts += std::string(parts.empty() ? "" : ", ") + tr(part); };
  if (!view.layout.curve) add(N_("P(local minimum) against σ"));
  if (view.state.showPath && !view.layout.along) add(N_("the four plots along the path"));
  if (!view.layout.words) add(N_("the explanation"));
  const render::Rect& box = *view.layout.note;
  const std::string text = filled(tr("In a larger pane: {parts}."), "{parts}", parts);
  return {textAt({box.min.x + theme.space, box.min.y + box.height() / 2},
                 elided(text, theme.smallSize, box.width() - 2 * theme.space), theme.smallSize, theme.textMuted)};
}

namespace {

constexpr double kLeastShare = -0.02, kMostShare = 1.02;  // ends of the vertical axis
constexpr double kSaddleDistance = std::numbers::sqrt2 / 2;
constexpr const char* kSaddleName = "1/√2";

ChartLook curveLook(const Theme& theme, markov::Model model, bool above) {
  const bool attention = markov::hasAttention(model);
  ChartLook look{above ? theme.localMin : theme.globalMin, attention ? render::Dash::Dashed : render::Dash::Solid,
                 theme.lineWidth};
  look.markerSize = attention ? 8.0f : 6.5f;
  look.hollow = true;
  return look;
}
render::Shape modelShape(markov::Model model) {
  return markov::hasAttention(model) ? render::Shape::Diamond : render::Shape::Circle;
}

std::string curveName(markov::Model model, bool above) {
  return std::string(above ? tr("p + q > 1") : tr("p + q < 1")) +
         (markov::hasAttention(model) ? ", (e, w, a)" : ", (e, w)");
}

void addCurves(LineChart& chart, const ChainView& view) {
  for (const ChainCurve& curve : view.results.curves().curves) {
    const bool ours = curve.model == view.state.model && curve.above == (view.state.chain.switching() > 0) &&
                      !view.state.chain.degenerate();
    ChartSeries& line = chart.series.emplace_back();
    line.look = curveLook(view.theme, curve.model, curve.above);
    if (ours) line.look.width = view.theme.strongLine + 0.5f;
    line.x = curve.sigma;
    line.y = curve.probability;
  }
  if (!view.state.counts) return;
  for (const ChainCount& count : view.results.curves().counts) {
    if (count.share.samples == 0) continue;
    ChartSeries& bar = chart.series.emplace_back();
    bar.look = curveLook(view.theme, count.model, count.above);
    bar.look.width = 0;
    bar.look.spread = Spread::Bars;
    bar.look.marker = modelShape(count.model);
    bar.x = {count.sigma};
    bar.y = {count.share.share()};
    bar.low = {count.share.low};
    bar.high = {count.share.high};
  }
}

std::vector<LegendEntry> curveLegend(const ChainView& view) {
  std::vector<LegendEntry> entries;
  for (const bool above : {true, false})
    for (const markov::Model model : {markov::Model::EW, markov::Model::EWA}) {
      ChartLook look = curveLook(view.theme, model, above);
      look.width = view.theme.strongLine;
      if (view.state.counts) look.marker = modelShape(model);
      entries.push_back({curveName(model, above), look});
    }
  return entries;
}

/// Linear between the nodes of a curve.
std::optional<double> valueOn(const ChainCurve& curve, double sigma) {
  const auto next = std::lower_bound(curve.sigma.begin(), curve.sigma.end(), sigma);
  if (next == curve.sigma.end() || next == curve.sigma.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(next - curve.sigma.begin());
  const double share = std::log(sigma / curve.sigma[i - 1]) / std::log(curve.sigma[i] / curve.sigma[i - 1]);
  return curve.probability[i - 1] + share * (curve.probability[i] - curve.probability[i - 1]);
}

}  // namespace

Camera curveCamera(const ChainLayout& layout) {
  return {{{std::log10(kLeastSigma), kLeastShare}, {std::log10(kMostSigma), kMostShare}},
          layout.curve.value_or(render::Rect{{0, 0}, {1, 1}})};
}

double sigmaAtPage(const ChainLayout& layout, double x) {
  const double sigma = std::pow(10.0, toData(curveCamera(layout), {x, 0}).x);
  // Two digits, rounded in decimals.
  return std::clamp(parseNumber(fmt::format("{:.2g}", sigma)).value_or(1), kLeastSigma, 10.0);
}

std::vector<render::Item> curveItems(const ChainView& view) {
  if (!view.layout.curve) return {};
  const Theme& theme = view.theme;
  LineChart chart;
  chart.x = {.name = "σ", .logarithmic = true, .from = kLeastSigma, .to = kMostSigma};
  chart.y = {.name = tr("P(local minimum)"), .from = kLeastShare, .to = kMostShare};
  chart.plot = view.layout.curve;
  // The distance of the saddle from the origin is the length that sigma is small or large against (erratum 14).
  chart.references.push_back(
      {kSaddleDistance, kSaddleName, {theme.textMuted, render::Dash::Dotted, 1}, /*vertical=*/true});
  addCurves(chart, view);
  const render::Rect& plot = *view.layout.curve;  // beside a low one the name stands also beside its legend and numbers
  const render::Rect box{{plot.min.x, view.layout.legend->min.y},
                         {plot.max.x, plot.max.y + axisMargins(theme, false).bottom}};
  std::vector<render::Item> items = PlacedChart(std::move(chart), box, theme).items();
  addLegend(items, view.layout.legend->min, view.layout.legend->width(), curveLegend(view), theme);
  return items;
}

namespace {

/// The words beside the line of sigma, the first at the top, the others at their heights but apart from each other; in
/// one line where the plot is too low for that. On the side where the name of the saddle's distance is not.
void addSigmaWords(std::vector<render::Item>& items, const ChainView& view,
                   std::vector<std::pair<double, std::string>> words, double x) {
  constexpr double kGap = 9;  // points
  const Theme& theme = view.theme;
  const Camera camera = curveCamera(view.layout);
  const double step = 1.5 * theme.smallSize, lowest = camera.plot.max.y - theme.smallSize;
  if (words.front().first + step * static_cast<double>(words.size() - 1) > lowest) {
    for (std::size_t i = 1; i < words.size(); ++i)
      words.front().second += (i == 1 ? ": " : ", ") + words[i].second;
    words.resize(1);
  }
  for (std::size_t i = 1; i < words.size(); ++i)
    words[i].first = std::max(words[i].first, words[i - 1].first + step);
  for (std::size_t i = words.size(); i-- > 1;)
    words[i].first = std::min(words[i].first, i + 1 == words.size() ? lowest : words[i + 1].first - step);
  double width = 0;
  for (const auto& word : words)
    width = std::max(width, textWidth(word.second, theme.smallSize));
  const double reference = toPage(camera, {std::log10(kSaddleDistance), 0}).x;
  const double name = textWidth(kSaddleName, theme.smallSize) + 2 * kGap;
  const bool meets = x < reference && x + kGap + width > reference - name;
  const bool left =
      x - kGap - width > camera.plot.min.x && (meets || x > camera.plot.min.x + 0.75 * camera.plot.width());
  const double right = x < reference ? kGap : std::max(kGap, reference + name - x);
  for (const auto& [y, text] : words) {
    const double from = std::min(x + right, camera.plot.max.x - textWidth(text, theme.smallSize));  // over the line
    render::Label made = textAt({left ? x - kGap : from, y}, text, theme.smallSize, theme.text,
                                left ? render::AlignX::Right : render::AlignX::Left);
    made.backdrop = faded(theme.plotBackground, 0.8f);
    items.emplace_back(std::move(made));
  }
}

}  // namespace

std::vector<render::Item> sigmaItems(const ChainView& view) {
  std::vector<render::Item> items;
  if (!view.layout.curve) return items;
  const Camera camera = curveCamera(view.layout);
  const Theme& theme = view.theme;
  const double sigma = std::clamp(view.state.sigma, kLeastSigma, kMostSigma);
  const double x = toPage(camera, {std::log10(sigma), 0}).x;
  items.emplace_back(pageLine({x, camera.plot.min.y}, {x, camera.plot.max.y}, theme.accent, theme.strongLine));
  items.emplace_back(render::Marker{{x, camera.plot.min.y},
                                    render::Shape::Diamond,
                                    theme.handleSize,
                                    theme.accent,
                                    theme.text,
                                    1.5f,
                                    render::Space::Page});
  std::vector<std::pair<double, std::string>> words{
      {camera.plot.min.y + theme.smallSize, "σ = " + chainNumber(view.state.sigma, 3)}};
  for (const bool above : {true, false}) {
    const std::optional<double> p = view.results.probability(above);
    if (!p || view.state.sigma > kMostSigma) continue;
    const render::Point at = toPage(camera, {std::log10(sigma), *p});
    items.emplace_back(render::Marker{at, modelShape(view.state.model), 8,
                                      curveLook(theme, view.state.model, above).color, theme.plotBackground, 1.5f,
                                      render::Space::Page});
    words.emplace_back(at.y, shownProbability(*p, 3));
  }
  addSigmaWords(items, view, std::move(words), x);
  return items;
}

std::vector<std::string> curveWords(const ChainView& view, double sigma) {
  std::vector<std::string> lines{"σ = " + chainNumber(sigma, 3)};
  for (const ChainCurve& curve : view.results.curves().curves)
    if (const std::optional<double> value = valueOn(curve, sigma))
      lines.push_back(curveName(curve.model, curve.above) + ": " + shownProbability(*value, 3));
  const ChainCount* nearest = nullptr;
  constexpr double kNear = 1.12;  // a factor
  if (view.state.counts)
    for (const ChainCount& count : view.results.curves().counts) {
      const double away = std::abs(std::log(count.sigma / sigma));
      if (away < std::log(kNear) && (!nearest || away < std::abs(std::log(nearest->sigma / sigma)))) nearest = &count;
    }
  if (nearest)
    for (const ChainCount& count : view.results.curves().counts)
      if (count.sigma == nearest->sigma)
        lines.push_back(fmt::format("{} σ = {}, {}: {}/{} = {} ({} … {})", tr("counted for"),
                                    chainNumber(count.sigma, 3), curveName(count.model, count.above), count.share.hits,
                                    count.share.samples, chainNumber(count.share.share(), 3),
                                    chainNumber(count.share.low, 3), chainNumber(count.share.high, 3)));
  lines.emplace_back(tr("drag: choose σ"));
  return lines;
}

}  // namespace sepx::ui
