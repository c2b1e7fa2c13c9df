// SPDX-License-Identifier: Apache-2.0
// The page Structure: scores of every layer over steps, coloured by depth, with their median and quartiles.
#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/race/run_charts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// Both models of the first experiment with `layers` layers, trained for 20 steps.
class LayersRig : public TrainingRig {
 public:
  explicit LayersRig(int layers) : TrainingRig(20) {
    const std::filesystem::path configs = std::filesystem::path(context().assets) / "configs";
    for (const char* const name : experiments().front().configs) {
      const std::filesystem::path file = configs / (std::string(name) + ".json");
      nlohmann::ordered_json config;
      std::ifstream(file) >> config;
      config["model"]["layers"] = layers;
      std::ofstream(file) << config.dump(2);
    }
    start(experiments().front().key, 20);
    set("training.page", std::string("structure"));
    settle();
  }
  std::vector<render::Polyline> lines() const { return items<render::Polyline>("training.structure.symmetry"); }
  std::size_t bands() const { return items<render::Fill>("training.structure.symmetry").size(); }
  bool has(render::Color color) const {
    const std::vector<render::Polyline> all = lines();
    return std::any_of(all.begin(), all.end(), [color](const render::Polyline& line) {
      return line.stroke.color.r == color.r && line.stroke.color.g == color.g && line.stroke.color.b == color.b;
    });
  }
};

}  // namespace

TEST_CASE("structure: layers are coloured by depth, with median and quartiles", "[training]") {
  LayersRig rig(4);
  const Theme& theme = *findTheme("dark");
  const std::size_t both = rig.bands();
  for (int layer = 0; layer < 4; ++layer)
    CHECK(rig.has(depthColor(theme, layer, 4)));
  rig.set("training.layers", std::string("lines"));
  rig.settle();
  CHECK(rig.bands() < both);  // without the area between the quartiles
  for (int layer = 0; layer < 4; ++layer)
    CHECK(rig.has(depthColor(theme, layer, 4)));
  rig.set("training.layers", std::string("quartiles"));
  rig.settle();
  CHECK(rig.bands() == both);
  CHECK_FALSE(rig.has(depthColor(theme, 1, 4)));
  CHECK(rig.texts("training.structure.legend").find("median and quartiles") != std::string::npos);
  CHECK(rig.texts("training.structure.legend").find("layer 1") == std::string::npos);  // this line is not drawn
}

TEST_CASE("structure: two layers are shown as lines, and as median and quartiles on request", "[training]") {
  LayersRig rig(2);
  const Theme& theme = *findTheme("dark");
  const std::size_t lines = rig.bands();
  CHECK(rig.has(depthColor(theme, 0, 2)));
  CHECK(rig.has(depthColor(theme, 1, 2)));
  rig.set("training.layers", std::string("quartiles"));
  rig.settle();
  CHECK(rig.bands() > lines);
  CHECK_FALSE(rig.has(depthColor(theme, 1, 2)));
}
