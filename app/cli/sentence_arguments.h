// SPDX-License-Identifier: Apache-2.0
// What the verbs of a forward pass share: the checkpoint, the sentence (ids, a text, or an image), and the names of its
// tokens. Main thread.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/checkpoint_arguments.h"
#include "app/cli/json_out.h"
#include "engine/core/result.h"
#include "engine/forward/forward_pass.h"
#include "ui/sentence/sentence_words.h"

namespace sepx::app::cli {

/// A model with what it is to read.
struct SentenceInput {
  Model stored;
  std::shared_ptr<const forward::ForwardModel> model;
  ui::SentenceWordsPointer words;  ///< null: nothing beside the weights says what the tokens are, and ids were given
  forward::Input input;
  /// What a person should know of the tokenizer: whole sentences.
  std::vector<std::string> notes;

  /// A token as a person reads it (a leading blank is ␣), or its number where that is not known.
  std::string token(std::int64_t id) const;
  /// The notes, a line each.
  void printNotes(std::ostream& err) const;
  /// "ids" and, where they are known, "tokens".
  void addTo(Json& json) const;
};

class SentenceArgument {
 public:
  /// `pixels`: an image may be given too.
  void declare(CLI::App& command, bool pixels);
  /// Usage: none or several of --ids, --text, --pixels. BadInput as of ForwardModel::open and SentenceWords::open, and
  /// where tokenizer and weights do not belong together.
  Result<SentenceInput> read() const;
  const std::string& path() const { return path_; }

 private:
  Result<forward::Input> inputFor(const SentenceInput& sentence) const;
  Result<void> openWords(SentenceInput& sentence) const;
  void addNotes(SentenceInput& sentence) const;

  std::string path_, ids_, text_, pixels_, tokenizer_;
  bool given_ = false;
  RulesArgument rules_;
};

}  // namespace sepx::app::cli
