// SPDX-License-Identifier: Apache-2.0
// A view of cards, each with a title, a picture and lines. Whole rows fill the box and scroll.
#include <algorithm>
#include <cmath>

#include "ui/canvas/cut_texts.h"
#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kBar = 8;               // points, of the scroll bar
constexpr double kFirstShare = 0.36;     // least share of a card's height for a picture above the title
constexpr double kTitleLine = 1.3;       // height of the title below it, multiple of the type size
constexpr double kCornerGap = 24;        // points between title and corner, with the mark
constexpr double kBoldWidth = 1.14;      // width of bold type over regular type
constexpr double kCardLine = 1.4;        // multiple of the small type size
constexpr double kHead = 2.1;            // height of the heading of a group, multiple of the small type size
constexpr double kRounding = 0.01;       // points
constexpr float kChosenGround = 0.15f;   // alpha of the colour behind a chosen card
constexpr double kWidest = 1.9;          // greatest width of a card, multiple of the least width
constexpr double kBeside = 5;            // least height of cards with their picture beside the text, type sizes
constexpr double kPictureBeside = 0.28;  // greatest share of the width of such a card for its picture

class PlacedCards final : public PlacedView {
 public:
  PlacedCards(const CardsContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme), figure_(place.figure) {
    const double unit = theme_.textSize, gap = content_.pictureFirst ? 1.5 * theme_.space : theme_.space;
    const auto fitting = [gap](double room, double least) {
      return static_cast<std::size_t>(std::max(1.0, std::floor((room + gap) / (least + gap))));
    };
    const auto size = [gap](double room, std::size_t count) {
      return (room - gap * static_cast<double>(count - 1)) / static_cast<double>(count);
    };
    gap_ = gap;
    const std::size_t most = std::min(fitting(box_.width(), content_.width * unit), content_.mostInRow);
    const double widest = kWidest * content_.width * unit;
    const std::size_t least =
        std::min(most, static_cast<std::size_t>(std::ceil((box_.width() + gap) / (widest + gap))));
    const bool oneRow = box_.height() - headsHeight() < 2 * content_.height * unit + gap;
    beside_ = content_.pictureFirst && oneRow && most == 1 && content_.count > 1;
    const double leastHeight = (beside_ ? kBeside : content_.height) * unit;
    inRow_ = largest(least, most, leastHeight);
    beginRows();
    const std::size_t rows = std::max<std::size_t>(lines_.size(), 1);
    if (content_.groups.empty()) {
      const std::size_t inSight = std::min(fitting(box_.height(), leastHeight), rows);
      height_ = size(box_.height(), inSight);  // whole rows fill the box
      if (rows == inSight) height_ = std::min(height_, content_.mostHeight * unit);
    } else {  // a heading may scroll into sight anywhere: rows have their least height unless all have room
      height_ = std::min(leastHeight, std::max(box_.height() - headHeight(), 1.0));
      const double spare = (box_.height() - heightFrom(0)) / static_cast<double>(rows);
      const double highest = std::max(height_, content_.mostHeight * unit);
      if (spare > 0) {
        height_ = std::min(height_ + spare, highest);
      } else {  // the rows in sight fill the box, with room for the heading of the next group
        const double room = box_.height() - 2 * headHeight();
        height_ = std::clamp(size(room, fitting(room + headHeight(), height_)), height_, highest);
        std::size_t end = 1;
        while (end < rows && heightFrom(0, end + 1) <= box_.height() + kRounding)
          ++end;
        const double left = std::max(0.0, box_.height() - heightFrom(0, end));
        height_ = std::min(height_ + left / static_cast<double>(end), highest);  // so that the first rows leave no gap
      }
    }
    while (last_ > 0 && heightFrom(last_ - 1) <= box_.height() + kRounding)
      --last_;
    width_ = size(box_.width() - (last_ > 0 ? kBar : 0), inRow_);
    for (std::size_t i = 0; content_.pictureFirst && !beside_ && i < content_.count; ++i) {
      double& words = lines_[rowOf(i)].words;
      words = std::max(words, wordsHeight(cardOf(i), width_ - 2 * padding()));
    }
    for (std::size_t i = 0; content_.key && i < content_.count; ++i)
      strip_.buttons.push_back({.key = content_.key(i), .label = {}});
    placeRows();
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    for (std::size_t row = first_; row < end_; ++row)
      if (headsRow(row) && lines_[row].top - headHeight() >= box_.min.y - kRounding) addHead(items, row);
    for (std::size_t i = firstCard(); i < endCard(); ++i)
      addCard(items, i, false);
    if (last_ == 0 || figure_) return items;
    const double share = static_cast<double>(end_ - first_) / static_cast<double>(lines_.size());
    const double span = std::max(14.0, share * box_.height());
    const double top = box_.min.y + (box_.height() - span) * static_cast<double>(first_) / static_cast<double>(last_);
    items.emplace_back(pageFill({{box_.max.x - 5, top}, {box_.max.x - 1, top + span}}, faded(theme_.textMuted, 0.8f)));
    return items;
  }
  /// Highlights the card under the pointer.
  std::vector<render::Item> tip(const View& view, render::Point at, const render::Rect&) const override {
    std::vector<render::Item> items;
    if (const std::optional<Target> card = target(view, at)) addCard(items, card->index, true);
    return items;
  }
  const Strip* controls() const override { return &strip_; }
  std::optional<Target> target(const View&, render::Point at) const override {
    for (std::size_t i = firstCard(); i < endCard(); ++i)
      if (cardBox(i).contains(at)) return Target{i};
    return std::nullopt;
  }
  bool scroll(double points) override {
    if (points == 0) return false;
    return scrollTo(points > 0 ? first_ - std::min<std::size_t>(first_, 1) : first_ + 1);
  }
  bool reveal(std::size_t index) override {
    if (lines_.empty()) return false;
    const std::size_t row = rowOf(index);
    if (row < first_) return scrollTo(row);
    std::size_t to = first_;
    while (to < row && heightFrom(to, row + 1) > box_.height() + kRounding)
      ++to;
    return scrollTo(to);
  }
  void takeOver(const PlacedView& before) override {
    const auto* const cards = dynamic_cast<const PlacedCards*>(&before);
    if (cards && cards->first_ > 0 && !lines_.empty()) scrollTo(rowOf(cards->firstCard()));
  }
  std::size_t inRow() const override { return inRow_; }
  std::optional<ReadableView> read() const override;

 private:
  struct Line {
    std::size_t from = 0, to = 0;  ///< cards [from, to)
    std::size_t group = 0;
    double top = 0;    ///< page y at the present scroll position
    double words = 0;  ///< height below the titles of its cards, equal so that the titles are aligned
  };
  double headsHeight() const { return content_.groups.empty() ? 0 : headHeight(); }
  /// The number of cards in a row that makes them largest with all of them in sight; `most`: they do not all fit.
  std::size_t largest(std::size_t least, std::size_t most, double height) const {
    std::size_t best = most;
    double area = 0;
    for (std::size_t inRow = most; inRow >= std::max<std::size_t>(least, 1); --inRow) {
      std::size_t rows = 0, grouped = 0, heads = 0;
      const auto add = [&](std::size_t count) { rows += (count + inRow - 1) / inRow; };
      for (const CardGroup& group : content_.groups) {
        add(std::min(group.count, content_.count - grouped));
        grouped += std::min(group.count, content_.count - grouped);
        heads += group.title.empty() ? 0 : 1;
      }
      add(content_.count - grouped);
      const auto side = [this](double room, std::size_t count) {
        return (room - gap_ * static_cast<double>(count - 1)) / static_cast<double>(count);
      };
      if (rows == 0) break;
      const double high = side(box_.height() - static_cast<double>(heads) * headHeight(), rows);
      if (high < height - kRounding) break;  // fewer columns do not fit either
      const double now = side(box_.width(), inRow) * std::min(high, content_.mostHeight * theme_.textSize);
      if (now > area) area = now, best = inRow;
    }
    return best;
  }
  /// Every group begins a new row.
  void beginRows() {
    std::size_t from = 0;
    const auto add = [&](std::size_t group, std::size_t end) {
      for (; from < end; from = lines_.back().to)
        lines_.push_back({from, std::min(from + inRow_, end), group});
    };
    for (std::size_t group = 0; group < content_.groups.size(); ++group)
      add(group, std::min(from + content_.groups[group].count, content_.count));
    add(content_.groups.size(), content_.count);
    last_ = lines_.empty() ? 0 : lines_.size() - 1;
  }
  const std::string& titleOf(std::size_t row) const {
    static const std::string kNone;
    const std::size_t group = lines_[row].group;
    return group < content_.groups.size() ? content_.groups[group].title : kNone;
  }
  double padding() const { return (content_.pictureFirst ? 1.25 : 1) * theme_.space; }
  double headHeight() const { return kHead * static_cast<double>(theme_.smallSize); }
  /// Whether a row has a heading above it. The first row in sight has one even if the row before it is of the same
  /// group.
  bool headsRow(std::size_t row, std::size_t first) const {
    return !titleOf(row).empty() && (row == first || lines_[row].group != lines_[row - 1].group);
  }
  bool headsRow(std::size_t row) const { return headsRow(row, first_); }
  /// Height of the rows from `first` to before `end` if `first` is the first one in sight.
  double heightFrom(std::size_t first, std::size_t end) const {
    double height = -gap_;
    for (std::size_t row = first; row < end; ++row)
      height += gap_ + height_ + (headsRow(row, first) ? headHeight() : 0);
    return height;
  }
  double heightFrom(std::size_t first) const { return heightFrom(first, lines_.size()); }
  std::size_t rowOf(std::size_t index) const {
    const auto after = std::ranges::upper_bound(lines_, index, {}, &Line::to);
    return after != lines_.end() ? static_cast<std::size_t>(after - lines_.begin()) : lines_.size() - 1;
  }
  std::size_t firstCard() const { return first_ < end_ ? lines_[first_].from : 0; }
  std::size_t endCard() const { return first_ < end_ ? lines_[end_ - 1].to : 0; }
  render::Rect cardBox(std::size_t index) const {
    const Line& line = lines_[rowOf(index)];
    const double x = box_.min.x + static_cast<double>(index - line.from) * (width_ + gap_);
    return {{x, line.top}, {x + width_, line.top + height_}};
  }
  bool scrollTo(std::size_t row) {
    const std::size_t before = std::exchange(first_, std::min(row, last_));
    placeRows();
    return first_ != before;
  }
  void placeRows() {
    double y = box_.min.y;
    for (std::size_t row = first_; row-- > 0;)
      lines_[row].top = box_.min.y - static_cast<double>(first_ - row) * (height_ + gap_ + headHeight());
    end_ = first_;
    for (std::size_t row = first_; row < lines_.size(); ++row) {
      if (headsRow(row)) y += headHeight();
      lines_[row].top = y;
      y += height_;
      if (end_ == row && (row == first_ || y <= box_.max.y + kRounding)) end_ = row + 1;
      y += gap_;
    }
    for (std::size_t i = 0; i < strip_.buttons.size(); ++i)
      strip_.buttons[i].box = cardBox(i);
  }
  void addHead(std::vector<render::Item>& items, std::size_t row) const {
    const double y = lines_[row].top - 0.55 * headHeight();
    render::Label title = textAt({box_.min.x, y}, titleOf(row), theme_.smallSize, theme_.text);
    title.bold = true;
    const double from = box_.min.x + kBoldWidth * textWidth(title.text, theme_.smallSize) + theme_.space;
    items.emplace_back(std::move(title));
    if (from < box_.max.x - kBar) items.emplace_back(pageLine({from, y}, {box_.max.x - kBar, y}, theme_.border));
  }
  Card cardOf(std::size_t index) const { return content_.card(index, {box_, theme_, figure_}); }
  void addCard(std::vector<render::Item>& items, std::size_t index, bool over) const;
  void addTitle(std::vector<render::Item>& items, const Card& card, const render::Rect& inside, double y) const;
  void addLines(std::vector<render::Item>& items, const Card& card, const render::Rect& inside, double y) const;
  double wordsHeight(const Card& card, double width) const;

  CardsContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
  double gap_ = 0, width_ = 0, height_ = 0;
  bool beside_ = false;              ///< only one card would be in sight: pictures are beside their text
  std::size_t inRow_ = 1;            ///< cards in a row
  std::vector<Line> lines_;          ///< rows
  std::size_t first_ = 0, end_ = 0;  ///< rows in sight
  std::size_t last_ = 0;             ///< the last row that can be the first one in sight
  Strip strip_;
};

void PlacedCards::addCard(std::vector<render::Item>& items, std::size_t index, bool over) const {
  const render::Rect box = cardBox(index);
  const bool chosen = !figure_ && content_.chosen && content_.chosen(index);
  addBox(items, box, theme_.radius, over ? theme_.surfaceRaised : theme_.surface,
         chosen ? theme_.selection : theme_.border);
  if (chosen && !content_.pictureFirst)
    addBox(items, box, theme_.radius, faded(theme_.selection, kChosenGround), theme_.selection);
  const Card shown = cardOf(index);
  const double unit = theme_.textSize, line = kCardLine * static_cast<double>(theme_.smallSize);
  const double pad = padding();
  const render::Rect inside{{box.min.x + pad, box.min.y + pad}, {box.max.x - pad, box.max.y - pad}};
  if (beside_) {
    render::Rect words = inside;
    const double side = std::min(inside.height() * 1.25, kPictureBeside * inside.width());
    if (shown.picture) {
      shown.picture(items, {inside.min, {inside.min.x + side, inside.max.y}});
      words.min.x += side + 1.5 * pad;
    }
    addTitle(items, shown, words, words.min.y + 0.4 * unit);
    return addLines(items, shown, words, words.min.y + kTitleLine * unit + 0.4 * line);
  }
  if (content_.pictureFirst) {
    const double words = pad + kTitleLine * unit + lines_[rowOf(index)].words;
    const double bottom = std::max(box.min.y + kFirstShare * box.height(), inside.max.y - words);
    if (shown.picture) shown.picture(items, {{inside.min.x + pad, inside.min.y}, {inside.max.x - pad, bottom}});
    addTitle(items, shown, inside, bottom + pad + 0.6 * unit);
    return addLines(items, shown, inside, bottom + pad + kTitleLine * unit + line);
  }
  addTitle(items, shown, inside, inside.min.y + unit / 2);
  // The picture gets the room between the title and the lines.
  const double top = inside.min.y + 1.5 * unit, lines = static_cast<double>(shown.lines.size());
  const double bottom = std::max(top + 8, inside.max.y - (shown.picture ? lines * line : inside.height()));
  if (shown.picture) {
    items.emplace_back(pageFill({{inside.min.x, top}, {inside.max.x, bottom}}, theme_.plotBackground));
    shown.picture(items, {{inside.min.x + 3, top + 5}, {inside.max.x - 3, bottom - 5}});
  }
  addLines(items, shown, inside, (shown.picture ? bottom + pad / 2 : top) + line / 2);
}

/// Height of the lines below the title, none of them cut, and of the foot.
double PlacedCards::wordsHeight(const Card& card, double width) const {
  const double size = theme_.smallSize, line = kCardLine * size;
  std::size_t count = card.foot.empty() ? 1 : 2;  // with the gap to the title
  for (const NoteLine& one : card.lines)
    count += card.wraps ? wrapped(lineText(one, size, HUGE_VAL), size, width).size() : 1;
  return line * static_cast<double>(count);
}

void PlacedCards::addTitle(std::vector<render::Item>& items, const Card& card, const render::Rect& inside,
                           double y) const {
  double room = inside.width();
  if (!card.corner.empty()) {
    items.emplace_back(
        textAt({inside.max.x, y}, card.corner, theme_.smallSize, theme_.textMuted, render::AlignX::Right));
    const double width = textWidth(card.corner, theme_.smallSize);
    if (card.mark) addMarker(items, {inside.max.x - width - 9, y}, *card.mark, false, theme_);
    room -= width + kCornerGap;
  }
  render::Label title = textAt({inside.min.x, y}, shortenedName(card.title, theme_.textSize, room / kBoldWidth),
                               theme_.textSize, theme_.text);
  title.bold = true;
  items.emplace_back(std::move(title));
}

void PlacedCards::addLines(std::vector<render::Item>& items, const Card& card, const render::Rect& inside,
                           double y) const {
  const float size = theme_.smallSize;
  const double line = kCardLine * static_cast<double>(size);
  const double end = inside.max.y + line / 4 - (card.foot.empty() ? line / 2 : 1.5 * line);
  const auto put = [&](const std::string& text, NoteLine::Role role) {
    items.emplace_back(textAt({inside.min.x, y}, elided(text, size, inside.width()), size, colorOf(role, theme_)));
    y += line;
  };
  for (const NoteLine& one : card.lines) {
    if (!card.wraps) {
      if (y > inside.max.y) break;  // a low card has only the first lines
      put(lineText(one, size, inside.width()), one.role);
      continue;
    }
    const std::string whole = lineText(one, size, HUGE_VAL);
    const std::vector<std::string> parts = wrapped(whole, size, inside.width());
    for (std::size_t i = 0; i < parts.size() && y <= end; ++i) {
      const bool cut = i + 1 < parts.size() && y + line > end;
      const std::string shown = cut ? elided(parts[i] + " " + parts[i + 1], size, inside.width()) : parts[i];
      if (cut) CutTexts::note(shown, whole);
      put(shown, one.role);
    }
  }
  if (!card.foot.empty())
    items.emplace_back(
        textAt({inside.min.x, inside.max.y - line / 4}, elided(card.foot, size, inside.width()), size, theme_.text));
}

std::optional<ReadableView> PlacedCards::read() const {
  ReadableView view;
  view.role = ReadableView::Role::Table;
  view.label = tr("Cards");
  view.description = trFormat("{} cards", content_.count);
  view.rows = content_.count;
  view.cells = [](std::size_t) { return std::size_t{1}; };
  view.text = [this](std::size_t row, std::size_t) {
    const Card shown = cardOf(row);
    std::string text = shown.title + (shown.corner.empty() ? "" : ", " + shown.corner);
    for (const NoteLine& line : shown.lines)
      if (std::string more = lineText(line, theme_.smallSize, HUGE_VAL); !more.empty()) text += ". " + more;
    return shown.foot.empty() ? text : text + ". " + shown.foot;
  };
  view.place = [this](std::size_t row, std::size_t) -> std::optional<render::Point> {
    if (lines_.empty()) return std::nullopt;
    const render::Rect at = cardBox(row);
    const render::Point middle{(at.min.x + at.max.x) / 2, (at.min.y + at.max.y) / 2};
    return box_.contains(middle) ? std::optional(middle) : std::nullopt;
  };
  return view;
}

}  // namespace

std::unique_ptr<PlacedView> placeContent(const CardsContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedCards>(content, place);
}

}  // namespace sepx::ui
