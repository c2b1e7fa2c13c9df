// SPDX-License-Identifier: Apache-2.0
// The editor for authors of lessons. It edits the Markdown, records what is done in the window as lines of a step,
// inserts numbers that are shown as expectations, moves steps, and plays the lesson from the step with the cursor, in
// the window or on the stage, or writes it as a page. A recording begins with a line that opens the state in which it
// began, unless the lesson's own lines already lead to that state. Stays open beside the window. GUI thread.
#pragma once

#include <optional>
#include <string>

#include "ui/document/lesson_text.h"
#include "ui/workbench/workbench.h"

#include <QDialog>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

class QHBoxLayout;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace sepx::app {

class LessonEditor final : public QDialog {
  Q_OBJECT

 public:
  explicit LessonEditor(ui::Workbench& workbench, QWidget* parent = nullptr);
  ~LessonEditor() override;

  /// Edits the Markdown of this file, or a new lesson for an empty path. If the file cannot be read, text and path
  /// stay.
  void edit(const QString& path);
  /// Edits a copy of a lesson that is not the user's own, such as one that ships with the program: saving asks for a
  /// file.
  void editCopy(const QString& path);
  QString markdown() const;
  QString path() const { return path_; }
  bool saveTo(const QString& path);

 signals:
  /// The lesson was written to this file, and the window should open it.
  void opens(const QString& path);
  /// The lesson that is playing should be presented on the stage.
  void presents();
  /// The lesson was written as a page to this file.
  void pageWritten(const QString& path);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void reject() override { close(); }

 private:
  void build();
  void addButtons(QHBoxLayout* row);
  void addPreviews(QHBoxLayout* row);
  void toggleRecording();
  std::vector<std::string> linesToBegin(const ui::Document& from);
  std::vector<std::string> stateLines(const ui::Document& of);
  std::size_t linesUntil() const;
  bool shownByLesson() const;
  void makePage();
  void takePage();
  void say(const std::string& sentence);
  void addExpectation();
  void addStep();
  void moveStep(int by);
  void play(bool presents);
  void follow();
  void stopPlaying(const std::string& why);
  void open() override;
  bool save();
  bool confirmDiscard();
  void check();
  void take(const ui::EditedText& edited);
  std::size_t step() const;
  QPushButton* button(const char* name, const char* label, const char* help);

  ui::Workbench& workbench_;
  QPlainTextEdit* text_ = nullptr;
  QListWidget* faults_ = nullptr;
  QPushButton* record_ = nullptr;
  QString path_;
  std::optional<ui::Document> recordedFrom_;
  /// The state after the first `lines` script lines of the lesson, as far as it is known.
  struct Known {
    ui::Document document;
    std::size_t lines = 0;
  };
  std::optional<Known> known_;
  // For play(): the lesson is opened, and then advanced until this step.
  QTimer playing_;
  std::size_t target_ = 0;
  int patience_ = 0;
  bool opened_ = false;
  bool presents_ = false;
  QTemporaryDir private_;  ///< folder of the page
  QProcess page_;          ///< `sepx render`, which writes the page
};

}  // namespace sepx::app
