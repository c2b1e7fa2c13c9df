// SPDX-License-Identifier: Apache-2.0
// The page Sentence with small models, without a window or a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/engine/checkpoint/tiny_models.h"
#include "tests/folders.h"
#include "tests/ui/exhibits/weights/weights_pages_rig.h"
#include "ui/exhibits/weights/sentence/sentence_page.h"

namespace sepx::ui {

/// A text whose words are tokens of the bundled models.
inline constexpr const char* kDogs = "The dog that chases the cat sees a bird.";

struct SentenceRig : PageRig {
  explicit SentenceRig(const std::string& path) : PageRig(makeSentencePage()) {
    area = {{0, 40}, {1180, 760}};
    open(path);
    set("weights.page", std::string("sentence"));
    settle();
  }
  static std::string bundled(const std::string& name) { return tests::sourceFolder() + "/assets/models/" + name; }

  SentencePage& sentence() { return dynamic_cast<SentencePage&>(*page); }
  const SentenceResults& results() { return sentence().results(); }
  /// The place of a script's coordinates in a view: column and row of a matrix, head and layer of the wall.
  render::Point at(const std::string& view, double x, double y) {
    for (const ReadableView& one : page->board().readable())
      if (one.name == "sentence." + view && one.at)
        if (const auto place = one.at({x, y})) return *place;
    throw std::runtime_error("no place in " + view);
  }
  /// The data from which the views are made.
  struct InSight {
    explicit InSight(SentenceRig& rig)
        : source(rig.sentence().sourceOf(rig.shared)),
          frame(sentenceFrame(source, rig.pageFrame())),
          shown{frame, rig.sentence().state(), rig.results()} {}
    SentenceSource source;
    SentenceFrame frame;
    SentenceShown shown;
  };
  std::vector<std::string> tokens() {
    std::vector<std::string> all;
    for (const SentenceToken& token : results().tokens()->tokens)
      all.push_back(token.shown);
    return all;
  }
};

/// Writes the tiny LLaMA with a tokenizer of ten words.
inline std::string llamaWithWords(const checkpoint::made::Folder& folder, checkpoint::made::TinyModel model) {
  const std::string path = model.write(folder, "words");
  folder.write("words/tokenizer.json",
               R"({"added_tokens":[],"normalizer":null,"pre_tokenizer":{"type":"Whitespace"},"post_processor":null,)"
               R"("decoder":null,"model":{"type":"WordLevel","unk_token":"<unk>","vocab":{"<unk>":0,"the":1,"cat":2,)"
               R"("dog":3,"sees":4,"a":5,"bird":6,"and":7,"old":8,"[MASK]":9}}})");
  return path;
}

}  // namespace sepx::ui
