// SPDX-License-Identifier: Apache-2.0
// What the page Sequence draws: a column a run, with attention above and the predictions below.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ui/canvas/shapes.h"
#include "ui/exhibits/training/sequence/sequence_page.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/race/chart_grid.h"
#include "ui/race/race_page_kit.h"
#include "ui/race/run_charts.h"

namespace sepx::ui {

namespace {

constexpr double kGap = 14;           // points
constexpr double kUpperShare = 0.52;  // of the height, for attention
constexpr double kPlaceColumn = 2.6;  // of the size of small text, as what follows
constexpr double kNarrow = 24;
double tokenColumn(double width, double small) {
  return width < kNarrow * small ? 3 : 5;
}
double truthColumn(double width, double small) {
  return width < kNarrow * small ? 6 : 7.2;
}
constexpr double kWordColumn = 6;
constexpr double kLeastCell = 0.85;  // of the size of small text, for a token beside a row of attention

MatrixScale scaleOf(const SequenceView& view) {
  return view.linear ? MatrixScale{ScaleKind::Diverging, {-view.limit, view.limit}}
                     : MatrixScale{ScaleKind::Sequential, {0, view.limit}};
}

std::string percent(double share) {
  if (share < 0.0005) return "< 0.1 %";
  return share >= 0.0995 ? fmt::format("{:.0f} %", 100 * share) : shownShare(share);
}

}  // namespace

std::vector<SequencePage::Column> SequencePage::columnsOf(const RaceFrame& frame) const {
  std::vector<Column> columns;
  const std::size_t count = shown(frame.shared);
  const double pad = 1.5 * frame.theme.space, small = frame.theme.smallSize;
  const render::Rect area{{frame.area.min.x + pad, frame.area.min.y + pad / 2},
                          {frame.area.max.x - pad, frame.area.max.y - pad / 2}};
  if (count == 0 || area.width() < 40 || area.height() < 40) return columns;
  for (const render::Rect& box : gridOf(area, count, count, 1.5 * kGap)) {
    const std::size_t run = columns.size();
    Column column;
    column.title = {box.min, {box.max.x, box.min.y + 1.7 * small}};
    const SequencePointer& view = sides_[run]->view();
    double top = column.title.max.y;
    if (view && !view->note.empty() && !frame.compact) {
      const auto lines = static_cast<double>(wrapped(view->note, small, box.width()).size());
      column.note = {{box.min.x, top}, {box.max.x, top + 1.35 * small * lines}};
      top = column.note.max.y + 0.3 * small;
    }
    const bool table = !frame.compact && box.height() > 16 * small;
    const double bottom = table ? top + kUpperShare * (box.max.y - top) : box.max.y;
    const int heads = view ? view->heads : 1, chosen = frame.state().head;
    const bool all = chosen < 0 && heads > 1;
    const std::size_t many = all ? static_cast<std::size_t>(heads) : 1;
    const double below = 1.5 * small;  // a line under each
    std::size_t perRow = 1;
    double side = 0;
    for (std::size_t tried = 1; tried <= many; ++tried) {  // the largest square pictures
      const std::size_t rows = (many + tried - 1) / tried;
      const double width = (box.width() - kGap * static_cast<double>(tried - 1)) / static_cast<double>(tried);
      const double height = (bottom - top) / static_cast<double>(rows) - below;
      if (std::min(width, height) > side) side = std::min(width, height), perRow = tried;
    }
    const double left =
        box.min.x + (box.width() - side * static_cast<double>(perRow) - kGap * static_cast<double>(perRow - 1)) / 2;
    for (std::size_t k = 0; k < many && side >= 8; ++k) {
      const render::Point at{left + static_cast<double>(k % perRow) * (side + kGap),
                             top + static_cast<double>(k / perRow) * (side + below)};
      column.heads.push_back({all ? static_cast<int>(k) : std::max(0, chosen), {at, {at.x + side, at.y + side}}});
    }
    if (table) {
      const double used = column.heads.empty() ? bottom : column.heads.back().box.max.y + below;
      column.table = {{box.min.x, std::min(bottom, used) + 0.4 * small}, box.max};
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

double SequencePage::mostScroll(const Theme& theme, const Column& column, std::size_t run) const {
  const SequencePointer& view = sides_[run]->view();
  if (!view) return 0;
  const double rows = static_cast<double>(view->places.size()) * rowHeight(theme);
  return std::max(0.0, rows - (column.table.height() - rowHeight(theme)));
}

std::optional<SequencePage::Hit> SequencePage::hitAt(const RaceFrame& frame, render::Point page) const {
  const std::vector<Column> columns = columnsOf(frame);
  for (std::size_t run = 0; run < columns.size(); ++run) {
    const SequencePointer& view = sides_[run]->view();
    if (!view) continue;
    for (const HeadPlace& head : columns[run].heads) {
      if (!head.box.contains(page) || head.head >= view->heads) continue;
      if (const auto cell = wholeMatrix(head.box, view->tokens, view->tokens).cellAt(page))
        return Hit{run, head, *cell, std::nullopt, false};
    }
    const render::Rect& table = columns[run].table;
    const double height = rowHeight(frame.theme), top = table.min.y + height;
    if (!table.contains(page) || page.y < top) continue;
    const double scroll = std::min(scroll_[run], mostScroll(frame.theme, columns[run], run));
    const auto place = static_cast<int>((page.y - top + scroll) / height);
    if (place < 0 || static_cast<std::size_t>(place) >= view->places.size()) continue;
    const double small = frame.theme.smallSize;
    const bool token = page.x < table.min.x + (kPlaceColumn + tokenColumn(table.width(), small)) * small;
    return Hit{run, std::nullopt, {}, place, token};
  }
  return std::nullopt;
}

void SequencePage::addHead(std::vector<render::Item>& items, const RaceFrame& frame, const SequenceView& view,
                           const HeadPlace& place) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const auto head = static_cast<std::size_t>(place.head);
  if (head >= view.attention.size()) {
    items.emplace_back(pageFill(place.box, theme.surface));
    addSentence(items, place.box,
                trFormat("There is no head {}: the model has heads 0 to {}.", place.head, view.heads - 1), theme);
    items.emplace_back(pageFrameLine(place.box, theme.border));
    return;
  }
  const MatrixScale scale = scaleOf(view);
  items.emplace_back(render::Heatmap{.extent = flipped(place.box),
                                     .width = view.tokens,
                                     .height = view.tokens,
                                     .values = view.attention[head],
                                     .map = scale.map(theme),
                                     .low = static_cast<float>(scale.limits.low),
                                     .high = static_cast<float>(scale.limits.high),
                                     .smooth = false});
  items.emplace_back(pageFrameLine(place.box, theme.border));
  const MatrixPlot plot = wholeMatrix(place.box, view.tokens, view.tokens);
  const int row = view.masks ? place_ : place_ - 1;  // the query that predicts the place
  if (row >= 0 && row < view.tokens) {
    const render::Rect first = plot.box({row, 0}), last = plot.box({row, view.tokens - 1});
    items.emplace_back(pageFrameLine({first.min, last.max}, theme.accent, 1.5F));
  }
  if (plot.cellHeight() >= kLeastCell * small) {  // short sequences: tokens beside rows
    for (int i = 0; i < view.tokens; ++i) {
      const render::Rect cell = plot.box({i, 0});
      const SequencePlace& at = view.places[static_cast<std::size_t>(i)];
      items.emplace_back(textAt({place.box.min.x - 3, (cell.min.y + cell.max.y) / 2},
                                elided(at.hidden ? std::string("[MASK]") : at.word, small, 6.0 * small), small,
                                theme.textMuted, render::AlignX::Right));
    }
  }
  items.emplace_back(textAt({(place.box.min.x + place.box.max.x) / 2, place.box.max.y + 0.75 * small},
                            trFormat("head {}", place.head), small, theme.textMuted, render::AlignX::Center));
}

void SequencePage::addRow(std::vector<render::Item>& items, const RaceFrame& frame, const SequenceView& view, int place,
                          const render::Rect& box) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const SequencePlace& at = view.places[static_cast<std::size_t>(place)];
  const double y = (box.min.y + box.max.y) / 2;
  const double tokens = tokenColumn(box.width(), small), truths = truthColumn(box.width(), small);
  if (place == place_) items.emplace_back(pageFill(box, theme.accentMuted));
  double x = box.min.x;
  const bool end = place >= view.tokens;
  items.emplace_back(textAt({x + (kPlaceColumn - 0.6) * small, y}, end ? "→" : std::to_string(place), small,
                            theme.textMuted, render::AlignX::Right));
  x += kPlaceColumn * small;
  const std::string word = end ? std::string(tr("next")) : at.hidden ? "[" + at.word + "]" : at.word;
  items.emplace_back(textAt({x + 2, y}, elided(at.word == "[MASK]" ? at.word : word, small, tokens * small - 4), small,
                            at.hidden ? theme.accent
                            : end     ? theme.textMuted
                                      : theme.text));
  x += tokens * small;
  if (!at.prediction) return;
  const PlacePrediction& prediction = *at.prediction;
  if (prediction.rank > 0)
    items.emplace_back(
        textAt({x + truths * small - 8, y},
               elided(prediction.rank == 1 ? percent(prediction.truth)
                                           : fmt::format("{} #{}", percent(prediction.truth), prediction.rank),
                      small, truths * small - 8),
               small, prediction.rank == 1 ? theme.text : theme.textMuted, render::AlignX::Right));
  x += truths * small;
  const double width = kWordColumn * small;
  for (std::size_t k = 0; k < prediction.best.size() && k < static_cast<std::size_t>(top_); ++k) {
    if (x + width > box.max.x + 1) break;
    const auto& [name, share] = prediction.best[k];
    const render::Rect chip{{x + 2, box.min.y + 1.5}, {x + width - 2, box.max.y - 1.5}};
    render::Rect bar = chip;
    bar.max.x = chip.min.x + std::clamp(share, 0.0, 1.0) * chip.width();
    items.emplace_back(pageFill(bar, faded(theme.accent, 0.28f)));
    if (static_cast<int>(k) + 1 == prediction.rank) items.emplace_back(pageFrameLine(chip, theme.accent, 1.25F));
    const std::string number = percent(share);
    const double room = chip.width() - textWidth(number, small) - 10;
    items.emplace_back(textAt({chip.min.x + 4, y}, elided(name, small, room), small, theme.text));
    items.emplace_back(textAt({chip.max.x - 3, y}, number, small, theme.textMuted, render::AlignX::Right));
    x += width;
  }
}

void SequencePage::addTable(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run,
                            const Column& column) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const SequenceView& view = *sides_[run]->view();
  const render::Rect& box = column.table;
  const double height = rowHeight(theme), body = box.min.y + height;
  const double y = box.min.y + height / 2;
  const double tokens = tokenColumn(box.width(), small), truths = truthColumn(box.width(), small);
  items.emplace_back(pageFill({box.min, {box.max.x, body}}, theme.surfaceRaised));
  items.emplace_back(textAt({box.min.x + kPlaceColumn * small + 2, y}, tr("token"), small, theme.textMuted));
  items.emplace_back(textAt({box.min.x + (kPlaceColumn + tokens + truths) * small - 8, y}, tr("probability"), small,
                            theme.textMuted, render::AlignX::Right));
  const double words = box.min.x + (kPlaceColumn + tokens + truths) * small + 6;
  const std::string head = !view.masks       ? tr("most likely after the tokens before")
                           : view.eachInTurn ? tr("most likely when masked, one at a time")
                                             : tr("most likely at masked positions");
  for (const std::string& title : {head, std::string(tr("most likely"))}) {
    if (textWidth(title, small) > box.max.x - words) continue;
    items.emplace_back(textAt({words, y}, title, small, theme.textMuted));
    break;
  }
  const double scroll = std::min(scroll_[run], mostScroll(theme, column, run));
  const auto first = static_cast<int>(scroll / height);
  for (int place = first; static_cast<std::size_t>(place) < view.places.size(); ++place) {
    const double top = body + static_cast<double>(place) * height - std::floor(scroll / height) * height;
    if (top + height > box.max.y + 1) break;
    addRow(items, frame, view, place, {{box.min.x, top}, {box.max.x, top + height}});
  }
}

void SequencePage::addColumn(std::vector<render::Item>& items, const RaceFrame& frame, std::size_t run,
                             const Column& column) const {
  const Theme& theme = frame.theme;
  const float small = theme.smallSize;
  const double middle = (column.title.min.y + column.title.max.y) / 2;
  addSwatch(items, {column.title.min.x, middle}, 16, runLook(theme, run), theme);
  const SequencePointer& view = sides_[run]->view();
  std::string facts;
  if (view) {
    facts = trFormat("step {}, {}, layer {}", stepText(view->step), wordsOf(view->source), view->layer);
    if (view->predicted() > 0)
      facts +=
          "   " + trFormat("{} of {} correct, loss {}", view->right(), view->predicted(), shownFixed(view->loss(), 3));
  }
  const double room = column.title.width() - 20;
  const std::string name = elided(frame.shared.runs[run].name(), small, room);
  items.emplace_back(textAt({column.title.min.x + 20, middle}, name, small, theme.text));
  const double left = room - textWidth(name, small) - 10;
  if (left > 4 * small)
    items.emplace_back(textAt({column.title.max.x, middle}, elided(facts, small, left), small, theme.textMuted,
                              render::AlignX::Right));
  if (!view) {
    const render::Rect box{{column.title.min.x, column.title.max.y}, {column.title.max.x, frame.area.max.y - 8}};
    addMissing(items, box, sides_[run]->sentence(), frame);
    items.emplace_back(pageFrameLine(box, theme.border));
    return;
  }
  double y = column.note.min.y + 0.7 * small;
  if (column.note.height() > 0)
    for (const std::string& line : wrapped(view->note, small, column.note.width())) {
      items.emplace_back(textAt({column.note.min.x, y}, line, small, theme.error));
      y += 1.35 * small;
    }
  for (const HeadPlace& head : column.heads)
    addHead(items, frame, *view, head);
  if (column.table.height() > 3 * rowHeight(theme)) addTable(items, frame, run, column);
}

std::vector<render::Item> SequencePage::tip(const RaceFrame& frame, const Hit& hit) const {
  std::vector<render::Item> items;
  const SequenceView& view = *sides_[hit.run]->view();
  if (!hit.head) return items;
  const auto word = [&view](int place) {
    const SequencePlace& at = view.places[static_cast<std::size_t>(place)];
    return at.hidden ? trFormat("{}: {}, read as [MASK]", place, at.word) : fmt::format("{}: {}", place, at.word);
  };
  const float weight =
      (*view.attention[static_cast<std::size_t>(hit.head->head)])[static_cast<std::size_t>(hit.cell.row) *
                                                                      static_cast<std::size_t>(view.tokens) +
                                                                  static_cast<std::size_t>(hit.cell.column)];
  addCellMark(items, wholeMatrix(hit.head->box, view.tokens, view.tokens), hit.cell, frame.theme);
  addTip(items, *frame.pointer,
         {trFormat("weight {}", entryText(static_cast<double>(weight))), trFormat("query {}", word(hit.cell.row)),
          trFormat("key {}", word(hit.cell.column))},
         frame.area, frame.theme);
  return items;
}

void SequencePage::drawContent(const RaceFrame& frame, std::vector<render::Layer>& into) {
  if (const std::string text = noRunsSentence(frame.shared); !text.empty()) {
    layers_.addSentence(into, "training.sentence", frame, text);
    return;
  }
  LayerKey key = keyWith(keyOf(frame), changes_);
  for (const double scroll : scroll_)
    key = keyWith(std::move(key), scroll);
  layers_.add(
      into, "training.sequence", key,
      [&] {
        std::vector<render::Item> items;
        const std::vector<Column> columns = columnsOf(frame);
        for (std::size_t run = 0; run < columns.size(); ++run)
          addColumn(items, frame, run, columns[run]);
        return items;
      },
      false);
  if (!frame.pointer || frame.figure) return;
  if (const std::optional<Hit> hit = hitAt(frame, *frame.pointer))
    layers_.add(
        into, "training.sequence.tip", keyWith(key, *frame.pointer), [&] { return tip(frame, *hit); }, false);
}

}  // namespace sepx::ui
