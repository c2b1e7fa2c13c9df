// SPDX-License-Identifier: Apache-2.0
// The full text of a shortened text is in the tooltip under the pointer: on every page of every exhibit, in small and
// large windows.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "ui/canvas/cut_texts.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

std::string withoutSpaces(std::string text) {
  std::erase(text, ' ');
  std::erase(text, '\n');
  return text;
}

/// The texts of the present tooltips, with symbols as they are typed.
std::string tipTexts(const render::Scene& scene) {
  std::vector<render::Label> labels;
  for (const render::Layer& layer : scene.layers)
    if (layer.name.ends_with("tip"))
      for (const render::Item& item : layer.items)
        if (const auto* label = std::get_if<render::Label>(&item)) labels.push_back(*label);
  return withoutSpaces(readLabels(labels));
}

struct SeenCut {
  std::string layer, whole;
  render::Point at;
};

/// The shortened labels in the present picture. `noted`: the texts shortened since the page became visible.
std::vector<SeenCut> seenCuts(const render::Scene& scene, const std::vector<CutText>& noted) {
  std::vector<SeenCut> seen;
  for (const render::Layer& layer : scene.layers)
    for (const CutPlace& place : cutPlaces(layer.items, noted))
      seen.push_back({layer.name,
                      place.whole,
                      {(place.box.min.x + place.box.max.x) / 2, (place.box.min.y + place.box.max.y) / 2}});
  return seen;
}

void checkCuts(ExhibitRig& rig, const std::string& what, std::size_t& count) {
  for (const render::Point size : {render::Point{738, 648}, {640, 400}, {420, 330}, {1280, 680}}) {
    rig.area = {{0, 0}, size};
    rig.frame({PointerLeft{}});
    std::vector<SeenCut> seen;
    {
      const CutTexts noted;
      rig.settle();
      seen = seenCuts(*rig.scene, noted.all());
    }
    for (const SeenCut& one : seen) {
      if (one.layer == "strip" || one.layer.ends_with(".transport")) continue;  // buttons; their commands have names
      ++count;
      rig.frame({RigBase::move(one.at)});
      INFO(what << ", " << size.x << " x " << size.y << ", " << one.layer << ": " << one.whole);
      CHECK(tipTexts(*rig.scene).find(withoutSpaces(one.whole)) != std::string::npos);
    }
  }
}

}  // namespace

TEST_CASE("flow: the full text of a shortened text is in its tooltip", "[words][cut]") {
  std::size_t count = 0;
  for (const char* page : {"plane", "space", "bias", "optimisers", "chain"}) {
    Rig rig;
    rig.set("flow.page", std::string(page));
    checkCuts(rig, page, count);
  }
}

TEST_CASE("weights: the full text of a shortened text is in its tooltip", "[words][cut]") {
  const std::string path = TinyBert(64, 4).write("cut-words");
  std::size_t count = 0;
  for (const char* page : {"matrix", "wall", "charts", "compare", "form", "mapping"}) {
    WeightsRig rig(path);
    rig.set("weights.page", std::string(page));
    checkCuts(rig, page, count);
  }
  WeightsRig rig(tests::sourceFolder() + "/assets/models/decoder");
  rig.set("weights.page", std::string("sentence"));
  checkCuts(rig, "sentence", count);
}

TEST_CASE("training: the full text of a shortened text is in its tooltip", "[words][cut]") {
  TrainingRig rig;
  rig.start("encoder-decoder", 10);
  std::size_t count = 0;
  for (const char* page : {"experiments", "own", "curves", "structure", "update", "sequence", "norms", "matrices",
                           "library", "published"}) {
    rig.set("training.page", std::string(page));
    checkCuts(rig, page, count);
  }
  CHECK(count > 0);
}

TEST_CASE("reversal: the full text of a shortened text is in its tooltip", "[words][cut]") {
  std::size_t count = 0;
  for (const char* page : {"race", "routing", "correlation", "gradients", "ideal", "tables", "checkpoint"}) {
    SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, page);
    checkCuts(rig, page, count);
  }
  CHECK(count > 0);
}
