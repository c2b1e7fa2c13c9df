// SPDX-License-Identifier: Apache-2.0
// A Weights exhibit with everything that a Workbench provides, without a window or a device, on small checkpoints that
// the test writes: BERT-like, two layers, factors with known numbers.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "engine/core/random.h"
#include "tests/folders.h"
#include "tests/ui/page/exhibit_rig.h"
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

  /// The entry of W_qk = sum_h W_Q^h (W_K^h)^T by a literal loop; head -1: all heads.
  double entry(int layer, int head, int row, int column) const {
    const int d_h = d / heads;
    double sum = 0;
    for (int a = 0; a < d; ++a)
      if (head < 0 || a / d_h == head) sum += double(query[layer](a, row)) * double(key[layer](a, column));
    return sum;
  }

  /// Writes model.safetensors and config.json; returns the folder.
  std::string write(const std::string& name) const {
    const std::filesystem::path folder =
        std::filesystem::path(tests::buildFolder()) / "tests" / "weights_exhibit" / name;
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

/// Layers of the matrix page with the parts of a matrix.
inline constexpr const char* kMatrixLayers[] = {"matrix.full", "matrix.symmetric", "matrix.skew"};
/// Their pictures in the last frame.
inline std::vector<render::Heatmap> matrixPictures(const RigBase& rig) {
  std::vector<render::Heatmap> maps;
  for (const char* const layer : kMatrixLayers)
    for (const render::Heatmap& map : rig.items<render::Heatmap>(layer))
      maps.push_back(map);
  return maps;
}

/// Rows and columns that a picture covers: x = column, y = -row.
inline render::Rect entriesOf(const RigBase& rig, const render::Heatmap& map) {
  return {render::toData(*rig.scene, {map.extent.min.x, map.extent.max.y}),
          render::toData(*rig.scene, {map.extent.max.x, map.extent.min.y})};
}

class WeightsRig : public ExhibitRig {
 public:
  WeightsRig() : ExhibitRig(makeWeightsExhibit()) {
    area = {{20, 10}, {1000, 660}};
    editor.history.setCarriedPaths({"weights.view"});
  }
  explicit WeightsRig(const std::string& path) : WeightsRig() {
    set("weights.checkpoint", path);
    settle();
  }

  /// Window position of a cell of the matrix (its middle).
  render::Point cell(int row, int column) const {
    const render::Point page = render::toPage(*scene, {column + 0.5, -row - 0.5});
    return {page.x + area.min.x, page.y + area.min.y};
  }
};

}  // namespace sepx::ui
