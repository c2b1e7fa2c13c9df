// SPDX-License-Identifier: Apache-2.0
// The tokens of the sentence: from the tokenizer beside the weights or one that the user chose, from a list of words if
// the files have nothing more, or from typed ids; with the tokens that the user replaced. Immutable once made; any
// thread.
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

/// The input of a model if the user has typed nothing.
inline constexpr const char* kExampleText = "The dog that chases the cat sees a bird.";
inline constexpr std::size_t kLongestSentence = 100'000;  ///< bytes of a text that is split into tokens

/// Converts a text to ids and back.
class SentenceWords {
 public:
  /// `chosen`: a file or folder that the user named; empty: the files beside the checkpoint. If a folder has words but
  /// no rule for splitting (vocab.json without merges), a text is split into the longest words that fit, and note()
  /// says so. If there is a rule that cannot be used (a faulty file), words are shown, encode() returns the error, and
  /// note() says so. BadInput if there is neither a rule nor words.
  static Result<std::shared_ptr<const SentenceWords>> open(const checkpoint::Checkpoint& checkpoint,
                                                           const std::string& chosen);

  /// For a source that is not a file, such as the data of a run: its words, its rule for splitting a text, its mask
  /// token, and the input if nothing is typed.
  struct Given {
    checkpoint::Vocabulary words;
    std::function<Result<std::vector<tokenizer::Token>>(std::string_view text)> encode;
    std::optional<std::int32_t> mask;
    std::vector<std::int32_t> example;
    std::size_t longest = 0;  ///< tokens of a text after this number are left out; 0: none are
  };
  static std::shared_ptr<const SentenceWords> of(Given given);
  /// For a model that reads images: the names of the classes that it predicts.
  static std::shared_ptr<const SentenceWords> ofClasses(std::vector<std::string> names);

  /// Usage error if the text is too long or not UTF-8. BadInput as from Tokenizer::encode, or for a word that is not in
  /// the list.
  Result<std::vector<tokenizer::Token>> encode(std::string_view text, bool addSpecial) const;
  Result<std::string> decode(const std::vector<std::int32_t>& ids) const;
  /// A readable single line: a leading space is "␣", bytes that are no character are escaped, long tokens are cut.
  std::string shown(std::int32_t id) const;
  /// The token of this text: as stored, as encoded, with a leading space, or as "#" and an id.
  std::optional<std::int32_t> find(std::string_view text) const;
  std::optional<std::int32_t> mask() const { return mask_; }
  /// See Given; null: the words are from a file.
  const Given* given() const { return given_ ? &*given_ : nullptr; }
  bool special(std::int32_t id) const;
  std::size_t size() const;
  /// A sentence if there are more tokens than a table has rows; empty: they may belong together.
  std::string beyond(std::int64_t rows) const;
  const std::string& from() const { return from_; }  ///< "tokenizer.json"
  const std::string& note() const { return note_; }  ///< one sentence; empty: none

 private:
  Result<std::vector<tokenizer::Token>> encodeByWords(std::string_view text) const;
  std::string bytesOf(std::int32_t id) const;
  void useWords(checkpoint::Vocabulary words);
  void findMask(const checkpoint::Checkpoint& checkpoint);

  tokenizer::Opened tokenizer_;  ///< null: words_ alone
  checkpoint::Vocabulary words_;
  std::unordered_map<std::string, std::int32_t> idOf_;  ///< ids of words_, by the text that they stand for
  std::size_t longest_ = 0;                             ///< bytes of the longest key of idOf_
  std::optional<std::int32_t> mask_, unknown_;
  std::optional<Given> given_;
  bool classes_ = false;          ///< words_ are names of classes, shown as they are
  std::optional<Error> refusal_;  ///< of every text, if there is a rule for splitting that cannot be used
  std::string from_, note_;
};
using SentenceWordsPointer = std::shared_ptr<const SentenceWords>;

/// Tokens that the user put at a place instead of those of the text.
using SentenceEdits = std::vector<std::pair<int, std::int32_t>>;
/// "3:103, 5:2054", by place; entries of another form are left out.
SentenceEdits editsOf(std::string_view text);
std::string textOf(const SentenceEdits& edits);
/// Parses "12, 7 305". A Usage error names an entry that is not an id, or where an id is missing between two commas.
Result<std::vector<std::int32_t>> idsOf(std::string_view text);
std::string textOf(const std::vector<std::int32_t>& ids);

struct SentenceToken {
  std::int32_t id = 0, original = 0;  ///< `original`: from the text
  std::string shown;
  bool added = false;   ///< put around the text by the tokenizer
  bool edited = false;  ///< replaced by the user
  bool masked = false;
};

struct SentenceTokens {
  std::vector<SentenceToken> tokens;
  SentenceWordsPointer words;  ///< null: only ids are known
  std::string text;            ///< the text that the tokens are from; empty: they are from ids
  bool example = false;        ///< nothing was typed; this is an example of the program
  std::string note;            ///< what was left out of the text, one sentence; empty: nothing
  std::vector<std::int32_t> ids() const;
  /// The input of the model.
  forward::Input input() const;
  SentenceImagePointer image;  ///< instead of a text: tokens are its patches, with ids of −1
  int size() const { return static_cast<int>(tokens.size()); }
};
using SentenceTokensPointer = std::shared_ptr<const SentenceTokens>;

/// What the user typed.
struct SentenceRequest {
  SentenceWordsPointer words;
  std::string text, ids, edits;
  std::vector<int> hidden;     ///< places that are masked; those after the end are ignored
  SentenceImagePointer image;  ///< instead of all of these
  bool special = true;
  std::int64_t vocabulary = 0;  ///< rows of the model's table
  bool operator==(const SentenceRequest&) const = default;
};
/// The tokens of the ids if there are any, otherwise of the text. Example ids replace kExampleText if it cannot be
/// split into few tokens, and the example of SentenceWords::Given replaces an empty text. Usage or BadInput with one
/// sentence; without an example, an empty text is an error.
Result<SentenceTokensPointer> tokensOf(const SentenceRequest& request);

/// The name of a token without words, "#12".
std::string shownId(std::int32_t id);

}  // namespace sepx::ui
