// SPDX-License-Identifier: Apache-2.0
// The content is collected from the declaration, then drawn with ImGui. The card is placed in a corner of the picture
// where it does not cover the selected point, and stays there until the point is dropped under it.
#include "ui/workbench/explain_card.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ui/properties/errata.h"
#include "ui/properties/formula.h"
#include "ui/properties/number_words.h"
#include "ui/properties/panel_text.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/flowing_text.h"
#include "ui/workbench/formula_ink.h"
#include "ui/workbench/imgui_context.h"
#include "ui/workbench/sheet_window.h"

namespace sepx::ui {
namespace {

constexpr float kWidest = 30, kNarrowest = 20;             // type sizes
constexpr float kFormulaSize = 1.18f;                      // of the body type
constexpr const char* kFormulasAt = " · docs/science.md";  // all formulas as they are computed, with their equations

}  // namespace

/// The translated content of a card.
struct ExplainCard::Content {
  std::string title, symbol, value, exact, help, equation, range;
  std::string formula, numbers;  ///< markup
  std::size_t shownDigits = 0;   ///< bytes of the value without its unit
  std::vector<const Erratum*> errata;
};

namespace {

using Content = ExplainCard::Content;

std::vector<const Erratum*> found(const std::vector<std::string>& ids) {
  std::vector<const Erratum*> result;
  for (const std::string& id : ids)
    if (const Erratum* one = findErratum(id)) result.push_back(one);
  return result;
}

std::string rangeOf(const Property& property) {
  if (property.kind != Kind::Real && property.kind != Kind::Integer) return {};
  if (!std::isfinite(property.min) || !std::isfinite(property.max) || property.max - property.min > 1e6) return {};
  return trEither(property.open, "between {} and {}, both excluded", "from {} to {}", formulaNumber(property.min),
                  formulaNumber(property.max));
}

/// `declaration`: a Property or a ReadOut.
template <class Declaration>
Content contentOf(const Declaration& declaration, const Document& document, const Value& value) {
  Content content;
  content.title = declaration.liveLabel ? declaration.liveLabel(document) : tr(declaration.label);
  if (!declaration.liveLabel) content.symbol = declaration.symbol;
  content.value = formatValue(declaration, value);
  if (std::holds_alternative<double>(value)) {
    content.exact = toString(value);
    content.shownDigits = content.value.size();
    if (!declaration.unit.empty()) content.value += " " + tr(declaration.unit);
  }
  content.help = tr(declaration.help);
  if (declaration.applies && !declaration.applies(document)) return content;
  if (declaration.formulaApplies && !declaration.formulaApplies(document)) return content;
  content.equation = declaration.equation;
  content.formula = declaration.formula;
  if (!content.formula.empty() && !content.equation.empty()) content.equation += kFormulasAt;
  content.errata = found(declaration.errata);
  return content;
}

Result<Content> contentOf(const PropertyRegistry& registry, const Document& document, std::string_view key) {
  const std::optional<PropertyRegistry::Found> at = registry.find(key);
  if (!at) return fail(ErrorKind::Usage, std::string(key) + ": " + tr("there is no such key"));
  Content content;
  if (at->property) {
    content = contentOf(*at->property, document, registry.get(document, key));
    content.range = rangeOf(*at->property);
  } else {
    const ReadOut& readOut = *at->readOut;
    content = contentOf(readOut, document, readOut.get(at->index));
    if (!content.formula.empty() && readOut.withNumbers) content.numbers = readOut.withNumbers(at->index);
  }
  return content;
}

/// Title and symbol, and in a split window the number of the pane.
std::string headingOf(const Content& content, const Document& document, int pane) {
  const std::string name = content.symbol.empty() ? content.title : content.title + "  " + content.symbol;
  const Json& panes = document.at("panes.layout");
  const bool split = panes.is_string() && panes.get<std::string>() != "one";
  return split ? trFormat("{} (pane {})", name, pane) : name;
}

std::string plainOf(const std::string& markup) {
  const Result<Formula> formula = Formula::parse(markup);
  return formula ? formula->plainText() : markup;
}

MixedStyle bodyStyle(render::Color color) {
  return mixedStyle(TextStyle::Body, color);
}

/// False while glyphs are not yet in the atlas.
bool drawMarkup(const std::string& markup, double size, double width, render::Color color) {
  const Result<Formula> formula = Formula::parse(markup);
  if (formula) return drawFormula(*formula, size, width, toImU32(color));
  ImGui::TextWrapped("%s", formula.error().message.c_str());
  return true;
}

}  // namespace

Result<std::string> explanationText(const PropertyRegistry& registry, const Document& document, std::string_view key) {
  const Result<Content> made = contentOf(registry, document, key);
  if (!made) return tl::unexpected(made.error());
  std::string text = made->title;
  if (!made->symbol.empty()) text += "  " + made->symbol;
  text += " = " + made->value + "\n";
  if (!made->formula.empty()) text += plainOf(made->formula) + "\n";
  if (!made->numbers.empty()) text += plainOf(made->numbers) + "\n";
  if (!made->help.empty()) text += plainOfMixed(made->help) + "\n";
  if (!made->range.empty()) text += made->range + "\n";
  if (!made->equation.empty()) text += made->equation + "\n";
  for (const Erratum* one : made->errata) {
    text +=
        fmt::format("{}, {}: {} ", kindName(one->kind), plainOfMixed(tr(one->place)), plainOfMixed(tr(one->printed))) +
        kindAnswer(one->kind, plainOfMixed(tr(one->correct))) + " " +
        trFormat("In this program: {}", plainOfMixed(tr(one->consequence))) + "\n";
  }
  return text;
}

ExplainCard::ExplainCard(std::function<void(const std::string&)> copy,
                         std::function<void(const std::string&)> showErrata)
    : copy_(std::move(copy)), showErrata_(std::move(showErrata)) {}

Result<void> ExplainCard::open(const PropertyRegistry& registry, std::string_view key, int pane) {
  if (!registry.find(key)) return fail(ErrorKind::Usage, std::string(key) + ": " + tr("there is no such key"));
  if (!isOpen()) corner_ = -1;
  key_ = std::string(key);
  pane_ = pane;
  size_ = {};
  copied_.reset();
  return {};
}

bool ExplainCard::close() {
  return !std::exchange(key_, {}).empty();
}

/// Chooses a corner of the picture. Keeps the current one as long as the point is not under the card.
void ExplainCard::place(const Frame& frame) {
  const double margin = frame.theme.space;
  const render::Rect& area = frame.area;
  const auto rectAt = [&](int corner) {
    const double x = corner == 0 || corner == 3 ? area.min.x + margin : area.max.x - margin - size_.x;
    const double y = corner < 2 ? area.min.y + margin : area.max.y - margin - size_.y;
    const render::Point min{std::max(area.min.x, x), std::max(area.min.y, y)};
    return render::Rect{min, {min.x + size_.x, min.y + size_.y}};
  };
  const auto covers = [&](int corner) {
    if (!frame.avoid) return false;
    const render::Rect rect = rectAt(corner);
    const double room = frame.theme.handleSize;
    return frame.avoid->x > rect.min.x - room && frame.avoid->x < rect.max.x + room &&
           frame.avoid->y > rect.min.y - room && frame.avoid->y < rect.max.y + room;
  };
  if (corner_ < 0 || (!frame.held && covers(corner_))) {
    corner_ = corner_ < 0 ? 1 : corner_;
    for (const int corner : {1, 2, 3, 0}) {
      if (covers(corner)) continue;
      corner_ = corner;
      break;
    }
  }
  const render::Rect at = rectAt(corner_);
  ImGui::SetNextWindowPos({static_cast<float>(at.min.x), static_cast<float>(at.min.y)});
}

/// Draws the value as it is shown elsewhere, a button that copies all digits, and these digits if they are more than
/// the value shows.
void ExplainCard::drawValue(const Frame& frame, const Content& content) {
  const bool copies = copy_ && !content.exact.empty();
  const char* const words = copied_ == content.exact ? tr("Copied") : tr("Copy");
  const float button = copies ? ImGui::CalcTextSize(words).x + 4 * ImGui::GetStyle().FramePadding.x : 0;
  ImGui::PushFont(textFont(TextStyle::Strong));
  panelText(content.value, ImGui::GetContentRegionAvail().x - button);
  ImGui::PopFont();
  if (copies) {
    ImGui::SameLine();
    if (ImGui::SmallButton(words)) {
      copy_(content.exact);
      copied_ = content.exact;
    }
    frame.controls.reportLastItem("explain.copy");
  }
  const std::string digits = withMinus(content.exact);
  if (digits.size() <= content.shownDigits) return;
  ImGui::PushStyleColor(ImGuiCol_Text, toImVec4(frame.theme.textMuted));
  ImGui::TextUnformatted(digits.c_str());
  ImGui::PopStyleColor();
}

void ExplainCard::drawErrata(const Frame& frame, const Content& content) {
  const Theme& theme = frame.theme;
  const float pad = theme.space;
  for (const Erratum* one : content.errata) {
    ImGui::PushID(one->id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0f, ImGui::GetContentRegionAvail().x);  // at least 1 in a window of almost no size
    ImDrawList* const list = ImGui::GetWindowDrawList();
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({at.x + pad + 3, at.y + pad / 2});
    ImGui::BeginGroup();
    const float inner = std::max(1.0f, width - 2 * pad - 3);
    const bool wrong = one->kind == ErratumKind::Wrong || one->kind == ErratumKind::Misprint;
    const render::Color mark = wrong ? theme.error : theme.accent;
    drawMixed(fmt::format("{} · {}", kindName(one->kind), tr(one->place)), inner, mixedStyle(TextStyle::Strong, mark));
    drawMixed(tr(one->printed), inner, bodyStyle(theme.textMuted));
    drawMixed(tr(one->correct), inner, bodyStyle(theme.text));
    drawMixed(tr(one->consequence), inner, bodyStyle(theme.textMuted));
    ImGui::EndGroup();
    const ImVec2 end{at.x + width, ImGui::GetItemRectMax().y + pad / 2};
    list->ChannelsSetCurrent(0);
    list->AddRectFilled(at, end, ImGui::GetColorU32(ImGuiCol_FrameBg), theme.radius);
    list->AddRectFilled(at, {at.x + 3, end.y}, toImU32(mark));
    list->ChannelsMerge();
    ImGui::SetCursorScreenPos(at);
    if (ImGui::InvisibleButton("##erratum", {width, end.y - at.y}) && showErrata_) showErrata_(one->id);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    frame.controls.reportLastItem(std::string("explain.erratum.") + one->id);
    ImGui::PopID();
  }
}

bool ExplainCard::draw(const Frame& frame) {
  if (!isOpen()) return false;
  const Result<Content> made = contentOf(frame.registry, frame.document, key_);
  if (!made) return close() && false;
  const Content& content = *made;
  const Theme& theme = frame.theme;
  const auto room = static_cast<float>(frame.area.width()) - 2 * theme.space;
  const float width = std::min(room, std::clamp(0.6f * room, kNarrowest * theme.textSize, kWidest * theme.textSize));
  const float tallest = std::max(60.0f, static_cast<float>(frame.area.height()) - 2 * theme.space);
  place(frame);
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, tallest});
  const SheetWindow sheet("##explain", theme,
                          {.flags = ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize});
  bool all = true, closing = false;
  if (sheet) {
    const float inner = width - 2 * ImGui::GetStyle().WindowPadding.x - ImGui::GetStyle().ScrollbarSize * 0.5f;
    const float button = ImGui::GetFrameHeight();
    ImGui::PushFont(textFont(TextStyle::Title));
    panelText(headingOf(content, frame.document, pane_), inner - button);
    ImGui::PopFont();
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + inner - button);
    closing = ImGui::Button("\u00d7##close", {button, button});
    frame.controls.reportLastItem("explain.close");
    drawValue(frame, content);
    double size = theme.textSize * kFormulaSize;  // the same for both, so that they can be compared
    for (const std::string& markup : {content.formula, content.numbers})
      if (const Result<Formula> formula = Formula::parse(markup)) size = fittedSize(*formula, size, inner);
    if (!content.formula.empty()) {
      ImGui::Dummy({0, theme.space / 2});
      all = drawMarkup(content.formula, size, inner, theme.text) && all;
    }
    if (!content.numbers.empty()) {
      ImGui::Dummy({0, theme.space / 2});
      all = drawMarkup(content.numbers, size, inner, theme.accent) && all;
    }
    ImGui::Dummy({0, theme.space / 2});
    if (!content.help.empty()) all = drawMixed(content.help, inner, bodyStyle(theme.text)) && all;
    if (!content.range.empty()) all = drawMixed(content.range, inner, bodyStyle(theme.textMuted)) && all;
    if (!content.equation.empty()) all = drawMixed(content.equation, inner, bodyStyle(theme.textMuted)) && all;
    if (!content.errata.empty()) {
      ImGui::Dummy({0, theme.space / 2});
      drawErrata(frame, content);
    }
    if (ImGui::IsWindowHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Arrow);
  }
  const render::Point before = size_;
  size_ = {ImGui::GetWindowSize().x, ImGui::GetWindowSize().y};
  if (closing) close();
  FormulaInk* const ink = FormulaInk::current();
  return !all || (ink && ink->needsAtlasUpdate()) || before.x != size_.x || before.y != size_.y;
}

}  // namespace sepx::ui
