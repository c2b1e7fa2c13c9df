// SPDX-License-Identifier: Apache-2.0
// The Workbench and the document: changes by key, undo, sessions, lessons, and the read-outs of the workbench itself.
#include <algorithm>

#include <fmt/format.h>

#include "ui/properties/declarations.h"
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

}  // namespace

/// All that a pane knows: its exhibits, and what belongs to the window.
void Workbench::Impl::declare(Pane& into) {
  std::vector<std::string> keys;
  for (const auto& one : into.exhibits)
    keys.push_back(one->key());
  into.registry.declare(Property{.key = "exhibit",
                                 .label = N_("Exhibit"),
                                 .choices = std::move(keys),
                                 .help = N_("Which system is shown."),
                                 .choiceLabel = [&into](const std::string& key) {
                                   for (const auto& one : into.exhibits) {
                                     if (one->key() == key) return one->name();
                                   }
                                   return key;
                                 }});
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
  // clang-format off
  declareParameters(registry, {.prefix = "panes."}, {
      {.key = "layout", .label = N_("Panes"), .options = {{"one", N_("one")}, {"two", N_("two")}, {"four", N_("four")}},
       .help = N_("How many pictures stand side by side, each with a state of its own.")},
      {.key = "active", .label = N_("Active pane"), .kind = Kind::Integer, .min = 1, .max = kMostPanes, .fallback = 1.0,
       .help = N_("The pane that panels, keys and commands are about."), .undoable = false},
      {.key = "linked", .label = N_("Link cameras"), .fallback = false,
       .help = N_("Panes of the same exhibit show the same window of the plane: who moves one moves all.")},
      {.key = "limits", .label = N_("Colour limits"), .options = {{"own", N_("own")}, {"shared", N_("shared")}},
       .help = N_("Whether each pane has its own colour scale, or all of an exhibit have one, so that equal colours are "
                  "equal numbers.")}});
  // clang-format on
}

void Workbench::Impl::declareReadOuts(PropertyRegistry& registry) {
  const auto of = gettersOf(*this);
  const auto lessonSteps = [](const Impl& impl) { return impl.lesson.lesson()->steps.size(); };
  const Getters open([this](int) { return lesson.lesson() ? this : nullptr; });
  // clang-format off
  ui::declareReadOuts(registry, {.prefix = "workbench."}, {
      {.key = "theme", .label = N_("Theme"), .help = N_("Colours of the interface."), .digits = 0,
       .get = of([](const Impl& impl) { return impl.theme->key; })},
      {.key = "chrome", .label = N_("Chrome"),
       .help = N_("Whether panels and bars are shown around the picture."), .digits = 0, .get = of(&Impl::chromeShown)},
      {.key = "lesson.step", .label = N_("Lesson step"), .help = N_("Number of the step shown, from 1."), .digits = 0,
       .get = open([](const Impl& impl) { return impl.lesson.step() + 1; })},
      {.key = "lesson.steps", .label = N_("Lesson steps"), .help = N_("How many steps the open lesson has."),
       .digits = 0, .get = open(lessonSteps)},
      {.key = "undo", .label = N_("Undo"), .help = N_("What undo would take back; nothing when there is nothing."),
       .digits = 0, .get = of([](const Impl& impl) { return impl.history.undoLabel(); })},
      {.key = "redo", .label = N_("Redo"), .help = N_("What redo would bring back; nothing when there is nothing."),
       .digits = 0, .get = of([](const Impl& impl) { return impl.history.redoLabel(); })}});
  // clang-format on
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
      if (!result.isObject(parent) || !result.at(parent).empty()) break;
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
