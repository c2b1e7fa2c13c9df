// SPDX-License-Identifier: Apache-2.0
// The square of (p,q): colours, contour lines by marching squares, the line p + q = 1, and the places on it. Pure.
#include "ui/exhibits/flow/chain/chain_square.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/views/page_kit.h"

namespace sepx::ui {

namespace {

constexpr double kLeastSide = 40;     // points
constexpr double kBarFrom = 20;       // least width of a view with a colour bar, in text sizes
constexpr double kAboveSquare = 2.4;  // room above the square, in small text sizes
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Values that have a mark on the bar and a line in the square.
Ticks levelsOf(const ChainPicture& picture, double length, const Theme& theme) {
  const ColorLimits& scale = picture.scale;
  const ChainQuantity quantity = picture.request.quantity;
  if (quantity == ChainQuantity::Time) return decadeTicks(scale.low, scale.high, length / (3 * theme.smallSize));
  if (colorPlace(quantity, 4) == 4) return fittingTicks(scale.low, scale.high, length, theme.smallSize, false);
  Ticks ticks;
  double last = -length;
  for (const double level : {0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.4, 0.6}) {
    const double at = colorPlace(quantity, level) / colorPlace(quantity, scale.high) * length;
    if (at - last < 1.5 * theme.smallSize) continue;
    last = at;
    ticks.values.push_back(level);
    ticks.labels.push_back(formatShortest(level));
  }
  return ticks;
}

/// Label of a level where its line crosses the diagonal p = q.
void addLevelLabels(std::vector<render::Item>& items, const ChainSquare& view, double level, const std::string& text,
                    std::vector<double>& taken) {
  const ChainPicture& picture = view.picture;
  const int n = picture.request.size;
  const auto at = [&](int i) {
    return static_cast<double>((*picture.values)[static_cast<std::size_t>((n - 1 - i) * n + i)]);
  };
  const double room = 2.2 * view.theme.smallSize / view.square.height();
  for (int i = 0; i + 1 < n; ++i) {
    const double a = at(i) - level, b = at(i + 1) - level;
    if (!std::isfinite(a) || !std::isfinite(b) || (a > 0) == (b > 0)) continue;
    const double place = (i + 0.5 + a / (a - b)) / n;
    const auto near = [&](double other) { return std::abs(other - place) < room; };
    if (std::abs(place - 0.5) < room || std::any_of(taken.begin(), taken.end(), near)) continue;
    taken.push_back(place);
    render::Label label = textAt(toPage(view.camera(), {place, place}), text, 0.85f * view.theme.smallSize,
                                 view.theme.text, render::AlignX::Center);
    label.backdrop = faded(view.theme.plotBackground, 0.75f);
    items.emplace_back(std::move(label));
  }
}

void addContours(std::vector<render::Item>& items, const ChainSquare& view) {
  const ChainPicture& picture = view.picture;
  const Ticks levels = levelsOf(picture, view.square.height(), view.theme);
  const bool across = picture.request.quantity != ChainQuantity::Distance;
  std::vector<double> taken{0.05, 0.95};  // places of the names of the sides
  for (std::size_t i = 0; i < levels.values.size(); ++i) {
    std::vector<render::Point> line = contourOf(*picture.values, picture.request.size, levels.values[i], across);
    if (line.empty()) continue;
    items.emplace_back(render::Polyline{
        std::move(line), {faded(view.theme.plotBackground, 0.75f), 1, render::Dash::Solid}, {}, render::Space::Data});
    if (!view.compact) addLevelLabels(items, view, levels.values[i], levels.labels[i], taken);
  }
}

/// The line p + q = 1 and which side is which.
void addLine(std::vector<render::Item>& items, const ChainSquare& view) {
  const Theme& theme = view.theme;
  // The line has an edge, because its colour may be close to the colours of the picture.
  items.emplace_back(render::Polyline{
      {{0, 1}, {1, 0}}, {theme.plotBackground, theme.strongLine + 3, render::Dash::Solid}, {}, render::Space::Data});
  items.emplace_back(render::Polyline{
      {{0, 1}, {1, 0}}, {theme.separatrix, theme.strongLine, render::Dash::Solid}, {}, render::Space::Data});
  const Camera camera = view.camera();
  const auto label = [&](render::Point at, const char* words, render::AlignX x, render::AlignY y) {
    render::Label text = textAt(toPage(camera, at), tr(words), theme.smallSize, theme.text, x, y);
    text.backdrop = faded(theme.plotBackground, 0.8f);
    items.emplace_back(std::move(text));
  };
  label({0.8, 0.2}, N_("p + q = 1"), render::AlignX::Center, render::AlignY::Middle);
  if (view.compact) return;
  label({0.03, 0.03}, N_("p + q < 1"), render::AlignX::Left, render::AlignY::Bottom);
  label({0.97, 0.97}, N_("p + q > 1"), render::AlignX::Right, render::AlignY::Top);
}

void addBar(std::vector<render::Item>& items, const ChainSquare& view) {
  const ChainPicture& picture = view.picture;
  if (!view.bar || !picture.values) return;
  const bool diverging = picture.request.quantity == ChainQuantity::S_star;
  ColorBar bar{*view.bar,
               diverging ? render::ColorMap::Diverging : view.theme.lossMap,
               1,
               {},
               quantityTitle(picture.request.quantity)};
  const Ticks levels = levelsOf(picture, view.bar->height(), view.theme);
  const auto place = [&picture](double value) { return colorPlace(picture.request.quantity, value); };
  const double low = place(picture.scale.low), high = place(picture.scale.high);
  for (std::size_t i = 0; i < levels.values.size(); ++i)
    bar.marks.emplace_back((place(levels.values[i]) - low) / (high - low), levels.labels[i]);
  addColorBar(items, view.camera(), bar, view.theme);
}

void addMarker(std::vector<render::Item>& items, const ChainSquare& view, const markov::Chain& at, render::Shape shape,
               float size, render::Color fill, render::Color edge) {
  const render::Point page = toPage(view.camera(), {at.p, at.q});
  if (shape == render::Shape::Ring)
    items.emplace_back(render::Marker{page, shape, size + 2, {}, view.theme.plotBackground, 4, render::Space::Page});
  items.emplace_back(render::Marker{page, shape, size, fill, edge, 2, render::Space::Page});
}

/// Adds the name of an end of the path to the upper right of the end, but inside the square, and to the left near the
/// corner that has the name of the upper half.
void addEndName(std::vector<render::Item>& items, const ChainSquare& view, const markov::Chain& at, const char* words) {
  const bool left = at.p > 0.8 || at.switching() > 0.35, below = at.q > 0.9;
  render::Label label =
      textAt(toPage(view.camera(), {at.p, at.q}), tr(words), view.theme.smallSize, view.theme.text,
             left ? render::AlignX::Right : render::AlignX::Left, below ? render::AlignY::Top : render::AlignY::Bottom);
  label.offset = {left ? -9.0 : 9.0, below ? 7.0 : -7.0};
  label.backdrop = faded(view.theme.plotBackground, 0.75f);
  items.emplace_back(std::move(label));
}

}  // namespace

ChainSquare::ChainSquare(const ChainState& shown, const ChainResults& known, const ViewPlace& place, bool small)
    : state(shown), picture(known.picture()), theme(place.theme), compact(small) {
  const bool barred = place.box.width() > kBarFrom * static_cast<double>(theme.textSize);
  const Margins m = axisMargins(theme, barred);
  const double top = kAboveSquare * static_cast<double>(theme.smallSize);
  const double side =
      std::max(kLeastSide, std::min(place.box.width() - m.left - m.right, place.box.height() - top - m.bottom));
  const render::Point corner{place.box.min.x + m.left, place.box.min.y + top};
  square = {corner, {corner.x + side, corner.y + side}};
  if (!barred) return;
  const double left = square.max.x + 2 * theme.space;
  bar = render::Rect{{left, corner.y}, {left + theme.textSize, corner.y + side}};
}

double squareWidth(double height, const Theme& theme) {
  const Margins m = axisMargins(theme, true);
  return height - kAboveSquare * static_cast<double>(theme.smallSize) - m.bottom + m.left + m.right;
}

std::string chainNumber(double value, int digits) {
  if (!std::isfinite(value)) return value > 0 ? "∞" : "–";
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size < 1e-3 || size >= 1e5) return shownPower(value);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  return shownFixed(value, std::clamp(digits - before, 0, digits));
}

std::vector<render::Point> contourOf(const std::vector<float>& values, int size, double level, bool acrossLine) {
  std::vector<render::Point> line;
  const auto value = [&](int i, int j) {  // i counts p, j counts q
    return static_cast<double>(values[static_cast<std::size_t>((size - 1 - j) * size + i)]) - level;
  };
  const auto place = [size](double i, double j) { return render::Point{(i + 0.5) / size, (j + 0.5) / size}; };
  constexpr std::array<std::array<int, 2>, 4> kCorners{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
  for (int j = 0; j + 1 < size; ++j)
    for (int i = 0; i + 1 < size; ++i) {
      if (!acrossLine && std::abs(i + j + 2 - size) <= 1) continue;
      std::array<double, 4> at{};
      bool there = true;
      for (std::size_t k = 0; k < 4; ++k) {
        at[k] = value(i + kCorners[k][0], j + kCorners[k][1]);
        there = there && std::isfinite(at[k]);
      }
      if (!there) continue;
      // The crossings of the four sides, in order. Two crossings form a line. Four form two lines (a saddle), each from
      // two consecutive crossings.
      for (std::size_t k = 0, found = 0; k < 4; ++k) {
        const std::size_t next = (k + 1) % 4;
        if ((at[k] > 0) == (at[next] > 0)) continue;
        const double share = at[k] / (at[k] - at[next]);
        line.push_back(place(i + kCorners[k][0] + share * (kCorners[next][0] - kCorners[k][0]),
                             j + kCorners[k][1] + share * (kCorners[next][1] - kCorners[k][1])));
        if (++found % 2 == 0) line.push_back({kNothing, kNothing});
      }
    }
  return line;
}

std::vector<render::Item> squareItems(const ChainSquare& view) {
  std::vector<render::Item> items;
  const ChainPicture& picture = view.picture;
  const Theme& theme = view.theme;
  if (picture.values) {
    const ChainQuantity quantity = picture.request.quantity;
    const bool diverging = quantity == ChainQuantity::S_star;
    items.emplace_back(render::Heatmap{.extent = {{0, 0}, {1, 1}},
                                       .width = picture.request.size,
                                       .height = picture.request.size,
                                       .values = picture.places,
                                       .map = diverging ? render::ColorMap::Diverging : theme.lossMap,
                                       .low = static_cast<float>(colorPlace(quantity, picture.scale.low)),
                                       .high = static_cast<float>(colorPlace(quantity, picture.scale.high)),
                                       .opacity = 1,
                                       .smooth = true});
    if (view.state.contours) addContours(items, view);
  }
  addLine(items, view);
  const render::Rect& square = view.square;
  const Ticks x = fittingTicks(0, 1, square.width(), theme.smallSize, true);
  const Ticks y = fittingTicks(0, 1, square.height(), theme.smallSize, false);
  addAxes(items, view.camera(), x, y, {"p", "q"}, theme);
  addBar(items, view);
  return items;
}

std::vector<render::Item> placeItems(const ChainSquare& view) {
  std::vector<render::Item> items;
  const Theme& theme = view.theme;
  const ChainState& state = view.state;
  if (state.showPath) {
    const markov::Chain first = state.path.at(0), last = state.path.at(1), head = state.path.at(state.head);
    const Camera camera = view.camera();
    const render::Point a = toPage(camera, {first.p, first.q}), b = toPage(camera, {last.p, last.q});
    items.emplace_back(pageLine(a, b, faded(theme.plotBackground, 0.8f), theme.lineWidth + 2));
    items.emplace_back(pageLine(a, b, theme.text, theme.lineWidth, render::Dash::Dashed));
    addMarker(items, view, first, render::Shape::Ring, 11, {}, theme.text);
    addMarker(items, view, last, render::Shape::Square, 10, theme.text, theme.plotBackground);
    if (!view.compact) {
      addEndName(items, view, first, N_("initial point"));
      addEndName(items, view, last, N_("end"));
    }
    addMarker(items, view, head, render::Shape::Diamond, 13, theme.plotBackground, theme.selection);
  }
  addMarker(items, view, state.chain, render::Shape::Circle, theme.handleSize + 4, theme.plotBackground,
            theme.plotBackground);
  addMarker(items, view, state.chain, render::Shape::Circle, theme.handleSize, theme.selection, theme.text);
  return items;
}

}  // namespace sepx::ui
