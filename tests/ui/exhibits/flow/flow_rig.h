// SPDX-License-Identifier: Apache-2.0
// A Flow exhibit with everything a Workbench would give it, without window or device: document with history, jobs,
// time. Tests push events in and look at document, read-outs and scene.
#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/job.h"
#include "engine/core/thread_pool.h"
#include "engine/markov/basin.h"
#include "engine/markov/canonical_model.h"
#include "ui/document/history.h"
#include "ui/exhibits/flow/flow_exhibit.h"

namespace sepx::ui {

class RigEditor final : public Editor {
 public:
  const Document& document() const override { return history.present(); }
  std::uint64_t revision() const override { return history.revision(); }
  const PropertyRegistry& properties() const override { return registry; }
  Result<void> set(std::string_view key, const Value& value, std::string group) override {
    Result<Document> next = registry.set(history.present(), key, value);
    if (!next) return fail(next.error().kind, next.error().sentence);
    history.commit(*next, std::string(key), std::move(group));
    return {};
  }
  void commit(Document next, std::string label, std::string group) override {
    history.commit(std::move(next), std::move(label), std::move(group));
  }
  void replace(Document next) override { history.replace(std::move(next)); }
  void seal() override { history.seal(); }
  void say(std::string sentence) override { said.push_back(std::move(sentence)); }

  History history;
  PropertyRegistry registry;
  std::vector<std::string> said;
};

class Rig {
 public:
  Rig() : exhibit(makeFlowExhibit()), pool(2) {
    exhibit->declare(editor.registry);
    editor.history.setCarriedPaths({"flow.view", "flow.selected"});
  }

  ExhibitContext context() {
    ExhibitContext c{editor,  jobs, pool, nullptr, Compute::Cpu, scripted, *findTheme(theme),
                     seconds, 1.0f, area, nullptr, 1.0f,         figure,   seed};
    c.legend = legend;
    c.sharedLimits = sharedLimits;
    return c;
  }

  /// One frame: events, update, scene.
  const render::Scene& frame(std::vector<InputEvent> events = {}) {
    ExhibitContext c = context();
    cursor = exhibit->input(c, {std::move(events)});
    exhibit->update(c);
    seconds += 1.0 / 60;
    return exhibit->scene(c);
  }

  /// Frames until every job has ended and its result is in the scene.
  const render::Scene& settle() {
    const render::Scene* scene = &frame();
    for (int i = 0; i < 50; ++i) {
      jobs.finish();
      scene = &frame();
      if (exhibit->complete() && jobs.idle()) break;
    }
    return *scene;
  }

  void set(const std::string& key, Value value) {
    const Result<void> done = editor.set(key, value, {});
    if (!done) throw std::runtime_error(done.error().sentence);
  }
  Result<void> add(double e, double w) {
    ExhibitContext c = context();
    return exhibit->addPoint(c, {e, w});
  }
  Result<void> run(const std::string& command) {
    ExhibitContext c = context();
    return exhibit->run(c, command);
  }

  Value value(const std::string& key) const { return editor.registry.get(editor.document(), key); }
  /// A parameter or a read-out.
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

  Result<void> take(const std::string& csv, const std::string& name = "numbers.csv") {
    const Result<Table> table = parseCsv(csv);
    if (!table) return tl::unexpected(table.error());
    ExhibitContext c = context();
    return exhibit->take(c, *table, name);
  }

  /// Window position of a data point.
  render::Point at(const render::Scene& scene, double e, double w) const {
    const render::Point page = render::toPage(scene, {e, w});
    return {page.x + area.min.x, page.y + area.min.y};
  }
  static InputEvent move(render::Point p, bool shift = false) {
    return PointerMoved{p.x, p.y, Modifiers{.shift = shift}};
  }
  static InputEvent press(render::Point p, bool down, bool shift = false) {
    return PointerPressed{Button::Left, down, p.x, p.y, Modifiers{.shift = shift}};
  }
  /// Press, a few moves, release: one a frame, as a person does it.
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

  static const render::Layer* layer(const render::Scene& scene, const std::string& name) {
    for (const render::Layer& layer : scene.layers)
      if (layer.name == name) return &layer;
    return nullptr;
  }

  RigEditor editor;
  std::unique_ptr<Exhibit> exhibit;
  ThreadPool pool;
  Jobs jobs;
  std::string theme = "dark";
  render::Rect area{{0, 0}, {980, 640}};
  double seconds = 0;
  bool scripted = true, figure = false, legend = true;
  std::optional<ColorLimits> sharedLimits;
  std::uint64_t seed = 0;
  Cursor cursor = Cursor::Arrow;
};

}  // namespace sepx::ui
