// SPDX-License-Identifier: Apache-2.0
// The runs of a folder, read in the background and again when something changed, and what is done to them: tags and
// notes written, moved to the trash and back. One thing after the other. Frame thread; the work in jobs.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/train/run_library.h"
#include "ui/page/exhibit_context.h"
#include "ui/page/lane.h"

namespace sepx::ui {

/// Something to be done to a run.
struct LibraryAction {
  enum Kind { Write, Trash, PutBack, Newest, Branch, Use } kind = Write;
  std::string folder;     ///< of the run
  std::string place{};    ///< of PutBack: in the trash; of Use: the folder where new runs are made
  train::RunNotes notes;  ///< of Write
  std::uint64_t number = 0;
  std::uint64_t deletion = 0;  ///< of Trash: those with the same number are deleted together; 0: once more, by Redo
  bool operator==(const LibraryAction& other) const { return number == other.number; }
};

/// What came of it.
struct LibraryDone {
  LibraryAction action;
  std::string place;      ///< in the trash; where it was put back to; the newest checkpoint
  std::string failure;    ///< one sentence; empty: it was done
  std::int64_t step = 0;  ///< of Newest and Branch: the newest saved one
};

class LibraryStore {
 public:
  /// Takes over what was read, reads again where that is due. Answers what was done.
  /// `lessons`: a folder of further runs; may be empty. `pause`: seconds between two looks at the files.
  std::vector<LibraryDone> update(ExhibitContext& context, const std::string& folder, const std::string& lessons,
                                  double pause = 2);
  void readAgain() { due_ = true; }
  void act(LibraryAction action);
  /// Moves these runs to the trash, together.
  void trash(const train::RunList& runs);
  /// Puts back what was deleted last, together. Answers their ids.
  std::vector<std::string> putBack();
  /// What a document calls deleted is in the trash, what it no longer calls so is put back: after Undo and Redo. Ids
  /// that are not known here mean nothing.
  void follow(const std::vector<std::string>& deleted);
  /// Of the last deletion.
  std::vector<std::string> newestDeleted() const;
  /// Writes tags and notes of a run; runs() has them at once.
  void write(const train::RunSummary& run, train::RunNotes notes);

  const train::RunList& runs() const { return runs_; }
  std::uint64_t revision() const { return revision_; }  ///< changes with runs()
  const std::string& folder() const { return folder_; }
  bool read() const { return read_; }                                   ///< at least once, whole
  bool acted() const { return doing_.complete() && actions_.empty(); }  ///< nothing is left to be done
  bool complete() const { return reading_.complete() && acted(); }
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
    std::string id;      ///< where it lay in the trash first
    std::string folder;  ///< where it was
    std::string place;   ///< in the trash
    std::uint64_t deletion = 0;
    bool said = false;  ///< a document has called it deleted
    enum { There, Moving, Back } state = There;
  };
  void take(const LibraryDone& done);
  void putBack(Deleted& one);
  bool isNewest(const Deleted& one) const;
  bool isDue(const ExhibitContext& context, double pause) const;
  void startAction(ExhibitContext& context);

  Lane<Request, train::RunList> reading_{"training.library"};
  Lane<LibraryAction, LibraryDone> doing_{"training.library.work"};
  std::deque<LibraryAction> actions_;
  train::RunList runs_;
  std::string folder_, lessons_;
  std::vector<Deleted> deleted_;  ///< the newest last
  std::uint64_t revision_ = 1, number_ = 0, deletion_ = 0, runsSeen_ = 0;
  double since_ = 0;  ///< host time of the last start
  bool due_ = true, read_ = false;
};

}  // namespace sepx::ui
