// SPDX-License-Identifier: Apache-2.0
// What outlives the program: marks of the runs that train in it, read at the next start, and programs that go on with
// them. A mark is a file that holds the folder of a run. It is made before a run trains, and goes when its trainer has
// ended by itself or by a person's Stop.
#include <csignal>
#include <filesystem>
#include <functional>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/try.h"
#include "ui/properties/tr_format.h"
#include "ui/runs/runs_impl.h"

namespace fs = std::filesystem;

namespace sepx::ui {
namespace {

constexpr std::size_t kLongestPath = 4096;

std::string markOf(const std::string& marks, const std::string& folder) {
  return fmt::format("{}/{:016x}.run", marks, sepx::stampOf(folder).hash);
}

/// A program of its own session, which no signal of this terminal or window reaches.
Result<void> spawn(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int code = posix_spawn(&child, words.front().c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (code == 0) return {};
  return fail(ErrorKind::OutputFailed,
              trFormat("{}: cannot be started: {}", words.front(), std::generic_category().message(code)));
}

}  // namespace

void Runs::Impl::mark(const std::string& folder) const {
  if (options.marks.empty() || passes(folder)) return;
  std::error_code error;
  fs::create_directories(options.marks, error);
  // A run whose mark cannot be written is trained all the same; after a crash it is not offered.
  [[maybe_unused]] const auto written = writeFile(markOf(options.marks, folder), folder);
}

void Runs::Impl::unmark(const std::string& folder) const {
  std::error_code error;
  if (!options.marks.empty()) fs::remove(markOf(options.marks, folder), error);
}

void Runs::Impl::openMarked() {
  if (options.marks.empty()) return;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(options.marks, error)) {
    if (entry.path().extension() != ".run") continue;
    const auto folder = readFile(entry.path().string(), kLongestPath);
    std::error_code missing;
    if (folder && fs::is_regular_file(*folder + "/run.sqlite", missing)) {
      // Of another window that is alive: its own.
      if (!train::runIsAlive(*folder)) open(*folder, false).offered = true;
    } else if (!folder || !fs::exists(*folder, missing)) {  // else another window begins it just now
      fs::remove(entry.path(), missing);
    }
  }
}

std::vector<RunPointer> Runs::interrupted() const {
  std::vector<RunPointer> found;
  for (const auto& entry : impl_->entries)
    if (entry->offered && entry->run->loaded()) found.push_back(entry->run);
  return found;
}

Result<void> Runs::resumeInterrupted() {
  for (const RunPointer& run : interrupted())
    SEPX_TRY(resume(*run));
  return {};
}

Result<void> Runs::keepTraining(const std::string& sepx) {
  std::vector<Impl::Entry*> going;
  for (const auto& entry : impl_->entries)
    if (entry->trainer && entry->run->trains() && !impl_->passes(entry->run->folder_)) going.push_back(entry.get());
  for (Impl::Entry* const entry : going) {
    SEPX_TRY(send(*entry->run, {train::CommandKind::Stop, 0, {}}));
  }
  const bool paced = std::exchange(impl_->paced, false);
  while (busy()) {
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  impl_->paced = paced;
  const int threads = std::max(1, impl_->budget->threads() / std::max<int>(1, static_cast<int>(going.size())));
  for (const Impl::Entry* const entry : going) {
    if (entry->run->state() != train::RunState::Stopped) continue;
    const std::string& folder = entry->run->folder_;
    SEPX_TRY(spawn({sepx, "train", folder + "/config.json", "--run", folder, "--resume", "--threads",
                    fmt::format("{}", threads)}));
  }
  return {};
}

}  // namespace sepx::ui
