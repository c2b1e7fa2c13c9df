// SPDX-License-Identifier: Apache-2.0
// A view of groups of buttons, one button per choice.
#include <algorithm>
#include <optional>

#include "ui/canvas/shapes.h"
#include "ui/properties/control_size.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kButtonPadding = 6, kBetweenButtons = 3, kAfterName = 4;  // points

class PlacedChoices final : public PlacedView {
 public:
  PlacedChoices(const ChoicesContent& content, const ViewPlace& place)
      : box_(place.box), theme_(place.theme), top_(box_.min.y) {
    if (place.figure) return;
    beginRow();
    for (std::size_t i = 0; i < content.groups.size(); ++i)
      add(content.groups, i);
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    addButtons(items, strip_, theme_, std::nullopt);
    return items;
  }
  const Strip* controls() const override { return &strip_; }
  /// Highlights the button under the pointer.
  std::vector<render::Item> tip(const View&, render::Point at, const render::Rect&) const override {
    std::vector<render::Item> items;
    if (const StripButton* const button = strip_.at(at)) addButton(items, *button, theme_, at);
    return items;
  }
  std::optional<Changes> pick(const View&, render::Point at) const override {
    const StripButton* const button = strip_.at(at);
    if (!button || button->act) return std::nullopt;
    return button->value.empty() ? Changes() : Changes{{button->key, button->value}};
  }
  std::string command(render::Point at) const override {
    const StripButton* const button = strip_.at(at);
    return button && button->value.empty() && !button->act ? button->key : std::string();
  }
  std::optional<Target> target(const View&, render::Point at) const override {
    const StripButton* const button = strip_.at(at);
    return button && button->act ? std::optional(Target{static_cast<std::size_t>(button - strip_.buttons.data())})
                                 : std::nullopt;
  }
  bool act(ExhibitContext& context, const Target& on) const override {
    strip_.buttons[on.index].act(context);
    return true;
  }
  double height() const override {
    return strip_.buttons.empty() && strip_.texts.empty() ? 0 : top_ + stripRow(theme_) - box_.min.y;
  }

 private:
  void beginRow() { line_.emplace(strip_, top_, stripRow(theme_), box_.min.x, box_.max.x); }
  void nextRow() {
    top_ += stripRow(theme_);
    beginRow();
  }
  double widthOf(const ChoiceGroup::Choice& choice) const {
    return controlWidth(textWidth(choice.label, theme_.smallSize), kButtonPadding);
  }
  double widthOf(const ChoiceGroup& group) const {
    double width = group.name.empty() ? 0 : textWidth(group.name, theme_.smallSize) + kAfterName;
    for (const ChoiceGroup::Choice& choice : group.choices)
      width += widthOf(choice) + kBetweenButtons;
    return width;
  }
  /// Whether a group is a single button without a name. Such groups side by side have no extra space between them.
  static bool single(const ChoiceGroup& group) { return group.name.empty() && group.choices.size() == 1; }
  double between(const std::vector<ChoiceGroup>& groups, std::size_t index) const {
    const bool together = index + 1 < groups.size() && single(groups[index]) && single(groups[index + 1]);
    return groups[index].right || together ? 0 : 2 * theme_.space;
  }
  void add(const std::vector<ChoiceGroup>& groups, std::size_t index) {
    const ChoiceGroup& group = groups[index];
    if (!strip_.buttons.empty() && line_->room() < widthOf(group)) nextRow();
    if (group.right) {
      double all = 0;  // width with the groups after it that are also at the right
      for (std::size_t i = index; i < groups.size() && groups[i].right; ++i)
        all += widthOf(groups[i]);
      line_->skip(std::max(0.0, line_->room() - all));
    }
    if (!group.name.empty()) {
      line_->text(group.name, theme_.smallSize, theme_.textMuted);
      line_->skip(kAfterName);
    }
    for (const ChoiceGroup::Choice& choice : group.choices) {
      if (line_->room() < widthOf(choice)) nextRow();
      line_->button({.key = choice.act ? choice.control : group.key,
                     .value = choice.value,
                     .label = choice.label,
                     .on = choice.on,
                     .enabled = choice.enabled,
                     .act = choice.act},
                    theme_.smallSize, kButtonPadding);
      line_->skip(kBetweenButtons);
    }
    line_->skip(between(groups, index));
  }

  render::Rect box_;
  Theme theme_;
  double top_ = 0;
  Strip strip_;
  std::optional<StripLine> line_;
};

}  // namespace

std::unique_ptr<PlacedView> placeContent(const ChoicesContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedChoices>(content, place);
}

}  // namespace sepx::ui
