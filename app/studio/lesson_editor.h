// SPDX-License-Identifier: Apache-2.0
// A lesson as its author writes it: the Markdown, with what is done in the window recorded as lines of a step, numbers
// that are in sight as expectations, steps that change places, and the lesson played from the step with the cursor, in
// the window or on the stage, or written as a page. What is recorded begins with a line that opens the state in which
// recording began, where the lesson's own lines do not give it. Stays open beside the window. GUI thread.
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

  /// The Markdown; empty text begins a lesson. Where it cannot be read, the text stays with its own path.
  void edit(const QString& path);
  /// The text of a lesson that is not the person's own, such as one that ships: saving asks for a file.
  void editCopy(const QString& path);
  QString markdown() const;
  QString path() const { return path_; }
  bool saveTo(const QString& path);

 signals:
  /// The lesson was written to this file, and the window should open it.
  void opens(const QString& path);
  /// The lesson that plays is to be seen as the projector shows it.
  void presents();
  /// The lesson was written as a page to this file.
  void wrotePage(const QString& path);

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
  bool mayForget();
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
  /// What the lesson's lines give, as far as it is known: the document after so many of them.
  struct Known {
    ui::Document document;
    std::size_t lines = 0;
  };
  std::optional<Known> known_;
  // Of play(): the lesson is opened, and gone on in until this step.
  QTimer playing_;
  std::size_t target_ = 0;
  int patience_ = 0;
  bool opened_ = false;
  bool presents_ = false;
  QTemporaryDir private_;  ///< of the page
  QProcess page_;          ///< `sepx render`, which writes it
};

}  // namespace sepx::app
