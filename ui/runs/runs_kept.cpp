// SPDX-License-Identifier: Apache-2.0
// What outlives the program: marks of the runs that train in it, which are read at the next start, and processes that
// continue them. A mark is a file that contains the folder of a run. It is created when a run starts to train, and
// removed when its trainer has ended by itself or was stopped by the user. Both wait for the disk, so the service
// thread does them, in the order of the requests.
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/folder.h"
#include "engine/core/resource_limits.h"
#include "engine/core/spawn.h"
#include "engine/core/try.h"
#include "ui/runs/runs_impl.h"

namespace fs = std::filesystem;

namespace sepx::ui {
namespace {

constexpr std::size_t kLongestPath = 4096;

std::string markOf(const std::string& marks, const std::string& folder) {
  return fmt::format("{}/{:016x}.run", marks, sepx::stampOf(folder).hash);
}

}  // namespace

void keepMark(const RunMark& mark, const std::string& folder) try {
  std::error_code error;
  if (!mark.wanted) {
    fs::remove(mark.file, error);
    return;
  }
  fs::create_directories(fs::path(mark.file).parent_path(), error);
  // A run whose mark cannot be written is trained nevertheless. It is not offered after a crash.
  [[maybe_unused]] const auto written = writeFile(mark.file, folder);
} catch (const std::exception&) {
  // Out of memory for the names: the same as a mark that cannot be written.
}

void Runs::Impl::mark(const std::string& folder) {
  if (options.marks.empty() || isLessonRun(folder)) return;
  RunRequest request;
  request.folder = folder;
  request.mark = RunMark{markOf(options.marks, folder), true};
  ask(std::move(request));
}

void Runs::Impl::unmark(const std::string& folder) {
  if (options.marks.empty()) return;
  RunRequest request;
  request.folder = folder;
  request.mark = RunMark{markOf(options.marks, folder), false};
  ask(std::move(request));
}

void Runs::Impl::openMarked() {
  if (options.marks.empty()) return;
  for (const fs::path mark : folderPaths(options.marks)) {
    if (mark.extension() != ".run") continue;
    const auto folder = readFile(mark.string(), kLongestPath);
    std::error_code missing;
    if (folder && fs::is_regular_file(*folder + "/run.sqlite", missing)) {
      // A run that is alive belongs to another window.
      if (!train::runIsAlive(*folder)) open(*folder, false).offered = true;
    } else if (!folder || !fs::exists(*folder, missing)) {  // otherwise another window is just starting it
      fs::remove(mark, missing);
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
    if (entry->trainer && entry->run->trains() && !impl_->isLessonRun(entry->run->folder_))
      going.push_back(entry.get());
  for (Impl::Entry* const entry : going) {
    SEPX_TRY(send(*entry->run, {train::CommandKind::Stop, 0, {}}));
  }
  const bool paced = std::exchange(impl_->paced, false);
  while (busy() && !refused()) {
    update();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  impl_->paced = paced;
  if (refused()) return fail(ErrorKind::Internal, noThread());  // nothing was stopped, so nothing can be continued
  const int threads = std::max(1, impl_->budget->threads() / std::max<int>(1, static_cast<int>(going.size())));
  for (const Impl::Entry* const entry : going) {
    if (entry->run->state() != train::RunState::Stopped) continue;
    const std::string& folder = entry->run->folder_;
    SEPX_TRY(spawnDetached({sepx, "train", folder + "/config.json", "--run", folder, "--resume", "--threads",
                            fmt::format("{}", threads)}));
  }
  return {};
}

}  // namespace sepx::ui
