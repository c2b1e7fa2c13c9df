// SPDX-License-Identifier: Apache-2.0
// Files of the studio's window: opening, saving, and the questions asked before something is lost.
#include "app/studio/figure_path.h"
#include "app/studio/main_window.h"
#include "app/studio/text.h"

#include <algorithm>
#include <utility>

#include "engine/core/file.h"
#include "ui/document/homework.h"
#include "ui/page/exhibit.h"
#include "ui/properties/tr.h"
#include "ui/runs/runs.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTreeView>

namespace sepx::app {

namespace {

constexpr int kNoteMs = 8000;
// Settings with the folder where the user chose a file last, one for each kind of dialog.
constexpr const char* kFigureFolder = "studio.figures";
constexpr const char* kOpenFolder = "studio.open";
constexpr const char* kOpenFolderFolder = "studio.open-folder";
constexpr const char* kClassFolder = "studio.classes";
constexpr const char* kSessionFolder = "studio.sessions";

/// The folder of the user's documents; the home folder where there is none.
QString documentsFolder() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QDir(documents).exists() ? documents : QDir::homePath();
}

/// Shows the dialog and returns the chosen file; empty: none.
QString chosenIn(QFileDialog& dialog) {
  // Qt's own dialog is small and cuts off sizes and dates; a native dialog has no such list.
  if (auto* list = dialog.findChild<QTreeView*>(QStringLiteral("treeView"))) {
    list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    dialog.resize(QSize(60, 28) * dialog.fontMetrics().height());
  }
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().front() : QString();
}

/// "Training - Curves - loss symmetry s" for "Training · Curves: loss, symmetry s". With several panes, the title is
/// that of the first one. Values of parameters are left to the caption, because their signs are not allowed in file
/// names.
QString figureName(QString title) {
  constexpr int kLongest = 80;
  QStringList parts = title.section(QStringLiteral("; "), 0, 0).split(QStringLiteral(" · "));
  const auto isValues = [](const QString& part) {
    return part.contains(u'=') || part.contains(u'<') || part.contains(u'>');
  };
  if (!std::ranges::all_of(parts, isValues)) parts.removeIf(isValues);
  title = parts.join(QStringLiteral(" · "));
  title.replace(QStringLiteral(": "), QStringLiteral(" - ")).remove(u',');
  return fileNameOf(title.left(kLongest));
}

}  // namespace

void MainWindow::openFiles(const QStringList& paths) {
  std::vector<std::string> files;
  for (const QString& path : paths)
    files.push_back(path.toStdString());
  openFiles(std::move(files));
}

void MainWindow::openFiles(std::vector<std::string> paths) {
  if (isClassFolder(paths)) return gradeFolder(QString::fromStdString(paths.front()));
  session_.workbench().startOpening(std::move(paths),
                                    asking_ ? ui::ApplyOpened::WhenConfirmed : ui::ApplyOpened::WhenRead);
  wake();
  goToPicture();
}

void MainWindow::confirmOpening() {
  // Called in every frame until the question is answered, and once more after that.
  if (!session_.workbench().openingRead() || std::exchange(confirming_, true)) return;
  static_cast<void>(session_.workbench().finishOpening(confirmReplace()));  // a failure is on screen already
  confirming_ = false;
  wake();
}

void MainWindow::dropAt(const QStringList& paths, QPointF at) {
  // The pane under the pointer opens what was dropped.
  auto& workbench = session_.workbench();
  const double scale = viewport_->scale();
  const auto& panes = workbench.scenes();
  for (std::size_t i = 0; i < panes.size(); ++i) {
    const double x = at.x() / scale - panes[i].origin.x, y = at.y() / scale - panes[i].origin.y;
    const bool inside = panes[i].scene && x >= 0 && y >= 0 && x < panes[i].scene->width && y < panes[i].scene->height;
    if (inside) workbench.activatePane(int(i) + 1);
  }
  openFiles(paths);
}

void MainWindow::receive(std::vector<std::string> paths) {
  if (isMinimized()) showNormal();
  show();
  raise();
  activateWindow();
  if (QWidget* const question = QApplication::activeModalWidget()) {
    // One question at a time: files that are received meanwhile are opened after the answer.
    if (waiting_.empty())
      connect(
          question, &QObject::destroyed, this, [this] { receive(std::exchange(waiting_, {})); }, Qt::QueuedConnection);
    waiting_.insert(waiting_.end(), paths.begin(), paths.end());
    question->raise();
    question->activateWindow();
    return;
  }
  if (!paths.empty()) openFiles(std::move(paths));
}

QString MainWindow::lastFolder(const char* kept) const {
  const QString last = QString::fromStdString(session_.settings().kept(kept));
  return !last.isEmpty() && QDir(last).exists() ? last : QFileInfo(suggestedFile()).path();
}

void MainWindow::keepFolder(const char* kept, const QString& folder) {
  // If it cannot be stored, the next dialog starts in the folder of the session again.
  session_.settings().keep(kept, folder.toStdString());
}

void MainWindow::open() {
  QFileDialog dialog(
      this, text(N_("Open")), lastFolder(kOpenFolder),
      text(N_(
          "All supported files (*.sepx *.md *.sepx-lesson *.png *.svg *.pdf *.html *.csv *.tsv *.txt *.jsonl *.ndjson "
          "*.gz *.safetensors *.bin *.pt *.pth *.gguf *.onnx *.npy *.npz *.index.json run.sqlite plan.json);;Sessions and "
          "lessons (*.sepx *.md *.sepx-lesson);;Checkpoints and runs (*.safetensors *.bin *.pt *.pth *.gguf *.onnx "
          "*.npy *.npz *.index.json run.sqlite plan.json);;Texts and tables (*.txt *.csv *.tsv *.jsonl *.ndjson "
          "*.gz);;All files (*)")));
  dialog.setFileMode(QFileDialog::ExistingFile);
  const QString path = chosenIn(dialog);
  if (path.isEmpty()) return;
  keepFolder(kOpenFolder, QFileInfo(path).absolutePath());
  openFiles({path});
}

void MainWindow::openFolder() {
  QFileDialog dialog(this, text(N_("Open a folder")), lastFolder(kOpenFolderFolder));
  dialog.setFileMode(QFileDialog::Directory);
  dialog.setOption(QFileDialog::ShowDirsOnly);
  const QString path = chosenIn(dialog);
  if (path.isEmpty()) return;
  keepFolder(kOpenFolderFolder, QFileInfo(path).absolutePath());  // the parent, where other runs or checkpoints are
  openFiles({path});
}

QString MainWindow::askClassFolder() {
  QFileDialog dialog(this, text(N_("The folder with the answers of a class")), lastFolder(kClassFolder));
  dialog.setFileMode(QFileDialog::Directory);
  const QString path = chosenIn(dialog);
  if (!path.isEmpty()) keepFolder(kClassFolder, QFileInfo(path).absolutePath());
  return path;
}

bool MainWindow::newSession() {
  if (!confirmReplace()) return false;
  const auto done = session_.workbench().run("file.new");
  if (!done) failed(done.error());
  wake();
  return done.has_value();
}

bool MainWindow::save() {
  const std::string path = session_.workbench().path();  // not a QString, which cannot hold a name that is not UTF-8
  return path.empty() ? saveAs() : saveTo(path);
}

bool MainWindow::saveTo(const std::string& path) {
  auto& workbench = session_.workbench();
  auto done = workbench.save(path);
  if (!done && done.error().kind == ErrorKind::CheckFailed && asking_) {
    // Another program changed the file, or the file is of a newer version: the user decides.
    QMessageBox box(QMessageBox::NoIcon, text(N_("Save anyway?")), QString::fromStdString(done.error().message),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.button(QMessageBox::Save)->setText(text(N_("Save under another name…")));
    box.button(QMessageBox::Discard)->setText(text(N_("Overwrite")));
    box.button(QMessageBox::Cancel)->setText(text(N_("Cancel")));
    box.setDefaultButton(QMessageBox::Save);
    const int answer = box.exec();
    if (answer == QMessageBox::Save) return saveAs();
    if (answer == QMessageBox::Discard) done = workbench.save(path, true);
  }
  if (done)
    statusBar()->showMessage(text(N_("Saved %1")).arg(QDir::toNativeSeparators(QString::fromStdString(path))), kNoteMs);
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
  dialog.setDirectory(session_.workbench().path().empty() ? lastFolder(kSessionFolder) : suggested.path());
  dialog.selectFile(suggested.fileName());
  const QString path = chosenIn(dialog);
  if (path.isEmpty()) return false;
  keepFolder(kSessionFolder, QFileInfo(path).absolutePath());
  return saveTo(path.toStdString());
}

bool MainWindow::saveAnswers() {
  const auto answers = session_.workbench().homeworkAnswers();
  if (!answers) return false;
  QFileDialog dialog(this, text(N_("Save the answers")), documentsFolder(), text(N_("Answers (*.json)")));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(QStringLiteral("json"));
  dialog.selectFile(QString::fromStdString(answers->name));
  const QString path = chosenIn(dialog);
  if (path.isEmpty()) return false;
  const auto written = writeFile(path.toStdString(), answers->text);
  if (!written) {
    QMessageBox::warning(this, text(N_("Save the answers")), QString::fromStdString(written.error().message));
  } else {
    savedAnswers_ = answers->text;
    statusBar()->showMessage(text(N_("Saved %1")).arg(QDir::toNativeSeparators(path)), kNoteMs);
  }
  wake();
  return written.has_value();
}

QString MainWindow::askFigurePath(QString suffix, const QString& title) {
  const QString folder = lastFolder(kFigureFolder), base = figureName(title);
  if (suffix == QLatin1String("/")) {
    const QString frames = QFileDialog::getSaveFileName(this, text(N_("New folder for the frames")),
                                                        folder + u'/' + base + QStringLiteral("-frames"));
    return frames.isEmpty() ? frames : frames + u'/';
  }
  QFileDialog dialog(this, text(N_("Export figure")), folder);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setOption(QFileDialog::DontConfirmOverwrite);  // an extension may still be added to the name
  dialog.setNameFilters(figureFilters());
  dialog.selectNameFilter(figureFilter(suffix));
  dialog.selectFile(base + suffix);
  connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog, &suffix](const QString& filter) {
    suffix = figureSuffix(filter, suffix);
    const QStringList typed = dialog.selectedFiles();
    if (!typed.isEmpty()) dialog.selectFile(withFigureSuffix(QFileInfo(typed.front()).fileName(), suffix));
  });
  for (QString typed = chosenIn(dialog); !typed.isEmpty(); typed = chosenIn(dialog)) {
    const QString path = figurePath(typed, suffix);
    if (!QFileInfo::exists(path)) return path;
    const auto answer = QMessageBox::question(
        this, text(N_("Export figure")), text(N_("%1 already exists. Replace it?")).arg(QFileInfo(path).fileName()));
    if (answer == QMessageBox::Yes) return path;
    dialog.selectFile(QFileInfo(path).fileName());
  }
  return {};
}

void MainWindow::exportFigure(ui::FigureRequest request) {
  keepFolder(kFigureFolder, QFileInfo(QString::fromStdString(request.path)).absolutePath());
  if (const auto done = session_.workbench().exportFigure(std::move(request)); !done) return failed(done.error());
  wake();
}

bool MainWindow::hasOwnChanges() const {
  // A lesson changes its own document as it plays; these changes are not the user's work.
  return session_.workbench().modified() && !session_.workbench().lesson();
}

bool MainWindow::confirmDiscard() {
  if (!asking_ || !hasOwnChanges()) return true;
  QMessageBox box(QMessageBox::NoIcon, text(N_("Unsaved changes")),
                  text(N_("The session has changes that are not saved. Save them?")),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

bool MainWindow::confirmDiscardAnswers() {
  if (!asking_) return true;
  const auto now = session_.workbench().homeworkAnswers();
  if (!now || now->text == savedAnswers_) return true;
  if (const auto read = ui::parseAnswers(now->text); read && read->given.empty()) return true;
  QMessageBox box(QMessageBox::NoIcon, text(N_("Unsaved answers")),
                  text(N_("The answers of the homework are not saved. Save them?")),
                  QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  return answer == QMessageBox::Save ? saveAnswers() : answer == QMessageBox::Discard;
}

bool MainWindow::decideTrainingRuns() {
  ui::Runs& runs = session_.workbench().runs();
  if (!asking_ || runs.trainingUserRuns() == 0) return true;
  QMessageBox box(QMessageBox::NoIcon, text(N_("Runs are training")),
                  text(N_("Runs training in this window: %1. Stopped runs are saved, and offered at the next start. "
                          "Without the window they continue training as with “sepx train”."))
                      .arg(runs.trainingUserRuns()),
                  QMessageBox::Save | QMessageBox::Apply | QMessageBox::Cancel, this);
  box.setObjectName(QStringLiteral("runs"));
  box.button(QMessageBox::Save)->setText(text(N_("Stop and save")));
  box.button(QMessageBox::Apply)->setText(text(N_("Keep training without the window")));
  box.setDefaultButton(QMessageBox::Save);
  const int answer = box.exec();
  if (answer != QMessageBox::Apply) return answer == QMessageBox::Save;
  const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/sepx");
  const auto kept = runs.keepTraining(beside.toStdString());
  if (!kept) failed(kept.error());
  return kept.has_value();
}

bool MainWindow::confirmReplace() {
  if (!session_.workbench().lesson()) return confirmDiscard();
  return confirmDiscardAnswers() && confirmLeaveLesson();
}

bool MainWindow::confirmLeaveLesson() {
  const auto& workbench = session_.workbench();
  if (!asking_ || !workbench.modified()) return true;
  const ui::Lesson& lesson = *workbench.lesson();
  QMessageBox box(QMessageBox::NoIcon, text(N_("Leave the lesson?")),
                  text(N_("“%1” is at step %2 of %3. What you changed in it is lost when you leave it."))
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
