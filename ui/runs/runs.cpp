// SPDX-License-Identifier: Apache-2.0
// Requests to the runs of a window. runs_impl.cpp takes over the reports.
#include "ui/runs/runs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/remove_folder.h"
#include "engine/core/try.h"
#include "ui/document/lesson_file.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/allowed_data.h"
#include "ui/runs/runs_impl.h"
#include "ui/runs/state_words.h"

namespace fs = std::filesystem;

namespace sepx::ui {
namespace {

using train::CommandKind;
using train::RunState;

std::string identityOf(const std::string& folder) {
  std::error_code error;
  fs::path whole = fs::weakly_canonical(folder, error);
  if (error) whole = fs::absolute(folder, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  return whole.string();
}

}  // namespace

Runs::Impl::Impl(RunsOptions given)
    : options(std::move(given)),
      budget(std::make_shared<train::TrainerBudget>(options.threads)),
      service(options.wake) {
  if (options.folder.empty()) options.folder = train::defaultRunsFolder();
}

/// All trainers stop and save at the same time. The second loop waits for them.
Runs::Impl::~Impl() {
  for (const auto& entry : entries)
    if (entry->trainer) entry->trainer->send({CommandKind::Stop, 0, {}});
  for (const auto& entry : entries) {
    entry->trainer.reset();
    if (entry->offered) unmark(entry->run->folder_);
  }
}

Runs::Runs(RunsOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->openMarked();
}

Runs::~Runs() {
  const std::string scratch = std::move(impl_->scratch);
  impl_.reset();
  if (!scratch.empty()) removeFolder(scratch);
}

Runs::Impl::Entry* Runs::Impl::entryOf(const std::string& folder) {
  const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry->run->folder_ == folder; });
  return found != entries.end() ? found->get() : nullptr;
}

Runs::Impl::Entry& Runs::Impl::add(const std::string& folder) {
  Entry& entry = *entries.emplace_back(std::make_unique<Entry>());
  entry.run = std::make_shared<Run>();
  entry.run->folder_ = folder;
  entry.run->record_.name = fs::path(folder).filename().string();
  restrictData(*entry.run);
  all.push_back(entry.run);
  changed(*entry.run);
  return entry;
}

std::uint64_t Runs::Impl::ask(RunRequest request) {
  ++awaited;
  return service.ask(std::move(request));
}

Result<std::string> Runs::Impl::folderOfNewRuns() {
  if (!options.temporary && !lessonRuns) {
    SEPX_TRY(makeFolders(options.folder));
    return options.folder;
  }
  if (scratch.empty()) {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "separatrix-runs-XXXXXX").string();
    if (error || ::mkdtemp(pattern.data()) == nullptr)
      return fail(ErrorKind::OutputFailed, trFormat("{}: no folder for runs can be created there", pattern));
    scratch = identityOf(pattern);
  }
  return scratch;
}

bool Runs::Impl::isLessonRun(const std::string& folder) const {
  return !options.temporary && !scratch.empty() && folder.starts_with(scratch + "/");
}

/// Every run that is started in a window without a library counts as one of the lesson.
Result<void> Runs::Impl::checkBegin(const train::RunConfig& config) const {
  if (dataFolders.empty()) return {};
  const bool theirs = lessonRuns || options.temporary || std::ranges::any_of(entries, [&](const auto& entry) {
                        const Run& run = *entry->run;
                        return !run.dataFolders().empty() && run.config() && run.config()->data == config.data;
                      });
  return theirs ? checkDataAllowed(config.data, dataFolders) : Result<void>();
}

/// A lesson may continue runs that it started, but no others.
Result<void> Runs::Impl::checkAgain(const Run& run) const {
  if (lessonRuns && !isLessonRun(run.folder()))
    return fail(ErrorKind::Usage, trFormat("{}: a lesson cannot continue a run that it did not start", run.folder()));
  return run.config() ? checkDataAllowed(run.config()->data, run.dataFolders()) : Result<void>();
}

void Runs::Impl::restrictData(Run& run) const {
  const bool begun = !scratch.empty() && run.folder_.starts_with(scratch + "/");
  if (run.dataFolders_.empty() && !restrictedFolder.empty() && (begun || isInFolder(run.folder_, restrictedFolder)))
    run.dataFolders_ = dataFolders;
}

void Runs::restrictData(const std::string& folder, std::vector<std::string> dataFolders) {
  if (impl_->restrictedFolder == folder && impl_->dataFolders == dataFolders) return;
  impl_->restrictedFolder = folder;
  impl_->dataFolders = std::move(dataFolders);
  for (const auto& entry : impl_->entries)
    impl_->restrictData(*entry->run);
}

/// Creates the folder at once, so that two runs that start at the same time never share one.
Result<std::string> Runs::Impl::newFolder(const std::string& name) {
  SEPX_ASSIGN(const std::string within, folderOfNewRuns());
  const std::string stem = within + "/" + runFolderName(name);
  constexpr int kMost = 100'000;
  for (int number = 1; number < kMost; ++number) {
    const std::string folder = number == 1 ? stem : fmt::format("{}-{}", stem, number);
    if (::mkdir(folder.c_str(), 0755) == 0) return identityOf(folder);
    const int reason = errno;
    if (reason != EEXIST)
      return fail(ErrorKind::OutputFailed, trFormat("{}: the folder of the run cannot be created: {}", folder,
                                                    std::generic_category().message(reason)));
  }
  return fail(ErrorKind::OutputFailed, trFormat("{}: too many runs of that name", stem));
}

train::TrainerOptions Runs::Impl::trainerOptions(const std::string& folder) const {
  train::TrainerOptions made;
  made.folder = folder;
  made.budget = budget;
  made.paced = paced;
  made.build = options.build;
  made.wake = options.wake;
  return made;
}

Result<RunPointer> Runs::Impl::begin(train::RunConfig config, const Run* parent, std::int64_t step, bool paused) {
  SEPX_TRY(train::check(config));
  SEPX_TRY(checkBegin(config));
  SEPX_ASSIGN(const std::string folder, newFolder(config.name));
  if (config.name.empty()) config.name = fs::path(folder).filename().string();
  train::TrainerOptions wanted = trainerOptions(folder);
  wanted.paused = paused;
  auto trainer =
      parent ? train::Trainer::branch(parent->folder_, step, config, wanted) : train::Trainer::start(config, wanted);
  if (!trainer) {
    ::rmdir(folder.c_str());
    return tl::unexpected(trainer.error());
  }
  mark(folder);
  Entry& entry = add(folder);
  entry.trainer = std::move(*trainer);
  entry.trainerNumber = ++trainers;
  entry.firstStored = parent ? step : 0;
  Run& run = *entry.run;
  run.here_ = run.loaded_ = true;
  run.record_.name = config.name;
  run.record_.note = config.note;
  run.record_.config = train::configText(config);
  run.record_.build = options.build;
  run.record_.seed = config.seed;
  if (parent) run.record_.parent = fmt::format("{}@{}", parent->folder_, step);
  run.record_.step = parent ? step : 0;
  run.record_.steps = config.schedule.steps;
  run.live_.steps = config.schedule.steps;
  run.config_ = std::move(config);
  return RunPointer(entry.run);
}

Result<RunPointer> Runs::start(const train::RunConfig& config, bool paused) {
  return impl_->begin(config, nullptr, 0, paused);
}

Result<RunPointer> Runs::branch(const Run& run, std::int64_t step, const train::RunConfig& config, bool paused) {
  SEPX_TRY(train::checkBranch(run.folder(), step, config));
  if (impl_->notesUse(run.folder())) {
    RunRequest note;
    note.folder = run.folder();
    note.lists = note.record = false;
    note.used = true;
    impl_->ask(std::move(note));
  }
  return impl_->begin(config, &run, step, paused);
}

Result<void> Runs::Impl::beginAgain(Entry& entry, std::int64_t steps) {
  Run& run = *entry.run;
  SEPX_TRY(checkAgain(run));
  train::TrainerOptions wanted = trainerOptions(run.folder_);
  wanted.resume = true;
  wanted.steps = steps;
  auto trainer = train::Trainer::start(*run.config_, wanted);
  if (!trainer) return tl::unexpected(trainer.error());
  // What is read before the trainer has begun may include values that it truncates.
  entry.trainer = std::move(*trainer);
  entry.trainerNumber = ++trainers;
  mark(run.folder_);
  entry.marked = true;
  entry.offered = false;
  entry.again = true;
  entry.begun = entry.stopRequested = entry.dropped = false;
  entry.nextMetric = 0;
  entry.firstStored = -1;
  run.here_ = true;
  run.elsewhere_ = false;
  run.failure_.clear();
  run.record_.state = run.live_.state = RunState::Preparing;
  changed(run);
  return {};
}

Result<void> Runs::resume(const Run& run) {
  Impl::Entry* const entry = impl_->entryOf(run.folder());
  if (!entry) return fail(ErrorKind::Usage, trFormat("{}: is not open in this window", run.folder()));
  if (entry->trainer || run.elsewhere())
    return fail(ErrorKind::Usage, trFormat("{}: is already being trained", run.folder()));
  if (!run.loaded()) return fail(ErrorKind::Usage, trFormat("{}: is still being read", run.folder()));
  if (!run.config()) return fail(ErrorKind::Usage, run.failure());
  if (entry->ending) {
    entry->resumeTo = 0;
    return {};
  }
  return impl_->beginAgain(*entry, 0);
}

RunPointer Runs::open(const std::string& folder) {
  return impl_->open(identityOf(folder), true).run;
}

/// Whether the use of a run is noted: only of runs in the folder of new runs, not of shipped runs or runs elsewhere.
bool Runs::Impl::notesUse(const std::string& folder) const {
  return !options.temporary && folder.starts_with(identityOf(options.folder) + "/");
}

void Runs::Impl::read(Entry& entry, bool used) {
  RunRequest wanted;
  wanted.folder = entry.run->folder_;
  wanted.after = kFromTheStart;
  wanted.follow = true;
  wanted.used = used && notesUse(wanted.folder);
  entry.reading = ask(std::move(wanted));
}

Runs::Impl::Entry& Runs::Impl::open(const std::string& folder, bool used) {
  if (Entry* const there = entryOf(folder)) {
    if (std::exchange(there->dropped, false)) read(*there, used);
    return *there;
  }
  Entry& entry = add(folder);
  entry.run->record_.state = entry.run->live_.state = RunState::Stopped;  // as far as is known
  read(entry, used);
  return entry;
}

Result<void> Runs::send(const Run& run, train::Command command) {
  Impl::Entry* const entry = impl_->entryOf(run.folder());
  const bool ended = entry && !entry->trainer && run.here();
  // The trainer of a finished run no longer exists, so the run is resumed as from a terminal.
  if (ended && command.kind == CommandKind::SetSteps && run.state() == RunState::Finished) {
    const auto steps = static_cast<std::int64_t>(command.number);
    if (!(command.number > static_cast<double>(run.step()) && command.number <= 1e15))
      return fail(ErrorKind::Usage, trFormat("{}: {} steps are done already; the last step must be after them",
                                             run.folder(), run.step()));
    if (!entry->ending) return impl_->beginAgain(*entry, steps);
    entry->resumeTo = steps;
    return {};
  }
  if (ended) return fail(ErrorKind::Usage, trFormat("{}: has ended; resume it first", run.folder()));
  if (!entry || !entry->trainer)
    return fail(ErrorKind::Usage, trFormat("{}: is not being trained in this window", run.folder()));
  if (command.kind == CommandKind::Stop) entry->stopRequested = true;
  if (entry->trainer->send(std::move(command))) return {};
  return fail(ErrorKind::Usage, trFormat("{}: too many commands are waiting; try again", run.folder()));
}

void Runs::setPaced(bool paced) {
  if (std::exchange(impl_->paced, paced) == paced) return;
  for (const auto& entry : impl_->entries)
    if (entry->trainer) entry->trainer->setPaced(paced);
}

bool Runs::paced() const {
  return impl_->paced;
}

void Runs::setStepsPerFrame(std::int64_t steps) {
  impl_->stepsPerFrame = std::max<std::int64_t>(steps, 0);
}

const std::vector<RunPointer>& Runs::all() const {
  return impl_->all;
}

int Runs::training() const {
  return static_cast<int>(
      std::ranges::count_if(impl_->entries, [](const auto& entry) { return entry->trainer && entry->run->trains(); }));
}

int Runs::trainingUserRuns() const {
  return static_cast<int>(std::ranges::count_if(impl_->entries, [this](const auto& entry) {
    return entry->trainer && entry->run->trains() && !impl_->isLessonRun(entry->run->folder_);
  }));
}

void Runs::setLessonRuns(bool lessonRuns) {
  impl_->lessonRuns = lessonRuns;
}

void Runs::stopLessonRuns() {
  for (const auto& entry : impl_->entries)
    if (entry->trainer && impl_->isLessonRun(entry->run->folder_)) (void)send(*entry->run, {CommandKind::Stop, 0, {}});
}

bool Runs::removeTemporary() {
  if (impl_->scratch.empty() || std::exchange(impl_->removingScratch, true)) return false;
  RunRequest request;
  request.folder = impl_->scratch;
  request.removes = true;
  impl_->ask(std::move(request));
  return true;
}

bool Runs::busy() const {
  if (impl_->awaited > 0) return true;
  return std::ranges::any_of(
      impl_->entries, [](const auto& entry) { return entry->resumeTo || (entry->trainer && entry->stopRequested); });
}

bool Runs::refused() const {
  return impl_->service.refused();
}

const std::string& Runs::folder() const {
  return impl_->options.temporary ? impl_->scratch : impl_->options.folder;
}

const std::string& Runs::lessonRunsFolder() const {
  static const std::string kNone;
  return impl_->options.temporary ? kNone : impl_->scratch;
}

void Runs::watch(const std::string& folder) {
  if (impl_->watchWanted.empty()) impl_->watchWanted = folder;
}

std::uint64_t Runs::revision() const {
  return impl_->revision;
}

}  // namespace sepx::ui
