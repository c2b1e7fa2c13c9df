// SPDX-License-Identifier: Apache-2.0
// The Workbench and the document: changes by key, undo, sessions, lessons, and the read-outs of the workbench itself.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/tr.h"
#include "ui/workbench/figure_format.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

/// What undo leaves as it is: keys that are not undoable, or the whole group ("flow.view") where none of it is.
std::vector<std::string> carriedPaths(const PropertyRegistry& registry) {
  const auto& properties = registry.properties();
  std::vector<std::string> paths;
  for (const Property& property : properties) {
    if (property.undoable || property.key.find("[]") != std::string::npos) continue;
    const std::string group = property.key.substr(0, property.key.rfind('.') + 1);
    const bool mixed = std::any_of(properties.begin(), properties.end(), [&](const Property& other) {
      return other.undoable && other.key.compare(0, group.size(), group) == 0;
    });
    const std::string path = mixed || group.empty() ? property.key : group.substr(0, group.size() - 1);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  return paths;
}

Property choice(std::string key, std::string label, std::vector<std::string> choices, std::string help) {
  Property made;
  made.key = std::move(key);
  made.label = std::move(label);
  made.kind = Kind::Choice;
  made.fallback = choices.front();
  made.choices = std::move(choices);
  made.help = std::move(help);
  return made;
}

}  // namespace

/// All that a pane knows: its exhibits, and what belongs to the window.
void Workbench::Impl::declare(Pane& into) {
  std::vector<std::string> keys;
  for (const auto& one : into.exhibits)
    keys.push_back(one->key());
  Property chosen = choice("exhibit", N_("Exhibit"), std::move(keys), N_("Which system is shown."));
  chosen.choiceLabel = [&into](const std::string& key) {
    for (const auto& one : into.exhibits) {
      if (one->key() == key) return one->name();
    }
    return key;
  };
  into.registry.declare(std::move(chosen));
  for (const auto& one : into.exhibits)
    one->declare(into.registry);
  declareWindow(into.registry);
  declareReadOuts(into.registry);
  if (!carried.empty()) return;  // all panes declare the same
  for (const std::string& path : carriedPaths(into.registry)) {
    carried.push_back(path);
    for (int number = 2; number <= kMostPanes && self.inPane(path, 2) != path; ++number)
      carried.push_back(joinPaneKey(path, number));
  }
  history.setCarriedPaths(carried);
}

void Workbench::Impl::declareWindow(PropertyRegistry& registry) {
  Property layouts = choice("panes.layout", N_("Panes"), {"one", "two", "four"},
                            N_("How many pictures stand side by side, each with a state of its own."));
  layouts.choiceLabel = [](const std::string& key) -> std::string {
    return key == "one" ? tr("one") : key == "two" ? tr("two") : tr("four");
  };
  registry.declare(std::move(layouts));
  Property active;
  active.key = "panes.active";
  active.label = N_("Active pane");
  active.kind = Kind::Integer;
  active.min = 1;
  active.max = kMostPanes;
  active.step = 1;
  active.digits = 0;
  active.fallback = 1.0;
  active.undoable = false;
  active.help = N_("The pane that panels, keys and commands are about.");
  registry.declare(std::move(active));
  Property linked;
  linked.key = "panes.linked";
  linked.label = N_("Link cameras");
  linked.kind = Kind::Toggle;
  linked.fallback = false;
  linked.help = N_("Panes of the same exhibit show the same window of the plane: who moves one moves all.");
  registry.declare(std::move(linked));
  Property limits = choice("panes.limits", N_("Colour limits"), {"own", "shared"},
                           N_("Whether each pane has its own colour scale, or all of an exhibit have one, so that "
                              "equal colours are equal numbers."));
  limits.choiceLabel = [](const std::string& key) -> std::string { return key == "own" ? tr("own") : tr("shared"); };
  registry.declare(std::move(limits));
}

void Workbench::Impl::declareReadOuts(PropertyRegistry& registry) {
  const auto readOut = [&registry](std::string key, std::string label, std::string help, std::function<Value()> get) {
    ReadOut one;
    one.key = std::move(key);
    one.label = std::move(label);
    one.help = std::move(help);
    one.digits = 0;
    one.get = [get = std::move(get)](int) { return get(); };
    registry.declare(std::move(one));
  };
  readOut("workbench.theme", N_("Theme"), N_("Colours of the interface."), [this]() -> Value { return theme->key; });
  readOut("workbench.chrome", N_("Chrome"), N_("Whether panels and bars are shown around the picture."),
          [this]() -> Value { return chromeShown; });
  readOut("workbench.lesson.step", N_("Lesson step"), N_("Number of the step shown, from 1."),
          [this]() -> Value { return lesson.lesson() ? Value(static_cast<double>(lesson.step() + 1)) : Value(); });
  readOut("workbench.lesson.steps", N_("Lesson steps"), N_("How many steps the open lesson has."), [this]() -> Value {
    return lesson.lesson() ? Value(static_cast<double>(lesson.lesson()->steps.size())) : Value();
  });
  readOut("workbench.undo", N_("Undo"), N_("What undo would take back; nothing when there is nothing."),
          [this]() -> Value {
            const auto label = history.undoLabel();
            return label ? Value(*label) : Value();
          });
  readOut("workbench.redo", N_("Redo"), N_("What redo would bring back; nothing when there is nothing."),
          [this]() -> Value {
            const auto label = history.redoLabel();
            return label ? Value(*label) : Value();
          });
}

Document Workbench::Impl::withoutCarried(const Document& document) const {
  Document result = document;
  for (const std::string& key : carried) {
    if (!result.has(key)) continue;
    result = result.without(key);
    // An object that is left empty says nothing either.
    std::string parent = key;
    for (auto dot = parent.rfind('.'); dot != std::string::npos; dot = parent.rfind('.')) {
      parent.resize(dot);
      if (!result.at(parent).is_object() || !result.at(parent).empty()) break;
      result = result.without(parent);
    }
  }
  return result;
}

Result<void> Workbench::Impl::set(std::string_view key, const Value& value, std::string group) {
  const auto whose = resolve(key);
  if (!whose) return fail(ErrorKind::Usage, whose.error().sentence);
  if (self.inPane(key, kMostPanes) == key) return setWindow(key, value, std::move(group));
  return pane(whose->pane).set(whose->key, value, std::move(group));
}

void Workbench::Impl::say(std::string errorSentence) {
  self.say({Message::Level::Error, std::move(errorSentence)});
}

const Document& Workbench::document() const {
  return impl_->history.present();
}
const History& Workbench::history() const {
  return impl_->history;
}
const PropertyRegistry& Workbench::properties() const {
  return impl_->active().registry;
}
const Document& Workbench::paneDocument() const {
  return impl_->active().withWindow();
}

Result<void> Workbench::set(std::string_view key, const Value& value, std::string group) {
  const bool alone = group.empty();
  impl_->lesson.interrupt();
  auto done = impl_->set(key, value, std::move(group));
  if (done && alone) impl_->history.seal();
  return done;
}

void Workbench::seal() {
  impl_->history.seal();
}

std::optional<PropertyRegistry::Found> Workbench::find(std::string_view key) const {
  const auto whose = impl_->resolve(key);
  if (!whose) return std::nullopt;
  return impl_->pane(whose->pane).registry.find(whose->key);
}

Result<Value> Workbench::get(std::string_view key) const {
  const auto whose = impl_->resolve(key);
  if (!whose) return tl::unexpected(whose.error());
  const Impl::Pane& pane = impl_->pane(whose->pane);
  const auto found = pane.registry.find(whose->key);
  if (!found) {
    const std::string near = pane.registry.nearest(whose->key);
    return fail(ErrorKind::BadInput,
                std::string(key) + ": " + tr("there is no such key") +
                    (near.empty() ? std::string() : tr(std::string(N_("; perhaps "))) + inPane(near, whose->pane)));
  }
  if (found->property) return pane.registry.get(pane.withWindow(), whose->key);
  return found->readOut->get(found->index);
}

bool Workbench::undo() {
  impl_->lesson.interrupt();
  impl_->history.seal();
  const bool done = impl_->history.undo();
  impl_->lesson.follow();
  return done;
}

bool Workbench::redo() {
  impl_->lesson.interrupt();
  impl_->history.seal();
  const bool done = impl_->history.redo();
  impl_->lesson.follow();
  return done;
}

std::string Workbench::exhibitKey() const {
  return impl_->active().exhibit().key();
}

Result<void> Workbench::addPoint(const std::vector<double>& theta, int pane) {
  impl_->lesson.interrupt();
  const int number = pane > 0 ? pane : impl_->activeNumber();
  if (number > panes()) {
    return fail(ErrorKind::Usage, fmt::format(fmt::runtime(tr("pane {} is not shown")), number));
  }
  ExhibitContext context = impl_->context(number);
  return impl_->pane(number).exhibit().addPoint(context, theta);
}

const Lesson* Workbench::lesson() const {
  return impl_->lesson.lesson();
}
std::size_t Workbench::lessonStep() const {
  return impl_->lesson.step();
}

void Workbench::enterLessonStep(std::size_t step, bool run) {
  impl_->lesson.enter(step, run);
  impl_->settling = std::max(impl_->settling, 1);
}

std::string Workbench::recipe() const {
  Json recipe;
  recipe["program"] = "separatrix";
  recipe["version"] = impl_->options.version;
  recipe["seed"] = impl_->options.seed;
  recipe["state"] = impl_->history.present().toJson();
  addSources(recipe, *this);
  return recipe.dump();
}

}  // namespace sepx::ui
