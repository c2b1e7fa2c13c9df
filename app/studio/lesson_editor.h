// SPDX-License-Identifier: Apache-2.0
// A lesson as its author writes it: the Markdown, with what is done in the window recorded as lines of a step, numbers
// that are in sight as expectations, steps that change places, and the lesson played from the step with the cursor.
// Stays open beside the window. GUI thread.
#pragma once

#include <optional>
#include <string>

#include "ui/document/lesson_text.h"
#include "ui/workbench/workbench.h"

#include <QDialog>
#include <QTimer>

class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace sepx::app {

class LessonEditor final : public QDialog {
  Q_OBJECT

 public:
  explicit LessonEditor(ui::Workbench& workbench, QWidget* parent = nullptr);

  /// The Markdown; empty text begins a lesson. Where it cannot be read, the text stays with its own path.
  void edit(const QString& path);
  QString markdown() const;
  QString path() const { return path_; }
  bool saveTo(const QString& path);

 signals:
  /// The lesson was written to this file, and the window should open it.
  void opens(const QString& path);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void reject() override { close(); }

 private:
  void build();
  void toggleRecording();
  void addExpectation();
  void addStep();
  void moveStep(int by);
  void play();
  void follow();
  void stopPlaying(const std::string& why);
  void open();
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
  // Of play(): the lesson is opened, and gone on in until this step.
  QTimer playing_;
  std::size_t target_ = 0;
  int patience_ = 0;
  bool opened_ = false;
};

}  // namespace sepx::app
