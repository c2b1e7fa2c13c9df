// SPDX-License-Identifier: Apache-2.0
// Test fixtures for exhibits and pages, without a window or a device: a document with history and properties, jobs, an
// area on the screen, and a clock. Tests send events and check the document, read-outs and scene. RigBase is the common
// part; ExhibitRig runs a whole exhibit; a fixture for a single page derives from RigBase and implements frame().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/job.h"
#include "engine/core/thread_pool.h"
#include "tests/folders.h"
#include "tests/ui/page/read_labels.h"
#include "ui/document/history.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"

namespace sepx::ui {

/// An editor with a history and a registry. It changes its document as a window changes that of its first pane, and
/// records the messages.
class RigEditor final : public Editor {
 public:
  const Document& document() const override { return history.present(); }
  std::uint64_t revision() const override { return history.revision(); }
  const PropertyRegistry& properties() const override { return registry; }
  Result<void> set(std::string_view key, const Value& value, std::string group) override {
    Result<Document> next = registry.set(history.present(), key, value);
    if (!next) return fail(next.error().kind, next.error().message);
    // As Pane::set(): a property that is not undoable makes no undo step.
    const auto found = registry.find(key);
    if (found && found->property && found->property->undoable)
      history.commit(std::move(*next), tr(std::string(N_("change "))) + shortName(*found->property), std::move(group));
    else
      history.replace(std::move(*next));
    return {};
  }
  void commit(Document next, std::string label, std::string group) override {
    history.commit(std::move(next), std::move(label), std::move(group));
  }
  void replace(Document next) override { history.replace(std::move(next)); }
  void seal() override { history.seal(); }
  void say(std::string sentence) override { said.push_back(std::move(sentence)); }
  void note(Note note) override { notes.push_back(std::move(note)); }

  History history;
  PropertyRegistry registry;
  std::vector<std::string> said;
  std::vector<Note> notes;
};

class RigBase {
 public:
  virtual ~RigBase() = default;

  /// One frame: events, update, scene. A frame takes 1/60 s.
  virtual const render::Scene& frame(std::vector<InputEvent> events = {}) = 0;
  /// True if nothing is pending.
  virtual bool complete() const = 0;
  virtual ExhibitContext context() {
    return {{.jobs = jobs, .pool = pool, .seed = seed, .assets = tests::sourceFolder() + "/assets"},
            {.theme = *findTheme(theme),
             .area = area,
             .seconds = seconds,
             .scale = scale,
             .scripted = scripted,
             .figure = figure,
             .audience = audience,
             .legend = legend,
             .sharedLimits = sharedLimits},
            editor};
  }

  /// Runs frames until every job has ended and its result is in the scene.
  const render::Scene& settle() {
    frame();
    for (int i = 0; i < 100; ++i) {
      jobs.finish();
      frame();
      if (complete() && jobs.idle()) break;
    }
    return *scene;
  }

  void set(const std::string& key, Value value) {
    if (const std::string sentence = refusal(key, std::move(value)); !sentence.empty())
      throw std::runtime_error(sentence);
  }
  /// The error message for the value; empty if the value is accepted.
  std::string refusal(const std::string& key, Value value) {
    const Result<void> done = editor.set(key, value, {});
    return done ? std::string() : done.error().message;
  }
  Value value(const std::string& key) const { return editor.registry.get(editor.document(), key); }
  /// The value of a parameter or a read-out.
  Value read(const std::string& key) const {
    const auto found = editor.registry.find(key);
    if (!found) throw std::runtime_error("no key " + key);
    return found->readOut ? found->readOut->get(found->index) : value(key);
  }
  double number(const std::string& key) const {
    const Value v = read(key);
    return std::holds_alternative<double>(v) ? std::get<double>(v) : std::nan("");
  }
  std::string text(const std::string& key) const {
    const Value v = read(key);
    return std::holds_alternative<std::string>(v) ? std::get<std::string>(v) : "none";
  }

  static InputEvent move(render::Point p, bool shift = false) {
    return PointerMoved{p.x, p.y, Modifiers{.shift = shift}};
  }
  static InputEvent press(render::Point p, bool down, bool shift = false) {
    return PointerPressed{Button::Left, down, p.x, p.y, Modifiers{.shift = shift}};
  }
  /// Press, several moves, release; one event per frame, as for a real pointer.
  void drag(render::Point from, render::Point to, bool shift = false) {
    frame({move(from)});
    frame({press(from, true, shift)});
    for (int i = 1; i <= 5; ++i)
      frame({move({from.x + (to.x - from.x) * i / 5, from.y + (to.y - from.y) * i / 5}, shift)});
    frame({press(to, false, shift)});
  }
  void click(render::Point p) {
    frame({move(p)});
    frame({press(p, true)});
    frame({press(p, false)});
  }

  static const render::Layer* layer(const render::Scene& drawn, const std::string& name) {
    for (const render::Layer& one : drawn.layers)
      if (one.name == name) return &one;
    return nullptr;
  }
  /// A layer of the last frame.
  const render::Layer* layer(const std::string& name) const { return layer(*scene, name); }
  template <class T>
  std::vector<T> items(const std::string& name) const {
    std::vector<T> found;
    if (const render::Layer* const in = layer(name))
      for (const render::Item& item : in->items)
        if (const auto* hit = std::get_if<T>(&item)) found.push_back(*hit);
    return found;
  }
  /// The labels of a layer, one per line.
  std::string texts(const std::string& name) const { return readLabels(items<render::Label>(name)); }
  /// texts() with line ends replaced by spaces.
  std::string sentences(const std::string& name) const {
    std::string all = texts(name);
    std::replace(all.begin(), all.end(), '\n', ' ');
    return all;
  }

  RigEditor editor;
  ThreadPool pool{2};
  Jobs jobs;
  std::string theme = "dark";
  render::Rect area{{0, 0}, {980, 640}};  ///< of the picture, in window coordinates
  double seconds = 0;
  float scale = 1;
  bool scripted = true, figure = false, legend = true, audience = false;
  std::optional<ColorLimits> sharedLimits;
  std::uint64_t seed = 0;
  Cursor cursor = Cursor::Arrow;         ///< of the last frame
  const render::Scene* scene = nullptr;  ///< null before the first frame
};

class ExhibitRig : public RigBase {
 public:
  explicit ExhibitRig(std::unique_ptr<Exhibit> made) : exhibit(std::move(made)) { exhibit->declare(editor.registry); }

  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    ExhibitContext now = context();
    cursor = exhibit->input(now, {std::move(events)});
    exhibit->update(now);
    seconds += 1.0 / 60;
    scene = &exhibit->scene(now);
    return *scene;
  }
  bool complete() const override { return exhibit->complete(); }
  Result<void> run(const std::string& command) {
    ExhibitContext now = context();
    return exhibit->run(now, command);
  }

  std::unique_ptr<Exhibit> exhibit;
};

}  // namespace sepx::ui
