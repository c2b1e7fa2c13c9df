// SPDX-License-Identifier: Apache-2.0
// On no page of Training do texts overlap or extend past the edge, in small and large windows, in every theme, at scale
// 1 and 2, with two and with four runs.
#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/page/words_apart.h"
#include "tests/ui/page/words_readable.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

void checkWords(TrainingRig& rig, const std::string& page) {
  // The transport bar covers the content that is scrolled below it.
  const auto covered = [](const Word& a, const Word& b) {
    return (a.layer == "training.transport") != (b.layer == "training.transport");
  };
  for (const std::string& theme : themeKeys()) {
    rig.theme = theme;
    for (const auto& [size, scale] : kPageWindows) {
      rig.area = {{0, 0}, size};
      rig.scale = scale;
      const render::Scene& scene = rig.settle();
      const std::string faults = wordFaults(scene, size.x, covered) + contrastFaults(scene, *findTheme(theme));
      INFO(page << ", " << theme << ", " << size.x << " x " << size.y << " at " << scale << faults);
      CHECK(faults.empty());
    }
  }
}

}  // namespace

TEST_CASE("training: texts do not overlap on any page", "[training]") {
  for (const char* experiment : {"markov-start", "encoder-decoder"}) {
    TrainingRig rig;
    rig.start(experiment, 40);
    for (const char* page : {"experiments", "curves", "structure", "matrices", "sequence", "update", "theory", "norms",
                             "published", "own", "library"}) {
      rig.set("training.page", std::string(page));
      checkWords(rig, std::string(experiment) + ", " + page);
    }
  }
}

TEST_CASE("training: texts below the matrices of four runs are left out rather than shortened", "[training]") {
  TrainingRig rig;
  rig.area = {{0, 0}, {738, 648}};
  rig.start("markov-start", 40);
  for (const char* layer : {"training.curves.form3", "training.structure.form3", "training.matrices.matrix3"}) {
    const std::string page = layer;
    rig.set("training.page", page.substr(9, page.find('.', 9) - 9));
    rig.settle();
    const std::string texts = rig.texts(layer);
    CAPTURE(layer, texts);
    CHECK(texts.find("step 40") != std::string::npos);
    CHECK(texts.find("…") == std::string::npos);
  }
}
