// SPDX-License-Identifier: Apache-2.0
// Work that was not saved survives the end of the program: the open document is written aside, under the state folder,
// within a given time after every change, and removed when it is saved or the window closes. A living window holds a
// lock beside its file, or a claim where the file system has no locks, so that the files without one are what dead ones
// left. Frames only hand a document over; one thread of its own writes. The rest is called on the frame thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/result.h"
#include "ui/workbench/workbench.h"

namespace sepx::app {

/// What a window left that did not end by itself, or that the system ended while work was not saved.
struct RecoveryFile {
  std::string file;       ///< for Workbench::restore
  std::string title;      ///< as its window was called
  std::string path;       ///< of its session; empty: never saved
  std::int64_t when = 0;  ///< seconds since 1970
  bool asked = false;     ///< the system asked the window to end, and it ended in order
};

/// stateFolder()/autosave.
std::string autosaveFolder();

/// Latest first. Files of windows that still live are not among them, nor what cannot be read.
std::vector<RecoveryFile> recoveryFiles(const std::string& folder);
/// The person does not want it. OutputFailed when it cannot be removed.
Result<void> discard(const RecoveryFile& recovery);

class Autosave {
 public:
  /// `folder` empty: nothing is kept.
  explicit Autosave(std::string folder);
  /// The window closed: waits for a write that is under way, and removes the file; after keep() it stays. Where an
  /// exception ends the window, what was handed over is written, and all files stay for the next start.
  ~Autosave();
  Autosave(const Autosave&) = delete;
  Autosave& operator=(const Autosave&) = delete;

  /// Once a frame. `seconds`: a state is written at the latest so long after the change, at once when the last write is
  /// longer ago; 0: never. What cannot be written is said once.
  void follow(ui::Workbench& workbench, double seconds);
  /// The system ends the window, and there is nobody to ask: what is not saved is on the disk when this returns, and
  /// stays there for the next start.
  void keep(ui::Workbench& workbench);
  /// A recovery became the present document: it is removed as soon as the document is kept anew, saved or discarded.
  void adopt(const std::string& file);

  /// The file of this window, whether there is one now or not; empty when nothing is kept.
  std::string file() const;
  /// Waits until what was handed over is on the disk. Tests, and before a step that may end the process.
  void flush();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sepx::app
