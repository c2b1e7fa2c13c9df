// SPDX-License-Identifier: Apache-2.0
// Grid, axes and colour bar of the Flow picture, and the imported trajectories over it. Pure functions of a frame.
#include "ui/exhibits/flow/shared/flow_axes.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "engine/core/number.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/flow/shared/flow_overlay.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

/// As many ticks as the plot has room for.
std::pair<Ticks, Ticks> ticksOf(const FlowFrame& frame) {
  return equalStepTicks(frame.state.view, frame.layout.plot, frame.theme.smallSize);
}

std::string lossMark(double loss, double room, float size) {
  const bool tiny = loss != 0 && std::abs(loss) < 5e-4;
  const std::string number = tiny ? shownPower(loss) : shownFixed(loss, std::abs(loss) < 10 ? 3 : 1);
  return textWidth(number, size) <= room ? number : shownPower(loss);
}

/// A value of a scale over powers of ten: 0.02, 500, 2e−6.
std::string powerMark(double value) {
  if (!(value >= 1e-3 && value < 1e5)) return shownPower(value);
  return shownFixed(value, std::max(0, -static_cast<int>(std::floor(std::log10(value) + 1e-9))));
}

/// The name of a mark of the colour bar, in lines above its number.
struct MarkName {
  double place = 0;
  std::vector<std::string> lines;
};

/// Collects the marks of the colour bar. A mark is added only if it does not overlap an earlier one, so the caller adds
/// the most important marks first: locked ends (without a name), then the two entropies, then the ends from the data
/// and steps between them.
class Marks {
 public:
  Marks(const FlowFrame& frame, ColorBar& bar)
      : scale_(frame.results.loss()->scale),
        bar_(bar),
        line_(1.3 * frame.theme.smallSize / bar.at.height()),
        text_(frame.layout.width - bar.at.max.x - 9),
        size_(frame.theme.smallSize) {}

  /// `symbol`: shown instead of a name that is too wide.
  void add(double loss, const char* name, const char* symbol = "") {
    const std::string text = scale_.logarithmic ? powerMark(loss) : lossMark(loss, text_, size_);
    const double place = scale_.place(loss);
    if (!std::isfinite(place) || place < -1e-6 || place > 1 + 1e-6 || !free(place, place)) return;
    double top = place;
    if (*name) {
      const std::vector<std::string> lines = wrapped(wordsFit(name) ? name : symbol, size_, text_);
      const double above = place + line_ * static_cast<double>(lines.size());
      if (above < 1 && free(place, above)) {
        names_.push_back({place, lines});
        top = above;
      }
    }
    taken_.emplace_back(place, top);
    bar_.marks.emplace_back(std::clamp(place, 0.0, 1.0), text);
  }
  const std::vector<MarkName>& names() const { return names_; }

 private:
  bool wordsFit(const std::string& name) const {
    std::istringstream words(name);
    for (std::string word; words >> word;)
      if (textWidth(word, size_) > text_) return false;
    return true;
  }
  bool free(double from, double to) const {
    return std::none_of(taken_.begin(), taken_.end(), [&](const std::pair<double, double>& other) {
      return from < other.second + line_ && other.first < to + line_;
    });
  }

  const ColorScale& scale_;
  ColorBar& bar_;
  double line_, text_;
  float size_;
  std::vector<std::pair<double, double>> taken_;  ///< intervals that are occupied, as fractions of the bar
  std::vector<MarkName> names_;
};

/// Powers of ten first, then 2 and 5 times them where there is room.
void addPowers(Marks& marks, const ColorScale& scale) {
  const double first = std::floor(std::log10(scale.low)), last = std::log10(scale.high);
  if (!std::isfinite(last - first) || last - first > 40) return;
  for (const double factor : {1.0, 2.0, 5.0})
    for (double power = first; power <= last; ++power)
      marks.add(factor * std::pow(10.0, power), "");
}

/// `names`: receives the names of its marks.
ColorBar lossBar(const FlowFrame& frame, std::vector<MarkName>& names) {
  const ColorScale& scale = frame.results.loss()->scale;
  ColorBar bar{*frame.layout.colorBar, lossMap(frame), lossOpacity(frame.theme), {}, ""};
  Marks marks(frame, bar);
  const markov::Chain& chain = frame.state.chain;
  const bool locked = frame.state.locked.has_value();
  if (locked) {
    marks.add(scale.low, "");
    marks.add(scale.high, "");
  }
  if (scale.logarithmic) {
    bar.title = frame.results.loss()->color == PlaneColor::Time ? tr("time to 99 %") : tr("|∇L| (nats)");
    addPowers(marks, scale);
    return bar;
  }
  if (frame.state.canonical) {
    bar.title = tr("loss (nats)");
    marks.add(chain.entropyRate(), tr("entropy rate"), "H(x′|x)");
    marks.add(chain.marginalEntropy(), tr("unigram entropy"), "H(π)");
  } else {
    bar.title = tr("potential");
  }
  marks.add(scale.low, "");
  marks.add(scale.high, "");
  for (const double steps : {3.0, 6.0, 1.0})
    marks.add(scale.low + steps / ColorScale::kBend * (scale.high - scale.low), "");
  names = marks.names();
  return bar;
}

void addMarkNames(std::vector<render::Item>& items, const ColorBar& bar, const std::vector<MarkName>& names,
                  const Theme& theme) {
  for (const MarkName& name : names) {
    double y = bar.at.max.y - name.place * bar.at.height();
    for (auto line = name.lines.rbegin(); line != name.lines.rend(); ++line) {
      y -= 1.3 * theme.smallSize;
      items.push_back(textAt({bar.at.max.x + 9, y}, *line, theme.smallSize, theme.textMuted));
    }
  }
}

/// Draws a line across the bar at each locked end.
void addStops(const FlowFrame& frame, std::vector<render::Item>& items) {
  if (!frame.state.locked) return;
  constexpr double kOver = 4;
  const render::Rect& bar = *frame.layout.colorBar;
  for (const double y : {bar.min.y, bar.max.y})
    items.push_back(render::Polyline{{{bar.min.x - kOver, y}, {bar.max.x + kOver, y}},
                                     {frame.theme.text, frame.theme.strongLine, render::Dash::Solid},
                                     {},
                                     render::Space::Page});
}

}  // namespace

render::ColorMap lossMap(const FlowFrame& frame) {
  const BasinPicture& basin = frame.results.basin();
  const bool tinted = frame.state.showBasin && (basin.exact || basin.integrated);
  return tinted ? render::ColorMap::Gray : frame.theme.lossMap;
}

std::vector<render::Item> gridItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  const auto [x, y] = ticksOf(frame);
  addGrid(items, frame.camera(), x, y, frame.theme);
  return items;
}

std::vector<render::Item> axisItems(const FlowFrame& frame) {
  std::vector<render::Item> items;
  const auto [x, y] = ticksOf(frame);
  const std::vector<std::string>& names = frame.state.field->info().variables;
  addAxes(items, frame.camera(), x, y, {names[0], names[1]}, frame.theme);
  if (frame.layout.colorBar && frame.results.loss()) {
    std::vector<MarkName> named;
    ColorBar bar = lossBar(frame, named);
    bar.right = frame.layout.width;
    addColorBar(items, frame.camera(), bar, frame.theme);
    addMarkNames(items, bar, named, frame.theme);
    addStops(frame, items);
  }
  return items;
}

namespace {

constexpr std::size_t kMostNamed = 8;  // more names would hide the trajectories

}  // namespace

/// Draws each imported trajectory as a dashed line with a ring at its beginning and a dot at its end.
std::vector<render::Item> ownItems(const FlowFrame& frame) {
  const Theme& theme = frame.theme;
  std::vector<render::Item> items;
  const auto there = [](render::Point at) { return std::isfinite(at.x) && std::isfinite(at.y); };
  for (const Trajectory& one : *frame.state.own)
    addLine(items, one.points, {theme.accent, theme.lineWidth + 1.25f, render::Dash::Dashed}, frame);
  for (const Trajectory& one : *frame.state.own) {
    const auto first = std::find_if(one.points.begin(), one.points.end(), there);
    if (first == one.points.end()) continue;
    const render::Point last = *std::find_if(one.points.rbegin(), one.points.rend(), there);
    if (nearWindow(frame, last))
      items.push_back(render::Marker{last, render::Shape::Circle, 7, theme.accent, theme.plotBackground, 1.25f});
    if (!nearWindow(frame, *first)) continue;
    items.push_back(render::Marker{*first, render::Shape::Ring, 12, theme.plotBackground, theme.plotBackground, 4});
    items.push_back(render::Marker{*first, render::Shape::Ring, 11, theme.accent, theme.accent, 2.25f});
    if (!one.name.empty() && frame.state.own->size() <= kMostNamed)
      items.push_back(nameAt(frame, *first, one.name, theme.accent, theme.smallSize, false));
  }
  return items;
}

}  // namespace sepx::ui
