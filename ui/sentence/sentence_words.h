// SPDX-License-Identifier: Apache-2.0
// The tokens of the sentence: from the tokenizer beside the weights or one that a person chose, from a list of words
// where the files have no more than that, or from ids that are typed; with the tokens that a person replaced. Immutable
// once made; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/core/result.h"
#include "engine/forward/activations.h"
#include "engine/tokenizer/tokenizer.h"
#include "ui/sentence/sentence_image.h"

namespace sepx::ui {

/// What goes through a model when nobody typed anything.
inline constexpr const char* kExampleText = "The dog that chases the cat sees a bird.";
inline constexpr std::size_t kLongestSentence = 100'000;  ///< bytes of a text that is split into tokens

/// Text to ids and back.
class SentenceWords {
 public:
  /// `chosen`: a file or folder that a person named; empty: what lies beside the checkpoint. Where a folder has words
  /// and no rule of splitting (vocab.json without merges), a text is split into the longest words that fit, and note()
  /// says so. Where the rule is there and cannot be used (a faulty file), words are shown, encode() gives the error,
  /// and note() says so. BadInput: there is neither rule nor words.
  static Result<std::shared_ptr<const SentenceWords>> open(const checkpoint::Checkpoint& checkpoint,
                                                           const std::string& chosen);

  /// Of a source that is no file, as the data of a run: its words, how it splits a text, its token for a masked one,
  /// and what goes through the model where nothing is typed.
  struct Given {
    checkpoint::Vocabulary words;
    std::function<Result<std::vector<tokenizer::Token>>(std::string_view text)> encode;
    std::optional<std::int32_t> mask;
    std::vector<std::int32_t> example;
    std::size_t longest = 0;  ///< tokens behind so many are left out of a text; 0: none are
  };
  static std::shared_ptr<const SentenceWords> of(Given given);
  /// Of a model that reads images: the names of its classes, which it predicts.
  static std::shared_ptr<const SentenceWords> ofClasses(std::vector<std::string> names);

  /// Usage: the text is too long or not UTF-8; BadInput as of Tokenizer::encode, or a word that is not in the list.
  Result<std::vector<tokenizer::Token>> encode(std::string_view text, bool addSpecial) const;
  Result<std::string> decode(const std::vector<std::int32_t>& ids) const;
  /// One line as a person reads it: a leading blank is "␣", what is no character is escaped, long ones are cut.
  std::string shown(std::int32_t id) const;
  /// The token of this text: as stored, as it is read, with a leading blank.
  std::optional<std::int32_t> find(std::string_view text) const;
  std::optional<std::int32_t> mask() const { return mask_; }
  /// See Given; null: it is of a file.
  const Given* given() const { return given_ ? &*given_ : nullptr; }
  bool special(std::int32_t id) const;
  std::size_t size() const;
  /// A sentence where more tokens are known than a table has rows; empty: they may belong together.
  std::string beyond(std::int64_t rows) const;
  const std::string& from() const { return from_; }  ///< "tokenizer.json"
  const std::string& note() const { return note_; }  ///< a sentence; empty: nothing is to be said

 private:
  Result<std::vector<tokenizer::Token>> encodeByWords(std::string_view text) const;
  std::string bytesOf(std::int32_t id) const;
  void useWords(checkpoint::Vocabulary words);
  void findMask(const checkpoint::Checkpoint& checkpoint);

  tokenizer::Opened tokenizer_;  ///< null: words_ alone
  checkpoint::Vocabulary words_;
  std::unordered_map<std::string, std::int32_t> idOf_;  ///< of words_, by what they stand for
  std::size_t longest_ = 0;                             ///< bytes of the longest key of idOf_
  std::optional<std::int32_t> mask_, unknown_;
  std::optional<Given> given_;
  bool classes_ = false;          ///< words_ are names of classes, shown as they are
  std::optional<Error> refusal_;  ///< of every text: the rule for splitting is there and cannot be used
  std::string from_, note_;
};
using SentenceWordsPointer = std::shared_ptr<const SentenceWords>;

/// A token that a person put at a place in place of the one that the text has.
using SentenceEdits = std::vector<std::pair<int, std::int32_t>>;
/// "3:103, 5:2054", by place; what is not of this form is left out.
SentenceEdits editsOf(std::string_view text);
std::string textOf(const SentenceEdits& edits);
/// "12, 7 305": Usage names what is not an id, and where one is missing between two commas.
Result<std::vector<std::int32_t>> idsOf(std::string_view text);
std::string textOf(const std::vector<std::int32_t>& ids);

struct SentenceToken {
  std::int32_t id = 0, original = 0;  ///< `original`: of the text
  std::string shown;
  bool added = false;   ///< put around the text by the tokenizer
  bool edited = false;  ///< replaced by a person
  bool masked = false;
};

struct SentenceTokens {
  std::vector<SentenceToken> tokens;
  SentenceWordsPointer words;  ///< null: ids alone
  std::string text;            ///< that they are of; empty: of ids
  bool example = false;        ///< nothing was typed: a sentence of the program's
  std::string note;            ///< what was left out of the text, a sentence; empty: nothing
  std::vector<std::int32_t> ids() const;
  /// What goes through the model.
  forward::Input input() const;
  SentenceImagePointer image;  ///< in place of a text: tokens are its patches, with ids of −1
  int size() const { return static_cast<int>(tokens.size()); }
};
using SentenceTokensPointer = std::shared_ptr<const SentenceTokens>;

/// What a person typed.
struct SentenceRequest {
  SentenceWordsPointer words;
  std::string text, ids, edits;
  std::vector<int> hidden;     ///< places that are masked; those behind the end count for nothing
  SentenceImagePointer image;  ///< in place of all of these
  bool special = true;
  std::int64_t vocabulary = 0;  ///< rows of the model's table
  bool operator==(const SentenceRequest&) const = default;
};
/// Of the ids where there are any, else of the text. An example in place of kExampleText where that has no tokens, and
/// of an empty text where SentenceWords::Given has one. Usage and BadInput in one sentence; an empty text is refused.
Result<SentenceTokensPointer> tokensOf(const SentenceRequest& request);

/// How a token that has no words is called.
std::string shownId(std::int32_t id);

}  // namespace sepx::ui
