// SPDX-License-Identifier: Apache-2.0
// A view of sentences.
#include <algorithm>
#include <utility>

#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kTextLine = 1.4, kBetween = 0.4;  // multiples of the type size
constexpr double kBoldWidth = 1.14;                // width of bold type over regular type
constexpr double kWidest = 62;                     // multiple of the type size: longer lines are hard to read

std::string wholeText(const NoteLine& line) {
  std::string text;
  for (const std::string& part : line.parts)
    text += (text.empty() ? "" : " ") + part;
  return text;
}

class PlacedText final : public PlacedView {
 public:
  PlacedText(const TextContent& content, const ViewPlace& place)
      : box_(place.box), scrolls_(content.scrolls), command_(content.command) {
    for (const NoteLine& line : content.lines)
      text_ += (text_.empty() ? "" : " ") + wholeText(line);
    const render::Rect& box = place.box;
    if (content.centred) {
      if (!place.figure && !content.lines.empty())
        addSentence(items_, box, sentenceCase(wholeText(content.lines.front())), place.theme);
      return;
    }
    // Lines that are not wrapped fill the box from its top. Sentences begin lower, like the lines of a page below a
    // title.
    if (content.columns > 0) {
      placeColumns(content, place);
      return;
    }
    double y = box.min.y + (content.oneLine ? 0.5 * kTextLine * place.theme.smallSize : place.theme.textSize);
    for (const NoteLine& line : content.lines) {
      const bool heading = line.role == NoteLine::Role::Heading;
      const bool large = content.large || heading || line.role == NoteLine::Role::Title;
      const float size = large ? place.theme.textSize : place.theme.smallSize;
      const double points = size;
      const std::string text = wholeText(line);
      if (text.empty()) continue;
      const std::vector<std::string> rows = content.oneLine
                                                ? std::vector{lineText(line, points, box.width())}
                                                : wrapped(text, points, std::min(box.width(), kWidest * points));
      if (!content.scrolls && y + kTextLine * points * (static_cast<double>(rows.size()) - 1) > box.max.y) break;
      for (const std::string& row : rows) {
        render::Label label = textAt({box.min.x, y}, row, size, colorOf(line.role, place.theme));
        label.bold = heading;
        items_.emplace_back(std::move(label));
        y += kTextLine * points;
      }
      height_ = y - box.min.y;
      y += kBetween * points;
    }
  }
  /// A text that scrolls shows only whole lines, so that no clipping is needed.
  std::vector<render::Item> items() const override {
    if (mostScroll() <= 0) return items_;
    std::vector<render::Item> shown;
    for (const render::Item& item : items_) {
      render::Label label = std::get<render::Label>(item);
      label.at.y -= scroll_;
      const double half = kTextLine / 2 * static_cast<double>(label.size);
      if (label.at.y - half > box_.min.y - 1 && label.at.y + half < box_.max.y + 1)
        shown.emplace_back(std::move(label));
    }
    return shown;
  }
  bool scroll(double points) override {
    const double before = std::exchange(scroll_, std::clamp(scroll_ - points, 0.0, mostScroll()));
    return scroll_ != before;
  }
  void takeOver(const PlacedView& before) override {
    if (const auto* const text = dynamic_cast<const PlacedText*>(&before)) scroll(-text->scroll_);
  }
  std::optional<ReadableView> read() const override {
    if (text_.empty()) return std::nullopt;
    ReadableView view;
    view.label = text_;
    return view;
  }
  double height() const override { return height_; }
  std::string command(render::Point) const override { return command_; }

 private:
  /// One line each: its first part at the left, the other parts at the same distance from the left in all lines. A
  /// heading has a gap above it.
  void placeColumns(const TextContent& content, const ViewPlace& place) {
    const float size = content.large ? place.theme.textSize : place.theme.smallSize;
    const double points = size, line = kTextLine * points, right = content.columns * points, width = box_.width();
    const auto put = [&](double x, std::string text, const NoteLine& of, render::Color color) {
      render::Label label = textAt({box_.min.x + x, box_.min.y + height_ + line / 2}, std::move(text), size, color);
      label.bold = of.role == NoteLine::Role::Heading;
      items_.emplace_back(std::move(label));
    };
    for (const NoteLine& one : content.lines) {
      if (one.parts.empty()) break;
      const bool heading = one.role == NoteLine::Role::Heading, whole = one.parts.size() == 1;
      if (heading && height_ > 0) height_ += line / 2;
      const std::vector<std::string> rows =
          whole ? wrapped(one.parts.front(), points, heading ? width / kBoldWidth : width)
                : std::vector<std::string>(1);
      const double high = line * static_cast<double>(rows.size());
      if (!content.scrolls && height_ + high > box_.height() + 0.5) break;  // tolerance for rounded boxes
      for (const std::string& row : rows) {
        if (whole) put(0, row, one, colorOf(one.role, place.theme));
        if (!whole) {
          const NoteLine rest{{one.parts.begin() + 1, one.parts.end()}};
          put(0, elided(one.parts.front(), points, right - kBetween * points), one, place.theme.textMuted);
          put(right, lineText(rest, points, width - right), one, colorOf(one.role, place.theme));
        }
        height_ += line;
      }
    }
  }

  double mostScroll() const { return scrolls_ ? std::max(0.0, height_ - box_.height()) : 0; }

  render::Rect box_;
  bool scrolls_;
  std::string command_;
  std::string text_;  ///< the whole text
  std::vector<render::Item> items_;
  double height_ = 0, scroll_ = 0;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const TextContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedText>(content, place);
}

}  // namespace sepx::ui
