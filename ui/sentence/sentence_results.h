// SPDX-License-Identifier: Apache-2.0
// The results that the page Sentence computes, each on its own lane: the plan of the open model, its tokenizer, the
// tokens, a forward pass, the parts of one score, a pass with a change, the lens, the effects of all heads, a
// continuation. A computation begins when the results that it needs are ready. Frame thread.
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

/// The parts of a score, and the pairs of writers as numbers of a picture.
struct SentenceParts {
  forward::ScoreParts parts;
  std::shared_ptr<const std::vector<float>> pairs;  ///< [writers, writers]
  double largest = 0;                               ///< largest modulus of a pair
};

class SentenceResults {
 public:
  /// `lanes`: prefix of the names of its lanes, "weights.sentence.".
  SentenceResults(ResultSet& results, const std::string& lanes);

  /// Call once per frame.
  void update(const SentenceSource& source, const SentenceState& state, ExhibitContext& context);
  /// Starts to continue the text, one token after the other.
  void continueText(const SentenceState& state, ExhibitContext& context);
  void stopContinuation() { more_.cancel(); }
  bool continues() const { return more_.pending(); }
  /// The seed of the last continuation that drew tokens; empty: none did.
  const std::optional<std::uint64_t>& drawn() const { return drawn_; }

  const ForwardPointer& forward() const { return forward_.value(); }
  bool readsImages() const;  ///< whether the open model does
  const SentenceWordsPointer& words() const { return words_.value(); }
  /// Null: the input has no tokens, or they are not ready yet.
  const SentenceTokensPointer& tokens() const { return tokens_.sentence().empty() ? tokens_.value() : noTokens_; }
  /// The previous pass while another one is computed; null: the input has no pass.
  const SentencePassPointer& pass() const { return inputFails() ? noPass_ : pass_.value(); }
  /// The changed pass that belongs to pass(); null: nothing is changed, or it is not ready yet.
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

  /// Why there is no pass; empty: there is one, or it is not ready yet.
  std::string failure() const;
  const std::string& tokenizerFailure() const { return words_.sentence(); }
  const std::string& tokensFailure() const { return tokens_.sentence(); }
  const std::string& passFailure() const { return pass_.sentence(); }
  const std::string& partsFailure() const { return parts_.sentence(); }
  const std::string& changedFailure() const { return changed_.sentence(); }
  const std::string& secondFailure() const { return second_.sentence(); }
  /// Why no streams are patched; empty: they are, or it was not requested.
  const std::string& patchedFailure() const {
    return otherTokens_.sentence().empty() ? patched_.sentence() : otherTokens_.sentence();
  }
  const std::string& effectsFailure() const { return effects_.sentence(); }
  const std::string& lensFailure() const { return lens_.sentence(); }
  bool complete() const;

  /// The shown head: the chosen one, or the head of the layer with the least entropy; null: there is no pattern of it.
  const HeadPattern* head() const { return head_; }
  int place() const { return place_; }  ///< place of the predictions; -1: there is none
  const std::optional<ScorePlace>& score() const { return score_; }

 private:
  using ModelPointer = std::shared_ptr<const checkpoint::Model>;
  struct WordsRequest {
    ModelPointer model;  ///< null if the source has the words
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
    ModelPointer known;  ///< instead of a path
    bool operator==(const SecondRequest&) const = default;
  };
  struct PatchRequest {
    SentencePassPointer into;
    SentenceTokensPointer from;
    bool operator==(const PatchRequest&) const = default;
  };
  /// The values of the state that change the model. `second`: another model instead.
  struct ChangedRequest {
    SentencePassPointer pass;
    ForwardPointer second;
    SentenceWordsPointer words;  ///< words of `second`; null: those beside its file
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
  /// The continuation so far.
  struct Continued {
    std::vector<std::int32_t> ids;  ///< all ids, including those of the text
    std::string text;
    bool exact = false;  ///< `text` is split into exactly these ids
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
  bool written_ = false;  ///< the last update wrote to the document, which the next one reads

  const SentenceTokensPointer noTokens_;
  const SentencePassPointer noPass_;
  const HeadPattern* head_ = nullptr;
  int place_ = -1;
  std::optional<ScorePlace> score_;
};

}  // namespace sepx::ui
