// SPDX-License-Identifier: Apache-2.0
// The views of the page Update: one row per run with beta, the term of the chosen pair, numbers and the strongest
// pairs.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/page_draw.h"
#include "ui/exhibits/training/update/update_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"
#include "ui/views/left_out.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 14, kMostShare = 0.31;           // points; of the width, for a matrix
constexpr double kWords = 4.8, kLine = 1.4;              // multiples of the small type size: text of a matrix, a line
constexpr double kFacts = 10;                            // lines of numbers
constexpr double kLabels = 12.5;                         // multiples of the small type size: labels of numbers
constexpr double kFactsWidth = 36;                       // likewise: kept for numbers beside large matrices
constexpr double kLeastFacts = 190;                      // points, for the column of numbers
constexpr double kWide = 1.8;                            // width over height from which runs are beside each other
constexpr double kLeastChart = 90, kLinesWeight = 0.75;  // points; weight of the charts of a token
constexpr double kSquareShare = 0.7;                     // of the height, if the numbers are below the squares
constexpr double kAsLarge = 0.9;                         // of the side; squares above it count as equally large

/// "0.83"; a dash if the score is not finite.
std::string scoreText(double score) {
  if (!std::isfinite(score)) return "–";
  return shownFixed(std::round(score * 100) / 100 + 0.0, 2);  // + 0 avoids a minus sign before a zero
}

/// "3 e": the position and its token, which is in brackets if an encoder has to predict it.
std::string placeText(const UpdateResult& result, int place) {
  const UpdateToken& token = result.tokens[static_cast<std::size_t>(place)];
  return fmt::format("{} {}", place, result.masks && token.predicted ? "[" + token.word + "]" : token.word);
}

/// The line about a token in the tooltip.
std::string tokenWords(const UpdateResult& result, const char* name, int place) {
  const UpdateToken& token = result.tokens[static_cast<std::size_t>(place)];
  std::string text = fmt::format("{} = {}: {}", name, place, token.word);
  if (token.read != token.word) text += trFormat(", read as {}", token.read);
  if (token.predicted) text += result.masks ? tr(", predicted") : tr(", the token after it predicted");
  return text;
}

/// "e: 15 context, 12 target; ratio 1.250"
std::string tokenText(const TokenResult& token) {
  const std::string ratio = std::isfinite(token.ratio()) ? shownFixed(token.ratio(), 3) : std::string("–");
  return trFormat("{}: {} context, {} target; ratio {}", token.word, token.context, token.target, ratio);
}

std::string fixed(double value, int digits) {
  return std::isfinite(value) ? shownFixed(value, digits) : std::string(tr("none"));
}

double normOf(const std::vector<double>& entries) {
  return Eigen::Map<const Eigen::VectorXd>(entries.data(), static_cast<Eigen::Index>(entries.size())).norm();
}

/// "0.031, 0.012; 0.5": norms of the parts as context and as target, and of G.
std::string normsText(const LineResult& line) {
  return fmt::format("{}, {}; {}", entryText(normOf(line.context), 2), entryText(normOf(line.target), 2),
                     entryText(normOf(line.whole), 2));
}

/// Replaces factsOf() if the token is shown.
TextContent tokenFacts(const UpdateResult& result, const PairResult* pair) {
  TextContent facts{.columns = kLabels};
  const auto add = [&facts](std::string label, std::string value) {
    facts.lines.push_back({{std::move(label), std::move(value)}});
  };
  add(tr("loss of the sequence"), trFormat("{} nats", fixed(result.loss, 3)));
  add(tr("cosine of update and G"), fixed(result.cosine, 3));
  if (!pair || pair->column.whole.empty()) return facts;
  add(tr("token of the key"), tokenText(pair->token));
  add(tr("as context, target"),
      trFormat("{}, {}", entryText(pair->token.contextNorm, 3), entryText(pair->token.targetNorm, 3)));
  add(trFormat("… column {}; of G", pair->column.at), normsText(pair->column));
  add(trFormat("… row {}; of G", pair->row.at), normsText(pair->row));
  add(tr("step: sums minus engine"), trFormat("{} of the step", entryText(result.change.difference, 2)));
  add(tr("part of the biases"), trFormat("{} of the step", shownShare(result.change.biases)));
  add(tr("learning rate η"), entryText(result.change.eta, 3));
  return facts;
}

TextContent factsOf(const UpdateResult& result, const PairResult* pair) {
  const double share = result.mirrored.share();
  std::string both = std::isfinite(share) ? shownShare(share) : std::string(tr("none"));
  if (std::isfinite(result.paperShare)) both += trFormat("; (S111) {}", shownShare(result.paperShare));
  TextContent facts{.columns = kLabels};
  const auto add = [&facts](std::string label, std::string value) {
    facts.lines.push_back({{std::move(label), std::move(value)}});
  };
  add(tr("loss of the sequence"), trFormat("{} nats", fixed(result.loss, 3)));
  add(tr("predicted positions"), trFormat("{} of {}", result.predicted(), result.places()));
  add("corr(β_ij, β_ji)", fixed(result.symmetry.correlation, 3));
  add(tr("symmetry of β"), fixed(result.symmetry.score, 3));
  add(tr("terms in both orders"), both);
  add(tr("largest |row sum| of β"), formatReading(result.rowSum));
  add(tr("cosine of update and G"), fixed(result.cosine, 3));
  add(tr("symmetry of G"), result.isForm
                               ? trFormat("{} (own {}, both orders {}, one {})", scoreText(result.gradient),
                                          scoreText(result.own), scoreText(result.both), scoreText(result.single))
                               : std::string(tr("none")));
  if (!pair) return facts;
  add(tr("token of the key"), tokenText(pair->token));
  add(tr("exact ratio (A.9)"), fixed(pair->token.exactRatio, 3));
  return facts;
}

Changes pairOf(int i, int j) {
  return {{"training.update.i", static_cast<double>(i)}, {"training.update.j", static_cast<double>(j)}};
}

void setEntries(MatrixContent& made, int side, std::shared_ptr<const std::vector<float>> entries, double limit) {
  made.rows = made.columns = side;
  made.values = std::move(entries);
  made.scale = {ScaleKind::Diverging, {-limit, limit}};
}

std::string limitText(double limit) {
  return fmt::format("±{}", entryText(limit, 3));
}
std::string ofRun(const char* name, std::size_t run) {
  return name + std::to_string(run);
}

}  // namespace

MatrixContent UpdatePage::beta(const RaceFrame& frame, std::size_t run) const {
  MatrixContent made;
  made.head = LegendEntry{trFormat("{}: β", frame.shared.runs[run].name()), runLook(frame.theme, run)};
  const UpdatePointer result = sides_[run].result();
  if (!result) {
    made.missing = sides_[run].sentence().empty() ? tr("The update is being taken apart…") : sides_[run].sentence();
    return made;
  }
  setEntries(made, result->places(), result->entries, result->limit);
  if (i_ >= 0 && j_ >= 0 && i_ < result->places() && j_ < result->places()) made.chosen = {{i_, j_}, {j_, i_}};
  made.notes = {{{trFormat("step {}", stepText(result->step)), limitText(result->limit),
                  trFormat("layer {}", result->layer), trFormat("head {}", result->head)},
                 NoteLine::Role::Muted},
                {{tr("row: query i, column: key j")}, NoteLine::Role::Muted}};
  made.tip = [result](MatrixCell cell) {
    const int i = cell.row, j = cell.column;
    return std::vector<std::string>{
        fmt::format("β_ij = {}   β_ji = {}", entryText(result->beta(i, j)), entryText(result->beta(j, i))),
        tokenWords(*result, "i", i), tokenWords(*result, "j", j)};
  };
  made.pick = [](MatrixCell cell) { return pairOf(cell.row, cell.column); };
  return made;
}

MatrixContent UpdatePage::term(std::size_t run) const {
  MatrixContent made;
  made.head = LegendEntry{tr("term of the pair"), {.width = 0}};
  const PairPointer pair = sides_[run].pair();
  if (!pair || !(pair->pair.norm > 0)) {
    made.missing = pair ? trFormat("β of the positions {} and {} is 0 in both orders: this pair adds nothing.",
                                   pair->pair.i, pair->pair.j)
                        : sides_[run].pairSentence();
    return made;
  }
  const UpdateResult& result = *sides_[run].result();
  setEntries(made, pair->side, pair->entries, pair->limit);
  made.notes = {{{fmt::format("i {}   j {}", placeText(result, pair->pair.i), placeText(result, pair->pair.j)),
                  limitText(pair->limit)},
                 NoteLine::Role::Muted},
                {{fmt::format("β_ij {}", entryText(pair->pair.beta_ij, 3)),
                  fmt::format("β_ji {}", entryText(pair->pair.beta_ji, 3)),
                  fmt::format("s {}", scoreText(pair->pair.symmetry))}}};
  return made;
}

TableContent UpdatePage::table(std::size_t run) const {
  TableContent table;
  table.columns = {{tr("strongest pairs"), 0.36},
                   {"β_ij", 0.19, true},
                   {"β_ji", 0.19, true},
                   {tr("norm"), 0.15, true},
                   {"s", 0.11, true}};
  const UpdatePointer result = sides_[run].result();
  for (const attention::Pair& pair : result->strongest)
    table.cells.push_back({placeText(*result, pair.i) + " · " + placeText(*result, pair.j), entryText(pair.beta_ij, 3),
                           entryText(pair.beta_ji, 3), entryText(pair.norm, 3), scoreText(pair.symmetry)});
  table.pick = [result](std::size_t row) { return pairOf(result->strongest[row].i, result->strongest[row].j); };
  return table;
}

namespace {

/// What the token adds to a column or row of G, that column or row, and the step of W_qk scaled to its norm.
ChartContent lineContent(const LineResult& line, bool column, const std::string& word, const Theme& theme) {
  LineChart chart;
  chart.title = column ? trFormat("column {} of W_qk: what “{}” adds", line.at, word)
                       : trFormat("row {} of W_qk: what “{}” adds", line.at, word);
  chart.compact = true;
  chart.legend = column;
  chart.x = {.name = column ? "m" : "k", .whole = true};
  chart.y = {.pad = 0.05};
  const double step = normOf(line.ofEngine), scale = step > 0 ? normOf(line.whole) / step : 1;
  const auto add = [&](std::string name, const std::vector<double>& entries, double times, ChartLook look) {
    ChartSeries& series = chart.series.emplace_back();
    series.name = std::move(name);
    series.look = look;
    for (const double entry : entries) {
      series.x.push_back(static_cast<double>(series.x.size()));
      series.y.push_back(times * entry);
    }
  };
  const auto plain = [&theme](std::size_t i) {
    ChartLook look = seriesLook(theme, i);
    look.marker.reset();
    return look;
  };
  ChartLook rings = seriesLook(theme, 3);
  rings.width = 0;
  rings.marker = render::Shape::Circle;
  rings.markerSize = 5;
  rings.markerGap = 0;
  rings.hollow = true;
  add(tr("context"), line.context, 1, plain(0));
  add(tr("target"), line.target, 1, plain(1));
  add("G", line.whole, 1, plain(2));
  add(tr("step of W_qk"), line.byTokens, scale, plain(3));
  add(tr("backward pass"), line.ofEngine, scale, rings);
  return {std::move(chart), {}, {}, {}};
}

}  // namespace

namespace {

/// The side of one of four squares beside each other, two per run.
double quarter(double width) {
  return 0.25 * (width - 5 * kGap);
}

/// The chart of the column above that of the row, which is left out if there is no room for both.
Arrangement lineChartsArrangement(std::size_t run) {
  Arrangement lines{.kind = Arrangement::Kind::Column,
                    .parts = {viewNamed(ofRun("column", run)), viewNamed(ofRun("row", run))},
                    .gap = kGap / 2,
                    .weight = kLinesWeight};
  lines.parts[0].weight = 1.15;  // room for the legend
  lines.parts[1].leastHeight = kLeastChart;
  lines.parts[1].order = 1;
  return lines;
}

}  // namespace

/// Adds the term of the pair, or the column and the row of its token.
void UpdatePage::addBeside(Views& made, const RaceFrame& frame, std::size_t run) const {
  const PairPointer pair = sides_[run].pair();
  if (!showsToken() || !pair || pair->column.whole.empty()) {
    made.views.push_back({ofRun("term", run), term(run), nothingExported});
    return;
  }
  for (const bool column : {true, false})
    made.views.push_back({ofRun(column ? "column" : "row", run),
                          lineContent(column ? pair->column : pair->row, column, pair->token.word, frame.theme),
                          nothingExported});
}

Arrangement UpdatePage::runArrangement(const RaceFrame& frame, std::size_t run, bool below) const {
  const double small = frame.theme.smallSize, width = frame.area.width();
  const UpdatePointer& result = sides_[run].result();
  Arrangement row{.kind = Arrangement::Kind::Row, .gap = kGap};
  const bool narrow = frame.compact || width < 2 * kGap + 3 * kLeastFacts;
  const double share =
      narrow || below ? 0.5 : std::min(kMostShare, 0.5 * (1 - (2.5 * kGap + kFactsWidth * small) / width));
  for (const char* const name : {"beta", "term"}) {
    Arrangement& square = row.parts.emplace_back(viewNamed(ofRun(name, run)));
    square.square = true;
    square.words = kWords * small;
    square.mostShare = share;
    if (!result) break;  // the reason is shown in place of beta
    if (const PairPointer pair = sides_[run].pair(); showsToken() && pair && !pair->column.whole.empty()) {
      row.parts.push_back(lineChartsArrangement(run));
      break;
    }
  }
  if (result && narrow && !below && !frame.figure) row.parts.push_back(leftOut(tr("the numbers")));
  if (!result || (narrow && !below)) return row;
  Arrangement facts = asHighAsContent(ofRun("facts", run));
  if (below) {
    row.length = std::min(kSquareShare * frame.area.height(), quarter(width) + kWords * small);
    facts.natural = false;
    return {.kind = Arrangement::Kind::Column, .parts = {std::move(row), std::move(facts)}};
  }
  Arrangement side{.kind = Arrangement::Kind::Column, .parts = {std::move(facts)}, .gap = 0.4 * small};
  if (result->isForm) {
    Arrangement& pairs = side.parts.emplace_back(viewNamed(ofRun("pairs", run)));
    pairs.leastHeight = 3 * TableView::rowHeight(frame.theme, true);
    pairs.order = 1;
  }
  row.parts.push_back(std::move(side));
  return row;
}

Views UpdatePage::views(const RaceFrame& frame) const {
  const RaceShared& shared = frame.shared;
  if (std::string text = noRunsSentence(shared); !text.empty()) return sentenceAlone(std::move(text));
  const std::size_t count = std::min(kRuns, shared.runs.size());
  const double height = frame.area.height() / static_cast<double>(count);
  // In a low area, such as above the text of a lesson, the runs are beside each other if the area is wide or if the
  // squares do not become smaller.
  const double small = frame.theme.smallSize, width = frame.area.width();
  const bool beside = count > 1 && height < (kWords + kFacts * kLine) * small &&
                      (width > kWide * frame.area.height() || quarter(width) >= kAsLarge * (height - kWords * small));
  Views made;
  made.arrangement = {.kind = beside ? Arrangement::Kind::Row : Arrangement::Kind::Column,
                      .gap = beside ? 2 * kGap : kGap,
                      .margin = frame.theme.space};
  for (std::size_t run = 0; run < count; ++run) {
    made.views.push_back({ofRun("beta", run), beta(frame, run), nothingExported});
    addBeside(made, frame, run);
    if (const UpdatePointer& result = sides_[run].result()) {
      const PairResult* const pair = sides_[run].pair().get();
      made.views.push_back(
          {ofRun("facts", run), showsToken() && result->isForm ? tokenFacts(*result, pair) : factsOf(*result, pair)});
      made.views.push_back({ofRun("pairs", run), table(run)});
    }
    made.arrangement.parts.push_back(runArrangement(frame, run, beside));
  }
  made.views.front().numbers = [this, &shared] { return exported(shared); };
  return made;
}

}  // namespace sepx::ui
