// SPDX-License-Identifier: Apache-2.0
// A Weights exhibit with everything a Workbench would give it, without window or device, over small checkpoints that
// the test writes: BERT-like, two layers, factors of known numbers.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "engine/core/random.h"
#include "tests/ui/exhibits/flow/flow_rig.h"
#include "ui/exhibits/weights/weights_exhibit.h"

namespace sepx::ui {

/// W_Q and W_K of a BERT-like checkpoint, [d, d] as torch stores them ([out, in]).
struct TinyBert {
  int d = 12, heads = 3, layers = 2;
  std::vector<Eigen::MatrixXf> query, key;

  explicit TinyBert(int width = 12, int headCount = 3, std::uint64_t seed = 7) : d(width), heads(headCount) {
    RandomStream stream(seed, 0);
    for (int layer = 0; layer < layers; ++layer) {
      for (std::vector<Eigen::MatrixXf>* into : {&query, &key}) {
        Eigen::MatrixXf weights(d, d);
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < d; ++j)
            weights(i, j) = static_cast<float>(0.3 * stream.normal());
        into->push_back(std::move(weights));
      }
    }
  }

  /// The entry of W_qk = sum_h W_Q^h (W_K^h)^T by a literal loop; head -1: all.
  double entry(int layer, int head, int row, int column) const {
    const int d_h = d / heads;
    double sum = 0;
    for (int a = 0; a < d; ++a)
      if (head < 0 || a / d_h == head) sum += double(query[layer](a, row)) * double(key[layer](a, column));
    return sum;
  }

  /// Writes model.safetensors and config.json; answers the folder.
  std::string write(const std::string& name) const {
    const std::filesystem::path folder = std::filesystem::path(SEPX_BINARY_DIR) / "tests" / "weights_exhibit" / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json") << nlohmann::json{
        {"model_type", "bert"}, {"hidden_size", d}, {"num_attention_heads", heads}, {"num_hidden_layers", layers}};
    nlohmann::ordered_json header;
    std::string data;
    for (int layer = 0; layer < layers; ++layer) {
      for (const auto& [word, weights] : {std::pair{"query", &query[layer]}, std::pair{"key", &key[layer]}}) {
        const std::size_t begin = data.size();
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < d; ++j)
            data.append(reinterpret_cast<const char*>(&(*weights)(i, j)), sizeof(float));
        header["bert.encoder.layer." + std::to_string(layer) + ".attention.self." + word + ".weight"] = {
            {"dtype", "F32"}, {"shape", {d, d}}, {"data_offsets", {begin, data.size()}}};
      }
    }
    const std::string text = header.dump();
    const std::uint64_t size = text.size();
    std::ofstream file(folder / "model.safetensors", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&size), 8);
    file << text << data;
    return folder.string();
  }
};

class WeightsRig {
 public:
  WeightsRig() : exhibit(makeWeightsExhibit()), pool(2) {
    exhibit->declare(editor.registry);
    editor.history.setCarriedPaths({"weights.view"});
  }
  explicit WeightsRig(const std::string& path) : WeightsRig() {
    set("weights.checkpoint", path);
    settle();
  }

  ExhibitContext context() {
    ExhibitContext c{editor,  jobs, pool, nullptr, Compute::Cpu, scripted, *findTheme(theme),
                     seconds, 1.0f, area, nullptr, 1.0f,         figure};
    c.assets = std::string(SEPX_SOURCE_DIR) + "/assets";
    c.sharedLimits = sharedLimits;
    return c;
  }
  const render::Scene& frame(std::vector<InputEvent> events = {}) {
    ExhibitContext c = context();
    cursor = exhibit->input(c, {std::move(events)});
    exhibit->update(c);
    seconds += 1.0 / 60;
    return *(scene = &exhibit->scene(c));
  }
  const render::Scene& settle() {
    frame();
    for (int i = 0; i < 100; ++i) {
      jobs.finish();
      frame();
      if (exhibit->complete() && jobs.idle()) break;
    }
    return *scene;
  }
  void set(const std::string& key, Value value) {
    const Result<void> done = editor.set(key, value, {});
    if (!done) throw std::runtime_error(done.error().sentence);
  }
  std::string refusal(const std::string& key, Value value) {
    const Result<void> done = editor.set(key, value, {});
    return done ? std::string() : done.error().sentence;
  }
  Result<void> run(const std::string& command) {
    ExhibitContext c = context();
    return exhibit->run(c, command);
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
  /// Window position of row and column of the matrix (the middle of the cell).
  render::Point cell(int row, int column) const {
    const render::Point page = render::toPage(*scene, {column + 0.5, -row - 0.5});
    return {page.x + area.min.x, page.y + area.min.y};
  }
  void drag(render::Point from, render::Point to, bool shift = false) {
    frame({PointerMoved{from.x, from.y, {}}});
    frame({PointerPressed{Button::Left, true, from.x, from.y, Modifiers{.shift = shift}}});
    for (int i = 1; i <= 5; ++i)
      frame({PointerMoved{from.x + (to.x - from.x) * i / 5, from.y + (to.y - from.y) * i / 5,
                          Modifiers{.shift = shift}}});
    frame({PointerPressed{Button::Left, false, to.x, to.y, Modifiers{.shift = shift}}});
  }
  void click(render::Point p) {
    frame({PointerMoved{p.x, p.y}});
    frame({PointerPressed{Button::Left, true, p.x, p.y, {}}});
    frame({PointerPressed{Button::Left, false, p.x, p.y, {}}});
  }
  const render::Layer* layer(const std::string& name) const { return Rig::layer(*scene, name); }
  template <class T>
  std::vector<T> items(const std::string& name) const {
    std::vector<T> found;
    if (const render::Layer* in = layer(name))
      for (const render::Item& item : in->items)
        if (const auto* hit = std::get_if<T>(&item)) found.push_back(*hit);
    return found;
  }
  std::string texts(const std::string& name) const {
    std::string all;
    for (const render::Label& label : items<render::Label>(name))
      all += label.text + "\n";
    return all;
  }

  RigEditor editor;
  std::unique_ptr<Exhibit> exhibit;
  ThreadPool pool;
  Jobs jobs;
  std::string theme = "dark";
  render::Rect area{{20, 10}, {1000, 660}};
  double seconds = 0;
  bool scripted = true, figure = false;
  std::optional<ColorLimits> sharedLimits;
  Cursor cursor = Cursor::Arrow;
  const render::Scene* scene = nullptr;
};

}  // namespace sepx::ui
