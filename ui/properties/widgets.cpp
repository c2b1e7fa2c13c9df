// SPDX-License-Identifier: Apache-2.0
// Draws a row: the label column, then the control. A number has a slider (or − and + if its range is wide) and an input
// field. Typed text goes through accept() before it is used. Frame thread.
#include "ui/properties/widgets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <imgui/imgui_internal.h>
#include <imgui/imgui_stdlib.h>

#include "engine/core/number.h"
#include "ui/properties/color_text.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/symbols.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kMostSliderSteps = 1e5;  ///< a slider cannot resolve a wider range
constexpr float kEntryShare = 0.42f;      ///< of the control's width

/// The parts of a declaration for the label column and the tooltip.
struct Naming {
  std::string label, symbol;  ///< translated
  std::string help, equation, range;
  std::string whole() const { return symbol.empty() ? label : label.empty() ? symbol : label + "  " + symbol; }
};

void tooltip(const Naming& naming) {
  if (!ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 24);
  panelText(naming.whole(), ImGui::GetFontSize() * 24);
  if (!naming.help.empty()) ImGui::TextUnformatted(plainOfMixed(tr(naming.help)).c_str());
  if (!naming.range.empty()) ImGui::TextUnformatted(naming.range.c_str());
  if (!naming.equation.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(naming.equation.c_str());
    ImGui::PopStyleColor();
  }
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// One line of text in `room` pixels; an ellipsis replaces the end of a longer text.
void drawShortened(const std::string& text, ImVec2 at, float room) {
  if (isDrawnInPieces(text)) return drawTypesetLine(shortened(text, room, typesetLineWidth), at);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  // A font's descenders may reach below the line height that ImGui reports, so the clip rectangle includes the padding
  // below the text.
  const float bottom = at.y + size.y + ImGui::GetStyle().FramePadding.y;
  ImGui::RenderTextEllipsis(ImGui::GetWindowDrawList(), at, {at.x + room, bottom}, at.x + room, at.x + room,
                            text.c_str(), text.c_str() + text.size(), &size);
}

/// Draws label and symbol into the label column. If both do not fit, a short symbol stays complete and the label is
/// shortened, while a long symbol is dropped. The tooltip has the complete text. A label may extend beyond the column
/// into space that the value does not need: up to `most` pixels, in multiples of the row height, so that the values of
/// several long labels are aligned. Leaves the cursor at the control.
void labelColumn(const Naming& naming, const ControlMap& map, bool muted, float most = 0) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float column = map.labelWidth > 0 ? map.labelWidth : ImGui::GetContentRegionAvail().x * 0.4f;
  const float wanted = typesetLineWidth(naming.whole()) + style.ItemInnerSpacing.x, row = ImGui::GetFrameHeight();
  const float width = std::max(column, std::min(column + std::ceil((wanted - column) / row) * row, most));
  const ImVec2 at = ImGui::GetCursorPos();
  const ImVec2 cell{width - style.ItemInnerSpacing.x, row};
  const ImVec2 screen{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + style.FramePadding.y};
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(muted ? ImGuiCol_TextDisabled : ImGuiCol_Text));
  const std::string whole = naming.whole();
  const float symbol = typesetLineWidth(naming.symbol);
  if (typesetLineWidth(whole) <= cell.x) {
    drawShortened(whole, screen, cell.x);
  } else if (symbol > 0 && symbol < 0.3f * cell.x) {
    drawShortened(naming.label, screen, cell.x - symbol - style.ItemInnerSpacing.x);
    drawShortened(naming.symbol, {screen.x + cell.x - symbol, screen.y}, symbol + 1);
  } else {
    drawShortened(naming.label.empty() ? naming.symbol : naming.label, screen, cell.x);
  }
  ImGui::PopStyleColor();
  ImGui::Dummy(cell);
  tooltip(naming);
  ImGui::SameLine();
  ImGui::SetCursorPosX(at.x + width);
}

void refusalLine(const ControlMap& map, const std::string& key) {
  const std::string* const sentence = map.refusal(key);
  if (!sentence) return;
  ImGui::PushStyleColor(ImGuiCol_Text, map.errorColor);
  panelText(*sentence, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
}

/// The distance that a slider keeps from an end that is outside the domain.
double sliderMargin(const Property& property) {
  if (!property.open) return 0;
  const double range = property.max - property.min;
  return std::min(std::pow(10.0, -property.digits), std::isfinite(range) ? range * 1e-3 : 1.0);
}

/// Rounds a number from a slider or step button to a few digits and clamps it to the range.
double tidy(const Property& property, double number) {
  if (property.kind == Kind::Integer) {
    number = std::round(number);
  } else if (property.scale == Scale::Logarithmic && number != 0) {
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(number))) - 2);
    number = std::round(number / unit) * unit;
  } else {
    const double unit = std::pow(10.0, property.digits);
    number = std::round(number * unit) / unit;
  }
  const double margin = sliderMargin(property);
  return std::clamp(number, property.min + margin, property.max - margin);
}

bool hasSlider(const Property& property) {
  if (!std::isfinite(property.min) || !std::isfinite(property.max)) return false;
  if (property.scale == Scale::Logarithmic) return true;
  return (property.max - property.min) <= kMostSliderSteps * (property.step > 0 ? property.step : 1);
}

std::string rangeText(const Property& property) {
  if (property.kind != Kind::Real && property.kind != Kind::Integer) return {};
  if (!hasSlider(property)) return {};
  const char* const open = property.open ? "(" : "[";
  const char* const close = property.open ? ")" : "]";
  return open + formatShortest(property.min) + ", " + formatShortest(property.max) + close +
         (property.unit.empty() ? "" : " " + tr(property.unit));
}

/// The small icon at the end of a row that opens its card. Keeps the cursor below the row.
void explainButton(const std::string& key, ImVec2 at, float size, ControlMap& map) {
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at);
  ImGui::PushID(key.c_str());
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, ImGui::GetStyle().FramePadding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  if (ImGui::Button("##explain", {size, size})) map.requestExplanation(key);
  // An i in a circle, drawn because the interface font has no such character.
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_Text);
  const ImVec2 centre(at.x + size / 2, at.y + size / 2);
  const float radius = 0.42f * ImGui::GetFontSize(), dot = 0.075f * ImGui::GetFontSize();
  list->AddCircle(centre, radius, color, 24, 1);
  list->AddCircleFilled({centre.x, centre.y - 0.5f * radius}, 1.1f * dot, color, 8);
  list->AddRectFilled({centre.x - dot, centre.y - 0.18f * radius}, {centre.x + dot, centre.y + 0.6f * radius}, color);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  map.reportLastItem(key + "#explain");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", tr("Explain this number"));
  ImGui::PopID();
  ImGui::SetCursorScreenPos(after);
}

}  // namespace

/// Draws one control in one frame and collects its event.
struct ControlState {
  const Property& property;
  const Value& value;
  ControlMap& map;
  std::string key;
  ControlEvent event{};

  void change(Value next) {
    event.changed = true;
    event.value = std::move(next);
    map.accept(key);
  }

  /// A refusal refers to the value that was kept, so another value makes it out of date.
  void dropOldRefusal() {
    ControlMap::Entry& entry = map.entries_[key];
    std::string now = toString(value);
    if (now == entry.shownValue) return;
    map.accept(key);
    entry.shownValue = std::move(now);
  }

  /// Whether the label, which is the item before the control, is clicked.
  bool labelClicked() const {
    if (!ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()) || !ImGui::IsWindowHovered())
      return false;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  }

  /// Takes typed text when the user leaves the field or presses Enter.
  void takeTyped(const std::string& text) {
    Result<Value> accepted = accept(property, text, {}, value);
    if (!accepted) return map.refuse(key, accepted.error().message);
    map.accept(key);
    if (*accepted != value) change(*std::move(accepted));
    event.ended = true;
  }

  void drawSlider(float width) {
    double number = std::get<double>(value);
    const double margin = sliderMargin(property);
    const double min = property.min + margin, max = property.max - margin;
    ImGuiSliderFlags flags = ImGuiSliderFlags_NoInput | ImGuiSliderFlags_NoRoundToFormat;
    if (property.scale == Scale::Logarithmic) flags |= ImGuiSliderFlags_Logarithmic;
    ImGui::SetNextItemWidth(width);
    if (ImGui::SliderScalar("##slider", ImGuiDataType_Double, &number, &min, &max, "", flags)) {
      number = tidy(property, number);
      if (number != std::get<double>(value)) change(number);
    }
    map.reportLastItem(key);
    if (ImGui::IsItemDeactivated()) event.ended = true;
  }

  void drawStepButtons(float width) {
    const double number = std::get<double>(value);
    const float each = (width - ImGui::GetStyle().ItemInnerSpacing.x) / 2;
    const ImVec2 first = ImGui::GetCursorScreenPos();
    ImGui::PushButtonRepeat(true);
    for (const auto& [text, sign] : {std::pair("−", -1.0), std::pair("+", 1.0)}) {
      if (sign > 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      if (ImGui::Button(text, {each, 0})) {
        const double next = tidy(property, number + sign * property.step);
        if (next != number) change(next);
      }
      if (ImGui::IsItemDeactivated()) event.ended = true;
    }
    ImGui::PopButtonRepeat();
    map.report(key, first, ImGui::GetItemRectMax());
  }

  /// The input field. A number is displayed as everywhere else, 10⁻⁵, but edited and copied in a form that programs
  /// read, 1e-05.
  void drawEntry(float width) {
    ControlMap::Entry& entry = map.entries_[key];
    if (!entry.editing) {
      entry.before = entryText(width);
      entry.text = shownText(entry.before, width);
    }
    const auto begin = [](ImGuiInputTextCallbackData* data) {
      data->DeleteChars(0, data->BufTextLen);
      data->InsertChars(0, static_cast<const std::string*>(data->UserData)->c_str());
      data->SelectAll();
      return 0;
    };
    ImGui::SetNextItemWidth(width);
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_AutoSelectAll;
    if (!entry.editing && entry.text != entry.before) flags |= ImGuiInputTextFlags_CallbackAlways;
    const bool typed = ImGui::InputText("##entry", &entry.text, flags, begin, &entry.before);
    if (typed && property.eager) change(entry.text);
    map.reportLastItem(key + "#entry");
    entry.editing = ImGui::IsItemActive();
    const bool changed = entry.text != entry.before && entry.text != shownText(entry.before, width);
    if (ImGui::IsItemDeactivatedAfterEdit() && changed) takeTyped(entry.text);
  }

  std::string shownText(const std::string& exact, float width) const {
    if (!std::holds_alternative<double>(value)) return exact;
    const std::string shown = withShownNumbers(exact), groups = grouped(shown);
    return ImGui::CalcTextSize(groups.c_str()).x <= width - 2 * ImGui::GetStyle().FramePadding.x ? groups : shown;
  }

  /// The text of the field: all digits if they fit, otherwise fewer, down to the decimals of the declaration, and
  /// without trailing zeros if these do not fit either: "1e-05". Text that is not edited changes nothing, so the value
  /// behind a shortened number stays exact.
  std::string entryText(float width) const {
    const double* const number = std::get_if<double>(&value);
    if (!number) return property.kind == Kind::Text ? toString(value) : std::string();
    if (property.kind == Kind::Integer && property.choiceLabel) return property.choiceLabel(formatFixed(*number, 0));
    if (property.kind == Kind::Integer) return formatFixed(*number, 0);
    const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
    std::string text = formatFixed(*number, property.digits);
    if (parseNumber(text) == *number) {
      const bool fits = ImGui::CalcTextSize(text.c_str()).x <= room;
      text = withoutZeros(std::move(text));
      const bool small = *number != 0 && ImGui::CalcTextSize(text.c_str()).x <= room;
      return fits || small ? text : toString(value);
    }
    for (int digits = property.digits + 1; digits <= property.digits + 14; ++digits) {
      std::string longer = formatFixed(*number, digits);
      if (ImGui::CalcTextSize(longer.c_str()).x > room) break;
      const bool exact = parseNumber(longer) == *number;
      if (longer.back() != '0' || exact) text = std::move(longer);
      if (exact) break;
    }
    return text;
  }

  /// Removes trailing zeros: "0.002000" becomes "0.002", and "1.000000e-05" becomes "1e-05".
  std::string withoutZeros(std::string text) const {
    constexpr std::size_t kDecimals = 3;  // minimum kept
    if (text.find('e') != std::string::npos) return toString(value);
    const std::size_t dot = text.find('.');
    while (dot != std::string::npos && text.size() > dot + 1 + kDecimals && text.back() == '0')
      text.pop_back();
    return text;
  }

  /// A swatch that opens the colour picker, the colour as text, and a button for no colour.
  void drawColor() {
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const std::string text = toString(value);
    const std::optional<Rgb> chosen = rgbOf(text);
    const std::string clear = tr("none");
    const float none = ImGui::CalcTextSize(clear.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    const float width = ImGui::GetContentRegionAvail().x;
    Rgb color = chosen.value_or(Rgb{0.5f, 0.5f, 0.5f});
    ImGuiColorEditFlags flags = ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel |
                                ImGuiColorEditFlags_NoAlpha | ImGuiColorEditFlags_NoOptions;
    if (!chosen) flags |= ImGuiColorEditFlags_NoTooltip;
    if (ImGui::ColorEdit3("##color", color.data(), flags) && colorText(color) != text) change(colorText(color));
    map.reportLastItem(key);
    if (ImGui::IsItemDeactivatedAfterEdit()) event.ended = true;
    ImGui::SameLine(0, gap);
    drawEntry(std::max(width - ImGui::GetFrameHeight() - none - 2 * gap, ImGui::GetFontSize() * 3));
    ImGui::SameLine(0, gap);
    ImGui::BeginDisabled(text.empty());
    if (ImGui::Button(clear.c_str(), {none, 0})) {
      change(std::string());
      event.ended = true;
    }
    ImGui::EndDisabled();
    map.reportLastItem(key + "#none");
  }

  void drawNumber() {
    const float width = ImGui::GetContentRegionAvail().x;
    const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
    const float entry = std::max(width * kEntryShare, ImGui::GetFontSize() * 4.5f);
    if (std::holds_alternative<double>(value)) {
      if (hasSlider(property)) {
        drawSlider(width - entry - gap);
      } else {
        drawStepButtons(width - entry - gap);
      }
      ImGui::SameLine(0, gap);
    }
    drawEntry(entry);
  }

  void drawToggle() {
    bool on = isTrue(value);
    // Only the border shows the check box, so it is drawn as dark as muted text.
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, ImGui::GetStyle().FrameBorderSize));
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    if (ImGui::Checkbox("##toggle", &on)) {
      change(on);
      event.ended = true;
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    map.reportLastItem(key);
  }

  void drawChoice() {
    const std::vector<std::string> choices = property.liveChoices ? property.liveChoices() : property.choices;
    const auto name = [this](const std::string& choice) {
      return property.choiceLabel ? property.choiceLabel(choice) : choice;
    };
    const std::string chosen = toString(value);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    map.report(key, at, {at.x + width, at.y + ImGui::GetFrameHeight()});
    ImGui::SetNextItemWidth(width);
    const float room = width - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;  // without the arrow
    const std::string shown = shortened(name(chosen), room, typesetLineWidth);
    const bool set = isDrawnInPieces(shown);
    if (ImGui::BeginCombo("##choice", set ? "" : shown.c_str())) {
      for (const std::string& choice : choices) {
        if (typesetSelectable(name(choice), choice, choice == chosen)) {
          if (choice != chosen) change(choice);
          event.ended = true;
        }
        map.reportLastItem(key + "#" + choice);
        if (choice == chosen) ImGui::SetItemDefaultFocus();
      }
      ImGui::EndCombo();
    }
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (set) drawTypesetLine(shown, {at.x + padding.x, at.y + padding.y});
  }
};

ControlEvent drawControl(const Property& property, const Value& value, ControlMap& map, std::string_view key) {
  ControlState state{property, value, map, std::string(key.empty() ? std::string_view(property.key) : key)};
  state.dropOldRefusal();
  ImGui::PushID(state.key.c_str());
  const bool toggle = property.kind == Kind::Toggle;
  labelColumn({tr(property.label), slantedName(property.symbol), property.help, property.equation, rangeText(property)},
              map, false, toggle ? ImGui::GetContentRegionAvail().x - 2 * ImGui::GetFrameHeight() : 0);
  if (!toggle && state.labelClicked()) map.requestExplanation(state.key);
  switch (property.kind) {
    case Kind::Toggle:
      state.drawToggle();
      break;
    case Kind::Integer:
    case Kind::Real:
      state.drawNumber();
      break;
    case Kind::Choice:
      state.drawChoice();
      break;
    case Kind::Text:
      if (property.color) {
        state.drawColor();
        break;
      }
      state.drawEntry(ImGui::GetContentRegionAvail().x);
      map.reportLastItem(state.key);
      break;
  }
  refusalLine(map, state.key);
  ImGui::PopID();
  return std::move(state.event);
}

void drawReadOut(const ReadOut& readOut, const Value& value, ControlMap& map, std::string_view key) {
  const std::string own(key.empty() ? std::string_view(readOut.key) : key);
  const ImVec2 first = ImGui::GetCursorScreenPos();
  const float right = first.x + ImGui::GetContentRegionAvail().x;
  std::string text = formatValue(readOut, value);
  const bool number = std::holds_alternative<double>(value);
  if (number && !readOut.unit.empty()) text += " " + tr(readOut.unit);
  const float button = ImGui::GetFrameHeight();
  labelColumn({tr(readOut.label), slantedName(readOut.symbol), readOut.help, readOut.equation, {}}, map, true,
              right - first.x - button - ImGui::CalcTextSize(text.c_str()).x - ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::AlignTextToFramePadding();
  panelText(text, right - button - ImGui::GetCursorScreenPos().x);
  const ImVec2 last(right - button, ImGui::GetItemRectMax().y);
  map.report(own, first, ImGui::GetItemRectMax());
  // The whole row opens the card; the icon at its end indicates this.
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(first, last)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) map.requestExplanation(own);
  }
  explainButton(own, {right - button, first.y}, button, map);
}

}  // namespace sepx::ui
