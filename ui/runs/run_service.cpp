// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_service.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "ui/properties/tr_format.h"

namespace sepx::ui {
namespace {

using namespace std::chrono_literals;

constexpr auto kFollowPause = 200ms;  // of a run that somebody trains
constexpr auto kIdlePause = 1000ms;   // of one that nobody does, at present
constexpr auto kRoomPause = 5ms;      // the frame thread has not taken what was reported

/// Changes when somebody writes into the run; empty when its database is not there.
std::string stampOf(const std::string& folder) {
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

std::int64_t lastStep(const std::vector<train::Series>& series, std::int64_t before) {
  std::int64_t last = before;
  for (const train::Series& one : series)
    if (!one.steps.empty()) last = std::max(last, one.steps.back());
  return last;
}

/// When the run was resumed last: what it had after that checkpoint was cut then.
std::string lastResume(const train::RunReader& reader) {
  std::string when;
  if (const auto events = reader.events()) {
    for (const train::RunEvent& event : *events)
      if (event.kind == "resumed") when = fmt::format("{} {}", event.at, event.step);
  }
  return when;
}

/// Record, config and metrics; what is not wanted is left out. The sentence of what failed.
Result<void> readInto(RunReport& report, const train::RunReader& reader, bool record,
                      std::optional<std::int64_t> after) {
  if (record) {
    auto read = reader.record();
    if (!read) return tl::unexpected(read.error());
    report.record = std::move(*read);
    auto config = train::parseRunConfig(report.record->config, report.folder + "/run.sqlite", report.folder);
    if (config) {
      report.config = std::move(*config);
    } else {
      report.configFailure = config.error().sentence;
    }
  }
  if (!after) return {};
  auto series = reader.seriesAfter(*after);
  if (!series) return tl::unexpected(series.error());
  report.after = after;
  report.series = std::move(*series);
  return {};
}

void readLists(RunReport& report) {
  report.saved = train::savedSteps(report.folder);
  report.listed = true;
}

}  // namespace

RunService::RunService(std::function<void()> wake) : wake_(std::move(wake)) {}

RunService::~RunService() {
  if (!thread_.joinable()) return;
  while (!overflow_.empty()) {
    hand();
    if (!overflow_.empty()) std::this_thread::sleep_for(kRoomPause);
  }
  ending_.store(true, std::memory_order_release);
  bell_.release();
  thread_.join();
}

std::uint64_t RunService::ask(RunRequest request) {
  request.number = ++asked_;
  overflow_.push_back(std::make_unique<RunRequest>(std::move(request)));
  hand();
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  return asked_;
}

void RunService::hand() {
  bool any = false;
  while (!overflow_.empty() && requests_.push(std::move(overflow_.front()))) {
    overflow_.pop_front();
    any = true;
  }
  if (any) bell_.release();
}

std::unique_ptr<RunReport> RunService::take() {
  hand();
  auto report = reports_.pop();
  return report ? std::move(*report) : nullptr;
}

std::unique_ptr<RunReport> RunService::waitForReport() {
  for (;;) {
    const unsigned before = reported_.load(std::memory_order_acquire);
    if (auto report = take()) return report;
    reported_.wait(before, std::memory_order_acquire);
  }
}

void RunService::run() {
  for (;;) {
    while (auto request = requests_.pop())
      serve(std::move(**request));
    if (ending_.load(std::memory_order_acquire)) return;
    poll();
    if (const auto time = pause()) {
      static_cast<void>(bell_.try_acquire_for(*time));
    } else {
      bell_.acquire();
    }
  }
}

/// Until the next look at what is followed; nothing: until somebody asks.
std::optional<RunService::Clock::duration> RunService::pause() const {
  std::optional<Clock::time_point> first;
  for (const auto& [folder, at] : followed_)
    if (!first || at.next < *first) first = at.next;
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
  if (request.ends) {
    request.ends.reset();
    answer->ended = true;
  }
  const std::string stamp = stampOf(request.folder);
  answer->alive = train::runIsAlive(request.folder);
  std::string resumed;
  if (request.record || request.after) {
    const auto reader = train::RunReader::open(request.folder);
    const Result<void> read = reader ? readInto(*answer, **reader, request.record, request.after)
                                     : Result<void>(tl::unexpected(reader.error()));
    if (!read) answer->failure = read.error().sentence;
    if (reader) resumed = lastResume(**reader);
  }
  if (request.lists) readLists(*answer);
  if (request.follow) followed_.erase(request.folder);
  if (request.follow && *request.follow) {
    Followed& at = followed_[request.folder];
    at.stamp = stamp;
    at.resumed = resumed;
    at.alive = answer->alive;
    at.lost = stamp.empty();
    at.step = lastStep(answer->series, request.after.value_or(kFromTheStart));
    at.next = Clock::now() + kFollowPause;
  }
  report(std::move(answer));
}

void RunService::poll() {
  for (auto& [folder, at] : followed_) {
    if (Clock::now() < at.next) continue;
    look(folder, at);
    at.next = Clock::now() + (at.alive ? kFollowPause : kIdlePause);
  }
}

void RunService::look(const std::string& folder, Followed& at) {
  const std::string stamp = stampOf(folder);
  const bool alive = !stamp.empty() && train::runIsAlive(folder);
  if (stamp == at.stamp && alive == at.alive) return;
  at.stamp = stamp;
  at.alive = alive;
  auto answer = std::make_unique<RunReport>();
  answer->folder = folder;
  answer->alive = alive;
  if (stamp.empty()) {
    if (std::exchange(at.lost, true)) return;
    answer->failure = trFormat("{}: was removed or moved while it was open", folder);
    return report(std::move(answer));
  }
  const auto reader = train::RunReader::open(folder);
  Result<void> read = reader ? Result<void>() : Result<void>(tl::unexpected(reader.error()));
  if (reader) {
    std::string resumed = lastResume(**reader);
    const bool cut = resumed != at.resumed || std::exchange(at.lost, false);
    at.resumed = std::move(resumed);
    read = readInto(*answer, **reader, true, cut ? kFromTheStart : at.step);
  }
  if (!read) {
    answer->failure = read.error().sentence;
    answer->series.clear();
  } else {
    at.step = lastStep(answer->series, *answer->after);
  }
  readLists(*answer);
  report(std::move(answer));
}

}  // namespace sepx::ui
