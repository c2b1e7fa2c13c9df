// SPDX-License-Identifier: Apache-2.0
// The Workbench and the document: changes by key, undo, sessions, lessons, and the read-outs of the workbench itself.
#include <algorithm>
#include <filesystem>

#include "engine/core/number.h"
#include "ui/properties/tr.h"
#include "ui/workbench/workbench_impl.h"

namespace sepx::ui {
namespace {

std::string lowerExtension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

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

void Workbench::Impl::declare() {
  Property chosen;
  chosen.key = "exhibit";
  chosen.label = N_("Exhibit");
  chosen.kind = Kind::Choice;
  for (const auto& one : exhibits)
    chosen.choices.push_back(one->key());
  chosen.fallback = exhibits.front()->key();
  chosen.help = N_("Which system is shown.");
  chosen.choiceLabel = [this](const std::string& key) {
    for (const auto& one : exhibits) {
      if (one->key() == key) return one->name();
    }
    return key;
  };
  registry.declare(std::move(chosen));
  for (const auto& one : exhibits)
    one->declare(registry);

  const auto readOut = [this](std::string key, std::string label, std::string help, std::function<Value()> get) {
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
  carried = carriedPaths(registry);
  history.setCarriedPaths(carried);
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
  auto next = registry.set(history.present(), key, value);
  if (!next) return tl::unexpected(next.error());
  const auto found = registry.find(key);
  if (found && found->property && found->property->undoable) {
    history.commit(std::move(*next), tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
  } else {
    history.replace(std::move(*next));
  }
  return {};
}

void Workbench::Impl::commit(Document next, std::string label, std::string group) {
  history.commit(std::move(next), std::move(label), std::move(group));
}

void Workbench::Impl::replace(Document next) {
  history.replace(std::move(next));
}

void Workbench::Impl::say(std::string errorSentence) {
  self.say({Message::Level::Error, std::move(errorSentence)});
}

Result<void> Workbench::Impl::openSession(const std::string& path) {
  auto document = readSession(path);
  if (!document) return tl::unexpected(document.error());
  if (auto checked = registry.check(*document); !checked) {
    return fail(checked.error().kind, path + ": " + checked.error().sentence);
  }
  lesson.close();
  history.reset(std::move(*document));
  saved = withoutCarried(history.present());
  file = path;
  return {};
}

Result<void> Workbench::Impl::openLesson(const std::string& path) {
  auto read = readLesson(path);
  if (!read) return tl::unexpected(read.error());
  startAnew();
  lesson.open(std::move(*read));
  return {};
}

void Workbench::Impl::startAnew() {
  lesson.close();
  history.reset(Document{});
  saved = withoutCarried(history.present());
  file.clear();
}

const Document& Workbench::document() const {
  return impl_->history.present();
}
const History& Workbench::history() const {
  return impl_->history;
}
const PropertyRegistry& Workbench::properties() const {
  return impl_->registry;
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

Result<Value> Workbench::get(std::string_view key) const {
  const auto found = impl_->registry.find(key);
  if (!found) {
    const std::string near = impl_->registry.nearest(key);
    return fail(ErrorKind::BadInput, std::string(key) + ": " + tr("there is no such key") +
                                         (near.empty() ? std::string() : tr(std::string(N_("; perhaps "))) + near));
  }
  if (found->property) return impl_->registry.get(impl_->history.present(), key);
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
  return impl_->exhibit().key();
}

Result<void> Workbench::addPoint(const std::vector<double>& theta) {
  impl_->lesson.interrupt();
  ExhibitContext context = impl_->context();
  return impl_->exhibit().addPoint(context, theta);
}

Result<void> Workbench::open(const std::string& path) {
  const std::string extension = lowerExtension(path);
  Result<void> opened = fail(ErrorKind::BadInput, path + ": " + tr("not a session (.sepx) and not a lesson (.md)"));
  if (extension == ".sepx") opened = impl_->openSession(path);
  if (extension == ".md") opened = impl_->openLesson(path);
  if (!opened) impl_->say(opened.error().sentence);
  return opened;
}

Result<void> Workbench::save(const std::string& path, bool) {
  auto written = writeSession(impl_->history.present(), path);
  if (!written) {
    impl_->say(written.error().sentence);
    return written;
  }
  impl_->file = path;
  impl_->saved = impl_->withoutCarried(impl_->history.present());
  return {};
}

bool Workbench::modified() const {
  return !(impl_->withoutCarried(impl_->history.present()) == impl_->saved);
}
std::string Workbench::path() const {
  return impl_->file;
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
  return recipe.dump();
}

}  // namespace sepx::ui
