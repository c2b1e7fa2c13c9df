// SPDX-License-Identifier: Apache-2.0
// Recovery files: unsaved work of a window survives the end of the program. The open document is written to a file in
// the state folder within a given time after every change; the file is removed when the document is saved or the window
// closes. A running window holds a lock beside its file, or a claim where the file system has no locks; files without
// either were left by windows that no longer run. Frames only hand over a document, and a worker thread writes it.
// Everything else is called on the frame thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/workbench/workbench.h"

namespace sepx::app {

/// A recovery file of a window that did not close normally, or that the system ended while work was not saved.
struct RecoveryFile {
  std::string file;       ///< for Workbench::restore
  std::string title;      ///< title of its window
  std::string path;       ///< its session file; empty: never saved
  std::int64_t when = 0;  ///< seconds since 1970
  bool asked = false;     ///< the window ended in order because the system asked it to
};

/// stateFolder()/autosave.
std::string autosaveFolder();

/// Latest first. Excludes files of windows that still run and files that cannot be read.
std::vector<RecoveryFile> recoveryFiles(const std::string& folder);
/// Removes a recovery file that the user does not want. OutputFailed when it cannot be removed.
Result<void> discard(const RecoveryFile& recovery);

class Autosave {
 public:
  /// `folder` empty: no recovery files are written.
  explicit Autosave(std::string folder);
  /// When the window closes: waits for a write in progress and removes the file, except after keep(). When an exception
  /// ends the window, the pending document is written, and all files stay for the next start.
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Call once per frame. `seconds`: a changed document is written at most this long after the change, and at once if
  /// the last write is longer ago; 0: never. A write error is reported once.
  void follow(ui::Workbench& workbench, double seconds);
  /// Call when the system ends the window and the user cannot be asked: unsaved work is on disk when this returns, and
  /// stays there for the next start.
  void keep(ui::Workbench& workbench);
  /// The recovery `file` became the current document. It is removed as soon as the document is written again, saved or
  /// discarded.
  void adopt(const std::string& file);

  /// Path of this window's recovery file, even if it was removed; empty before the first write.
  std::string file() const;
  /// Waits until the document that was handed over is on disk. For tests, and before a step that may end the process.
  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::app
