// SPDX-License-Identifier: Apache-2.0
// A view of a matrix.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/render/color_map.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/number_words.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kHead = 1.7, kTitle = 2.4;                 // heights, in small type sizes
constexpr double kNumbersLeft = 3.4, kNumbersBelow = 2.6;   // room for numbers at the edges, in small type sizes
constexpr double kRowGap = 3, kRowText = 6, kLeastRow = 1;  // points; text width and row height, in small type sizes
constexpr double kColumnTexts = 1.6;                        // height above the picture, in small type sizes
constexpr double kEntryWidth = 4, kEntryHeight = 1.2;  // least size of a cell that shows its entry, in small type sizes
constexpr double kLargestEntry = 0.9, kLeastEntry = 7;  // type of entries with decimals: in small type sizes; points

/// The largest picture of [rows, columns] in `box`; the ratio of its sides is at most `longest`, 0: it fills the box.
render::Rect pictureIn(const render::Rect& box, int rows, int columns, double longest) {
  if (longest <= 0) return box;
  const double shape =
      rows > 0 && columns > 0 ? std::clamp(static_cast<double>(columns) / rows, 1 / longest, longest) : 1;
  const double width = std::min(box.width(), box.height() * shape), height = width / shape;
  const double left = box.min.x + (box.width() - width) / 2;
  return {{left, box.min.y}, {left + width, box.min.y + height}};
}

class PlacedMatrix final : public PlacedView {
 public:
  PlacedMatrix(const MatrixContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme), figure_(place.figure) {
    const double small = theme_.smallSize;
    render::Rect room = box_;
    room.min.y += content_.head ? headHeight() : content_.title.empty() ? 0 : kTitle * small;
    room.max.y -= content_.notes.empty() ? 0 : (0.35 + kNoteLine * static_cast<double>(content_.notes.size())) * small;
    if (!content_.rowAxis.empty()) room.min.x += kNumbersLeft * small;
    if (!content_.columnTexts.empty()) {
      room.min.x += kNumbersLeft * small;
      room.min.y += kColumnTexts * small;
    }
    if (!content_.columnAxis.empty()) room.max.y -= kNumbersBelow * small;
    room.max.y = std::max(room.min.y + 8, room.max.y);
    plot_ = wholeMatrix(pictureIn(room, content_.rows, content_.columns, content_.longest), std::max(1, content_.rows),
                        std::max(1, content_.columns));
  }

  std::vector<render::Item> items() const override;
  std::vector<render::Item> tip(const View&, render::Point at, const render::Rect& area) const override;
  std::optional<Changes> pick(const View& view, render::Point at) const override {
    const auto& pick = std::get<MatrixContent>(view.content).pick;
    const std::optional<MatrixCell> cell = pick ? cellAt(at) : std::nullopt;
    return cell ? std::optional(pick(*cell)) : std::nullopt;
  }
  std::optional<ReadableView> read() const override;

 private:
  std::optional<MatrixCell> cellAt(render::Point at) const {
    return content_.values && plot_.plot.contains(at) ? plot_.cellAt(at) : std::nullopt;
  }
  double entry(MatrixCell cell) const {
    return static_cast<double>(
        (*content_.values)[static_cast<std::size_t>(cell.row) * static_cast<std::size_t>(content_.columns) +
                           static_cast<std::size_t>(cell.column)]);
  }
  /// "row 3, column 4 = 0.25"
  std::string words(MatrixCell cell) const;
  double headHeight() const { return (kHead + (headLines() - 1) * kNoteLine) * static_cast<double>(theme_.smallSize); }
  int headLines() const {
    const double beside = box_.width() - kSwatch - kAfterSwatch;
    if (textWidth(content_.longestHead, theme_.smallSize) <= beside) return 1;
    return breaksWithin(beside) ? 3 : 2;
  }
  /// Whether two lines of this width are not enough for the longest name: a word is broken, or a third line begins.
  bool breaksWithin(double width) const {
    const std::vector<std::string> lines = wrapped(content_.longestHead, theme_.smallSize, width);
    return lines.size() > 2 || (lines.size() == 2 && lines[0] + " " + lines[1] != content_.longestHead);
  }
  void addHead(std::vector<render::Item>& items) const;
  void addNotes(std::vector<render::Item>& items) const;
  void addEntries(std::vector<render::Item>& items) const;
  void addDecimals(std::vector<render::Item>& items) const;
  void addColumnTexts(std::vector<render::Item>& items) const;
  render::ColorMap map() const { return content_.map.value_or(content_.scale.map(theme_)); }
  render::Color colorAt(double value) const { return render::colorAt(map(), content_.scale.share(value)); }
  void addChosen(std::vector<render::Item>& items) const;
  void addRowTexts(std::vector<render::Item>& items) const;

  MatrixContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
  MatrixPlot plot_;
};

void PlacedMatrix::addHead(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  if (content_.head) {
    // If the name has no room beside it, the swatch has a line of its own.
    const bool above = headLines() > 2;
    const double swatch = above ? 0 : kSwatch + kAfterSwatch, room = box_.width() - swatch;
    std::vector<std::string> lines{content_.head->name};
    if (headLines() > 1) lines = wrapped(content_.head->name, small, room);
    if (lines.size() > 2) {
      lines[1] += " " + lines[2];  // the "…" of the second line shows that it is cut
      lines.resize(2);
    }
    double width = 0, y = box_.min.y + 0.8 * small;
    for (std::string& line : lines) {
      line = elided(line, small, room);
      width = std::max(width, textWidth(line, small));
    }
    const double left = std::max(box_.min.x, (box_.min.x + box_.max.x - width - swatch) / 2);
    if (above) {
      addSwatch(items, {(box_.min.x + box_.max.x - kSwatch) / 2, y}, kSwatch, content_.head->look, theme_);
      y += kNoteLine * small;
    } else {
      addSwatch(items, {left, y}, kSwatch, content_.head->look, theme_);
    }
    for (const std::string& line : lines) {
      items.emplace_back(textAt({left + swatch, y}, line, small, theme_.text));
      y += kNoteLine * small;
    }
  }
  if (!content_.title.empty())
    items.emplace_back(textAt({plot_.plot.min.x, plot_.plot.min.y - 1.2 * small},
                              elided(content_.title, theme_.textSize, plot_.plot.width()), theme_.textSize,
                              theme_.text));
}

void PlacedMatrix::addNotes(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  const double below = content_.columnAxis.empty() ? 0 : kNumbersBelow * static_cast<double>(small);
  double y = plot_.plot.max.y + below + 0.95 * small;
  for (const NoteLine& line : content_.notes) {
    items.emplace_back(textAt({(box_.min.x + box_.max.x) / 2, y}, lineText(line, small, box_.width()), small,
                              colorOf(line.role, theme_), render::AlignX::Center));
    y += kNoteLine * small;
  }
}

void PlacedMatrix::addEntries(std::vector<render::Item>& items) const {
  const double small = theme_.smallSize;
  if (!content_.entries || plot_.cellWidth() < kEntryWidth * small || plot_.cellHeight() < kEntryHeight * small) return;
  addCellTexts(items, plot_, small, [this](MatrixCell cell) {
    const double value = entry(cell);
    return std::isfinite(value) ? CellText{shownFixed(value, 2), colorAt(value)} : CellText{"–", theme_.surface};
  });
}

/// Entries with the chosen number of decimals, in type that fits the cells.
void PlacedMatrix::addDecimals(std::vector<render::Item>& items) const {
  const double most = kLargestEntry * static_cast<double>(theme_.smallSize);
  const auto text = [this](double value) { return shownFixed(value, *content_.decimals); };
  double longest = 1;
  for (const float value : *content_.values)
    if (std::isfinite(value)) longest = std::max(longest, textWidth(text(static_cast<double>(value)), most));
  const double size = std::min(most, most * plot_.cellWidth() / (longest + 3));
  if (size < kLeastEntry || plot_.cellHeight() < kEntryHeight * size) return;
  addCellTexts(items, plot_, size, [&](MatrixCell cell) {
    const double value = entry(cell);
    return std::isfinite(value) ? CellText{text(value), colorAt(value)} : CellText{};
  });
}

void PlacedMatrix::addColumnTexts(std::vector<render::Item>& items) const {
  const double small = theme_.smallSize;
  const int every = std::max(1, static_cast<int>(std::ceil(1.7 * small / plot_.cellWidth())));
  for (int column = 0; column < static_cast<int>(content_.columnTexts.size()); column += every) {
    const render::Rect cell = plot_.box({0, column});
    items.emplace_back(textAt({(cell.min.x + cell.max.x) / 2, plot_.plot.min.y - 0.8 * small},
                              content_.columnTexts[static_cast<std::size_t>(column)], theme_.smallSize,
                              theme_.textMuted, render::AlignX::Center));
  }
}

void PlacedMatrix::addChosen(std::vector<render::Item>& items) const {
  const ColorLimits& limits = content_.scale.limits;
  const render::Color ink = textColorOn(colorAt((limits.low + limits.high) / 2));
  for (const MatrixCell cell : content_.chosen)
    items.emplace_back(pageFrameLine(plot_.box(cell), ink, 1.5F));
  if (!content_.chosenRow) return;
  const render::Rect first = plot_.box({*content_.chosenRow, 0}),
                     last = plot_.box({*content_.chosenRow, content_.columns - 1});
  items.emplace_back(pageFrameLine({first.min, last.max}, theme_.selection, 1.5F));
}

void PlacedMatrix::addRowTexts(std::vector<render::Item>& items) const {
  const float small = theme_.smallSize;
  const double room = std::min(plot_.plot.min.x - box_.min.x - kRowGap, kRowText * static_cast<double>(small));
  if (content_.rowTexts.empty() || !(plot_.cellHeight() > 0) || room < small) return;
  // If rows are low, only every k-th one has a text.
  const int every =
      std::max(1, static_cast<int>(std::ceil(kLeastRow * static_cast<double>(small) / plot_.cellHeight())));
  for (int row = 0; row < content_.rows; row += every) {
    const render::Rect cell = plot_.box({row, 0});
    items.emplace_back(textAt({cell.min.x - kRowGap, (cell.min.y + cell.max.y) / 2},
                              elided(content_.rowTexts[static_cast<std::size_t>(row)], small, room), small,
                              theme_.textMuted, render::AlignX::Right));
  }
}

std::vector<render::Item> PlacedMatrix::items() const {
  std::vector<render::Item> items;
  addHead(items);
  items.emplace_back(pageFill(plot_.plot, theme_.surface));
  if (content_.values) {
    items.emplace_back(render::Heatmap{.extent = flipped(plot_.plot),
                                       .width = content_.columns,
                                       .height = content_.rows,
                                       .values = placed(content_.values, content_.scale),
                                       .map = map(),
                                       .low = static_cast<float>(content_.scale.lowPlace()),
                                       .high = static_cast<float>(content_.scale.highPlace()),
                                       .smooth = false});
    if (content_.decimals)
      addDecimals(items);
    else
      addEntries(items);
  } else if (!figure_ && !content_.missing.empty()) {
    addSentence(items, plot_.plot, content_.missing, theme_);
  }
  items.emplace_back(pageFrameLine(plot_.plot, theme_.border));
  if (!content_.rowAxis.empty()) addRowNumbers(items, plot_, plot_.plot.min.x, box_.min.x, content_.rowAxis, theme_);
  if (!content_.columnAxis.empty()) addColumnNumbers(items, plot_, content_.columnAxis, theme_);
  if (content_.values) addChosen(items);
  addRowTexts(items);
  addColumnTexts(items);
  addNotes(items);
  return items;
}

std::string PlacedMatrix::words(MatrixCell cell) const {
  return trFormat("{} {}, {} {} = {}", content_.rowName.empty() ? std::string(tr("row")) : content_.rowName, cell.row,
                  content_.columnName.empty() ? std::string(tr("column")) : content_.columnName, cell.column,
                  entryText(entry(cell)));
}

std::optional<ReadableView> PlacedMatrix::read() const {
  const std::string label = content_.head ? content_.head->name : content_.title;
  if (!content_.values) {
    ReadableView view;
    view.role = ReadableView::Role::Matrix;
    view.label = label;
    view.description = content_.missing;
    return view;
  }
  const auto wordsOf = [this](MatrixCell cell) {
    const std::vector<std::string> lines = content_.tip ? content_.tip(cell) : std::vector<std::string>();
    return lines.empty() ? words(cell) : fmt::format("{}", fmt::join(lines, ", "));
  };
  const auto middle = [this](MatrixCell cell) {
    const render::Rect box = plot_.box(cell);
    return std::optional(render::Point{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2});
  };
  ReadableView view = readMatrix(static_cast<std::size_t>(content_.rows), static_cast<std::size_t>(content_.columns),
                                 wordsOf, middle, [this](render::Point at) { return cellAt(at); });
  view.label = label;
  view.rowName = [this](std::size_t row) {
    return (content_.rowName.empty() ? std::string(tr("row")) : content_.rowName) + fmt::format(" {}", row);
  };
  return view;
}

std::vector<render::Item> PlacedMatrix::tip(const View&, render::Point at, const render::Rect& area) const {
  std::vector<render::Item> items;
  const std::optional<MatrixCell> cell = cellAt(at);
  if (!cell) return items;
  std::vector<std::string> lines = content_.tip ? content_.tip(*cell) : std::vector{words(*cell)};
  if (lines.empty()) return items;
  addCellMark(items, plot_, *cell, theme_);
  if (!content_.tipContext.empty()) lines.push_back(content_.tipContext);
  addTip(items, at, lines, area, theme_);
  return items;
}

}  // namespace

std::unique_ptr<PlacedView> placeContent(const MatrixContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedMatrix>(content, place);
}

}  // namespace sepx::ui
