// SPDX-License-Identifier: Apache-2.0
// The start of a run on the trainer's thread: data, model, folder, and the state from which it starts; see
// trainer_impl.h.
#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/core/frame_gate.h"
#include "engine/core/gemm.h"
#include "engine/core/number.h"
#include "engine/core/resource_limits.h"
#include "engine/core/try.h"
#include "engine/data/read_source.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/group_run.h"
#include "engine/train/run_store_schema.h"
#include "engine/train/saved_model.h"
#include "engine/train/step_check.h"
#include "engine/train/trainer_impl.h"

namespace sepx::train {
namespace {

/// Lowers the priority of this thread and of the threads that it creates. Failures are ignored.
void lowerThreadPriority() {
  constexpr int kNice = 15;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

std::string fingerprintText(const data::Source& source, int length) {
  return fmt::format("{:016x}", fingerprint(source, length));
}

/// The model of a checkpoint, from its own config, which also works if the run's database is damaged.
Result<nn::ModelConfig> savedModel(const std::string& folder) {
  SEPX_ASSIGN(const RunConfig config, savedConfig(folder));
  return config.model;
}

/// "model.d_model is 8 there and 16 in the config"
std::string modelDifference(const nn::ModelConfig& ours, const nn::ModelConfig& theirs) {
  RunConfig here, there;
  here.model = ours;
  there.model = theirs;
  const std::optional<Difference> first = difference(here, there);
  return first ? fmt::format("{} is {} there and {} in the config", first->field, first->theirs, first->ours)
               : std::string();
}

/// The last value of a metric of the whole model. It is usually among the newest rows; otherwise the whole series is
/// read.
double lastValue(const RunReader& reader, const std::vector<Series>& newest, std::string_view name, double none) {
  for (const Series& series : newest)
    if (series.name == name && series.layer < 0) return series.values.back();
  const Result<std::vector<Series>> all = reader.series(name);
  if (!all || all->empty() || all->front().values.empty()) return none;
  return all->front().values.back();
}

/// Whether the run has a validation loss at `step`.
bool isMeasured(const RunReader& reader, std::int64_t step) {
  const Result<std::vector<Series>> there = reader.seriesAt({&step, 1});
  return !there || std::ranges::find(*there, "validation", &Series::name) != there->end();
}

}  // namespace

void Trainer::Impl::run() {
  Result<void> went;
  try {
    if (options.background && !paced.load(std::memory_order_acquire)) lowerThreadPriority();
    went = open();
    if (went) went = loop();
  } catch (const std::bad_alloc&) {
    dropMatrices();  // what follows needs memory too
    const std::string limit = memoryLimit();
    const char* const remedy = source                     ? "lower schedule.batch and raise optimisation.accumulate"
                               : config.data.path.empty() ? "ask for less data"
                                                          : "the data do not fit; name smaller files in data.path";
    went = fail(ErrorKind::Internal, fmt::format("out of memory{}{}; {}", limit.empty() ? "" : ": ", limit, remedy));
    if (options.group != nullptr) options.group->abandon();  // it may have failed in the middle of a common call
  } catch (const std::exception& error) {
    went = fail(ErrorKind::Internal, fmt::format("internal error: {}", error.what()));
    if (options.group != nullptr) options.group->abandon();
  }
  share.reset();
  if (!went) finishAsFailed(std::move(went).error());
  releaseGroup();
}

/// Watched matrices may take most of the memory, and they are copied at each publication.
void Trainer::Impl::dropMatrices() {
  watched.clear();
  shown.matrices.clear();
}

/// Ends the run for its callers even if there is no memory to report the reason.
void Trainer::Impl::finishAsFailed(Error why) {
  try {
    return failWith(why);
  } catch (const std::exception&) {
    dropMatrices();
  }
  try {
    failWith(why);
  } catch (const std::exception&) {
    setOver(true, std::move(why));
  }
}

/// Lets the other ranks leave when the run has ended for good.
void Trainer::Impl::releaseGroup() {
  if (options.group == nullptr || !sharedOut) return;
  if (shareOrder(*options.group, {})) static_cast<void>(agree(*options.group, {}));
}

Result<void> Trainer::Impl::open() {
  ProcessGroup* const group = options.group;
  Result<void> prepared = prepare();
  if (group != nullptr) prepared = compareRanks(*group, prepared, config, source.get());
  SEPX_TRY(prepared);
  Result<void> opened = openFolder();
  if (group != nullptr) opened = agree(*group, opened);
  SEPX_TRY(opened);
  if (group != nullptr) {
    TrainState beginning = stepper->state();
    SEPX_TRY(shareState(*group, beginning));
    stepper->share(*group);
    sharedOut = true;
    if (group->size() > 1) SEPX_TRY(recordEvent(kRanksEvent, fmt::format("{}", group->size())));
  }
  lastSave = Clock::now();
  SEPX_TRY(flush());
  SEPX_TRY(enter(mode == Mode::Paused ? RunState::Paused : RunState::Running));
  publish();
  return {};
}

/// Publishes the progress of reading, several times a second. Returns true if a Stop came.
bool Trainer::Impl::whileReading(double done) {
  constexpr std::chrono::milliseconds kBetween{200};
  if (Clock::now() - lastShown >= kBetween) {
    shown.prepared = done;
    publish();
  }
  return stopping.load(std::memory_order_acquire);
}

/// Prepares data and model, and checks what can be checked without the run's folder.
Result<void> Trainer::Impl::prepare() {
  if (options.budget) share.emplace(options.budget);
  while (!waitForTurn(bell.load(std::memory_order_acquire)) && !stopping.load(std::memory_order_acquire)) {
  }
  if (!pool) useThreads(1);  // a Stop came first
  SEPX_ASSIGN(source, data::makeSource(config.data, [this](double done) { return whileReading(done); }));
  shown.prepared.reset();
  SEPX_TRY(resolve(config, *source));
  SEPX_TRY(checkMemory(config));
  addNotice(slowStep(config, threads));
  if (!shown.notice.empty()) publish();  // before the first measurement, which may take as long
  SEPX_TRY(checkFrozen(config, nn::ParameterLayout(config.model)));
  stepper = std::make_unique<Stepper>(config, *source, *pool);
  SEPX_TRY(checkWatch(config, stepper->layout()));
  stepper->onCancel([this] { return stopping.load(std::memory_order_acquire); });
  if (options.background) {
    stepper->model().onYield([this] {
      // A paced step is not delayed for frames, because the frame waits for this step.
      if (!paced.load(std::memory_order_acquire)) FrameGate::process().letFramesPass();
    });
  }
  for (std::int32_t token = 0; token < source->vocabulary(); ++token)
    words.push_back(source->word(token));
  shown.parameters = static_cast<std::int64_t>(stepper->layout().size());
  shown.bounds = boundsOf(config, *source);
  return {};
}

Result<void> Trainer::Impl::openFolder() {
  steps = options.steps > 0 ? options.steps : config.schedule.steps;
  return origin ? openBranch() : options.resume ? openAgain() : openNew();
}

RunRecord Trainer::Impl::record() const {
  RunConfig whole = config;
  whole.schedule.steps = steps;
  RunRecord record;
  record.name = config.name;
  record.note = config.note;
  record.config = configText(whole);
  record.build = fmt::format("{}{}{}", options.build, options.build.empty() ? "" : ", ", gemmLevelName(gemmLevel()));
  record.seed = config.seed;
  if (origin) record.parent = fmt::format("{}@{}", origin->run, origin->step);
  record.steps = steps;
  record.step = stepper->made();
  return record;
}

/// Warns that a second program is not refused, unless options.held refuses one.
void Trainer::Impl::noticeNoLock() {
  if (writer->locked() || options.held) return;
  addNotice(fmt::format(
      "{}: the file system has no locks (flock), so a second program that trains in this folder is not detected; "
      "start only one",
      options.folder));
}

Result<void> Trainer::Impl::create() {
  if (options.folder.empty()) return {};
  SEPX_ASSIGN(writer, RunWriter::create(options.folder, record()));
  noticeNoLock();
  return recordEvent(kDataEvent, fingerprintText(*source, config.model.length));
}

/// Records what belongs before the first step: its metrics, and a checkpoint to resume and to branch from.
Result<void> Trainer::Impl::recordStart() {
  SEPX_TRY(measure());
  return save(false);
}

Result<void> Trainer::Impl::openNew() {
  stepper->begin();
  SEPX_TRY(create());
  return recordStart();
}

/// The config must be the one with which the run was started, or its numbers would not be those of an uninterrupted
/// run.
Result<void> Trainer::Impl::checkSame(const RunRecord& record) {
  const std::string file = options.folder + "/config.json", store = options.folder + "/" + kDatabaseName;
  const Result<RunConfig> read = parseRunConfig(record.config, store, options.folder);
  if (!read)
    return fail(read.error().kind, fmt::format("{}; the config in the database is damaged; the checkpoints in "
                                               "{}/checkpoints do not need it and can be continued with sepx train "
                                               "--branch",
                                               read.error().message, options.folder));
  const RunConfig& theirs = *read;
  steps = theirs.schedule.steps;  // the last step when the run was created
  const std::optional<Difference> differs = difference(config, theirs);
  if (!differs) return {};
  return fail(ErrorKind::Usage,
              fmt::format("{}: this run was started with {} {}, but the config says {}; resume it with its own {}, or "
                          "branch from one of its steps",
                          options.folder, differs->field, differs->theirs, differs->ours, file));
}

/// Checks that the data are still those with which the run was started.
Result<void> Trainer::Impl::checkData(const RunReader& reader) const {
  SEPX_ASSIGN(const std::vector<RunEvent> events, reader.events());
  const auto begun = std::ranges::find(events, kDataEvent, &RunEvent::kind);
  if (begun == events.end() || begun->text == fingerprintText(*source, config.model.length)) return {};
  const bool named = !config.data.path.empty();
  const char* const word = data::isOfImages(config.data.kind) ? "images" : named ? "text" : "data";
  return fail(ErrorKind::BadInput,
              fmt::format("{}: {} is no longer what the run {} was started with; restore the old {}, or branch from "
                          "one of its steps",
                          named ? config.data.path : "the data", named ? fmt::format("the {}", word) : "data.kind",
                          options.folder, word));
}

/// Restores the end of the run as of the checkpoint `from`. What a window or a resume changed after it is planned again
/// at the same steps, so that a resumed run reproduces what was reported before a kill.
Result<void> Trainer::Impl::planChanges(const RunReader& reader, std::int64_t from) {
  SEPX_ASSIGN(const std::vector<RunEvent> events, reader.events());
  for (const RunEvent& event : events) {
    const std::optional<double> number = parseNumber(event.text);
    if (!number || !(*number >= 0 && *number <= static_cast<double>(kMostRunSteps)))
      continue;  // not written by a trainer
    if (event.kind == kRateEvent && event.step >= from) changes[event.step].rate = *number;
    if (event.kind != kEndEvent) continue;
    const std::int64_t end = static_cast<std::int64_t>(*number);
    if (event.step <= from) {
      steps = end;
    } else {
      changes[event.step].end = end;
    }
  }
  return {};
}

/// Restores what the stop rule had seen when the checkpoint `from` was written.
Result<void> Trainer::Impl::recallLosses(const RunReader& reader, std::int64_t from) {
  if (!stopRule.watches()) return {};
  enum class Seen { Loss, Validation, End };  // in the order in which they come within a step
  std::vector<std::tuple<std::int64_t, Seen, double>> seen;
  const auto take = [&](std::string_view name, Seen kind) -> Result<void> {
    SEPX_ASSIGN(const std::vector<Series> all, reader.series(name));
    for (const Series& series : all) {
      if (series.layer >= 0) continue;
      for (std::size_t i = 0; i < series.steps.size() && series.steps[i] <= from; ++i)
        seen.emplace_back(series.steps[i], kind, series.values[i]);
    }
    return {};
  };
  SEPX_TRY(take("loss", Seen::Loss));
  SEPX_TRY(take("validation", Seen::Validation));
  SEPX_ASSIGN(const std::vector<RunEvent> events, reader.events());
  for (const RunEvent& event : events)
    if (event.kind == kEndEvent && event.step <= from) seen.emplace_back(event.step, Seen::End, 0);
  std::ranges::stable_sort(
      seen, {}, [](const auto& one) { return std::pair(std::get<0>(one), static_cast<int>(std::get<1>(one))); });
  for (const auto& [step, kind, value] : seen) {
    if (kind == Seen::Loss) stopRule.loss(step, value);
    if (kind == Seen::Validation) stopRule.validation(step, value);
    if (kind == Seen::End) stopRule.restart();
  }
  return {};
}

/// Loads the newest intact checkpoint and returns its step; -1: there never was one. Fails if there are no checkpoints
/// but the run has made steps or is a branch, instead of starting it again.
Result<std::int64_t> Trainer::Impl::loadNewest(const RunRecord& record) {
  std::vector<std::int64_t> saved = savedSteps(options.folder);
  const bool none = saved.empty();
  std::string damage;
  for (; !saved.empty(); saved.pop_back()) {
    Result<TrainState> there = readCheckpoint(checkpointFolder(options.folder, saved.back()), stepper->layout());
    if (there) {
      stepper->load(std::move(*there));
      if (!damage.empty()) shown.notice = fmt::format("{}; continuing from step {}", damage, saved.back());
      return saved.back();
    }
    if (damage.empty()) damage = there.error().message;
  }
  if (!none) return fail(ErrorKind::BadInput, fmt::format("{}; no checkpoint of {} is intact", damage, options.folder));
  if (record.step > 0 || !record.parent.empty())
    return fail(ErrorKind::BadInput,
                fmt::format("{}: has no checkpoints, but its record says step {}; restore them, or start again in "
                            "another folder",
                            options.folder, record.step));
  return -1;
}

void Trainer::Impl::addNotice(const std::string& told) {
  if (!told.empty()) shown.notice += shown.notice.empty() ? told : "; " + told;
}

/// A decay ends where the run ends, so that another end changes the rate from here on. Returns a notice; empty if
/// nothing changes.
std::string Trainer::Impl::stretch(std::int64_t from, std::int64_t before, std::int64_t after) const {
  const Optimisation& optimisation = config.optimisation;
  if (optimisation.decay == Decay::Constant || before == after || from == after) return {};
  const double factor = stepper->rateFactor();
  return fmt::format(
      "the {} decay now spans {} steps in place of {}: the learning rate of step {} is {:.4g} in place of {:.4g}",
      optimisation.decay == Decay::Cosine ? "cosine" : "linear", after, before, from + 1,
      factor * learningRateAt(optimisation, from, after), factor * learningRateAt(optimisation, from, before));
}

Result<void> Trainer::Impl::openAgain() {
  SEPX_ASSIGN(std::unique_ptr<RunReader> reader, RunReader::open(options.folder));
  SEPX_ASSIGN(const RunRecord record, reader->record());
  SEPX_TRY(checkSame(record));
  SEPX_TRY(checkData(*reader));

  SEPX_ASSIGN(const std::int64_t found, loadNewest(record));
  const std::int64_t from = found;
  if (options.steps > 0 && options.steps < from)
    return fail(ErrorKind::Usage, fmt::format("{}: {} steps are already done; --steps {} is before that",
                                              options.folder, from, options.steps));
  const std::int64_t begunWith = steps;
  SEPX_TRY(planChanges(*reader, from));
  SEPX_TRY(recallLosses(*reader, from));
  SEPX_ASSIGN(std::unique_ptr<RunWriter> again, RunWriter::resume(options.folder, from));
  writer = std::move(again);
  if (!shown.notice.empty()) SEPX_TRY(recordEvent("damaged", shown.notice));
  noticeNoLock();
  if (from < 0) {  // killed before its first checkpoint: start again
    stepper->begin();
    SEPX_TRY(recordEvent(kDataEvent, fingerprintText(*source, config.model.length)));
  }
  if (options.steps > 0) {
    for (auto& [step, change] : changes)
      change.end.reset();
    addNotice(stretch(std::max<std::int64_t>(from, 0), steps, options.steps));
    SEPX_TRY(setEnd(options.steps));
  } else if (config.schedule.steps != begunWith && config.schedule.steps != steps) {
    addNotice(
        fmt::format("schedule.steps is {} in the config now; the run still ends at step {}, --steps {} would "
                    "change that",
                    config.schedule.steps, steps, config.schedule.steps));
  }
  if (from < 0) return recordStart();
  savedStep = from;
  constexpr std::size_t kNear = 4096;
  const std::vector<Series> newest = reader->newest(kNear).value_or(std::vector<Series>{});
  measured.loss = lastValue(*reader, newest, "loss", measured.loss);
  if (config.schedule.evaluateEvery > 0) {
    measured.validation = lastValue(*reader, newest, "validation", measured.validation);
    measured.validationError = lastValue(*reader, newest, "validation_error", 0);
  }
  measured.rate = lastValue(*reader, newest, "rate", 0);
  measured.gradientNorm = lastValue(*reader, newest, "gradient_norm", 0);
  const std::int64_t every = config.schedule.evaluateEvery;
  const bool due = every > 0 && (from % every == 0 || from == steps);
  if (due && !isMeasured(*reader, from)) SEPX_TRY(measure());
  return recordEvent("resumed", fmt::format("from step {}", from));
}

Result<void> Trainer::Impl::openBranch() {
  RunConfig wanted = config;
  wanted.schedule.steps = steps;
  SEPX_TRY(checkBranch(origin->run, origin->step, wanted));
  SEPX_ASSIGN(TrainState there, readCheckpoint(checkpointFolder(origin->run, origin->step), stepper->layout()));
  stepper->load(std::move(there));
  SEPX_TRY(create());
  return recordStart();
}

Result<void> checkBranch(const std::string& run, std::int64_t step, const RunConfig& config) {
  const std::vector<std::int64_t> saved = savedSteps(run);
  if (std::ranges::find(saved, step) == saved.end()) {
    if (saved.empty())
      return fail(ErrorKind::BadInput, fmt::format("{}: has no checkpoints of a run; a branch needs a run's folder "
                                                   "and one of its saved steps",
                                                   run));
    return fail(ErrorKind::Usage,
                fmt::format("{}: step {} is not saved; the saved steps are {}", run, step, fmt::join(saved, ", ")));
  }
  SEPX_ASSIGN(nn::ModelConfig theirs, savedModel(checkpointFolder(run, step)));
  return checkBranchModel(run, std::move(theirs), step, config);
}

Result<void> checkBranchModel(const std::string& run, nn::ModelConfig theirs, std::int64_t step,
                              const RunConfig& config) {
  // 0: taken from the data
  if (config.model.vocabulary == 0 || theirs.vocabulary == 0) theirs.vocabulary = config.model.vocabulary;
  if (theirs != config.model)
    return fail(ErrorKind::Usage, fmt::format("{}: its model is not the config's: {}; a branch keeps the model (rates, "
                                              "schedule and data may differ)",
                                              run, modelDifference(config.model, theirs)));
  if (config.schedule.steps <= step)
    return fail(ErrorKind::Usage, fmt::format("schedule.steps is {}; a branch from step {} must end after it",
                                              config.schedule.steps, step));
  return {};
}

}  // namespace sepx::train
