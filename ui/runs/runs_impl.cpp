// SPDX-License-Identifier: Apache-2.0
// Takes over the reports of trainers and of the reading thread once per frame. A run has each metric once per step, and
// the steps of a series ascend, so a value that arrives twice (from the store and live) is recognised by its step.
#include "ui/runs/runs_impl.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "engine/train/run_summary.h"
#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

using train::RunState;

constexpr std::chrono::milliseconds kMostTaken{5};  // per frame

bool isOver(RunState state) {
  return state == RunState::Finished || state == RunState::Stopped || state == RunState::Failed;
}

/// The sentence of a finished run says that it has converged, which is not a failure.
std::string failureOf(RunState state, const std::string& sentence) {
  return state == RunState::Finished ? std::string() : sentence;
}

std::uint64_t keyOf(const train::Metric& metric) {
  const auto part = [](std::int32_t number) { return static_cast<std::uint64_t>(number + 1) & 0xffffu; };
  return static_cast<std::uint64_t>(metric.name) << 32 | part(metric.layer) << 16 | part(metric.head);
}

}  // namespace

bool Runs::update() {
  const std::uint64_t before = impl_->revision;
  impl_->inSight.clear();
  impl_->requestWatch();
  if (impl_->paced) impl_->stepAll();
  for (const auto& entry : impl_->entries)
    impl_->takeTrainer(*entry);
  impl_->takeReports();
  if (!impl_->paced) impl_->dropUnused();
  return impl_->revision != before;
}

/// A page that is no longer shown has not called watch() since the last frame.
void Runs::Impl::requestWatch() {
  const std::string wanted = paced ? std::string() : std::exchange(watchWanted, {});
  if (wanted == watched) return;
  RunRequest request;
  request.folder = wanted.empty() ? watched : wanted;
  request.watch = !wanted.empty();
  watched = wanted;
  ask(std::move(request));
}

void Runs::Impl::stepAll() {
  for (const auto& entry : entries)
    if (entry->trainer) entry->trainer->runSteps(stepsPerFrame);
}

void Runs::Impl::takeTrainer(Entry& entry) {
  if (!entry.trainer || !entry.trainer->refresh()) return;
  entry.handed.reset();
  const train::Snapshot& now = entry.trainer->latest();
  Run& run = *entry.run;
  takeNumbers(entry, now);
  updateMark(entry);
  if (now.state != RunState::Preparing && !std::exchange(entry.begun, true)) {
    RunRequest wanted;
    wanted.folder = run.folder_;
    wanted.follow = false;
    if (std::exchange(entry.again, false) && !isOver(now.state)) {
      wanted.after = kFromTheStart;
      entry.nextMetric = now.firstMetric + now.metrics.size();
    }
    entry.savedSeen = now.savedStep;
    const bool waits = wanted.after.has_value();
    const std::uint64_t number = ask(std::move(wanted));
    if (waits) entry.reading = number;
  }
  takeMetrics(entry, now);
  takeStored(entry, now);
  if (isOver(now.state)) return takeEnd(entry);
  if (std::exchange(entry.savedSeen, now.savedStep) == now.savedStep) return;
  RunRequest lists;
  lists.folder = run.folder_;
  lists.record = false;
  ask(std::move(lists));
}

/// Takes over everything that a trainer reports except its metrics.
void Runs::Impl::takeNumbers(Entry& entry, const train::Snapshot& now) {
  Run& run = *entry.run;
  run.live_ = now;
  run.live_.metrics.clear();
  run.record_.state = now.state;
  run.record_.step = now.step;
  run.record_.steps = now.steps;
  run.record_.sentence = now.sentence;
  if (isOver(now.state)) run.failure_ = failureOf(now.state, now.sentence);
  changed(run);
}

/// A run that the user paused has no mark, because it is not interrupted when the program ends.
void Runs::Impl::updateMark(Entry& entry) {
  const RunState state = entry.run->state();
  if (state != RunState::Paused && state != RunState::Running) return;
  const bool trains = state == RunState::Running;
  if (std::exchange(entry.marked, trains) == trains) return;
  trains ? mark(entry.run->folder_) : unmark(entry.run->folder_);
}

/// Matrices are stored at every multiple of film_every and where the run ends.
void Runs::Impl::takeStored(Entry& entry, const train::Snapshot& now) {
  if (now.storedStep <= entry.storedSeen) return;
  Run& run = *entry.run;
  const std::int64_t every = std::max<std::int64_t>(1, run.config_->schedule.storeEvery);
  std::int64_t seen = std::exchange(entry.storedSeen, now.storedStep);
  const auto add = [&run](std::int64_t step) {
    if (run.stored_.empty() || step > run.stored_.back()) run.stored_.push_back(step);
  };
  if (seen < 0 && entry.firstStored >= 0) {
    seen = entry.firstStored;
    add(seen);
  }
  if (seen >= 0)
    for (std::int64_t step = (seen / every + 1) * every; step < now.storedStep; step += every)
      add(step);
  add(now.storedStep);
}

/// Hands the trainer to the service, which waits for it. Its folder and memory are free then, and missed values are
/// read.
void Runs::Impl::takeEnd(Entry& entry) {
  RunRequest wanted;
  wanted.folder = entry.run->folder_;
  wanted.ends = std::move(entry.trainer);
  wanted.after = entry.lastStep;
  wanted.follow = true;
  entry.ending = true;
  entry.stopRequested = false;
  ask(std::move(wanted));
}

void Runs::Impl::takeMetrics(Entry& entry, const train::Snapshot& now) {
  if (entry.reading != 0) return;  // missed values come first
  const std::uint64_t end = now.firstMetric + now.metrics.size();
  if (now.firstMetric > entry.nextMetric) {
    // Everything up to `end` is in the store, because values are stored before they are reported.
    RunRequest missed;
    missed.folder = entry.run->folder_;
    missed.record = missed.lists = false;
    missed.after = entry.lastStep;
    entry.nextMetric = end;
    entry.reading = ask(std::move(missed));
    return;
  }
  for (std::uint64_t number = entry.nextMetric; number < end; ++number)
    append(entry, now.metrics[number - now.firstMetric]);
  entry.nextMetric = std::max(entry.nextMetric, end);
}

void Runs::Impl::append(Entry& entry, const train::Metric& metric) {
  RunSeries*& series = entry.index[keyOf(metric)];
  if (series == nullptr) {
    std::string& name = names[metric.name];
    if (name.empty()) name = train::metricName(metric.name);
    RunSeries& made = entry.run->series_[{name, metric.layer, metric.head}];
    made.name = name;
    made.layer = metric.layer;
    made.head = metric.head;
    series = &made;
  }
  const auto step = static_cast<double>(metric.step);
  if (!series->steps.empty() && step <= series->steps.back()) return;
  series->steps.push_back(step);
  series->values.push_back(metric.value);
  entry.lastStep = std::max(entry.lastStep, metric.step);
}

void Runs::Impl::takeReports() {
  const auto until = std::chrono::steady_clock::now() + kMostTaken;
  while (auto report = service.take()) {
    take(std::move(*report));
    if (paced || std::chrono::steady_clock::now() < until) continue;
    if (options.wake) options.wake();  // the rest in the next frame
    break;
  }
  while (paced && awaited > 0)
    take(std::move(*service.waitForReport()));
}

void Runs::Impl::take(RunReport report) {
  const bool last = report.number != 0 && !report.more;
  if (last) --awaited;
  if (report.marked) return;
  if (report.news) {
    ++revision;
    return;
  }
  Entry* const entry = entryOf(report.folder);
  // A report without a request starts at the position of the reader, which may be after missed values.
  if (!entry || entry->dropped || (report.number == 0 && (entry->reported() || entry->reading != 0))) return;
  Run& run = *entry->run;
  if (last && report.number == entry->reading) entry->reading = 0;
  if (!report.failure.empty()) {
    // A run that failed before its folder was written already has the reason.
    if (run.failure_.empty() || !run.here_) run.failure_ = report.failure;
  } else {
    if (report.record) takeRecord(*entry, report);
    if (report.after) takeSeries(*entry, report);
  }
  if (report.listed) {
    run.saved_ = std::move(report.saved);
    if (!entry->reported() || report.after || report.stored.size() > run.stored_.size()) {
      run.stored_ = std::move(report.stored);
      entry->storedSeen = run.stored_.empty() ? -1 : run.stored_.back();
    }
  }
  if (!report.more && entry->reading == 0) run.loaded_ = true;
  if (!entry->trainer) run.elsewhere_ = report.alive;
  changed(run);
  if (entry->offered && (run.elsewhere_ || run.state() == RunState::Finished || run.state() == RunState::Failed)) {
    entry->offered = false;
    if (!run.elsewhere_) unmark(run.folder_);
  }
  if (report.ended) takeTrainerEnded(*entry, report);
  if (entry->trainer && entry->begun) takeMetrics(*entry, entry->trainer->latest());
  if (!entry->trainer && entry->followed.now) takeMetrics(*entry, *entry->followed.now);
}

void Runs::Impl::takeTrainerEnded(Entry& entry, const RunReport& report) {
  Run& run = *entry.run;
  entry.ending = false;
  unmark(run.folder_);
  std::error_code error;  // removes only an empty folder, of a run that never started
  if (!report.failure.empty()) std::filesystem::remove(run.folder_, error);
  if (const auto steps = std::exchange(entry.resumeTo, std::nullopt)) {
    if (auto began = beginAgain(entry, *steps); !began) run.failure_ = began.error().message;
  }
}

/// For a run with live reports, takes only what they do not contain; for other runs, everything.
void Runs::Impl::takeRecord(Entry& entry, RunReport& report) {
  Run& run = *entry.run;
  train::RunRecord& read = *report.record;
  if (read.name.empty()) read.name = std::filesystem::path(run.folder_).filename().string();
  if (entry.reported()) {
    read.state = run.record_.state;
    read.sentence = run.record_.sentence;
    read.step = run.record_.step;
    read.steps = run.record_.steps;
    if (!entry.trainer) run.failure_ = report.configFailure;
  } else {
    run.failure_ = report.configFailure.empty() ? failureOf(read.state, read.sentence) : report.configFailure;
    if (train::isInterrupted(read, report.alive))
      run.failure_ = read.sentence = trFormat(
          "training stopped at step {} because the program that trained it ended; it can be resumed", read.step);
    if (!report.alive && !isOver(read.state)) read.state = RunState::Stopped;
    run.live_.state = read.state;
    run.live_.step = read.step;
    run.live_.steps = read.steps;
    run.live_.sentence = read.sentence;
  }
  run.record_ = std::move(read);
  if (report.config) run.config_ = std::move(report.config);
}

void Runs::Impl::takeSeries(Entry& entry, RunReport& report) {
  Run& run = *entry.run;
  if (report.whole) {
    run.series_ = std::move(*report.whole);
    entry.index.clear();
    entry.lastStep = report.last;
  } else {
    if (*report.after == kFromTheStart) {
      run.series_.clear();
      entry.index.clear();
      entry.lastStep = kFromTheStart;
    }
    addSeries(run.series_, report.series);
    for (const train::Series& one : report.series)
      if (!one.steps.empty()) entry.lastStep = std::max(entry.lastStep, one.steps.back());
  }
  if (entry.reported()) return;
  const auto last = [&run](const char* name, double& number) {
    const RunSeries* const series = run.series(name);
    if (series && !series->values.empty()) number = series->values.back();
  };
  last("loss", run.live_.loss);
  last("rate", run.live_.rate);
  last("gradient_norm", run.live_.gradientNorm);
  last("validation", run.live_.validation);
  last("validation_error", run.live_.validationError);
}

// Live values of runs between two windows: the reports of trainers here are handed out, and the reports of another
// window are taken over as if its runs trained here. Missed values are read from the store, because values are stored
// before they are reported.

namespace {

/// The part of a snapshot that goes to another window, without matrices that have more than `room` numbers. Their
/// numbers are subtracted from `room`.
std::shared_ptr<const train::Snapshot> withoutLargeMatrices(const train::Snapshot& now, std::size_t& room) {
  std::size_t numbers = 0;
  for (const train::MatrixSnapshot& matrix : now.matrices)
    numbers += matrix.values.size();
  auto made = std::make_shared<train::Snapshot>(now);
  if (numbers > room) made->matrices.clear();
  room -= numbers > room ? 0 : numbers;
  return made;
}

}  // namespace

void Runs::see(const Run& run) {
  if (std::ranges::find(impl_->inSight, run.folder()) == impl_->inSight.end()) impl_->inSight.push_back(run.folder());
}

std::vector<LiveRun> Runs::live() {
  std::vector<LiveRun> all;
  std::size_t room = kMostLiveNumbers;
  for (const std::string& folder : impl_->inSight) {
    Impl::Entry* const entry = impl_->entryOf(folder);
    if (!entry || !entry->trainer || all.size() == kMostLiveRuns) continue;
    if (!entry->handed) {
      entry->handed = withoutLargeMatrices(entry->trainer->latest(), room);
    } else {
      for (const train::MatrixSnapshot& matrix : entry->handed->matrices)
        room -= std::min(room, matrix.values.size());
    }
    all.push_back({folder, entry->trainerNumber, entry->handed});
  }
  return all;
}

void Runs::follow(const std::vector<LiveRun>& live) {
  for (const LiveRun& one : live) {
    Impl::Entry& entry = impl_->open(one.folder, false);
    if (!entry.trainer && entry.followed != one) impl_->takeFollowed(entry, one);
  }
  for (const auto& entry : impl_->entries) {
    const bool still = std::ranges::any_of(live, [&](const LiveRun& one) { return one.folder == entry->run->folder_; });
    if (entry->followed.now && !still) impl_->endFollowing(*entry);
  }
}

/// Requests the metrics after a step and, with `record`, everything else in the folder.
std::uint64_t Runs::Impl::requestMetricsAfter(const Entry& entry, std::int64_t step, bool record) {
  RunRequest wanted;
  wanted.folder = entry.run->folder_;
  wanted.after = step;
  wanted.record = wanted.lists = record;
  if (record) wanted.follow = true;
  return ask(std::move(wanted));
}

void Runs::Impl::takeFollowed(Entry& entry, const LiveRun& live) {
  Run& run = *entry.run;
  const bool began = !entry.followed.now, another = !began && entry.followed.trainer != live.trainer;
  const std::int64_t saved = entry.followed.now ? entry.followed.now->savedStep : -1;
  entry.followed = live;
  run.followed_ = true;
  run.elsewhere_ = true;
  takeNumbers(entry, *live.now);
  if (began || another) {
    entry.nextMetric = 0;
    entry.begun = false;
    RunRequest wanted;  // its folder is read when values were missed
    wanted.folder = run.folder_;
    wanted.record = wanted.lists = false;
    wanted.follow = false;
    ask(std::move(wanted));
  }
  // A run that was being created when it was opened had nothing to read. Another trainer has truncated what came after
  // its checkpoint.
  const bool begins = live.now->state != train::RunState::Preparing && !std::exchange(entry.begun, true);
  if (another || (begins && entry.reading == 0 && !run.config_))
    entry.reading = requestMetricsAfter(entry, kFromTheStart, true);
  takeMetrics(entry, *live.now);
  if (run.config_) takeStored(entry, *live.now);
  if (began || another || saved == live.now->savedStep) return;
  RunRequest lists;
  lists.folder = run.folder_;
  lists.record = false;
  ask(std::move(lists));
}

void Runs::Impl::endFollowing(Entry& entry) {
  entry.followed = {};
  entry.begun = false;
  entry.run->followed_ = false;
  entry.run->live_.matrices.clear();
  entry.reading = requestMetricsAfter(entry, entry.lastStep, true);
  changed(*entry.run);
}

}  // namespace sepx::ui
