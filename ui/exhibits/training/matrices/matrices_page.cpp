// SPDX-License-Identifier: Apache-2.0
// See matrices_page.h: updates, panel, properties, views and exported numbers of the page.
#include "ui/exhibits/training/matrices/matrices_page.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

MatricesPage::MatricesPage()
    : RacePage({"matrices", N_("Matrices"), "training.matrices."}, {.steps = true, .watches = true}) {
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_.push_back(std::make_unique<MatricesSide>(results_, i));
}

void MatricesPage::read(const Document& document, const PropertyRegistry& registry, const RaceShared&) {
  registry.read(document, *this);
}

bool MatricesPage::complete() const {
  return std::all_of(sides_.begin(), sides_.end(), [](const auto& side) { return side->complete(); });
}

void MatricesPage::ask(const RaceFrame& frame, ExhibitContext& context) {
  if (frame.shared.requestModel) frame.shared.requestModel();
  for (std::size_t i = 0; i < kMostRuns; ++i)
    sides_[i]->update(i < frame.shared.runs.size() ? &frame.shared.runs[i] : nullptr, frame.shared, which_, context);
}

double MatricesPage::sharedLimit() const {
  double limit = 0;
  for (const auto& side : sides_)
    if (side->result()) limit = std::max(limit, side->result()->limit);
  return limit;
}

double MatricesPage::limitOf(const MatricesResult& result) const {
  const double limit = scale_ == RaceScale::Own     ? result.limit
                       : scale_ == RaceScale::Fixed ? fixedLimit_
                                                    : sharedLimit();
  return limit > 0 ? limit : 1;
}

void MatricesPage::panel(const RaceFrame& frame, ExhibitContext&, PagePanel& panel) {
  panel.group(tr("Matrix"), "training.",
              {"matrices.name", "layer", "head", "matrices.colors.scale", "matrices.colors.limit", "log.steps"});
  for (std::size_t i = 0; i < shown(frame.shared); ++i) {
    panel.heading(frame.shared.runs[i].name());
    const std::string prefix = "training.runs[" + std::to_string(i) + "].matrices.";
    panel.rows(prefix, {"step", "ratio", "inverse", "cosine", "corner", "embedding"});
  }
  panel.heading(tr("What is shown"));
  panel.sentence(
      tr("A matrix is [out, in] as stored: y = W x. W_1, W_Q, W_K and W_V read from the residual stream, so their "
         "right singular vectors lie in the space of the embedding; W_2 and W_O write to it, so their left ones do."));
  panel.sentence(
      tr("Local-to-Global, A.3.1: at convergence the matrices are nearly of rank one, their vector in the stream is "
         "that of the embedding, and the embedding has the entries ±1 up to a scale. Then σ₁/σ₂ is large, the cosine "
         "is 1 and max|e_i|/min|e_i| is 1. e is the vector of the bit, the difference of two embeddings, or with more "
         "tokens the leading direction of their table."));
  panel.sentence(
      tr("Between two checkpoints a run has the matrices that it stores (schedule.film_every); a pane shows the step "
         "and where its matrix comes from."));
}

std::string MatricesPage::caption(const RaceShared& shared) const {
  if (shared.runs.empty()) return {};
  const std::string head =
      shared.state.head < 0 ? std::string(tr("all heads")) : trFormat("head {}", shared.state.head);
  return trFormat(
      "{}: {} of layer {}, {}, at step {}; its two largest singular values and its leading vector against "
      "the embedding.",
      tr(shared.experiment->title), shownName(which_), shared.state.layer, head, stepText(shared.step));
}

std::unique_ptr<RacePage> makeMatricesPage() {
  return std::make_unique<MatricesPage>();
}

// The properties and read-outs of the page Matrices.

namespace {

constexpr const char* kRankOne = "Local-to-Global, A.3.1";
constexpr const char* kCosine = "|\\cos(v_1, e)|";

Options matrixOptions() {
  Options options;
  for (const train::LayerMatrixInfo& info : train::layerMatrices())
    options.emplace_back(info.word, shownName(info.which));
  return options;
}

/// A fixed scale starts with the present limit.
Result<Document> scaleFollows(double limit, const Document& before, const Document& with) {
  if (with.at("training.matrices.colors.scale") != "fixed" || before.at("training.matrices.colors.scale") == "fixed" ||
      with.has("training.matrices.colors.limit") || !(limit > 0))
    return with;
  return with.with("training.matrices.colors.limit", limit);
}

}  // namespace

// clang-format off
void MatricesPage::declare(PropertyRegistry& registry, const RaceShared&) {
  const Condition here = onPages("training.page", "experiments", {"matrices"});
  declareParameters(registry, {.prefix = "training.matrices.", .applies = here}, {
      {.key = "name",
       .into = &MatricesPage::which_, .label = N_("Matrix"), .options = matrixOptions(), .fallback = "W_1",
       .help = N_("The matrix that is shown, of the selected layer and head: W_1, W_2 and W_gate of the feed-forward part, W_V, "
                  "W_O, W_Q and W_K of attention, their products W_O W_V and W_qk, or the embedding E. Matrices are "
                  "[out, in]: y = W x; W_qk has the query side in its rows."), .equation = kRankOne},
      {.key = "colors.scale", .into = &MatricesPage::scale_, .label = N_("Colour scale"),
       .options = {{"own", N_("moving, one per run")}, {"shared", N_("moving, one for all runs")}, {"fixed", N_("fixed")}},
       .help = N_("The range of the colours: 99.5 % of the entries at the step shown, or a fixed number."),
       .follow = [this](const Document& before, const Document& with) { return scaleFollows(sharedLimit(), before, with); }},
      {.key = "colors.limit",
       .into = &MatricesPage::fixedLimit_, .label = N_("Colour limit"), .min = 1e-12, .max = 1e12, .scale = Scale::Logarithmic,
       .step = 0.1, .digits = 4, .fallback = 1.0,
       .help = N_("The entry at the end of a fixed colour scale; the other end is its negative."),
       .applies = [](const Document& document) { return document.at("training.matrices.colors.scale") == "fixed"; }}});
  declareReadOutsOfRuns(registry);
}

void MatricesPage::declareReadOutsOfRuns(PropertyRegistry& registry) {
  const Condition here = onPages("training.page", "experiments", {"matrices"});
  const auto side = [this](int index) {
    return index >= 0 && static_cast<std::size_t>(index) < sides_.size() ? sides_[static_cast<std::size_t>(index)].get() : nullptr;
  };
  const Getters whole(side);
  const Getters of([side](int index) { const MatricesSide* const one = side(index); return one ? one->result().get() : nullptr; });
  const Getters chosen([side](int index) -> const MatrixRow* {
    const MatricesSide* const one = side(index);
    return one && one->result() ? one->result()->chosen() : nullptr;
  });
  const auto cosine = [](const MatrixRow& row) { return row.reading.main() ? row.reading.main()->cosine : std::nan(""); };
  const auto corner = [](const MatrixRow& row) { return row.reading.main() ? row.reading.main()->corner : std::nan(""); };
  declareReadOuts(registry, {.prefix = "training.runs[].matrices.", .applies = here, .equation = kRankOne}, {
      {.key = "step", .label = N_("Step of the matrix"),
       .help = N_("The step of the matrix shown: for a past step that of the newest stored copy or checkpoint at or before it."),
       .digits = 0, .get = of(&MatricesResult::step)},
      {.key = "source", .label = N_("From"),
       .help = N_("Where the matrix comes from: the live run, the matrices that the run stores, or a checkpoint."),
       .get = of([](const MatricesResult& result) { return std::string(result.source == ModelSource::Live ? "live" : result.source == ModelSource::Stored ? "stored" : "checkpoint"); })},
      {.key = "rows", .label = N_("Rows"), .help = N_("The number of rows of the matrix: how many numbers it writes."), .digits = 0, .get = of(&MatricesResult::rows), .detail = true},
      {.key = "columns", .label = N_("Columns"), .help = N_("The number of columns of the matrix: how many numbers it reads."), .digits = 0, .get = of(&MatricesResult::columns), .detail = true},
      {.key = "ratio", .label = N_("σ₁/σ₂"),
       .help = N_("The largest singular value of the matrix over the second: large where it is nearly of rank one."),
       .formula = "\\sigma_1/\\sigma_2", .get = chosen([](const MatrixRow& row) { return row.reading.ratio; }), .numberWords = formatReading},
      {.key = "inverse", .label = N_("σ₂/σ₁"),
       .help = N_("The second singular value over the largest: 0 where the matrix is of rank one."), .formula = "\\sigma_2/\\sigma_1",
       .get = chosen([](const MatrixRow& row) { return 1 / row.reading.ratio; }), .numberWords = formatReading},
      {.key = "cosine", .label = N_("Cosine with e"),
       .help = N_("The modulus of the cosine of e with the leading singular vector of the side that lies in the "
                  "residual stream: the right one of a matrix that reads from it, the left one of W_2 and W_O. 1: the "
                  "matrix has the direction of the embedding."),
       .formula = kCosine, .digits = 4, .get = chosen(cosine)},
      {.key = "cosine_left", .label = N_("Cosine with e, left"), .help = N_("The same for the left singular vector, where that side lies in the residual stream."),
       .formula = "|\\cos(u_1, e)|", .digits = 4, .get = chosen([](const MatrixRow& row) { return row.reading.left ? row.reading.left->cosine : std::nan(""); }), .detail = true},
      {.key = "corner", .label = N_("max|v|/min|v|"),
       .help = N_("The largest modulus of the entries of that leading vector over the smallest: 1 at a corner of the hypercube."),
       .formula = "\\max_i|v_i|/\\min_i|v_i|", .get = chosen(corner), .numberWords = formatReading},
      {.key = "embedding", .label = N_("max|e|/min|e|"),
       .help = N_("The largest modulus of the entries of e over the smallest: 1 at a corner of the hypercube. e is "
                  "the vector of the bit, the difference of two embeddings, or the leading direction of a table of "
                  "more tokens."),
       .formula = "\\max_i|e_i|/\\min_i|e_i|", .get = of(&MatricesResult::embeddingCorner), .numberWords = formatReading},
      {.key = "points", .label = N_("Points"), .help = N_("How many steps of the run have a point in the curves of the selected matrix."), .digits = 0,
       .get = whole([](const MatricesSide& one) { return static_cast<double>(one.points().size()); }), .detail = true},
      {.key = "failure", .label = N_("Why there is no matrix"), .help = N_("Why the matrix of the run cannot be shown; empty: it can."),
       .get = whole([](const MatricesSide& one) { return one.result() ? one.result()->sentence : one.sentence(); })}});
  for (const train::LayerMatrixInfo& info : train::layerMatrices()) {
    const Getters row([side, which = info.which](int index) -> const MatrixRow* {
      const MatricesSide* const one = side(index);
      return one && one->result() ? one->result()->row(which) : nullptr;
    });
    const auto label = [word = shownName(info.which)](const char* text) {
      return [word, text](const Document&) { return trFormat("{} of {}", tr(text), word); };
    };
    declareReadOuts(registry, {.prefix = std::string("training.runs[].matrices.") + info.word + ".", .applies = here, .equation = kRankOne, .detail = true}, {
        {.key = "ratio", .label = N_("Singular values"), .symbol = "σ₁/σ₂", .help = N_("The two largest singular values of this matrix of the layer, the first over the second."),
         .formula = "\\sigma_1/\\sigma_2", .get = row([](const MatrixRow& one) { return one.reading.ratio; }), .liveLabel = label(N_("σ₁/σ₂")), .numberWords = formatReading},
        {.key = "cosine", .label = N_("Cosine with e"), .help = N_("The modulus of the cosine of e with the leading singular vector of this matrix that lies in the residual stream."),
         .formula = kCosine, .digits = 4, .get = row(cosine), .liveLabel = label(N_("cosine with e"))},
        {.key = "corner", .label = N_("Leading vector"), .help = N_("The largest modulus of the entries of the leading vector of this matrix over the smallest."),
         .formula = "\\max_i|v_i|/\\min_i|v_i|", .get = row(corner), .liveLabel = label(N_("max|v|/min|v|")), .numberWords = formatReading}});
  }
}
// clang-format on

// The views of the page Matrices: one matrix per run, the table of all matrices, curves of the chosen one over the
// steps.

namespace {

constexpr double kGap = 12;                            // points, between pictures
constexpr double kUpper = 0.6, kLower = 0.4;           // of the height
constexpr double kDecade = 10;                         // a curve with larger values has a logarithmic axis
constexpr double kMostTable = 0.46, kMoreTable = 1.2;  // of the width; of the width that its texts need
constexpr double kLeastPane = 130;                     // points, width
constexpr double kColumn = 5.4, kFirst = 6;            // widths of columns, multiples of the small type size
constexpr double kLegend = 1.9;                        // height, multiples of the small type size
constexpr double kLeastCharts = 10, kLeastWidth = 44;  // multiples of the type size

/// The number of columns per run in the table.
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

/// The displayed name of e.
std::string embeddingWords(train::EmbeddingVector::Kind kind) {
  using Kind = train::EmbeddingVector::Kind;
  return kind == Kind::Vector       ? tr("e: the vector of the bit")
         : kind == Kind::Difference ? tr("e: the difference of the two embeddings")
                                    : tr("e: the leading direction of the embeddings");
}

/// The ratio that the run itself records, if it watches the matrix, at the steps of its schedule. Null: it does not.
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
      if (sides_[i]->result() && sides_[i]->result()->row(info.which)) {
        rows.push_back(info.which);
        break;
      }
  return rows;
}

MatrixContent MatricesPage::matrix(const RaceFrame& frame, std::size_t run) const {
  const std::string name = frame.shared.runs[run].name();
  const MatricesPointer& result = sides_[run]->result();
  MatrixContent made;
  made.head = LegendEntry{name, runLook(frame.theme, run)};
  if (!result || !result->values) {
    const std::string& why = result ? result->sentence : sides_[run]->sentence();
    made.missing = why.empty() ? std::string(tr("The matrix is being read…")) : why;
    return made;
  }
  const double limit = limitOf(*result);
  const std::string step = trFormat("step {}", stepText(result->step));
  const MatrixRow& row = *result->chosen();
  made.rows = result->rows;
  made.columns = result->columns;
  made.values = result->values;
  made.scale = {ScaleKind::Diverging, {-limit, limit}};
  made.tipContext = fmt::format("{}, {}", name, step);
  made.notes = {{{trFormat("{}, {}", step, wordsOf(result->source)), fmt::format("±{}", entryText(limit, 3)),
                  fmt::format("[{}, {}]", result->rows, result->columns)},
                 NoteLine::Role::Muted},
                {{fmt::format("σ₁/σ₂ {}", ratioText(row.reading.ratio)),
                  fmt::format("|cos(v₁, e)| {}", cosineText(row.reading.main()))}}};
  if (result->hasEmbedding)
    made.notes.push_back({{fmt::format("max|v|/min|v| {}", cornerText(row)),
                           fmt::format("max|e|/min|e| {}", ratioText(result->embeddingCorner))}});
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
    table.columns.push_back({tr("max|v|/min|v|"), kColumn, true});
  }
  const std::vector<train::LayerMatrix> rows = rowsOf(frame.shared);
  for (const train::LayerMatrix which : rows) {
    if (which == which_) table.chosen = table.cells.size();
    std::vector<std::string>& cells = table.cells.emplace_back();
    cells.emplace_back(shownName(which));
    for (std::size_t i = 0; i < count; ++i) {
      const MatrixRow* const row = sides_[i]->result() ? sides_[i]->result()->row(which) : nullptr;
      const std::string texts[] = {row ? ratioText(row->reading.ratio) : "–",
                                   row ? cosineText(row->reading.main()) : "–", row ? cornerText(*row) : "–"};
      cells.insert(cells.end(), texts, texts + each);
    }
  }
  for (std::size_t i = 0; i < count && table.notes.empty(); ++i) {
    const MatricesPointer& result = sides_[i]->result();
    if (!result || !result->hasEmbedding) continue;
    table.notes.push_back({{embeddingWords(result->embedding)}, NoteLine::Role::Muted});
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
  const std::string word = shownName(which_);
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
  chart.y.logarithmic = most > kDecade;  // all of these are at least 1, or cosines
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

Arrangement MatricesPage::arrangement(const RaceFrame& frame, const TableContent& rows) const {
  const Theme& theme = frame.theme;
  const double pad = theme.space, small = theme.smallSize, unit = theme.textSize;
  const std::size_t count = shown(frame.shared);
  Arrangement pictures = gridOfViews(count, kGap, {});
  for (std::size_t i = 0; i < count; ++i)
    pictures.parts.push_back(viewNamed(matrixName(i)));
  pictures.leastWidth = kLeastPane * static_cast<double>(count);
  Arrangement upper{.kind = Arrangement::Kind::Row, .parts = {pictures}, .gap = 2 * kGap, .weight = kUpper};
  if (!rows.cells.empty()) {
    Arrangement& table = upper.parts.emplace_back(viewNamed("table"));
    table.length = kMoreTable * neededWidth(rows, theme, TableView::Needs::Everything);
    table.mostShare = kMostTable;
    table.leastHeight = 4 * TableView::rowHeight(theme, true);
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
  lower.called = tr("the curves");
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
  made.arrangement = arrangement(frame, rows);
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
