// SPDX-License-Identifier: Apache-2.0
// A pane updates its own view of the document when the document has changed. Its revision grows only when something in
// the pane has changed.
#include "ui/workbench/pane.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ui/exhibits/exhibits.h"
#include "ui/page/page_key.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"
#include "ui/workbench/window_properties.h"

namespace sepx::ui {

Pane::Pane(WindowState& window, int number, const std::function<void(PropertyRegistry&)>& declareWindow)
    : window_(window), number_(number), exhibits_(makeExhibits()) {
  std::vector<std::string> keys;
  for (const auto& one : exhibits_)
    keys.push_back(one->key());
  registry_.declare(Property{.key = "exhibit",
                             .label = N_("Exhibit"),
                             .choices = std::move(keys),
                             .help = N_("Which system is shown."),
                             .choiceLabel = [this](const std::string& key) {
                               for (const auto& one : exhibits_) {
                                 if (one->key() == key) return one->name();
                               }
                               return key;
                             }});
  for (const auto& one : exhibits_)
    one->declare(registry_);
  declareWindow(registry_);
}

void Pane::refresh() const {
  const History& history = window_.history;
  if (seen_ == history.revision()) return;
  seen_ = history.revision();
  const Document& present = history.present();
  Document own = present.pane(number_);
  const bool changed = revision_ == 0 || !own.sharesAll(document_);
  if (changed) {
    document_ = std::move(own);
    ++revision_;
  }
  withWindow_ = present.has("panes") ? document_.with("panes", present.at("panes")) : document_;
}

const Document& Pane::document() const {
  refresh();
  return document_;
}

const Document& Pane::withWindow() const {
  refresh();
  return withWindow_;
}

std::uint64_t Pane::revision() const {
  refresh();
  return revision_;
}

Result<void> Pane::set(std::string_view key, const Value& value, std::string group) {
  auto next = registry_.set(document(), key, value);
  if (!next) return tl::unexpected(next.error());
  const auto found = registry_.find(key);
  if (found && found->property && found->property->undoable) {
    commit(std::move(*next), tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
  } else {
    replace(std::move(*next));
  }
  return {};
}

void Pane::commit(Document next, std::string label, std::string group) {
  if (window_.options.follows) return;  // only the other window changes the document
  History& history = window_.history;
  if (paneCount(history.present()) > 1) label = trFormat("{} in pane {}", label, number_);
  if (!group.empty() && number_ > 1) group += fmt::format("@{}", number_);
  history.commit(history.present().withPane(number_, next), std::move(label), std::move(group));
}

void Pane::replace(Document next) {
  if (window_.options.follows) return;
  Document whole = window_.history.present().withPane(number_, next);
  const bool linked = paneCount(whole) > 1 && whole.at("panes.linked") == true;
  window_.history.replace(linked ? withLinkedCameras(std::move(whole), number_, registry_, exhibit().viewSection())
                                 : std::move(whole));
}

Exhibit& Pane::exhibit() const {
  const std::string key = registry_.text(document(), "exhibit");
  const auto named =
      std::find_if(exhibits_.begin(), exhibits_.end(), [&key](const auto& one) { return one->key() == key; });
  return named == exhibits_.end() ? *exhibits_.front() : **named;
}

std::string Pane::view() const {
  const std::string key = exhibit().key();
  const Json& page = document().at(pageKey(key));
  return page.is_string() ? key + " " + page.get_ref<const std::string&>() : key;
}

void Pane::update(ExhibitContext& context) {
  cursor_ = exhibit().input(context, std::exchange(canvas_, {}));
  exhibit().update(context);
}

bool Pane::playing() const {
  return exhibit().playing().value_or(false);
}

bool Pane::complete() const {
  return scene_ && !exhibit().animating() && exhibit().complete() && !playing();
}

void Pane::hide() {
  if (std::exchange(scene_, nullptr)) releaseGpu();
}

void Pane::releaseGpu() {
  for (const auto& one : exhibits_)
    one->releaseGpu();
}

}  // namespace sepx::ui
