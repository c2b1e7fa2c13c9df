// SPDX-License-Identifier: Apache-2.0
// A run at a step in the form that the page Sentence (ui/sentence) reads: its parameters as a checkpoint in memory,
// under the names of the most similar model family, and the words of its data. Made in a job; any thread.
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

struct RunSentenceRequest {
  ModelRequest model;         ///< requests all parameters
  RunSentencePointer before;  ///< the last result; if it is of the same run, its words are reused; null: none
  bool operator==(const RunSentenceRequest& other) const { return model == other.model; }
};

/// Fails with BadInput and a one-sentence message if the run reads images or its parameters or data cannot be read.
Result<RunSentencePointer> makeRunSentence(const RunSentenceRequest& request);

}  // namespace sepx::ui
