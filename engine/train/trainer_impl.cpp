// SPDX-License-Identifier: Apache-2.0
// The loop of a run: commands, steps, metrics, checkpoints, publications; see trainer_impl.h. Data are committed before
// they are shown; several steps share a transaction.
#include "engine/train/trainer_impl.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "engine/core/number.h"
#include "engine/core/try.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/group_run.h"
#include "engine/train/matrix_spectrum.h"
#include "engine/train/metrics.h"
#include "engine/train/stored_matrices.h"

namespace sepx::train {

using std::chrono::milliseconds;

struct Trainer::Impl::PendingCommands {
  std::optional<Mode> mode;
  std::int64_t more = 0;  ///< steps, of Mode::Stepping
  bool stop = false, save = false;
  std::optional<double> rate;
  std::optional<std::int64_t> steps, stepsPerFrame;
  std::optional<std::vector<std::string>> watched;

  void take(Command command) {
    constexpr double kMost = 1e15;
    const double number = command.number;
    const bool count = number >= 0 && number <= kMost;  // not NaN either
    const std::int64_t whole = count ? static_cast<std::int64_t>(number) : 0;
    switch (command.kind) {
      case CommandKind::Pause:
        mode = Mode::Paused, more = 0;
        break;
      case CommandKind::Continue:
        mode = Mode::Continuous, more = 0;
        break;
      case CommandKind::Step:
        if (count) mode = Mode::Stepping, more += whole;
        break;
      case CommandKind::Stop:
        stop = true;
        break;
      case CommandKind::SetRate:
        if (count) rate = number;
        break;
      case CommandKind::SetSteps:
        if (count) steps = whole;
        break;
      case CommandKind::Save:
        save = true;
        break;
      case CommandKind::Watch:
        watched = std::move(command.names);
        break;
      case CommandKind::StepsPerFrame:
        if (count) stepsPerFrame = whole;
        break;
    }
  }
};

Result<void> Trainer::Impl::loop() {
  for (;;) {
    const int rung = bell.load(std::memory_order_acquire);
    bool stop = false;
    SEPX_TRY(takeCommands(stop));
    if (stop) return stopRun();
    SEPX_TRY(repeatChange());
    if (state == RunState::Running && (stepper->made() >= steps || stopRule.converged())) {
      SEPX_TRY(reachEnd());
    } else if (!mayStep()) {
      SEPX_TRY(flush());
      if (shown.state != state) SEPX_TRY(enter(state));
      if (shown.step != stepper->made() || shown.state != state) publish();
      rest(rung);
    } else if (paced.load(std::memory_order_acquire) && bell.load(std::memory_order_acquire) != rung) {
      continue;  // commands that were sent before the step was requested come before it
    } else if (waitForTurn(rung)) {
      SEPX_TRY(makeStep());
    }
  }
}

Result<void> Trainer::Impl::takeCommands(bool& stop) {
  PendingCommands wanted;
  bool any = false;
  while (std::optional<Command> command = commands.pop()) {
    wanted.take(std::move(*command));
    any = true;
  }
  stop = wanted.stop || stoppedByRank || stopping.load(std::memory_order_acquire);
  if (!any) return {};
  return applyCommands(wanted);
}

Result<void> Trainer::Impl::applyCommands(const PendingCommands& wanted) {
  if (wanted.rate) {
    for (auto& [step, change] : changes)
      change.rate.reset();  // replaces what was planned
    SEPX_TRY(setRate(*wanted.rate));
  }
  if (wanted.steps) {
    for (auto& [step, change] : changes)
      change.end.reset();
    if (std::string told = stretch(stepper->made(), steps, *wanted.steps); !told.empty())
      shown.notice = std::move(told);
    SEPX_TRY(setEnd(*wanted.steps));
    if (state == RunState::Finished && steps > stepper->made()) {
      state = mode == Mode::Paused ? RunState::Paused : RunState::Running;
      shown.sentence.clear();
      setOver(false, std::nullopt);
    }
  }
  if (wanted.mode) {
    if (*wanted.mode != Mode::Stepping) requestedSteps = 0;
    mode = *wanted.mode;
    requestedSteps += wanted.more;
    if (state == RunState::Running || state == RunState::Paused)
      state = mode == Mode::Paused ? RunState::Paused : RunState::Running;
  }
  if (wanted.stepsPerFrame) stepsPerFrame = *wanted.stepsPerFrame, stepsSinceFrame = 0;
  if (wanted.watched) watched = *wanted.watched, nextSpectra = {};
  if (wanted.save && timedSaveStep == stepper->made()) timedSaveStep = -1;  // no longer temporary
  if (wanted.save && savedStep != stepper->made()) SEPX_TRY(save(false));
  SEPX_TRY(flush());
  if (shown.state != state) SEPX_TRY(enter(state));
  publish();
  return {};
}

bool Trainer::Impl::mayStep() {
  if (state != RunState::Running || mode == Mode::Paused) return false;
  if (mode == Mode::Stepping && requestedSteps <= 0) {
    mode = Mode::Paused;
    state = RunState::Paused;
    return false;
  }
  if (paced.load(std::memory_order_acquire)) {
    const std::lock_guard lock(mutex);
    if (allowance <= 0) return false;
  }
  if (stepsPerFrame > 0 && stepsSinceFrame >= stepsPerFrame) waitForFrame();
  return true;
}

/// Waits until the next step may be made, and sets the number of threads; false if a command came first.
bool Trainer::Impl::waitForTurn(int rung) {
  int count = options.threads;
  if (share) {
    const int given = share->turn([this, rung] { return bell.load(std::memory_order_acquire) != rung; });
    if (given == 0) return false;
    count = count > 0 ? std::min(count, given) : given;
  }
  useThreads(count);
  return true;
}

/// Replaces the pool in place, so that references to it stay valid.
void Trainer::Impl::useThreads(int count) {
  if (pool && threads == count) return;
  pool.emplace(count);
  threads = count;
}

/// Waits until the window has shown the steps made so far, but not for long if the window does not refresh.
void Trainer::Impl::waitForFrame() {
  constexpr milliseconds kLongest{100};
  const Clock::time_point until = Clock::now() + kLongest;
  if (share) share->giveBack();
  const int rung = bell.load(std::memory_order_acquire);
  while (framesRead.load(std::memory_order_acquire) == publishedFrame && bell.load(std::memory_order_acquire) == rung &&
         Clock::now() < until)
    std::this_thread::sleep_for(milliseconds(1));
  stepsSinceFrame = 0;
}

void Trainer::Impl::rest(int rung) {
  if (share) share->rest();
  {
    const std::lock_guard lock(mutex);
    if (bell.load(std::memory_order_acquire) == rung) resting = true;  // all requests are done
  }
  changed.notify_all();
  bell.wait(rung, std::memory_order_acquire);
  const std::lock_guard lock(mutex);
  resting = false;
}

Result<void> Trainer::Impl::setRate(double factor) {
  if (factor == stepper->rateFactor()) return {};
  stepper->setRateFactor(factor);
  return recordEvent(kRateEvent, formatShortest(factor));
}

/// Sets the last step. A run that has converged also continues, with the whole patience again.
Result<void> Trainer::Impl::setEnd(std::int64_t end) {
  if (end == steps && !stopRule.converged()) return {};
  steps = end;
  stopRule.restart();
  if (!writer) return {};
  SEPX_TRY(writer->steps(steps));
  return recordEvent(kEndEvent, fmt::format("{}", steps));
}

/// Repeats what was changed at this step before a kill.
Result<void> Trainer::Impl::repeatChange() {
  const auto planned = changes.find(stepper->made());
  if (planned == changes.end()) return {};
  const Change change = planned->second;
  changes.erase(planned);
  if (change.rate) SEPX_TRY(setRate(*change.rate));
  return change.end ? setEnd(*change.end) : Result<void>{};
}

Result<void> Trainer::Impl::makeStep() {
  const Clock::time_point start = Clock::now();
  const Schedule& schedule = config.schedule;
  const std::int64_t next = stepper->made() + 1;
  const bool gradients = schedule.gradientsEvery > 0 && next % schedule.gradientsEvery == 0;
  if (options.group != nullptr && !shareOrder(*options.group, {GroupOrder::Kind::Step, steps, stepper->rateFactor()})) {
    stoppedByRank = true;
    return {};
  }
  const Result<StepReport> report = stepper->step(steps, gradients ? &pending : nullptr);
  if (stepper->cancelled()) {  // loop() handles the Stop
    stoppedByRank = options.group != nullptr;
    return {};
  }
  if (!report) {
    SEPX_TRY(flush());
    return tl::unexpected(report.error());
  }
  if (next % schedule.recordEvery == 0 || next == steps) {
    note("loss", next, report->loss);
    note("rate", next, report->rate);
    note("gradient_norm", next, report->gradientNorm);
    if (config.constraint.kind != nn::ConstraintKind::None) note("constraint", next, report->constraint);
    measured.loss = report->loss;
    measured.rate = report->rate;
    measured.gradientNorm = report->gradientNorm;
    stopRule.loss(next, report->loss);
    if (const std::optional<std::string>& why = stopRule.diverged()) {
      SEPX_TRY(flush());
      return fail(ErrorKind::CheckFailed,
                  fmt::format("{}{}{}", options.folder, options.folder.empty() ? "" : ": ", *why));
    }
  }
  SEPX_TRY(measure());
  SEPX_TRY(saveIfDue());
  clock.made(std::chrono::duration<double>(Clock::now() - start).count());

  requestedSteps = std::max<std::int64_t>(requestedSteps - 1, 0);
  ++stepsSinceFrame;
  bool lastAllowed = false;
  {
    const std::lock_guard lock(mutex);
    lastAllowed = allowance == 1;
  }
  const milliseconds interval = options.background ? milliseconds(25) : milliseconds(100);
  const bool frameFull = stepsPerFrame > 0 && stepsSinceFrame >= stepsPerFrame;
  if (lastAllowed || frameFull || Clock::now() - lastShown >= interval) {
    SEPX_TRY(flush());
    publish();
  }
  {
    const std::lock_guard lock(mutex);
    if (allowance > 0) --allowance;
  }
  if (lastAllowed) changed.notify_all();
  return {};
}

/// Measures what is due at the current step: validation, scores, spectra. Also used at the start of a run. If a Stop
/// came before the end of the validation, a resume from this step measures again.
Result<void> Trainer::Impl::measure() {
  const Schedule& schedule = config.schedule;
  const std::int64_t made = stepper->made();
  const auto due = [&](std::int64_t every) { return every > 0 && (made % every == 0 || made == steps); };
  if (due(schedule.evaluateEvery)) {
    const MeanLoss loss = stepper->validate();
    if (stepper->cancelled()) return {};
    SEPX_TRY(stepper->finite(loss.value));
    const std::optional<MeanLoss> average = stepper->validateAverage();
    if (stepper->cancelled()) return {};
    if (average) SEPX_TRY(stepper->finite(average->value));
    const std::optional<reversal::AccuracyReport> answers = stepper->answer();
    if (stepper->cancelled()) return {};
    const std::optional<reversal::AccuracyReport> averageAnswers = stepper->answerAverage();
    if (stepper->cancelled()) return {};
    measured.validation = loss.value;
    measured.validationError = loss.error;
    stopRule.validation(made, loss.value);
    note("validation", made, loss.value);
    note("validation_error", made, loss.error);
    if (average) note("validation_ema", made, average->value);
    if (loss.accuracy) note("accuracy", made, *loss.accuracy);
    if (average && average->accuracy) note("accuracy_ema", made, *average->accuracy);
    if (answers) answerMetrics(*answers, "", made, pending);
    if (averageAnswers) answerMetrics(*averageAnswers, "_ema", made, pending);
  }
  if (due(schedule.scoresEvery)) scoreMetrics(config.model, stepper->layout(), stepper->theta(), made, pending);
  if (due(schedule.spectraEvery)) spectrumMetrics(stepper->layout(), stepper->theta(), schedule.watch, made, pending);
  if (writer && due(schedule.storeEvery))
    addStoredMatrices(stepper->layout(), stepper->theta(), schedule.watch, made, pendingMatrices);
  return {};
}

void Trainer::Impl::note(std::string_view name, std::int64_t step, double value) {
  Metric metric;
  metric.step = step;
  metric.name = metricId(name);
  metric.value = value;
  pending.push_back(metric);
}

Result<void> Trainer::Impl::recordEvent(std::string_view kind, const std::string& text) {
  return writer ? writer->event(stepper->made(), kind, text) : Result<void>{};
}

Result<void> Trainer::Impl::flush() {
  if (writer && options.held && !options.held())
    return fail(ErrorKind::OutputFailed,
                fmt::format("{}: another program has taken the run over; what it reported is kept", options.folder));
  if (writer && !(pending.empty() && pendingMatrices.empty()))
    SEPX_TRY(writer->append(stepper->made(), pending, pendingMatrices));
  recent.insert(recent.end(), pending.begin(), pending.end());
  pending.clear();
  if (!pendingMatrices.empty()) shown.storedStep = pendingMatrices.back().step;
  pendingMatrices.clear();
  if (recent.size() > 2 * Snapshot::kMetrics) {
    const std::size_t old = recent.size() - Snapshot::kMetrics;
    recent.erase(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(old));
    recentFrom += old;
  }
  shown.step = stepper->made();
  shown.loss = measured.loss;
  shown.validation = measured.validation;
  shown.validationError = measured.validationError;
  shown.rate = measured.rate;
  shown.gradientNorm = measured.gradientNorm;
  return {};
}

/// The record has the new state before it is published.
Result<void> Trainer::Impl::enter(RunState next) {
  state = next;
  return writer ? writer->state(state, stepper->made(), shown.sentence) : Result<void>{};
}

Result<void> Trainer::Impl::saveIfDue() {
  const Schedule& schedule = config.schedule;
  const std::int64_t made = stepper->made();
  if (made == steps || (schedule.saveEvery > 0 && made % schedule.saveEvery == 0)) return save(false);
  const auto since = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - lastSave);
  if (schedule.saveSeconds > 0 && since.count() >= schedule.saveSeconds) return save(true);
  return {};
}

Result<void> Trainer::Impl::save(bool byTime) {
  if (!writer) return {};
  SEPX_TRY(writer->checkFolderExists());
  SEPX_TRY(stepper->checkFinite());
  SEPX_TRY(flush());
  SEPX_TRY(writer->sync());
  RunConfig whole = config;
  whole.schedule.steps = steps;
  const Result<void> written = stepper->withState(
      [&](const TrainState& there) { return writeCheckpoint(options.folder, whole, stepper->layout(), there, words); });
  lastSave = Clock::now();
  if (!written) return written;
  if (timedSaveStep >= 0 && timedSaveStep != stepper->made()) dropCheckpoint(options.folder, timedSaveStep);
  savedStep = stepper->made();
  timedSaveStep = byTime ? savedStep : -1;
  pruneCheckpoints(options.folder, config.schedule.keep);
  return {};
}

/// A checkpoint that was removed meanwhile must not be reported as saved.
Result<void> Trainer::Impl::checkSavedExists() const {
  if (!writer) return {};
  SEPX_TRY(writer->checkFolderExists());
  const std::string saved = checkpointFolder(options.folder, savedStep);
  std::error_code error;
  if (std::filesystem::is_directory(saved, error)) return {};
  return fail(ErrorKind::OutputFailed, fmt::format("{}: was removed or moved while the run was trained", saved));
}

Result<void> Trainer::Impl::reachEnd() {
  if (savedStep != stepper->made()) SEPX_TRY(save(false));
  SEPX_TRY(flush());
  SEPX_TRY(checkSavedExists());
  if (stepper->made() < steps && stopRule.converged()) shown.sentence = *stopRule.converged();
  SEPX_TRY(enter(RunState::Finished));
  publish();
  setOver(true, std::nullopt);
  return {};
}

Result<void> Trainer::Impl::stopRun() {
  SEPX_TRY(flush());
  if (state == RunState::Finished) return {};
  if (writer && savedStep != stepper->made()) SEPX_TRY(save(false));
  SEPX_TRY(checkSavedExists());
  const bool alone = options.group != nullptr && options.group->broken();
  const std::string why = alone ? fmt::format(" ({})", noAnswer().message) : std::string();
  shown.sentence = writer ? fmt::format("{}: stopped after step {} of {}{}, saved; --resume continues from there",
                                        options.folder, stepper->made(), steps, why)
                          : fmt::format("stopped after step {} of {}{}; nothing was kept", stepper->made(), steps, why);
  SEPX_TRY(enter(RunState::Stopped));
  publish();
  setOver(true, Error{ErrorKind::Interrupted, shown.sentence});
  return {};
}

void Trainer::Impl::failWith(const Error& why) {
  Error error = why;
  if (error.kind == ErrorKind::CheckFailed) {
    if (writer && savedStep >= 0) {
      error.message += fmt::format("; the last good checkpoint is {}", checkpointFolder(options.folder, savedStep));
    } else if (writer) {
      error.message += "; no checkpoint was made before";
    }
  }
  state = error.kind == ErrorKind::Interrupted ? RunState::Stopped : RunState::Failed;  // Stopped: while reading data
  shown.sentence = error.message;
  // Errors are ignored: the disk may be what failed, and the run has ended either way.
  const bool ours = !options.held || options.held();
  if (writer && ours) static_cast<void>(writer->state(state, shown.step, shown.sentence));
  publish();
  setOver(true, error);
}

void Trainer::Impl::setOver(bool ended, std::optional<Error> why) {
  {
    const std::lock_guard lock(mutex);
    over = ended;
    reason = std::move(why);
  }
  changed.notify_all();
}

/// Copies the watched matrices for the next snapshot. Singular vectors can cost more than steps of a small model, so at
/// most a tenth of the time goes into them. A paced trainer (a script) computes them at every publication.
void Trainer::Impl::snapshotMatrices() {
  const Clock::time_point start = Clock::now();
  const bool spectra = !watched.empty() && (paced.load(std::memory_order_relaxed) || start >= nextSpectra);
  std::vector<MatrixSnapshot> now;
  for (const std::string& name : watched) {
    const nn::Parameter* parameter = stepper->layout().find(name);
    if (parameter == nullptr) continue;
    const auto before = std::ranges::find(shown.matrices, name, &MatrixSnapshot::parameter);
    MatrixSnapshot& one = now.emplace_back();
    if (before != shown.matrices.end()) one = std::move(*before);
    const std::span<const float> values = stepper->theta().subspan(parameter->offset, parameter->size());
    one.parameter = name;
    one.rows = parameter->rows;
    one.columns = parameter->columns;
    one.values.assign(values.begin(), values.end());
    if (!spectra) continue;
    const MatrixSpectrum spectrum = matrixSpectrum(values, one.rows, one.columns);
    one.singular = spectrum.singular;
    one.left.assign(spectrum.left.begin(), spectrum.left.end());
    one.right.assign(spectrum.right.begin(), spectrum.right.end());
  }
  shown.matrices = std::move(now);
  constexpr int kShare = 10;
  if (spectra) nextSpectra = Clock::now() + (Clock::now() - start) * kShare;
}

void Trainer::Impl::publish() {
  lastShown = Clock::now();
  shown.state = state;
  shown.steps = steps;
  shown.savedStep = savedStep;
  shown.secondsPerStep = clock.median();
  shown.secondsLeft.reset();
  if (stepper && state == RunState::Running) shown.secondsLeft = clock.left(steps - stepper->made());
  publishedFrame = framesRead.load(std::memory_order_acquire);

  if (stepper) snapshotMatrices();
  Snapshot& slot = exchange.slot();
  slot = shown;
  const std::size_t kept = std::min(recent.size(), Snapshot::kMetrics);
  slot.metrics.assign(recent.end() - static_cast<std::ptrdiff_t>(kept), recent.end());
  slot.firstMetric = recentFrom + (recent.size() - kept);
  exchange.publish();
  if (options.wake) options.wake();
}

}  // namespace sepx::train
