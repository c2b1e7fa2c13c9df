// SPDX-License-Identifier: Apache-2.0
// Chooses the key that a card explains, and steps from one card to the next.
#include "ui/workbench/cards.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/figure.h"
#include "ui/workbench/formula_ink.h"

namespace sepx::ui {
namespace {

std::optional<double> numberOf(const PropertyRegistry& registry, const Document& document, const std::string& key) {
  const auto found = registry.find(key);
  if (!found || !found->property) return std::nullopt;
  const Value value = registry.get(document, key);
  const double* const number = std::get_if<double>(&value);
  return number ? std::optional<double>(*number) : std::nullopt;
}

}  // namespace

Cards::Cards(WindowState& window, Panes& panes)
    : window_(window),
      panes_(panes),
      card_(window.options.copy ? [&window](const std::string& text) { window.options.copy(Clip{text, {}, {}}); }
                                : std::function<void(const std::string&)>(),
            [this](const std::string& id) { errata_.open(id); }) {}

/// The selected point of a pane in the window, points.
std::optional<render::Point> Cards::selectedPlace(int number) {
  Pane& whose = panes_.at(number);
  const PropertyRegistry& registry = whose.properties();
  const std::optional<PlacedList> placed = whose.exhibit().placed();
  const auto selected = placed ? placed->chosen(whose.document()) : std::nullopt;
  if (!selected) return std::nullopt;
  const auto x = numberOf(registry, whose.document(), placed->key(*selected, placed->x));
  const auto y = numberOf(registry, whose.document(), placed->key(*selected, placed->y));
  return x && y ? panes_.toWindow(keyInPane(whose.exhibit().key(), number), {*x, *y}) : std::nullopt;
}

/// The area for a card: the picture below the tabs and titles, from where the plot of the pane begins.
render::Rect Cards::belowTabs(int number) {
  constexpr double kMost = 0.25;  // of the picture
  render::Rect area = window_.layout.picture;
  const auto index = static_cast<std::size_t>(number) - 1;
  const render::Scene* const scene = panes_.at(number).scene();
  if (!scene || index >= panes_.places().size()) return area;
  const double top = panes_.places()[index].picture.min.y + scene->plot.min.y;
  area.min.y = std::clamp(top, area.min.y, area.min.y + kMost * std::max(0.0, area.height()));
  return area;
}

/// The key to explain when the user named none: the final outcome of the selected point, otherwise the first read-out
/// with a formula, otherwise "exhibit".
std::string Cards::keyToExplain() {
  Pane& whose = panes_.active();
  const std::string exhibit = whose.exhibit().key();
  const std::optional<PlacedList> placed = whose.exhibit().placed();
  if (const auto selected = placed ? placed->chosen(whose.document()) : std::nullopt)
    if (const std::string key = placed->key(*selected, placed->question); whose.properties().find(key)) return key;
  for (const ReadOut& readOut : whose.properties().readOuts()) {
    if (readOut.key.starts_with(exhibit + ".") && !readOut.formula.empty() &&
        readOut.key.find("[]") == std::string::npos && (!readOut.applies || readOut.applies(whose.document())))
      return readOut.key;
  }
  return "exhibit";
}

/// The keys of all cards that the active pane can show now: the read-outs in the order of their declaration, including
/// those of the selected point, then the parameters that have a formula.
std::vector<std::string> Cards::keysToExplain() {
  Pane& whose = panes_.active();
  const std::string exhibit = whose.exhibit().key() + ".";
  const std::optional<PlacedList> placed = whose.exhibit().placed();
  const auto selected = placed ? placed->chosen(whose.document()) : std::nullopt;
  std::vector<std::string> keys;
  const auto add = [&](const auto& declared) {
    if (!declared.key.starts_with(exhibit) || (declared.applies && !declared.applies(whose.document()))) return;
    std::string key = declared.key;
    if (const auto list = key.find("[]"); list != std::string::npos) {
      if (!selected) return;
      key.replace(list, 2, fmt::format("[{}]", *selected));
    }
    keys.push_back(std::move(key));
  };
  for (const ReadOut& readOut : whose.properties().readOuts())
    add(readOut);
  for (const Property& property : whose.properties().properties())
    if (!property.formula.empty()) add(property);
  return keys;
}

/// Opens the card `step` places after the open one, cyclically.
Result<void> Cards::turn(int step) {
  const std::vector<std::string> keys = keysToExplain();
  if (keys.empty()) return {};
  const auto at = std::find(keys.begin(), keys.end(), card_.key());
  const auto count = static_cast<std::ptrdiff_t>(keys.size());
  const std::ptrdiff_t index =
      at == keys.end() ? (step > 0 ? 0 : count - 1) : (at - keys.begin() + step + count) % count;
  return explain(keyInPane(keys[static_cast<std::size_t>(index)], panes_.activeNumber()));
}

void Cards::addCommands(Commands& to, bool numbersShown) {
  const char* const kHelp = tr("Help");
  to.add({"help.explain", tr("Explain this number"), "F2", kHelp, numbersShown, card_.isOpen()},
         [this] { return card_.close() ? Result<void>() : explain(keyInPane(keyToExplain(), panes_.activeNumber())); });
  to.add({"help.explain-next", tr("Explain the next number"), "F3", kHelp, numbersShown}, [this] { return turn(1); });
  to.add({"help.explain-previous", tr("Explain the previous number"), "Shift+F3", kHelp, numbersShown},
         [this] { return turn(-1); });
  to.add({"help.errata", tr("Errata and remarks"), "Shift+F2", kHelp, true, errata_.isOpen()}, [this] {
    if (!errata_.close()) errata_.open();
  });
}

void Cards::draw(bool numbersShown, bool held) {
  if (const auto asked = window_.controls.takeExplanationRequest()) {
    if (auto done = explain(keyInPane(*asked, panes_.activeNumber())); !done) window_.error(done.error().message);
  }
  bool again = false;
  if (card_.isOpen() && card_.pane() > panes_.shown()) card_.close();
  if (card_.isOpen() && numbersShown) {
    Pane& whose = panes_.at(card_.pane());
    again = card_.draw({whose.properties(), whose.withWindow(), belowTabs(card_.pane()), selectedPlace(card_.pane()),
                        held, *window_.theme, window_.controls});
  }
  again = errata_.draw(window_.size, *window_.theme, window_.controls) || again;
  const FormulaInk* const ink = FormulaInk::current();
  if (again || (ink && ink->needsAtlasUpdate())) window_.redraw(2);
}

Result<void> Cards::explain(std::string_view key) {
  const auto whose = panes_.resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().message);
  window_.redraw();
  return card_.open(panes_.at(whose->pane).properties(), whose->key, whose->pane);
}

Result<std::string> Cards::explanation(std::string_view key) {
  const auto whose = panes_.resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().message);
  const Pane& pane = panes_.at(whose->pane);
  return explanationText(pane.properties(), pane.withWindow(), whose->key);
}

}  // namespace sepx::ui
