// SPDX-License-Identifier: Apache-2.0
// What the page Sentence computes, each on a lane of its own: the plan of the open model, its tokenizer, the tokens, a
// forward pass, the parts of one score, a pass in which something is changed, the lens, the effects of all heads, a
// continuation. A later one begins when what it needs is there. Frame thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/forward/effects.h"
#include "engine/forward/score_parts.h"
#include "ui/page/lane_result.h"
#include "ui/sentence/sentence_pass.h"
#include "ui/sentence/sentence_source.h"
#include "ui/sentence/sentence_state.h"

namespace sepx::ui {

/// A cell of the pattern of a head.
struct ScorePlace {
  int layer = 0, head = 0, query = 0, key = 0;
  bool operator==(const ScorePlace&) const = default;
};

/// The parts of a score, and the pairs of writers as a picture of them.
struct SentenceParts {
  forward::ScoreParts parts;
  std::shared_ptr<const std::vector<float>> pairs;  ///< [writers, writers]
  double largest = 0;                               ///< modulus of a pair
};

class SentenceResults {
 public:
  /// `lanes`: before the names of its lanes, "weights.sentence.".
  SentenceResults(ResultSet& results, const std::string& lanes);

  /// Once a frame.
  void update(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  /// Tokens that follow the text, one after the other.
  void continueText(const SentenceState& state, ExhibitContext& context);
  void stopContinuation() { more_.cancel(); }
  bool continues() const { return more_.pending(); }
  /// The seed of the last continuation that drew; nothing: none did.
  const std::optional<std::uint64_t>& drawn() const { return drawn_; }

  const ForwardPointer& forward() const { return forward_.value(); }
  bool readsImages() const;  ///< of the open model
  const SentenceWordsPointer& words() const { return words_.value(); }
  /// Null: there are none of what was typed, or they are still to come.
  const SentenceTokensPointer& tokens() const { return tokens_.sentence().empty() ? tokens_.value() : noTokens_; }
  /// The last one while another one is computed; null: what was typed has none.
  const SentencePassPointer& pass() const { return inputFails() ? noPass_ : pass_.value(); }
  /// Of the pass in sight; null: nothing is changed, or it is still to come.
  const ChangedPass* changed() const {
    const ChangedPass* const of = changed_.value().get();
    return of && of->whole == pass() ? of : nullptr;
  }
  const std::shared_ptr<const SentenceParts>& parts() const { return parts_.value(); }
  const std::shared_ptr<const forward::Lens>& lens() const { return lens_.value(); }
  const PatchedPointer& patched() const { return patched_.value(); }
  const forward::Effects* effects() const { return effects_.value().get(); }
  double effectsDone() const;
  bool effectsPending() const { return effects_.pending(); }

  /// Why there is no pass; empty: there is one, or it is still to come.
  std::string failure() const;
  const std::string& tokenizerFailure() const { return words_.sentence(); }
  const std::string& tokensFailure() const { return tokens_.sentence(); }
  const std::string& passFailure() const { return pass_.sentence(); }
  const std::string& partsFailure() const { return parts_.sentence(); }
  const std::string& changedFailure() const { return changed_.sentence(); }
  const std::string& secondFailure() const { return second_.sentence(); }
  /// Why no streams are patched; empty: they are, or nobody asked for it.
  const std::string& patchedFailure() const {
    return otherTokens_.sentence().empty() ? patched_.sentence() : otherTokens_.sentence();
  }
  const std::string& effectsFailure() const { return effects_.sentence(); }
  const std::string& lensFailure() const { return lens_.sentence(); }
  bool complete() const;

  /// The head in sight: the chosen one, or the most pointed of the layer; null: there is no pattern of it.
  const HeadPattern* head() const { return head_; }
  int place() const { return place_; }  ///< of predictions; -1: there is none
  const std::optional<ScorePlace>& score() const { return score_; }

 private:
  using ModelPointer = std::shared_ptr<const checkpoint::Model>;
  struct WordsRequest {
    ModelPointer model;  ///< null where the source has the words
    std::string chosen;
    SentenceWordsPointer known;
    bool classes = false;  ///< the model reads images
    bool operator==(const WordsRequest&) const = default;
  };
  struct ImageRequest {
    ForwardPointer model;
    std::string path;
    bool operator==(const ImageRequest&) const = default;
  };
  struct PassRequest {
    ForwardPointer forward;
    SentenceTokensPointer tokens;
    bool operator==(const PassRequest&) const = default;
  };
  struct PartsRequest {
    SentencePassPointer pass;
    ScorePlace place;
    bool operator==(const PartsRequest&) const = default;
  };
  struct SecondRequest {
    std::string path, rules;
    ModelPointer known;  ///< in place of a path
    bool operator==(const SecondRequest&) const = default;
  };
  struct PatchRequest {
    SentencePassPointer into;
    SentenceTokensPointer from;
    bool operator==(const PatchRequest&) const = default;
  };
  /// What of the state changes the model; `second`: another one in its place.
  struct ChangedRequest {
    SentencePassPointer pass;
    ForwardPointer second;
    SentenceWordsPointer words;  ///< of `second`; null: what lies beside its file
    ChangedPart part;
    ChangedHow how;
    ChangedWhere where;
    double scale;
    int block, head;
    bool operator==(const ChangedRequest&) const = default;
  };
  struct EffectsRequest {
    SentencePassPointer pass;
    int position;
    bool mean;
    bool operator==(const EffectsRequest&) const = default;
  };
  /// What follows so far.
  struct Continued {
    std::vector<std::int32_t> ids;  ///< all of them, with those of before
    std::string text;
    bool exact = false;  ///< the text has these ids
  };
  using PartsPointer = std::shared_ptr<const SentenceParts>;
  using LensPointer = std::shared_ptr<const forward::Lens>;
  using EffectsPointer = std::shared_ptr<const forward::Effects>;

  bool inputFails() const { return !tokens_.sentence().empty() || !pass_.sentence().empty(); }
  void refresh(const JobLanes& jobs);
  void askForPass(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  void choose(const SentenceSource& source, const SentenceState& state);
  void askForMore(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  void askForChanged(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  void askForPatched(const SentenceState& state, ExhibitContext& context);
  void takeContinuation(const SentenceKeys& keys, const SentenceState& state, ExhibitContext& context);
  void forget();

  ResultSet& results_;
  const std::string lanes_;
  std::string identity_;  ///< of the source whose results these are
  LaneResult<ModelPointer, ForwardPointer> forward_{results_, lanes_ + "model"};
  LaneResult<WordsRequest, SentenceWordsPointer> words_{results_, lanes_ + "words"};
  LaneResult<ImageRequest, SentenceImagePointer> image_{results_, lanes_ + "image"};
  LaneResult<SentenceRequest, SentenceTokensPointer> tokens_{results_, lanes_ + "tokens"};
  LaneResult<PassRequest, SentencePassPointer> pass_{results_, lanes_ + "pass"};
  LaneResult<PartsRequest, PartsPointer> parts_{results_, lanes_ + "parts"};
  LaneResult<SecondRequest, ForwardPointer> second_{results_, lanes_ + "second"};
  LaneResult<SentenceRequest, SentenceTokensPointer> otherTokens_{results_, lanes_ + "other"};
  LaneResult<PatchRequest, PatchedPointer> patched_{results_, lanes_ + "patched"};
  LaneResult<ChangedRequest, ChangedPassPointer> changed_{results_, lanes_ + "changed"};
  LaneResult<SentencePassPointer, LensPointer> lens_{results_, lanes_ + "lens"};
  LaneResult<EffectsRequest, EffectsPointer> effects_{results_, lanes_ + "effects"};
  Lane<SentencePassPointer, Result<Continued>> more_{lanes_ + "more"};
  /// Text and ids of the document when a continuation began, and after every token of it.
  std::vector<std::pair<std::string, std::string>> mine_;
  std::optional<std::uint64_t> drawn_;
  bool written_ = false;  ///< the last update wrote into the document, which is read in the next one

  const SentenceTokensPointer noTokens_;
  const SentencePassPointer noPass_;
  const HeadPattern* head_ = nullptr;
  int place_ = -1;
  std::optional<ScorePlace> score_;
};

}  // namespace sepx::ui
