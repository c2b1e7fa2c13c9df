// SPDX-License-Identifier: Apache-2.0
// How a run begins on the trainer's thread: data, model, folder, and where it starts from; see trainer_impl.h.
#include <algorithm>
#include <new>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/core/frame_gate.h"
#include "engine/core/gemm.h"
#include "engine/train/checkpoint_writer.h"
#include "engine/train/trainer_impl.h"

namespace sepx::train {
namespace {

/// Threads made by this one inherit it. A system that refuses leaves us as we are.
void goToTheBackground() {
  constexpr int kNice = 15;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);
}

double lastValue(const RunReader& reader, std::string_view name) {
  const Result<std::vector<Series>> series = reader.series(name);
  if (!series || series->empty() || series->front().values.empty()) return 0;
  return series->front().values.back();
}

}  // namespace

void Trainer::Impl::run() {
  Result<void> went;
  try {
    if (options.background) goToTheBackground();
    went = open();
    if (went) went = loop();
  } catch (const std::bad_alloc&) {
    went = fail(ErrorKind::Internal, "out of memory; lower schedule.batch and raise optimisation.accumulate");
  } catch (const std::exception& error) {
    went = fail(ErrorKind::Internal, fmt::format("internal error: {}", error.what()));
  }
  if (!went) giveUp(went.error());
}

Result<void> Trainer::Impl::open() {
  Result<std::unique_ptr<data::Source>> made = data::makeSource(config.data);
  if (!made) return tl::unexpected(made.error());
  source = std::move(*made);
  if (Result<void> fine = resolve(config, *source); !fine) return fine;
  if (Result<void> fine = checkMemory(config); !fine) return fine;
  pool = std::make_unique<ThreadPool>(options.threads);
  stepper = std::make_unique<Stepper>(config, *source, *pool);
  if (options.background) stepper->model().onYield([] { FrameGate::process().letFramesPass(); });
  for (std::int32_t token = 0; token < source->vocabulary(); ++token)
    words.push_back(source->word(token));
  shown.parameters = static_cast<std::int64_t>(stepper->layout().size());
  shown.bounds = source->bounds();
  steps = options.steps > 0 ? options.steps : config.schedule.steps;
  if (Result<void> opened = origin ? openBranch() : options.resume ? openAgain() : openNew(); !opened) return opened;
  lastSave = Clock::now();
  if (Result<void> flushed = flush(); !flushed) return flushed;
  if (Result<void> told = enter(RunState::Running); !told) return told;
  publish();
  return {};
}

RunRecord Trainer::Impl::record() const {
  RunConfig whole = config;
  whole.schedule.steps = steps;
  RunRecord record;
  record.name = config.name;
  record.note = config.note;
  record.config = toJson(whole).dump(2) + "\n";
  record.build = fmt::format("{}{}{}", options.build, options.build.empty() ? "" : ", ", gemmLevelName(gemmLevel()));
  record.seed = config.seed;
  if (origin) record.parent = fmt::format("{}@{}", origin->run, origin->step);
  record.steps = steps;
  record.step = stepper->made();
  return record;
}

Result<void> Trainer::Impl::openNew() {
  stepper->begin();
  if (!options.folder.empty()) {
    Result<std::unique_ptr<RunWriter>> made = RunWriter::create(options.folder, record());
    if (!made) return tl::unexpected(made.error());
    writer = std::move(*made);
  }
  return measure();
}

/// What a run was told must be what the config says, or its numbers would not be those of an uninterrupted run.
Result<void> Trainer::Impl::checkSame(const RunRecord& record) const {
  const std::string file = options.folder + "/config.json";
  const Result<RunConfig> theirs = parseRunConfig(record.config, file, options.folder);
  if (!theirs) return tl::unexpected(theirs.error());
  const std::optional<Difference> differs = difference(config, *theirs);
  if (!differs) return {};
  return fail(ErrorKind::Usage,
              fmt::format("{}: this run was begun with {} {}, the config says {}; resume it with its own {}, or branch "
                          "from one of its steps",
                          options.folder, differs->field, differs->theirs, differs->ours, file));
}

Result<void> Trainer::Impl::openAgain() {
  Result<std::unique_ptr<RunReader>> reader = RunReader::open(options.folder);
  if (!reader) return tl::unexpected(reader.error());
  const Result<RunRecord> record = (*reader)->record();
  if (!record) return tl::unexpected(record.error());
  if (Result<void> same = checkSame(*record); !same) return same;
  if (options.steps == 0) steps = record->steps;

  std::vector<std::int64_t> saved = savedSteps(options.folder);
  std::string damage;
  std::int64_t from = -1;
  for (; !saved.empty() && from < 0; saved.pop_back()) {
    Result<TrainState> there = readCheckpoint(checkpointFolder(options.folder, saved.back()), stepper->layout());
    if (there) {
      from = saved.back();
      stepper->load(std::move(*there));
    } else if (damage.empty()) {
      damage = there.error().sentence;
    }
  }
  Result<std::unique_ptr<RunWriter>> again = RunWriter::resume(options.folder, from);
  if (!again) return tl::unexpected(again.error());
  writer = std::move(*again);
  if (steps != record->steps) {
    if (Result<void> told = writer->steps(steps); !told) return told;
  }
  if (!damage.empty()) {
    if (Result<void> told = tell("damaged", damage); !told) return told;
  }
  if (from < 0) {  // killed before its first checkpoint: from the start again
    stepper->begin();
    return measure();
  }
  savedStep = from;
  measured.loss = lastValue(**reader, "loss");
  measured.validation = lastValue(**reader, "validation");
  measured.validationError = lastValue(**reader, "validation_error");
  measured.rate = lastValue(**reader, "rate");
  measured.gradientNorm = lastValue(**reader, "gradient_norm");
  return tell("resumed", fmt::format("from step {}", from));
}

Result<void> Trainer::Impl::openBranch() {
  Result<std::unique_ptr<RunReader>> reader = RunReader::open(origin->run);
  if (!reader) return tl::unexpected(reader.error());
  const Result<RunRecord> parent = (*reader)->record();
  if (!parent) return tl::unexpected(parent.error());
  const Result<RunConfig> theirs = parseRunConfig(parent->config, origin->run + "/config.json", origin->run);
  if (!theirs) return tl::unexpected(theirs.error());
  if (theirs->model != config.model)
    return fail(ErrorKind::Usage, fmt::format("{}: its model is not the config's; a branch keeps the model (rates, "
                                              "schedule and data may differ)",
                                              origin->run));
  const std::vector<std::int64_t> saved = savedSteps(origin->run);
  if (std::ranges::find(saved, origin->step) == saved.end()) {
    std::string list;
    for (const std::int64_t step : saved)
      list += fmt::format("{}{}", list.empty() ? "" : ", ", step);
    return fail(ErrorKind::Usage, fmt::format("{}: step {} is not saved; saved are {}", origin->run, origin->step,
                                              list.empty() ? "none" : list));
  }
  if (steps <= origin->step)
    return fail(ErrorKind::Usage,
                fmt::format("schedule.steps is {}; a branch from step {} must end after it", steps, origin->step));
  Result<TrainState> there = readCheckpoint(checkpointFolder(origin->run, origin->step), stepper->layout());
  if (!there) return tl::unexpected(there.error());
  stepper->load(std::move(*there));
  if (!options.folder.empty()) {
    Result<std::unique_ptr<RunWriter>> made = RunWriter::create(options.folder, record());
    if (!made) return tl::unexpected(made.error());
    writer = std::move(*made);
  }
  if (Result<void> done = measure(); !done) return done;
  return save(false);  // a resume finds its start here
}

}  // namespace sepx::train
