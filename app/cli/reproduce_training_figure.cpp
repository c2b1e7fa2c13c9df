// SPDX-License-Identifier: Apache-2.0
// The pictures of the figures that are trained: a plot for each setting, loss or the logarithm of sigma1/sigma2 over
// the steps, in page coordinates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cli/reproduce.h"
#include "app/cli/text.h"
#include "ui/canvas/axes.h"
#include "ui/canvas/shapes.h"

namespace sepx::app::cli {

using studies::kStarts;
using studies::kWatched;
using studies::LossPoint;
using studies::SpectrumPoint;
using studies::TrainingFigure;
using studies::TrainingRun;

namespace {

using render::Dash;
using render::Point;

struct Line {
  std::vector<Point> points;  // data
  render::Stroke stroke;
};

struct Legend {
  std::string words;
  render::Stroke stroke;
};

render::Stroke strokeOf(const ui::Theme& theme, int which) {
  const std::array<render::Color, 4> colors{theme.localMin, theme.globalMin, theme.saddle, theme.textMuted};
  constexpr std::array<Dash, 4> kDashes{Dash::Dashed, Dash::Solid, Dash::Dotted, Dash::Solid};
  const auto at = static_cast<std::size_t>(which) % colors.size();
  return {colors[at], theme.lineWidth, kDashes[at]};
}

/// Data of one setting.
class SettingPlot {
 public:
  SettingPlot(const TrainingFigure& figure, std::size_t setting, const ui::Theme& theme) : theme_(theme) {
    const bool losses = figure.figure == 4;
    double unigram = 0, bigram = 0;
    for (const TrainingRun& run : figure.runs) {
      if (run.setting != setting) continue;
      if (losses)
        addLoss(run);
      else
        addSpectra(run);
      unigram = run.unigram;
      bigram = run.bigram;
    }
    last_ = static_cast<double>(figure.settings[setting].config.schedule.steps);
    if (losses) {
      // The two levels in the middle: what starts far above leaves the plot at its top.
      low_ = bigram - 0.3 * (unigram - bigram);
      high_ = unigram + 0.6 * (unigram - bigram);
      for (const double level : {unigram, bigram})
        lines_.push_back({{{0, level}, {last_, level}}, {theme.textMuted, 1, Dash::Dashed}});
    } else {
      low_ = 0;
      high_ = 2;
      for (const Line& line : lines_)
        for (const Point& at : line.points)
          if (at.x > 0) high_ = std::max(high_, at.y + 0.1);
      high_ = std::min(high_, 8.0);
    }
  }

  std::vector<render::Item> items(const render::Rect& box, const std::string& title, const ui::AxisNames& names) const {
    std::vector<render::Item> items;
    const ui::Camera camera{{{0, low_}, {last_, high_}}, box};
    const auto small = static_cast<double>(theme_.smallSize);
    const ui::Ticks x = ui::fittingTicks(0, last_, box.width(), small, true);
    const ui::Ticks y = ui::fittingTicks(low_, high_, box.height(), small, false);
    ui::addGrid(items, camera, x, y, theme_);
    for (const Line& line : lines_) {
      std::vector<Point> points;
      for (const Point& at : line.points)
        points.push_back(ui::toPage(camera, at));
      for (ui::ClippedLine& piece : ui::clipLine(points, std::vector<double>(points.size(), 1.0), box))
        items.push_back(render::Polyline{std::move(piece.points), line.stroke, {}, render::Space::Page});
    }
    ui::addAxes(items, camera, x, y, names, theme_);
    render::Label label = ui::textAt({box.min.x, box.min.y - 0.9 * static_cast<double>(theme_.textSize)}, title,
                                     theme_.textSize, theme_.text);
    label.bold = true;
    items.emplace_back(std::move(label));
    return items;
  }

 private:
  void addLoss(const TrainingRun& run) {
    Line line;
    for (const LossPoint& point : run.curve)
      line.points.push_back({static_cast<double>(point.step), point.loss});
    line.stroke = strokeOf(theme_, run.start);
    lines_.push_back(std::move(line));
  }
  void addSpectra(const TrainingRun& run) {
    for (std::size_t i = 0; i < kWatched.size(); ++i) {
      Line line;
      for (const SpectrumPoint& point : run.spectra) {
        const double ratio = point.ratio[i];
        // Rank one to the last bit: above every plot.
        line.points.push_back({static_cast<double>(point.step), std::isfinite(ratio) ? std::log10(ratio) : 9.0});
      }
      line.stroke = strokeOf(theme_, static_cast<int>(i));
      lines_.push_back(std::move(line));
    }
  }

  const ui::Theme& theme_;
  std::vector<Line> lines_;
  double last_ = 1, low_ = 0, high_ = 1;
};

std::vector<Legend> legendOf(const TrainingFigure& figure, const ui::Theme& theme) {
  std::vector<Legend> legend;
  if (figure.figure != 4) {
    for (std::size_t i = 0; i < kWatched.size(); ++i)
      legend.push_back({kWatched[i], strokeOf(theme, static_cast<int>(i))});
    return legend;
  }
  for (const int start : figure.settings.front().starts)
    legend.push_back({tr(kStarts[static_cast<std::size_t>(start)].words), strokeOf(theme, start)});
  legend.push_back({tr(N_("unigram (above) and bigram entropy")), {theme.textMuted, 1, Dash::Dashed}});
  return legend;
}

std::vector<render::Item> legendItems(const std::vector<Legend>& legend, Point at, double width,
                                      const ui::Theme& theme) {
  constexpr double kMark = 28;
  std::vector<render::Item> items;
  const auto size = static_cast<double>(theme.smallSize);
  double x = at.x;
  for (const Legend& one : legend) {
    const double needed = kMark + 8 + ui::textWidth(one.words, size) + 16;
    if (x + needed > at.x + width) break;
    items.emplace_back(render::Polyline{{{x, at.y}, {x + kMark, at.y}}, one.stroke, {}, render::Space::Page});
    items.emplace_back(ui::textAt({x + kMark + 6, at.y}, one.words, theme.smallSize, theme.text));
    x += needed;
  }
  return items;
}

}  // namespace

render::Scene trainingFigureScene(const TrainingFigure& figure, double width, double height, const ui::Theme& theme) {
  render::Scene scene;
  scene.width = width;
  scene.height = height;
  scene.background = theme.plotBackground;
  scene.plot = scene.window = {{0, 0}, {width, height}};
  const ui::Margins margins = ui::axisMargins(theme, false);
  const double head = 1.9 * static_cast<double>(theme.textSize), foot = 2.2 * static_cast<double>(theme.smallSize);
  const std::size_t columns = 2, rows = (figure.settings.size() + 1) / columns;
  const double cellWidth = width / columns, cellHeight = (height - foot) / static_cast<double>(rows);
  const ui::AxisNames names{tr(N_("step")), figure.figure == 4 ? tr(N_("loss")) : "log10 \u03c3\u2081/\u03c3\u2082"};
  std::uint64_t revision = 0;
  for (std::size_t i = 0; i < figure.settings.size(); ++i) {
    const double x = static_cast<double>(i % columns) * cellWidth, y = static_cast<double>(i / columns) * cellHeight;
    const render::Rect box{{x + margins.left + 8, y + head},
                           {x + cellWidth - margins.right - 8, y + cellHeight - margins.bottom}};
    if (box.width() < 40 || box.height() < 40) continue;
    const std::string brief = fmt::format("({}) {}", static_cast<char>('a' + i), figure.settings[i].name);
    const std::string whole = fmt::format("({}) {}", static_cast<char>('a' + i), tr(figure.settings[i].what));
    const std::string title = fittingTitle(whole, brief, box.width(), theme);
    scene.layers.push_back(
        {figure.settings[i].name, ++revision, true, false, SettingPlot(figure, i, theme).items(box, title, names)});
  }
  scene.layers.push_back(
      {"legend", ++revision, true, false,
       legendItems(legendOf(figure, theme), {margins.left, height - 0.6 * foot}, width - margins.left, theme)});
  return scene;
}

}  // namespace sepx::app::cli
