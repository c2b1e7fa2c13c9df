// SPDX-License-Identifier: Apache-2.0
// On no page do texts overlap or extend past the edge: every page of every exhibit, in small and large windows, in
// every theme, at scale 1 and 2. The pages of Training: training/test_words_apart.cpp.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/flow/flow_rig.h"
#include "tests/ui/exhibits/reversal/saved_run_rig.h"
#include "tests/ui/exhibits/training/training_rig.h"
#include "tests/ui/exhibits/weights/weights_rig.h"
#include "tests/ui/page/words_apart.h"
#include "tests/ui/page/words_readable.h"
#include "ui/properties/language.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

/// The transport bar covers the content scrolled below it, and the legend of a space covers the space.
bool mayMeet(const Word& a, const Word& b) {
  const auto covers = [](const Word& word) {
    return word.layer.ends_with(".transport") || word.layer == "space.legend";
  };
  return covers(a) != covers(b);
}

void checkWords(ExhibitRig& rig, const std::string& what, const std::vector<std::string>& themes = themeKeys()) {
  for (const std::string& theme : themes) {
    rig.theme = theme;
    for (const auto& [size, scale] : kPageWindows) {
      rig.area = {{0, 0}, size};
      rig.scale = scale;
      const render::Scene& scene = rig.settle();
      const std::string faults = wordFaults(scene, size.x, mayMeet) + contrastFaults(scene, *findTheme(theme));
      INFO(what << ", " << theme << ", " << size.x << " x " << size.y << " at " << scale << faults);
      CHECK(faults.empty());
    }
  }
}

/// Themes with normal and with large text.
const std::vector<std::string> kTypes{"dark", "projector"};

/// Sets another language during its lifetime.
struct Speaking {
  explicit Speaking(const char* language) { REQUIRE(setLanguage(language)); }
  ~Speaking() { static_cast<void>(setLanguage(kEnglish)); }
};

}  // namespace

// "pseudo": every word is 40 % longer, as in German.
TEST_CASE("Texts do not overlap in other languages", "[words][language]") {
  for (const char* language : {"pseudo", "zh_CN"}) {
    const Speaking speaking(language);
    for (const char* page : {"plane", "space", "bias", "optimisers", "chain"}) {
      Rig rig;
      rig.set("flow.page", std::string(page));
      checkWords(rig, std::string(language) + ", " + page, kTypes);
    }
    const std::string path = TinyBert(64, 4).write("words");
    for (const char* page : {"matrix", "wall", "charts", "compare", "sentence", "form", "mapping"}) {
      WeightsRig rig(path);
      rig.set("weights.page", std::string(page));
      checkWords(rig, std::string(language) + ", " + page, kTypes);
    }
    for (const char* page : {"race", "routing", "correlation", "gradients", "ideal", "tables", "checkpoint"}) {
      SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, page);
      checkWords(rig, std::string(language) + ", " + page, kTypes);
    }
  }
}

TEST_CASE("flow: texts do not overlap on any page", "[words]") {
  for (const char* page : {"plane", "space", "bias", "optimisers", "chain"}) {
    Rig rig;
    rig.set("flow.page", std::string(page));
    checkWords(rig, page);
  }
}

TEST_CASE("flow: names of paths, limits and initial points do not overlap, in every theme and window", "[words]") {
  for (const char* page : {"bias", "optimisers"}) {
    Rig rig;
    REQUIRE(rig.add(0.3, -0.4));
    rig.set("flow.page", std::string(page));
    for (const std::string& theme : themeKeys()) {
      rig.theme = theme;
      for (const auto& [size, scale] : kPageWindows) {
        rig.area = {{0, 0}, size};
        rig.scale = scale;
        const std::vector<Word> names = namesOf(rig.settle(), {".names", "points", "handles"});
        INFO(page << ", " << theme << ", " << size.x << " x " << size.y);
        REQUIRE(names.size() >= 4);
        for (std::size_t a = 0; a < names.size(); ++a)
          for (std::size_t b = 0; b < a; ++b) {
            const render::Rect &one = names[a].box, &other = names[b].box;
            INFO(names[a].layer << ": " << names[a].text << " | " << names[b].layer << ": " << names[b].text);
            CHECK_FALSE((one.min.x + 1 < other.max.x && other.min.x + 1 < one.max.x && one.min.y + 1 < other.max.y &&
                         other.min.y + 1 < one.max.y));
          }
      }
    }
  }
}

TEST_CASE("weights: texts do not overlap on any page", "[words]") {
  const std::string path = TinyBert(64, 4).write("words");
  for (const char* page : {"matrix", "wall", "charts", "compare", "sentence", "form", "mapping"}) {
    WeightsRig rig(path);
    rig.set("weights.page", std::string(page));
    checkWords(rig, page);
  }
}

TEST_CASE("weights: texts do not overlap on the page Sentence", "[words]") {
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

TEST_CASE("reversal: texts do not overlap on any page", "[words]") {
  for (const char* page : {"race", "routing", "correlation", "gradients", "ideal", "tables", "checkpoint"}) {
    SavedRunRig rig({tinyPairsConfig(), tinyCausalConfig()}, page);
    checkWords(rig, page);
  }
}
