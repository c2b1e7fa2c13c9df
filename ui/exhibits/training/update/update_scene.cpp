// SPDX-License-Identifier: Apache-2.0
// What the page Update draws: a row a run with beta, the term of the chosen pair, numbers and the strongest pairs.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/fitting.h"
#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/update/update_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 14, kMostShare = 0.31;  // points; of the width for a matrix
constexpr double kLine = 1.4;                   // of the size of small text
constexpr double kFacts = 10;                   // lines of numbers
constexpr double kFactsWidth = 36;              // of the size of small text, where matrices could be larger
constexpr double kLeastFacts = 190;             // points, for the column of numbers
constexpr double kWide = 1.8;                   // width by height, from which runs stand beside each other
constexpr double kSquareShare = 0.62;           // of the height, where numbers stand below the squares

void addMatrix(std::vector<render::Item>& items, const render::Rect& box, int side,
               const std::shared_ptr<const std::vector<float>>& values, double limit, const Theme& theme) {
  const MatrixScale scale{ScaleKind::Diverging, {-limit, limit}};
  items.emplace_back(render::Heatmap{.extent = flipped(box),
                                     .width = side,
                                     .height = side,
                                     .values = values,
                                     .map = scale.map(theme),
                                     .low = static_cast<float>(-limit),
                                     .high = static_cast<float>(limit),
                                     .smooth = false});
  items.emplace_back(pageFrameLine(box, theme.border));
}

/// "0.83"; a dash for what is not there.
std::string scoreText(double score) {
  if (!std::isfinite(score)) return "–";
  return shownFixed(std::round(score * 100) / 100 + 0.0, 2);  // + 0: no minus before a zero
}

/// "3 e": the place and its token; in brackets where an encoder has to predict it.
std::string placeText(const UpdateView& view, int place) {
  const UpdateToken& token = view.tokens[static_cast<std::size_t>(place)];
  return fmt::format("{} {}", place, view.masks && token.predicted ? "[" + token.word + "]" : token.word);
}

/// For the read-out under the pointer.
std::string tokenWords(const UpdateView& view, const char* name, int place) {
  const UpdateToken& token = view.tokens[static_cast<std::size_t>(place)];
  std::string text = fmt::format("{} = {}: {}", name, place, token.word);
  if (token.read != token.word) text += trFormat(", read as {}", token.read);
  if (token.predicted) text += view.masks ? tr(", predicted") : tr(", the token after it predicted");
  return text;
}

using Facts = std::vector<std::pair<std::string, std::string>>;

/// "e: 15 context, 12 target, ratio 1.25"
std::string tokenText(const TokenView& token) {
  const std::string ratio = std::isfinite(token.ratio()) ? shownFixed(token.ratio(), 3) : std::string("–");
  return trFormat("{}: {} context, {} target; ratio {}", token.word, token.context, token.target, ratio);
}

Facts factsOf(const UpdateView& view, const PairView* pair) {
  const auto fixed = [](double value, int digits) {
    return std::isfinite(value) ? shownFixed(value, digits) : std::string(tr("none"));
  };
  const double share = view.mirrored.share();
  std::string both = std::isfinite(share) ? shownShare(share) : std::string(tr("none"));
  if (std::isfinite(view.paperShare)) both += trFormat("; (S111) {}", shownShare(view.paperShare));
  Facts facts{
      {tr("loss of the sequence"), trFormat("{} nats", fixed(view.loss, 3))},
      {tr("predicted positions"), trFormat("{} of {}", view.predicted(), view.places())},
      {"corr(β_ij, β_ji)", fixed(view.symmetry.correlation, 3)},
      {tr("symmetry of β"), fixed(view.symmetry.score, 3)},
      {tr("terms in both orders"), both},
      {tr("largest |row sum| of β"), formatReading(view.rowSum)},
      {tr("cosine of update and G"), fixed(view.cosine, 3)},
      {tr("symmetry of G"), view.isForm ? trFormat("{} (own {}, both orders {}, one {})", scoreText(view.gradient),
                                                   scoreText(view.own), scoreText(view.both), scoreText(view.single))
                                        : std::string(tr("none"))}};
  if (!pair) return facts;
  facts.emplace_back(tr("token of the key"), tokenText(pair->token));
  facts.emplace_back(tr("exact ratio (A.9)"), fixed(pair->token.exactRatio, 3));
  return facts;
}

/// s and both beta of a pair, with fewer digits, without s, and at last with one name for both where there is little
/// room.
std::string pairText(const attention::Pair& pair, double room, float size) {
  const auto text = [&pair](int digits) {
    return fmt::format("β_ij {}   β_ji {}", entryText(pair.beta_ij, digits), entryText(pair.beta_ji, digits));
  };
  const std::string symmetry = fmt::format("s {}   ", scoreText(pair.symmetry));
  for (const std::string& all : {symmetry + text(3), symmetry + text(2), text(2)})
    if (textWidth(all, size) <= room) return all;
  return fmt::format("β {}, {}", entryText(pair.beta_ij, 2), entryText(pair.beta_ji, 2));
}

}  // namespace

/// Beside each other, with the first facts below the squares.
std::vector<UpdatePage::Row> UpdatePage::columnsOf(const render::Rect& area, std::size_t count, double above,
                                                   double below) {
  std::vector<Row> rows;
  const double gaps = 2 * kGap * static_cast<double>(count - 1);
  const double width = (area.width() - gaps) / static_cast<double>(count);
  const double side = std::max(8.0, std::min((width - kGap) / 2, kSquareShare * (area.height() - above - below)));
  for (std::size_t i = 0; i < count; ++i) {
    const double left = area.min.x + static_cast<double>(i) * (width + 2 * kGap), top = area.min.y + above;
    Row row;
    row.title = {{left, area.min.y}, {left + side, top}};
    row.beta = {{left, top}, {left + side, top + side}};
    row.term = {{left + side + kGap, top}, {left + 2 * side + kGap, top + side}};
    row.facts = {{left, top + side + below}, {left + width, area.max.y}};
    row.table = {row.facts.max, row.facts.max};
    rows.push_back(row);
  }
  return rows;
}

std::vector<UpdatePage::Row> UpdatePage::rowsOf(const RaceFrame& frame) {
  std::vector<Row> rows;
  const std::size_t count = std::min(kRuns, frame.shared.runs.size());
  const double small = static_cast<double>(frame.theme.smallSize), pad = 2 * frame.theme.space;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad / 2},
                          {frame.area.max.x - pad, frame.area.max.y - pad / 2}};
  if (count == 0 || area.width() < 40 || area.height() < 40) return rows;
  const double height = (area.height() - kGap * static_cast<double>(count - 1)) / static_cast<double>(count);
  const double above = 1.8 * small, below = 3 * small;
  // A low and wide area, as above a lesson's text, has the runs beside each other.
  if (count > 1 && height < above + kFacts * kLine * small && area.width() > kWide * area.height())
    return columnsOf(area, count, above, below);
  const bool narrow = frame.compact || area.width() < 2 * kGap + 3 * kLeastFacts;
  const double share =
      narrow ? 0.5 * (area.width() - kGap)
             : std::min(kMostShare * area.width(), 0.5 * (area.width() - 2.5 * kGap - kFactsWidth * small));
  const double side = std::max(8.0, std::min(height - above - below, share));
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    const double top = area.min.y + static_cast<double>(i) * (height + kGap);
    row.title = {{area.min.x, top}, {area.min.x + side, top + above}};
    row.beta = {{area.min.x, top + above}, {area.min.x + side, top + above + side}};
    row.term = row.beta;
    row.term.min.x += side + kGap;
    row.term.max.x += side + kGap;
    const double left = row.term.max.x + 1.5 * kGap, middle = top + above + kFacts * kLine * small + 0.4 * small;
    if (!narrow && area.max.x - left >= kLeastFacts) {
      row.facts = {{left, top + above}, {area.max.x, std::min(middle, top + height)}};
      row.table = {{left, middle}, {area.max.x, std::max(middle, top + height)}};
    }
    rows.push_back(row);
  }
  return rows;
}

TableView UpdatePage::tableOf(const RaceFrame& frame, std::size_t row) const {
  TableView table;
  const UpdatePointer view = sides_[row].view();
  table.columns = {{tr("strongest pairs"), 0.36},
                   {"β_ij", 0.19, true},
                   {"β_ji", 0.19, true},
                   {tr("norm"), 0.15, true},
                   {"s", 0.11, true}};
  table.rows = view ? view->strongest.size() : 0;
  table.text = [view](std::size_t at, std::size_t column) -> std::string {
    const attention::Pair& pair = view->strongest[at];
    switch (column) {
      case 0:
        return placeText(*view, pair.i) + " · " + placeText(*view, pair.j);
      case 1:
        return entryText(pair.beta_ij, 3);
      case 2:
        return entryText(pair.beta_ji, 3);
      case 3:
        return entryText(pair.norm, 3);
      default:
        return scoreText(pair.symmetry);
    }
  };
  const render::Color usual = frame.theme.text;
  table.color = [usual](std::size_t, std::size_t) { return usual; };
  return table;
}

void UpdatePage::addTerm(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t row,
                         const Row& place) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const double y = place.term.max.y + 0.9 * static_cast<double>(small);
  const PairView* const pair = sides_[row].pair();
  items.emplace_back(textAt({place.term.min.x, (place.title.min.y + place.title.max.y) / 2},
                            elided(tr("term of the pair"), small, place.term.width()), small, theme.text));
  items.emplace_back(pageFill(place.term, theme.surface));
  if (!pair || !(pair->pair.norm > 0)) {
    const std::string sentence =
        pair ? trFormat("β of the positions {} and {} is 0 in both orders: this pair adds nothing.", pair->pair.i,
                        pair->pair.j)
             : sides_[row].pairSentence();
    if (sides_[row].view()) addMissing(items, place.term, sentence, frame);
    items.emplace_back(pageFrameLine(place.term, theme.border));
    return;
  }
  const UpdateView& view = *sides_[row].view();
  addMatrix(items, place.term, pair->side, pair->entries, pair->limit, theme);
  const std::string limit = fmt::format("±{}", entryText(pair->limit, 3));
  const double room = place.term.width() - textWidth(limit, small) - 6;
  items.emplace_back(textAt(
      {place.term.min.x, y},
      elided(fmt::format("i {}   j {}", placeText(view, pair->pair.i), placeText(view, pair->pair.j)), small, room),
      small, theme.textMuted));
  items.emplace_back(textAt({place.term.max.x, y}, limit, small, theme.textMuted, render::AlignX::Right));
  items.emplace_back(textAt({place.term.min.x, y + 1.35 * static_cast<double>(small)},
                            elided(pairText(pair->pair, place.term.width(), small), small, place.term.width()), small,
                            theme.text));
}

void UpdatePage::addRow(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t row,
                        const Row& place) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const double middle = (place.title.min.y + place.title.max.y) / 2;
  addSwatch(items, {place.title.min.x, middle}, 16, runLook(theme, row), theme);
  items.emplace_back(textAt({place.title.min.x + 20, middle},
                            elided(trFormat("{}: β", frame.shared.runs[row].name()), small, place.beta.width() - 20),
                            small, theme.text));
  items.emplace_back(pageFill(place.beta, theme.surface));
  const UpdatePointer& view = sides_[row].view();
  if (!view) {
    addMissing(items, place.beta, sides_[row].sentence(), frame);
    items.emplace_back(pageFrameLine(place.beta, theme.border));
    return;
  }
  addMatrix(items, place.beta, view->places(), view->entries, view->limit, theme);
  if (i_ >= 0 && j_ >= 0 && i_ < view->places() && j_ < view->places()) {
    const MatrixPlot plot = wholeMatrix(place.beta, view->places(), view->places());
    const render::Color ink = inkOn(MatrixScale{ScaleKind::Diverging, {-1, 1}}.color(0, theme));
    for (const MatrixCell cell : {MatrixCell{i_, j_}, MatrixCell{j_, i_}})
      items.emplace_back(pageFrameLine(plot.box(cell), ink, 1.5F));
  }
  const double y = place.beta.max.y + 0.9 * static_cast<double>(small);
  const std::string limit = fmt::format("±{}", entryText(view->limit, 3));
  items.emplace_back(textAt({place.beta.min.x, y},
                            fitting({trFormat("step {}", stepText(view->step)), trFormat("layer {}", view->layer),
                                     trFormat("head {}", view->head)},
                                    ", ", small, place.beta.width() - textWidth(limit, small) - 6),
                            small, theme.textMuted));
  items.emplace_back(textAt({place.beta.max.x, y}, limit, small, theme.textMuted, render::AlignX::Right));
  items.emplace_back(textAt({place.beta.min.x, y + 1.35 * static_cast<double>(small)},
                            elided(tr("row: query i, column: key j"), small, place.beta.width()), small,
                            theme.textMuted));
  addTerm(items, frame, row, place);
  if (!(place.facts.width() > 0)) return;
  double line = place.facts.min.y + 0.5 * static_cast<double>(small);
  for (const auto& [label, value] : factsOf(*view, sides_[row].pair())) {
    if (line + 0.5 * static_cast<double>(small) > place.facts.max.y) break;  // the panel has them all
    items.emplace_back(textAt({place.facts.min.x, line}, label, small, theme.textMuted));
    const double left = place.facts.min.x + 12.5 * static_cast<double>(small);
    items.emplace_back(textAt({left, line}, elided(value, small, place.facts.max.x - left), small, theme.text));
    line += kLine * static_cast<double>(small);
  }
  if (view->isForm && place.table.height() > 3 * TableView::rowHeight(theme))
    tableOf(frame, row).draw(items, lookOf(frame, place), scroll_[row]);
}

std::vector<render::Item> UpdatePage::tip(const RaceFrame& frame) const {
  std::vector<render::Item> items;
  const std::vector<Row> rows = rowsOf(frame);
  if (const std::optional<Cell> cell = betaAt(frame, *frame.pointer)) {
    const UpdateView& view = *sides_[cell->row].view();
    const int i = cell->at.row, j = cell->at.column;
    addCellMark(items, wholeMatrix(rows[cell->row].beta, view.places(), view.places()), cell->at, frame.theme);
    addTip(items, *frame.pointer,
           {fmt::format("β_ij = {}   β_ji = {}", entryText(view.beta(i, j)), entryText(view.beta(j, i))),
            tokenWords(view, "i", i), tokenWords(view, "j", j)},
           frame.area, frame.theme);
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const PairView* const pair = sides_[row].pair();
    if (!pair || !rows[row].term.contains(*frame.pointer)) continue;
    const MatrixPlot plot = wholeMatrix(rows[row].term, pair->side, pair->side);
    const std::optional<MatrixCell> cell = plot.cellAt(*frame.pointer);
    if (!cell) continue;
    const float entry = (*pair->entries)[static_cast<std::size_t>(cell->row) * static_cast<std::size_t>(pair->side) +
                                         static_cast<std::size_t>(cell->column)];
    addTip(items, *frame.pointer,
           {trFormat("row {}, column {} = {}", cell->row, cell->column, entryText(static_cast<double>(entry)))},
           frame.area, frame.theme);
  }
  return items;
}

void UpdatePage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "training.sentence", frame, text);
    return;
  }
  const LayerKey key = keyWith(keyOf(frame), changes_, i_, j_, scroll_[0], scroll_[1]);
  layers_.add(
      into, "training.update", key,
      [&] {
        std::vector<render::Item> items;
        const std::vector<Row> rows = rowsOf(frame);
        for (std::size_t row = 0; row < rows.size(); ++row)
          addRow(items, frame, row, rows[row]);
        return items;
      },
      false);
  if (frame.pointer && !frame.figure)
    layers_.add(
        into, "training.update.tip", keyWith(key, *frame.pointer), [&] { return tip(frame); }, false);
}

}  // namespace sepx::ui
