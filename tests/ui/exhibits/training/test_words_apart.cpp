// SPDX-License-Identifier: Apache-2.0
// No page of Training writes words over words or past its edge, in small and large windows, in every theme, at scale 1
// and 2, with two runs and with four.
#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/page/words_apart.h"
#include "tests/ui/page/words_readable.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

void checkWords(TrainingRig& rig, const std::string& page) {
  // The transport covers what is scrolled below it.
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

TEST_CASE("training: words lie over no others on any page", "[training]") {
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

TEST_CASE("training: what stands below the matrices of four runs is left out rather than cut", "[training]") {
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
