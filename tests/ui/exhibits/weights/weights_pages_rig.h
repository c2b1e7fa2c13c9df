// SPDX-License-Identifier: Apache-2.0
// A page of the Weights exhibit with all that the exhibit would give it, without window or device: document with
// history, the open model, factors and the whole board of scores computed at once. Tests push events in and look at
// document, read-outs and scene.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/checkpoint/shelf.h"
#include "engine/core/job.h"
#include "engine/core/thread_pool.h"
#include "engine/render/svg_writer.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/weights_pages.h"

namespace sepx::ui {

/// A checkpoint of somebody else, where it is at hand; empty where it is not.
inline std::string sharedCheckpoint(const std::string& name) {
  const char* const root = std::getenv("SEPX_SHARED");
  const std::filesystem::path folder =
      (root ? std::filesystem::path(root) : std::filesystem::path(SEPX_SOURCE_DIR) / ".." / "shared") / "checkpoints" /
      name;
  return std::filesystem::exists(folder) ? std::filesystem::canonical(folder).string() : std::string();
}

/// A folder of this test run's own.
inline std::string scratchFolder(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(SEPX_BINARY_DIR) / "tests" / "weights_pages" / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

class PageRig {
 public:
  explicit PageRig(std::unique_ptr<WeightsPage> made) : page(std::move(made)), pool(2) {
    shared.board = &board;
    shared.wantBoard = [this] { ++boardWanted; };
    shared.reopen = [this] {
      ++reopened;
      open(state.path);
    };
    declareShared();
    page->declare(editor.registry, shared);
  }

  /// The keys of the exhibit that pages touch, as plain as they can be.
  void declareShared() {
    const auto text = [this](const char* key, const char* fallback) {
      Property property;
      property.key = key;
      property.label = key;
      property.kind = Kind::Text;
      property.fallback = std::string(fallback);
      editor.registry.declare(property);
    };
    const auto number = [this](const char* key, double fallback) {
      Property property;
      property.key = key;
      property.label = key;
      property.min = -1e9;
      property.max = 1e9;
      property.fallback = fallback;
      editor.registry.declare(property);
    };
    text("weights.checkpoint", "");
    text("weights.page", "matrix");
    text("weights.stack", "self");
    text("weights.part", "full");
    text("weights.pool", "extreme");
    text("weights.score.variant", "excess");
    number("weights.layer", 0);
    number("weights.head", -1);
    number("weights.score.gamma", 2);
  }

  void open(const std::string& path) {
    state.path = path;
    ++shared.modelRevision;
    shared.model.reset();
    shared.failure.clear();
    board.clear();
    const auto model = checkpoint::openModel(path, rules);
    if (!model) {
      shared.failure = model.error().sentence;
      return;
    }
    shared.model = *model;
    for (const checkpoint::AttentionLayer& layer : shared.model->map.layers) {
      LayerScores entry;
      entry.stack = layer.stack;
      entry.layer = layer.layer;
      const auto factors = checkpoint::loadFactors(*shared.model->checkpoint, layer);
      if (!factors) throw std::runtime_error(factors.error().sentence);
      entry.moments = std::make_shared<const attention::Moments>(*attention::momentsOf(*factors));
      entry.headMoments = std::make_shared<const std::vector<attention::Moments>>(*attention::momentsOfHeads(*factors));
      entry.scores = attention::scoresOf(*entry.moments, state.score);
      for (const attention::Moments& head : *entry.headMoments)
        entry.headScores.push_back(attention::scoresOf(head, state.score));
      if (layer.d_model == layer.d_key) {
        entry.band = attention::randomBands(layer.d_model, attention::rankOf(*factors), state.score);
        entry.headBand = attention::randomBands(layer.d_model, layer.d_h, state.score);
      }
      board.push_back(std::move(entry));
    }
    ++shared.boardRevision;
  }

  /// The state as the document has it, and the factors of the chosen layer and head.
  void read() {
    const std::string path = state.path;
    state = readWeightsState(editor.document(), editor.registry);
    if (state.path.empty()) state.path = path;
    shared.layer = nullptr;
    if (!shared.model) return;
    shared.layer = shared.model->map.find(state.stack, state.layer);
    if (!shared.layer && !shared.model->map.layers.empty()) {
      shared.layer = &shared.model->map.layers.front();
      state.stack = shared.layer->stack;
      state.layer = shared.layer->layer;
    }
    const std::string of = path + "/" + std::to_string(shared.modelRevision) + "/" +
                           std::to_string(static_cast<int>(state.stack)) + "/" + std::to_string(state.layer) + "/" +
                           std::to_string(state.head);
    if (!shared.layer || of == factorsOf) return;
    factorsOf = of;
    auto factors =
        checkpoint::loadFactors(*shared.model->checkpoint, *shared.layer, {state.pairing, state.head, state.foldNorm});
    if (!factors) throw std::runtime_error(factors.error().sentence);
    shared.factors = std::make_shared<const attention::LayerFactors>(std::move(*factors));
    ++shared.factorsRevision;
  }

  ExhibitContext context() {
    ExhibitContext c{editor, jobs, pool, nullptr, Compute::Cpu, scripted, *findTheme(theme), seconds, scale, area};
    c.figure = figure;
    c.assets = std::string(SEPX_SOURCE_DIR) + "/assets";
    c.rules = rules;
    c.chooseFile = [this](std::string_view key) { chosenFor = std::string(key); };
    return c;
  }
  PageFrame pageFrame() { return {shared, *findTheme(theme), area, pointer, figure, area.width() < 600}; }

  /// One frame: events, update, scene.
  const render::Scene& frame(const std::vector<InputEvent>& events = {}) {
    ExhibitContext c = context();
    read();
    for (const InputEvent& event : events) {
      if (const auto* move = std::get_if<PointerMoved>(&event)) pointer = render::Point{move->x, move->y};
      if (const auto* press = std::get_if<PointerPressed>(&event)) pointer = render::Point{press->x, press->y};
      if (std::holds_alternative<PointerLeft>(event)) pointer.reset();
      cursor = page->input(pageFrame(), c, event);
      read();
    }
    page->update(pageFrame(), c);
    seconds += 1.0 / 60;
    scene.layers.clear();
    scene.width = area.max.x;
    scene.height = area.max.y;
    scene.plot = area;
    scene.window = flipped(area);
    scene.background = findTheme(theme)->plotBackground;
    page->scene(pageFrame(), scene.layers);
    return scene;
  }
  const render::Scene& settle() {
    for (int i = 0; i < 50; ++i) {
      frame();
      jobs.finish();
      frame();
      if (page->complete() && jobs.idle()) break;
    }
    return scene;
  }

  void set(const std::string& key, Value value) {
    const Result<void> done = editor.set(key, value, {});
    if (!done) throw std::runtime_error(done.error().sentence);
  }
  Value read(const std::string& key) const {
    const auto found = editor.registry.find(key);
    if (!found) throw std::runtime_error("no key " + key);
    return found->readOut ? found->readOut->get(found->index) : editor.registry.get(editor.document(), key);
  }
  double number(const std::string& key) const {
    const Value v = read(key);
    return std::holds_alternative<double>(v) ? std::get<double>(v) : std::nan("");
  }
  std::string text(const std::string& key) const {
    const Value v = read(key);
    return std::holds_alternative<std::string>(v) ? std::get<std::string>(v) : "none";
  }
  bool run(const std::string& command) {
    ExhibitContext c = context();
    read();
    return page->run(pageFrame(), c, command);
  }

  const render::Layer* layer(const std::string& name) const { return Rig::layer(scene, name); }
  std::string texts(const std::string& name) const {
    std::string all;
    if (const render::Layer* found = layer(name))
      for (const render::Item& item : found->items)
        if (const auto* label = std::get_if<render::Label>(&item)) all += label->text + "\n";
    return all;
  }
  template <class T>
  std::vector<T> items(const std::string& name) const {
    std::vector<T> found;
    if (const render::Layer* in = layer(name))
      for (const render::Item& item : in->items)
        if (const auto* hit = std::get_if<T>(&item)) found.push_back(*hit);
    return found;
  }
  void click(render::Point p) {
    frame({PointerMoved{p.x, p.y}});
    frame({PointerPressed{Button::Left, true, p.x, p.y, {}}});
    frame({PointerPressed{Button::Left, false, p.x, p.y, {}}});
  }
  /// For looking at it: SEPX_LOOK names a folder.
  void look(const std::string& name) const {
    if (const char* const folder = std::getenv("SEPX_LOOK"))
      std::ofstream(std::string(folder) + "/" + name + ".svg") << render::toSvg(scene);
  }

  RigEditor editor;
  WeightsState state;
  WeightsShared shared{state};
  std::vector<LayerScores> board;
  std::unique_ptr<WeightsPage> page;
  ThreadPool pool;
  Jobs jobs;
  std::string theme = "dark", rules, factorsOf, chosenFor;
  render::Rect area{{0, 40}, {980, 680}};
  std::optional<render::Point> pointer;
  double seconds = 0;
  float scale = 1;
  bool figure = false, scripted = true;
  int boardWanted = 0, reopened = 0;
  Cursor cursor = Cursor::Arrow;
  render::Scene scene;
};

}  // namespace sepx::ui
