// SPDX-License-Identifier: Apache-2.0
// Files of the studio's window: opening, saving, and the questions asked before something is lost.
#include "app/studio/main_window.h"
#include "ui/properties/tr.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>

namespace sepx::app {

namespace {

constexpr int kNoteMs = 8000;

QString text(const char* source) {
  return QString::fromUtf8(ui::tr(source));
}

/// Where a person's own files are; the home folder where there is no folder of documents.
QString documentsFolder() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QDir(documents).exists() ? documents : QDir::homePath();
}

/// A title as a file name.
QString fileNameOf(QString title) {
  for (QChar& character : title) {
    if (!character.isLetterOrNumber() && !QStringLiteral(" -_.()").contains(character)) character = u'-';
  }
  return title.simplified();
}

}  // namespace

bool MainWindow::openFile(const QString& path) {
  const auto done = session_.workbench().open(path.toStdString());  // a failure is on screen already
  wake();
  return done.has_value();
}

void MainWindow::openAsked(const QString& path) {
  if (mayReplace()) openFile(path);
  if (viewport_) viewport_->activate();
}

void MainWindow::open() {
  if (!mayReplace()) return;
  const QString path = QFileDialog::getOpenFileName(this, text(N_("Open")), QFileInfo(suggestedFile()).path(),
                                                    text(N_("Sessions and lessons (*.sepx *.md);;All files (*)")));
  if (!path.isEmpty()) openFile(path);
}

bool MainWindow::startAnew() {
  if (!mayReplace()) return false;
  const auto done = session_.workbench().run("file.new");
  if (!done) failed(done.error());
  wake();
  return done.has_value();
}

bool MainWindow::save() {
  const std::string path = session_.workbench().path();
  if (path.empty()) return saveAs();
  const auto done = session_.workbench().save(path);
  if (done) {
    const QString shown = QDir::toNativeSeparators(QString::fromStdString(path));
    statusBar()->showMessage(text(N_("Saved %1")).arg(shown), kNoteMs);
  }
  wake();
  return done.has_value();
}

QString MainWindow::suggestedFile() const {
  const QString path = QString::fromStdString(session_.workbench().path());
  if (!path.isEmpty()) return path;
  const ui::Lesson* lesson = session_.workbench().lesson();
  const QString title = lesson ? QString::fromStdString(lesson->title) : text(N_("Untitled"));
  return documentsFolder() + u'/' + fileNameOf(title) + QStringLiteral(".sepx");
}

bool MainWindow::saveAs() {
  QFileDialog dialog(this, text(N_("Save session")), QString(), text(N_("Sessions (*.sepx)")));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("sepx"));
  const QFileInfo suggested(suggestedFile());
  dialog.setDirectory(suggested.path());
  dialog.selectFile(suggested.fileName());
  if (dialog.exec() != QDialog::Accepted) return false;
  const auto done = session_.workbench().save(dialog.selectedFiles().front().toStdString());
  if (done) return save();
  wake();
  return false;
}

bool MainWindow::hasOwnChanges() const {
  // A lesson changes its own document as it plays; that is nobody's work to lose.
  return session_.workbench().modified() && !session_.workbench().lesson();
}

bool MainWindow::mayDiscard() {
  if (!asking_ || !hasOwnChanges()) return true;
  QMessageBox box(QMessageBox::NoIcon, text(N_("Unsaved changes")),
                  text(N_("The session has changes that are not saved. Save them?")),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

bool MainWindow::mayReplace() {
  return session_.workbench().lesson() ? mayLeaveLesson() : mayDiscard();
}

bool MainWindow::mayLeaveLesson() {
  const auto& workbench = session_.workbench();
  const auto& points = workbench.document().at(workbench.exhibitKey() + ".points");
  const bool begun = workbench.lessonStep() > 0 || (points.is_array() && !points.empty());
  if (!asking_ || !begun) return true;
  const ui::Lesson& lesson = *workbench.lesson();
  QMessageBox box(QMessageBox::NoIcon, text(N_("Leave the lesson?")),
                  text(N_("“%1” is at step %2 of %3. Its points and settings are lost when you leave it."))
                      .arg(QString::fromStdString(lesson.title))
                      .arg(workbench.lessonStep() + 1)
                      .arg(lesson.steps.size()),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.button(QMessageBox::Save)->setText(text(N_("Save as session…")));
  box.button(QMessageBox::Discard)->setText(text(N_("Leave")));
  box.button(QMessageBox::Cancel)->setText(text(N_("Stay")));
  box.setDefaultButton(QMessageBox::Cancel);
  const int answer = box.exec();
  return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

}  // namespace sepx::app
