// SPDX-License-Identifier: Apache-2.0
// Files of a window: what is opened takes the place of the document as a whole or not at all; what is saved does not
// write over another program's work; what a kill left behind comes back as it was, unsaved. Frame thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/page/lane.h"
#include "ui/workbench/commands.h"
#include "ui/workbench/file_kind.h"
#include "ui/workbench/lesson_player.h"
#include "ui/workbench/open_file.h"
#include "ui/workbench/panes.h"

namespace sepx::ui {

class Files {
 public:
  /// The document that `window` has now is the one that a window begins with, with nothing to save.
  Files(WindowState& window, Panes& panes, LessonPlayer& lesson, Jobs& jobs);

  /// As of Workbench. What was wrong has been said.
  Result<void> open(const std::string& path);
  Result<void> startOpening(std::vector<std::string> paths, TakeOpened take);
  void showRun(const std::string& folder);
  const std::string& opening() const { return opening_; }
  bool openingRead() const { return openingRead_; }
  Result<void> finishOpening(bool take);
  bool cancelOpening();
  /// Once a frame: what was read meanwhile is taken or asked about.
  void update();
  /// A lesson is open: the runs that it brings name data, which it may not open either (Runs::confine).
  void confineRuns();
  Result<void> save(const std::string& path, bool anyway);
  Result<void> restore(const std::string& recoveryFile);
  Document recoveryDocument() const;
  bool modified() const;
  bool inLesson() const { return lesson_.lesson() != nullptr; }

  const std::string& path() const { return path_; }  ///< of the open session; empty: none
  const std::string& readOnly() const { return readOnly_; }
  std::string title() const;  ///< of the window
  /// No file, no lesson and no work of a person's.
  bool untouched() const;
  /// A state to begin with, in place of an untouched document: it counts as saved.
  void beginWith(Document document);
  void addCommands(Commands& to);
  /// A key alone does not throw unsaved work away: the first time it says what is at stake, and this is false. Hosts
  /// with dialogs ask themselves and run the command.
  bool newIsMeant();

 private:
  void begin(Document document, std::uint64_t seed);
  std::vector<std::string> lessonReach() const;
  Result<void> checkLesson(const Document& document, const std::string& path);
  Result<void> checkReach(const Document& document, const std::string& path);
  Result<void> openSession(const std::string& path, Session session);
  Result<void> openRecreated(const std::string& path, Recreated recreated);
  template <class Request>
  void takeRequest(const Request& request, const std::string& path);
  Result<void> takeTable(const Table& table, const std::string& path);
  Result<void> openText(const PlainText& text, const std::string& path);
  Result<void> takeModel(const std::string& path, OpenedModel opened);
  void takeFurther(const std::vector<std::string>& paths);
  Result<void> takeAll(std::vector<Result<Opened>> files);
  Result<void> take(Opened opened);
  void askForMissing();
  void remember(const std::string& path, const std::string& titled, FileKind kind);
  Document withSeed(Document document) const;
  Result<void> failed(Error error);
  Result<void> saveAgain();
  void startAnew();
  Document work() const;
  void markSaved();
  const std::string& modelTitle() const;

  WindowState& window_;
  Panes& panes_;
  LessonPlayer& lesson_;
  Jobs& jobs_;
  std::string opening_;  ///< name of what is read, or was read and not yet taken
  /// The files of a request, in the order of their paths; pointed to, because they are moved out of the lane.
  Lane<std::vector<std::string>, std::shared_ptr<std::vector<Result<Opened>>>> reading_{"files.open"};
  TakeOpened take_ = TakeOpened::WhenRead;
  bool openingRead_ = false;
  int forPane_ = 1;     ///< that was active when it was asked for
  std::string forKey_;  ///< that waited for the file then
  std::string path_;
  FileStamp stamp_;       ///< what the file held when it was opened or saved here
  std::string readOnly_;  ///< why it cannot be saved under its own name
  std::string title_;     ///< of a state without a file: the figure or lost window it came from
  /// Of the open model, where the state has no other name; belongs to that revision of the history.
  mutable std::string modelTitle_;
  mutable std::uint64_t modelTitleAt_ = ~0ull;
  Document saved_;        ///< as last opened or saved, without what undo leaves alone
  bool unsaved_ = false;  ///< came back after a kill: modified whatever it holds
  const std::uint64_t programSeed_;
  mutable std::uint64_t modifiedAt_ = ~0ull;  ///< revision of the history that `isModified_` belongs to
  mutable bool isModified_ = false;
  std::uint64_t seen_ = ~0ull;             ///< revision of the history in the last update()
  std::optional<std::uint64_t> newAsked_;  ///< the revision at which a key asked for a new document
  OpenedModel model_;  ///< the checkpoint opened last: its exhibit need not read the headers once more
};

}  // namespace sepx::ui
