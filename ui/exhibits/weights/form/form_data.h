// SPDX-License-Identifier: Apache-2.0
// What the form page computes, in jobs: the tokens' words, and for two tokens the bilinear form head by head, what it
// leaves out, and how a handful of keys rank before and after the softmax. Frame thread.
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
  double scale = 1;  ///< the model's own, on the score
  int d_h = 0;
  std::vector<std::int64_t> keys;  ///< tokens that are ranked
  attention::Ranking ranking;      ///< of the chosen head's (all heads': their sum's) bilinear form
  attention::FormReading reading;  ///< of the same keys

  /// The chosen head's, or the sum over heads.
  attention::HeadTerms total(int head) const;
};

/// Tokens that begin like `text`, or like as much of its beginning as any token has.
std::vector<std::int64_t> nearestTokens(const checkpoint::Vocabulary& words, std::string text, std::size_t most);

/// The tensor whose rows are the embeddings of tokens: as a person named it, else as recognised; empty: none.
std::string embeddingOf(const WeightsShared& shared);

class FormData {
 public:
  /// `others`: words or indices of further keys to rank, separated by blanks or commas; empty: some spread over the
  /// vocabulary.
  void update(const WeightsShared& shared, const std::string& others, ExhibitContext& context);

  /// Empty tokens where nothing lies beside the weights, and until they are read.
  const checkpoint::Vocabulary& vocabulary() const { return words_.fresh() && words() ? *words() : none_; }
  bool vocabularyKnown() const { return words_.requested() && words_.complete(); }
  /// Null: none yet, or there is none.
  const FormResult* result() const { return form_.result() && *form_.result() ? &**form_.result() : nullptr; }
  /// Why there is none; empty: nothing is wrong.
  std::string failure() const {
    return form_.result() && !*form_.result() ? form_.result()->error().message : std::string();
  }
  /// Those of `others` that are no token.
  const std::vector<std::string>& unknown() const { return unknown_; }
  /// Vectors of a sentence in place of embeddings; null: embeddings.
  const StreamVectors* stream() const { return stream_.get(); }
  /// Rows of the token embedding, or places of the sentence; 0: there is none.
  std::int64_t tokens() const { return tokens_; }
  bool complete() const { return form_.complete() && words_.complete(); }
  std::uint64_t revision() const { return form_.revision() + words_.revision(); }
  /// "the (12)", "token 12" where no word is known.
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
    std::shared_ptr<const StreamVectors> stream;  ///< in place of embeddings; query and keys are places in it
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
