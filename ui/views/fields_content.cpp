// SPDX-License-Identifier: Apache-2.0
// A view of parameters: rows of label and control. The controls are those of the panel; ImGui draws them over the
// active pane. Below them are labels and values as text, which is all that a figure shows.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <imgui/imgui.h>

#include "engine/render/font.h"

#include "ui/properties/control_size.h"
#include "ui/properties/formula.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/properties/widgets.h"
#include "ui/views/placed_view.h"

namespace sepx::ui {

namespace {

constexpr double kWidestRow = 52;                       // multiple of the type size
constexpr double kLeastLabel = 0.3, kMostLabel = 0.55;  // shares of a row; between them: as wide as the longest label
constexpr double kBackWidth = 9;                        // type sizes: the button that restores a value
constexpr double kNarrowBack = 7, kNarrow = 34;         // type sizes: the same in a row narrower than kNarrow
constexpr double kLeastControl = 11;                    // multiple of the type size
constexpr double kRoomForHelp = 58;    // type sizes: least width of one column with help texts behind the fields
constexpr double kBesideHelp = 34;     // type sizes: width of label and control there
constexpr double kRoomForBack = 26;    // type sizes: narrower rows of several columns have no such button
constexpr double kChangedBar = 3;      // points, of the mark of a changed row
constexpr float kLitStrength = 0.16f;  // alpha of the accent colour behind a highlighted row

class PlacedFields final : public PlacedView {
 public:
  PlacedFields(const FieldsContent& content, const ViewPlace& place)
      : content_(content), box_(place.box), theme_(place.theme) {
    const double unit = theme_.textSize, room = box_.width();
    if (content_.columns > 0)
      columns_ = std::clamp<std::size_t>(static_cast<std::size_t>(room / (content_.columns * unit)), 1,
                                         std::max<std::size_t>(content_.rows.size(), 1));
    width_ = std::min(room / static_cast<double>(columns_), kWidestRow * unit);
    helps_ = content_.columns <= 0 && room >= kRoomForHelp * unit;
    if (helps_) width_ = (kBesideHelp + kBackWidth) * unit;
    for (const FieldRow& row : content_.rows)
      label_ = std::max(label_, textWidth(row.label, unit) + 2 * theme_.space);
    // A narrow column has the button only if the labels are not cut beside it.
    const double back = (width_ < kNarrow * unit ? kNarrowBack : kBackWidth) * unit;
    if (width_ >= kRoomForBack * unit || (columns_ == 1 && label_ + kLeastControl * unit + back <= width_))
      back_ = back;
    const double cell = width_ - back_;
    const double most = std::min(kMostLabel * cell, cell - kLeastControl * unit);
    label_ = std::clamp(label_, kLeastLabel * cell, std::max(most, kLeastLabel * cell));
  }

  std::vector<render::Item> items() const override {
    std::vector<render::Item> items;
    for (std::size_t i = 0; i < content_.rows.size(); ++i) {
      const render::Rect row = rowBox(i);
      if (row.max.y > box_.max.y + 1) break;
      addRow(items, content_.rows[i], row);
    }
    return items;
  }
  void drawControls(ExhibitContext& context, const std::string& name) override;
  double height() const override {
    if (content_.rows.empty()) return 0;
    return rowBox(content_.rows.size() - 1).max.y - box_.min.y + 1;
  }
  /// The control of a row; its label is not a target.
  std::optional<Target> target(const View&, render::Point at) const override {
    for (std::size_t i = 0; i < content_.rows.size(); ++i)
      if (controlBox(i).contains(at) && box_.contains(at)) return Target{i};
    return std::nullopt;
  }
  /// Flips a toggle, sets a choice to its next value, and gives the keyboard focus to any other control.
  bool act(ExhibitContext& context, const Target& on) const override {
    const std::string& key = content_.rows[on.index].key;
    const auto found = context.editor.properties().find(key);
    if (!found || !found->property) return true;
    const Property& property = *found->property;
    const Value now = context.editor.properties().get(context.editor.document(), key);
    if (property.kind == Kind::Toggle) {
      setAsStep(context.editor, key, !isTrue(now));
    } else if (property.kind == Kind::Choice) {
      const std::vector<std::string> choices = property.liveChoices ? property.liveChoices() : property.choices;
      const auto at = std::find(choices.begin(), choices.end(), toString(now));
      if (choices.empty()) return true;
      setAsStep(context.editor, key, at == choices.end() || at + 1 == choices.end() ? choices.front() : at[1]);
    } else {
      typed_ = key;
    }
    return true;
  }
  void takeOver(const PlacedView& before) override {
    const auto* const fields = dynamic_cast<const PlacedFields*>(&before);
    if (!fields) return;
    typed_ = fields->typed_;
    const bool same = std::ranges::equal(content_.rows, fields->content_.rows, {}, &FieldRow::key, &FieldRow::key);
    fromTop_ = !same || fields->fromTop_;
    if (same) drawn_ = fields->drawn_;
    wanted_ = highlighted() == fields->highlighted() && same ? fields->wanted_ : highlighted();
  }
  std::optional<ReadableView> read() const override {
    ReadableView view;
    view.role = ReadableView::Role::Table;
    view.label = tr("Fields");
    view.description = trFormat("{} fields; Enter changes the current one", content_.rows.size());
    view.rows = content_.rows.size();
    view.cells = [](std::size_t) { return std::size_t{1}; };
    view.text = [this](std::size_t row, std::size_t) { return words(content_.rows[row]); };
    view.place = [this](std::size_t row, std::size_t) -> std::optional<render::Point> {
      const render::Rect at = controlBox(row);
      const render::Point middle{(at.min.x + at.max.x) / 2, (at.min.y + at.max.y) / 2};
      return box_.contains(middle) ? std::optional(middle) : std::nullopt;
    };
    view.at = [place = view.place, rows = view.rows](render::Point data) -> std::optional<render::Point> {
      if (data.y < 0 || data.y >= static_cast<double>(rows)) return std::nullopt;
      return place(static_cast<std::size_t>(data.y), 0);
    };
    return view;
  }

 private:
  static std::string words(const FieldRow& row) {
    std::string text = row.label + ": " + row.value;
    if (row.before) text += ", " + trFormat("was {}", row.before->words);
    return row.heading.empty() ? text : row.heading + ". " + text;
  }
  /// As in ImGui: a line of type with the padding of its frame, and the padding of table cells between rows.
  double rowHeight() const {
    const double line = std::round(theme_.textSize * (render::kAscent + render::kDescent));
    return std::max(line + theme_.space, kLeastControl) + 0.75 * theme_.space;
  }
  double headingHeight() const { return rowHeight() - theme_.space; }
  std::string highlighted() const {
    const auto found = std::ranges::find_if(content_.rows, &FieldRow::highlighted);
    return found == content_.rows.end() ? std::string() : found->key;
  }
  render::Rect rowBox(std::size_t index) const {
    double y = box_.min.y + static_cast<double>(index / columns_) * rowHeight();
    for (std::size_t i = 0; i <= index; ++i)
      if (!content_.rows[i].heading.empty()) y += headingHeight();
    const double x = box_.min.x + static_cast<double>(index % columns_) * width_;
    return {{x, y}, {x + width_, y + rowHeight()}};
  }
  /// Where ImGui drew it last, else where it lies in the picture.
  render::Rect controlBox(std::size_t index) const {
    if (index < drawn_.size()) return drawn_[index];
    render::Rect row = rowBox(index);
    row.min.x += label_;
    row.max.x -= back_;
    return row;
  }
  void addRow(std::vector<render::Item>& items, const FieldRow& row, const render::Rect& at) const;
  void drawRow(ExhibitContext& context, PagePanel& panel, const FieldRow& row);
  void drawBack(ExhibitContext& context, const FieldRow& row) const;
  void drawTable(ExhibitContext& context);
  void scrollIntoView(float scale) const;
  /// Colours the background of a cell if its row is highlighted.
  void light(const FieldRow& row) const {
    const auto [r, g, b, a] = faded(theme_.accent, kLitStrength);
    if (row.highlighted) ImGui::TableSetBgColor(ImGuiTableBgTarget_CellBg, ImGui::GetColorU32(ImVec4(r, g, b, a)));
  }
  void drawHelp(ExhibitContext& context, const FieldRow& row) const;

  FieldsContent content_;
  render::Rect box_;
  Theme theme_;
  std::size_t columns_ = 1;
  double width_ = 0, back_ = 0;         ///< of a row, and of the button in it that restores a value
  double label_ = 0;                    ///< width of the labels
  bool helps_ = false;                  ///< the help text of a field is behind it
  std::vector<render::Rect> drawn_;     ///< boxes of the controls, page coordinates; also of those out of sight
  std::string wanted_ = highlighted();  ///< key of the first highlighted row, until it was scrolled to
  bool fromTop_ = true;                 ///< the rows have changed: the first one must be in sight
  mutable std::string typed_;           ///< key of the row whose control gets the keyboard focus
};

void PlacedFields::addRow(std::vector<render::Item>& items, const FieldRow& row, const render::Rect& at) const {
  const double middle = (at.min.y + at.max.y) / 2, pad = theme_.space;
  const float size = theme_.textSize;
  if (!row.heading.empty()) {
    render::Label heading =
        textAt({at.min.x + pad, at.min.y - headingHeight() / 2}, row.heading, theme_.smallSize, theme_.textMuted);
    heading.bold = true;
    items.emplace_back(std::move(heading));
  }
  if (row.highlighted) items.emplace_back(pageFill(at, faded(theme_.accent, kLitStrength)));
  if (row.before)
    items.emplace_back(pageFill({{at.min.x, at.min.y + 2}, {at.min.x + kChangedBar, at.max.y - 2}}, theme_.accent));
  const double label = label_ - pad, value = at.width() - back_ - label - 3 * pad;
  items.emplace_back(textAt({at.min.x + pad, middle}, elided(row.label, size, label - pad), size, theme_.text));
  items.emplace_back(
      textAt({at.min.x + label + 2 * pad, middle}, elided(row.value, size, value), size, theme_.textMuted));
  if (row.before && back_ > 0)
    items.emplace_back(textAt({at.max.x - back_ + pad, middle},
                              elided(trFormat("was {}", row.before->words), theme_.smallSize, back_ - 2 * pad),
                              theme_.smallSize, theme_.textMuted));
}

void PlacedFields::drawBack(ExhibitContext& context, const FieldRow& row) const {
  if (!row.before) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const double room = width - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string words = trFormat("was {}", row.before->words);
  const std::string text = elided(words, theme_.textSize, room / context.uiScale);
  if (ImGui::Button((text + "##back").c_str(), {width, 0})) setAsStep(context.editor, row.key, row.before->value);
  context.controls->reportLastItem(row.key + "#back");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", trFormat("Restore {}", row.before->words).c_str());
}

void PlacedFields::drawRow(ExhibitContext& context, PagePanel& panel, const FieldRow& row) {
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto tone = [](render::Color color) { return ImGui::GetColorU32(ImVec4(color.r, color.g, color.b, color.a)); };
  light(row);
  if (row.before) {
    const float x = at.x - ImGui::GetStyle().CellPadding.x, bar = static_cast<float>(kChangedBar) * context.uiScale;
    ImGui::GetWindowDrawList()->AddRectFilled({x, at.y}, {x + bar, at.y + ImGui::GetFrameHeight()},
                                              tone(theme_.accent));
  }
  if (typed_ == row.key) {
    ImGui::SetKeyboardFocusHere();
    typed_.clear();
  }
  panel.row(row.key);
  const auto control = context.controls->find(row.key);
  const auto page = [&context](ImVec2 point) {
    return render::Point{point.x / context.uiScale - context.area.min.x,
                         point.y / context.uiScale - context.area.min.y};
  };
  drawn_.push_back(control ? render::Rect{page(control->min), page(control->max)} : render::Rect{});
  if (back_ <= 0) return;
  ImGui::TableNextColumn();
  light(row);
  ImGui::PushID(row.key.c_str());
  drawBack(context, row);
  ImGui::PopID();
  if (helps_) drawHelp(context, row);
}

/// The sentences that fit, else the first words; the tooltip of the label has the whole text.
std::string shortHelp(const std::string& help, double size, double room) {
  if (textWidth(help, size) <= room) return help;
  for (std::size_t end = help.rfind(". "); end != std::string::npos && end > 0; end = help.rfind(". ", end - 1))
    if (std::string shorter = help.substr(0, end + 1); textWidth(shorter, size) <= room) return shorter;
  return elided(help, size, room);
}

void PlacedFields::drawHelp(ExhibitContext& context, const FieldRow& row) const {
  ImGui::TableNextColumn();
  light(row);
  const auto found = context.editor.properties().find(row.key);
  if (!found || !found->property) return;
  const std::string help = plainOfMixed(tr(found->property->help));
  const double room = ImGui::GetContentRegionAvail().x / context.uiScale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  drawTypesetLine(shortHelp(help, theme_.textSize, room), {at.x, at.y + ImGui::GetStyle().FramePadding.y});
  ImGui::PopStyleColor();
  ImGui::Dummy({1, ImGui::GetFrameHeight()});
}

void PlacedFields::drawTable(ExhibitContext& context) {
  const auto unit = [&context](double points) { return static_cast<float>(points) * context.uiScale; };
  PagePanel panel(context);
  const int cells = static_cast<int>(columns_) * (back_ > 0 ? 2 : 1) + (helps_ ? 1 : 0);
  const float all = ImGui::GetContentRegionAvail().x;
  const float room = helps_ ? all : std::min(unit(width_) * static_cast<float>(columns_), all);
  if (!ImGui::BeginTable("##rows", cells, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_PadOuterX, {room, 0}))
    return;
  for (std::size_t i = 0; i < columns_; ++i) {
    if (helps_)
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, unit(width_ - back_ - 2 * theme_.space));
    else
      ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
    if (back_ > 0) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, unit(back_ - 2 * theme_.space));
  }
  if (helps_) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  const float labels = std::exchange(context.controls->labelWidth, unit(label_));
  for (const FieldRow& row : content_.rows) {
    if (!row.heading.empty()) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      const render::Color muted = theme_.textMuted;
      ImGui::TextColored({muted.r, muted.g, muted.b, muted.a}, "%s", row.heading.c_str());
      ImGui::TableNextRow();
    }
    drawRow(context, panel, row);
  }
  context.controls->labelWidth = labels;
  ImGui::EndTable();
}

/// Scrolls to the highlighted rows, as many of the first ones as fit together.
void PlacedFields::scrollIntoView(float scale) const {
  std::optional<render::Rect> all;
  for (std::size_t i = 0; i < content_.rows.size(); ++i) {
    if (!content_.rows[i].highlighted) continue;
    const render::Rect row = rowBox(i);
    if (all && row.max.y - all->min.y > box_.height()) break;
    all = all ? render::Rect{all->min, row.max} : row;
  }
  if (!all) return;
  const double from = all->min.y - box_.min.y, to = all->max.y - box_.min.y;
  const double now = ImGui::GetScrollY() / scale, least = to - box_.height();
  if (now > from || now < least) ImGui::SetScrollY(static_cast<float>((from + least) / 2) * scale);
}

void PlacedFields::drawControls(ExhibitContext& context, const std::string& name) {
  if (content_.rows.empty() || !context.controls) return;
  const auto unit = [&context](double points) { return static_cast<float>(points) * context.uiScale; };
  drawn_.clear();
  ImGui::SetNextWindowPos({unit(context.area.min.x + box_.min.x), unit(context.area.min.y + box_.min.y)});
  ImGui::SetNextWindowSize({unit(box_.width()), unit(box_.height())});
  const render::Color ground = theme_.plotBackground;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, {ground.r, ground.g, ground.b, ground.a});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {unit(theme_.space), unit(0.375 * theme_.space)});
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;
  ImGui::Begin(("##" + name).c_str(), nullptr, kFlags);
  if (std::exchange(fromTop_, false)) ImGui::SetScrollY(0);
  if (!std::exchange(wanted_, {}).empty()) scrollIntoView(context.uiScale);
  drawTable(context);
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace

std::optional<FieldRow> fieldRow(const PropertyRegistry& registry, const Document& document, const std::string& key) {
  const auto found = registry.find(key);
  if (!found || !found->property) return std::nullopt;
  const Property& property = *found->property;
  if (property.applies && !property.applies(document)) return std::nullopt;
  std::string value = formatValue(property, registry.get(document, key));
  if (!property.unit.empty()) value += " " + tr(property.unit);
  return FieldRow{.key = key, .label = nameOf(property, document), .value = std::move(value)};
}

std::unique_ptr<PlacedView> placeContent(const FieldsContent& content, const ViewPlace& place) {
  return std::make_unique<PlacedFields>(content, place);
}

}  // namespace sepx::ui
