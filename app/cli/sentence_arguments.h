// SPDX-License-Identifier: Apache-2.0
// Arguments that the verbs of a forward pass share: the checkpoint, the sentence (ids, a text, or an image), and the
// names of its tokens. Main thread.
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

/// A model and its input.
struct SentenceInput {
  Model stored;
  std::shared_ptr<const forward::ForwardModel> model;
  ui::SentenceWordsPointer words;  ///< null: no tokenizer beside the weights, and ids were given
  forward::Input input;
  /// Notes about the tokenizer for the user, whole sentences.
  std::vector<std::string> notes;

  /// A token as readable text (a leading blank is ␣), or its number if the text is not known.
  std::string token(std::int64_t id) const;
  /// Prints the notes, one per line.
  void printNotes(std::ostream& err) const;
  /// Adds "ids" and, if they are known, "tokens".
  void addTo(Json& json) const;
};

class SentenceArgument {
 public:
  /// `pixels`: an image may be given too.
  void declare(CLI::App& command, bool pixels);
  /// Usage if none or several of --ids, --text, --pixels are given. BadInput as in ForwardModel::open and
  /// SentenceWords::open, and if tokenizer and weights do not belong together.
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
