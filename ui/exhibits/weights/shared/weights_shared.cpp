// SPDX-License-Identifier: Apache-2.0
// The requests to the lanes, in the order in which they depend on each other.
#include "ui/exhibits/weights/shared/weights_shared.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/properties/tr.h"

namespace sepx::ui {

namespace {

constexpr double kBoardAtOnce = 3e8;  // numbers in all factors, above which the board waits until a page requests it
const double kNaN = std::numeric_limits<double>::quiet_NaN();

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

/// The layer in `state`, or the nearest one of its stack if the model does not have it. Null if there are no layers.
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

}  // namespace

bool WeightsStore::FactorsRequest::operator==(const FactorsRequest& other) const {
  return model == other.model && layer.stack == other.layer.stack && layer.layer == other.layer.layer &&
         options == other.options;
}

WeightsStore::WeightsStore(const WeightsState& live) : shared_{live} {
  shared_.board = &board_.layers();
  shared_.scores = {kNaN, kNaN};
  shared_.excess = shared_.sum = kNaN;
  shared_.reopen = [this] { opened_ = false; };
  shared_.requestBoard = [this] { boardRequested_ = true; };
  shared_.keepStream = [this](std::shared_ptr<const StreamVectors> stream) { shared_.stream = std::move(stream); };
}

bool WeightsStore::complete() const {
  return opened_ && modelLane_.complete() && factorsLane_.complete() && !momentsPending() && bandLane_.complete() &&
         board_.complete() && hashLane_.complete();
}

void WeightsStore::update(WeightsState& state, const std::vector<std::string>& further, ExhibitContext& context) {
  updateModel(state, context);
  choose(state);
  updateFactors(state, context);
  shared_.momentsPending = momentsPending();
  updateScores(state);
  updateBand(state, context);
  updateBoard(state, context);
  updateSources(further, context);
}

void WeightsStore::forget() {
  forgetFactors();
  bandLane_.clear();
  hashLane_.clear();
  shared_.model = nullptr;
  shared_.stream = nullptr;
  shared_.failure.clear();
  shared_.layer = nullptr;
  board_.clear();
  sources_.clear();
  shared_.band = {};
  shared_.modelRevision = shared_.boardRevision = ++revision_;
}

void WeightsStore::updateModel(WeightsState& state, ExhibitContext& context) {
  const bool waited = modelLane_.pending();
  if (modelLane_.refresh(context.jobs)) {
    const Result<ModelPointer>& opened = *modelLane_.result();
    shared_.model = opened ? *opened : nullptr;
    shared_.failure = opened ? std::string() : opened.error().message;
    shared_.modelRevision = ++revision_;
  } else if (waited && modelLane_.complete()) {
    shared_.failure = tr("Opening was cancelled: open the file again.");
  }
  shared_.assets = context.assets;
  std::string path = state.path;
  if (path.empty() && !context.assets.empty()) path = context.assets + "/models/encoder";
  if (!opened_ || path != path_) open(std::move(path), context);
}

void WeightsStore::open(std::string path, ExhibitContext& context) {
  opened_ = true;
  path_ = std::move(path);
  forget();
  modelLane_.clear();
  if (path_.empty()) {
    shared_.failure = tr("No checkpoint is open: open a file, or drop one on the window.");
    return;
  }
  modelLane_.start(context.jobs, {path_, context.rules}, tr("opening a checkpoint"),
                   [](const OpenRequest& request, auto& output) {
                     return checkpoint::openModel(request.path, request.rules, output.whileReading());
                   });
}

void WeightsStore::choose(WeightsState& state) {
  shared_.layer = nullptr;
  if (!shared_.model || !shared_.model->map.noQkReason.empty()) return;
  shared_.layer = chosenLayer(shared_.model->map, state);
  if (!shared_.layer) return;
  state.stack = shared_.layer->stack;
  state.layer = shared_.layer->layer;
  state.head = std::min(state.head, shared_.layer->heads - 1);
}

void WeightsStore::updateFactors(const WeightsState& state, ExhibitContext& context) {
  if (factorsLane_.refresh(context.jobs)) {
    const Result<FactorsPointer>& read = *factorsLane_.result();
    shared_.factors = read ? *read : nullptr;
    shared_.factorsFailure = read ? std::string() : read.error().message;
    shared_.factorsRevision = ++revision_;
  }
  if (!shared_.layer) {
    if (factorsLane_.requested()) forgetFactors();
    return;
  }
  FactorsRequest wanted{shared_.model, *shared_.layer, {state.pairing, state.head, state.foldNorm}};
  if (factorsLane_.isFor(wanted)) return;
  forgetFactors();  // old numbers must not appear beside the new name; the old picture stays and is drawn pale
  factorsLane_.start(context.jobs, std::move(wanted), tr("reading the weights of a layer"),
                     [](const FactorsRequest& request, auto& output) -> Result<FactorsPointer> {
                       auto read = checkpoint::loadFactors(*request.model->checkpoint, request.layer, request.options,
                                                           output.whileReading());
                       if (!read) return tl::unexpected(read.error());
                       return std::make_shared<const attention::LayerFactors>(std::move(*read));
                     });
}

void WeightsStore::forgetFactors() {
  factorsLane_.clear();
  momentsLane_.clear();
  shared_.factors = nullptr;
  shared_.moments = nullptr;
  shared_.factorsFailure.clear();
  shared_.factorsRevision = ++revision_;
}

bool WeightsStore::momentsPending() const {
  return momentsLane_.pending() || (shared_.factors && !momentsLane_.isFor(shared_.factors));
}

void WeightsStore::updateMoments(bool pictureThere, ExhibitContext& context) {
  if (momentsLane_.refresh(context.jobs)) {
    shared_.moments = *momentsLane_.result();
    shared_.factorsRevision = ++revision_;
    updateScores(shared_.state);
    updateBand(shared_.state, context);  // dependent work starts in this frame, so complete() stays false
    updateBoard(shared_.state, context);
  }
  if (!shared_.factors || !pictureThere || momentsLane_.isFor(shared_.factors)) return;
  momentsLane_.start(context.jobs, shared_.factors, tr("scores of a layer"),
                     [&pool = context.pool](const FactorsPointer& factors, auto& output) {
                       auto moments = attention::momentsOf(*factors, &pool, [&output] { return output.cancelled(); });
                       if (moments) output.finish(std::make_shared<const attention::Moments>(std::move(*moments)));
                     });
}

void WeightsStore::updateScores(const WeightsState& state) {
  if (scored_ && *scored_ == state.score && scoredRevision_ == shared_.factorsRevision) return;
  scored_ = state.score;
  scoredRevision_ = shared_.factorsRevision;
  shared_.scores = {kNaN, kNaN};
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
  if (bandLane_.refresh(context.jobs)) shared_.band = *bandLane_.result();
  const bool square = shared_.factors && shared_.factors->rows() == shared_.factors->columns();
  if (!square && bandLane_.clear()) shared_.band = {};
  if (!shared_.moments || !square) return;
  const BandRequest wanted{static_cast<int>(shared_.factors->rows()), attention::rankOf(*shared_.factors), state.score};
  const BandRequest* const before = bandLane_.requested();
  if (before && (before->n != wanted.n || before->rank != wanted.rank)) shared_.band = {};
  bandLane_.request(context.jobs, wanted, tr("band of random matrices"), [](const BandRequest& request, auto&) {
    return attention::randomBands(request.n, request.rank, request.options);
  });
}

void WeightsStore::updateBoard(const WeightsState& state, ExhibitContext& context) {
  if (board_.refresh(context)) shared_.boardRevision = ++revision_;
  const bool before = board_.requested(), asked = std::exchange(boardRequested_, false);
  if (!shared_.layer) return;
  const bool wanted = asked || boardSize(shared_.model->map) <= kBoardAtOnce || before;
  // The layer in sight is scored first.
  if (!wanted || (!shared_.moments && shared_.factorsFailure.empty() && !before)) return;
  if (board_.update(shared_.model, state, tr("scores of all layers and heads"), context))
    shared_.boardRevision = ++revision_;
}

/// Hashes the files that a figure is made from, for its recipe.
void WeightsStore::updateSources(const std::vector<std::string>& further, ExhibitContext& context) {
  if (hashLane_.refresh(context.jobs)) sources_ = *hashLane_.result();
  if (!context.figure || !shared_.model || !sources_.empty()) return;
  sources_ = {{path_, {}}};
  for (const std::string& path : further)
    sources_.push_back({path, {}});
  hashLane_.start(context.jobs, {sources_, context.rules}, tr("hash of the checkpoint"),
                  [](const HashRequest& request, auto& output) -> Result<void> {
                    Result<void> outcome;
                    std::vector<SourceFile> sources = request.sources;
                    for (std::size_t i = 0; i < sources.size(); ++i) {
                      const auto model = checkpoint::openModel(sources[i].path, request.rules);
                      auto hash = model ? (*model)->checkpoint->sha256([&](double share) {
                        output.progress((static_cast<double>(i) + share) / static_cast<double>(sources.size()));
                        return output.cancelled();
                      })
                                        : Result<std::string>(tl::unexpected(model.error()));
                      if (output.cancelled()) return {};
                      if (hash) sources[i].sha256 = *hash;
                      if (!hash && outcome) outcome = tl::unexpected(hash.error());
                    }
                    output.finish(std::move(sources));
                    return outcome;
                  });
}

}  // namespace sepx::ui
