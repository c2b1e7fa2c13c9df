// SPDX-License-Identifier: Apache-2.0
// Jobs capture values and their channel only; nothing of the exhibit is touched from a worker. A part whose stamp is
// not the present one is dropped.
#include "ui/exhibits/weights/shared/weights_shared.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr const char* kOpenLane = "weights.open";
constexpr const char* kFactorsLane = "weights.factors";
constexpr const char* kMomentsLane = "weights.moments";
constexpr const char* kBandLane = "weights.band";
constexpr const char* kBoardLane = "weights.board";
constexpr const char* kHashLane = "weights.hash";

constexpr double kBoardAtOnce = 3e8;  // numbers in all factors, above which the board waits until a page asks for it
const double kNaN = std::numeric_limits<double>::quiet_NaN();

bool same(const attention::ScoreOptions& a, const attention::ScoreOptions& b) {
  return a.gamma == b.gamma && a.variant == b.variant && a.ddof == b.ddof;
}

bool same(const checkpoint::AttentionLayer& a, const checkpoint::AttentionLayer& b) {
  return a.stack == b.stack && a.layer == b.layer;
}

attention::ScoreOptions ofVariant(attention::ScoreOptions options, attention::Directionality variant) {
  if (options.variant != variant) options.ddof = attention::ScoreOptions::usualDdof(variant);
  options.variant = variant;
  return options;
}

double boardSize(const checkpoint::AttentionMap& map) {
  double sum = 0;
  for (const checkpoint::AttentionLayer& layer : map.layers)
    sum += double(layer.d_h) * (double(layer.d_model) * layer.heads + double(layer.d_key) * layer.kvHeads);
  return sum;
}

/// One layer of the board: factors are read, moments taken, factors forgotten.
bool measure(const checkpoint::Model& model, const checkpoint::AttentionLayer& layer,
             const checkpoint::FactorOptions& options, ThreadPool& pool, const std::function<bool()>& cancelled,
             LayerScores& into) {
  const auto factors = checkpoint::loadFactors(*model.checkpoint, layer, options);
  if (!factors) {  // said on the matrix page when the layer is chosen
    into.moments = std::make_shared<attention::Moments>();
    into.headMoments = std::make_shared<std::vector<attention::Moments>>();
    return true;
  }
  auto whole = attention::momentsOf(*factors, &pool, cancelled);
  if (!whole) return false;
  auto heads = attention::momentsOfHeads(*factors, &pool, cancelled);
  if (!heads) return false;
  into.moments = std::make_shared<attention::Moments>(std::move(*whole));
  into.headMoments = std::make_shared<std::vector<attention::Moments>>(std::move(*heads));
  return true;
}

attention::Scores noScores() {
  return {kNaN, kNaN};
}

attention::Scores scored(const attention::Moments& moments, const attention::ScoreOptions& options) {
  return moments.rowNorms.size() == 0 ? noScores() : attention::scoresOf(moments, options);
}

void score(LayerScores& layer, const attention::ScoreOptions& options) {
  layer.scores = scored(*layer.moments, options);
  layer.headScores.clear();
  for (const attention::Moments& head : *layer.headMoments)
    layer.headScores.push_back(scored(head, options));
}

/// The bands of a layer's and a head's shape.
void addBands(LayerScores& into, const checkpoint::AttentionLayer& layer, const attention::ScoreOptions& options) {
  if (layer.d_model != layer.d_key) return;
  into.band = attention::randomBands(layer.d_model, std::min(layer.d_model, layer.kvHeads * layer.d_h), options);
  into.headBand = attention::randomBands(layer.d_model, std::min(layer.d_model, layer.d_h), options);
}

}  // namespace

const checkpoint::AttentionLayer* chosenLayer(const checkpoint::AttentionMap& map, const WeightsState& state) {
  if (map.layers.empty()) return nullptr;
  const std::vector<checkpoint::Stack> stacks = map.stacks();
  const bool there = std::find(stacks.begin(), stacks.end(), state.stack) != stacks.end();
  const checkpoint::Stack stack = there ? state.stack : stacks.front();
  const checkpoint::AttentionLayer* nearest = nullptr;
  for (const checkpoint::AttentionLayer& layer : map.layers) {
    if (layer.stack != stack) continue;
    if (!nearest || std::abs(layer.layer - state.layer) < std::abs(nearest->layer - state.layer)) nearest = &layer;
  }
  return nearest;
}

int chosenHead(const checkpoint::AttentionLayer& layer, const WeightsState& state) {
  return std::min(state.head, layer.heads - 1);
}

bool WeightsStore::FactorsRequest::isSame(const FactorsRequest& other) const {
  return model == other.model && same(layer, other.layer) && options.head == other.options.head &&
         options.pairing == other.options.pairing && options.foldNorm == other.options.foldNorm;
}

bool WeightsStore::BandRequest::operator==(const BandRequest& other) const {
  return n == other.n && rank == other.rank && same(options, other.options);
}

bool WeightsStore::BoardRequest::sameMoments(const BoardRequest& other) const {
  return model == other.model && pairing == other.pairing && foldNorm == other.foldNorm;
}

bool WeightsStore::BoardRequest::operator==(const BoardRequest& other) const {
  return sameMoments(other) && same(options, other.options);
}

WeightsStore::WeightsStore(const WeightsState& live)
    : shared_{live},
      openedChannel_(std::make_shared<Exchange<Opened>>()),
      factorsChannel_(std::make_shared<Exchange<FactorsPart>>()),
      momentsChannel_(std::make_shared<Exchange<MomentsPart>>()),
      bandChannel_(std::make_shared<Exchange<BandPart>>()),
      boardChannel_(std::make_shared<Exchange<BoardPart>>()),
      hashChannel_(std::make_shared<Exchange<HashPart>>()) {
  shared_.board = &board_;
  shared_.scores = noScores();
  shared_.excess = shared_.sum = kNaN;
  shared_.reopen = [this] { opened_ = false; };
  shared_.wantBoard = [this] { boardWanted_ = true; };
}

bool WeightsStore::complete() const {
  return opened_ && modelDone_ && factorsDone_ && momentsDone_ && bandDone_ && boardDone_ && hashDone_;
}

void WeightsStore::update(WeightsState& state, const std::vector<std::string>& further, ExhibitContext& context) {
  // Asked before anything is collected: when nothing runs, what was published is all there will be.
  idle_ = context.jobs.idle();
  updateModel(state, context);
  choose(state);
  updateFactors(state, context);
  updateScores(state);
  updateBand(state, context);
  updateBoard(state, context);
  updateSources(further, context);
}

void WeightsStore::forget(ExhibitContext& context) {
  for (const char* lane : {kFactorsLane, kMomentsLane, kBandLane, kBoardLane, kHashLane})
    context.jobs.cancel(lane);
  shared_.model = nullptr;
  shared_.failure.clear();
  shared_.layer = nullptr;
  shared_.factors = nullptr;
  shared_.moments = nullptr;
  shared_.factorsFailure.clear();
  board_.clear();
  sources_.clear();
  factorsRequest_.reset();
  momentsOf_ = nullptr;
  bandRequest_.reset();
  boardRequest_.reset();
  shared_.band = {};
  factorsStamp_ = momentsStamp_ = bandStamp_ = boardStamp_ = hashStamp_ = ++stamp_;
  factorsDone_ = momentsDone_ = bandDone_ = boardDone_ = hashDone_ = true;
  shared_.modelRevision = shared_.factorsRevision = shared_.boardRevision = ++stamp_;
}

void WeightsStore::updateModel(WeightsState& state, ExhibitContext& context) {
  if (openedChannel_->refresh() && openedChannel_->latest().stamp == modelStamp_) {
    shared_.model = openedChannel_->latest().model;
    shared_.failure = openedChannel_->latest().failure;
    shared_.modelRevision = ++stamp_;
    modelDone_ = true;
  }
  if (idle_ && !modelDone_) {
    modelDone_ = true;
    shared_.failure = tr("Opening was cancelled: open the file again.");
  }
  std::string path = state.path;
  if (path.empty() && !context.assets.empty()) path = context.assets + "/models/encoder";
  if (!opened_ || path != path_) open(std::move(path), context);
}

void WeightsStore::open(std::string path, ExhibitContext& context) {
  opened_ = true;
  path_ = std::move(path);
  forget(context);
  modelStamp_ = ++stamp_;
  modelDone_ = path_.empty();
  if (path_.empty()) {
    shared_.failure = tr("No checkpoint is open: open a file, or drop one on the window.");
    context.jobs.cancel(kOpenLane);
    return;
  }
  context.jobs.start(
      kOpenLane, tr("opening a checkpoint"),
      [channel = openedChannel_, path = path_, rules = context.rules, stamp = modelStamp_](JobContext& job) {
        Result<ModelPointer> model = checkpoint::openModel(path, rules);
        if (job.cancelled()) return Result<void>();
        channel->slot() = model ? Opened{stamp, *model, {}} : Opened{stamp, nullptr, model.error().sentence};
        channel->publish();
        job.published();
        return Result<void>();
      });
}

void WeightsStore::choose(WeightsState& state) {
  shared_.layer = nullptr;
  if (!shared_.model || !shared_.model->map.noForm.empty()) return;
  shared_.layer = chosenLayer(shared_.model->map, state);
  if (!shared_.layer) return;
  state.stack = shared_.layer->stack;
  state.layer = shared_.layer->layer;
  state.head = chosenHead(*shared_.layer, state);
}

void WeightsStore::updateFactors(const WeightsState& state, ExhibitContext& context) {
  if (factorsChannel_->refresh() && factorsChannel_->latest().stamp == factorsStamp_ && factorsRequest_) {
    const FactorsPart& part = factorsChannel_->latest();
    shared_.factors = part.factors;
    shared_.factorsFailure = part.failure;
    shared_.factorsRevision = ++stamp_;
    factorsDone_ = true;
    momentsDone_ = !part.factors;
  }
  if (idle_) factorsDone_ = true;
  if (!shared_.layer) {
    if (factorsRequest_) forgetFactors(context);
    return;
  }
  FactorsRequest request{shared_.model, *shared_.layer, {state.pairing, state.head, state.foldNorm}};
  if (factorsRequest_ && factorsRequest_->isSame(request)) return;
  context.jobs.cancel(kMomentsLane);
  momentsOf_ = nullptr;
  shared_.factors = nullptr;  // numbers of before must not stand beside the new name; the picture stays, pale
  shared_.moments = nullptr;
  shared_.factorsFailure.clear();
  factorsStamp_ = momentsStamp_ = shared_.factorsRevision = ++stamp_;
  factorsDone_ = false;
  momentsDone_ = true;
  factorsRequest_ = request;
  context.jobs.start(kFactorsLane, tr("reading the weights of a layer"),
                     [channel = factorsChannel_, request = std::move(request), stamp = factorsStamp_](JobContext& job) {
                       auto factors =
                           checkpoint::loadFactors(*request.model->checkpoint, request.layer, request.options);
                       if (job.cancelled()) return Result<void>();
                       FactorsPart part{stamp, nullptr, {}};
                       if (factors)
                         part.factors = std::make_shared<attention::LayerFactors>(std::move(*factors));
                       else
                         part.failure = factors.error().sentence;
                       channel->slot() = std::move(part);
                       channel->publish();
                       job.published();
                       return Result<void>();
                     });
}

void WeightsStore::forgetFactors(ExhibitContext& context) {
  context.jobs.cancel(kFactorsLane);
  context.jobs.cancel(kMomentsLane);
  factorsRequest_.reset();
  momentsOf_ = nullptr;
  shared_.factors = nullptr;
  shared_.moments = nullptr;
  factorsStamp_ = momentsStamp_ = shared_.factorsRevision = ++stamp_;
  factorsDone_ = momentsDone_ = true;
}

void WeightsStore::updateMoments(bool pictureThere, ExhibitContext& context) {
  if (momentsChannel_->refresh() && momentsChannel_->latest().stamp == momentsStamp_ && factorsRequest_) {
    shared_.moments = momentsChannel_->latest().moments;
    shared_.factorsRevision = ++stamp_;
    momentsDone_ = true;
    updateScores(shared_.state);
    updateBand(shared_.state, context);  // what follows from them begins in the same frame: nothing looks finished
    updateBoard(shared_.state, context);
  }
  if (!shared_.factors || momentsOf_ == shared_.factors) {
    if (idle_) momentsDone_ = true;  // cancelled by hand
    return;
  }
  if (!pictureThere) return;
  momentsOf_ = shared_.factors;
  momentsStamp_ = ++stamp_;
  context.jobs.start(kMomentsLane, tr("scores of a layer"),
                     [channel = momentsChannel_, factors = shared_.factors, stamp = momentsStamp_,
                      &pool = context.pool](JobContext& job) {
                       auto moments = attention::momentsOf(*factors, &pool, [&job] { return job.cancelled(); });
                       if (!moments) return Result<void>();
                       channel->slot() = {stamp, std::make_shared<attention::Moments>(std::move(*moments))};
                       channel->publish();
                       job.published();
                       return Result<void>();
                     });
}

void WeightsStore::updateScores(const WeightsState& state) {
  if (scored_ && same(*scored_, state.score) && scoredRevision_ == shared_.factorsRevision) return;
  scored_ = state.score;
  scoredRevision_ = shared_.factorsRevision;
  shared_.scores = noScores();
  shared_.parts = {};
  shared_.excess = shared_.sum = kNaN;
  if (!shared_.moments) return;
  using attention::Directionality;
  shared_.scores = attention::scoresOf(*shared_.moments, state.score);
  shared_.parts = attention::directionality(*shared_.moments, state.score);
  shared_.excess = attention::scoresOf(*shared_.moments, ofVariant(state.score, Directionality::Excess)).directionality;
  shared_.sum = attention::scoresOf(*shared_.moments, ofVariant(state.score, Directionality::Sum)).directionality;
}

void WeightsStore::updateBand(const WeightsState& state, ExhibitContext& context) {
  if (bandChannel_->refresh() && bandChannel_->latest().stamp == bandStamp_ && bandRequest_) {
    shared_.band = bandChannel_->latest().band;
    bandDone_ = true;
  }
  if (idle_) bandDone_ = true;
  const bool square = shared_.factors && shared_.factors->rows() == shared_.factors->columns();
  if (!shared_.moments || !square) {
    if (!square && bandRequest_) {
      bandRequest_.reset();
      shared_.band = {};
      bandStamp_ = ++stamp_;
      bandDone_ = true;
    }
    return;
  }
  const BandRequest request{static_cast<int>(shared_.factors->rows()), attention::rankOf(*shared_.factors),
                            state.score};
  if (bandRequest_ && *bandRequest_ == request) return;
  if (bandRequest_ && (bandRequest_->n != request.n || bandRequest_->rank != request.rank)) shared_.band = {};
  bandRequest_ = request;
  bandStamp_ = ++stamp_;
  bandDone_ = false;
  context.jobs.start(kBandLane, tr("band of random matrices"),
                     [channel = bandChannel_, request, stamp = bandStamp_](JobContext& job) {
                       channel->slot() = {stamp, attention::randomBands(request.n, request.rank, request.options)};
                       channel->publish();
                       job.published();
                       return Result<void>();
                     });
}

void WeightsStore::updateBoard(const WeightsState& state, ExhibitContext& context) {
  if (boardChannel_->refresh() && boardChannel_->latest().stamp == boardStamp_ && boardRequest_) {
    board_ = boardChannel_->latest().layers;
    boardDone_ = boardChannel_->latest().finished;
    shared_.boardRevision = ++stamp_;
  }
  if (idle_) boardDone_ = true;
  const bool asked = std::exchange(boardWanted_, false);
  if (!shared_.layer) return;
  const bool wanted = asked || boardSize(shared_.model->map) <= kBoardAtOnce || boardRequest_;
  // The layer in sight first.
  if (!wanted || (!shared_.moments && shared_.factorsFailure.empty() && !boardRequest_)) return;
  BoardRequest request{shared_.model, state.pairing, state.foldNorm, state.score};
  if (boardRequest_ && *boardRequest_ == request) return;
  if (!boardRequest_ || !boardRequest_->sameMoments(request)) {
    board_.clear();
    for (const checkpoint::AttentionLayer& layer : shared_.model->map.layers) {
      LayerScores blank;
      blank.stack = layer.stack;
      blank.layer = layer.layer;
      blank.scores = noScores();
      blank.headScores.assign(static_cast<std::size_t>(std::max(0, layer.heads)), noScores());
      board_.push_back(std::move(blank));
    }
    shared_.boardRevision = ++stamp_;
  }
  boardRequest_ = std::move(request);
  startBoard(context);
}

void WeightsStore::startBoard(ExhibitContext& context) {
  boardStamp_ = ++stamp_;
  boardDone_ = false;
  context.jobs.start(kBoardLane, tr("scores of all layers and heads"),
                     [channel = boardChannel_, request = *boardRequest_, layers = board_, stamp = boardStamp_,
                      &pool = context.pool](JobContext& job) mutable {
                       const std::vector<checkpoint::AttentionLayer>& map = request.model->map.layers;
                       const checkpoint::FactorOptions options{request.pairing, -1, request.foldNorm};
                       const auto cancelled = [&job] { return job.cancelled(); };
                       const auto publish = [&](bool finished) {
                         channel->slot() = {stamp, layers, finished};
                         channel->publish();
                         job.published();
                       };
                       for (LayerScores& layer : layers)
                         if (layer.moments) score(layer, request.options);
                       for (std::size_t i = 0; i < layers.size(); ++i) {
                         job.progress(0.9 * static_cast<double>(i) / static_cast<double>(layers.size()));
                         if (layers[i].moments) continue;
                         if (!measure(*request.model, map[i], options, pool, cancelled, layers[i]) || job.cancelled())
                           return Result<void>();
                         score(layers[i], request.options);
                         publish(false);
                       }
                       for (std::size_t i = 0; i < layers.size(); ++i) {
                         if (job.cancelled()) return Result<void>();
                         addBands(layers[i], map[i], request.options);
                       }
                       publish(true);
                       return Result<void>();
                     });
}

/// A figure names the bytes that it was made from.
void WeightsStore::updateSources(const std::vector<std::string>& further, ExhibitContext& context) {
  if (hashChannel_->refresh() && hashChannel_->latest().stamp == hashStamp_) {
    sources_ = hashChannel_->latest().sources;
    hashDone_ = true;
  }
  if (idle_) hashDone_ = true;
  if (!context.figure || !shared_.model || !sources_.empty()) return;
  sources_ = {{path_, {}}};
  for (const std::string& path : further)
    sources_.push_back({path, {}});
  hashStamp_ = ++stamp_;
  hashDone_ = false;
  context.jobs.start(
      kHashLane, tr("hash of the checkpoint"),
      [channel = hashChannel_, sources = sources_, rules = context.rules, stamp = hashStamp_](JobContext& job) mutable {
        Result<void> outcome;
        for (std::size_t i = 0; i < sources.size(); ++i) {
          const auto model = checkpoint::openModel(sources[i].path, rules);
          auto hash = model ? (*model)->checkpoint->sha256([&](double share) {
            job.progress((static_cast<double>(i) + share) / static_cast<double>(sources.size()));
            return job.cancelled();
          })
                            : Result<std::string>(tl::unexpected(model.error()));
          if (job.cancelled()) return Result<void>();
          if (hash) sources[i].sha256 = *hash;
          if (!hash && outcome) outcome = tl::unexpected(hash.error());
        }
        channel->slot() = {stamp, sources};
        channel->publish();
        job.published();
        return outcome;
      });
}

}  // namespace sepx::ui
