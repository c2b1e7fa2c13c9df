// SPDX-License-Identifier: Apache-2.0
// A view of one large button that runs a command.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/canvas/page_draw.h"
#include "ui/views/placed_view.h"
#include "ui/views/strip.h"

namespace sepx::ui {

namespace {

constexpr double kButtonHeight = 2.2, kButtonWidth = 15;  // multiples of the type size
constexpr double kProgress = 4;                           // points

class PlacedButton final : public PlacedView {
 public:
  PlacedButton(const ButtonContent& content, const ViewPlace& place) : content_(content), theme_(place.theme) {
    if (place.figure) return;
    const double unit = theme_.textSize;
    const render::Point at = place.box.min;
    const render::Rect box{at, {at.x + std::min(place.box.width(), kButtonWidth * unit), at.y + kButtonHeight * unit}};
    strip_.buttons = {{.key = content.command,
                       .label = content.label,
                       .box = box,
                       .on = content.enabled,
                       .enabled = content.enabled,
                       .size = theme_.textSize}};
  }
  std::vector<render::Item> items() const override { return drawn(std::nullopt); }
  std::vector<render::Item> tip(const View&, render::Point at, const render::Rect&) const override {
    return strip_.at(at) ? drawn(at) : std::vector<render::Item>();
  }
  const Strip* controls() const override { return &strip_; }
  std::string command(render::Point at) const override { return strip_.at(at) ? content_.command : std::string(); }
  double height() const override { return strip_.buttons.empty() ? 0 : strip_.buttons.front().box.height(); }

 private:
  std::vector<render::Item> drawn(std::optional<render::Point> pointer) const {
    std::vector<render::Item> items;
    addButtons(items, strip_, theme_, pointer);
    if (strip_.buttons.empty() || !(content_.done > 0)) return items;
    render::Rect done = strip_.buttons.front().box;
    done.max.x = done.min.x + std::min(content_.done, 1.0) * done.width();
    done.min.y = done.max.y - kProgress;
    items.emplace_back(pageFill(done, theme_.accent));
    return items;
  }

  ButtonContent content_;
  Theme theme_;
  Strip strip_;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const ButtonContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedButton>(content, place);
}

}  // namespace sepx::ui
