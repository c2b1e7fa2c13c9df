// SPDX-License-Identifier: Apache-2.0
// The Workbench and its cards: which key a card is about, in which pane, and where it may stand.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/workbench_impl.h"

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

/// The selected point of a pane in the window, points.
std::optional<render::Point> Workbench::Impl::selectedPlace(int number) {
  Pane& whose = pane(number);
  const std::optional<PlacedList> placed = whose.exhibit().placed();
  const auto selected = placed ? placed->chosen(whose.document()) : std::nullopt;
  if (!selected) return std::nullopt;
  const auto x = numberOf(whose.registry, whose.document(), placed->key(*selected, placed->x));
  const auto y = numberOf(whose.registry, whose.document(), placed->key(*selected, placed->y));
  if (!x || !y) return std::nullopt;
  const auto at = self.toPixels(self.inPane(whose.exhibit().key(), number), {*x, *y});
  if (!at) return std::nullopt;
  return render::Point{at->x / scale, at->y / scale};
}

/// What a person asks about who does not say what: how the selected point ends.
std::string Workbench::Impl::keyToExplain() {
  Pane& whose = active();
  const std::string exhibit = whose.exhibit().key();
  const std::optional<PlacedList> placed = whose.exhibit().placed();
  if (const auto selected = placed ? placed->chosen(whose.document()) : std::nullopt)
    if (const std::string key = placed->key(*selected, placed->question); whose.registry.find(key)) return key;
  for (const ReadOut& readOut : whose.registry.readOuts()) {
    if (readOut.key.starts_with(exhibit + ".") && !readOut.formula.empty() &&
        readOut.key.find("[]") == std::string::npos && (!readOut.applies || readOut.applies(whose.document())))
      return readOut.key;
  }
  return "exhibit";
}

/// Every card there is to see now in the active pane: the numbers in the order of their declaration, those of the
/// selected point among them, then the parameters that have a formula.
std::vector<std::string> Workbench::Impl::keysToExplain() {
  Pane& whose = active();
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
  for (const ReadOut& readOut : whose.registry.readOuts())
    add(readOut);
  for (const Property& property : whose.registry.properties())
    if (!property.formula.empty()) add(property);
  return keys;
}

/// The card after or before the one that is open.
Result<void> Workbench::Impl::turnCard(int step) {
  const std::vector<std::string> keys = keysToExplain();
  if (keys.empty()) return {};
  const auto at = std::find(keys.begin(), keys.end(), card.key());
  const auto count = static_cast<std::ptrdiff_t>(keys.size());
  const std::ptrdiff_t index =
      at == keys.end() ? (step > 0 ? 0 : count - 1) : (at - keys.begin() + step + count) % count;
  return self.explain(self.inPane(keys[static_cast<std::size_t>(index)], activeNumber()));
}

Result<void> Workbench::Impl::runHelp(std::string_view command) {
  if (command == "help.keys") {
    chrome.toggleHelp();
  } else if (command == "help.errata") {
    if (!errataSheet.close()) errataSheet.open();
  } else if (command == "help.explain") {
    if (!card.close()) return self.explain(self.inPane(keyToExplain(), activeNumber()));
  }
  if (command == "help.explain-next") return turnCard(1);
  if (command == "help.explain-previous") return turnCard(-1);
  return {};
}

void Workbench::Impl::drawCards() {
  if (const auto asked = controls.takeAsked()) {
    if (auto done = self.explain(self.inPane(*asked, activeNumber())); !done) say(done.error().sentence);
  }
  bool again = false;
  if (card.isOpen() && card.pane() > shown()) card.close();
  if (card.isOpen() && !startPage.shown()) {
    Pane& whose = pane(card.pane());
    again = card.draw({whose.registry, whose.withWindow(), layout.picture, selectedPlace(card.pane()),
                       canvasOwns.has_value(), *theme, controls});
  }
  again = errataSheet.draw(window, *theme, controls) || again;
  const FormulaInk* const ink = FormulaInk::current();
  if (again || (ink && ink->wanting())) settling = std::max(settling, 2);
}

/// What Esc closes first.
bool Workbench::Impl::dismissCards() {
  return errataSheet.close() || card.close();
}

Result<void> Workbench::explain(std::string_view key) {
  const auto whose = impl_->resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().sentence);
  impl_->settling = kSettlingFrames;
  return impl_->card.open(impl_->pane(whose->pane).registry, whose->key, whose->pane);
}

Result<std::string> Workbench::explanation(std::string_view key) const {
  const auto whose = impl_->resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().sentence);
  const Impl::Pane& pane = impl_->pane(whose->pane);
  return explanationText(pane.registry, pane.withWindow(), whose->key);
}

}  // namespace sepx::ui
