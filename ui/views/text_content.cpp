// SPDX-License-Identifier: Apache-2.0
// Sentences as a view.
#include <algorithm>
#include <utility>

#include "ui/canvas/fitting.h"
#include "ui/canvas/page_draw.h"
#include "ui/canvas/shapes.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kTextLine = 1.4, kBetween = 0.4;  // of the size of the type
constexpr double kWidest = 62;                     // of the size of the type: longer lines are hard to read

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
    // A line of its own stands in its box, sentences below a title begin as lines of a page do.
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
  /// Of a text that scrolls whole lines alone: nothing has to be cut.
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
  /// A line each: what it is called, and the rest of it at one place for all.
  void placeColumns(const TextContent& content, const ViewPlace& place) {
    const float size = place.theme.smallSize;
    const double line = kTextLine * static_cast<double>(size), right = content.columns * static_cast<double>(size);
    for (const NoteLine& one : content.lines) {
      if (height_ + line > place.box.height() + 0.5 || one.parts.empty()) break;  // boxes are rounded
      const render::Point at{place.box.min.x, place.box.min.y + height_ + line / 2};
      if (one.parts.size() == 1) {
        for (std::string& row : wrapped(one.parts.front(), size, place.box.width())) {
          items_.emplace_back(textAt({at.x, place.box.min.y + height_ + line / 2}, std::move(row), size,
                                     colorOf(one.role, place.theme)));
          height_ += line;
        }
        continue;
      }
      const NoteLine rest{{one.parts.begin() + 1, one.parts.end()}};
      items_.emplace_back(textAt(at, elided(one.parts.front(), size, right), size, place.theme.textMuted));
      items_.emplace_back(textAt({at.x + right, at.y}, lineText(rest, size, place.box.width() - right), size,
                                 colorOf(one.role, place.theme)));
      height_ += line;
    }
  }

  double mostScroll() const { return scrolls_ ? std::max(0.0, height_ - box_.height()) : 0; }

  render::Rect box_;
  bool scrolls_;
  std::string command_;
  std::string text_;  ///< all of it
  std::vector<render::Item> items_;
  double height_ = 0, scroll_ = 0;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const TextContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedText>(content, place);
}

}  // namespace sepx::ui
