// SPDX-License-Identifier: Apache-2.0
// A window's file is ID.json with a lock ID.lock beside it. The frame thread puts the newest document into a slot,
// under a mutex that is held for a pointer's worth of work; the worker takes it out, turns it into text and writes it,
// so that a frame waits neither for the text nor for the disk.
#include "app/autosave.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/file.h"
#include "engine/core/file_guard.h"
#include "engine/core/folder.h"
#include "engine/core/log.h"
#include "engine/core/resource_limits.h"
#include "engine/core/thread_name.h"
#include "engine/core/xdg.h"
#include "ui/document/json_text.h"
#include "ui/document/session.h"
#include "ui/properties/tr.h"
#include "ui/properties/tr_format.h"

namespace sepx::app {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kEnding = ".json";
constexpr const char* kLockEnding = ".lock";

std::string lockOf(const std::string& file) {
  return fs::path(file).replace_extension(kLockEnding).string();
}

std::string textOf(const ui::Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A recovery file that no living window holds.
struct Note {
  RecoveryFile recovery;
  std::vector<std::string> replaced;  ///< names of the files whose document it went on with
};

/// What an autosave says about itself; nothing when it is none.
std::optional<Note> readNote(const std::string& file) {
  const auto session = ui::readSessionFile(file);
  if (!session) return std::nullopt;
  const ui::Json& note = session->document.at("autosave");
  if (!note.is_object()) return std::nullopt;
  Note read{{file, textOf(note, "title"), textOf(note, "path"), 0, note.contains("asked") && note.at("asked") == true},
            {}};
  const auto when = note.find("when");
  if (when != note.end() && when->is_number_integer()) read.recovery.when = when->get<std::int64_t>();
  const auto replaced = note.find("replaces");
  if (replaced != note.end() && replaced->is_array()) {
    for (const ui::Json& name : *replaced) {
      if (name.is_string()) read.replaced.push_back(name.get<std::string>());
    }
  }
  return read;
}

/// Names in a folder that end so, whatever else lies there.
std::vector<std::string> filesIn(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files = folderPaths(folder);
  std::erase_if(files, [&ending](const fs::path& path) { return path.extension() != ending; });
  return files;
}

/// A window that went on with a recovery file writes its own before it removes the other. Where it was killed between
/// the two, the other is older work of the same document: once the newer is saved and gone, it would be offered as
/// lost.
std::vector<RecoveryFile> withoutReplaced(std::vector<Note> notes) {
  std::set<std::string> replaced;
  for (const Note& note : notes)
    replaced.insert(note.replaced.begin(), note.replaced.end());
  std::vector<RecoveryFile> kept;
  for (Note& note : notes) {
    if (replaced.count(fs::path(note.recovery.file).filename().string()) == 0) {
      kept.push_back(std::move(note.recovery));
    } else if (auto removed = discard(note.recovery); !removed) {
      spdlog::warn("{}", removed.error().message);
    }
  }
  return kept;
}

/// Files that a killed window was writing: NAME.json.PID-N.tmp (engine/core/file_writer.cpp).
void removeUnfinished(const std::string& folder) {
  for (const std::string& file : filesIn(folder, ".tmp")) {
    const auto end = file.rfind(std::string(kEnding) + ".");
    if (end == std::string::npos || end < folder.size()) continue;
    std::error_code failed;
    if (FileLock::tryLock(lockOf(file.substr(0, end) + kEnding))) fs::remove(file, failed);
  }
}

}  // namespace

std::string autosaveFolder() {
  return stateFolder() + "/autosave";
}

std::vector<RecoveryFile> recoveryFiles(const std::string& folder) {
  std::vector<Note> notes;
  for (const std::string& file : filesIn(folder, kEnding)) {
    auto lock = FileLock::tryLock(lockOf(file));
    if (!lock) continue;  // its window lives
    if (auto note = readNote(file)) notes.push_back(std::move(*note));
  }
  std::vector<RecoveryFile> found = withoutReplaced(std::move(notes));
  removeUnfinished(folder);
  for (const std::string& lockFile : filesIn(folder, kLockEnding)) {
    std::error_code failed;
    if (fs::exists(fs::path(lockFile).replace_extension(kEnding), failed)) continue;
    if (auto lock = FileLock::tryLock(lockFile)) lock->remove();  // of a window that left nothing
  }
  const auto written = [](const RecoveryFile& one) {
    std::error_code failed;
    return fs::last_write_time(one.file, failed);
  };
  std::sort(found.begin(), found.end(),
            [&written](const RecoveryFile& a, const RecoveryFile& b) { return written(a) > written(b); });
  return found;
}

Result<void> discard(const RecoveryFile& recovery) {
  std::error_code failed;
  fs::remove(recovery.file, failed);
  if (failed) {
    return fail(ErrorKind::OutputFailed, ui::trFormat("{}: cannot be removed: {}", recovery.file, failed.message()));
  }
  if (auto lock = FileLock::tryLock(lockOf(recovery.file))) lock->remove();
  return {};
}

struct Autosave::Impl {
  explicit Impl(std::string where) : folder(std::move(where)) {}

  /// What the worker does next: keeps a document, or removes what is kept when there is none.
  struct Task {
    std::optional<ui::Document> document;
    bool removesAdopted = false;
    double patience = 0;
  };

  struct Adopted {
    std::string file;
    FileLock lock;
  };

  void put(Task task);
  void work();
  void perform(const Task& task);
  void notKept(const std::string& why);
  Result<void> write(const ui::Document& document);
  bool claim();
  void removeAdopted();

  const std::string folder;
  std::uint64_t seen = ~0ull;  ///< revision of the document that was handed over last
  bool seenModified = false, seenOn = true;
  bool keeps = false;  ///< the file outlives the window

  // Held to exchange what is below and for nothing else: a frame takes it only when the document changed or a problem
  // is to be said, and never waits for a file.
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Task> next;
  bool busy = false, ends = false, hurries = false;
  std::string problem;  ///< not said yet
  std::atomic<bool> hasProblem{false};
  bool failing = false;
  std::vector<Adopted> adopted;

  // The worker's own.
  std::string path;
  std::optional<FileLock> lock;
  Clock::time_point written{};
  std::thread thread;
};

void Autosave::Impl::put(Task task) {
  {
    const std::lock_guard hold(mutex);
    next = std::move(task);
    if (!thread.joinable()) thread = std::thread([this] { work(); });
  }
  changed.notify_all();
}

void Autosave::Impl::work() {
  nameThread("autosave");
  std::unique_lock hold(mutex);
  for (;;) {
    changed.wait(hold, [this] { return next || ends; });
    if (!next) return;
    if (next->document) {
      // Not more often than asked for: a drag is many documents a second, and the last of them counts.
      const auto due = written + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::max(0.0, next->patience)));
      changed.wait_until(hold, due, [this] { return ends || hurries || !next->document; });
    }
    if (!next) continue;
    const Task task = std::move(*std::exchange(next, std::nullopt));
    busy = true;
    hold.unlock();
    std::optional<std::string> why;
    try {
      perform(task);
    } catch (const std::bad_alloc&) {  // the window lives on, with the file of before
      why = outOfMemory();
    }
    hold.lock();
    if (why) notKept(*why);
    busy = false;
    changed.notify_all();
  }
}

/// A name of its own and the lock that says that we live. False when the folder cannot be written.
bool Autosave::Impl::claim() {
  if (lock) return true;
  for (int attempt = 0; attempt < 100 && !lock; ++attempt) {
    const std::string name = fmt::format("{}/{}-{}-{}{}", folder, std::time(nullptr), ::getpid(), attempt, kEnding);
    std::error_code failed;
    if (fs::exists(name, failed)) continue;
    lock = FileLock::tryLock(lockOf(name));
    const std::lock_guard hold(mutex);
    if (lock) path = name;
  }
  return lock.has_value();
}

Result<void> Autosave::Impl::write(const ui::Document& document) {
  if (auto made = makeFolders(folder); !made) return made;
  if (!claim()) {
    return fail(ErrorKind::OutputFailed, ui::trFormat("{}: no file can be created in this folder", folder));
  }
  ui::Json replaced = ui::Json::array();
  {
    const std::lock_guard hold(mutex);
    for (const Adopted& one : adopted)
      replaced.push_back(fs::path(one.file).filename().string());
  }
  const ui::Document kept = replaced.empty() ? document : document.with("autosave.replaces", std::move(replaced));
  return writeFile(path, ui::compactText(kept.toJson()) + "\n");
}

void Autosave::Impl::perform(const Task& task) {
  if (!task.document) {
    std::error_code failed;
    if (!path.empty()) fs::remove(path, failed);
    if (task.removesAdopted) removeAdopted();
    return;
  }
  const auto done = write(*task.document);
  written = Clock::now();
  if (done) removeAdopted();
  const std::lock_guard hold(mutex);
  if (!done) notKept(done.error().message);
  if (done) failing = false;
}

/// Said once, until it works again. The mutex is held.
void Autosave::Impl::notKept(const std::string& why) {
  if (std::exchange(failing, true)) return;
  problem = why + "; " + ui::tr("recovery files are not written until this works again");
  hasProblem = true;
}

/// Their content is kept under our own name now, or the person saved or discarded it.
void Autosave::Impl::removeAdopted() {
  std::vector<Adopted> all;
  {
    const std::lock_guard hold(mutex);
    all.swap(adopted);
  }
  for (Adopted& one : all) {
    std::error_code failed;
    fs::remove(one.file, failed);
    if (failed) spdlog::warn("{}: cannot be removed: {}", one.file, failed.message());
    if (!failed) one.lock.remove();
  }
}

Autosave::Autosave(std::string folder) : impl_(std::make_unique<Impl>(std::move(folder))) {}

Autosave::~Autosave() {
  Impl& impl = *impl_;
  if (impl.folder.empty()) return;
  {
    const std::lock_guard hold(impl.mutex);
    impl.ends = true;
    impl.next.reset();
  }
  impl.changed.notify_all();
  if (impl.thread.joinable()) impl.thread.join();
  if (!impl.keeps) impl.perform({std::nullopt, true, 0});
  if (impl.lock) impl.lock->remove();
}

void Autosave::follow(ui::Workbench& workbench, double seconds) {
  Impl& impl = *impl_;
  if (impl.folder.empty()) return;
  if (impl.hasProblem.exchange(false)) {
    const std::lock_guard hold(impl.mutex);
    workbench.say({ui::Message::Level::Error, std::exchange(impl.problem, {})});
  }
  const std::uint64_t revision = workbench.history().revision();
  const bool modified = workbench.modified();
  const bool on = seconds > 0;
  if (revision == impl.seen && modified == impl.seenModified && on == impl.seenOn) return;
  const bool wasKept = impl.seenModified && impl.seenOn;
  const bool wasModified = std::exchange(impl.seenModified, modified);
  impl.seen = revision;
  impl.seenOn = on;
  if (modified && on) {
    ui::Document document = workbench.recoveryDocument();
    impl.put({document.with("autosave.when", static_cast<std::int64_t>(std::time(nullptr))), false, seconds});
  } else if (wasKept || (wasModified && !modified)) {
    impl.put({std::nullopt, !modified, 0});
  }
}

void Autosave::keep(ui::Workbench& workbench) {
  Impl& impl = *impl_;
  if (impl.folder.empty() || !workbench.modified()) return;
  const ui::Document document = workbench.recoveryDocument();
  impl.put({document.with("autosave.when", static_cast<std::int64_t>(std::time(nullptr))).with("autosave.asked", true),
            false, 0});
  flush();
  impl.keeps = true;
}

void Autosave::adopt(const std::string& file) {
  Impl& impl = *impl_;
  if (impl.folder.empty()) return;
  impl.seen = ~0ull;
  auto lock = FileLock::tryLock(lockOf(file));
  if (!lock) return;  // another window was faster; it removes the file
  const std::lock_guard hold(impl.mutex);
  impl.adopted.push_back({file, std::move(*lock)});
}

std::string Autosave::file() const {
  const std::lock_guard hold(impl_->mutex);
  return impl_->path;
}

void Autosave::flush() {
  Impl& impl = *impl_;
  std::unique_lock hold(impl.mutex);
  impl.hurries = true;
  impl.changed.notify_all();
  impl.changed.wait(hold, [&impl] { return !impl.next && !impl.busy; });
  impl.hurries = false;
}

}  // namespace sepx::app
