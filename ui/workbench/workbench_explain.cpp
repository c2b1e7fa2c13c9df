// SPDX-License-Identifier: Apache-2.0
// The Workbench and its cards: which key a card is about, in which pane, and where it may stand.
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
  const std::string exhibit = whose.exhibit().key();
  const auto selected = numberOf(whose.registry, whose.document(), exhibit + ".selected");
  if (!selected || *selected < 0) return std::nullopt;
  const std::string point = fmt::format("{}.points[{:.0f}].", exhibit, *selected);
  const auto x = numberOf(whose.registry, whose.document(), point + "e");
  const auto y = numberOf(whose.registry, whose.document(), point + "w");
  if (!x || !y) return std::nullopt;
  const auto at = self.toPixels(self.inPane(exhibit, number), {*x, *y});
  if (!at) return std::nullopt;
  return render::Point{at->x / scale, at->y / scale};
}

/// What a person asks about who does not say what: how the selected point ends.
std::string Workbench::Impl::keyToExplain() {
  Pane& whose = active();
  const std::string exhibit = whose.exhibit().key();
  const auto selected = numberOf(whose.registry, whose.document(), exhibit + ".selected");
  const std::string point = fmt::format("{}.points[{:.0f}].limit.kind", exhibit, selected.value_or(-1));
  if (selected && *selected >= 0 && whose.registry.find(point)) return point;
  for (const ReadOut& readOut : whose.registry.readOuts()) {
    if (readOut.key.starts_with(exhibit + ".") && !readOut.formula.empty() &&
        readOut.key.find("[]") == std::string::npos && (!readOut.applies || readOut.applies(whose.document())))
      return readOut.key;
  }
  return "exhibit";
}

Result<void> Workbench::Impl::runHelp(std::string_view command) {
  if (command == "help.keys") {
    chrome.toggleHelp();
  } else if (command == "help.errata") {
    if (!errataSheet.close()) errataSheet.open();
  } else if (command == "help.explain") {
    if (!card.close()) return self.explain(self.inPane(keyToExplain(), activeNumber()));
  }
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
