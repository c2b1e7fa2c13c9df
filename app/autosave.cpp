// SPDX-License-Identifier: Apache-2.0
// A window's file is ID.json with a lock ID.lock beside it. The frame thread puts the newest document into a slot under
// a mutex that is held only for this exchange; the worker thread takes it out, serialises it and writes it, so that a
// frame waits neither for the serialisation nor for the disk. Where the file system has no locks, a claim (ID.1, ID.2,
// …) marks a window as running, just as it marks which program trains a run of a sweep (engine/sweep/sweep_claim.h).
#include "app/autosave.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <exception>
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
#include "engine/core/try.h"
#include "engine/core/xdg.h"
#include "engine/sweep/sweep_claim.h"
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

sweep::Claims claimsBeside(const std::string& file) {
  return sweep::Claims(fs::path(file).parent_path().string());
}

/// Name of the claim on a recovery file.
std::string claimOf(const std::string& file) {
  return fs::path(file).stem().string();
}

/// Whether no running window has this recovery file, given the result of an attempt to lock it. The claim is read as
/// well, because a window may have a claim although locks work now.
bool isFree(const std::string& file, const LockAttempt& attempt) {
  if (attempt.outcome != LockOutcome::Held && attempt.outcome != LockOutcome::NoLocks) return false;
  const sweep::ClaimState state = claimsBeside(file).read(claimOf(file)).state;
  return state == sweep::ClaimState::None || state == sweep::ClaimState::Stale;
}

/// Keeps other windows from using a recovery file.
struct Hold {
  std::optional<FileLock> lock;
  std::unique_ptr<sweep::Claim> claim;  ///< where there are no locks

  /// Removes the lock or claim when nobody needs the recovery file any more.
  void remove() {
    if (lock) lock->remove();
    if (claim) claim->finish();
    claim.reset();
  }
};

/// Empty: another window has the file, or nothing can be created beside it.
Result<std::optional<Hold>> takeHold(const std::string& file) {
  LockAttempt attempt = FileLock::attempt(lockOf(file));
  if (!isFree(file, attempt)) return std::optional<Hold>();
  if (attempt.lock) return Hold{std::move(attempt.lock), nullptr};
  SEPX_ASSIGN(auto claim, claimsBeside(file).take(claimOf(file)));
  if (!claim) return std::optional<Hold>();
  return Hold{std::nullopt, std::move(claim)};
}

std::string textOf(const ui::Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A recovery file that no running window holds.
struct Note {
  RecoveryFile recovery;
  std::vector<std::string> replaced;  ///< names of the recovery files that it continues
};

/// Reads the recovery data of a file; empty when it is not a recovery file.
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

/// Paths in a folder with this extension; everything else is ignored.
std::vector<std::string> filesIn(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files = folderPaths(folder);
  std::erase_if(files, [&ending](const fs::path& path) { return path.extension() != ending; });
  return files;
}

/// Removes recovery files that another one continues, and returns the rest. A window that continues a recovery file
/// writes its own before it removes the old one. If it was killed between the two, the old file holds an older state of
/// the same document, which would be offered as lost work once the newer file was saved and removed.
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

/// Removes temporary files of a killed window: NAME.json.PID-N.tmp (engine/core/file_writer.cpp).
void removeUnfinished(const std::string& folder) {
  for (const std::string& file : filesIn(folder, ".tmp")) {
    const auto end = file.rfind(std::string(kEnding) + ".");
    if (end == std::string::npos || end < folder.size()) continue;
    const std::string whole = file.substr(0, end) + kEnding;
    std::error_code failed;
    if (const LockAttempt attempt = FileLock::attempt(lockOf(whole)); isFree(whole, attempt)) fs::remove(file, failed);
  }
}

}  // namespace

std::string autosaveFolder() {
  return stateFolder() + "/autosave";
}

std::vector<RecoveryFile> recoveryFiles(const std::string& folder) {
  std::vector<Note> notes;
  for (const std::string& file : filesIn(folder, kEnding)) {
    const LockAttempt attempt = FileLock::attempt(lockOf(file));
    if (!isFree(file, attempt)) continue;  // its window still runs
    if (auto note = readNote(file)) notes.push_back(std::move(*note));
  }
  std::vector<RecoveryFile> found = withoutReplaced(std::move(notes));
  removeUnfinished(folder);
  for (const std::string& lockFile : filesIn(folder, kLockEnding)) {
    std::error_code failed;
    if (fs::exists(fs::path(lockFile).replace_extension(kEnding), failed)) continue;
    if (auto lock = FileLock::tryLock(lockFile)) lock->remove();  // of a window that left no recovery file
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
  if (auto hold = takeHold(recovery.file); hold && *hold) (*hold)->remove();
  return {};
}

struct Autosave::Impl {
  explicit Impl(std::string where) : folder(std::move(where)) {}

  /// The worker's next task: writes the document, or removes the recovery file when there is none.
  struct Task {
    std::optional<ui::Document> document;
    bool removesAdopted = false;
    double patience = 0;
  };

  struct Adopted {
    std::string file;
    Hold hold;
  };

  void put(Task task);
  void begin();
  void work();
  std::optional<std::string> tryTask(const Task& task);
  void performNext(std::unique_lock<std::mutex>& hold);
  void perform(const Task& task);
  void reportProblem(const std::string& why);
  Result<void> write(const ui::Document& document);
  Result<void> claim();
  void removeAdopted();

  const std::string folder;
  std::uint64_t seen = ~0ull;  ///< revision of the document that was handed over last
  bool seenModified = false, seenOn = true;
  bool waitsForThread = false;  ///< the system refused to start the worker thread
  bool keeps = false;           ///< the file outlives the window
  const int unwinding = std::uncaught_exceptions();

  // Held only to exchange the members below: a frame takes it only when the document changed or a problem must be
  // reported, and never waits for a file.
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<Task> next;
  bool busy = false, ends = false, hurries = false;
  std::string problem;  ///< not reported yet
  std::atomic<bool> hasProblem{false};
  bool failing = false;
  std::vector<Adopted> adopted;

  // Used by the worker thread; `path` is set under the mutex, because file() reads it.
  std::string path;
  std::optional<Hold> own;  ///< of `path`
  Clock::time_point written{};
  std::thread thread;
};

void Autosave::Impl::put(Task task) {
  {
    const std::lock_guard hold(mutex);
    next = std::move(task);
    begin();
  }
  changed.notify_all();
}

/// Starts the worker thread. If the system refuses it, the pending task waits for it. The mutex is held.
void Autosave::Impl::begin() {
  if (thread.joinable()) return;
  waitsForThread = false;
  try {
    thread = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    waitsForThread = true;
    reportProblem(noThread());
  }
}

/// Returns why the task failed for lack of memory or of a thread. The window then continues with its previous file.
std::optional<std::string> Autosave::Impl::tryTask(const Task& task) {
  try {
    perform(task);
  } catch (const std::bad_alloc&) {
    return outOfMemory();
  } catch (const std::system_error& error) {
    if (!isThreadRefused(error)) throw;
    return noThread();
  }
  return std::nullopt;
}

/// `hold` holds the mutex and releases it while the task is performed.
void Autosave::Impl::performNext(std::unique_lock<std::mutex>& hold) {
  const Task task = std::move(*std::exchange(next, std::nullopt));
  busy = true;
  hold.unlock();
  const std::optional<std::string> why = tryTask(task);
  hold.lock();
  if (why) reportProblem(*why);
  busy = false;
  changed.notify_all();
}

void Autosave::Impl::work() {
  nameThread("autosave");
  std::unique_lock hold(mutex);
  for (;;) {
    changed.wait(hold, [this] { return next || ends; });
    if (!next) return;
    if (next->document) {
      // Not more often than `patience` allows: a drag creates many documents per second, and only the last one matters.
      const auto due = written + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::max(0.0, next->patience)));
      changed.wait_until(hold, due, [this] { return ends || hurries || !next->document; });
    }
    if (next) performNext(hold);
  }
}

/// Chooses a unique file name and takes the lock or claim that marks this window as running.
Result<void> Autosave::Impl::claim() {
  for (int attempt = 0; attempt < 100 && !own; ++attempt) {
    const std::string name = fmt::format("{}/{}-{}-{}{}", folder, std::time(nullptr), ::getpid(), attempt, kEnding);
    std::error_code failed;
    if (fs::exists(name, failed)) continue;
    SEPX_ASSIGN(std::optional<Hold> taken, takeHold(name));
    if (!taken) continue;
    own = std::move(taken);
    const std::lock_guard hold(mutex);
    path = name;
  }
  if (own) return {};
  return fail(ErrorKind::OutputFailed, ui::trFormat("{}: no file can be created in this folder", folder));
}

Result<void> Autosave::Impl::write(const ui::Document& document) {
  SEPX_TRY(makeFolders(folder));
  SEPX_TRY(claim());
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
  if (!done) reportProblem(done.error().message);
  if (done) failing = false;
}

/// Reports a problem once, until writing works again. The mutex is held.
void Autosave::Impl::reportProblem(const std::string& why) {
  if (std::exchange(failing, true)) return;
  problem = why + "; " + ui::tr("recovery files are not written until this works again");
  hasProblem = true;
}

/// Removes adopted files: their content is now in this window's own file, or the user saved or discarded it.
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
    if (!failed) one.hold.remove();
  }
}

Autosave::Autosave(std::string folder) : impl_(std::make_unique<Impl>(std::move(folder))) {}

Autosave::~Autosave() {
  Impl& impl = *impl_;
  if (impl.folder.empty()) return;
  // When an exception ends the window, the user did not close it and was not asked whether to keep the work.
  const bool unwinds = std::uncaught_exceptions() > impl.unwinding;
  {
    std::unique_lock hold(impl.mutex);
    impl.ends = true;
    if (!unwinds) impl.next.reset();
    if (impl.next && !impl.thread.joinable()) impl.performNext(hold);
  }
  impl.changed.notify_all();
  if (impl.thread.joinable()) impl.thread.join();
  if (!impl.keeps && !unwinds) impl.perform({std::nullopt, true, 0});
  if (impl.own) impl.own->remove();
}

void Autosave::follow(ui::Workbench& workbench, double seconds) {
  Impl& impl = *impl_;
  if (impl.folder.empty()) return;
  if (impl.hasProblem.exchange(false)) {
    const std::lock_guard hold(impl.mutex);
    workbench.say({ui::Message::Level::Error, std::exchange(impl.problem, {})});
  }
  if (impl.waitsForThread) {
    const std::lock_guard hold(impl.mutex);
    impl.begin();
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
  auto taken = takeHold(file);
  if (!taken || !*taken) return;  // another window took it first and removes the file
  const std::lock_guard hold(impl.mutex);
  impl.adopted.push_back({file, std::move(**taken)});
}

std::string Autosave::file() const {
  const std::lock_guard hold(impl_->mutex);
  return impl_->path;
}

void Autosave::flush() {
  Impl& impl = *impl_;
  std::unique_lock hold(impl.mutex);
  if (impl.next && !impl.thread.joinable()) impl.performNext(hold);
  impl.hurries = true;
  impl.changed.notify_all();
  impl.changed.wait(hold, [&impl] { return !impl.next && !impl.busy; });
  impl.hurries = false;
}

}  // namespace sepx::app
