// SPDX-License-Identifier: Apache-2.0
// One step of training; see step.h.
#include "engine/train/step.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "engine/core/try.h"
#include "engine/nn/constraint.h"
#include "engine/nn/initialise.h"
#include "engine/nn/parameter_groups.h"
#include "engine/train/chain_start.h"
#include "engine/train/group_run.h"
#include "engine/train/image_batch.h"
#include "engine/train/metrics.h"

namespace sepx::train {
namespace {

/// The parameters that decay if biases and gains do not: matrices, embeddings and positions.
std::vector<nn::FlatRange> decayedRanges(const nn::ParameterLayout& layout) {
  std::vector<nn::FlatRange> ranges;
  for (const nn::Parameter& parameter : layout.all()) {
    using nn::ParameterKind;
    const bool decays = parameter.kind != ParameterKind::Bias && parameter.kind != ParameterKind::NormGain &&
                        parameter.kind != ParameterKind::NormBias;
    if (!decays) continue;
    const nn::FlatRange range{parameter.offset, parameter.offset + parameter.size()};
    if (!ranges.empty() && ranges.back().last == range.first) {
      ranges.back().last = range.last;
    } else {
      ranges.push_back(range);
    }
  }
  return ranges;
}

/// The mean loss with its standard error.
MeanLoss meanOf(double value, const std::vector<double>& losses) {
  MeanLoss mean;
  mean.value = value;
  const double count = static_cast<double>(losses.size());
  double square = 0;
  for (const double loss : losses)
    square += (loss - value) * (loss - value);
  mean.error = count > 1 ? std::sqrt(square / (count - 1) / count) : 0;
  return mean;
}

std::string notFinite(double value) {
  return std::isnan(value) ? "NaN" : "infinite";
}

}  // namespace

class Stepper::Cancellable {
 public:
  explicit Cancellable(Stepper& stepper) : stepper_(stepper) {
    stepper_.wasCancelled_ = false;
    if (!stepper_.cancelled_) return;
    stepper_.model_.onCancel([&stepper] {
      if (stepper.cancelled_()) stepper.wasCancelled_ = true;
      return stepper.wasCancelled_.load();
    });
  }
  ~Cancellable() { stepper_.model_.onCancel({}); }
  Cancellable(const Cancellable&) = delete;
  Cancellable& operator=(const Cancellable&) = delete;

 private:
  Stepper& stepper_;
};

RandomStream drawStream(std::uint64_t seed, Draw purpose, std::uint64_t number) {
  return RandomStream(seed, static_cast<std::uint64_t>(purpose) << 56 | number);
}

Stepper::Stepper(const RunConfig& config, const data::Source& source, ThreadPool& pool)
    : config_(config),
      source_(source),
      pool_(pool),
      model_(config.model, pool),
      decayed_(decayedRanges(model_.layout())),
      frozen_(*nn::rangesOf(model_.layout(), config.optimisation.frozen)) {
  if (config_.data.kind == data::SourceKind::Pairs)
    pairs_ =
        reversal::samplePairs(config_.model.length, static_cast<std::uint64_t>(config_.schedule.evaluateSequences));
}

void Stepper::begin() {
  RandomStream random = drawStream(config_.seed, Draw::Start);
  nn::initialise<float>(initialOf(config_), config_.model, model_.layout(), random, model_.theta());
  model_.clearGradient();
  step_ = 0;
  sequence_ = 0;
  rateFactor_ = 1;
  optimiser_ = {};
  average_.clear();
  if (config_.optimisation.ema > 0) average_.assign(theta().begin(), theta().end());
}

void Stepper::load(TrainState state) {
  std::ranges::copy(state.theta, model_.theta().begin());
  model_.clearGradient();
  step_ = state.step;
  sequence_ = state.sequence;
  rateFactor_ = state.rateFactor;
  const int remembered = (state.first.empty() ? 0 : 1) + (state.second.empty() ? 0 : 1);
  optimiser_ = {};
  if (remembered == nn::statesPerParameter(config_.optimisation.rule)) {
    optimiser_.steps = state.optimiserSteps;
    optimiser_.first = std::move(state.first);
    optimiser_.second = std::move(state.second);
  }
  average_ = std::move(state.average);
  if (config_.optimisation.ema == 0) {
    average_.clear();
  } else if (average_.empty()) {
    average_.assign(theta().begin(), theta().end());
  }
}

TrainState Stepper::state() const {
  TrainState state;
  state.step = step_;
  state.theta.assign(theta().begin(), theta().end());
  state.first = optimiser_.first;
  state.second = optimiser_.second;
  state.optimiserSteps = optimiser_.steps;
  state.average = average_;
  state.sequence = sequence_;
  state.rateFactor = rateFactor_;
  return state;
}

Result<void> Stepper::withState(const std::function<Result<void>(const TrainState&)>& write) {
  TrainState state;
  state.step = step_;
  state.theta.assign(theta().begin(), theta().end());
  state.first.swap(optimiser_.first);
  state.second.swap(optimiser_.second);
  state.optimiserSteps = optimiser_.steps;
  state.average.swap(average_);
  state.sequence = sequence_;
  state.rateFactor = rateFactor_;
  Result<void> written = write(state);
  state.first.swap(optimiser_.first);
  state.second.swap(optimiser_.second);
  state.average.swap(average_);
  return written;
}

const nn::Batch& Stepper::makeBatch(data::Split split, std::uint64_t first, int sequences, RandomStream random) {
  const std::size_t length = static_cast<std::size_t>(config_.model.length);
  tokens_.resize(static_cast<std::size_t>(sequences) * length);
  lengths_.clear();
  bool whole = true;
  for (int i = 0; i < sequences; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    const std::span<std::int32_t> out = std::span(tokens_).subspan(row * length, length);
    lengths_.push_back(source_.sequence(split, first + row, config_.model.length, out));
    whole = whole && lengths_.back() == config_.model.length;
  }
  if (whole) lengths_.clear();
  nn::makeBatch(config_.objective, tokens_, sequences, config_.model.length, lengths_, random, batch_);
  if (const data::ImageSource* const images = source_.images())
    addImages(config_, *images, split, first, pool_, batch_);
  return batch_;
}

double Stepper::accumulateParts(double share, nn::BatchPart part, RankChecksum* mark) {
  const std::uint64_t accumulate = static_cast<std::uint64_t>(config_.optimisation.accumulate);
  const std::uint64_t batchSize = static_cast<std::uint64_t>(config_.schedule.batch);
  double loss = 0;
  for (std::uint64_t k = 0; k < accumulate && !cancelled(); ++k) {
    const std::uint64_t number = static_cast<std::uint64_t>(step_) * accumulate + k;
    const nn::Batch& batch = makeBatch(data::Split::Train, sequence_ + k * batchSize, config_.schedule.batch,
                                       drawStream(config_.seed, Draw::Batch, number));
    if (mark != nullptr) mark->add(batch);
    loss += share * model_.accumulate(batch, {config_.seed, number}, share, part);
  }
  return loss;
}

Result<double> Stepper::lossAndGradient(double share) {
  const double loss = accumulateParts(share, {}, nullptr);
  if (!cancelled()) return loss;
  model_.clearGradient();
  return fail(ErrorKind::Interrupted, fmt::format("step {} was interrupted before its end", step_ + 1));
}

/// Even if this rank was told to stop, or failed, it takes part in the sums, where the others wait for it.
Result<double> Stepper::sharedLossAndGradient(double share) {
  constexpr std::int64_t kCompareEvery = 64;
  PartOutcome mine;
  mine.mark.add(std::as_bytes(std::span(&step_, 1)));
  if (step_ % kCompareEvery == 0) mine.mark.add(std::as_bytes(theta()));
  try {
    mine.loss = accumulateParts(share, {group_->rank(), group_->size()}, &mine.mark);
  } catch (const std::bad_alloc&) {
    mine.status = fail(ErrorKind::Internal, "out of memory; lower schedule.batch and raise optimisation.accumulate");
  }
  mine.cancelled = cancelled();
  Result<double> loss = sumStep(*group_, mine, step_ + 1, model_.gradient());
  if (loss) return loss;
  model_.clearGradient();
  if (loss.error().kind == ErrorKind::Interrupted) wasCancelled_ = true;
  return loss;
}

Result<StepReport> Stepper::step(std::int64_t steps, std::vector<Metric>* gradients) {
  const Optimisation& optimisation = config_.optimisation;
  const std::uint64_t accumulate = static_cast<std::uint64_t>(optimisation.accumulate);
  const std::uint64_t batchSize = static_cast<std::uint64_t>(config_.schedule.batch);
  const double share = 1.0 / optimisation.accumulate;
  const Cancellable asked(*this);
  StepReport report;
  report.rate = learningRateAt(optimisation, step_, steps) * rateFactor_;
  SEPX_ASSIGN(report.loss, group_ != nullptr ? sharedLossAndGradient(share) : lossAndGradient(share));
  if (config_.constraint.kind != nn::ConstraintKind::None)
    report.constraint =
        nn::constrain<float>(config_.constraint, config_.model, model_.layout(), theta(), model_.gradient());
  forgetFrozenGradient();
  report.gradientNorm = nn::norm<float>(pool_, model_.gradient());
  if (!std::isfinite(report.loss + report.constraint) || !std::isfinite(report.gradientNorm)) {
    model_.clearGradient();
    const bool ofLoss = !std::isfinite(report.loss + report.constraint);
    const double wrong = ofLoss ? report.loss + report.constraint : report.gradientNorm;
    return diverged(ofLoss ? "loss" : "gradient", wrong, fmt::format("in step {}", step_ + 1), report.rate);
  }
  if (gradients != nullptr) gradientMetrics(model_.layout(), model_.gradient(), step_ + 1, *gradients);

  nn::OptimiserOptions rule = optimisation.rule;
  rule.learningRate = report.rate;
  nn::FlatStep flat;
  flat.gradientFactor = nn::clipFactor(report.gradientNorm, optimisation.clip);
  flat.decayAll = !optimisation.decayMatricesOnly;
  if (!flat.decayAll) flat.decayed = decayed_;
  flat.clearGradient = true;
  saveFrozen();
  nn::step<float>(pool_, rule, model_.theta(), model_.gradient(), optimiser_, flat);
  putFrozenBack();
  ++step_;
  rate_ = report.rate;
  sequence_ += accumulate * batchSize;
  if (!average_.empty() && step_ % optimisation.emaEvery == 0)
    nn::updateAverage<float>(pool_, theta(), average_,
                             nn::averageDecay(optimisation.ema, step_ / optimisation.emaEvery));
  return report;
}

void Stepper::forgetFrozenGradient() {
  for (const nn::FlatRange& range : frozen_)
    std::ranges::fill(model_.gradient().subspan(range.first, range.last - range.first), 0.0F);
}

/// Saves the frozen values: even without a gradient a rule changes parameters that have a momentum or decay.
void Stepper::saveFrozen() {
  savedFrozen_.clear();
  for (const nn::FlatRange& range : frozen_)
    savedFrozen_.insert(savedFrozen_.end(), theta().begin() + static_cast<std::ptrdiff_t>(range.first),
                        theta().begin() + static_cast<std::ptrdiff_t>(range.last));
}

void Stepper::putFrozenBack() {
  auto from = savedFrozen_.cbegin();
  for (const nn::FlatRange& range : frozen_) {
    const auto count = static_cast<std::ptrdiff_t>(range.last - range.first);
    std::copy_n(from, count, model_.theta().begin() + static_cast<std::ptrdiff_t>(range.first));
    from += count;
  }
}

tl::unexpected<Error> Stepper::diverged(std::string_view what, double value, const std::string& when,
                                        double rate) const {
  if (step_ == 0)
    return fail(ErrorKind::CheckFailed,
                fmt::format("the {} of the initial parameters is {}; choose smaller values in `initial` (initial.sigma "
                            "is {:.6g})",
                            what, notFinite(value), config_.initial.sigma));
  return fail(ErrorKind::CheckFailed,
              fmt::format("the {} is {} {} at learning rate {:.6g}; lower optimisation.learning_rate or set "
                          "optimisation.clip",
                          what, notFinite(value), when, rate));
}

MeanLoss Stepper::validate() {
  const Cancellable asked(*this);
  std::uint64_t wanted = static_cast<std::uint64_t>(config_.schedule.evaluateSequences);
  if (const auto count = source_.count(data::Split::Validation))
    wanted = std::min(wanted, std::max<std::uint64_t>(*count, 1));
  const int sequences = static_cast<int>(wanted);
  if (nn::objectiveInfo(config_.objective.kind).classifies) return classify(sequences);
  const bool bySequence = nn::objectiveInfo(config_.objective.kind).per == nn::LossPer::Sequence;
  double sum = 0, weight = 0;
  std::vector<double> ofSequence;
  for (int first = 0; first < sequences; first += config_.schedule.batch) {
    const int here = std::min(config_.schedule.batch, sequences - first);
    const std::uint64_t index = static_cast<std::uint64_t>(first);
    const nn::Batch& batch =
        makeBatch(data::Split::Validation, index, here, drawStream(config_.seed, Draw::Validation, index));
    losses_.resize(batch.targets.size());
    const double w = bySequence ? here : static_cast<double>(batch.predicted());
    sum += w * model_.evaluate(batch, losses_);
    if (cancelled()) return {};
    weight += w;
    const std::size_t begin = ofSequence.size();
    ofSequence.resize(begin + static_cast<std::size_t>(batch.sequences), 0.0);
    for (std::size_t i = 0; i < losses_.size(); ++i)
      ofSequence[begin + static_cast<std::size_t>(batch.targets[i].row / batch.length)] +=
          batch.sequences * static_cast<double>(batch.targets[i].weight) * losses_[i];
  }
  return meanOf(weight > 0 ? sum / weight : 0, ofSequence);
}

MeanLoss Stepper::classify(int sequences) {
  const std::size_t classes = static_cast<std::size_t>(config_.model.vocabulary);
  std::vector<double> losses;
  std::vector<std::int32_t> rows;
  std::vector<float> logits;
  double sum = 0;
  int right = 0;
  for (int first = 0; first < sequences; first += config_.schedule.batch) {
    const int here = std::min(config_.schedule.batch, sequences - first);
    const std::uint64_t index = static_cast<std::uint64_t>(first);
    const nn::Batch& batch =
        makeBatch(data::Split::Validation, index, here, drawStream(config_.seed, Draw::Validation, index));
    rows.clear();
    for (const nn::Target& target : batch.targets)
      rows.push_back(target.row);
    logits.resize(rows.size() * classes);
    if (cancelled_ && cancelled_()) wasCancelled_ = true;  // logits() does not poll
    if (cancelled()) return {};
    model_.logits(batch, rows, logits);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::span<const float> z = std::span<const float>(logits).subspan(i * classes, classes);
      const auto token = static_cast<std::size_t>(batch.targets[i].token);
      const auto top = std::ranges::max_element(z);
      double total = 0;
      for (const float value : z)
        total += std::exp(static_cast<double>(value) - static_cast<double>(*top));
      losses.push_back(static_cast<double>(*top) - static_cast<double>(z[token]) + std::log(total));
      sum += losses.back();
      right += static_cast<std::size_t>(top - z.begin()) == token ? 1 : 0;
    }
  }
  const double count = static_cast<double>(std::max<std::size_t>(losses.size(), 1));
  MeanLoss mean = meanOf(sum / count, losses);
  mean.accuracy = right / count;
  return mean;
}

Result<void> Stepper::checkFinite() {
  constexpr int kFew = 8;
  const nn::Batch& batch = makeBatch(data::Split::Validation, 0, std::min(config_.schedule.batch, kFew),
                                     drawStream(config_.seed, Draw::Validation, 0));
  return finite(model_.evaluate(batch));
}

Result<void> Stepper::finite(double loss) const {
  if (std::isfinite(loss)) return {};
  return diverged("loss", loss, fmt::format("after step {}", step_), rate_);
}

std::optional<MeanLoss> Stepper::validateAverage() {
  if (average_.empty()) return std::nullopt;
  std::ranges::swap_ranges(average_, model_.theta());
  const MeanLoss loss = validate();
  std::ranges::swap_ranges(average_, model_.theta());
  return loss;
}

std::optional<reversal::AccuracyReport> Stepper::answer() {
  if (pairs_.empty()) return std::nullopt;
  const Cancellable asked(*this);
  reversal::AccuracyRequest request;
  request.reading = reversal::readingOf(config_.objective);
  request.pairs = pairs_;
  request.batch = config_.schedule.batch;
  request.cancelled = [this] {
    if (cancelled_ && cancelled_()) wasCancelled_ = true;
    return wasCancelled_.load();
  };
  return reversal::measureAccuracy(model_, request);
}

std::optional<reversal::AccuracyReport> Stepper::answerAverage() {
  if (average_.empty()) return std::nullopt;
  std::ranges::swap_ranges(average_, model_.theta());
  std::optional<reversal::AccuracyReport> report = answer();
  std::ranges::swap_ranges(average_, model_.theta());
  return report;
}

}  // namespace sepx::train
