// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_service.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "engine/core/folder.h"
#include "engine/core/remove_folder.h"
#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"
#include "engine/train/run_library.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/run_overview.h"

namespace sepx::ui {
namespace {

using namespace std::chrono_literals;

constexpr auto kFollowPause = 200ms;           // between checks of a run that some program trains
constexpr auto kIdlePause = 1000ms;            // between checks of a run that no program trains at present
constexpr std::size_t kFirstPortion = 50'000;  // numbers; takes about ten milliseconds
constexpr std::size_t kPortion = 50'000;
constexpr auto kRoomPause = 5ms;  // while the frame thread has not taken the reports

/// Changes when a program writes to the run. Empty if its database does not exist.
std::string changeStamp(const std::string& folder) {
  std::string stamp;
  for (const char* file : {"/run.sqlite", "/run.sqlite-wal"}) {
    struct stat now {};
    if (::stat((folder + file).c_str(), &now) != 0) {
      if (stamp.empty()) return {};
      continue;
    }
    stamp += fmt::format("{}.{}.{}.{} ", now.st_ino, now.st_size, now.st_mtim.tv_sec, now.st_mtim.tv_nsec);
  }
  return stamp;
}

std::uint64_t stampOfRuns(const std::string& folder) {
  std::uint64_t sum = 0;
  for (const std::string& run : folderPaths(folder))
    sum += std::hash<std::string>{}(run + changeStamp(run));
  return sum;
}

/// Changes when a run directly below a folder is created, removed or written to. For a sweep it also changes with its
/// runs, with the claims of the programs that train them, and with the list of failed runs.
std::string libraryStamp(const std::string& folder) {
  std::string stamp = fmt::format("{}", stampOfRuns(folder));
  std::error_code error;
  if (!std::filesystem::exists(folder + "/plan.json", error)) return stamp;
  stamp += fmt::format(".{}", stampOfRuns(folder + "/runs"));
  for (const char* const part : {"/claims", "/failed"})
    if (const auto time = std::filesystem::last_write_time(folder + part, error); !error)
      stamp += fmt::format(".{}", time.time_since_epoch().count());
  return stamp;
}

/// When the run was last resumed. Everything after the checkpoint was truncated then.
std::string lastResume(const train::RunReader& reader) {
  std::string when;
  if (const auto events = reader.events()) {
    for (const train::RunEvent& event : *events)
      if (event.kind == "resumed") when = fmt::format("{} {}", event.at, event.step);
  }
  return when;
}

Result<void> readRecord(RunReport& report, const train::RunReader& reader) {
  auto read = reader.record();
  if (!read) return tl::unexpected(read.error());
  report.record = std::move(*read);
  auto config = train::parseRunConfig(report.record->config, report.folder + "/run.sqlite", report.folder);
  if (config) {
    report.config = std::move(*config);
  } else {
    report.configFailure = config.error().message;
  }
  return {};
}

/// Lists checkpoints and stored matrices. Checkpoints need no database, so `reader` may be null.
void readLists(RunReport& report, const train::RunReader* reader) {
  report.saved = train::savedSteps(report.folder);
  report.listed = true;
  if (reader == nullptr) return;
  if (auto stored = reader->storedSteps()) report.stored = std::move(*stored);
}

/// Turns an exception into an error, so that a file that does not fit into memory fails only its own run.
template <class Work>
Result<void> guarded(const std::string& folder, Work work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return fail(ErrorKind::Internal, trFormat("{}: cannot be read: {}", folder, error.what()));
  }
}

}  // namespace

void addSeries(SeriesMap& to, const std::vector<train::Series>& from) {
  for (const train::Series& one : from) {
    RunSeries& series = to[{one.name, one.layer, one.head}];
    series.name = one.name;
    series.layer = one.layer;
    series.head = one.head;
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      const auto step = static_cast<double>(one.steps[i]);
      if (!series.steps.empty() && step <= series.steps.back()) continue;
      series.steps.push_back(step);
      series.values.push_back(one.values[i]);
    }
  }
}

RunService::RunService(std::function<void()> wake) : wake_(std::move(wake)) {}

RunService::~RunService() {
  if (!thread_.joinable()) return;
  while (!overflow_.empty()) {
    while (reports_.pop()) {  // the thread needs room for its reports before it takes the next request
    }
    submitOverflow();
    if (!overflow_.empty()) std::this_thread::sleep_for(kRoomPause);
  }
  ending_.store(true, std::memory_order_release);
  wakeSemaphore_.release();
  thread_.join();
}

std::uint64_t RunService::ask(RunRequest request) {
  request.number = ++lastRequest_;
  overflow_.push_back(std::make_unique<RunRequest>(std::move(request)));
  submitOverflow();
  begin();
  return lastRequest_;
}

void RunService::begin() {
  if (lastRequest_ == 0 || thread_.joinable()) return;
  try {
    thread_ = std::thread([this] {
      nameThread("runs");
      run();
    });
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
  }
}

void RunService::submitOverflow() {
  bool any = false;
  while (!overflow_.empty() && requests_.push(std::move(overflow_.front()))) {
    overflow_.pop_front();
    any = true;
  }
  if (any) wakeSemaphore_.release();
}

std::unique_ptr<RunReport> RunService::take() {
  submitOverflow();
  begin();
  auto report = reports_.pop();
  return report ? std::move(*report) : nullptr;
}

std::unique_ptr<RunReport> RunService::waitForReport() {
  for (;;) {
    const unsigned before = reported_.load(std::memory_order_acquire);
    if (auto report = take()) return report;
    if (refused()) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    reported_.wait(before, std::memory_order_acquire);
  }
}

void RunService::run() {
  for (;;) {
    const bool ending = ending_.load(std::memory_order_acquire);  // read first, so that no request is missed
    while (auto request = requests_.pop())
      serve(std::move(**request));
    if (ending) return;
    poll();
    if (!readings_.empty()) {
      continueReading();
    } else if (const auto time = pause()) {
      static_cast<void>(wakeSemaphore_.try_acquire_for(*time));
    } else {
      wakeSemaphore_.acquire();
    }
  }
}

/// The time until the next check of followed folders. Empty: wait for a request.
std::optional<RunService::Clock::duration> RunService::pause() const {
  std::optional<Clock::time_point> first;
  for (const auto& [folder, at] : followed_)
    if (!first || at.next < *first) first = at.next;
  if (!library_.empty() && (!first || libraryAt_.next < *first)) first = libraryAt_.next;
  if (!first) return std::nullopt;
  return std::max<Clock::duration>(*first - Clock::now(), 1ms);
}

void RunService::report(std::unique_ptr<RunReport> what) {
  while (!reports_.push(std::move(what))) {
    if (ending_.load(std::memory_order_acquire)) return;
    std::this_thread::sleep_for(kRoomPause);
  }
  reported_.fetch_add(1, std::memory_order_acq_rel);
  reported_.notify_one();
  if (wake_) wake_();
}

void RunService::serve(RunRequest request) {
  auto answer = std::make_unique<RunReport>();
  answer->folder = request.folder;
  answer->number = request.number;
  if (request.mark || request.removes) {
    if (request.mark) keepMark(*request.mark, request.folder);
    if (request.removes) removeFolder(request.folder);
    answer->marked = true;
    return report(std::move(answer));
  }
  if (request.watch) {
    library_ = *request.watch ? request.folder : std::string();
    libraryAt_ = {};
    libraryAt_.stamp = libraryStamp(request.folder);
    libraryAt_.next = Clock::now() + kIdlePause;
    return report(std::move(answer));
  }
  if (request.ends) {
    request.ends.reset();
    answer->ended = true;
  }
  if (request.used) train::noteUse(request.folder);
  answer->alive = train::runIsAlive(request.folder);
  if (request.follow) followed_.erase(request.folder);
  const Result<void> done = guarded(request.folder, [&] { return read(request, *answer); });
  if (!done) {
    answer->failure = done.error().message;
    answer->more = false;
  }
  report(std::move(answer));
}

/// Reads what a request asks for. Metrics after the first portion of a long run are read later, one portion at a time.
Result<void> RunService::read(const RunRequest& request, RunReport& answer) {
  Reading reading;
  reading.stamp = changeStamp(request.folder);
  reading.request.folder = request.folder;
  reading.request.number = request.number;
  reading.request.after = request.after;
  reading.request.follow = request.follow;
  auto reader = train::RunReader::open(request.folder);
  const train::RunReader* const opened = reader ? reader->get() : nullptr;
  if (request.lists) readLists(answer, opened);
  const auto followed = [&] { follow(reading.request, reading.stamp, reading.resumed, reading.last); };
  if (opened == nullptr) {
    followed();
    if (!request.record && !request.after) return {};
    return tl::unexpected(reader.error());
  }
  reading.resumed = lastResume(*opened);
  if (request.record) {
    if (auto done = readRecord(answer, *opened); !done) return done;
  }
  if (request.after) {
    auto portion = opened->portion(*request.after, kFirstPortion);
    if (!portion) return tl::unexpected(portion.error());
    answer.after = request.after;
    answer.more = !portion->all;
    if (!portion->all && *request.after == kFromTheStart) {
      if (auto done = readOverview(answer, *opened); !done) return done;
      reading.whole.emplace();
    } else {
      reading.last = std::max(portion->last, *request.after);
      answer.series = std::move(portion->series);
    }
    if (answer.more) {
      reading.reader = std::move(*reader);
      readings_.push_back(std::move(reading));
      return {};
    }
  }
  followed();
  return {};
}

Result<void> RunService::readOverview(RunReport& answer, const train::RunReader& reader) {
  const auto record = reader.record();
  if (!record) return tl::unexpected(record.error());
  const train::Schedule schedule = answer.config ? answer.config->schedule : train::Schedule{};
  auto series = reader.seriesAt(overviewSteps(schedule, record->step));
  if (!series) return tl::unexpected(series.error());
  answer.overview = true;
  answer.series = std::move(*series);
  return {};
}

void RunService::continueReading() {
  Reading reading = std::move(readings_.front());
  readings_.pop_front();
  auto answer = std::make_unique<RunReport>();
  answer->folder = reading.request.folder;
  answer->number = reading.request.number;
  answer->after = reading.request.after;
  answer->alive = train::runIsAlive(answer->folder);
  const Result<void> read = guarded(answer->folder, [&]() -> Result<void> {
    auto portion = reading.reader->portion(reading.last, kPortion);
    if (!portion) return tl::unexpected(portion.error());
    reading.last = portion->last;
    answer->more = !portion->all;
    if (reading.whole) {
      addSeries(*reading.whole, portion->series);
    } else {
      answer->series = std::move(portion->series);
    }
    return {};
  });
  if (!read) answer->failure = read.error().message;
  if (answer->more && reading.whole) return readings_.push_back(std::move(reading));
  answer->whole = std::move(reading.whole);
  answer->last = reading.last;
  if (!answer->more) follow(reading.request, reading.stamp, reading.resumed, reading.last);
  const bool more = answer->more;
  report(std::move(answer));
  if (more) readings_.push_back(std::move(reading));
}

void RunService::follow(const RunRequest& request, const std::string& stamp, const std::string& resumed,
                        std::int64_t last) {
  if (!request.follow || !*request.follow) return;
  Followed& at = followed_[request.folder];
  at = Followed{};
  at.stamp = stamp;
  at.resumed = resumed;
  at.alive = train::runIsAlive(request.folder);
  at.lost = stamp.empty();
  at.step = last;
  at.next = Clock::now() + kFollowPause;
}

void RunService::poll() {
  for (auto& [folder, at] : followed_) {
    if (Clock::now() < at.next) continue;
    look(folder, at);
    at.next = Clock::now() + (at.more ? 0ms : at.alive ? kFollowPause : kIdlePause);
  }
  if (!library_.empty() && Clock::now() >= libraryAt_.next) checkLibrary();
}

void RunService::checkLibrary() {
  std::string stamp = libraryStamp(library_);
  libraryAt_.next = Clock::now() + kIdlePause;
  if (stamp == libraryAt_.stamp) return;
  libraryAt_.stamp = std::move(stamp);
  auto answer = std::make_unique<RunReport>();
  answer->folder = library_;
  answer->news = true;
  report(std::move(answer));
}

void RunService::look(const std::string& folder, Followed& at) {
  const std::string stamp = changeStamp(folder);
  const bool alive = !stamp.empty() && train::runIsAlive(folder);
  const bool goesOn = std::exchange(at.more, false);
  if (stamp == at.stamp && alive == at.alive && !goesOn) return;
  at.stamp = stamp;
  at.alive = alive;
  auto answer = std::make_unique<RunReport>();
  answer->folder = folder;
  answer->alive = alive;
  if (stamp.empty()) {
    if (std::exchange(at.lost, true)) return;
    answer->failure = trFormat("{}: was removed or moved while it was open", folder);
    answer->listed = true;  // as empty lists
    return report(std::move(answer));
  }
  if (std::exchange(at.lost, false)) at.step = kFromTheStart;
  const Followed before = at;
  const Result<void> done = guarded(folder, [&] {
    const auto reader = train::RunReader::open(folder);
    const Result<void> read =
        reader ? readChanges(at, *answer, **reader) : Result<void>(tl::unexpected(reader.error()));
    readLists(*answer, reader ? reader->get() : nullptr);
    return read;
  });
  if (!done) {
    at = before;
    if (goesOn || answer->after == kFromTheStart) at.stamp.clear();  // the next check, after its pause, reads on
    answer->failure = done.error().message;
    answer->series.clear();
    answer->more = false;
  }
  report(std::move(answer));
}

/// Reads what was written since the last check, or everything if the run was truncated; one portion at a time.
Result<void> RunService::readChanges(Followed& at, RunReport& answer, const train::RunReader& reader) {
  std::string resumed = lastResume(reader);
  answer.after = resumed != at.resumed ? kFromTheStart : at.step;
  if (auto done = readRecord(answer, reader); !done) return done;
  auto portion = reader.portion(*answer.after, kPortion);
  if (!portion) return tl::unexpected(portion.error());
  answer.series = std::move(portion->series);
  answer.more = at.more = !portion->all;
  at.step = portion->last;
  at.resumed = std::move(resumed);
  return {};
}

}  // namespace sepx::ui
