// SPDX-License-Identifier: Apache-2.0
// No page of Training writes words over words or past its edge, in small and large windows, with two runs and with
// four.
#include <set>

#include <catch2/catch.hpp>

#include "tests/ui/exhibits/training/training_rig.h"
#include "ui/canvas/shapes.h"

using namespace sepx;
using namespace sepx::ui;

namespace {

struct Word {
  std::string layer, text;
  render::Rect box;
};

render::Rect boxOf(const render::Label& label) {
  const double width = textWidth(label.text, label.size), height = 0.8 * label.size;
  const double left = label.alignX == render::AlignX::Left     ? 0
                      : label.alignX == render::AlignX::Center ? width / 2
                                                               : width;
  const double top = label.alignY == render::AlignY::Middle ? height / 2
                     : label.alignY == render::AlignY::Top  ? 0
                                                            : height;
  const render::Point at{label.at.x + label.offset.x - left, label.at.y + label.offset.y - top};
  return {at, {at.x + width, at.y + height}};
}

/// What stands on the page itself; turned labels of axes have a margin of their own.
std::vector<Word> wordsOf(const render::Scene& scene) {
  std::vector<Word> words;
  for (const render::Layer& layer : scene.layers)
    for (const render::Item& item : layer.items)
      if (const auto* label = std::get_if<render::Label>(&item))
        if (!label->vertical && label->space == render::Space::Page && !label->text.empty())
          words.push_back({layer.name, label->text, boxOf(*label)});
  return words;
}

void checkWords(TrainingRig& rig, const std::string& page) {
  for (const render::Point size : {render::Point{738, 648}, {1378, 1007}, {960, 372}, {640, 400}}) {
    rig.area = {{0, 0}, size};
    const std::vector<Word> words = wordsOf(rig.settle());
    std::set<std::string> faults;
    for (std::size_t a = 0; a < words.size(); ++a) {
      const render::Rect& one = words[a].box;
      if (one.min.x < -2 || one.max.x > size.x + 2) faults.insert(words[a].layer + " past the edge: " + words[a].text);
      for (std::size_t b = 0; b < a; ++b) {
        // The transport covers what is scrolled below it.
        if ((words[a].layer == "training.transport") != (words[b].layer == "training.transport")) continue;
        const render::Rect& other = words[b].box;
        if (one.min.x + 1 < other.max.x && other.min.x + 1 < one.max.x && one.min.y + 1 < other.max.y &&
            other.min.y + 1 < one.max.y)
          faults.insert(words[b].layer + ": " + words[b].text + " | " + words[a].layer + ": " + words[a].text);
      }
    }
    std::string all;
    for (const std::string& fault : faults)
      all += "\n  " + fault;
    INFO(page << " " << size.x << " x " << size.y << all);
    CHECK(faults.empty());
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
  for (const auto& [page, layer] : {std::pair("curves", "training.forms"), std::pair("structure", "training.forms"),
                                    std::pair("matrices", "training.matrices")}) {
    rig.set("training.page", std::string(page));
    rig.settle();
    const std::string texts = rig.texts(layer);
    CAPTURE(page, texts);
    CHECK(texts.find("step 40") != std::string::npos);
    CHECK(texts.find("…") == std::string::npos);
  }
}
