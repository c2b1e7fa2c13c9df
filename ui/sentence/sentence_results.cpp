// SPDX-License-Identifier: Apache-2.0
#include "ui/sentence/sentence_results.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "engine/checkpoint/model_cache.h"
#include "engine/core/try.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {

namespace {

constexpr std::size_t kLensBest = 5;

/// The target of a change. The heads are taken from the state.
forward::Intervention::Target targetOf(ChangedPart part) {
  using Target = forward::Intervention::Target;
  switch (part) {
    case ChangedPart::Symmetric:
      return Target::Symmetric;
    case ChangedPart::Skew:
      return Target::Skew;
    case ChangedPart::FeedForward:
      return Target::FeedForward;
    case ChangedPart::Head:
      break;
  }
  return Target::Head;
}

/// The head of a layer whose pattern has the least entropy; null: the layer has none.
const HeadPattern* leastEntropyHead(const SentencePass& pass, int layer) {
  const HeadPattern* best = nullptr;
  for (const HeadPattern& one : pass.heads) {
    if (one.layer != layer) continue;
    if (!best || one.entropy < best->entropy || (std::isnan(best->entropy) && !std::isnan(one.entropy))) best = &one;
  }
  return best;
}

/// The default place of the predictions: the mask, otherwise the last token of the text.
int usualPlace(const SentencePass& pass) {
  if (pass.tokens->image) return 0;  // the class token
  const auto& tokens = pass.tokens->tokens;
  int last = -1;
  for (int i = 0; i < pass.n(); ++i) {
    const SentenceToken& token = tokens[static_cast<std::size_t>(i)];
    if (predictsOwn(pass.forward->plan()) && token.masked) return i;
    if (!token.added) last = i;
  }
  return predictsOwn(pass.forward->plan()) && last >= 0 ? last : pass.n() - 1;
}

std::shared_ptr<const SentenceParts> pictured(forward::ScoreParts parts) {
  auto made = std::make_shared<SentenceParts>();
  made->pairs = std::make_shared<const std::vector<float>>(parts.pairs.begin(), parts.pairs.end());
  for (const double pair : parts.pairs)
    made->largest = std::max(made->largest, std::abs(pair));
  made->parts = std::move(parts);
  return made;
}

/// The key that a query gives the largest weight.
int strongestKey(const HeadPattern& head, int n, int query) {
  const auto row = head.weights->begin() + static_cast<std::ptrdiff_t>(query) * n;
  return static_cast<int>(std::max_element(row, row + n) - row);
}

}  // namespace

std::vector<forward::Intervention> changesOf(const SentenceState& state, int block, int head) {
  if (!state.changes()) return {};
  forward::Intervention change;
  change.target = targetOf(state.part);
  const bool scores = state.part == ChangedPart::Symmetric || state.part == ChangedPart::Skew;
  // The mean of scores would be a constant, which the softmax ignores.
  change.how =
      state.how == ChangedHow::Mean && !scores ? forward::Intervention::How::Mean : forward::Intervention::How::Scale;
  change.factor = state.how == ChangedHow::Scale ? state.scale : 0;
  change.layer = state.where == ChangedWhere::All ? -1 : block;
  change.head = state.where == ChangedWhere::One && state.part != ChangedPart::FeedForward ? head : -1;
  return {change};
}

SentenceResults::SentenceResults(ResultSet& results, const std::string& lanes) : results_(results), lanes_(lanes) {}

void SentenceResults::refresh(const JobLanes& jobs) {
  forward_.refresh(jobs);
  words_.refresh(jobs);
  image_.refresh(jobs);
  tokens_.refresh(jobs);
  pass_.refresh(jobs);
  parts_.refresh(jobs);
  changed_.refresh(jobs);
  second_.refresh(jobs);
  otherTokens_.refresh(jobs);
  patched_.refresh(jobs);
  lens_.refresh(jobs);
  effects_.refresh(jobs);
}

void SentenceResults::forget() {
  tokens_.clear();
  pass_.clear();
  parts_.clear();
  changed_.clear();
  otherTokens_.clear();
  patched_.clear();
  lens_.clear();
  effects_.clear();
  more_.clear();
}

void SentenceResults::update(const SentenceSource& source, const SentenceState& state, ExhibitContext& context) {
  refresh(context.jobs);
  takeContinuation(source.keys, state, context);
  const bool same = !source.identity.empty() && source.identity == identity_;
  identity_ = source.identity;
  if (!source.model) {
    forward_.clear();
    words_.clear();
    image_.clear();
    forget();
  } else {
    const bool another = !forward_.requested() || *forward_.requested() != source.model;
    if (another && !same) forget();
    forward_.ask(
        context.jobs, source.model, tr("how the model is computed"),
        [](const ModelPointer& model, auto&) { return forward::ForwardModel::open(model); }, same);
    if (another && !same) words_.clear();
    const bool pictures = readsImages();
    if (forward_.complete())
      words_.ask(context.jobs, {source.words ? nullptr : source.model, state.tokenizer, source.words, pictures},
                 tr("the tokenizer"), [](const WordsRequest& request, auto&) -> Result<SentenceWordsPointer> {
                   if (request.known) return request.known;
                   if (request.classes) return SentenceWords::ofClasses(classNames(*request.model->checkpoint));
                   return SentenceWords::open(*request.model->checkpoint, request.chosen);
                 });
    if (forward_.complete() && !forward_.value()) forget();
    if (forward_.complete() && forward_.value() && words_.complete()) askForPass(source, state, context);
  }
  choose(source, state);
  askForMore(source, state, context);
}

void SentenceResults::askForPass(const SentenceSource& source, const SentenceState& state, ExhibitContext& context) {
  const ForwardPointer& model = forward_.value();
  const bool hides = source.keys.hides && predictsOwn(model->plan());
  if (!readsImages() || state.image.empty()) {
    image_.clear();
    if (readsImages()) {
      tokens_.clear(tr("This model reads images: choose one, a PNG or an .npy file of its pixels."));
      return;
    }
  } else {
    image_.ask(context.jobs, {model, state.image}, tr("the image"), [](const ImageRequest& request, auto&) {
      return openImage(request.path, *request.model->plan().image, request.model->checkpoint());
    });
    if (!image_.complete()) return;
    if (!image_.value()) return tokens_.clear(image_.sentence());
  }
  tokens_.ask(
      context.jobs,
      {words_.value(), state.text, state.ids, state.edits, hides ? state.hidden : std::vector<int>(), image_.value(),
       state.special, model->plan().vocabulary},
      tr("the tokens of the text"), [](const SentenceRequest& request, auto&) { return tokensOf(request); }, true);
  if (!tokens_.complete() || !tokens_.value() || !tokens_.sentence().empty()) return;
  pass_.ask(
      context.jobs, {model, tokens_.value()}, tr("a sentence through the model"),
      [&pool = context.pool, before = pass_.value()](const PassRequest& request, auto& output) {
        return runSentence(request.forward, request.tokens, before, pool, output.whileReading(),
                           [&output](double share) { output.progress(share); });
      },
      true);
}

void SentenceResults::choose(const SentenceSource& source, const SentenceState& state) {
  head_ = nullptr;
  place_ = -1;
  score_.reset();
  if (!pass()) return;
  const SentencePass& now = *pass();
  const int n = now.n();
  const bool before = source.keys.placeIsPredicted && !predictsOwn(now.forward->plan());
  const int place = state.place >= 0 && before ? state.place - 1 : state.place;
  place_ = place >= 0 && place < n ? place : usualPlace(now);
  const int layer = source.layer;
  head_ = source.head >= 0 ? now.find(layer, source.head) : leastEntropyHead(now, layer);
  if (!head_) return;
  ScorePlace score{head_->block, head_->head, head_->query, head_->key};
  if (state.query >= 0 && state.query < n) {
    score.query = state.query;
    score.key = state.key >= 0 && state.key < n ? state.key : strongestKey(*head_, n, score.query);
  }
  score_ = score;
}

/// Requests the pass of the changed model, or of the second model instead.
void SentenceResults::askForChanged(const SentenceSource& source, const SentenceState& state, ExhibitContext& context) {
  ThreadPool& pool = context.pool;
  if (state.second.empty() || (!source.keys.files && !source.second))
    second_.clear(source.secondFailure);
  else
    second_.ask(context.jobs, {source.second ? std::string() : state.second, context.rules, source.second},
                tr("the second checkpoint"), [](const SecondRequest& request, auto& output) -> Result<ForwardPointer> {
                  if (request.known) return forward::ForwardModel::open(request.known);
                  SEPX_ASSIGN(const ModelPointer model,
                              checkpoint::openModel(request.path, request.rules, output.whileReading()));
                  return forward::ForwardModel::open(model);
                });
  const bool waits = !state.second.empty() && (!second_.complete() || !second_.value());
  if (!pass() || waits || !state.compares() || (state.second.empty() && !head_)) {
    changed_.clear();
    return;
  }
  changed_.ask(context.jobs,
               {pass(), second_.value(), source.secondWords, state.part, state.how, state.where, state.scale,
                head_ ? head_->block : -1, head_ ? head_->head : -1},
               tr("the changed model"), [&pool, state](const ChangedRequest& request, auto& output) {
                 if (request.second)
                   return runSecond(request.pass, *request.second, request.words, pool, output.whileReading());
                 return runChanged(request.pass, changesOf(state, request.block, request.head), pool,
                                   output.whileReading());
               });
}

void SentenceResults::askForPatched(const SentenceState& state, ExhibitContext& context) {
  if (!pass() || state.other.empty() || pass()->tokens->image) {
    otherTokens_.clear();
    patched_.clear();
    return;
  }
  otherTokens_.ask(
      context.jobs,
      {words_.value(), state.other, {}, {}, {}, nullptr, state.special, pass()->forward->plan().vocabulary},
      tr("the tokens of the other text"), [](const SentenceRequest& request, auto&) { return tokensOf(request); });
  if (!otherTokens_.complete() || !otherTokens_.value()) {
    patched_.clear();
    return;
  }
  patched_.ask(context.jobs, {pass(), otherTokens_.value()}, tr("streams of one text in the other"),
               [&pool = context.pool](const PatchRequest& request, auto& output) {
                 return patchSentence(request.into, request.from, pool, output.whileReading(),
                                      [&output](PatchedPointer so, double share) {
                                        output.progress(share);
                                        output.publish(Result<PatchedPointer>(std::move(so)));
                                      });
               });
}

void SentenceResults::askForMore(const SentenceSource& source, const SentenceState& state, ExhibitContext& context) {
  ThreadPool& pool = context.pool;
  if (!pass() || !score_)
    parts_.clear();
  else
    parts_.ask(context.jobs, {pass(), *score_}, tr("the parts of a score"),
               [](const PartsRequest& request, auto& output) -> Result<PartsPointer> {
                 const SentencePass& of = *request.pass;
                 const ScorePlace& at = request.place;
                 SEPX_ASSIGN(forward::ScoreParts parts,
                             forward::scoreParts<float>(*of.forward, of.tokens->input(), of.run(), at.layer, at.head,
                                                        at.query, at.key, output.whileReading()));
                 return pictured(std::move(parts));
               });
  askForChanged(source, state, context);
  askForPatched(state, context);
  const bool predicts = pass() && !pass()->places.empty();
  if (!predicts || !state.lens)
    lens_.clear();
  else
    lens_.ask(context.jobs, pass(), tr("predictions of every block's stream"),
              [&pool](const SentencePassPointer& of, auto& output) -> Result<LensPointer> {
                SEPX_ASSIGN(forward::Lens made,
                            forward::lens(*of->forward, of->run(), kLensBest, pool, output.whileReading()));
                return std::make_shared<const forward::Lens>(std::move(made));
              });
  const int row = predicts ? rowOfLogits(pass()->forward->plan(), place_) : -1;
  if (row < 0 || !state.effects) {
    effects_.clear();
    return;
  }
  effects_.ask(context.jobs, {pass(), row, state.how == ChangedHow::Mean}, tr("effects of all heads"),
               [&pool](const EffectsRequest& request, auto& output) -> Result<EffectsPointer> {
                 const auto how = request.mean ? forward::Intervention::How::Mean : forward::Intervention::How::Scale;
                 const auto publish = [&output](const forward::Effects& so) {
                   output.progress(static_cast<double>(so.done) / std::max(1, so.all));
                   output.publish(Result<EffectsPointer>(std::make_shared<const forward::Effects>(so)));
                 };
                 SEPX_ASSIGN(forward::Effects made,
                             forward::effectsOfHeads(*request.pass->forward, request.pass->tokens->input(),
                                                     request.position, how, pool, output.whileReading(), publish));
                 return std::make_shared<const forward::Effects>(std::move(made));
               });
}

bool SentenceResults::readsImages() const {
  return forward_.value() && forward_.value()->plan().image;
}

double SentenceResults::effectsDone() const {
  const forward::Effects* const now = effects();
  return now && now->all > 0 ? static_cast<double>(now->done) / now->all : 0;
}

void SentenceResults::continueText(const SentenceState& state, ExhibitContext& context) {
  if (!pass()) return;
  context.editor.seal();
  mine_ = {{state.text, state.ids}};
  if (state.temperature > 0) drawn_ = state.seed >= 0 ? static_cast<std::uint64_t>(state.seed) : std::random_device()();
  const forward::Continuation how{.temperature = state.temperature, .seed = drawn_.value_or(0), .tokens = state.more};
  more_.start(context.jobs, pass(), tr("a continuation of the text"),
              [&pool = context.pool, how](const SentencePassPointer& of, auto& output) -> Result<void> {
                Continued so{of->tokens->ids(), {}, false};
                const SentenceWordsPointer& words = of->tokens->words;
                const auto publish = [&](std::int32_t id) {
                  so.ids.push_back(id);
                  so.exact = false;
                  if (const auto text = words ? words->decode(so.ids) : fail(ErrorKind::Usage, {})) {
                    // The decoded text includes the tokens around the text, which are not part of the text.
                    const auto before = words->decode(of->tokens->ids());
                    so.text =
                        before && text->starts_with(*before) ? of->tokens->text + text->substr(before->size()) : *text;
                    const auto again = words->encode(so.text, true);
                    so.exact = again && std::equal(again->begin(), again->end(), so.ids.begin(), so.ids.end(),
                                                   [](const tokenizer::Token& token, std::int32_t one) {
                                                     return static_cast<std::int32_t>(token.id) == one;
                                                   });
                  }
                  output.publish(Result<Continued>(so));
                };
                const auto ids =
                    forward::continueText(*of->forward, of->tokens->ids(), how, pool, output.whileReading(), publish);
                if (ids)
                  output.finish(Result<Continued>(so));
                else
                  output.finish(Result<Continued>(fail(ids.error().kind, ids.error().message)));
                return {};
              });
}

/// All tokens belong to one undo step. A text that was changed meanwhile ends the continuation.
void SentenceResults::takeContinuation(const SentenceKeys& keys, const SentenceState& state, ExhibitContext& context) {
  written_ = false;
  if (!more_.requested()) return;
  const bool news = more_.refresh(context.jobs);
  if (std::find(mine_.begin(), mine_.end(), std::pair(state.text, state.ids)) == mine_.end()) {
    more_.clear();
    return;
  }
  if (!news) return;
  results_.changed();
  const Result<Continued>& made = *more_.result();
  if (!made) {
    context.editor.say(made.error().message);
    return;
  }
  const std::string text = made->exact ? made->text : std::string(),
                    ids = made->exact ? std::string() : textOf(made->ids);
  if (mine_.back() == std::pair(text, ids) || made->ids.size() <= (*more_.requested())->tokens->tokens.size()) return;
  mine_.emplace_back(text, ids);
  written_ = true;
  context.editor.commit(context.editor.document()
                            .with(keys.of("text"), text)
                            .with(keys.of("ids"), ids)
                            .with(keys.of("edits"), std::string()),
                        tr("continue the text"), keys.of("continue"));
  if (!more_.pending()) context.editor.seal();
}

std::string SentenceResults::failure() const {
  if (!forward_.sentence().empty()) return forward_.sentence();
  if (pass()) return {};
  if (!tokens_.sentence().empty()) return tokens_.sentence();
  if (!pass_.sentence().empty()) return pass_.sentence();
  if (pass_.requested() && pass_.complete()) return tr("The pass was cancelled: change the text to start another one.");
  return {};
}

bool SentenceResults::complete() const {
  return forward_.complete() && words_.complete() && image_.complete() && tokens_.complete() && pass_.complete() &&
         parts_.complete() && changed_.complete() && second_.complete() && otherTokens_.complete() &&
         patched_.complete() && lens_.complete() && effects_.complete() && more_.complete() && !written_;
}

}  // namespace sepx::ui
