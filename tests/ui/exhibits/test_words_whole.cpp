// SPDX-License-Identifier: Apache-2.0
// No page writes words over words or past its edge: every page of every exhibit, in small and large windows, in a theme
// with usual and in one with large type.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "tests/ui/page/words_apart.h"
#include "ui/properties/language.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// The transport covers what is scrolled below it, the legend of a space what is behind it.
bool mayMeet(const Word& a, const Word& b) {
  const auto covers = [](const Word& word) {
    return word.layer.ends_with(".transport") || word.layer == "space.legend";
  };
  return covers(a) != covers(b);
}

/// As many windows as a studio has: with and without docks at 1280x720 and 1920x1080, one pane of two, one of four.
void checkWords(ExhibitRig& rig, const std::string& what) {
  for (const char* theme : {"dark", "projector"}) {
    rig.theme = theme;
    for (const render::Point size :
         {render::Point{738, 648}, {1378, 1007}, {960, 372}, {640, 400}, {1280, 680}, {420, 330}}) {
      rig.area = {{0, 0}, size};
      const std::string faults = wordFaults(rig.settle(), size.x, mayMeet);
      INFO(what << ", " << theme << ", " << size.x << " x " << size.y << faults);
      CHECK(faults.empty());
    }
  }
}

/// Another language as long as it lives.
struct Speaking {
  explicit Speaking(const char* language) { REQUIRE(setLanguage(language)); }
  ~Speaking() { static_cast<void>(setLanguage(kEnglish)); }
};

}  // namespace

// "pseudo": every word is longer by 40 %, as in German.
TEST_CASE("words lie over no others in other languages", "[words][language]") {
  for (const char* language : {"pseudo", "zh_CN"}) {
    const Speaking speaking(language);
    for (const char* page : {"plane", "space", "bias", "optimisers", "chain"}) {
      Rig rig;
      rig.set("flow.page", std::string(page));
      checkWords(rig, std::string(language) + ", " + page);
    }
    const std::string path = TinyBert(64, 4).write("words");
    for (const char* page : {"matrix", "wall", "charts", "compare", "sentence", "form", "mapping"}) {
      WeightsRig rig(path);
      rig.set("weights.page", std::string(page));
      checkWords(rig, std::string(language) + ", " + page);
    }
    for (const char* page : {"race", "routing", "correlation", "gradients", "ideal", "tables", "checkpoint"}) {
      SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, page);
      checkWords(rig, std::string(language) + ", " + page);
    }
  }
}

TEST_CASE("flow: words lie over no others on any page", "[words]") {
  for (const char* page : {"plane", "space", "bias", "optimisers", "chain"}) {
    Rig rig;
    rig.set("flow.page", std::string(page));
    checkWords(rig, page);
  }
}

TEST_CASE("weights: words lie over no others on any page", "[words]") {
  const std::string path = TinyBert(64, 4).write("words");
  for (const char* page : {"matrix", "wall", "charts", "compare", "sentence", "form", "mapping"}) {
    WeightsRig rig(path);
    rig.set("weights.page", std::string(page));
    checkWords(rig, page);
  }
}

TEST_CASE("weights: words lie over no others on the page of a sentence", "[words]") {
  for (const char* model : {"decoder", "encoder", "mdm"}) {
    WeightsRig rig(tests::sourceFolder() + "/assets/models/" + model);
    rig.set("weights.page", std::string("sentence"));
    checkWords(rig, model);
    rig.set("weights.sentence.how", std::string("zero"));
    rig.set("weights.sentence.look", std::string("lines"));
    rig.set("weights.sentence.order", std::string("entropy"));
    rig.set("weights.sentence.model", true);
    checkWords(rig, std::string(model) + ", changed");
  }
}

TEST_CASE("reversal: words lie over no others on any page", "[words]") {
  for (const char* page : {"race", "routing", "correlation", "gradients", "ideal", "tables", "checkpoint"}) {
    SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, page);
    checkWords(rig, page);
  }
}
