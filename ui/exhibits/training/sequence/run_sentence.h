// SPDX-License-Identifier: Apache-2.0
// A run at a step as the page Sentence reads it (ui/sentence): its parameters under the names of the nearest family, as
// a checkpoint in memory, and the words of its data. Made in a job; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/checkpoint/model_cache.h"
#include "engine/core/result.h"
#include "ui/race/run_model.h"
#include "ui/sentence/sentence_words.h"

namespace sepx::ui {

struct RunSentence {
  std::string folder;  ///< of the run
  std::int64_t step = -1;
  ModelSource source = ModelSource::Checkpoint;
  std::shared_ptr<const checkpoint::Model> model;
  SentenceWordsPointer words;
};
using RunSentencePointer = std::shared_ptr<const RunSentence>;

struct RunSentenceAsk {
  ModelRequest model;         ///< all parameters
  RunSentencePointer before;  ///< of the same run: its words are kept; null: there is none
  bool operator==(const RunSentenceAsk& other) const { return model == other.model; }
};

/// BadInput with a sentence: parameters or data that cannot be read.
Result<RunSentencePointer> makeRunSentence(const RunSentenceAsk& ask);

}  // namespace sepx::ui
