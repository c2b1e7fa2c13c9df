// SPDX-License-Identifier: Apache-2.0
#include "ui/published/study_views.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/published/published_view.h"
#include "ui/published/study_charts.h"
#include "ui/published/thumbnail.h"
#include "ui/views/digest.h"

namespace sepx::ui {

namespace {

constexpr double kChartsShare = 0.48;                      // of the height
constexpr double kWordsShare = 0.33;                       // of the width below the charts
constexpr double kLeastChart = 6.5, kLeastChartWidth = 9;  // height and width of a chart, in type sizes
constexpr double kLeastBeside = 45;                        // width of words and table side by side, in text sizes
constexpr std::size_t kRowOfCharts = 4;
constexpr double kLeastWords = 30, kLeastSketch = 24;    // widths, in text sizes
constexpr double kMostSketch = 44, kSketchHeight = 0.6;  // width in text sizes; height as a share of the width
constexpr double kCaption = 4;                           // height, in small type sizes

/// The text in place of the table for a study without numbers.
std::string emptyWords(const studies::Study& study) {
  if (!study.compute) return tr("The study measures checkpoints that you name to sepx reproduce on the command line.");
  if (study.form == studies::StudyForm::Theorem) return tr("Run the study to see its checks.");
  return tr("The paper shows this as curves, without numbers. Run the study to see ours beside its claims.");
}

/// A sketch of the expected result, as on the card of the gallery.
PictureContent sketchOf(const studies::Study& study) {
  PictureContent sketch;
  sketch.of = Digest().add(study.id).value();
  sketch.draw = [&study](const ViewPlace& place) {
    std::vector<render::Item> items;
    const double small = place.theme.smallSize;
    const render::Rect box{place.box.min, {place.box.max.x, place.box.max.y - 2 * small}};
    const double width = std::min({box.width(), kMostSketch * place.theme.textSize, box.height() / kSketchHeight});
    const render::Point half{width / 2, width * kSketchHeight / 2},
        middle{(box.min.x + box.max.x) / 2, box.min.y + half.y};
    addThumbnail(items, {{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}}, study,
                 nullptr, place.theme);
    items.emplace_back(textAt({middle.x, middle.y + half.y + 1.2 * small},
                              elided(tr("a sketch of the expected result, not data"), small, place.box.width()),
                              place.theme.smallSize, place.theme.textMuted, render::AlignX::Center));
    return items;
  };
  return sketch;
}

/// For a study without charts and numbers: the words, and beside or below them a sketch of the expected result.
void addSketch(Views& shown, const StudyShown& of, std::vector<Arrangement> words, const PageArea& area) {
  const double unit = area.theme.textSize, gap = shown.arrangement.gap;
  Arrangement left{.kind = Arrangement::Kind::Column, .parts = std::move(words), .gap = gap, .natural = true};
  left.leastWidth = kLeastWords * unit;
  Arrangement caption = viewNamed("table");
  caption.length = kCaption * static_cast<double>(area.theme.smallSize);
  Arrangement right{.kind = Arrangement::Kind::Column, .parts = {caption}};
  right.leastWidth = kLeastSketch * unit;
  if (!area.figure) {
    shown.views.push_back({"sketch", sketchOf(of.study)});
    right.parts.push_back(viewNamed("sketch"));
    right.parts.back().leastHeight = kLeastChart * unit;
    right.parts.back().order = 1;
  }
  shown.arrangement.parts.push_back(
      {.kind = Arrangement::Kind::Row, .parts = {std::move(left), std::move(right)}, .gap = 2 * gap, .breaks = true});
}

/// The height that words and table need side by side so that neither scrolls.
double numbersHeight(const Views& of, const PageArea& area) {
  const double room = area.area.width() - 4 * area.theme.space, gap = 2 * area.theme.space;
  double left = -gap, right = 0;
  for (const View& view : of.views) {
    const bool words = view.name == "words", button = view.name == "button";
    if (words || button) left += gap + heightOf(view, kWordsShare * room - gap, area.theme);
    if (view.name == "table") right = heightOf(view, (1 - kWordsShare) * room - gap, area.theme);
  }
  return std::max(left, right);
}

}  // namespace

Views studyViews(const StudyShown& of, const PageArea& area) {
  const Theme& theme = area.theme;
  const double pad = 2 * theme.space;
  const studies::StudyResult* const made = of.made;
  const studies::StudyTable rows = publishedTable(of.study, made);
  const std::size_t count = made ? made->charts.size() : 0;
  const bool narrow = count > 0 && area.area.width() < kLeastBeside * theme.textSize;
  TextContent words = publishedWords(of.study, made, of.failure);
  words.scrolls = count > 0 && !narrow;  // beside the table it gets the remaining height
  words.large = count == 0 && rows.rows.empty();
  Views shown{{{"words", std::move(words)}}, {.kind = Arrangement::Kind::Column, .gap = pad, .margin = pad}};
  std::vector<Arrangement>& parts = shown.arrangement.parts;
  if (rows.rows.empty())
    shown.views.push_back({"table", TextContent{.lines = {{{emptyWords(of.study)}}}, .centred = true}});
  else
    shown.views.push_back({"table", publishedRows(rows, count > 0), [rows] { return publishedNumbers(rows); }});
  if (count > 0) {
    const double each = (area.area.width() - 2 * pad) / (static_cast<double>(count) * theme.textSize);
    const bool oneRow = count <= kRowOfCharts && each >= kLeastChartWidth;
    parts.push_back(gridOfViews(oneRow ? count : (count + 1) / 2, pad, {}));
    parts.back().weight = kChartsShare;
    parts.back().leastHeight = (oneRow || count < 2 ? 1 : 2) * kLeastChart * theme.textSize;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "chart" + std::to_string(i);
      shown.views.push_back({name, ChartContent{lineChart(made->charts[i], theme)}});
      parts.back().parts.push_back(viewNamed(name));
    }
    shown.views.push_back({"legend", LegendContent{chartLegend(made->legend, theme)}});
    parts.push_back(asHighAsContent("legend"));
    parts.back().order = 1;
    parts.back().called = tr("the legend");
  }
  std::vector<Arrangement> beside;
  if (of.button) {
    shown.views.push_back({"button", *of.button});
    beside.push_back(asHighAsContent("button"));
  }
  if (count > 0 && !narrow) {
    beside.push_back(viewNamed("words"));
    Arrangement left{.kind = Arrangement::Kind::Column, .parts = std::move(beside), .gap = pad, .weight = kWordsShare};
    Arrangement numbers = viewNamed("table");
    numbers.weight = 1 - kWordsShare;
    Arrangement row{.kind = Arrangement::Kind::Row, .parts = {std::move(left), std::move(numbers)}, .gap = 1.5 * pad};
    row.length = numbersHeight(shown, area);  // the charts get the remaining height
    row.mostShare = 1 - kChartsShare;
    parts.push_back(std::move(row));
    return shown;
  }
  if (count == 0) beside.push_back(asHighAsContent("words"));  // no charts: the rows have the whole width
  if (count == 0 && rows.rows.empty()) {
    addSketch(shown, of, std::move(beside), area);
    return shown;
  }
  std::move(beside.begin(), beside.end(), std::back_inserter(parts));
  parts.push_back(viewNamed("table"));
  parts.back().weight = 1 - kChartsShare;
  if (count > 0) {
    parts.back().order = 2;
    parts.back().called = tr("the table of numbers");
  }
  return shown;
}

}  // namespace sepx::ui
