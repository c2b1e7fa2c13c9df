// SPDX-License-Identifier: Apache-2.0
// What the form page computes, in jobs: the tokens' words, and for two tokens the bilinear form head by head, what it
// leaves out, and how a handful of keys rank before and after the softmax. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/attention/form_terms.h"
#include "engine/checkpoint/vocabulary.h"
#include "engine/core/exchange.h"
#include "ui/exhibit/exhibit.h"
#include "ui/exhibits/weights/shared/weights_page.h"

namespace sepx::ui {

struct FormResult {
  std::vector<attention::HeadTerms> heads;
  bool hasNorm = false, hasBias = false, hasRope = false;
  double scale = 1;  ///< the model's own, on the score
  int d_h = 0;
  std::vector<std::int64_t> keys;  ///< tokens that are ranked
  attention::Ranking ranking;      ///< of the chosen head's (all heads': their sum's) bilinear form
  std::string failure;             ///< why there is nothing: one sentence

  /// The chosen head's, or the sum over heads.
  attention::HeadTerms total(int head) const;
};

/// Tokens that begin like `text`, or like as much of its beginning as any token has.
std::vector<std::int64_t> nearestTokens(const checkpoint::Vocabulary& words, std::string text, std::size_t most);

class FormData {
 public:
  FormData();
  /// `others`: words or indices of further keys to rank, separated by blanks; empty: some spread over the vocabulary.
  void update(const WeightsShared& shared, const std::string& others, ExhibitContext& context);

  /// Never null; empty tokens where nothing lies beside the weights.
  const checkpoint::Vocabulary& vocabulary() const { return *vocabulary_; }
  bool vocabularyKnown() const { return vocabularyOf_ != 0 && !readingWords_; }
  const std::shared_ptr<const FormResult>& result() const { return result_; }
  /// Rows of the token embedding; 0: there is none.
  std::int64_t tokens() const { return tokens_; }
  bool complete() const { return !running_ && !readingWords_; }
  std::uint64_t revision() const { return revision_; }
  /// "the (12)", "token 12" where no word is known.
  std::string nameOf(std::int64_t token) const;

 private:
  struct Words {
    std::uint64_t ticket = 0;
    std::shared_ptr<const checkpoint::Vocabulary> vocabulary;
    std::string failure;
  };
  struct Published {
    std::uint64_t ticket = 0;
    std::shared_ptr<const FormResult> result;
  };
  void readWords(const WeightsShared& shared, ExhibitContext& context);
  std::vector<std::int64_t> keysOf(const WeightsState& state, const std::string& others) const;

  std::shared_ptr<Exchange<Words>> words_;
  std::shared_ptr<Exchange<Published>> exchange_;
  std::shared_ptr<const checkpoint::Vocabulary> vocabulary_;
  std::uint64_t vocabularyOf_ = 0, wordsTicket_ = 0, ticket_ = 0, revision_ = 1;
  std::int64_t tokens_ = 0;
  bool running_ = false, readingWords_ = false;
  std::string wanted_;
  std::shared_ptr<const FormResult> result_;
};

}  // namespace sepx::ui
