// SPDX-License-Identifier: Apache-2.0
// A page of the Weights exhibit with everything that the exhibit provides, without a window or a device: a document
// with history, the open model, factors, and the whole board of scores, computed at once. Tests send events and check
// the document, read-outs and scene.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/checkpoint/model_cache.h"
#include "engine/render/svg_writer.h"
#include "tests/folders.h"
#include "tests/ui/page/exhibit_rig.h"
#include "ui/exhibits/weights/shared/weights_page_kit.h"
#include "ui/exhibits/weights/weights_pages.h"

namespace sepx::ui {

/// A new empty folder for the test.
inline std::string scratchFolder(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(tests::buildFolder()) / "tests" / "weights_pages" / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

class PageRig : public RigBase {
 public:
  explicit PageRig(std::unique_ptr<WeightsPage> made) : page(std::move(made)) {
    area = {{0, 40}, {980, 680}};
    shared.board = &board;
    shared.requestBoard = [this] { ++boardWanted; };
    shared.reopen = [this] {
      ++reopened;
      open(state.path);
    };
    declareShared();
    page->declare(editor.registry, shared);
  }

  /// Minimal declarations of the exhibit's keys that pages use.
  void declareShared() {
    const auto declare = [this](const char* key, Into into, Value fallback, std::vector<std::string> choices = {}) {
      editor.registry.declare(Property{.key = key,
                                       .into = std::move(into),
                                       .label = key,
                                       .min = -1e9,
                                       .max = 1e9,
                                       .choices = std::move(choices),
                                       .fallback = std::move(fallback)});
    };
    const auto downsample = [](WeightsState& of, const Value& word) {
      of.pool = toString(word) == "mean" ? attention::Pool::Mean : attention::Pool::Extreme;
    };
    declare("weights.checkpoint", &WeightsState::path, "");
    declare("weights.page", {}, "matrix");
    declare("weights.stack", &WeightsState::stack, "self", {"self", "encoder", "decoder", "cross"});
    declare("weights.part", &WeightsState::part, "full", {"full", "symmetric", "skew", "three"});
    declare("weights.pool", Into::by<WeightsState>(downsample), "extreme");
    declare("weights.score.variant", {&WeightsState::score, &attention::ScoreOptions::variant}, "excess",
            {"excess", "sum"});
    declare("weights.layer", &WeightsState::layer, 0.0);
    declare("weights.head", &WeightsState::head, -1.0);
    declare("weights.score.gamma", {&WeightsState::score, &attention::ScoreOptions::gamma}, 2.0);
  }

  void open(const std::string& path) {
    state.path = path;
    ++shared.modelRevision;
    shared.model.reset();
    shared.failure.clear();
    board.clear();
    const auto model = checkpoint::openModel(path, rules);
    if (!model) {
      shared.failure = model.error().message;
      return;
    }
    shared.model = *model;
    for (const checkpoint::AttentionLayer& layer : shared.model->map.layers) {
      LayerScores entry;
      entry.stack = layer.stack;
      entry.layer = layer.layer;
      const auto factors = checkpoint::loadFactors(*shared.model->checkpoint, layer);
      if (!factors) throw std::runtime_error(factors.error().message);
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

  /// Reads the state from the document, and the factors of the selected layer and head.
  void readDocument() {
    const std::string path = state.path;
    state = readWeightsState(editor.document(), editor.registry);
    if (pageReads != editor.revision()) {
      pageReads = editor.revision();
      page->follow(editor.document(), editor.registry, shared);
    }
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
    if (!factors) throw std::runtime_error(factors.error().message);
    shared.factors = std::make_shared<const attention::LayerFactors>(std::move(*factors));
    ++shared.factorsRevision;
  }

  ExhibitContext context() override {
    ExhibitContext c = RigBase::context();
    c.rules = rules;
    c.chooseFile = [this](std::string_view key) { chosenFor = std::string(key); };
    return c;
  }
  PageFrame pageFrame() { return {shared, *findTheme(theme), area, pointer, figure, area.width() < 600}; }

  const render::Scene& frame(std::vector<InputEvent> events = {}) override {
    ExhibitContext c = context();
    readDocument();
    for (const InputEvent& event : events) {
      if (const auto* move = std::get_if<PointerMoved>(&event)) pointer = render::Point{move->x, move->y};
      if (const auto* press = std::get_if<PointerPressed>(&event)) pointer = render::Point{press->x, press->y};
      if (std::holds_alternative<PointerLeft>(event)) pointer.reset();
      cursor = page->input(pageFrame(), c, event);
      readDocument();
    }
    page->update(pageFrame(), c);
    seconds += 1.0 / 60;
    page->board().reclaim(drawn.layers);
    drawn.layers.clear();
    drawn.width = area.max.x;
    drawn.height = area.max.y;
    drawn.plot = area;
    drawn.window = flipped(area);
    drawn.background = findTheme(theme)->plotBackground;
    page->scene(pageFrame(), drawn.layers);
    scene = &drawn;
    return drawn;
  }
  bool complete() const override { return page->facts(shared).complete; }

  bool run(const std::string& command) {
    ExhibitContext c = context();
    readDocument();
    return page->run(pageFrame(), c, command);
  }

  /// To look at the picture: SEPX_LOOK names a folder.
  void look(const std::string& name) const {
    if (const char* const folder = std::getenv("SEPX_LOOK"))
      std::ofstream(std::string(folder) + "/" + name + ".svg") << render::toSvg(drawn);
  }

  WeightsState state;
  WeightsShared shared{state};
  std::vector<LayerScores> board;
  std::unique_ptr<WeightsPage> page;
  std::string rules, factorsOf, chosenFor;
  std::optional<render::Point> pointer;
  int boardWanted = 0, reopened = 0;
  std::optional<std::uint64_t> pageReads;  ///< revision of the document that the page has read
  render::Scene drawn;
};

}  // namespace sepx::ui
