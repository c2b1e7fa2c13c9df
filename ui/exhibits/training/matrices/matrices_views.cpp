// SPDX-License-Identifier: Apache-2.0
// What the page Matrices shows: a matrix a run, the table of all matrices, curves of the chosen one over the steps.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/training/matrices/matrices_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 12;                            // points, between pictures
constexpr double kUpper = 0.6, kLower = 0.4;           // of the height
constexpr double kDecade = 10;                         // a curve that goes beyond it has a logarithmic axis
constexpr double kMostTable = 0.46;                    // of the width
constexpr double kLeastPane = 130;                     // points, of the width
constexpr double kColumn = 5.4, kFirst = 6;            // widths of columns, of the size of small text
constexpr double kLegend = 1.9;                        // height, of the size of small text
constexpr double kLeastCharts = 10, kLeastWidth = 44;  // of the size of the text

/// Columns of the table that a run has.
std::size_t columnsOf(std::size_t runs) {
  return runs <= 2 ? 3 : 1;
}

std::string ratioText(double value) {
  return std::isinf(value) ? "∞" : std::isfinite(value) ? entryText(value, 3) : "–";
}
std::string cosineText(const train::LeadingVector* leading) {
  return leading && std::isfinite(leading->cosine) ? shownFixed(leading->cosine, 2) : "–";
}

std::string cornerText(const MatrixRow& row) {
  return ratioText(row.reading.main() ? row.reading.main()->corner : std::nan(""));
}
std::string matrixName(std::size_t run) {
  return "matrix" + std::to_string(run);
}

/// How e is called.
std::string embeddingWords(train::EmbeddingVector::Kind kind) {
  using Kind = train::EmbeddingVector::Kind;
  return kind == Kind::Vector       ? tr("e: the vector of the bit")
         : kind == Kind::Difference ? tr("e: the difference of the two embeddings")
                                    : tr("e: the leading direction of the embeddings");
}

/// The run's own numbers of the ratio where it watches the matrix: they are as dense as the schedule says.
const RunSeries* measuredRatio(const Run* run, train::LayerMatrix which, const RaceState& state) {
  if (!run || !run->config() || state.head >= 0) return nullptr;
  const std::vector<std::string> names = train::parametersOf(run->config()->model, which, state.layer);
  if (names.size() != 1) return nullptr;
  const std::vector<const RunSeries*> found = run->seriesOf("sigma_ratio:" + names.front());
  return found.empty() ? nullptr : found.front();
}

}  // namespace

std::vector<train::LayerMatrix> MatricesPage::rowsOf(const RaceShared& shared) const {
  std::vector<train::LayerMatrix> rows;
  for (const train::LayerMatrixInfo& info : train::layerMatrices())
    for (std::size_t i = 0; i < shown(shared); ++i)
      if (sides_[i]->view() && sides_[i]->view()->row(info.which)) {
        rows.push_back(info.which);
        break;
      }
  return rows;
}

MatrixContent MatricesPage::matrix(const RaceFrame& frame, std::size_t run) const {
  const std::string name = frame.shared.runs[run].name();
  const MatricesPointer& view = sides_[run]->view();
  MatrixContent made;
  made.head = LegendEntry{name, runLook(frame.theme, run)};
  if (!view || !view->values) {
    const std::string& why = view ? view->sentence : sides_[run]->sentence();
    made.missing = why.empty() ? std::string(tr("The matrix is being read…")) : why;
    return made;
  }
  const double limit = limitOf(*view);
  const std::string step = trFormat("step {}", stepText(view->step));
  const MatrixRow& row = *view->chosen();
  made.rows = view->rows;
  made.columns = view->columns;
  made.values = view->values;
  made.scale = {ScaleKind::Diverging, {-limit, limit}};
  made.tipContext = fmt::format("{}, {}", name, step);
  made.notes = {{{trFormat("{}, {}", step, wordsOf(view->source)), fmt::format("±{}", entryText(limit, 3)),
                  fmt::format("[{}, {}]", view->rows, view->columns)},
                 NoteLine::Role::Muted},
                {{fmt::format("σ₁/σ₂ {}", ratioText(row.reading.ratio)),
                  fmt::format("|cos(v₁, e)| {}", cosineText(row.reading.main()))}}};
  if (view->hasEmbedding)
    made.notes.push_back({{fmt::format("max|v|/min|v| {}", cornerText(row)),
                           fmt::format("max|e|/min|e| {}", ratioText(view->embeddingCorner))}});
  return made;
}

TableContent MatricesPage::table(const RaceFrame& frame) const {
  TableContent table;
  const std::size_t count = shown(frame.shared), each = columnsOf(count);
  table.columns = {{tr("matrix"), kFirst}};
  table.groupsFrom = 1;
  for (std::size_t i = 0; i < count; ++i) {
    table.groups.push_back({{frame.shared.runs[i].name(), runLook(frame.theme, i)}, each});
    table.columns.push_back({"σ₁/σ₂", kColumn, true});
    if (each == 1) continue;
    table.columns.push_back({"|cos e|", kColumn, true});
    table.columns.push_back({tr("corner"), kColumn, true});
  }
  const std::vector<train::LayerMatrix> rows = rowsOf(frame.shared);
  for (const train::LayerMatrix which : rows) {
    if (which == which_) table.chosen = table.cells.size();
    std::vector<std::string>& cells = table.cells.emplace_back();
    cells.emplace_back(train::infoOf(which).word);
    for (std::size_t i = 0; i < count; ++i) {
      const MatrixRow* const row = sides_[i]->view() ? sides_[i]->view()->row(which) : nullptr;
      const std::string texts[] = {row ? ratioText(row->reading.ratio) : "–",
                                   row ? cosineText(row->reading.main()) : "–", row ? cornerText(*row) : "–"};
      cells.insert(cells.end(), texts, texts + each);
    }
  }
  for (std::size_t i = 0; i < count && table.notes.empty(); ++i) {
    const MatricesPointer& view = sides_[i]->view();
    if (!view || !view->hasEmbedding) continue;
    table.notes.push_back({{embeddingWords(view->embedding)}, NoteLine::Role::Muted});
    if (each > 1)
      table.notes.push_back({{tr("corner: max|v|/min|v|, 1 at a corner of the hypercube")}, NoteLine::Role::Muted});
  }
  table.pick = [rows](std::size_t row) {
    return Changes{{"training.matrices.name", std::string(train::infoOf(rows[row]).word)}};
  };
  return table;
}

ChartContent MatricesPage::chart(const RaceFrame& frame, Curve curve) const {
  ChartContent made;
  LineChart& chart = made.chart;
  chart.compact = true;
  chart.x = stepAxis(frame.shared);
  const std::string word = train::infoOf(which_).word;
  chart.y.name = curve == Curve::Ratio    ? trFormat("σ₁/σ₂ of {}", word)
                 : curve == Curve::Cosine ? trFormat("|cos(v₁, e)| of {}", word)
                                          : trFormat("max|v|/min|v| of {}", word);
  chart.y.pad = 0.05;
  if (curve == Curve::Cosine) {
    chart.y.from = 0;
    chart.y.to = 1;
  } else {
    chart.references.push_back({.value = 1, .look = {.color = frame.theme.axisZero, .width = 1}});
  }
  double most = 0;
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = frame.shared.runs[i].name();
    series.look = runLook(frame.theme, i);
    series.look.marker.reset();
    const RunSeries* const measured =
        curve == Curve::Ratio ? measuredRatio(frame.shared.runs[i].run.get(), which_, frame.shared.state) : nullptr;
    if (measured) {
      series.x = measured->steps;
      series.y = measured->values;
    } else {
      for (const auto& [step, point] : sides_[i]->points()) {
        series.x.push_back(static_cast<double>(step));
        series.y.push_back(curve == Curve::Ratio ? point.ratio : curve == Curve::Cosine ? point.cosine : point.corner);
      }
    }
    for (const double y : series.y)
      if (std::isfinite(y)) most = std::max(most, y);
  }
  chart.y.logarithmic = most > kDecade;  // all of these are 1 at least, or a cosine
  showSteps(made, frame);
  return made;
}

LegendContent MatricesPage::legend(const RaceFrame& frame) const {
  LegendContent legend;
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    legend.entries.push_back({frame.shared.runs[i].name(), runLook(frame.theme, i)});
    legend.entries.back().look.marker.reset();
  }
  return legend;
}

Arrangement MatricesPage::arrangement(const RaceFrame& frame, bool tabled) const {
  const Theme& theme = frame.theme;
  const double pad = theme.space, small = theme.smallSize, unit = theme.textSize;
  const std::size_t count = shown(frame.shared);
  Arrangement pictures = gridOfViews(count, kGap, {});
  for (std::size_t i = 0; i < count; ++i)
    pictures.parts.push_back(viewNamed(matrixName(i)));
  pictures.leastWidth = kLeastPane * static_cast<double>(count);
  Arrangement upper{.kind = Arrangement::Kind::Row, .parts = {pictures}, .gap = 2 * kGap, .weight = kUpper};
  if (tabled) {
    Arrangement& table = upper.parts.emplace_back(viewNamed("table"));
    table.length = (kFirst + kColumn * static_cast<double>(columnsOf(count) * count)) * small;
    table.mostShare = kMostTable;
    table.leastHeight = 4 * TableView::rowHeight(theme);
    table.order = 1;
  }
  Arrangement legend = viewNamed("legend");
  legend.length = kLegend * small;
  Arrangement lower{
      .kind = Arrangement::Kind::Column,
      .parts = {legend, gridOfViews(3, pad, {viewNamed("ratio"), viewNamed("cosine"), viewNamed("corner")})},
      .weight = kLower};
  lower.leastHeight = kLeastCharts * unit;
  lower.leastWidth = kLeastWidth * unit;
  lower.order = 1;
  return {.kind = Arrangement::Kind::Column, .parts = {upper, lower}, .gap = pad, .margin = pad};
}

Views MatricesPage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  if (const std::string text = noRunsSentence(shared); !text.empty())
    return {{{"sentence", TextContent{.lines = {{{text}}}, .centred = true}, [&shared] { return runNumbers(shared); }}},
            viewNamed("sentence")};
  Views made;
  for (std::size_t i = 0; i < shown(shared); ++i)
    made.views.push_back({matrixName(i), matrix(frame, i)});
  TableContent rows = table(frame);
  made.arrangement = arrangement(frame, !rows.cells.empty());
  made.views.push_back({"table", std::move(rows)});
  made.views.push_back({"legend", legend(frame)});
  made.views.push_back({"ratio", chart(frame, Curve::Ratio), [this, &shared] { return pointNumbers(shared); }});
  made.views.push_back({"cosine", chart(frame, Curve::Cosine)});
  made.views.push_back({"corner", chart(frame, Curve::Corner)});
  return made;
}

Numbers MatricesPage::pointNumbers(const RaceShared& shared) const {
  Numbers numbers = runNumbers(shared);
  std::vector<std::string> run, matrix;
  std::vector<double> step, ratio, cosine, corner;
  for (std::size_t i = 0; i < shown(shared); ++i)
    for (const auto& [at, point] : sides_[i]->points()) {
      run.push_back(shared.runs[i].name());
      matrix.emplace_back(train::infoOf(which_).word);
      step.push_back(static_cast<double>(at));
      ratio.push_back(point.ratio);
      cosine.push_back(point.cosine);
      corner.push_back(point.corner);
    }
  if (!run.empty())
    numbers.tables.push_back({"matrices",
                              {{"run", "", std::move(run)},
                               {"matrix", "", std::move(matrix)},
                               {"step", "", std::move(step)},
                               {"sigma_ratio", "", std::move(ratio)},
                               {"cosine", "", std::move(cosine)},
                               {"corner", "", std::move(corner)}}});
  return numbers;
}

}  // namespace sepx::ui
