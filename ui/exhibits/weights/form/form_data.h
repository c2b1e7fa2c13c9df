// SPDX-License-Identifier: Apache-2.0
// The results of the form page, computed in jobs: the texts of tokens, and for two tokens the bilinear form head by
// head, the terms that it leaves out, and the ranking of a few keys before and after the softmax. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/form_terms.h"
#include "engine/attention/hull.h"
#include "engine/checkpoint/vocabulary.h"
#include "ui/exhibits/weights/shared/weights_page.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

struct FormResult {
  std::vector<attention::HeadTerms> heads;
  bool hasNorm = false, hasBias = false, hasRope = false;
  double scale = 1;  ///< the model's factor of the score before the softmax
  int d_h = 0;
  std::vector<std::int64_t> keys;  ///< the tokens that are ranked
  attention::Ranking ranking;      ///< by the bilinear form of the selected head, or of the sum over heads
  attention::FormReading reading;  ///< of the same keys

  /// The terms of a head; -1: their sum over all heads.
  attention::HeadTerms total(int head) const;
};

/// Tokens that begin with `text`, or with its longest prefix with which any token begins; at most `most`.
std::vector<std::int64_t> nearestTokens(const checkpoint::Vocabulary& words, std::string text, std::size_t most);

/// The name of the tensor whose rows are the embeddings of tokens: the one that the user named, else the recognised
/// one; empty: none.
std::string embeddingOf(const WeightsShared& shared);

class FormData {
 public:
  /// `others`: words or indices of further keys to rank, separated by spaces, commas or semicolons; empty: some keys
  /// spread over the vocabulary.
  void update(const WeightsShared& shared, const std::string& others, ExhibitContext& context);

  /// Has no tokens until they are read, or if no list of words is beside the weights.
  const checkpoint::Vocabulary& vocabulary() const { return words_.fresh() && words() ? *words() : none_; }
  bool vocabularyKnown() const { return words_.requested() && words_.complete(); }
  /// Null: not yet computed, or failed.
  const FormResult* result() const { return form_.result() && *form_.result() ? &**form_.result() : nullptr; }
  /// Why there is no result; empty: no error.
  std::string failure() const {
    return form_.result() && !*form_.result() ? form_.result()->error().message : std::string();
  }
  /// The words in `others` that are not tokens.
  const std::vector<std::string>& unknown() const { return unknown_; }
  /// The vectors of a sentence that are used instead of embeddings; null: embeddings are used.
  const StreamVectors* stream() const { return stream_.get(); }
  /// Number of rows of the token embedding, or of positions in the sentence; 0: there is no embedding.
  std::int64_t tokens() const { return tokens_; }
  bool complete() const { return form_.complete() && words_.complete(); }
  std::uint64_t revision() const { return form_.revision() + words_.revision(); }
  /// "“the” (12)", or "token 12" if no word is known.
  std::string nameOf(std::int64_t token) const;

 private:
  using ModelPointer = std::shared_ptr<const checkpoint::Model>;
  struct Request {
    ModelPointer model;
    checkpoint::AttentionLayer layer;
    checkpoint::FactorOptions options;
    std::int64_t query = 0, key = 0;
    int offset = 0, head = -1;
    std::vector<std::int64_t> keys;
    std::string embedding;
    std::shared_ptr<const StreamVectors> stream;  ///< used instead of embeddings; query and keys are positions in it
    bool operator==(const Request& other) const;
  };
  static Result<FormResult> made(const Request& request);
  const Result<checkpoint::Vocabulary>& words() const { return *words_.result(); }
  void readWords(const WeightsShared& shared, ExhibitContext& context);
  std::vector<std::int64_t> keysOf(const WeightsState& state, const std::string& others);

  Lane<ModelPointer, Result<checkpoint::Vocabulary>> words_{"weights.form.words"};
  Lane<Request, Result<FormResult>> form_{"weights.form"};
  const checkpoint::Vocabulary none_{};
  std::vector<std::string> unknown_;
  std::int64_t tokens_ = 0;
  std::shared_ptr<const StreamVectors> stream_;
};

}  // namespace sepx::ui
