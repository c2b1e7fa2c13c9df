// SPDX-License-Identifier: Apache-2.0
// Reads the runs of a folder in the background, and again when something changed. Writes their tags and notes and moves
// them to the trash and back, one action after the other. Frame thread; the work is done in jobs.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/train/run_library.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// An action on a run.
struct LibraryAction {
  enum Kind { Write, Trash, PutBack, Newest, Branch, Use } kind = Write;
  std::string folder;     ///< of the run
  std::string place{};    ///< PutBack: its place in the trash; Use: the folder in which new runs are created
  train::RunNotes notes;  ///< for Write
  std::uint64_t number = 0;
  std::uint64_t deletion = 0;  ///< Trash: runs with the same number are deleted together; 0: deleted again by Redo
  bool operator==(const LibraryAction& other) const { return number == other.number; }
};

/// The result of an action.
struct LibraryActionResult {
  LibraryAction action;
  std::string place;      ///< path in the trash, after PutBack, or of the newest checkpoint
  std::string failure;    ///< one sentence; empty: it was done
  std::int64_t step = 0;  ///< Newest and Branch: the newest saved step
};

class LibraryStore {
 public:
  /// Takes over what was read, and reads again if it is due. Returns the results of the actions that have ended.
  /// `lessons`: a folder of further runs; may be empty. `pause`: seconds between two readings of the files.
  std::vector<LibraryActionResult> update(ExhibitContext& context, const std::string& folder,
                                          const std::string& lessons, double pause = 2);
  void readAgain() { due_ = true; }
  void act(LibraryAction action);
  /// Moves these runs to the trash, together.
  void trash(const train::RunList& runs);
  /// Puts back the runs that were deleted together last. Returns their ids.
  std::vector<std::string> putBack();
  /// Follows Undo and Redo: moves the runs that the document lists as deleted to the trash, and puts back those that it
  /// no longer lists. Unknown ids are ignored.
  void follow(const std::vector<std::string>& deleted);
  /// The ids of the runs of the last deletion.
  std::vector<std::string> newestDeleted() const;
  /// Writes tags and notes of a run. runs() contains them at once.
  void write(const train::RunSummary& run, train::RunNotes notes);

  const train::RunList& runs() const { return runs_; }
  std::uint64_t revision() const { return revision_; }  ///< changes with runs()
  const std::string& folder() const { return folder_; }
  bool read() const { return read_; }  ///< the folder was fully read at least once
  bool actionsComplete() const { return doing_.complete() && actions_.empty(); }  ///< no action is pending
  bool complete() const { return reading_.complete() && actionsComplete(); }
  /// How many runs were deleted here and can be put back.
  std::size_t trashed() const;
  const std::string& lessons() const { return lessons_; }

 private:
  struct Request {
    std::string folder, lessons, cache;
    bool operator==(const Request&) const = default;
  };
  /// A run that was deleted here.
  struct Deleted {
    std::string id;      ///< its first place in the trash
    std::string folder;  ///< where it was before it was deleted
    std::string place;   ///< its present place in the trash
    std::uint64_t deletion = 0;
    bool listed = false;  ///< a document has listed it as deleted
    enum { InTrash, Moving, Restored } state = InTrash;
  };
  void take(const LibraryActionResult& done);
  void putBack(Deleted& one);
  bool isNewest(const Deleted& one) const;
  bool isDue(const ExhibitContext& context, double pause) const;
  void startAction(ExhibitContext& context);

  Lane<Request, train::RunList> reading_{"training.library"};
  Lane<LibraryAction, LibraryActionResult> doing_{"training.library.work"};
  std::deque<LibraryAction> actions_;
  train::RunList runs_;
  std::string folder_, lessons_;
  std::vector<Deleted> deleted_;  ///< the newest last
  std::uint64_t revision_ = 1, number_ = 0, deletion_ = 0, runsSeen_ = 0;
  double since_ = 0;  ///< host time of the last start
  bool due_ = true, read_ = false;
};

}  // namespace sepx::ui
