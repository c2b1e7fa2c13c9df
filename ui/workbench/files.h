// SPDX-License-Identifier: Apache-2.0
// Opens, saves and restores the document of a window. An opened file replaces the document completely or not at all.
// Saving does not overwrite changes by another program. A document that is recovered after a kill comes back as it was,
// unsaved. Frame thread.
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
  /// The current document of `window` is the initial one, with nothing to save.
  Files(WindowState& window, Panes& panes, LessonPlayer& lesson, Jobs& jobs);

  /// See Workbench. Errors have already been reported to the user.
  Result<void> open(const std::string& path);
  Result<void> startOpening(std::vector<std::string> paths, ApplyOpened take);
  void showRun(const std::string& folder);
  const std::string& opening() const { return opening_; }
  bool openingRead() const { return openingRead_; }
  Result<void> finishOpening(bool take);
  bool cancelOpening();
  /// Call once per frame: takes the files that have been read, or requests a confirmation.
  void update();
  /// For an open lesson: its runs name data, and they may not open what the lesson may not open (Runs::restrictData()).
  void restrictRunData();
  Result<void> save(const std::string& path, bool anyway);
  Result<void> restore(const std::string& recoveryFile);
  Document recoveryDocument() const;
  bool modified() const;
  bool inLesson() const { return lesson_.lesson() != nullptr; }

  const std::string& path() const { return path_; }  ///< of the open session; empty: none
  const std::string& readOnly() const { return readOnly_; }
  std::string title() const;  ///< of the window
  /// True if there is no file, no lesson and no change by the user.
  bool untouched() const;
  /// Replaces an untouched document by an initial state, which counts as saved.
  void beginWith(Document document);
  void addCommands(Commands& to);
  /// Whether the shortcut of file.new may discard the document. With unsaved changes the first call shows a warning and
  /// returns false. Hosts with dialogs ask the user themselves and run the command.
  bool confirmDiscard();

 private:
  void begin(Document document, std::uint64_t seed);
  std::vector<std::string> lessonFolders() const;
  Result<void> checkLesson(const Document& document, const std::string& path);
  Result<void> checkLessonFiles(const Document& document, const std::string& path);
  Result<void> openSession(const std::string& path, Session session);
  Result<void> openRestoredState(const std::string& path, RestoredState restoredState);
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
  std::string opening_;  ///< name of what is being read, or was read and not yet taken
  /// The files of a request, in the order of their paths; held by pointer, because they are moved out of the lane.
  Lane<std::vector<std::string>, std::shared_ptr<std::vector<Result<Opened>>>> reading_{"files.open"};
  ApplyOpened take_ = ApplyOpened::WhenRead;
  bool openingRead_ = false;
  int forPane_ = 1;     ///< the active pane at the time of the request
  std::string forKey_;  ///< the key that waited for a file at that time
  std::string path_;
  FileStamp stamp_;       ///< size and hash of the file when it was opened or saved here
  std::string readOnly_;  ///< why it cannot be saved under its own name
  std::string title_;     ///< of a state without a file: the figure or lost window it came from
  /// Title of the open model, used if the state has no other name. Cached for the revision modelTitleAt_ of the
  /// history.
  mutable std::string modelTitle_;
  mutable std::uint64_t modelTitleAt_ = ~0ull;
  Document saved_;        ///< as last opened or saved, without what undo does not change
  bool unsaved_ = false;  ///< restored after a kill: modified in any case
  const std::uint64_t programSeed_;
  mutable std::uint64_t modifiedAt_ = ~0ull;  ///< revision of the history that `isModified_` belongs to
  mutable bool isModified_ = false;
  std::uint64_t seen_ = ~0ull;                    ///< revision of the history in the last update()
  std::optional<std::uint64_t> discardWarnedAt_;  ///< the revision for which confirmDiscard() showed its warning
  OpenedModel model_;  ///< the checkpoint opened last, so that its exhibit need not read the headers again
};

}  // namespace sepx::ui
