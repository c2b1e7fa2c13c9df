// SPDX-License-Identifier: Apache-2.0
// Cards as a view: a title, a picture and lines each, whole rows that fill the box and scroll.
#include <algorithm>
#include <cmath>

#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kBar = 8;              // points, of the scroll bar
constexpr double kFirstShare = 0.36;    // of a card's height, of a picture above the title
constexpr double kCornerGap = 24;       // points between title and corner, with the mark
constexpr double kBoldWidth = 1.14;     // of bold type over regular type
constexpr double kCardLine = 1.4;       // of the small type
constexpr float kChosenGround = 0.15f;  // strength of the accent behind a chosen card

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
    inRow_ = std::min(fitting(box_.width(), content_.width * unit), content_.mostInRow);
    all_ = (content_.count + inRow_ - 1) / inRow_;
    rows_ = std::min(fitting(box_.height(), content_.height * unit), std::max<std::size_t>(all_, 1));
    width_ = size(box_.width() - (all_ > rows_ ? kBar : 0), inRow_);
    height_ = size(box_.height(), rows_);
    if (all_ <= rows_) height_ = std::min(height_, content_.mostHeight * unit);
    for (std::size_t i = 0; content_.key && i < content_.count; ++i)
      strip_.buttons.push_back({.key = content_.key(i), .label = {}});
    placeControls();
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    for (std::size_t i = first_ * inRow_; i < std::min(content_.count, (first_ + rows_) * inRow_); ++i)
      addCard(items, i, false);
    if (all_ <= rows_ || figure_) return items;
    const double share = static_cast<double>(rows_) / static_cast<double>(all_);
    const double span = std::max(14.0, share * box_.height());
    const double top =
        box_.min.y + (box_.height() - span) * static_cast<double>(first_) / static_cast<double>(all_ - rows_);
    items.emplace_back(pageFill({{box_.max.x - 5, top}, {box_.max.x - 1, top + span}}, faded(theme_.textMuted, 0.8f)));
    return items;
  }
  /// The card under the pointer stands out.
  std::vector<render::Item> tip(const View& view, render::Point at, const render::Rect&) const override {
    std::vector<render::Item> items;
    if (const std::optional<Target> card = target(view, at)) addCard(items, card->index, true);
    return items;
  }
  const Strip* controls() const override { return &strip_; }
  std::optional<Target> target(const View&, render::Point at) const override {
    for (std::size_t i = first_ * inRow_; i < std::min(content_.count, (first_ + rows_) * inRow_); ++i)
      if (cardBox(i).contains(at)) return Target{i};
    return std::nullopt;
  }
  bool scroll(double points) override {
    if (points == 0) return false;
    return scrollTo(points > 0 ? first_ - std::min<std::size_t>(first_, 1) : first_ + 1);
  }
  bool reveal(std::size_t index) override {
    const std::size_t row = index / inRow_;
    return scrollTo(row < first_ ? row : row >= first_ + rows_ ? row + 1 - rows_ : first_);
  }
  void takeOver(const PlacedView& before) override {
    if (const auto* const cards = dynamic_cast<const PlacedCards*>(&before))
      scrollTo(cards->first_ * cards->inRow_ / inRow_);
  }
  std::size_t inRow() const override { return inRow_; }
  std::optional<ReadableView> read() const override;

 private:
  render::Rect cardBox(std::size_t index) const {
    const double x = box_.min.x + static_cast<double>(index % inRow_) * (width_ + gap_);
    const double y =
        box_.min.y + (static_cast<double>(index / inRow_) - static_cast<double>(first_)) * (height_ + gap_);
    return {{x, y}, {x + width_, y + height_}};
  }
  bool scrollTo(std::size_t row) {
    const std::size_t before = std::exchange(first_, std::min(row, all_ - std::min(all_, rows_)));
    placeControls();
    return first_ != before;
  }
  void placeControls() {
    for (std::size_t i = 0; i < strip_.buttons.size(); ++i)
      strip_.buttons[i].box = cardBox(i);
  }
  Card cardOf(std::size_t index) const { return content_.card(index, {box_, theme_, figure_}); }
  void addCard(std::vector<render::Item>& items, std::size_t index, bool over) const;
  void addTitle(std::vector<render::Item>& items, const Card& card, const render::Rect& inside, double y) const;
  void addLines(std::vector<render::Item>& items, const Card& card, const render::Rect& inside, double y) const;

  CardsContent content_;
  render::Rect box_;
  Theme theme_;
  bool figure_;
  double gap_ = 0, width_ = 0, height_ = 0;
  std::size_t inRow_ = 1, rows_ = 1, all_ = 0;  ///< cards in a row, rows in sight, rows
  std::size_t first_ = 0;                       ///< row in sight
  Strip strip_;
};

void PlacedCards::addCard(std::vector<render::Item>& items, std::size_t index, bool over) const {
  const render::Rect box = cardBox(index);
  const bool chosen = !figure_ && content_.chosen && content_.chosen(index);
  addBox(items, box, theme_.radius, over ? theme_.surfaceRaised : theme_.surface,
         chosen ? theme_.accent : theme_.border);
  if (chosen && !content_.pictureFirst)
    addBox(items, box, theme_.radius, faded(theme_.accent, kChosenGround), theme_.accent);
  const Card shown = cardOf(index);
  const double unit = theme_.textSize, line = kCardLine * static_cast<double>(theme_.smallSize);
  const double pad = (content_.pictureFirst ? 1.25 : 1) * theme_.space;
  const render::Rect inside{{box.min.x + pad, box.min.y + pad}, {box.max.x - pad, box.max.y - pad}};
  if (content_.pictureFirst) {
    const double bottom = box.min.y + kFirstShare * box.height();
    if (shown.picture) shown.picture(items, {{inside.min.x + pad, inside.min.y}, {inside.max.x - pad, bottom}});
    addTitle(items, shown, inside, bottom + pad + 0.6 * unit);
    return addLines(items, shown, inside, bottom + pad + 1.3 * unit + line);
  }
  addTitle(items, shown, inside, inside.min.y + unit / 2);
  // What the lines leave below the title belongs to the picture.
  const double top = inside.min.y + 1.5 * unit, lines = static_cast<double>(shown.lines.size());
  const double bottom = std::max(top + 8, inside.max.y - (shown.picture ? lines * line : inside.height()));
  if (shown.picture) {
    items.emplace_back(pageFill({{inside.min.x, top}, {inside.max.x, bottom}}, theme_.plotBackground));
    shown.picture(items, {{inside.min.x + 3, top + 5}, {inside.max.x - 3, bottom - 5}});
  }
  addLines(items, shown, inside, (shown.picture ? bottom + pad / 2 : top) + line / 2);
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
      put(lineText(one, size, inside.width()), one.role);
      continue;
    }
    const std::vector<std::string> parts = wrapped(lineText(one, size, HUGE_VAL), size, inside.width());
    for (std::size_t i = 0; i < parts.size() && y <= end; ++i) {
      const bool cut = i + 1 < parts.size() && y + line > end;
      put(cut ? elided(parts[i] + " " + parts[i + 1], size, inside.width()) : parts[i], one.role);
    }
  }
  if (!card.foot.empty())
    items.emplace_back(textAt({inside.min.x, inside.max.y - line / 4}, card.foot, size, theme_.text));
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
